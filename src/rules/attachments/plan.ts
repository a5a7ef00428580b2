import type { AttachmentLink } from '../../model/attachment.ts';
import type { Side } from '../../model/ids.ts';
import { aboutOf, type Link } from '../../model/link.ts';
import type { FileOperation, Skip } from '../../model/plan/operation.ts';
import type { PublicFile } from '../../model/plan/public.ts';

interface FilePlan {
  readonly operations: readonly FileOperation[];
  readonly skips: readonly Skip[];
}

/**
 * The operations for the files of a link. Copies of attachments need no issue: their paths contain the number of the
 * bug.
 */
export function planFiles(link: Link, files: readonly PublicFile[]): FilePlan {
  return {
    operations: [...takingsOf(link, files), ...files.flatMap((each) => planFile(link, each) ?? [])],
    skips: files.flatMap((each) => skipOf(link, each)),
  };
}

/**
 * Removes copies whose content was deleted. An attempt whose answer was lost may have left one, so a removal is planned
 * even if no copy is known.
 */
function takingsOf(link: Link, attachmentLinks: readonly PublicFile[]): readonly FileOperation[] {
  return attachmentLinks.flatMap((file): readonly FileOperation[] => {
    const { origin, state, path } = file;
    if (origin !== 'tracker' || path === null || state !== 'linked') return [];
    return [{ ...plannedFor(link, file, 'github', 'withdraw'), on: 'github', act: 'withdraw', path }];
  });
}

function plannedFor(link: Link, { id, source, name }: AttachmentLink, on: Side, what: string) {
  const key = `${link.id}:${on}:${what}:${source}`;
  return { kind: 'file', key, link: link.id, about: aboutOf(link, on), attachmentLink: id, name } as const;
}

function planFile(link: Link, file: PublicFile): FileOperation | null {
  const { origin, path, copy, state } = file;
  if (origin === 'github') {
    const mayAttach = state === 'pending' && copy === null && link.bug !== null && link.issue !== null;
    return mayAttach ? { ...plannedFor(link, file, 'tracker', 'attach'), on: 'tracker', act: 'attach' } : null;
  }
  return path !== null && state === 'pending'
    ? { ...plannedFor(link, file, 'github', 'store'), on: 'github', act: 'store', path }
    : null;
}

/** A file that stays in its place although the route would carry it over. */
function skipOf(link: Link, { state, reason, origin, source, name }: AttachmentLink): readonly Skip[] {
  if (state !== 'linked' || reason === null) return [];
  const about = origin === 'tracker' ? `attachment ${source}` : `the file ${name === '' ? source : name}`;
  return [{ link: link.id, about, reason: `it is only linked to: ${reason}`, needsPerson: false }];
}

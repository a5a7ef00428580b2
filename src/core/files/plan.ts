import type { Enclosure } from '../../model/attachment.ts';
import type { Link } from '../../model/link.ts';
import type { FileOperation, Skip } from '../../model/operation.ts';
import type { Route } from '../../model/route.ts';
import { aboutOf } from '../about.ts';

export interface FilePlan {
  readonly operations: readonly FileOperation[];
  readonly skips: readonly Skip[];
}

/** What has to be done about the files of a link. Copies of attachments need no issue: they stand by the number of their bug. */
export function planFiles(route: Route, link: Link, enclosures: readonly Enclosure[]): FilePlan {
  if (route.attachments === null) return { operations: [], skips: [] };
  return {
    operations: enclosures.flatMap((each) => planFile(link, each) ?? []),
    skips: enclosures.flatMap((each) => skipOf(link, each)),
  };
}

function planFile(link: Link, { id, origin, source, name, path, copy, state }: Enclosure): FileOperation | null {
  const planned = (on: 'tracker' | 'github', what: string) => {
    const key = `${link.id}:${on}:${what}:${source}`;
    return { kind: 'file', key, link: link.id, about: aboutOf(link, on), enclosure: id, name } as const;
  };
  if (origin === 'github') {
    const mayAttach = state === 'pending' && copy === null && link.bug !== null && link.issue !== null;
    return mayAttach ? { ...planned('tracker', 'attach'), on: 'tracker', act: 'attach' } : null;
  }
  if (path === null) return null;
  if (state === 'pending') return { ...planned('github', 'shelve'), on: 'github', act: 'shelve', path };
  // An attempt whose answer was lost may have left a copy, so it is taken away even where none is known to stand.
  return state === 'mirrored' ? null : { ...planned('github', 'withdraw'), on: 'github', act: 'withdraw', path };
}

/** A file that stays where it is although the route would have it carried over. */
function skipOf(link: Link, { state, reason, origin, source, name }: Enclosure): readonly Skip[] {
  if (state !== 'linked' || reason === null) return [];
  const about = origin === 'tracker' ? `attachment ${source}` : `the file ${name === '' ? source : name}`;
  return [{ link: link.id, about, reason: `it is only linked to: ${reason}`, needsPerson: false }];
}

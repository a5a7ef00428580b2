/**
 * Copies in the attachment store that the state does not know: those that an older one wrote, or that a newer one took
 * back.
 */

import { backOffIfAsked, isAskedToWait } from '../../kernel/backoff.ts';
import type { Context } from '../../kernel/context.ts';
import { lineOf } from '../../kernel/outbox.ts';
import type { AttachmentStore } from '../../model/attachment.ts';
import { bugId } from '../../model/ids.ts';
import { aboutOf, type Link } from '../../model/link.ts';
import { type NotApplied, type Outcome, SideError } from '../../model/outcome.ts';
import type { Withdrawn } from '../../model/plan/withdrawal.ts';
import { placeIn } from '../../rules/attachments/path.ts';
import { whyHidden } from '../../rules/privacy/gate.ts';

/** A file in the store that may have to go. */
export interface Stray {
  readonly path: string;
  readonly attachment: number;
  /** The link of its bug; null if the path does not name the bug. */
  readonly link: Link | null;
  /** Whether the state itself says that the file is not public; otherwise the tracker is asked. */
  readonly isKnown: boolean;
}

/**
 * Lists the attachment store and takes away what is not public. Only paths that the bridge itself gives count, of bugs
 * that this route mirrors, and only attachments that the tracker knows: several routes and bridges may share a store.
 * Throws `SideError` if GitHub refuses our credentials.
 */
export async function takeStrayFiles(context: Context): Promise<void> {
  const attachmentStore = context.files?.attachmentStore ?? null;
  if (attachmentStore === null || context.route.direction === 'to-tracker' || isAskedToWait(context, 'github')) return;
  const found = await strayFiles(context, attachmentStore);
  if (found.kind !== 'applied') return handle(context, found);
  const strays = found.item;
  if (strays.length === 0) return;
  const removed = await attachmentStore.remove(strays.map(({ path }) => path));
  if (removed.kind !== 'applied') return handle(context, removed);
  for (const [link, files] of Map.groupBy(strays, (each) => each.link)) report(context, link, files, removed.item.left);
}

export type Looking = Pick<Context, 'store' | 'route' | 'files' | 'anonymousReader'>;

/** What the attachment store holds and must not. */
export async function strayFiles(
  looking: Looking,
  attachmentStore: AttachmentStore,
): Promise<Outcome<readonly Stray[]>> {
  const listed = await attachmentStore.list();
  if (listed.kind !== 'applied') return listed;
  const suspects = listed.item.flatMap((path) => strayAt(looking, path) ?? []);
  const shown = await shownOf(looking, suspects);
  const strays: Stray[] = [];
  for (const stray of suspects)
    if (stray.isKnown || (!shown.has(stray.attachment) && (await isWithheld(looking, stray)))) strays.push(stray);
  return { kind: 'applied', item: strays };
}

function strayAt({ store, route }: Looking, path: string): Stray | null {
  const place = placeIn(path);
  // A release lists names alone.
  if (place === null || (place.bug === null) !== (route.attachments?.store === 'release')) return null;
  const { bug, attachment } = place;
  const row = store.attachmentLinks.byAttachment(attachment);
  const link = row !== null ? store.links.byId(row.link) : bug === null ? null : store.links.byBug(bugId(bug));
  if (bug !== null && link?.bug !== bug) return null;
  // The issue of the bug was transferred from here: its file has a copy there, and the one here may have to go.
  if (link !== null && link.route !== route.name) return { path, attachment, link, isKnown: false };
  // A file that is there all the same was put there by another state, or by a request without an answer.
  if (row === null || row.state === 'pending') return { path, attachment, link, isKnown: false };
  if (row.path !== null && (row.path === path || bug === null)) return null;
  const isKnown = row.state === 'withdrawn' || (row.state === 'linked' && row.size === null);
  return isKnown ? { path, attachment, link, isKnown } : null;
}

/** The attachments that the tracker lists as public, of those that the state does not know: one question for many. */
async function shownOf(
  { anonymousReader, files, route }: Looking,
  strays: readonly Stray[],
): Promise<ReadonlySet<number>> {
  const bugs = strays.flatMap(({ isKnown, link }) =>
    isKnown || link?.bug == null || whyHidden(route, link) !== null ? [] : [link.bug],
  );
  if (bugs.length === 0 || files === null) return new Set();
  const ids = [...new Set(bugs)];
  const listed = await (anonymousReader?.attachments(ids) ?? files.attachmentClient.list(ids));
  return new Set([...listed.values()].flatMap((list) => list.flatMap(({ id, isPrivate }) => (isPrivate ? [] : [id]))));
}

/**
 * Whether the tracker has the attachment and does not show it to everyone. One that it does not have is a file of
 * somebody else.
 */
async function isWithheld({ anonymousReader, files, route }: Looking, { attachment, link }: Stray): Promise<boolean> {
  if (files === null) return false;
  const { kind, ...rest } = await (anonymousReader ?? files.attachmentClient).content(attachment);
  if (kind === 'refused') return true;
  if (kind === 'gone') return 'gone' in rest && rest.gone.kind === 'hidden';
  return kind === 'applied' && link !== null && whyHidden(route, link) !== null;
}

function handle(context: Context, outcome: NotApplied): void {
  if (outcome.kind === 'unauthorized') throw new SideError('unauthorized', outcome.why, { side: 'github' });
  backOffIfAsked({ ...context, name: context.route.name }, 'github', outcome);
}

function report(context: Context, link: Link | null, files: readonly Stray[], left: string | null): void {
  const { store, route } = context;
  const about =
    link === null ? files.map(({ attachment }) => `attachment ${attachment}`).join(', ') : aboutOf(link, 'github');
  const why = (link && whyHidden(route, link)) ?? 'the tracker does not show the file to everyone';
  const withdrawn: Withdrawn = { about, why, comments: 0, files: files.length, isIssue: false, left, trouble: null };
  if (link !== null)
    store.ledger.add({ ...lineOf(context, link, 'withdraw', { ...withdrawn }), on: 'github', outcome: 'applied' });
  context.tell({ kind: 'withdrawn', route: route.name, withdrawn });
}

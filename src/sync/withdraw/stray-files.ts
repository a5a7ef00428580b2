/**
 * Copies in the attachment store that the state does not know: those that an older one wrote, or that a newer one took
 * back.
 */

import { backOffIfAsked, isAskedToWait } from '../../kernel/backoff.ts';
import type { Context } from '../../kernel/context.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { spare, spareAsync, workOn } from '../../kernel/set-aside.ts';
import { accessTo, type StoredAt, storedAt } from '../../kernel/stored-at.ts';
import type { AttachmentStore } from '../../model/attachment.ts';
import { bugId } from '../../model/ids.ts';
import { aboutOf, type Link } from '../../model/link.ts';
import { type NotApplied, type Outcome, SideError } from '../../model/outcome.ts';
import type { Withdrawn } from '../../model/plan/withdrawal.ts';
import { type Place, placesIn } from '../../rules/attachments/path.ts';
import { whyHidden } from '../../rules/privacy/gate.ts';

/** A file in the store that may have to go. */
export interface Stray extends Omit<StoredAt, 'row'> {
  /** Whether the state itself says that the file is not public; otherwise the tracker is asked. */
  readonly isKnown: boolean;
  /** Why its bug is not public; null if it is, as far as is known. */
  readonly hidden: string | null;
}

/**
 * Lists the attachment store and takes away what is not public. Only paths that the bridge itself gives count, and only
 * attachments that the tracker knows: several routes and bridges may share a store. The bug of a file may be unknown:
 * files are stored before the issue is made, and a hidden bug is not read again into a lost state.
 * Throws `SideError` if GitHub refuses our credentials.
 */
export async function takeStrayFiles(context: Context): Promise<void> {
  const { store } = context;
  const attachmentStore = context.files?.attachmentStore ?? null;
  if (attachmentStore === null || context.route.direction === 'to-tracker' || isAskedToWait(context, 'github')) return;
  const judging: Judging = {
    judge: (place, run) => {
      const row = store.attachmentLinks.byAttachment(place.attachment);
      const link = row !== null ? store.links.byId(row.link) : place.bug && store.links.byBug(bugId(place.bug));
      return link ? spare(context, workOn(context, link, 'withdraw'), run) : run();
    },
    ask: ({ link }, run) => (link === null ? run() : spareAsync(context, workOn(context, link, 'withdraw'), run)),
  };
  const found = await strayFiles(context, attachmentStore, judging);
  if (found.kind !== 'applied') return obeyFailure(context, found);
  const strays = found.item;
  if (strays.length === 0) return;
  const removed = await attachmentStore.remove(strays.map(({ path }) => path));
  if (removed.kind !== 'applied') return obeyFailure(context, removed);
  for (const [link, files] of Map.groupBy(strays, (each) => each.link)) {
    const report = (): void => reportWithdrawn(context, link, files, removed.item.left);
    if (link === null) report();
    else spare(context, workOn(context, link, 'withdraw'), report);
  }
}

export type Looking = Pick<Context, 'store' | 'route' | 'files' | 'anonymousReader' | 'tracker'>;

/** How the work on one file is done: null if nobody can say whether the file may stay. */
interface Judging {
  readonly judge: (place: Place, run: () => Stray | null) => Stray | null;
  readonly ask: (stray: Stray, run: () => Promise<boolean>) => Promise<boolean | null>;
}

/** What the attachment store holds and must not. */
export async function strayFiles(
  looking: Looking,
  attachmentStore: AttachmentStore,
  { judge, ask }: Judging,
): Promise<Outcome<readonly Stray[]>> {
  const listed = await attachmentStore.list();
  if (listed.kind !== 'applied') return listed;
  const suspects = placesIn(looking.route.attachments?.store, listed.item).flatMap(
    (place) => judge(place, () => strayAt(looking, place)) ?? [],
  );
  const shown = await shownOf(looking, suspects);
  const strays: Stray[] = [];
  for (const stray of suspects)
    if (stray.isKnown || (!shown.has(stray.attachment) && (await ask(stray, () => isWithheld(looking, stray)))))
      strays.push(stray);
  return { kind: 'applied', item: strays };
}

function strayAt(looking: Looking, place: Place): Stray | null {
  const found = storedAt(looking, place);
  if (found === null) return null;
  const { row, ...at } = found;
  const isKnown = row?.state === 'withdrawn' || (row?.state === 'linked' && row.size === null);
  if (row !== null && !isKnown) return null;
  return { ...at, isKnown, hidden: at.link && whyHidden(looking.route, at.link) };
}

/** The attachments that the tracker lists as public, of those that the state does not know: one question for many. */
async function shownOf({ anonymousReader, files }: Looking, strays: readonly Stray[]): Promise<ReadonlySet<number>> {
  const bugs = strays.flatMap(({ isKnown, bug, hidden }) => (isKnown || bug === null || hidden !== null ? [] : [bug]));
  if (bugs.length === 0 || files === null) return new Set();
  const ids = [...new Set(bugs)];
  const listed = await (anonymousReader?.attachments(ids) ?? files.attachmentClient.list(ids));
  return new Set([...listed.values()].flatMap((list) => list.flatMap(({ id, isPrivate }) => (isPrivate ? [] : [id]))));
}

/**
 * Whether the tracker has the attachment and does not show it to everyone. One that it does not have is a file of
 * somebody else.
 */
async function isWithheld(looking: Looking, { attachment, bug, link, hidden }: Stray): Promise<boolean> {
  const { anonymousReader, files } = looking;
  if (files === null) return false;
  const access = link === null && bug !== null ? await accessTo(looking, bug) : null;
  if (access === 'missing') return false;
  const { kind, ...rest } = await (anonymousReader ?? files.attachmentClient).content(attachment);
  if (kind === 'refused') return true;
  if (kind === 'gone') return 'gone' in rest && rest.gone.kind === 'hidden';
  return kind === 'applied' && (hidden !== null || access === 'hidden');
}

function obeyFailure(context: Context, outcome: NotApplied): void {
  if (outcome.kind === 'unauthorized') throw new SideError('unauthorized', outcome.why, { side: 'github' });
  backOffIfAsked({ ...context, name: context.route.name }, 'github', outcome);
}

function reportWithdrawn(context: Context, link: Link | null, files: readonly Stray[], left: string | null): void {
  const { store } = context;
  const about =
    link === null ? files.map(({ attachment }) => `attachment ${attachment}`).join(', ') : aboutOf(link, 'github');
  const why = files[0]?.hidden ?? 'the tracker does not show the file to everyone';
  const withdrawn: Withdrawn = {
    about,
    why,
    comments: 0,
    files: files.length,
    isIssue: false,
    isText: false,
    isBack: false,
    left,
    trouble: null,
  };
  if (link !== null)
    store.ledger.add({ ...lineOf(context, link, 'withdraw', { ...withdrawn }), on: 'github', outcome: 'applied' });
  context.tell({ kind: 'withdrawn', route: context.route.name, withdrawn });
}

import { bodyDigest } from '../comments/thread.ts';
import { fieldsOn } from '../fields/fields-on.ts';
import type { Context } from '../kernel/context.ts';
import type { Issue } from '../model/item.ts';
import { bodyId, type Entry, type Link } from '../model/link.ts';
import type { Withdrawal } from '../model/withdrawal.ts';
import { noCopy } from './hide.ts';

/** One thing is gone from GitHub, or back. `shown` is the issue as it is now, where the answer told. */
export function recordWithdrawal(context: Context, withdrawal: Withdrawal, shown: Issue | null): void {
  const { store } = context;
  store.transaction(() => {
    const link = store.links.byId(withdrawal.link);
    if (link === null) return;
    const seen: Link = shown === null ? link : { ...link, github: shown };
    if (shown !== null) store.links.save(seen);
    if (withdrawal.what === 'comment') withEntry(context, withdrawal.entry, erased);
    if (withdrawal.what === 'text') withEntry(context, withdrawal.entry, (entry) => redacted(entry, shown));
    if (withdrawal.what === 'issue') for (const entry of bodies(context, seen)) store.entries.save(redacted(entry, shown));
    if (withdrawal.what === 'file') takeOff(context, withdrawal.enclosure);
    if (withdrawal.what === 'open') store.links.save(reopened(context, seen));
  });
}

function withEntry({ store }: Context, id: Entry['id'], change: (entry: Entry) => Entry): void {
  const entry = store.entries.byId(id);
  if (entry !== null) store.entries.save(change(entry));
}

const bodies = ({ store }: Context, { id }: Link): readonly Entry[] =>
  store.entries.ofLink(id).filter(({ origin, copy }) => origin === 'tracker' && copy === bodyId);

const nothing = { text: null, before: null, mirrored: null, proven: null, isEdited: false, isStale: false } as const;
const reason = 'its original is not public';

/** A further part of a text is made again with the first; it waits for nothing by itself. */
const erased = (entry: Entry): Entry =>
  entry.remark !== undefined
    ? { ...entry, state: 'gone', reason }
    : {
        ...entry,
        ...nothing,
        state: entry.part > 1 ? 'skipped' : 'withdrawn',
        reason,
        ...noCopy,
      };

/** The body stays the copy of the description, and says something neutral, which is our own: it is put right when the text may be shown. */
function redacted(entry: Entry, shown: Issue | null): Entry {
  const digest = shown === null ? null : bodyDigest(shown.body);
  return { ...entry, ...nothing, state: 'withdrawn', reason, copyDigest: digest, wrote: digest };
}

function takeOff({ store }: Context, id: Parameters<typeof store.enclosures.byId>[0]): void {
  const file = store.enclosures.byId(id);
  if (file !== null)
    store.enclosures.save({ ...file, state: 'withdrawn', reason: null, path: null, copyUrl: null, excerpt: null, proven: null });
}

/** What the issue shows now counts as agreed by both, so that everything the bug says travels to it, and nothing comes back. */
function reopened(context: Context, link: Link): Link {
  const shown = fieldsOn(context, link, 'github');
  return { ...link, isWithdrawn: false, base: { tracker: shown, github: shown }, urgency: 'live' };
}

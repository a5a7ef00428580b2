import type { Context, RouteState } from '../../kernel/context.ts';
import { linkOf } from '../../kernel/linked.ts';
import { inVain, isSettled, lineOf, saveReceipt, withoutVain } from '../../kernel/outbox.ts';
import { spareAsync, spareOf, workOn } from '../../kernel/set-aside.ts';
import { probeItem } from '../../kernel/unread.ts';
import type { Bug, FieldName } from '../../model/item.ts';
import type { Base, Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import type { PastChange, Receipt, Reported, ReportedField } from '../../model/receipt.ts';
import type { History } from '../../model/replica.ts';
import { patienceMs } from '../../rules/limits/backoff.ts';
import { baseWithout, verdictOn } from '../../rules/limits/receipt-verdict.ts';
import { namesIssue } from '../../rules/links/match.ts';
import { fieldsOn, isConfirmed } from '../observe/fields-on.ts';
import { observeItem } from '../observe/observe-items.ts';
import { retire } from '../perform/record-failure.ts';

/**
 * Compares the values that the tracker reported as stored with those that its bugs show. The poll brings our own writes
 * back, so this normally costs no request; a bug that the poll did not bring, or that shows other values, is read by
 * its id. Missing values are planned again. Throws `SideError`; then nothing is planned in this cycle.
 */
export async function confirmBugs(context: Context): Promise<void> {
  const { store, route, tracker } = context;
  const all = store.receipts.ofRoute(route.name);
  // A write that was lost repeatedly leaves nothing to do: people have changed their minds, or it is parked.
  for (const { link } of all.filter(isSettled))
    if (store.links.byId(link)?.urgency === 'none') store.receipts.remove(link);
  const open = all.filter((each) => spareOf(context, each.link, 'read', (link) => isWaiting(context, link, each)));
  const [shown, doubted] = [
    open.filter((receipt) => isShown(context, receipt)),
    open.filter((receipt) => !isShown(context, receipt)),
  ];
  const refs = doubted.flatMap(({ link }) => store.links.byId(link)?.bug ?? []);
  const bugs = refs.length === 0 ? [] : await tracker.bugs(refs);
  store.transaction(() => {
    for (const bug of bugs) observeItem(context, bug, 'live');
  });
  await retireUnreached(context, refs, bugs);
  const reached = doubted.filter(({ link }) => bugs.some(({ id }) => id === store.links.byId(link)?.bug));
  const read = [...shown, ...reached].flatMap(({ link }) => store.receipts.get(link) ?? []);
  const history = await historyOf(context, read);
  store.transaction(() => {
    for (const receipt of read) spareOf(context, receipt.link, 'read', () => judgeReceipt(context, receipt, history));
  });
}

/** Nobody knows it of a bug that fails us, which its link says by then. */
const isShown = (context: Context, receipt: Receipt): boolean =>
  spareOf(context, receipt.link, 'read', () => isConfirmed(context, receipt)) ?? false;

/** The bug was read since, or its waiting time has passed. A frozen link waits until it thaws. */
function isWaiting({ clock, limits }: RouteState, { state }: Link, receipt: Receipt): boolean {
  const { answeredAt, isRead, fields, pointer } = receipt;
  if (fields.length === 0 && pointer === null) return false;
  return state === 'live' && (isRead || answeredAt + limits.settleMs <= clock.now());
}

/** The bug may have been hidden or deleted. A bug that the tracker itself fails on waits, and blocks no other. */
async function retireUnreached(context: Context, refs: readonly number[], bugs: readonly Bug[]): Promise<void> {
  for (const ref of refs.filter((each) => !bugs.some(({ id }) => id === each))) {
    const link = linkOf(context, 'tracker', ref);
    if (link === null) continue;
    await spareAsync(context, workOn(context, link, 'read'), async () => {
      const probe = await probeItem(context, 'tracker', ref);
      if (!(probe instanceof SideError) && probe.kind === 'gone') retire(context, link, 'tracker', probe.gone);
    });
  }
}

/** The bug whose history has to be read, and since when. */
function unclearIn(
  context: Context,
  link: Link,
  receipt: Receipt,
): readonly { readonly id: Bug['id']; readonly since: number }[] {
  if (link.tracker === null) return [];
  const { id, changedAt } = link.tracker;
  const fields = fieldsOn(context, link, 'tracker');
  const unsure = [
    ...receipt.fields.filter((each) => verdictOn(each, fields[each.field], changedAt) === 'unclear'),
    ...pointerOf(receipt).filter(({ at }) => changedAt > at),
  ];
  return unsure.length === 0 ? [] : [{ id, since: Math.min(...unsure.map(({ at }) => at)) }];
}

/**
 * Only read if a bug changed after our write and does not show it: either the write was lost, or people changed the
 * value since.
 */
async function historyOf(context: Context, receipts: readonly Receipt[]): Promise<History> {
  const unclear = receipts.flatMap((receipt) => {
    if (isShown(context, receipt)) return [];
    return spareOf(context, receipt.link, 'read', (link) => unclearIn(context, link, receipt)) ?? [];
  });
  if (unclear.length === 0) return { changes: [], unread: [] };
  const since = Math.min(...unclear.map((each) => each.since));
  return context.tracker.history(
    unclear.map(({ id }) => id),
    since,
  );
}

function judgeReceipt(context: RouteState, receipt: Receipt, { changes, unread }: History): void {
  const { store, clock } = context;
  const link = store.links.byId(receipt.link);
  if (link === null || link.tracker === null) return;
  const { id, changedAt } = link.tracker;
  // A history that cannot be read says nothing: it is asked for again, and after hours the tracker's answer is
  // believed.
  const isUnread = unread.includes(id);
  const mayWait = isUnread && clock.now() < receipt.answeredAt + patienceMs;
  const isInHistory = (reported: Reported, what: FieldName | 'seeAlso'): boolean =>
    isUnread ||
    changes.some(
      (change) =>
        change.ref === id && change.at === reported.at && change.what[what] !== undefined && isOwn(context, change),
    );
  const shown = fieldsOn(context, link, 'tracker');
  const verdictFor = (reported: ReportedField) => verdictOn(reported, shown[reported.field], changedAt);
  const lost = receipt.fields.filter((reported) => {
    const verdict = verdictFor(reported);
    return verdict === 'lost' || (verdict === 'unclear' && !isInHistory(reported, reported.field));
  });
  const missing = namesIssue(context.route, link) ? [] : pointerOf(receipt);
  const lostPointer = missing.filter((reported) => changedAt <= reported.at || !isInHistory(reported, 'seeAlso'));
  const lostKeys = new Set([...lost, ...lostPointer].map(({ key }) => key));
  const open = {
    fields: mayWait ? receipt.fields.filter((reported) => verdictFor(reported) === 'unclear') : [],
    pointer: mayWait && lostPointer.length === 0 ? (missing[0] ?? null) : null,
  };
  const openKeys = [...open.fields, ...pointerOf(open)].map(({ key }) => key);
  const isRead = receipt.isRead && openKeys.length > 0;
  const all = [...receipt.fields, ...pointerOf(receipt)].map(({ key }) => key);
  const keptKeys = all.filter((key) => !lostKeys.has(key) && !openKeys.includes(key));
  const judged: Receipt = { ...withoutVain(receipt, keptKeys), isRead, ...open };
  saveReceipt(store, [...lostKeys].reduce(inVain, judged));
  if (lostKeys.size === 0) return;
  const restored = (base: Base, each: ReportedField): Base => baseWithout(base, each, shown[each.field]);
  const base = link.base === null ? null : lost.reduce(restored, link.base);
  const pointed = lostPointer.length > 0 ? { ...link.pointed, tracker: false } : link.pointed;
  store.links.save({ ...link, base, pointed, urgency: 'live' });
  if (lost.length > 0) recordLost(context, link, { operation: 'update', fields: lost.map(({ field }) => field) });
  if (lostPointer.length > 0) recordLost(context, link, { operation: 'point' });
}

const pointerOf = ({ pointer }: Pick<Receipt, 'pointer'>): readonly Reported[] => (pointer === null ? [] : [pointer]);

const isOwn = ({ session }: RouteState, change: PastChange): boolean =>
  session.own.tracker === null || isBy(change, session.own.tracker);

/** Without values: the bug may turn out to be private, which is only checked later. */
export function recordLost(context: RouteState, link: Link, detail: Readonly<Record<string, unknown>>): void {
  const why = 'the tracker reported this as stored, but does not show it';
  context.store.ledger.add({
    ...lineOf(context, link, 'settle', { ...detail, why }),
    on: 'tracker',
    outcome: 'had not arrived',
  });
}

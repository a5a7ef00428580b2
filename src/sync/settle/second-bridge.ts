/**
 * A second bridge under the name of this one: what our own account wrote, and this bridge did not. Items of other
 * accounts are no sign of it, as anybody can write our marker.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { comesFrom, linkOf, repoOf } from '../../kernel/linked.ts';
import { receiptOf } from '../../kernel/outbox.ts';
import { strictMs, type UnknownWrite } from '../../model/control.ts';
import { type Side, sides } from '../../model/ids.ts';
import type { Comment, Item } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { issueNumberIn, trackerIn } from '../../model/named.ts';
import { SecondBridge } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { claimOf, isMadeByUs } from '../../rules/links/match.ts';
import { operations } from '../../rules/operations/operations.ts';
import { bugOver, bugUnder, otherInstanceIn } from '../../text/marker.ts';

/**
 * Stops the route at an issue that our own account opened, with our marker, for a bug of another tracker: its number
 * would pair it with a bug that it has nothing to do with. A bug here that names the issue in turn belongs to it, also
 * where the tracker has got another address. Throws `SecondBridge`.
 */
export function refuseOtherTracker(context: Context, item: Item): void {
  const { route, store, session, tracker } = context;
  const over = item.kind === 'issue' ? bugOver(item.body) : null;
  if (item.kind !== 'issue' || over === null || claimOf(route, item, session.own) === null) return;
  if (trackerIn(over.url) === trackerIn(tracker.url)) return;
  const named = linkOf(context, 'tracker', over.bug)?.tracker?.seeAlso ?? [];
  if (named.some((url) => issueNumberIn(route, url) === item.number)) return;
  const rename =
    store.links.count(route.name).whole > 0
      ? 'This one has pairs, and keeps its name: stop the other one, and give it another instance and another repository.'
      : 'This one has no pairs yet: give it another instance in its configuration, and another repository.';
  throw new SecondBridge(
    `${repoOf(context)}#${item.number} mirrors a bug of ${trackerIn(over.url)}, and carries the instance ${route.instance} of this bridge: ` +
      `a bridge of another tracker uses the same name. Nothing was written. ${rename}`,
    'github',
  );
}

/**
 * Stops the route at an issue that a bridge of another name, with one of our accounts, pairs with a bug of this route:
 * each of the two would mirror what the other one made. Throws `SecondBridge`.
 */
export function refuseOtherName(context: Context, item: Item): void {
  const { route, session, tracker } = context;
  const other = item.kind === 'issue' ? otherInstanceIn(route.instance, item.body) : null;
  if (item.kind !== 'issue' || other === null) return;
  const said = bugOver(item.body) ?? bugUnder(item.body);
  if (said === null || trackerIn(said.url) !== trackerIn(tracker.url)) return;
  const link = linkOf(context, 'tracker', said.bug);
  if (link === null || link.tracker === null || link.route !== route.name) return;
  if (![item, link.tracker].some((end) => isMadeByUs(end, session.own))) return;
  throw new SecondBridge(
    `${repoOf(context)}#${item.number} mirrors bug ${said.bug} for the bridge ${other}, and this one, ${route.instance}, takes that bug, too. Nothing was written. ` +
      'Two bridges must not share a product: stop one of them, or give them other products. If this bridge had that name before, give it back as instance.',
    'github',
  );
}

/** Notes what our own account wrote, and the state does not know. */
export function noteUnknown({ store, route }: RouteState, side: Side, { url, createdAt }: Written): void {
  store.unknownWrites.note(route.name, side, { at: createdAt, about: url });
}

type Written = Pick<Item | Comment, 'url' | 'createdAt'>;

/**
 * Whether a request for the link is under way, or got no answer: then the bridge itself may have written what the state
 * does not know. On GitHub, only requests that write a comment explain one, and imports, which bring theirs along.
 * @param thread the side whose comments are meant; null for bugs and issues
 */
export function isInDoubt({ store }: RouteState, { id }: Link, thread: Side | null = null): boolean {
  const isSent = store.outbox.ofLink(id).some((row) => {
    const { kind } = row.operation;
    const mayExplain = thread !== 'github' || kind === 'create' || operations[kind].doubt.thread === 'since';
    return mayExplain && isTried(row);
  });
  const wasLost = store.ledger.ofLink(id).some(({ kind }) => kind === 'settle');
  return isSent || wasLost || receiptOf(store, id).comments.length > 0;
}

/** Likewise for the values of a bug or an issue, which no request for a comment explains. */
export function areValuesInDoubt({ store }: RouteState, { id }: Link): boolean {
  const isOfValues = (kind: unknown): boolean => kind === 'create' || kind === 'update';
  return (
    store.outbox.ofLink(id).some((row) => isOfValues(row.operation.kind) && isTried(row)) ||
    store.ledger.ofLink(id).some(({ kind, detail }) => kind === 'settle' && isOfValues(detail['operation']))
  );
}

/** Whether the request may have taken effect, as it was sent at least once. */
export const isTried = ({ state, attempts }: OutboxRow): boolean => state === 'sent' || attempts > 0;

/** Notes the copies in a thread that our account wrote, and whose originals the state knows as not copied. */
export function noteCopies(context: RouteState, link: Link, side: Side, copies: readonly Comment[]): void {
  const own = context.session.own[side];
  if (own === null || copies.length === 0 || isInDoubt(context, link, side)) return;
  if (link.bug === null && link.github !== null && comesFrom(context, link.github).length > 0) return;
  for (const copy of copies) if (isBy(copy.author, own)) noteUnknown(context, side, copy);
}

const isUnexplained = ({ at, explainedUntil }: UnknownWrite): boolean => at !== null && at > (explainedUntil ?? 0);

/**
 * Judges what was met of our own account's writes that the state does not know. The first ones mean that the state was
 * put back; those that were made after that was noticed are of another bridge, which stops the route until a person
 * says that there is none. Throws `SecondBridge`.
 * @param isFirst whether a side was not read completely before: then the state knows nothing
 * @returns whether the state was put back
 */
export function judgeUnknown(context: RouteState, isFirst: boolean): boolean {
  const { store, route, clock } = context;
  const met = store.unknownWrites.ofRoute(route.name);
  const news = met.filter(isUnexplained);
  const isStrict = ({ strictUntil }: UnknownWrite): boolean => (strictUntil ?? 0) > clock.now();
  const other = met.find(({ isHalted }) => isHalted) ?? (isFirst ? undefined : news.find(isStrict));
  if (other !== undefined) {
    store.unknownWrites.halt(route.name);
    throw new SecondBridge(whyHalted(context, other), other.side);
  }
  if (news.length > 0) explainUnknown(context, isFirst ? null : clock.now() + strictMs);
  return news.length > 0 && !isFirst;
}

/** Takes all that was met so far for explained. */
export function explainUnknown({ store, route, clock }: RouteState, strictUntil: number | null): void {
  for (const side of sides) {
    const at = store.cursors.get(route.name, side)?.readAt ?? clock.now();
    store.unknownWrites.explain(route.name, side, { at, strictUntil });
  }
}

const whyHalted = ({ route }: RouteState, { at, about }: UnknownWrite): string =>
  `our account wrote ${about} at ${new Date(at ?? 0).toISOString().slice(0, 19).replace('T', ' ')} UTC, and this state does not know of it, although it was in use: ` +
  `a second bridge with the instance ${route.instance} is running, on another copy of the state. Nothing was written. ` +
  'Stop one of the two: if this one, that is all. If the other one, or if there is none and you put this state back on purpose, run bugferry adopt here, and start again.';

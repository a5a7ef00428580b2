/**
 * A side that went back: a tracker whose backup was restored, or a repository that was made anew under its name. It
 * gives numbers a second time that belong to pairs, and what has such a number now is not what the pair mirrors.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { repoOf } from '../../kernel/linked.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { forgetEnds, spare, spareAsync, workOn } from '../../kernel/set-aside.ts';
import { probeItem } from '../../kernel/unread.ts';
import { otherSide, type Side } from '../../model/ids.ts';
import { type Bug, type Issue, type Item, sideOf, stampMs } from '../../model/item.ts';
import { aboutOf, type Link } from '../../model/link.ts';
import { type Probe, type SideError, WentBack } from '../../model/outcome.ts';
import type { MirroredBug } from '../../model/survey.ts';
import { linkAfter } from '../../rules/links/life.ts';
import { isMadeByUs } from '../../rules/links/match.ts';

/**
 * A bug that could not be read right after it was filed has no status, and is known by the time of the answer. If it
 * did not exist later, what has its number is another one, however soon it was made.
 */
const answerMs = 300_000;

/** How far another clock than ours may be ahead. */
const aheadMs = 24 * 3_600_000;

/**
 * Whether the number of what the link knows was given to another item. Nothing that people or administrators do to an
 * item changes what is compared. A time that cannot be true says nothing, as a tracker may show a wrong one of one bug:
 * what got the number later was made after the last change of the known item, before its own last change, and not in
 * future.
 */
export function isAnother({ state, tracker: known, github }: Link, item: Item, now: number): boolean {
  if (item.kind === 'issue') return github !== null && github.id !== item.id;
  const { createdAt } = item;
  if (known === null) return false;
  if (createdAt > now + aheadMs || createdAt > item.changedAt + stampMs || createdAt < known.changedAt) return false;
  const laterMs = createdAt - known.createdAt;
  const isSure = known.status !== '' || state === 'tombstone';
  return laterMs > (isSure ? stampMs : answerMs) || (laterMs > stampMs && item.creator.login !== known.creator.login);
}

/**
 * The link of the item; null if it has another item, of which the bridge lets go if a person wants that. Throws
 * `WentBack` otherwise.
 */
export function unlessAnother(context: Context, link: Link | null, item: Item): Link | null {
  if (link === null || link.route !== context.route.name || !isAnother(link, item, context.clock.now())) return link;
  const side = sideOf(item);
  if (context.letsGo !== true) throw new WentBack(whyStopped(link, side), side);
  letGo(context, link, side);
  return null;
}

/** How far the clocks of both sides may be apart. */
const apartMs = 3_600_000;
const minuteMs = 60_000;

const isSane = ({ createdAt, changedAt }: Item, now: number): boolean =>
  createdAt <= changedAt + stampMs && createdAt <= now + aheadMs;

/** When the bug of an issue that we opened was filed, as its body says to the minute; null if that is gone. */
function filedAtIn({ body }: Issue, bug: number): number | null {
  const [, named, day, time] =
    /^\*\*.+\*\* opened \[bug (\d+)\]\(\S*\) on (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/u.exec(body) ?? [];
  return Number(named) === bug ? Date.parse(`${day}T${time}:00Z`) : null;
}

/**
 * The side that was made anew, where two ends that name each other cannot be a pair: a bug was filed from an issue, and
 * last changed before that issue was opened; or our issue is of a bug that was filed before this one, or was opened
 * before it. Null if they can. A time that cannot be true says nothing.
 */
export function sideAnew(bug: Bug, issue: Issue, isOurs: boolean, now: number): Side | null {
  if (!isSane(bug, now) || !isSane(issue, now)) return null;
  if (!isOurs && bug.changedAt + apartMs < issue.createdAt) return 'github';
  if (!isOurs) return null;
  const filedAt = filedAtIn(issue, bug.id);
  return bug.createdAt > (filedAt === null ? issue.createdAt + apartMs : filedAt + minuteMs) ? 'tracker' : null;
}

/**
 * Whether the known end of the link and the item, which name each other, can be a pair. Throws `WentBack` otherwise,
 * unless a person lets go: then the older of them is buried.
 * @param own the link of the item, made if it has none
 */
export function unlessAnew(context: Context, link: Link, item: Item, own: () => Link): boolean {
  const bug = item.kind === 'bug' ? item : link.tracker;
  const issue = item.kind === 'issue' ? item : link.github;
  if (bug === null || issue === null) return true;
  const anew = sideAnew(bug, issue, isMadeByUs(issue, context.session.own), context.clock.now());
  if (anew === null) return true;
  if (context.letsGo !== true) throw new WentBack(whyAnew(context, bug, issue, anew), anew);
  letGo(context, anew === sideOf(item) ? link : own(), anew);
  return false;
}

function whyAnew(context: RouteState, bug: Bug, issue: Issue, anew: Side): string {
  const [pair, cause] =
    anew === 'github'
      ? [
          `bug ${bug.id} names ${repoOf(context)}#${issue.number}, which was opened after that`,
          'the repository was made anew under its name',
        ]
      : [
          `${repoOf(context)}#${issue.number} names bug ${bug.id}, which was filed after that`,
          'the tracker has gone back, as after a restored backup',
        ];
  return (
    `${pair}: ${cause}. Nothing was written. ` +
    'To let go of what names a number that was given again, run bugferry once --force: it stays as it is, and is not mirrored any more.'
  );
}

/** So many of the newest bugs are not deleted at once, while nothing newer is mirrored. */
export const newestMin = 2;

/** So many of the newest bugs with an issue are not deleted at once, whatever was filed since. */
export const newestPairs = 10;

/**
 * Marks all pairs if the tracker shows a bug as it was before what we know of it: a backup of it was restored, and what
 * it shows again is no edit. It may instead have lost a write that it reported, as long as no read has shown that one.
 * A change is stamped before it is committed, and may follow one with a somewhat later stamp.
 */
export function noteOlder({ store, clock, limits }: RouteState, link: Link, bug: Bug): void {
  const [known, now] = [link.tracker, clock.now()];
  const isRead = known !== null && known.status !== '' && store.receipts.get(link.id) === null;
  if (!isRead || bug.changedAt + limits.settleMs + stampMs >= known.changedAt) return;
  if (known.changedAt > now + aheadMs) return;
  if (isSane(known, now) && isSane(bug, now)) markOlder({ store, clock }, link.route);
}

function markOlder({ store, clock }: Pick<RouteState, 'store' | 'clock'>, route: string): void {
  store.olderPairs.markTrackerOlder(route, clock.now());
  for (const { link } of store.receipts.ofRoute(route)) store.receipts.remove(link);
}

/** What is missing so much later was deleted or hidden by people. */
const lostForMs = 24 * 3_600_000;

/** Whether the tracker has lost comments of the bug. */
export function hasGoneBack({ store, clock }: RouteState, { id }: Link): boolean {
  const older = store.olderPairs.get(id);
  return older?.isTrackerOlder === true && clock.now() < older.at + lostForMs;
}

/**
 * Stops the route if the newest bugs that it mirrors do not exist any more: the tracker is as it was before them, and
 * gives their numbers again, or their product was made anew. Throws `WentBack`.
 * @param isLost whether the bug does not exist
 */
export async function unlessLost(
  { store, route }: Context,
  isLost: (bug: MirroredBug) => boolean | Promise<boolean>,
): Promise<void> {
  const areLost = async (bugs: readonly MirroredBug[]): Promise<boolean> => {
    for (const each of bugs) if (!(await isLost(each))) return false;
    return bugs.length > 0;
  };
  const newest = store.looks.newest([route.name], 3 * newestPairs);
  const paired = newest.filter(({ id }) => (store.links.byId(id)?.issue ?? null) !== null).slice(0, newestPairs);
  let lost = newest.slice(0, newestMin);
  if (!(await areLost(lost))) {
    lost = paired;
    if (paired.length < newestMin || !(await areLost(lost))) return;
  }
  const links = lost.slice(0, newestMin).flatMap(({ id }) => store.links.byId(id) ?? []);
  throw new WentBack(whyLost(links), 'tracker');
}

/**
 * Runs a piece of work that stops where a side went back. If a person lets go, all pairs whose bugs the tracker does
 * not have any more are let go, and it runs again: their numbers would stop the route later, each when it is given
 * again. Throws `WentBack`.
 */
export async function lettingGo<T>(context: Context, run: (context: Context) => Promise<T>): Promise<T> {
  if (context.letsGo !== true) return run(context);
  try {
    return await run({ ...context, letsGo: false });
  } catch (failure) {
    if (!(failure instanceof WentBack)) throw failure;
    if (failure.side === 'tracker') await letGoOfLost(context);
    return run(context);
  }
}

/**
 * Of all routes, which run in turn: what the tracker lacks says the same to each. A pair that was given up has its
 * number still; what the tracker hides from us stays. Throws `SideError`.
 */
async function letGoOfLost(given: Context): Promise<void> {
  const { store, route } = given;
  const lost: (readonly [Context, Link])[] = [];
  for (const name of store.links.routes()) {
    const context = { ...given, route: { ...route, name } };
    for (const links of store.links.batches(name)) {
      const shown = await shownOf(context, links);
      for (const link of links)
        await spareAsync(context, workOn(context, link, 'read'), async () => {
          if (await isLost(context, link, shown)) lost.push([context, link]);
        });
    }
  }
  // All at once: a read that fails leaves what shows that the tracker went back.
  store.transaction(() => {
    for (const [context, link] of lost)
      spare(context, workOn(context, link, 'read'), () => letGo(context, link, 'tracker'));
  });
}

/** The bugs that the tracker shows, in few requests; each of the others is asked for by itself. */
async function shownOf({ tracker }: Context, links: readonly Link[]): Promise<readonly Bug[]> {
  const inTurn = links.flatMap(({ bug }) => bug ?? []);
  return inTurn.length === 0 ? [] : tracker.bugs([...(await tracker.lookAt({ inTurn, fresh: [] })).shown.keys()]);
}

/** Whether the tracker does not have its bug any more, or another one under its number. */
async function isLost(context: Context, link: Link, shown: readonly Bug[]): Promise<boolean> {
  const { bug } = link;
  if (bug === null) return false;
  const item = shown.find(({ id }) => id === bug);
  const probe = item === undefined ? await probeItem(context, 'tracker', bug) : ({ kind: 'there', item } as const);
  return 'item' in probe ? isAnother(link, probe.item, context.clock.now()) : isNowhere(probe);
}

/** Whether the side answers that it does not have the item, rather than that it hides it. */
export const isNowhere = (probe: Probe<Item> | SideError): boolean =>
  'gone' in probe && (probe.gone.kind === 'missing' || probe.gone.kind === 'deleted');

const whyLost = (links: readonly Link[]): string =>
  `${links.map((link) => aboutOf(link, 'tracker')).join(' and ')}, the newest that the route mirrors, ` +
  `${links.length === 1 ? 'does' : 'do'} not exist any more: the tracker has gone back, as after a restored backup, their product was made anew, or somebody deleted them. Nothing was written. ` +
  toLetGo.tracker;

function whyStopped(link: Link, side: Side): string {
  const about = aboutOf(link, side);
  const cause =
    side === 'tracker'
      ? 'the tracker has gone back, as after a restored backup, or was made anew'
      : 'the repository was made anew under its name';
  return `${about} is not the one that the bridge knows by this number: ${cause}. Nothing was written. ${toLetGo[side]}`;
}

const toLetGo: Readonly<Record<Side, string>> = {
  tracker:
    'To let go of all pairs whose bugs are gone, run bugferry once --force: their issues stay as they are, and are not mirrored any more.',
  github:
    'To let go of the pairs whose numbers were given again, run bugferry once --force: their bugs stay as they are, and are not mirrored any more.',
};

/**
 * The end on that side is gone, and its number free. The other end stays as it is, and never gets another counterpart.
 */
export function letGo(context: Pick<Context, 'store' | 'route' | 'clock'>, link: Link, side: Side): void {
  const { store, route } = context;
  const reason = `${aboutOf(link, side)} is gone, as that side went back`;
  if (side === 'tracker') markOlder(context, route.name);
  store.ledger.add(lineOf(context, link, 'bury', { reason }));
  if ((side === 'tracker' ? link.issue : link.bug) === null) {
    store.links.remove(link.id);
    return;
  }
  store.outbox.replace(route.name, [link.id], []);
  forgetEnds(context, link);
  store.receipts.remove(link.id);
  const left = side === 'tracker' ? { bug: null, tracker: null } : { issue: null, github: null };
  const buried: Link = { ...linkAfter(link, { kind: 'deleted', reason }), ...left };
  store.links.save({ ...buried, claim: null, pointed: { ...link.pointed, [otherSide(side)]: false }, urgency: 'none' });
}

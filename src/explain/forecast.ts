import { allowancesNow } from '../kernel/creation-rate.ts';
import { type Pace, type Remaining, untilWritten } from '../model/duration.ts';
import { type LinkId, linkId, type Side, sides } from '../model/ids.ts';
import type { Operation } from '../model/plan/operation.ts';
import type { Route } from '../model/route.ts';
import type { RouteStatus } from '../model/route-status.ts';
import type { Spent, Store } from '../model/store.ts';
import type { Allowance } from '../rules/limits/brake-and-budget.ts';
import { creationsOf } from '../rules/operations/operations.ts';
import { toCrossIn } from './standing.ts';

/** What is left to write. */
export interface Work {
  /** On GitHub, which limits them. */
  readonly creations: number;
  readonly others: number;
  /** Of both, those that nobody has to estimate. A bug whose comments were not read yet counts as one. */
  readonly known: number;
  /** How many of the stored ones create a counterpart. */
  readonly creates: number;
  /** Whether bugs wait of which nobody knows yet how long they are: then this is the least that they need. */
  readonly isLeast: boolean;
}

interface Share {
  readonly creations: number;
  readonly others: number;
}

/**
 * Counts the stored writes, and the comments and files of bugs and issues that wait for their turn, because a cycle
 * stores no more of its plan than it may write. A further one without a counterpart is taken to need as many writes as
 * those of which that is known, the last mirrored ones among them: of those that wait, long threads wait longest.
 * @param made links whose issues were imported as a whole: nothing of them is left to write
 */
export function workOf(
  store: Store,
  { name, direction }: Pick<Route, 'name' | 'direction'>,
  { halves }: Pick<RouteStatus['links'], 'halves'>,
  all: readonly Operation[],
  made: ReadonlySet<LinkId> = new Set(),
): Work {
  const stored = all.filter(({ link }) => !made.has(link));
  const shares = new Map<LinkId, Share>();
  const add = (link: LinkId, { creations, others }: Share) => {
    const known = shares.get(link) ?? nothing;
    shares.set(link, { creations: known.creations + creations, others: known.others + others });
  };
  const copies = Map.groupBy(stored.filter(copiesText), ({ link }) => link);
  const pointed = new Set(stored.filter(({ kind }) => kind === 'point').map(({ link }) => link));
  const halfOf: Readonly<Record<Side, Set<LinkId>>> = { tracker: new Set(), github: new Set() };
  for (const operation of stored) {
    add(operation.link, shareOf(operation));
    if (operation.kind === 'create') halfOf[operation.on === 'github' ? 'tracker' : 'github'].add(operation.link);
  }
  for (const { link, hasBug, hasIssue, tracker, github } of store.commentLinks.waiting(name)) {
    if (made.has(link)) continue;
    const already = (on: Side) => (copies.get(link) ?? []).filter((each) => each.on === on).length;
    const left = (on: Side, count: number, hasItem: boolean) =>
      writesTo(direction, on) ? Math.max(0, count + (hasItem ? 0 : 1) - already(on)) : 0;
    const names = (hasIssue && hasBug) || pointed.has(link) ? 0 : namingOf(direction, hasBug ? 'tracker' : 'github');
    add(link, { creations: left('github', tracker, hasIssue), others: left('tracker', github, hasBug) + names });
    if (!hasIssue && writesTo(direction, 'github')) halfOf.tracker.add(link);
    if (!hasBug && writesTo(direction, 'tracker')) halfOf.github.add(link);
  }
  const files = Map.groupBy(
    stored.filter(({ kind }) => kind === 'file'),
    ({ link }) => link,
  );
  for (const { link, files: count } of store.attachmentLinks.waiting(name))
    add(link, { creations: 0, others: Math.max(0, count - (files.get(link)?.length ?? 0)) });
  const creates = stored.filter(({ kind }) => kind === 'create').length;
  const readBugs = [
    ...[...halfOf.tracker].map((link) => shares.get(link) ?? nothing),
    ...mirroredBefore(store, { name, direction }, halfOf.tracker),
  ];
  return { ...totalOf(shares, halfOf, readBugs, direction, halves), creates };
}

/** The same of what the state holds; the least of it while the first full read still brings bugs and issues. */
export function workIn(store: Store, route: Pick<Route, 'name' | 'direction'>): Work {
  const rows = [...store.outbox.due(route.name, Number.MAX_SAFE_INTEGER), ...store.outbox.sent(route.name)];
  const stored = rows.map(({ operation }) => operation);
  const work = workOf(store, route, store.links.count(route.name), stored);
  const isRead = sides.every((side) => store.cursors.get(route.name, side)?.isComplete === true);
  return { ...work, isLeast: work.isLeast || !isRead };
}

/** On a route in both directions, each original names its counterpart, and an issue gets the labels of its new bug. */
const namingOf = (direction: Route['direction'], original: Side): number =>
  direction === 'both' ? (original === 'tracker' ? 1 : 2) : 0;

/** So many links before the next one say how much the others will need. */
const samplesMax = 100;
const samplesMin = 20;

/** What the bugs needed whose turn came last. */
function mirroredBefore(
  { links, commentLinks }: Store,
  { name, direction }: Pick<Route, 'name' | 'direction'>,
  known: ReadonlySet<LinkId>,
): readonly Share[] {
  const next = [...known, ...links.wanting(name, 1).map(({ id }) => id)];
  if (next.length === 0) return [];
  const upTo = linkId(Math.min(...next));
  return commentLinks
    .lengths(name, upTo - samplesMax, upTo)
    .map(({ comments, files }) => ({ creations: 1 + comments, others: files + namingOf(direction, 'tracker') }));
}

function totalOf(
  shares: ReadonlyMap<LinkId, Share>,
  halfOf: Readonly<Record<Side, ReadonlySet<LinkId>>>,
  readBugs: readonly Share[],
  direction: Route['direction'],
  halves: Readonly<Record<Side, number>>,
): Omit<Work, 'creates'> {
  const known = sumOf([...shares.values()]);
  const unread = (side: Side): number =>
    writesTo(direction, side === 'tracker' ? 'github' : 'tracker') ? Math.max(0, halves[side] - halfOf[side].size) : 0;
  const sum = sumOf(readBugs);
  const isSampled = readBugs.length >= samplesMin;
  const bug = !isSampled
    ? { creations: 1, others: namingOf(direction, 'tracker') }
    : { creations: sum.creations / readBugs.length, others: sum.others / readBugs.length };
  const { creations, others } = sumOf([
    known,
    { creations: bug.creations * unread('tracker'), others: bug.others * unread('tracker') },
    // The first full read brings the comments of all issues.
    { creations: 0, others: (1 + namingOf(direction, 'github')) * unread('github') },
  ]);
  return {
    creations: Math.round(creations),
    others: Math.round(others),
    known: known.creations + known.others + unread('tracker') + unread('github'),
    isLeast: !isSampled && unread('tracker') > 0,
  };
}

const nothing: Share = { creations: 0, others: 0 };

const sumOf = (shares: readonly Share[]): Share =>
  shares.reduce(
    (sum, { creations, others }) => ({ creations: sum.creations + creations, others: sum.others + others }),
    nothing,
  );

/** What creates no content on GitHub counts as one write, whatever it is. */
function shareOf(operation: Operation): Share {
  const creations = operation.on === 'github' ? creationsOf(operation) : 0;
  return { creations, others: creations === 0 ? 1 : 0 };
}

/** What `waiting` counts, or a new counterpart. */
const copiesText = (operation: Operation): boolean =>
  operation.kind === 'create' || (operation.kind === 'comment' && operation.tells === 'copy');

const writesTo = (direction: Route['direction'], on: Side): boolean =>
  direction === 'both' || direction === (on === 'github' ? 'to-github' : 'to-tracker');

/** How fast a cycle writes; what is absent limits nothing. */
export type WritePace = Partial<Pick<Pace, 'writesPerCycle' | 'pauseBetweenWritesMs'>>;

/** What takes less is done before anybody waits for it. */
const noticedMs = 60_000;

/** About how long the limits, and the pause after each write, keep a route behind; 0 if they do not. */
export function msUntilDone(
  { creations, others }: Pick<Work, 'creations' | 'others'>,
  creationsLeft: () => readonly Remaining[],
  { writesPerCycle = Infinity, pauseBetweenWritesMs = 0 }: WritePace,
): number {
  if (creations + others === 0) return 0;
  const pausedMs = (creations + others) * pauseBetweenWritesMs;
  const limitedMs = untilWritten({ creations, others }, creationsLeft(), writesPerCycle);
  return Math.max(limitedMs, pausedMs < noticedMs ? 0 : pausedMs);
}

export function progressOf(
  { direction }: Route,
  { whole, halves }: Pick<RouteStatus['links'], 'whole' | 'halves'>,
  { known, creates }: Work,
): RouteStatus['progress'] {
  const lacking = Math.max(toCrossIn(halves, direction), creates);
  return { mirrored: whole, total: whole + lacking, writes: known };
}

/** The unused part of each allowance for creations on GitHub. */
export const creationsLeft = (store: Store, configured: readonly Allowance[], now: number): readonly Remaining[] =>
  allowancesNow(store, 'github', configured, now).map((allowance, index) => ({
    left: leftOf(store, 'github', allowance, now),
    max: allowance.pointsMax,
    windowMs: allowance.windowMs,
    learnedInMs: configured[index]?.windowMs ?? allowance.windowMs,
    ...(allowance.risesTo === undefined ? {} : { risesTo: allowance.risesTo }),
    ...(allowance.passed === undefined ? {} : { passed: allowance.passed }),
    spent: spentOf(store, 'github', allowance, now).map(({ at, points }) => ({ agoMs: now - at, count: points })),
  }));

export const spentOf = (store: Store, side: Side, { windowMs }: Allowance, now: number): readonly Spent[] =>
  store.budgets.since(side, ['create'], now - windowMs).filter(({ at }) => at > now - windowMs);

export const leftOf = (store: Store, side: Side, allowance: Allowance, now: number): number =>
  Math.max(0, allowance.pointsMax - spentOf(store, side, allowance, now).reduce((sum, { points }) => sum + points, 0));

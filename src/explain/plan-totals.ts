import { durationInWords, durationOf, type Pace } from '../model/duration.ts';
import type { Side } from '../model/ids.ts';
import type { Operation, OperationKind } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { RouteStatus } from '../model/route-status.ts';
import { costOf, creationsOf, isOperation, operations } from '../rules/operations/operations.ts';
import type { Work } from './forecast.ts';
import { clockInWords, counted, pauseInWords } from './words.ts';

interface PlannedWork {
  readonly wanted: readonly Operation[];
  /** How many of them share the request of another operation. */
  readonly joined: number;
  /** What is left to write with all that later cycles plan, as the status counts it. */
  readonly left: Pick<Work, 'creations' | 'others' | 'isLeast'>;
  /** Those of the operations that are not for the next cycle. */
  readonly waiting?: readonly Pick<OutboxRow, 'operation' | 'notBeforeAt'>[];
}

/** A plan in numbers: how many writes of each kind, how long they take, and who gets mail. */
export interface PlanTotals {
  readonly writes: Readonly<Record<Side, Partial<Record<OperationKind, number>>>>;
  /** Mails from the tracker: one for each request that writes to a bug. */
  readonly mails: number;
  /** The number of bugs that these mails are about. */
  readonly mailedBugs: number;
  readonly durationMs: number;
  /** When the last of it is written. */
  readonly doneAt: number;
  /** Whether nobody knows yet how long the threads are that later cycles plan: both times are then the least. */
  readonly isLeast: boolean;
  readonly limitedBy: string;
}

export function totalsOf({ wanted, joined, left, waiting = [] }: PlannedWork, pace: Pace, now: number): PlanTotals {
  const writes: Record<Side, Partial<Record<OperationKind, number>>> = { tracker: {}, github: {} };
  for (const { on, kind } of wanted) writes[on][kind] = (writes[on][kind] ?? 0) + 1;
  const onTracker = wanted.filter(({ on }) => on === 'tracker');
  const onGithub = wanted.filter(({ on }) => on === 'github');
  const creating = onGithub.filter((operation) => costOf(operation) === 'create').length;
  const creations = onGithub.reduce((sum, operation) => sum + creationsOf(operation), 0);
  const requests = onTracker.reduce((sum, operation) => sum + requestsOf(operation), 0) - joined;
  const work = {
    reads: 0,
    creations: Math.max(creations, left.creations),
    // What later cycles write counts as status counts it, on whichever side it is.
    writes: Math.max(onGithub.length - creating, left.others - onTracker.length),
    trackerRequests: requests,
  };
  const { ms, limitedBy } = durationOf(work, pace);
  // The forecast counts in cycles, and a list that waits longer would contradict it.
  const durationMs = Math.max(ms, lastOf(waiting) - now);
  const mailedBugs = new Set(onTracker.map(({ link }) => link)).size;
  return {
    writes,
    mails: requests,
    mailedBugs,
    durationMs,
    doneAt: now + durationMs,
    isLeast: left.isLeast,
    limitedBy,
  };
}

/** When the last creation that waits for an allowance is to be tried. */
const lastOf = (waiting: NonNullable<PlannedWork['waiting']>): number =>
  waiting
    .filter(({ operation }) => costOf(operation) === 'create')
    .reduce((last, { notBeforeAt }) => Math.max(last, notBeforeAt ?? 0), 0);

/** Each step through the tracker's workflow is a request. */
const requestsOf = (operation: Operation): number => (operation.kind === 'update' ? operation.via.length + 1 : 1);

/** From about this many issues on, the imports of `migrate` are worth the preparation. */
const manyIssues = 100;

/** The lines above the list; none if there is nothing to write. */
export function totalsInWords(
  { writes, mails, mailedBugs, durationMs, doneAt, isLeast, limitedBy }: PlanTotals,
  unplanned: number,
  { route, rest }: Pick<RouteStatus, 'route' | 'rest'>,
): readonly string[] {
  const lines = (['github', 'tracker'] as const).flatMap((side) => {
    const parts = kindsIn(writes[side]).map((kind) =>
      counted(writes[side][kind] ?? 0, ...operations[kind].totals[side]),
    );
    return parts.length === 0 ? [] : [`${side === 'github' ? 'To GitHub' : 'To the tracker'}: ${parts.join(', ')}.`];
  });
  if (lines.length === 0) return [];
  const issues = (writes.github.create ?? 0) + unplanned;
  return [
    ...lines,
    ...(unplanned === 0
      ? []
      : [`${counted(unplanned, 'more bug or issue is', 'more bugs and issues are')} planned in later cycles.`]),
    // Nobody knows how long a pause lasts.
    rest === null
      ? `This takes ${isLeast ? 'at least' : 'about'} ${durationInWords(durationMs)}, because of ${limitedBy}: done ${isLeast ? 'after' : 'about'} ${clockInWords(doneAt, doneAt - durationMs)}.`
      : `None of this is written while the route is paused: ${pauseInWords(rest)}; bugferry resume ${route} ends that.`,
    mails === 0
      ? 'The tracker sends no mail.'
      : `The tracker sends ${counted(mails, 'mail')} about ${counted(mailedBugs, 'bug')}, to all who follow ${mailedBugs === 1 ? 'it' : 'them'}.`,
    ...(issues < manyIssues
      ? []
      : [
          `GitHub notifies the watchers of ${issues} new issues. bugferry migrate imports them without that, and faster.`,
        ]),
  ];
}

/** What the brake says to such a plan. */
export const brakeInWords = (refusal: { readonly why: string } | null): readonly string[] =>
  refusal === null ? [] : [`The brake would refuse this: ${refusal.why}. bugferry once --force overrides it.`];

const kindsIn = (counts: Partial<Record<OperationKind, number>>): readonly OperationKind[] =>
  Object.keys(operations)
    .filter(isOperation)
    .filter((kind) => counts[kind]);

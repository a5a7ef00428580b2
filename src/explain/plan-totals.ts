import { durationInWords, durationOf, type Pace } from '../model/duration.ts';
import type { Side } from '../model/ids.ts';
import type { Operation, OperationKind } from '../model/plan/operation.ts';
import { costOf, creationsOf, isOperation, operations } from '../rules/operations/operations.ts';
import { clockInWords, counted } from './words.ts';

interface PlannedWork {
  readonly wanted: readonly Operation[];
  /** How many of them share the request of another operation. */
  readonly joined: number;
  /** How many more bugs and issues without a counterpart later cycles plan. */
  readonly unplanned: number;
}

/** A plan in numbers: how many writes of each kind, how long they take, and who gets mail. */
export interface PlanTotals {
  readonly writes: Readonly<Record<Side, Partial<Record<OperationKind, number>>>>;
  /** Mails from the tracker: one for each request that writes to a bug. */
  readonly mails: number;
  /** The number of bugs that these mails are about. */
  readonly mailedBugs: number;
  readonly leastMs: number;
  /** When the last of it is written, at the earliest. */
  readonly doneAt: number;
  readonly limitedBy: string;
}

export function totalsOf({ wanted, joined, unplanned }: PlannedWork, pace: Pace, now: number): PlanTotals {
  const writes: Record<Side, Partial<Record<OperationKind, number>>> = { tracker: {}, github: {} };
  for (const { on, kind } of wanted) writes[on][kind] = (writes[on][kind] ?? 0) + 1;
  const onTracker = wanted.filter(({ on }) => on === 'tracker');
  const onGithub = wanted.filter(({ on }) => on === 'github');
  const creating = onGithub.filter((operation) => costOf(operation) === 'create').length;
  const creations = onGithub.reduce((sum, operation) => sum + creationsOf(operation), 0);
  // Each bug or issue that later cycles plan takes at least one creation.
  const requests = onTracker.reduce((sum, operation) => sum + requestsOf(operation), 0) - joined;
  const work = {
    reads: 0,
    creations: creations + unplanned,
    writes: onGithub.length - creating,
    trackerRequests: requests,
  };
  const { ms, limitedBy } = durationOf(work, pace);
  const mailedBugs = new Set(onTracker.map(({ link }) => link)).size;
  return { writes, mails: requests, mailedBugs, leastMs: ms, doneAt: now + ms, limitedBy };
}

/** Each step through the tracker's workflow is a request. */
const requestsOf = (operation: Operation): number => (operation.kind === 'update' ? operation.via.length + 1 : 1);

/** From about this many issues on, the imports of `migrate` are worth the preparation. */
const manyIssues = 100;

/** The lines above the list; none if there is nothing to write. */
export function totalsInWords(
  { writes, mails, mailedBugs, leastMs, doneAt, limitedBy }: PlanTotals,
  unplanned: number,
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
    `This takes at least ${durationInWords(leastMs)}, because of ${limitedBy}: done about ${clockInWords(doneAt, doneAt - leastMs)}.`,
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

const kindsIn = (counts: Partial<Record<OperationKind, number>>): readonly OperationKind[] =>
  Object.keys(operations)
    .filter(isOperation)
    .filter((kind) => counts[kind]);

import { isBeside } from '../../explain/failure.ts';
import { brakeInWords, type PlanTotals, totalsInWords } from '../../explain/plan-totals.ts';
import { holdsNothing } from '../../explain/progress.ts';
import { nothingTaken } from '../../explain/verdict.ts';
import { counted, routeInWords } from '../../explain/words.ts';
import type { RouteStatus } from '../../model/route-status.ts';
import type { Bridge, BridgePreview } from '../../wire/bridge.ts';
import { operationLine } from '../run/narrate.ts';
import { momentInWords } from '../summary.ts';
import { type Terminal, visible } from '../terminal.ts';
import { printFailure, printTrouble } from './status-lines.ts';

export interface RoutePlan {
  readonly route: string;
  readonly preview: BridgePreview;
  /** The status of the route, including the findings of this plan. */
  readonly status: RouteStatus;
  readonly totals: PlanTotals;
}

export function printPlan(
  terminal: Terminal,
  { store, clock }: Bridge,
  { route, preview: found, status, totals }: RoutePlan,
): void {
  const { out, paint } = terminal;
  const { operations, waiting, left, refusal, withdrawals, unplanned } = found;
  out(`${paint('bold', `Route ${route}`)}  ${routeInWords(status)}`);
  for (const line of totalsInWords(totals, unplanned, status)) out(`  ${visible(line)}`);
  for (const { about, what } of withdrawals)
    out(`${paint('yellow', 'withdraw')}  ${visible(`${what} of ${about}, before anything else`)}`);
  for (const operation of operations) out(operationLine(operation, store, 'planned', terminal));
  for (const [why, rows] of Map.groupBy(waiting, (row) => row.why)) {
    const because = why === null ? '' : `: ${why}`;
    const shown = rows.length > waitingMax ? rows.slice(0, waitingShown) : rows;
    for (const { operation, notBeforeAt } of shown) {
      const now = clock.now();
      const when =
        notBeforeAt === null || notBeforeAt <= now ? 'waits' : `waits, to be tried ${momentInWords(notBeforeAt, now)}`;
      out(`${operationLine(operation, store, 'planned', terminal)}  ${paint('yellow', visible(`${when}${because}`))}`);
    }
    if (rows.length > shown.length)
      out(`${' '.repeat(19)}${paint('yellow', visible(`and ${rows.length - shown.length} more wait${because}`))}`);
  }
  for (const failing of status.failures.filter(isBeside)) printFailure(terminal, failing, clock.now());
  printTrouble(terminal, status);
  for (const line of brakeInWords(refusal)) out(paint('red', `  ${line}`));
  out(`  ${sumInWords(operations.length, left, waiting.length)}`);
  if (holdsNothing(status)) out(`  ${paint('dim', visible(nothingTaken(status)))}`);
}

/** If more operations than this wait for the same reason, only the first few are shown. */
const waitingMax = 10;
const waitingShown = 3;

/** Counts all wanted operations, so that the sum matches the one of `adopt`. */
function sumInWords(now: number, left: number, waiting: number): string {
  const rest = [
    ...(left > 0 ? [`${left} more in later cycles`] : []),
    ...(waiting > 0 ? [`${waiting} that ${waiting === 1 ? 'has' : 'have'} to wait`] : []),
  ];
  if (now + rest.length === 0) return 'Nothing to write.';
  return `${[now === 0 ? 'Nothing to write now' : counted(now, 'write'), ...rest].join(', and ')}.`;
}

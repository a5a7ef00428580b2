import type { Context } from '../kernel/context.ts';
import type { CommentOperation, Operation } from '../model/plan/operation.ts';
import { nextReportAt, reportsMs } from '../rules/limits/report-distance.ts';

/**
 * The operations that wait because their texts were edited and reported several times lately, by key: with the time
 * until which they wait.
 */
export function spaceReports(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  operations: readonly Operation[],
): ReadonlyMap<string, number> {
  const now = clock.now();
  const spaced = new Map<string, number>();
  for (const operation of operations) {
    if (operation.kind !== 'comment' || operation.tells !== 'edit') continue;
    const times = store.ledger
      .ofLink(operation.link)
      .filter(({ at, detail }) => detail['reports'] === operation.commentLink && at > now - reportsMs && at <= now)
      .map(({ at }) => at);
    const at = nextReportAt(times);
    if (at > now) for (const part of partsOf(operation, operations)) spaced.set(part.key, at);
  }
  return spaced;
}

/** The report and the comments that continue it. */
const partsOf = (report: CommentOperation, operations: readonly Operation[]): readonly Operation[] =>
  operations.filter(
    (each) => each === report || (each.kind === 'comment' && each.commentLink === report.commentLink && each.part > 1),
  );

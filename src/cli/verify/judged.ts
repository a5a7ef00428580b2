import type { VerifyReport } from '../../model/reports/verification.ts';
import type { Verdict } from '../../model/route-status.ts';
import { type Bridge, type BridgeRoute, statusOf, verifyRoute } from '../../wire/bridge.ts';

/** A report, and how its route stands: the verdict says when the differences that wait will have ended. */
export interface JudgedReport extends VerifyReport {
  readonly verdict: Verdict;
}

/** Compares a route. Throws `SideError`, and the signal's reason when it aborts. */
export async function judgedReport(
  { store, allowances, clock, controlQueue }: Bridge,
  route: BridgeRoute,
  options: Parameters<typeof verifyRoute>[1],
): Promise<JudgedReport> {
  const report = await verifyRoute(route, options);
  const { verdict } = statusOf(store, route.route, allowances, clock.now(), controlQueue.of(route.name));
  return { ...report, verdict };
}

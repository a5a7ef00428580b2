import { dashboardOf } from '../explain/dashboard.ts';
import { statusOf } from '../explain/route-status.ts';
import { withStrays } from '../explain/strays.ts';
import type { Context } from '../kernel/context.ts';
import { redactionOf } from '../rules/privacy/redactions.ts';
import { keepDashboard } from '../sync/dashboard.ts';

/**
 * Has the issue say what the status of the route says now. Throws `SideError`.
 * @param context null before both sides accepted our credentials
 */
export async function tellDashboard(context: Context | null, strays: readonly string[]): Promise<void> {
  if (context === null) return;
  const { store, route, allowances, limits, clock, controlQueue } = context;
  const now = clock.now();
  const status = statusOf(store, route, { ...allowances, ...limits }, now, controlQueue?.of(route.name));
  await keepDashboard(context, dashboardOf(withStrays(status, strays, now), redactionOf(store, [route]).isHidden));
}

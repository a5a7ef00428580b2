import { dashboardOf } from '../explain/dashboard.ts';
import { statusOf } from '../explain/route-status.ts';
import type { Context } from '../kernel/context.ts';
import { redactionOf } from '../rules/privacy/redactions.ts';
import { keepDashboard } from '../sync/dashboard.ts';

/**
 * Has the issue say what the status of the route says now. Throws `SideError`.
 * @param context null before both sides accepted our credentials
 */
export async function tellDashboard(context: Context | null): Promise<void> {
  if (context === null) return;
  const { store, route, allowances, clock, controlQueue } = context;
  await keepDashboard(
    context,
    dashboardOf(
      statusOf(store, route, allowances, clock.now(), controlQueue?.of(route.name)),
      redactionOf(store, [route]).isHidden,
    ),
  );
}

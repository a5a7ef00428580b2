import { mirrorOf } from '../core/one-way.ts';
import { plan } from '../core/plan.ts';
import { policy } from '../core/policy.ts';
import { type Item, refOf } from '../model/item.ts';
import type { Side } from '../model/side.ts';
import type { Context } from './context.ts';
import { linkOf } from './observe.ts';
import { fieldSightOf, sceneOf } from './select.ts';
import { wake } from './wake.ts';

/**
 * Wakes the links whose mirror says something else than it should: what was changed before the route put such things right, or was left
 * because it was changed again and again. No list of changes brings it as news.
 * @param items what `side` shows, after it was observed
 */
export function wakeDrifted(context: Context, side: Side, items: readonly Item[]): void {
  const { name, direction } = context.route;
  if (side !== mirrorOf(direction)) return;
  const known = items.flatMap((item) => linkOf(context, side, refOf(item)) ?? []);
  const links = known.filter(({ route, urgency }) => route === name && urgency === 'none');
  // Texts take no part: what becomes of copies that people edit, their own marks tell.
  const wanted = plan(
    sceneOf(context),
    links.map((link) => fieldSightOf(context, link)),
  );
  const { operations } = policy(wanted, direction);
  for (const { kind, link } of operations) if (kind === 'update') wake(context, link);
}

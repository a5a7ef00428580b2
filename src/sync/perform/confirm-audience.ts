import type { Context } from '../../kernel/context.ts';
import { SideError } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan/operation.ts';
import { needsPublicRepository, whyRefused } from '../../rules/privacy/gate.ts';

/**
 * Has a plan that writes to the tracker ask once more who reads the repository: it may have become private since the
 * route greeted it, up to a day ago. A plan that writes nothing there asks nothing, and an answer that stays is free.
 * Throws `SideError`.
 */
export async function confirmAudience({ route, github }: Context, { operations }: Plan): Promise<void> {
  if (!needsPublicRepository(route) || operations.every(({ on }) => on === 'github')) return;
  const why = whyRefused(route, { isPrivate: await github.isPrivate(), isServed: null });
  if (why !== null) throw new SideError('refused', why, { side: 'github' });
}

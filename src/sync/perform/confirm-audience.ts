import type { Context } from '../../kernel/context.ts';
import { rereadGithub } from '../../kernel/unread.ts';
import { Halted, SideError } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan/operation.ts';
import { needsPublicRepository, whyRefused } from '../../rules/privacy/gate.ts';
import { whyAnotherRepository } from '../settle/renamed.ts';

/**
 * Has a plan that writes to the tracker, or opens issues, ask once more what has the repository's name, and who reads
 * it: it may have become private since the route greeted it, up to a day ago, or another repository may have its name.
 * Any other plan asks nothing, and an answer that stays is free. Throws `SideError`.
 */
export async function confirmAudience(context: Context, { operations }: Plan): Promise<void> {
  const { route, github } = context;
  const writes = operations.some(({ on }) => on === 'tracker');
  if (!writes && operations.every(({ kind }) => kind !== 'create')) return;
  const { id, isPrivate } = await github.standing();
  const another = id === null ? null : await whyAnotherRepository(context, id);
  if (another !== null) throw new Halted(another, 'github');
  const why = writes ? whyRefused(route, { isPrivate, isServed: null }) : null;
  if (why === null) return;
  // What was read of it since may be gone before everyone may read it again.
  rereadGithub(context);
  throw new SideError('refused', why, { side: 'github' });
}

/**
 * Has words from GitHub that are about to be stored ask whether everyone may read them, if the route publishes them on
 * the tracker. Throws `SideError`.
 */
export async function confirmReaders({ route, github }: Context): Promise<void> {
  if (!needsPublicRepository(route)) return;
  const { isPrivate } = await github.standing();
  const why = whyRefused(route, { isPrivate, isServed: null });
  if (why !== null) throw new SideError('refused', why, { side: 'github' });
}

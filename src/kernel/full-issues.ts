import { bodyId } from '../model/link.ts';
import type { Operation } from '../model/plan/operation.ts';
import { commentLimitIn } from '../rules/limits/comment-limit.ts';
import type { Context } from './context.ts';

/**
 * Why the issue takes no further comment, in the words of the refusal of an earlier one; null if it takes them, also
 * again because comments were deleted. So the limit is met once, and not by each comment in each sweep.
 */
export function whyFull({ store }: Pick<Context, 'store'>, { kind, on, link: id }: Operation): string | null {
  if (kind !== 'comment' || on !== 'github') return null;
  for (const { why } of store.outbox.ofLink(id, 'parked')) {
    const limit = commentLimitIn(why);
    if (limit !== null && commentsOn({ store }, id) >= limit) return why;
  }
  return null;
}

/** As GitHub counted them, or as many as the bridge knows since then. */
function commentsOn({ store }: Pick<Context, 'store'>, id: Operation['link']): number {
  const known = store.commentLinks
    .ofLink(id)
    .filter(({ origin, source, state, copy }) =>
      origin === 'github' ? state !== 'gone' && source !== bodyId : copy !== null && copy.id !== bodyId,
    );
  return Math.max(store.links.byId(id)?.github?.commentCount ?? 0, known.length);
}

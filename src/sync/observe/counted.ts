import type { Context } from '../../kernel/context.ts';
import type { Issue } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import { expectedCommentCount } from '../../rules/comments/missing.ts';
import { githubLagMs } from '../../rules/limits/backoff.ts';

/**
 * Since when GitHub has all these comments, by its own stamps, which have whole seconds; 0 when they are older than ten
 * minutes: after that every replica has them, whatever the version that it shows.
 */
export function newestAt({ store, clock }: Context, { id }: Link, commentLinks: readonly CommentLink[]): number {
  const copies = commentLinks.flatMap(({ origin, copy }) =>
    origin === 'tracker' && copy !== null ? [`#issuecomment-${copy.id}`] : [],
  );
  const isCopy = (made: unknown): boolean => typeof made === 'string' && copies.some((copy) => made.endsWith(copy));
  const lines = copies.length === 0 ? [] : store.ledger.ofLink(id);
  const times = [
    ...lines.flatMap(({ on, kind, at, detail }) =>
      on === 'github' && kind === 'comment' && isCopy(detail['made']) ? [at - (at % 1000)] : [],
    ),
    ...commentLinks.flatMap(({ origin, createdAt }) => (origin === 'github' ? [createdAt] : [])),
  ];
  return Math.max(0, ...times.filter((at) => at > clock.now() - githubLagMs));
}

/** GitHub's stamps have whole seconds, and a comment may be stamped before its issue. */
const stampsMs = 2_000;

/**
 * Whether this version of the issue counts the comments that we know. If one of them was said after that version, the
 * count is about others: it would stand in for one that we lack.
 */
export function isCounted(context: Context, link: Link, { commentCount, changedAt }: Issue): boolean {
  const commentLinks = context.store.commentLinks.ofLink(link.id);
  const said = commentLinks.filter(({ origin, state }) => origin === 'github' && state !== 'gone');
  return commentCount === expectedCommentCount(commentLinks) && newestAt(context, link, said) <= changedAt + stampsMs;
}

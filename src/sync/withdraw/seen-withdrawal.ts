/** What GitHub shows of a withdrawal: an older state does not know those that were carried out, or ended, after it. */

import type { Context } from '../../kernel/context.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import { type Account, isBy } from '../../model/people.ts';
import type { Route } from '../../model/route.ts';
import { bodyDigest } from '../../rules/comments/body.ts';
import { commentAfter } from '../../rules/comments/life.ts';
import { whyHidden } from '../../rules/privacy/gate.ts';
import { hasPlainFooter, isNeutralBody, isNeutralTitle } from '../../rules/privacy/neutral.ts';
import { isCopied, isPeoples } from '../../rules/privacy/plan-withdrawal.ts';
import { hideFile, resolveLink } from '../observe/mentions.ts';

/**
 *   withdrawn  the issue shows what the bridge leaves of it
 *   open       nothing of that
 *   unclear    some of it: a private description has the neutral line as well, and people may change what is left
 */
type SeenWithdrawal = 'withdrawn' | 'open' | 'unclear';

/**
 * What an issue shows of a withdrawal, word for word. Someone who quotes or copies our lines withdraws nothing: the
 * neutral line counts in an issue that our account opened, and the plain footer under the words of people only if the
 * issue is locked, which its author cannot do. Under another title, a private description has the neutral line as well:
 * who locked the issue is then asked (`findLocks`).
 * @param own our login on GitHub; null if it is unknown
 */
function withdrawalShown(
  { instance }: Pick<Route, 'instance'>,
  { bug, github: issue }: Pick<Link, 'bug' | 'github'>,
  commentLinks: readonly CommentLink[],
  own: Account | null,
): SeenWithdrawal {
  if (bug === null || issue === null) return 'unclear';
  const isTitled = isNeutralTitle(issue.title, bug);
  const isEmptied = isNeutralBody(instance, issue.body, bug);
  const isPlain = hasPlainFooter(instance, issue.body, bug);
  const isOurs = !isPeoples({ commentLinks }) && (own === null || isBy(issue.author, own) || isBodyOurs(commentLinks));
  if (isOurs && isEmptied && isTitled) return 'withdrawn';
  if (!isOurs && isPlain && issue.isLocked) return 'withdrawn';
  return isTitled || isEmptied || isPlain || issue.isLocked ? 'unclear' : 'open';
}

const isBodyOurs = (commentLinks: readonly CommentLink[]): boolean =>
  commentLinks.some(({ copy }) => copy?.id === bodyId);

/**
 * The link, as withdrawn as its issue shows. Who opened a withdrawn issue is asked before it is planned. A withdrawal
 * is news if the issue did not show it before: after it is taken back, the neutral line stays until the description is
 * written. The withdrawal also erased copies, nobody knows which: all count as hidden until they are read again.
 * @param before the link before this observation; null if it was not whole
 */
export function withSeenWithdrawal(context: Context, before: Link | null, link: Link): Link {
  if (link.isWithdrawn) return link;
  const { route, store, session } = context;
  const commentLinks = store.commentLinks.ofLink(link.id);
  const shown = (each: Link) => withdrawalShown(route, each, commentLinks, session.own.github);
  const is = shown(link);
  const was = before === null ? 'unclear' : shown(before);
  if (is !== 'withdrawn' || (was === 'withdrawn' && whyHidden(route, link) === null)) return link;
  return asWithdrawn(context, link);
}

/**
 * Whether the issue of a withdrawn link whose bug may be shown again shows nothing of that, and nobody knows yet who
 * opened it.
 */
export function isOpenAgain(context: Context, link: Link): boolean {
  const { route, store, session, lookTurns } = context;
  const { id, isWithdrawn, github } = link;
  if (!isWithdrawn || github === null || whyHidden(route, link) !== null) return false;
  const isAsked = lookTurns.opened.get(id) === github.changedAt;
  return !isAsked && withdrawalShown(route, link, store.commentLinks.ofLink(id), session.own.github) === 'open';
}

/** The link after a withdrawal that it did not know. */
export function asWithdrawn(context: Context, link: Link): Link {
  const { store } = context;
  for (const commentLink of store.commentLinks.ofLink(link.id).filter(isCopied))
    store.commentLinks.save(withoutText(commentLink, link));
  for (const file of store.attachmentLinks.ofLink(link.id)) if (file.origin === 'tracker') hideFile(context, file);
  resolveLink(context, link);
  const visibility = link.visibility?.isShown === false ? link.visibility : null;
  return { ...link, isWithdrawn: true, urgency: 'live', threadReadAt: null, visibility };
}

function withoutText(commentLink: CommentLink, { github }: Link): CommentLink {
  if (commentLink.copy?.id !== bodyId) return commentAfter(commentLink, { kind: 'condemned' });
  return commentAfter(commentLink, { kind: 'redacted', digest: github === null ? null : bodyDigest(github.body) });
}

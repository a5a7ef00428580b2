import { aboutOf, bodyId } from '../../model/link.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Withdrawal } from '../../model/plan/withdrawal.ts';
import type { Route } from '../../model/route.ts';
import { whyHidden } from './gate.ts';
import { isNeutralBody, neutralBody, neutralTitle } from './neutral.ts';
import { isCopied, isPeoples } from './plan-withdrawal.ts';

/**
 * The withdrawal of a link if planning the full one throws. It needs no text: the title and body that we wrote are
 * replaced and our copies erased. Everything else waits for a person.
 */
export function plainWithdrawal(
  route: Route,
  input: Pick<PlanInput, 'link' | 'commentLinks' | 'attachmentLinks'>,
): readonly Withdrawal[] {
  const { link, commentLinks, attachmentLinks } = input;
  if (route.direction === 'to-tracker' || link.state === 'tombstone' || link.frozenBy === 'github') return [];
  const isHidden = whyHidden(route, link) !== null;
  const place = { link: link.id, about: aboutOf(link, 'github') };
  const comments = commentLinks.flatMap((commentLink): readonly Withdrawal[] =>
    isCopied(commentLink) &&
    (isHidden || commentLink.state === 'withdrawn') &&
    commentLink.copy !== null &&
    commentLink.copy.id !== bodyId
      ? [{ ...place, what: 'comment', commentLink: commentLink.id, comment: commentLink.copy.id }]
      : [],
  );
  const files = attachmentLinks.flatMap(({ id, origin, state, path }): readonly Withdrawal[] =>
    origin === 'tracker' && path !== null && (isHidden || state === 'withdrawn')
      ? [{ ...place, what: 'file', attachmentLink: id, path }]
      : [],
  );
  return [...(isHidden ? ofOurs(route, input, place) : []), ...comments, ...files];
}

function ofOurs(
  route: Route,
  input: Pick<PlanInput, 'link' | 'commentLinks'>,
  place: Pick<Withdrawal, 'link' | 'about'>,
): readonly Withdrawal[] {
  const { bug, github } = input.link;
  if (bug === null || github === null || isPeoples(input)) return [];
  const [title, body] = [neutralTitle(bug), neutralBody(route.instance, bug)];
  if (github.title === title && isNeutralBody(route.instance, github.body, bug)) return [];
  return [
    {
      ...place,
      what: 'issue',
      patch: { title, body, ...(github.state === 'open' ? { state: 'closed', reason: 'not_planned' } : {}) },
    },
  ];
}

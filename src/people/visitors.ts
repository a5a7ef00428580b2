import { isRemarked } from '../labels/wrong-labels.ts';
import type { PlanContext, PlanInput } from '../links/plan-input.ts';
import type { Issue } from '../model/item.ts';
import { aboutOf, type Link } from '../model/link.ts';
import type { LockOperation, Plan, RemarkOperation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import { isLogin } from './people.ts';

/** A read-only mirror: only the bridge may write on its issues. */
export function planLock({ direction, visitors }: Route, link: Link, issue: Issue): readonly LockOperation[] {
  if (direction !== 'to-github' || visitors !== 'lock' || issue.isLocked) return [];
  return [{ kind: 'lock', on: 'github', key: `${link.id}:github:lock`, link: link.id, about: aboutOf(link, 'github'), act: 'lock' }];
}

export const redirects = ({ direction, visitors }: Route): boolean => direction === 'to-github' && visitors === 'redirect';

/**
 * An issue opened by people on a route that takes none: a comment says once where to file bugs, and the issue is closed once. If it
 * is reopened, it stays open. Programs never get an answer, so that two of them cannot go on forever.
 */
export function planRedirect(
  planContext: PlanContext,
  { link, commentLinks }: Pick<PlanInput, 'link' | 'commentLinks'>,
  issue: Issue,
): Plan {
  const { own, isComplete } = planContext;
  // Until both sides are read, it may still turn out to be the issue of a bug, or to be answered already.
  const isReady = isComplete.tracker && isComplete.github && link.claim === null;
  const isPersons = !issue.author.isBot && !(own.github !== null && isLogin(issue.author.login, own.github));
  if (!isReady || !isPersons || issue.state === 'closed') return planOf([]);
  const place = { link: link.id, about: aboutOf(link, 'github'), on: 'github' } as const;
  const answer: RemarkOperation = {
    kind: 'remark',
    ...place,
    key: `${link.id}:github:remark:${redirected}`,
    remark: redirected,
    answers: null,
  };
  const close: LockOperation = { kind: 'lock', ...place, key: `${link.id}:github:close`, act: 'close' };
  return planOf(isRemarked(commentLinks, redirected) ? [close] : [answer, close]);
}

const redirected = 'redirected';

export const redirectText = ({ newBugUrl }: Route): string =>
  [
    'Thank you for taking the time to write. The issues here are a read-only copy of our bug tracker; the people who work on bugs do not see them.',
    `Please [file your report on the tracker](<${newBugUrl}>). This issue is closed; its text stays here, so that you can copy it.`,
  ].join('\n\n');

const planOf = (operations: Plan['operations']): Plan => ({ operations, notes: [], conflicts: [], skips: [] });

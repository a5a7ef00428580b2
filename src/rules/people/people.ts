/**
 * People of one side on the other: assignees, names in texts, and visitors of a mirror that only the bridge may write
 * on.
 */

import { type Bug, type Issue, type Person, shortName, type Value } from '../../model/item.ts';
import { aboutOf, type Link } from '../../model/link.ts';
import type { People } from '../../model/people.ts';
import { isBy } from '../../model/people.ts';
import type { LockOperation, Plan, RemarkOperation } from '../../model/plan/operation.ts';
import type { PlanContext, PlanInput } from '../../model/plan/plan-input.ts';
import type { Route } from '../../model/route.ts';
import { isRemarked } from '../labels/wrong-labels.ts';

/**
 * The assignee of a bug, as a GitHub login; null if the bug is unassigned. Undefined, which takes no part, if the route
 * does not mirror assignees or `people` does not list the person.
 */
export function assigneeOfBug({ people, assignee }: Route, bug: Bug): string | null | undefined {
  if (!assignee || bug.assignee === null) return undefined;
  return isNobody(people, bug.assignee.login) ? null : people.github.get(lowered(bug.assignee.login));
}

/**
 * The assignee of an issue. If there are several, the one from the base counts, else the first one listed in `people`;
 * the others belong to people on GitHub. An issue with unlisted assignees only takes no part; on a route to GitHub it
 * counts as unassigned.
 */
export function assigneeOfIssue(
  { people, assignee, direction }: Route,
  issue: Issue,
  past: Value | undefined,
): string | null | undefined {
  if (!assignee) return undefined;
  if (issue.assignees.length === 0) return null;
  const known = issue.assignees.flatMap((login) => spelledAsMapped(people, login) ?? []);
  return known.find((login) => login === past) ?? known[0] ?? (direction === 'to-github' ? null : undefined);
}

/**
 * The assignee for the tracker; null leaves the choice to the component, undefined means that `people` no longer lists
 * the login.
 */
export function trackerAssignee({ people }: Route, login: string | null): string | null | undefined {
  return login === null ? (people.nobody[0] ?? null) : people.tracker.get(lowered(login));
}

/** Parentheses, and those that look like them even without compatibility forms. */
const parenthesis = /[()\u2768-\u276b\u2772\u2773\u27ee\u27ef\u2985\u2986\u2e28\u2e29\ufd3e\ufd3f]/u;

/**
 * A tracker user's name for texts on GitHub, and whether it is a mention. Never an address. A login in parentheses
 * vouches for a person of the map, and anyone may choose a real name: whoever chose one with parentheses appears by
 * login.
 */
export function shownOnGithub(
  { people, mentions }: Route,
  { login, name }: Person,
): { readonly text: string; readonly isMention: boolean } {
  const mapped = people.github.get(lowered(login));
  if (mapped === undefined)
    return { text: parenthesis.test(name.normalize('NFKC')) ? shortName({ login }) : name, isMention: false };
  return mentions ? { text: `@${mapped}`, isMention: true } : { text: `${name} (${mapped})`, isMention: false };
}

const isNobody = ({ nobody }: People, login: string): boolean =>
  nobody.some((each) => lowered(each) === lowered(login));

/** A login as `people` spells it, so that both sides use the same spelling. */
function spelledAsMapped(people: People, login: string): string | undefined {
  const there = people.tracker.get(lowered(login));
  return there === undefined ? undefined : people.github.get(lowered(there));
}

const lowered = (login: string): string => login.toLowerCase();

/** A read-only mirror: only the bridge may write on its issues. */
export function planLock({ direction, visitors }: Route, link: Link, issue: Issue): readonly LockOperation[] {
  if (direction !== 'to-github' || visitors !== 'lock' || issue.isLocked) return [];
  return [
    {
      kind: 'lock',
      on: 'github',
      key: `${link.id}:github:lock`,
      link: link.id,
      about: aboutOf(link, 'github'),
      act: 'lock',
    },
  ];
}

export const redirects = ({ direction, visitors }: Route): boolean =>
  direction === 'to-github' && visitors === 'redirect';

/**
 * An issue opened by people on a route that takes none: a comment says once where to file bugs, and the issue is closed
 * once. If it is reopened, it stays open. Programs never get an answer, so that two of them cannot go on forever.
 */
export function planRedirect(
  planContext: PlanContext,
  { link, commentLinks }: Pick<PlanInput, 'link' | 'commentLinks'>,
  issue: Issue,
): Plan {
  const { own, isComplete } = planContext;
  // Until both sides are read, it may still turn out to be the issue of a bug, or to be answered already.
  const isReady = isComplete.tracker && isComplete.github && link.claim === null;
  const isPersons = !issue.author.isBot && !isBy(issue.author, own.github);
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

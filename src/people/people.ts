import type { Bug, Issue, Person, Value } from '../model/item.ts';
import type { People } from '../model/people.ts';
import type { Route } from '../model/route.ts';

/**
 * The assignee of a bug, as a GitHub login; null if the bug is unassigned. Undefined, which takes no part, if the route does not
 * mirror assignees or `people` does not list the person.
 */
export function assigneeOfBug({ people, assignee }: Route, bug: Bug): string | null | undefined {
  if (!assignee || bug.assignee === null) return undefined;
  return isNobody(people, bug.assignee.login) ? null : people.github.get(lowered(bug.assignee.login));
}

/**
 * The assignee of an issue. If there are several, the one from the base counts, else the first one listed in `people`; the others
 * belong to people on GitHub. An issue with unlisted assignees only takes no part; on a route to GitHub it counts as unassigned.
 */
export function assigneeOfIssue({ people, assignee, direction }: Route, issue: Issue, past: Value | undefined): string | null | undefined {
  if (!assignee) return undefined;
  if (issue.assignees.length === 0) return null;
  const known = issue.assignees.flatMap((login) => spelledAsMapped(people, login) ?? []);
  return known.find((login) => login === past) ?? known[0] ?? (direction === 'to-github' ? null : undefined);
}

/** The assignee for the tracker; null leaves the choice to the component, undefined means that `people` no longer lists the login. */
export function trackerAssignee({ people }: Route, login: string | null): string | null | undefined {
  return login === null ? (people.nobody[0] ?? null) : people.tracker.get(lowered(login));
}

/** A tracker user's name for texts on GitHub, and whether it is a mention. Never an address. */
export function shownOnGithub(
  { people, mentions }: Route,
  { login, name }: Person,
): { readonly text: string; readonly isMention: boolean } {
  const mapped = people.github.get(lowered(login));
  if (mapped === undefined) return { text: name, isMention: false };
  return mentions ? { text: `@${mapped}`, isMention: true } : { text: `${name} (${mapped})`, isMention: false };
}

const isNobody = ({ nobody }: People, login: string): boolean => nobody.some((each) => lowered(each) === lowered(login));

/** A login as `people` spells it, so that both sides use the same spelling. */
function spelledAsMapped(people: People, login: string): string | undefined {
  const there = people.tracker.get(lowered(login));
  return there === undefined ? undefined : people.github.get(lowered(there));
}

const lowered = (login: string): string => login.toLowerCase();

/** Whether two logins are the same: both sides treat them case-insensitively. */
export const isLogin = (login: string | undefined, own: string): boolean => login?.toLowerCase() === own.toLowerCase();

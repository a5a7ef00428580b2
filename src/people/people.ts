import type { Bug, Issue, Person, Value } from '../model/item.ts';
import type { People } from '../model/people.ts';
import type { Route } from '../model/route.ts';

/**
 * Whose a bug is, as a GitHub login; null when it is nobody's. Undefined, which takes no part, when the route does not ask, or
 * when the map does not know the person.
 */
export function assigneeOfBug({ people, assignee }: Route, bug: Bug): string | null | undefined {
  if (!assignee || bug.assignee === null) return undefined;
  return isNobody(people, bug.assignee.login) ? null : people.github.get(lowered(bug.assignee.login));
}

/**
 * Whose an issue is. Of several assignees the one that both sides agreed on counts, else the first that the map knows; the others
 * belong to people on GitHub. An issue with none but others takes no part; on a route to GitHub it is nobody's, as far as the bridge is concerned.
 */
export function assigneeOfIssue({ people, assignee, direction }: Route, issue: Issue, past: Value | undefined): string | null | undefined {
  if (!assignee) return undefined;
  if (issue.assignees.length === 0) return null;
  const known = issue.assignees.flatMap((login) => spelledAsMapped(people, login) ?? []);
  return known.find((login) => login === past) ?? known[0] ?? (direction === 'to-github' ? null : undefined);
}

/** Whom the tracker has to be told; null leaves it to the component, undefined is somebody whom the map no longer knows. */
export function trackerAssignee({ people }: Route, login: string | null): string | null | undefined {
  return login === null ? (people.nobody[0] ?? null) : people.tracker.get(lowered(login));
}

/** A person of the tracker as texts on GitHub show them, and whether that is a mention. Never an address. */
export function shownOnGithub(
  { people, mentions }: Route,
  { login, name }: Person,
): { readonly text: string; readonly isMention: boolean } {
  const mapped = people.github.get(lowered(login));
  if (mapped === undefined) return { text: name, isMention: false };
  return mentions ? { text: `@${mapped}`, isMention: true } : { text: `${name} (${mapped})`, isMention: false };
}

const isNobody = ({ nobody }: People, login: string): boolean => nobody.some((each) => lowered(each) === lowered(login));

/** A login as the map writes it, for both sides to say the same. */
function spelledAsMapped(people: People, login: string): string | undefined {
  const there = people.tracker.get(lowered(login));
  return there === undefined ? undefined : people.github.get(lowered(there));
}

const lowered = (login: string): string => login.toLowerCase();

/** Whether a login is the given one: neither side tells logins apart by case. */
export const isLogin = (login: string | undefined, own: string): boolean => login?.toLowerCase() === own.toLowerCase();

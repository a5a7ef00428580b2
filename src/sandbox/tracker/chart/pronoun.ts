import { isIn } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import type { Scope } from '../search/scope.ts';
import { TrackerError } from '../server/errors.ts';
import type { TrackerBug } from '../world/state.ts';
import type { ChartField } from './field.ts';
import { type CriterionValue, operators, positiveOf } from './operator.ts';

/** `%user%` and other pronouns name a person, `%group.NAME%` all members of a group. */
export const isPronoun = (text: string): boolean => /^%(?:group\.[^%]+|\w+)%$/.test(text);

/**
 * A criterion whose value is a pronoun, on a field of logins. Throws 32000 for an unknown pronoun and 804 for a group
 * without the viewer.
 */
export function personTest(
  scope: Scope,
  field: ChartField,
  operator: string,
  wanted: CriterionValue,
): (bug: TrackerBug) => boolean {
  const group = /^%group\.([^%]+)%$/.exec(wanted.text)?.[1];
  if (group !== undefined) return memberTest(scope, field, operator, group);
  const loginFor = personOf(scope, wanted.text);
  const positive = field.holding === 'people' ? positiveOf(operator) : undefined;
  return (bug) => {
    const satisfies = operators[positive ?? operator]?.({ ...wanted, text: loginFor(bug) }, field.measure);
    const hasOne = field.values(bug, scope).some((login) => satisfies?.(login) ?? false);
    return positive === undefined ? hasOne : !hasOne;
  };
}

const nobody =
  "You can't use %user% without being logged in, because %user% refers to your login name, which we don't know.";
const approved = 'You must use one of the approved pronouns. Please see Pronoun Substitution for a complete list.';

function personOf({ state, viewer }: Scope, pronoun: string): (bug: TrackerBug) => string {
  switch (pronoun) {
    case '%user%':
      if (viewer === null) throw new TrackerError(32000, 400, nobody);
      return () => viewer.login;
    case '%reporter%':
      return ({ creator }) => creator;
    case '%assignee%':
      return ({ assigned_to }) => assigned_to;
    case '%qacontact%':
      return ({ qa_contact }) => qa_contact;
    default:
      if (!way(state, 'refusesWords')) return () => pronoun;
      throw new TrackerError(32000, 400, `The pronoun you used (${pronoun}) is illegal. ${approved}`);
  }
}

function memberTest(scope: Scope, field: ChartField, operator: string, group: string): (bug: TrackerBug) => boolean {
  if (!isIn(scope.viewer, group))
    throw new TrackerError(804, 400, `The group you specified, ${group}, is not valid here.`);
  const members = scope.state.users.filter((user) => user.groups.includes(group)).map(({ login }) => login);
  const isNegative = operator.startsWith('not');
  return (bug) => field.values(bug, scope).some((login) => members.includes(String(login))) !== isNegative;
}

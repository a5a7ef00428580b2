import type { Site, Topic } from './site.ts';
import { type Finding, fine, warning } from './verdict.ts';

/** What our account may do on the tracker. A product may let others edit its bugs, which nobody can look up: so nothing here is a failure. */
export const account: Topic = {
  name: 'tracker rights',
  fine: 'nothing is known of the rights of our account; where the tracker does not tell who we are, tracker.login does',
  find,
};

function find({ route: { direction }, tracker: { groups, parameters }, login }: Site): readonly Finding[] {
  if (groups === null) return [];
  const who = login ?? 'the account';
  const insiders = parameters?.['insidergroup'] ?? 'insider';
  const ample = groups.filter((name) => name === 'admin' || name === insiders);
  const found = [
    ...(direction === 'to-github' ? [] : lacking(groups, who)),
    ...ample.map((name) =>
      warning(
        `${who} is in the tracker's group ${name} and needs no such right; what it cannot see, it cannot leak: take it out. How soon a bug that becomes private is found is said by schedule.sweep`,
      ),
    ),
  ];
  if (found.length > 0) return found;
  return [fine(direction === 'to-github' ? `${who} may read` : `${who} may change bugs of others, and confirm them`)];
}

function lacking(groups: readonly string[], who: string): readonly Finding[] {
  const advice = 'ask an administrator of the tracker to add it';
  const rights = [
    ['editbugs', 'bugs of others cannot be changed from GitHub, only commented on'],
    ['canconfirm', 'what is filed from GitHub stays unconfirmed, and reopening may be refused'],
  ] as const;
  return rights
    .filter(([name]) => !groups.includes(name))
    .map(([name, effect]) => warning(`${who} is not in the tracker's group ${name}, so ${effect}; ${advice}`));
}

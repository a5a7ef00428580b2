import type { Site, Topic } from './site.ts';
import { type Finding, fine, warning } from './verdict.ts';

/**
 * What our account may do on the tracker. Its groups are what can be read; a product may let others edit its bugs, or hide them from
 * whomever it likes, which nobody can look up: so nothing here is a failure.
 */
export const account: Topic = { name: 'tracker rights', fine: 'the groups of our account fit', find };

/** Groups that every installation has. They open no bugs that are hidden from others. */
const systemGroups: ReadonlySet<string> = new Set([
  ...[
    'admin',
    'tweakparams',
    'editusers',
    'creategroups',
    'editclassifications',
    'editcomponents',
    'editkeywords',
    'editbugs',
    'canconfirm',
  ],
  ...['bz_canusewhineatothers', 'bz_canusewhines', 'bz_sudoers', 'bz_sudo_protect', 'bz_quip_moderators'],
]);

function find({ route: { direction }, tracker: { groups, parameters }, login }: Site): readonly Finding[] {
  const needs =
    direction === 'to-github'
      ? 'it should be in no group that hides things'
      : 'it needs editbugs and canconfirm, and should be in no group that hides things';
  if (login === null)
    return [
      warning(
        `the tracker does not tell whose key it is, so nobody has looked at its rights: write the login of the account into tracker.login, and run this again; ${needs}`,
      ),
    ];
  if (groups === null)
    return [
      warning(
        `the tracker does not show the groups of ${login}, so nobody has looked at its rights: ask an administrator of the tracker; ${needs}`,
      ),
    ];
  const found = [
    ...(direction === 'to-github' ? [] : lacking(groups, login)),
    ...ample(groups, login, parameters?.['insidergroup'] ?? null),
  ];
  if (found.length > 0) return found;
  const shown = groups.length === 0 ? 'it is in no group' : `its groups are ${groups.join(', ')}`;
  return [
    fine(direction === 'to-github' ? `${login} may read (${shown})` : `${login} may change bugs of others, and confirm them (${shown})`),
  ];
}

/** Which group sees private comments is told to administrators only; it is mostly called insider. */
function ample(groups: readonly string[], who: string, insiders: string | null): readonly Finding[] {
  const known = groups.filter((name) => name === 'admin' || name === (insiders ?? 'insider'));
  const others = groups.filter((name) => !systemGroups.has(name) && !known.includes(name));
  return [
    ...known.map((name) =>
      warning(
        `${who} is in the tracker's group ${name} and needs no such right; what it cannot see, it cannot leak: take it out. How soon a bug that becomes private is found is said by schedule.sweep`,
      ),
    ),
    ...(others.length === 0
      ? []
      : [
          warning(
            `${who} is in the tracker's ${others.length === 1 ? 'group' : 'groups'} ${others.join(', ')}, and the tracker does not tell what that lets it see: take it out of whatever hides bugs or comments from others`,
          ),
        ]),
  ];
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

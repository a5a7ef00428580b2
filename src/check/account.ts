import { tokenEndInWords } from '../explain/words.ts';
import { clockAdvice, comparesTimes, wrongClock } from '../rules/limits/clocks.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, fine, warning } from './verdict.ts';

/**
 * The rights of our account on the tracker. Only its groups can be read. A product may also let other accounts edit its
 * bugs, or hide them, and no request shows that: so nothing here is a failure.
 */
export const account: Topic = {
  name: 'tracker rights',
  fine: 'the groups of the account are right',
  find: findAccount,
};

/** Groups that every installation has. They give no access to hidden bugs. */
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

function findAccount({ route: { direction }, tracker: { groups, parameters }, login }: Site): readonly Finding[] {
  const needs =
    direction === 'to-github'
      ? 'it should be in no group that gives access to hidden bugs'
      : 'it needs editbugs and canconfirm, and should be in no group that gives access to hidden bugs';
  if (login === null)
    return [
      warning(
        `the tracker does not report the owner of the key, so its rights were not checked: set tracker.login to the login of the account, and run this again; ${needs}`,
      ),
    ];
  if (groups === null)
    return [
      warning(
        `the tracker does not show the groups of ${login}, so its rights were not checked: ask an administrator of the tracker; ${needs}`,
      ),
    ];
  const found = [
    ...(direction === 'to-github' ? [] : lacking(groups, login)),
    ...ample(groups, login, parameters?.['insidergroup'] ?? null),
  ];
  if (found.length > 0) return found;
  const shown = groups.length === 0 ? 'it is in no group' : `its groups are ${groups.join(', ')}`;
  return [
    fine(
      direction === 'to-github'
        ? `${login} may read (${shown})`
        : `${login} may change and confirm all bugs (${shown})`,
    ),
  ];
}

/** The tracker reports only to administrators which group sees private comments; most call it insider. */
function ample(groups: readonly string[], who: string, insiders: string | null): readonly Finding[] {
  const known = groups.filter((name) => name === 'admin' || name === (insiders ?? 'insider'));
  const others = groups.filter((name) => !systemGroups.has(name) && !known.includes(name));
  return [
    ...known.map((name) =>
      warning(
        `${who} is in the tracker's group ${name} and does not need it: remove the account, as it cannot leak what it cannot see. schedule.sweep decides how soon a bug that becomes private is found`,
      ),
    ),
    ...(others.length === 0
      ? []
      : [
          warning(
            `${who} is in the tracker's ${others.length === 1 ? 'group' : 'groups'} ${others.join(', ')}, and the tracker does not report what they give access to: remove it from every group that sees hidden bugs or comments`,
          ),
        ]),
  ];
}

function lacking(groups: readonly string[], who: string): readonly Finding[] {
  const advice = 'ask an administrator of the tracker to add it';
  const rights = [
    ['editbugs', 'GitHub users can comment on bugs of others but not change them'],
    ['canconfirm', 'bugs filed from GitHub stay unconfirmed, and reopening may be refused'],
  ] as const;
  return rights
    .filter(([name]) => !groups.includes(name))
    .map(([name, effect]) => warning(`${who} is not in the tracker's group ${name}, so ${effect}; ${advice}`));
}

/** How long the token stays valid. */
export const token: Topic = { name: 'token', fine: 'it does not expire soon', find: findToken };

function findToken({ repository: { tokenEndsAt, askedAt } }: Pick<Site, 'repository'>): readonly Finding[] {
  if (tokenEndsAt === null) return [];
  const { words, isSoon } = tokenEndInWords(tokenEndsAt, askedAt);
  if (tokenEndsAt <= askedAt) return [failure(`the token ${words}; create a new one`)];
  return [
    isSoon
      ? warning(`the token ${words}; create a new one before that, or use a GitHub App, whose key does not expire`)
      : fine(`the token ${words}`),
  ];
}

/** The clocks of both sides and of this machine. */
export const clocks: Topic = { name: 'clocks', fine: 'both sides report their time', find: findClocks };

function findClocks(site: Site): readonly Finding[] {
  const { route, tracker, repository } = site;
  const wrong = wrongClock({ tracker: aheadMs(tracker), github: aheadMs(repository) }, route);
  const found = [...unreported(site), ...(wrong === null ? [] : [warning(`${wrong.why}. ${clockAdvice(wrong.side)}`)])];
  const zone =
    tracker.timeZone === null
      ? ''
      : `; the tracker reports the time zone ${tracker.timeZone}, and every request names its zone`;
  return found.length > 0 ? found : [fine(`this machine and both sides have the same time${zone}`)];
}

/** A clock that could not be checked. */
function unreported({ route, tracker, repository }: Site): readonly Finding[] {
  const silent = [
    ...(tracker.clockAt === null ? ['the tracker'] : []),
    ...(repository.clockAt === null ? ['GitHub'] : []),
  ];
  if (silent.length === 0) return [];
  const effect = comparesTimes(route) ? '; conflicts: newest compares these times' : '';
  const who = silent.length === 2 ? 'neither side reports its time' : `${silent.join()} does not report its time`;
  return [warning(`${who}, so the clocks were not compared${effect}: compare them by hand`)];
}

const aheadMs = ({ clockAt, askedAt }: { readonly clockAt: number | null; readonly askedAt: number }): number | null =>
  clockAt === null ? null : clockAt - askedAt;

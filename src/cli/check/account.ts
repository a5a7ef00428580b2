import type { Site, Topic } from './site.ts';
import { type Finding, failure, fine, warning } from './verdict.ts';

/**
 * What our account may do on the tracker. Its groups are what can be read; a product may let others edit its bugs, or hide them from
 * whomever it likes, which nobody can look up: so nothing here is a failure.
 */
export const account: Topic = { name: 'tracker rights', fine: 'the groups of our account fit', find: findAccount };

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

function findAccount({ route: { direction }, tracker: { groups, parameters }, login }: Site): readonly Finding[] {
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

/** How long what we are let in with stays valid. */
export const token: Topic = { name: 'token', fine: 'GitHub names no day on which it ends soon', find: findToken };

const soonMs = 14 * 86_400_000;

function findToken({ repository: { tokenEndsAt, askedAt } }: Pick<Site, 'repository'>): readonly Finding[] {
  if (tokenEndsAt === null || tokenEndsAt - askedAt > soonMs) return [];
  const day = new Date(tokenEndsAt).toISOString().slice(0, 10);
  if (tokenEndsAt <= askedAt) return [failure(`the token ended on ${day}; make a new one`)];
  return [warning(`the token ends on ${day}; make a new one before that, or use a GitHub App, whose key does not end`)];
}

/** The clocks of both sides and our own. */
export const clocks: Topic = { name: 'clocks', fine: 'both sides tell their time', find: findClocks };

/** How far the sides may be apart: answers have whole seconds, and take a while. Our own clock only times pauses. */
const nearMs = 30_000;
const ownNearMs = 120_000;

function findClocks(site: Site): readonly Finding[] {
  const { route, tracker, repository } = site;
  const [theirs, hubs] = [aheadMs(tracker), aheadMs(repository)];
  const told = [theirs, hubs].filter((ms) => ms !== null);
  const found: Finding[] = [...untold(site)];
  if (theirs !== null && hubs !== null && Math.abs(theirs - hubs) > nearMs) {
    const effect =
      route.conflicts === 'newest' ? 'conflicts: newest decides by these times, and may decide wrongly' : 'times of copies look odd';
    found.push(warning(`the tracker's clock is ${span(theirs - hubs)} GitHub's; ${effect}: set the clock of the tracker's database`));
  }
  if (told.length > 0 && told.every((ms) => Math.abs(ms) > ownNearMs)) {
    const [ms = 0] = told;
    found.push(warning(`this machine's clock is ${span(-ms)} both sides'; pauses that they ask for end at the wrong time: set it (NTP)`));
  }
  const zone =
    tracker.timeZone === null ? '' : `; the tracker says that it stands in ${tracker.timeZone}, and is asked with the zone in every time`;
  return found.length > 0 ? found : [fine(`both sides are within ${nearMs / 1000} seconds of each other${zone}`)];
}

/** A clock that nobody could look at. */
function untold({ route, tracker, repository }: Site): readonly Finding[] {
  const silent = [...(tracker.clockAt === null ? ['the tracker'] : []), ...(repository.clockAt === null ? ['GitHub'] : [])];
  if (silent.length === 0) return [];
  const effect = route.conflicts === 'newest' ? '; conflicts: newest decides by these times' : '';
  const who = silent.length === 2 ? 'neither side tells its time' : `${silent.join()} does not tell its time`;
  return [warning(`${who}, so nobody has looked whether the clocks of both sides agree${effect}: compare them by hand`)];
}

const aheadMs = ({ clockAt, askedAt }: { readonly clockAt: number | null; readonly askedAt: number }): number | null =>
  clockAt === null ? null : clockAt - askedAt;

function span(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const words = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${words} ${ms > 0 ? 'ahead of' : 'behind'}`;
}

import { createHash } from 'node:crypto';
import { flagName } from '../attachments/flags.ts';
import type { Shape } from '../bugs/bugs.ts';
import { pickFields } from '../installation/field-choice.ts';
import { nickOf } from '../installation/person.ts';
import { wholeSecond, wireTime } from '../installation/times.ts';
import { type Group, groups, isIn, isMember, userNamed, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { type Call, userOf } from '../server/call.ts';
import { loginRequired, missingArgument, noRoute, noSuch, notNumeric, TrackerError } from '../server/errors.ts';
import { giveToken } from '../server/login.ts';
import type { TrackerState, User } from '../world/state.ts';

/** GET /rest/login?login=...&password=...&restrict_login=..., the only call that issues a token. */
export function logIn({ state, viewer, query, address }: Call): unknown {
  if (viewer !== null) {
    const isRestricted = !['', '0'].includes(query.get('restrict_login') ?? '');
    return { id: viewer.id, token: giveToken(state, viewer, isRestricted ? address : null) };
  }
  throw missingArgument('requires', query.has('login') || query.has('Bugzilla_login') ? 'password' : 'login');
}

/** GET /rest/logout, which ends only the token of the call. */
export function logOut({ state, query }: Call): unknown {
  state.tokens.delete((query.get('token') ?? query.get('Bugzilla_token') ?? '').trim());
  return { result: null };
}

/** GET /rest/valid_login?login=..., true only for the caller's own login. */
export function validLogin({ state, viewer, query }: Call): unknown {
  const login = query.get('login');
  if (login === null) throw missingArgument('requires', 'login');
  const result = viewer !== null && viewer.login === login;
  return way(state, 'validLogin') === 'bare' ? result : { result };
}

/** GET /rest/whoami, which only newer installations have. */
export function whoami({ state, viewer }: Call): unknown {
  if (way(state, 'whoami') === 'none') throw noRoute('GET', '/whoami');
  if (viewer === null) throw loginRequired();
  const short = { id: viewer.id, name: viewer.login, real_name: viewer.realName };
  if (way(state, 'whoami') === 'short') return short;
  return { ...short, nick: nickOf(viewer.login), mfa_status: false, groups: ownGroups(viewer).map(({ name }) => name) };
}

/** GET /rest/user/NAME and ?names=...&ids=...&match=...; one missing name fails the whole request. */
export function users(call: Call): unknown {
  const { state, viewer, query, fields, name } = call;
  const isId = /^\d+$/.test(name);
  const names = [...(name === '' || isId ? [] : [name]), ...query.getAll('names')];
  const ids = [...(isId ? [name] : []), ...query.getAll('ids')];
  const matches = query.getAll('match');
  if (names.length + ids.length + matches.length === 0) {
    throw new TrackerError(
      50,
      400,
      'The function User.get requires that you set one of the following parameters: ids, names, match',
    );
  }
  const found = names.map((one) => userNamed(state, one));
  if (viewer === null) refuseAnonymous(ids, matches);
  if (!ids.every((id) => /^\d+$/.test(id))) throw notNumeric('Bugzilla::User::new_from_list');
  found.push(...state.users.filter(({ id }) => ids.includes(String(id))));
  for (const text of matches) found.push(...matching(call, text));
  const chosen = [...new Set(found)].filter((user) => isInAny(user, query));
  return { users: chosen.map((user) => pickFields(fields, userShape(state, viewer, user))) };
}

/** GET /rest/group/NAME and ?names=...&ids=...&membership=1, for administrators of users or groups. */
export function groupList(call: Call): unknown {
  const { state, query, fields, name } = call;
  if (!way(state, 'readsGroups'))
    throw new TrackerError(32610, 400, "For security reasons, you must use HTTP POST to call the 'get' method.");
  const user = userOf(call);
  if (!isIn(user, 'editusers') && !isIn(user, 'creategroups')) {
    throw new TrackerError(
      805,
      400,
      "In order to view groups, you need to be a member of the 'editusers' or 'creategroups' group, or have bless privileges to at least one group.",
    );
  }
  const wanted = [...(name === '' ? [] : [name]), ...query.getAll('names'), ...query.getAll('ids')];
  const found = wanted.length === 0 ? groups : [...new Set(wanted.flatMap(groupFor))];
  const hasMembers = !['', '0'].includes(query.get('membership') ?? '');
  return {
    groups: found.map((group) =>
      pickFields(fields, { ...groupShape(group), ...(hasMembers ? membership(state, group) : {}) }),
    ),
  };
}

function refuseAnonymous(ids: readonly string[], matches: readonly string[]): void {
  const argument = ids.length > 0 ? 'ids' : matches.length > 0 ? 'match' : null;
  if (argument === null) return;
  const what = `Logged-out users cannot use the "${argument}" argument to this function to access any user information.`;
  throw new TrackerError(505, 401, what);
}

/**
 * The users that match a text: with stars, by pattern; else the user of that login, or all with the text in login or
 * name (at least 3 characters).
 */
function matching({ state, query }: Call, text: string): readonly User[] {
  const limit = Number(query.get('limit')) || state.users.length;
  const hasDisabled = !['', '0'].includes(query.get('include_disabled') ?? '');
  const enabled = state.users.filter(({ disabledText }) => disabledText === null || hasDisabled);
  const within = (test: (text: string) => boolean): readonly User[] =>
    enabled
      .filter((user) => test(user.login.toLowerCase()) || test(user.realName.toLowerCase()))
      .sort((one, other) => (one.login < other.login ? -1 : 1))
      .slice(0, limit);
  const wanted = text.trim().toLowerCase();
  if (wanted.includes('*')) {
    const found = within((name) => matchesStars(name, wanted));
    if (found.length > 0) return found;
  }
  const exact = state.users.filter(({ login }) => login.toLowerCase() === wanted);
  return exact.length > 0 || wanted.length < 3 ? exact : within((name) => name.includes(wanted));
}

function matchesStars(name: string, pattern: string): boolean {
  // Several stars in a row mean the same as one, and would take much longer.
  const parts = pattern.split(/\*+/);
  const escaped = parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 'su').test(name);
}

/** All users, unless the request names groups: then the members of any of them. */
function isInAny(user: User, query: URLSearchParams): boolean {
  const wanted = [...query.getAll('group_ids'), ...query.getAll('groups')].flatMap(groupFor);
  return (!query.has('group_ids') && !query.has('groups')) || wanted.some(({ name }) => isMember(user, name));
}

/** A group by number or by name. An unknown number is left out, an unknown name an error. */
function groupFor(wanted: string): readonly Group[] {
  const isId = /^\d+$/.test(wanted);
  const found = groups.filter(({ id, name }) =>
    isId ? String(id) === wanted : name.toLowerCase() === wanted.toLowerCase(),
  );
  if (found.length === 0 && !isId) throw noSuch('group', wanted);
  return found;
}

/** Anonymous readers see only names; groups are shown to the user and to administrators of users. */
function userShape(state: TrackerState, viewer: Viewer, user: User): Shape {
  const names = { id: user.id, real_name: user.realName, name: user.login };
  if (viewer === null) return names;
  const [isSelf, isKeeper] = [viewer.id === user.id, isIn(viewer, 'editusers')];
  const own = ownGroups(user).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    ...names,
    ...accountShape(state, user),
    groups:
      isSelf || isKeeper
        ? own.map((group) => ({ id: group.id, name: group.name, description: descriptionOf(state, group) }))
        : [],
    ...(isKeeper ? keptShape(user) : {}),
    ...(isSelf ? savedShape(state) : {}),
  };
}

/** Harmony knows no reports. */
const savedShape = (state: TrackerState): Shape =>
  way(state, 'userKeys') === 'rich' ? { saved_searches: [] } : { saved_searches: [], saved_reports: [] };

const ownGroups = (user: User): readonly Group[] => groups.filter(({ name }) => isMember(user, name));

function accountShape(state: TrackerState, user: User): Shape {
  const account = { can_login: user.disabledText === null };
  switch (way(state, 'userKeys')) {
    case 'short':
      return account;
    case 'email':
      return { ...account, email: user.login };
    case 'rich':
      return { ...account, email: user.login, nick: nickOf(user.login), ...activityShape(state, user) };
  }
}

/** What harmony shows of the habits of a user. */
function activityShape(state: TrackerState, { login }: User): Shape {
  const requests = (kind: string): Shape => ({ blocked: false, pending: pendingOf(state, kind, login) });
  const avatar = createHash('md5').update(login).digest('hex');
  return {
    gravatar: `https://secure.gravatar.com/avatar/${avatar}?d=mm&size=64`,
    is_new: false,
    last_activity: wireTime(wholeSecond(state.now())),
    requests: { needinfo: requests('needinfo'), review: requests('review'), feedback: requests('feedback') },
  };
}

const pendingOf = ({ bugs, attachments }: TrackerState, kind: string, login: string): number =>
  [...bugs.values(), ...attachments.values()]
    .flatMap(({ flags }) => flags)
    .filter((flag) => flagName(flag.type) === kind && flag.status === '?' && flag.requestee === login).length;

const descriptionOf = (state: TrackerState, { name, description }: Group): string =>
  name === 'bz_canusewhines' ? way(state, 'whineGroup') : description;

const keptShape = (user: User): Shape => ({ email_enabled: true, login_denied_text: user.disabledText ?? '' });

const groupShape = ({ id, name, description, isForBugs }: Group): Shape => ({
  id,
  name,
  description,
  is_active: true,
  is_bug_group: isForBugs,
  user_regexp: '',
});

function membership(state: TrackerState, group: Group): Shape {
  const members = state.users.filter((user) => isMember(user, group.name));
  return {
    membership: members.map((user) => ({
      id: user.id,
      real_name: user.realName,
      name: user.login,
      ...accountShape(state, user),
      ...keptShape(user),
    })),
  };
}

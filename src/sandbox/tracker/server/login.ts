import { createHash } from 'node:crypto';
import type { Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import type { TrackerState, User } from '../world/state.ts';
import { TrackerError } from './errors.ts';
import { guesses } from './guesses.ts';
import { scalarText } from './request.ts';

const attemptsMax = 5;
const lockMs = 30 * 60_000;
const tokenKeptMs = 30 * 24 * 3_600_000;

/** The long names of credentials; callers usually send the short ones. */
const longNames = { api_key: 'Bugzilla_api_key', token: 'Bugzilla_token' } as const;

interface Headed {
  header(name: string): string | undefined;
}

/**
 * Gives credentials their long names, also those in headers, where the version reads these. A login and a password only
 * count together, and also keep their short names; so a bug cannot be filed with them.
 */
export function nameCredentials(values: Record<string, unknown>, headers: Headed | null): void {
  for (const name of headers === null ? [] : ['api_key', 'token', 'login', 'password']) {
    const value = headers?.header(`X-BUGZILLA-${name.toUpperCase().replace('_', '-')}`);
    if (value !== undefined) values[`Bugzilla_${name}`] = value;
  }
  if ('login' in values && 'password' in values) {
    values['Bugzilla_login'] = values['login'];
    values['Bugzilla_password'] = values['password'];
  }
  for (const [short, long] of Object.entries(longNames)) {
    if (!(short in values)) continue;
    values[long] = values[short];
    delete values[short];
  }
}

/**
 * Identifies a caller: by login and password, else by the token of a login, else by an API key. The first that is given
 * decides, and its arguments are removed. Headers do not count. Throws 300, 301, 306 and 32000.
 */
export function viewerOf(state: TrackerState, values: Record<string, unknown>, address: string): Viewer {
  const user = byPassword(state, values, address) ?? byToken(state, values, address) ?? byKey(state, values);
  if (user === null || user.disabledText === null) return user;
  const { maintainer } = state.settings;
  throw new TrackerError(
    301,
    401,
    `${user.disabledText} If you believe your account should be restored, please send email to ${maintainer} explaining why.`,
  );
}

function byPassword(state: TrackerState, values: Record<string, unknown>, address: string): Viewer {
  const [login, password] = [take(values, 'Bugzilla_login'), take(values, 'Bugzilla_password')];
  if (login === null || password === null) return null;
  const user = state.users.find((candidate) => candidate.login.toLowerCase() === login.trim().toLowerCase());
  if (user === undefined) throw wrongPassword(attemptsMax);
  refuseLocked(state, user, address);
  const others = state.loginFailures.filter((failure) => failure.user !== user.id || failure.address !== address);
  if (user.password === password) {
    if (others.length < state.loginFailures.length) state.loginFailures = others;
    return user;
  }
  state.loginFailures = [...recent(state), { user: user.id, address, at: state.now() }];
  refuseLocked(state, user, address);
  throw wrongPassword(attemptsMax - failuresOf(state, user, address).length);
}

function wrongPassword(remaining: number): TrackerError {
  const warning = guesses.attemptsLeft(remaining);
  return new TrackerError(
    300,
    401,
    `The login or password you entered is not valid.${remaining <= 2 ? ` ${warning}` : ''}`,
  );
}

/** Too many wrong passwords from one address lock the account for that address; API keys still work. */
function refuseLocked(state: TrackerState, user: User, address: string): void {
  const failures = failuresOf(state, user, address);
  const deciding = failures.at(-attemptsMax);
  if (failures.length < attemptsMax || deciding === undefined) return;
  const until = new Date(deciding.at + lockMs).toISOString().slice(0, 16).replace('T', ' ');
  const why = 'as you have exceeded the maximum number of login attempts';
  throw new TrackerError(
    32000,
    400,
    `Your IP (${address}) has been locked out of this account until ${until} UTC, ${why}.`,
  );
}

const recent = (state: TrackerState): TrackerState['loginFailures'] =>
  state.loginFailures.filter(({ at }) => at > state.now() - lockMs);

const failuresOf = (state: TrackerState, user: User, address: string): TrackerState['loginFailures'] =>
  recent(state).filter((failure) => failure.user === user.id && failure.address === address);

/**
 * A text that is not in the form of a token (a number, a dash, a text) is ignored. An update token has that form, and
 * is refused.
 */
function byToken(state: TrackerState, values: Record<string, unknown>, address: string): Viewer {
  const text = (take(values, 'Bugzilla_token') ?? '').trim();
  if (!/^\d+-./.test(text)) return null;
  const token = state.tokens.get(text);
  const user = state.users.find(({ id }) => id === token?.user);
  const isValid =
    token !== undefined && token.usedAt > state.now() - tokenKeptMs && (token.address ?? address) === address;
  if (!isValid || user === undefined) {
    const why =
      'The cookies or token provide were not valid or have expired. You may login again to get new cookies or a new token.';
    throw new TrackerError(32000, 400, why);
  }
  if (token.usedAt !== state.now()) state.tokens.set(text, { ...token, usedAt: state.now() });
  return user;
}

function byKey(state: TrackerState, values: Record<string, unknown>): Viewer {
  const key = (take(values, 'Bugzilla_api_key') ?? '').trim();
  if (key === '') return null;
  if (state.users.some(({ revokedKeys }) => revokedKeys.includes(key))) {
    throw new TrackerError(306, 400, guesses.keyRevoked);
  }
  const user = state.users.find((candidate) => candidate.apiKey === key);
  if (user !== undefined) return user;
  throw new TrackerError(306, 400, 'The API key you specified is invalid. Please check that you typed it correctly.');
}

function take(values: Record<string, unknown>, name: string): string | null {
  const value = values[name];
  delete values[name];
  return value === undefined || value === null ? null : scalarText(value);
}

/** Issues a token to a user who has logged in with a password. */
export function giveToken(state: TrackerState, user: User, address: string | null): string {
  const token = `${user.id}-${tokenText(`${state.url} ${state.now()} ${state.nextToken}`, way(state, 'tokenLength'))}`;
  state.nextToken += 1;
  state.tokens.set(token, { user: user.id, address, usedAt: state.now() });
  return token;
}

/** Characters from a seed. They may be easy to guess: the sandbox has no secrets. */
export const tokenText = (seed: string, length = 10): string =>
  createHash('sha256').update(seed).digest('base64').replace(/[+/=]/g, '').slice(0, length);

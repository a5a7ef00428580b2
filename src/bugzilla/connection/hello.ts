import type { ZodType, z } from 'zod';
import { parametersSchema, timeSchema, usersSchema, validLoginSchema, versionSchema, whoamiSchema } from '../schema.ts';
import type { Answer } from './answer.ts';
import type { Query, Request, TrackerClient } from './client.ts';
import { type AuthChoice, type AuthStyle, authStyles } from './credentials.ts';
import { isNotTold, isUnanswered, TrackerError } from './errors.ts';

export interface Identity {
  /** Our own account; null if the tracker cannot report it. */
  readonly login: string | null;
  /** Its number; absent if the tracker does not report it. */
  readonly id?: number | undefined;
  /** How to send the key from now on. */
  readonly style: AuthStyle;
}

export interface Hello extends Identity {
  readonly version: string;
  /** How far the web server's clock is ahead of the database's; null if the tracker does not report it. */
  readonly skewMs: number | null;
}

export interface Introduction {
  readonly choice: AuthChoice;
  readonly login: string | null;
  ask<T>(style: AuthStyle, path: Request['path'], query: Query, schema: ZodType<T>): Promise<Answer<T>>;
}

/** Verifies our account, and reads the version and features of the tracker. Throws `TrackerError`. */
export async function introduce(introduction: Introduction): Promise<Hello> {
  const identity = await identifyByNumber(introduction);
  const { ask } = introduction;
  const version = await ask(identity.style, ['version'], {}, versionSchema);
  const skewMs = await measureSkew(() => ask(identity.style, ['time'], {}, timeSchema));
  return { ...identity, version: version.body.version, skewMs };
}

/**
 * Verifies that the tracker recognises us. A key sent the wrong way causes no error: the request is simply anonymous,
 * and reads silently lack hidden items, so only a positive confirmation counts. Throws `TrackerError`.
 */
export async function identify(introduction: Introduction): Promise<Identity> {
  const styles = introduction.choice === 'auto' ? authStyles : [introduction.choice];
  const known = { isWhoamiAbsent: false };
  let refusal: TrackerError | null = null;
  for (const style of styles) {
    try {
      const recognized = await recognize(introduction, style, known);
      if (recognized !== null) return { ...recognized, style };
    } catch (failure) {
      if (!(failure instanceof TrackerError) || !isAboutCredentials(failure)) throw failure;
      // "Log in first" (410) only means that the tracker ignored this way of sending the key.
      if (refusal === null || refusal.code === 410) refusal = failure;
      // The tracker read the key and it is wrong: repeating it in other ways only counts against us.
      if (failure.code === 306 && style === 'header') break;
    }
  }
  throw refusal ?? ignored(introduction);
}

type Recognized = Pick<Identity, 'login' | 'id'>;

/** Null if the tracker answers as to an anonymous reader. */
async function recognize(
  introduction: Introduction,
  style: AuthStyle,
  known: { isWhoamiAbsent: boolean },
): Promise<Recognized | null> {
  const byWhoami = known.isWhoamiAbsent
    ? null
    : await unlessAbsent(() => introduction.ask(style, ['whoami'], {}, whoamiSchema));
  known.isWhoamiAbsent = byWhoami === null;
  if (byWhoami !== null) {
    const login = byWhoami.body.name || byWhoami.body.login;
    const { id } = byWhoami.body;
    return login && id !== 0 ? { login, ...(id ? { id } : {}) } : null;
  }
  if (introduction.login !== null) {
    const valid = await introduction.ask(style, ['valid_login'], { login: introduction.login }, validLoginSchema);
    return valid.body.result ? { login: introduction.login } : null;
  }
  const parameters = await unlessAbsent(() => introduction.ask(style, ['parameters'], {}, parametersSchema));
  if (parameters === null)
    throw new TrackerError(
      'refused',
      'The tracker does not report the owner of the key; set our login, which it can confirm',
    );
  return Object.keys(parameters.body.parameters).some((name) => !shownToAnonymous.has(name)) ? { login: null } : null;
}

/** The same, with the number of our account, for which a tracker without `whoami` is asked. Throws `TrackerError`. */
export async function identifyByNumber(introduction: Introduction): Promise<Identity> {
  const identity = await identify(introduction);
  if (identity.login === null || identity.id !== undefined) return identity;
  try {
    const query = { names: identity.login, include_fields: 'id' };
    const { body } = await introduction.ask(identity.style, ['user'], query, usersSchema);
    const id = body.users[0]?.id;
    return id ? { ...identity, id } : identity;
  } catch (failure) {
    // The login was confirmed, and does without a number.
    if (isUnanswered(failure) || (failure instanceof TrackerError && isAboutCredentials(failure))) return identity;
    throw failure;
  }
}

/** The only parameters that 5.x shows to anonymous readers. */
const shownToAnonymous: ReadonlySet<string> = new Set(['maintainer', 'requirelogin']);

async function unlessAbsent<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (failure) {
    if (failure instanceof TrackerError && failure.kind === 'absent') return null;
    throw failure;
  }
}

/** Trackers may refuse an unknown style, so a refusal does not end the search. */
const isAboutCredentials = (failure: TrackerError): boolean =>
  failure.kind === 'credentials' || failure.kind === 'refused' || failure.kind === 'invalid';

function ignored({ choice, login }: Introduction): TrackerError {
  const way = choice === 'auto' ? 'in every way to send it' : `when it is sent as "${choice}"`;
  const account = login === null ? '' : `, or it does not belong to ${login}`;
  return new TrackerError(
    'credentials',
    `The tracker ignores the API key ${way}${account}: it answers as to an anonymous reader. Check the key, the login and the auth setting`,
  );
}

/**
 * The database sets the timestamps of bugs and comments; the web server, or a proxy, sets the date of an answer. The
 * two clocks may differ by minutes, and a cursor that follows the wrong one skips changes.
 */

type TimeAnswer = Answer<z.infer<typeof timeSchema>>;

/**
 * How far the web server's clock is ahead of the database's, in milliseconds, as one answer of `GET /rest/time` shows
 * both; null when the tracker does not report its time. An answer without a date cannot be wrong. Throws
 * `TrackerError`.
 */
async function measureSkew(askTime: () => Promise<TimeAnswer>): Promise<number | null> {
  try {
    const { body, readAt } = await askTime();
    if (!body.db_time) return null;
    return readAt === null ? 0 : readAt - body.db_time;
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw failure;
  }
}

/** The database's own clock. Throws `TrackerError`. */
export async function serverNow(client: TrackerClient): Promise<number> {
  const { body } = await client.read(['time'], {}, timeSchema);
  if (!body.db_time)
    throw new TrackerError(
      'refused',
      'The tracker does not report its time (GET /time); without it, changes cannot be followed',
    );
  return body.db_time;
}

import type { ZodType, z } from 'zod';
import { parametersSchema, timeSchema, validLoginSchema, versionSchema, whoamiSchema } from '../schema.ts';
import type { Answer } from './answer.ts';
import type { Query, Request, TrackerClient } from './client.ts';
import { isNotTold, TrackerError } from './errors.ts';

export interface Identity {
  /** Our own account; null when the tracker has no way to tell. */
  readonly login: string | null;
  /** How the key travels from now on. */
  readonly style: AuthStyle;
}

export interface Hello extends Identity {
  readonly version: string;
  /** How far the web server's clock is ahead of the one that stamps bugs; null when the tracker does not tell. */
  readonly skewMs: number | null;
}

export interface Introduction {
  readonly choice: AuthChoice;
  readonly login: string | null;
  ask<T>(style: AuthStyle, path: Request['path'], query: Query, schema: ZodType<T>): Promise<Answer<T>>;
}

/** Proves who we are, and asks what the tracker says of itself. Throws `TrackerError`. */
export async function introduce(introduction: Introduction): Promise<Hello> {
  const identity = await identify(introduction);
  const { ask } = introduction;
  const version = await ask(identity.style, ['version'], {}, versionSchema);
  const skewMs = await measureSkew(() => ask(identity.style, ['time'], {}, timeSchema));
  return { ...identity, version: version.body.version, skewMs };
}

/**
 * Proves that the tracker knows who we are. A key sent the wrong way is no error anywhere: the call is simply
 * anonymous, reads silently lack what is hidden from strangers, so only a positive proof counts. Throws `TrackerError`.
 */
export async function identify(introduction: Introduction): Promise<Identity> {
  const styles = introduction.choice === 'auto' ? authStyles : [introduction.choice];
  const known = { isWhoamiAbsent: false };
  let refusal: TrackerError | null = null;
  for (const style of styles) {
    try {
      const visibility = await checkVisibility(introduction, style, known);
      if (visibility !== null) return { login: visibility.login, style };
    } catch (failure) {
      if (!(failure instanceof TrackerError) || !isAboutCredentials(failure)) throw failure;
      // "Log in first" (410) only says that this way was not looked at.
      if (refusal === null || refusal.code === 410) refusal = failure;
      // The key was read and is wrong: sending it again in other ways only counts against us.
      if (failure.code === 306 && style === 'header') break;
    }
  }
  throw refusal ?? ignored(introduction);
}

interface Proof {
  readonly login: string | null;
}

/** Null when the tracker answers as it would to a stranger. */
async function checkVisibility(introduction: Introduction, style: AuthStyle, known: { isWhoamiAbsent: boolean }): Promise<Proof | null> {
  const byWhoami = known.isWhoamiAbsent ? null : await unlessAbsent(() => introduction.ask(style, ['whoami'], {}, whoamiSchema));
  known.isWhoamiAbsent = byWhoami === null;
  if (byWhoami !== null) {
    const login = byWhoami.body.name || byWhoami.body.login;
    return login && byWhoami.body.id !== 0 ? { login } : null;
  }
  if (introduction.login !== null) {
    const valid = await introduction.ask(style, ['valid_login'], { login: introduction.login }, validLoginSchema);
    return valid.body.result ? { login: introduction.login } : null;
  }
  const parameters = await unlessAbsent(() => introduction.ask(style, ['parameters'], {}, parametersSchema));
  if (parameters === null)
    throw new TrackerError('refused', 'The tracker cannot tell whose key it is; set our login, which it can confirm');
  return Object.keys(parameters.body.parameters).some((name) => !shownToAnonymous.has(name)) ? { login: null } : null;
}

/** The only parameters that 5.x tells to a caller who is not logged in. */
const shownToAnonymous: ReadonlySet<string> = new Set(['maintainer', 'requirelogin']);

async function unlessAbsent<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (failure) {
    if (failure instanceof TrackerError && failure.kind === 'absent') return null;
    throw failure;
  }
}

/** Trackers that do not know one style may also refuse it outright, so a refusal is not yet the end of the search. */
const isAboutCredentials = (failure: TrackerError): boolean =>
  failure.kind === 'credentials' || failure.kind === 'refused' || failure.kind === 'invalid';

function ignored({ choice, login }: Introduction): TrackerError {
  const way = choice === 'auto' ? 'in every way it can be sent' : `when it is sent as "${choice}"`;
  const account = login === null ? '' : `, or it does not belong to ${login}`;
  return new TrackerError(
    'credentials',
    `The tracker ignores the API key ${way}${account}: it answers as to a stranger. Check the key, the login and the auth setting`,
  );
}

/**
 * How the API key travels. 5.0 and 5.2 ignore every header without a word and take a parameter; later ones take the
 * header; Red Hat's takes `Authorization: Bearer` alone. `query` means the parameter, and in the body of a write.
 */
const authStyles = ['header', 'query', 'bearer'] as const;
export type AuthStyle = (typeof authStyles)[number];
export type AuthChoice = AuthStyle | 'auto';

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Joins the query of a read and the body of a write, so that writes leave no key in access logs. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** With `auto`, header and parameter both: each family takes the one it knows. Without a key the caller is a stranger. Throws `TrackerError`. */
export function credentials(choice: AuthChoice, apiKey: string | null): Credentials {
  if (apiKey === null) return { headers: {}, parameters: {} };
  if (!/^[ -~]*$/.test(apiKey)) {
    throw new TrackerError(
      'credentials',
      'The API key holds characters that no key has, such as a line break; check where it is read from',
    );
  }
  if (choice === 'bearer') return { headers: { Authorization: `Bearer ${apiKey}` }, parameters: {} };
  return {
    headers: choice === 'query' ? {} : { 'X-BUGZILLA-API-KEY': apiKey },
    parameters: choice === 'header' ? {} : { api_key: apiKey },
  };
}

/** Takes the key out of anything that is shown, also where it stands URL-encoded. */
export function keyScrubber(apiKey: string | null): (text: string) => string {
  if (apiKey === null) return (text) => text;
  const forms = new Set([apiKey, encodeURIComponent(apiKey), new URLSearchParams({ k: apiKey }).toString().slice(2)]);
  const longestFirst = [...forms].filter((form) => form !== '').sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, form) => clean.replaceAll(form, '[key]'), text);
}

/**
 * Bugs and comments are stamped by the database; an answer is dated by the web server, or by a proxy before it. The two clocks
 * may run minutes apart, and a cursor that follows the wrong one passes by what is stamped behind it.
 */

type TimeAnswer = Answer<z.infer<typeof timeSchema>>;

/**
 * How far the web server's clock is ahead of the database's, in milliseconds, as one answer of `GET /rest/time` shows both; null
 * when the tracker does not report its time. An answer without a date has nothing that could be wrong. Throws `TrackerError`.
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
  if (!body.db_time) throw new TrackerError('refused', 'The tracker tells no time (GET /time); without it, changes cannot be followed');
  return body.db_time;
}

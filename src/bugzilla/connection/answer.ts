/** Decodes the tracker's answers, and the simple values in them, which versions write differently. */

import { type ZodType, z } from 'zod';
import { botCheckInWords, isBotCheck } from '../../model/answers/bot-check.ts';
import { httpDate } from '../../model/answers/http-date.ts';
import type { ReceivedHeaders } from '../../model/runtime.ts';
import { sideErrorOf } from '../outcome.ts';
import {
  firstLine,
  kindOfStatus,
  kindOfTrackerCode,
  TrackerError,
  type TrackerErrorKind,
  trackerCode,
} from './errors.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReceivedHeaders;
  readonly text: string;
}

export interface Answer<T> {
  readonly body: T;
  /**
   * The time of the answer, epoch milliseconds; null if not reported. `decode` takes it from the web server, and the
   * client then converts it to the clock of the database.
   */
  readonly readAt: number | null;
}

interface Context {
  /** The request, for messages: `GET /bug/12`. */
  readonly about: string;
  /** Epoch milliseconds; null without a clock. */
  readonly now: number | null;
  readonly scrub: (text: string) => string;
}

/**
 * Decodes an HTTP answer, or throws `TrackerError`. An error may come with a success status (100500), and a success
 * status with a page instead of JSON, so the body decides if there is one.
 */
export function decode<T>(raw: RawAnswer, schema: ZodType<T>, context: Context): Answer<T> {
  const body = parseJson(raw.text);
  if (body === undefined) throw notJson(raw, context);
  if (isErrorBody(body)) throw trackerSaid(body, raw, context);
  if (raw.status < 200 || raw.status > 299) throw notJson(raw, context);
  const parsed = schema.safeParse(body);
  if (parsed.success) return { body: parsed.data, readAt: dateOf(raw.headers, 'date') };
  const issue = parsed.error.issues[0];
  const where = issue === undefined ? 'the answer' : `${issue.path.join('.')}: ${issue.message}`;
  throw failure('unknown-outcome', `answered ${context.about} with an unexpected answer (${where})`, raw, context);
}

/** A read whose failures the rooms behind the edge understand. */
export async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (failure) {
    throw sideErrorOf(failure);
  }
}

interface ErrorBody {
  readonly error: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body && Boolean(body.error);
}

function trackerSaid(body: ErrorBody, raw: RawAnswer, context: Context): TrackerError {
  const code = trackerCode(body.code);
  const text =
    typeof body.message === 'string' ? body.message : typeof body.error === 'string' ? body.error : 'no reason given';
  const isLimited = raw.status === 429;
  const kind =
    code === null || isLimited ? kindOfStatus(raw.status, raw.headers.has('retry-after')) : kindOfTrackerCode(code);
  const number = code === null ? `HTTP ${raw.status}` : `code ${code}`;
  const advice = kind === 'credentials' ? '. Check the API key and the account it belongs to' : '';
  return failure(kind, `${verbOf(kind)} ${context.about}: ${firstLine(text)} (${number})${advice}`, raw, context, code);
}

function verbOf(kind: TrackerErrorKind): string {
  if (kind === 'unknown-outcome') return 'failed on';
  return kind === 'credentials' ? 'does not accept the credentials on' : 'refused';
}

function notJson(raw: RawAnswer, context: Context): TrackerError {
  const kind = kindOfStatus(raw.status, raw.headers.has('retry-after'));
  return failure(kind, `${wordsOfStatus(raw)} ${context.about}`, raw, context);
}

function wordsOfStatus({ status, headers, text }: RawAnswer): string {
  if (status >= 300 && status < 400) {
    return `redirects to ${placeOf(headers.get('location'))}; set its actual address in the configuration. It got`;
  }
  if (isBotCheck(text)) return `gave ${botCheckInWords} (HTTP ${status}). It got`;
  if (status === 414) return 'finds the address too long of';
  if (status === 429) return 'asks to slow down (HTTP 429) on';
  if (status === 503) return 'is shut down or overloaded (HTTP 503) on';
  if (text === '') return `gave an empty answer (HTTP ${status}) to`;
  const cause =
    status >= 500 ? 'it failed, or a proxy in front of it' : 'there is a proxy in front of it, or the address is wrong';
  return `gave a page instead of JSON (HTTP ${status}); ${cause}. It got`;
}

/** Without the path of the interface, the query, which may repeat ours, and without a password. */
function placeOf(location: string | null | undefined): string {
  const address = location == null ? '' : location.replace(/[?#].*/s, '').replace(/^([a-z]+:)?\/\/[^/]*@/i, '$1//');
  const place = address.replace(/\/rest(\.cgi)?(\/.*)?$/, '');
  return place === '' ? 'another address' : place;
}

function failure(
  kind: TrackerErrorKind,
  what: string,
  raw: RawAnswer,
  context: Context,
  code: number | null = null,
): TrackerError {
  const retryAfterMs = retryAfterOf(raw.headers, context.now);
  const retryAt = retryAfterMs === null || context.now === null ? null : context.now + retryAfterMs;
  return new TrackerError(kind, context.scrub(`The tracker ${what}`), {
    code,
    status: raw.status,
    retryAfterMs,
    retryAt,
  });
}

/** The longest backoff that a header can cause, as at GitHub: after a longer outage, the tracker is asked once a day. */
const longestBackoffMs = 24 * 3_600_000;

/** `Retry-After` is in seconds, or a date by the server's clock: relative to its own `Date`, it has no skew. */
function retryAfterOf(headers: ReceivedHeaders, now: number | null): number | null {
  const value = headers.get('retry-after');
  if (value == null) return null;
  if (/^\d+$/.test(value.trim())) return Math.min(longestBackoffMs, Number(value) * 1000);
  const at = httpDate(value);
  const from = dateOf(headers, 'date') ?? now;
  return at === null || from === null ? null : Math.min(longestBackoffMs, Math.max(0, at - from));
}

const dateOf = (headers: ReceivedHeaders, name: string): number | null => httpDate(headers.get(name) ?? '');

/** Half a character: of an emoji that the tracker stored or cut as two. */
const half = /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]/u;

/** No text has half a character: it could be neither sent nor stored. */
function parseJson(text: string): unknown {
  try {
    if (!half.test(text)) return JSON.parse(text);
    return JSON.parse(text, (_key, value) => (typeof value === 'string' ? value.toWellFormed() : value));
  } catch {
    return undefined;
  }
}

/**
 * Simple values in the tracker's answers. Versions differ (numbers as strings, booleans as 0 and 1, absent keys or
 * null, one value or a list of one), and none of these is a reason to reject an answer.
 */
export const whole = z.union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)]);
export const flag = z.union([
  z.boolean(),
  z.number().transform((value) => value !== 0),
  z.enum(['0', '1']).transform((value) => value === '1'),
]);
/** One text; some installations send a list of one, as Red Hat's does for components and versions. */
export const one = z.union([z.string(), z.array(z.string()).transform((values) => values[0] ?? '')]);
export const text = one.nullish();
export const texts = z.array(z.string()).nullish();

/** A number of hours: `1.5`, or `"1.50"`. */
export const hours = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
]);

/** A text; null means empty. */
export const textOrNothing = one.nullable().transform((value) => value ?? '');

/** A list of texts; a single text or null if the installation allows only one (an alias on BMO). */
export const list = z.union([
  z.array(z.string()),
  z.string().transform((value) => (value === '' ? [] : [value])),
  z.null().transform(() => []),
]);

/** A list of ids; null means empty. */
export const wholes = z.union([z.array(whole), z.null().transform(() => [])]);

/**
 * An object that may have null for unreported values: treats null as absent for keys where null has no meaning of its
 * own.
 */
export function tolerant<Shape extends z.ZodRawShape>(object: z.ZodObject<Shape>) {
  const refusing = Object.entries(object.shape).filter(([, field]) => !z.safeParse(field, null).success);
  const untold = new Set(refusing.map(([name]) => name));
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([name, one]) => one !== null || !untold.has(name)));
  }, object);
}

/**
 * A time for the tracker: whole seconds, always with a zone, as the tracker reads a time without one as server-local.
 * Throws `TrackerError` for times outside the years 0 to 9999, which this format cannot express.
 */
export function trackerTime(at: number): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999))
    throw new TrackerError('invalid', `${at} is not a time; it must be epoch milliseconds`);
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Times are `2026-11-21T09:37:52Z`; some answers omit the zone but still mean UTC. Epoch milliseconds. */
export const instant = z.string().transform((value, context) => {
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
  if (!Number.isNaN(at)) return at;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});

/**
 * 5.0 and 5.3 store characters beyond U+FFFF as codes, and one of their answers shows these: `U+FDD0 [U+1F98A] U+FDD1`.
 */
export const unescaped = (text: string): string =>
  text.replace(/\ufdd0\[U\+((?:10|[1-9A-F])[0-9A-F]{4})\]\ufdd1/gu, (_whole, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );

/** The text of a comment, in the characters that its author typed. */
export const commentText = text.transform((value) => (typeof value === 'string' ? unescaped(value) : value));

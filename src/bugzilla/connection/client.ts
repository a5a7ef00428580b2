import { type ZodType, z } from 'zod';
import { noAnswerOf } from '../../model/answers/no-answer.ts';
import { withoutSlash } from '../../model/named.ts';
import {
  type Cost,
  type Fetch,
  type Lane,
  type ReceivedHeaders,
  type RowReader,
  unwatchedRows,
} from '../../model/runtime.ts';
import { httpFetch } from '../../runtime/http-fetch.ts';
import { type Answer, decode, type RawAnswer } from './answer.ts';
import { failing } from './asked-at-one.ts';
import { type AuthChoice, credentials, keyScrubber } from './credentials.ts';
import { TrackerError } from './errors.ts';
import { type Hello, type Identity, type Introduction, identify, identifyByNumber, introduce } from './hello.ts';

export interface TrackerClientOptions {
  /** Where the tracker is installed; `/rest` follows it, unless it ends in `/rest` or `/rest.cgi` itself. */
  readonly url: string;
  /** Asked before each request if it may be rotated; null for anonymous requests. */
  readonly apiKey: string | (() => string) | null;
  /** Our own account, for trackers that cannot report it; they can confirm it. */
  readonly login?: string | null;
  readonly auth: AuthChoice;
  readonly lane: Lane;
  /** The timeout of one request. */
  readonly timeoutMs: number;
  /** Our clock, epoch milliseconds: turns `Retry-After` into a time, and checks the dates of answers. */
  readonly now?: () => number;
  readonly fetch?: Fetch;
  readonly rows?: RowReader;
  /**
   * When the last pause ends or ended that the tracker asked for, perhaps in an earlier process. With it, a read at
   * which alone the tracker asks for pauses fails with `unknown-outcome`.
   */
  readonly lastPause?: () => number | null;
}

export type QueryValue = string | number | readonly (string | number)[];
export type Query = Readonly<Record<string, QueryValue>>;

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/rest`, not encoded: `['bug', 12, 'comment']`. */
  readonly path: readonly (string | number)[];
  readonly query?: Query;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly cost: Cost;
}

/** Requests to one tracker with one account. Every method throws `TrackerError`, and nothing is retried. */
export interface TrackerClient {
  readonly url: string;
  /** Reads what concerns one bug of an answer. */
  readonly rows: RowReader;
  /**
   * Verifies the credentials, detects with `auto` how to send the key, and measures the difference between the web
   * server's `Date` and the database's clock: from then on, every `readAt` uses the latter. One that is far from our
   * own clock counts as not reported, as one answer with a wrong date must not move a cursor: the caller asks the
   * database. Call it before anything else, and repeat it from time to time.
   * @param known what an earlier hello found: then nothing is asked
   */
  hello(known?: Hello): Promise<Hello>;
  /**
   * The first half of that: our account, and how to send the key. Null for anonymous clients, which have nothing to
   * verify.
   */
  identify(): Promise<Identity | null>;
  /** The same, with the number of our account. */
  identifyByNumber(): Promise<Identity | null>;
  read<T>(path: Request['path'], query: Query, schema: ZodType<T>): Promise<Answer<T>>;
  create<T>(path: Request['path'], body: Record<string, unknown>, schema: ZodType<T>): Promise<Answer<T>>;
  edit<T>(path: Request['path'], body: Record<string, unknown>, schema: ZodType<T>): Promise<Answer<T>>;
}

/** Throws `TypeError` for an address that cannot be a tracker. */
export function createTrackerClient({ apiKey, ...rest }: TrackerClientOptions): TrackerClient {
  const keys = new Set<string>();
  const currentKey = (): string | null => {
    const key = (typeof apiKey === 'function' ? apiKey() : apiKey)?.trim() ?? null;
    if (key !== null) keys.add(key);
    return key;
  };
  const options = { ...rest, currentKey };
  const { url, root } = serverOf(options.url);
  const scrub = (text: string): string => [...keys].reduce((clean, key) => keyScrubber(key)(clean), text);
  const connection = { root, scrub, options };
  let choice: AuthChoice = options.auth;
  let skewMs: number | null = 0;
  const ask = <T>(request: Request, schema: ZodType<T>, style: AuthChoice): Promise<Answer<T>> =>
    options.lane.run(request.cost, async () => {
      const raw = await exchange(connection, request, style);
      return decode(raw, schema, {
        about: `${request.method} ${pathOf(request)}`,
        now: options.now?.() ?? null,
        scrub,
      });
    });
  const another: Request = { method: 'GET', path: ['bug'], query: anyBug, cost: 'read' };
  const { lastPause, now: clock } = options;
  const failed =
    lastPause === undefined || clock === undefined
      ? (failure: unknown) => Promise.reject(failure)
      : failing({ now: clock, lastPause, readAnother: () => ask(another, z.unknown(), choice) });
  const send = async <T>(request: Request, schema: ZodType<T>): Promise<Answer<T>> => {
    const sent = ask(request, schema, choice);
    const isRead = request.method === 'GET';
    const { body, readAt } = await (isRead ? sent.catch(failed) : sent);
    if (readAt === null || skewMs === null) return { body, readAt };
    const now = options.now?.() ?? null;
    const isFar = now !== null && Math.abs(readAt - skewMs - now) > believedMs;
    return { body, readAt: isFar && isRead ? null : readAt - skewMs };
  };
  const introduction: Introduction = {
    choice: options.auth,
    login: options.login ?? null,
    ask: (style, path, query, schema) => ask({ method: 'GET', path, query, cost: 'read' }, schema, style),
  };
  const verified = async (how: (introduction: Introduction) => Promise<Identity>): Promise<Identity | null> => {
    if (apiKey === null) return null;
    const identity = await how(introduction);
    choice = identity.style;
    return identity;
  };

  return {
    url,
    rows: options.rows ?? unwatchedRows,
    async hello(known) {
      const hello = known ?? (await introduce(introduction));
      choice = hello.style;
      skewMs = hello.skewMs;
      return hello;
    },
    identify: () => verified(identify),
    identifyByNumber: () => verified(identifyByNumber),
    read: (path, query, schema) => send({ method: 'GET', path, query, cost: 'read' }, schema),
    create: (path, body, schema) => send({ method: 'POST', path, body, cost: 'create' }, schema),
    edit: (path, body, schema) => send({ method: 'PUT', path, body, cost: 'edit' }, schema),
  };
}

/**
 * How far the clock of the database may be from ours for a date to be believed: no further than cursors stay behind it.
 */
const believedMs = 5 * 60_000;

/** The length of a query in bytes, for callers that must keep URLs short. */
export const queryLength = (query: Query): number => search(query).length;

interface Connection {
  /** The address of the REST interface itself. */
  readonly root: string;
  readonly scrub: (text: string) => string;
  readonly options: Omit<TrackerClientOptions, 'apiKey'> & { readonly currentKey: () => string | null };
}

/**
 * One HTTP request. Redirects are not followed: a write would lose its body, and a read would send the key to another
 * host.
 */
async function exchange({ root, scrub, options }: Connection, request: Request, style: AuthChoice): Promise<RawAnswer> {
  const { headers, parameters } = credentials(style, options.currentKey());
  const isRead = request.method === 'GET';
  const query = isRead ? { ...request.query, ...parameters } : (request.query ?? {});
  const ask = options.fetch ?? httpFetch;
  try {
    const response = await ask(`${root}${pathOf(request)}${search(query)}`, {
      method: request.method,
      headers: {
        Accept: 'application/json',
        'User-Agent': 'bugferry',
        ...(isRead ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: isRead ? null : asciiJson({ ...request.body, ...parameters }),
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, headers: withFullLocation(response.headers, root), text };
  } catch (failure) {
    const { words, isUnsent } = noAnswerOf(failure);
    const what = isUnsent ? 'cannot be reached; check the address and the network' : 'gave no complete answer';
    const why = `The tracker ${what} (${request.method} ${pathOf(request)}): ${scrub(words)}`;
    throw new TrackerError(isUnsent ? 'unavailable' : 'unknown-outcome', why);
  }
}

/** Where a redirect leads to, as an address that a person can use. */
function withFullLocation(given: ReceivedHeaders, root: string): ReceivedHeaders {
  const location = given.get('location');
  if (location == null || !URL.canParse(location, root)) return given;
  return new Map([...given, ['location', new URL(location, root).href]]);
}

/** A read that names no bug. */
const anyBug: Query = { f1: 'bug_id', o1: 'greaterthan', v1: 0, order: 'bug_id', limit: 1, include_fields: 'id' };

const pathOf = (request: Request): string => request.path.map((part) => `/${encodeURIComponent(part)}`).join('');

function search(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = typeof value === 'string' || typeof value === 'number' ? [value] : value;
    for (const one of values) parameters.append(name, String(one));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** The REST interface is at `/rest`; without URL rewriting, it is at `/rest.cgi`, and the address must say so. */
function serverOf(address: string): { readonly url: string; readonly root: string } {
  const parsed = URL.canParse(address) ? new URL(address) : null;
  // The error does not repeat the address, as it may contain a password.
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError('The address of the tracker is invalid; it must be like https://bugzilla.example.org');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new TypeError(
      `The address of the tracker at ${parsed.host} contains a name or a password; remove them, and use an API key`,
    );
  }
  const given = withoutSlash(parsed.origin + parsed.pathname);
  const url = given.replace(/\/rest(\.cgi)?$/, '');
  return { url, root: given === url ? `${url}/rest` : given };
}

/**
 * A value as JSON in ASCII: all other characters become `\uXXXX`, beyond the first plane two of them. 5.1 and 5.3 read
 * the bytes of a body as Latin-1, with or without a charset in its type, and store "ü" as "Ã¼"; every version reads
 * escapes correctly. Measured on 5.0.6, 5.2, 5.3.3 and harmony.
 */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

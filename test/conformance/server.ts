import { asciiJson } from '../live/ascii-json.ts';

/**
 * The plain HTTP client of the suite: it knows paths, queries and JSON, and nothing about the server. One request at a
 * time, each with a time limit, so that a tracker that others use is not troubled.
 */

export type Body = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, string | number | readonly (string | number)[]>>;

export interface Reply {
  readonly status: number;
  /** The parsed JSON; the text itself when it is none. */
  readonly body: unknown;
  readonly headers: Headers;
  /** Method and path without the query, where a key may stand. */
  readonly asked: string;
}

export interface Caller {
  readonly name: string;
  get(path: string, query?: Query): Promise<Reply>;
  post(path: string, body: Body): Promise<Reply>;
  put(path: string, body: Body): Promise<Reply>;
  /** A request exactly as it is given: nothing is added, no key either. */
  raw(method: string, path: string, init?: RawRequest): Promise<Reply>;
}

export interface RawRequest {
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const timeoutMs = 60_000;

/**
 * @param url where `/rest` lies, with or without a slash at the end
 * @param key the API key that goes into the query of reads and into the body of writes; null asks anonymously
 */
export function openServer(url: string, name: string, key: string | null): Caller {
  const root = url.replace(/\/+$/u, '');
  const identity: Body = key === null ? {} : { Bugzilla_api_key: key };
  const raw: Caller['raw'] = (method, path, init = {}) => send(`${root}/rest`, method, path, init);
  const write = (method: string, path: string, body: Body) =>
    raw(method, path, { headers: { 'Content-Type': 'application/json' }, body: asciiJson({ ...body, ...identity }) });
  return {
    name,
    raw,
    get: (path, query = {}) =>
      raw('GET', path, { query: { ...query, ...(key === null ? {} : { Bugzilla_api_key: key }) } }),
    post: (path, body) => write('POST', path, body),
    put: (path, body) => write('PUT', path, body),
  };
}

async function send(
  root: string,
  method: string,
  path: string,
  { query = {}, headers = {}, body }: RawRequest,
): Promise<Reply> {
  const asked = `${method} /rest${path}`;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, String(one));
  const target = `${root}${path}${search.size === 0 ? '' : `?${search}`}`;
  const answer = await fetch(target, {
    method,
    headers: { Accept: 'application/json', ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body }),
  }).catch((cause: unknown) => {
    // What fetch says may hold the address, and the address may hold the key.
    const why =
      cause instanceof Error && cause.cause instanceof Error && 'code' in cause.cause
        ? ` (${String(cause.cause.code)})`
        : '';
    throw new Error(`${asked}: the tracker did not answer${why}`);
  });
  const text = await answer.text();
  return { status: answer.status, body: parsed(text), headers: answer.headers, asked };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { way } from '../installation/versions.ts';
import type { TrackerState } from '../world/state.ts';
import { TrackerError } from './errors.ts';
import { tokenText } from './login.ts';
import { scalarText } from './request.ts';

/** An answer before it is formatted. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** The function that the answer is wrapped in; null for none. */
  readonly callback: string | null;
  readonly isAnonymous: boolean;
}

const types = ['application/json', 'application/javascript', 'text/javascript', 'text/html'] as const;
export type AnswerType = (typeof types)[number];

/**
 * The format that the client prefers: the first of its weighted list that the server has. `*` matches nothing, so
 * clients must name a format.
 */
function answerType(accept: string): AnswerType {
  const liked = accept
    .split(',')
    .map((part, index) => ({
      name: /\S+\/[^;\s]+/.exec(part)?.[0],
      weight: Number(/q=(\d\.\d+|\d+)/.exec(part)?.[1] ?? 1 - index / 1000),
    }))
    .sort((one, other) => other.weight - one.weight);
  for (const { name } of liked) {
    const type = types.find((candidate) => candidate === name);
    if (type !== undefined) return type;
  }
  return 'application/json';
}

const callbackIn = (values: Readonly<Record<string, unknown>>): string => scalarText(values['callback']).trim();

/** Whether the callback, if there is any, is no more than a name. */
export const mayCallBack = (values: Readonly<Record<string, unknown>>): boolean =>
  /^[\w.[\]]*$/.test(callbackIn(values));

/**
 * The callback function that a script names for the answer. Throws 32611 for anything that could be more than a name.
 */
export function callbackOf(context: Context, values: Readonly<Record<string, unknown>>): string | null {
  const wanted = callbackIn(values);
  if (wanted === '')
    return answerType(context.req.header('Accept') ?? '') === 'application/javascript' ? 'callback' : null;
  if (mayCallBack(values)) return wanted;
  const why = "only letters, numbers, and the following characters are allowed in the 'callback' parameter: []._";
  throw new TrackerError(
    32611,
    400,
    `You cannot use '${wanted}' as your 'callback' parameter. For security reasons, ${why}`,
  );
}

/** Formats an answer as requested, with an ETag and the cookie for anonymous readers. */
export function respond(
  context: Context,
  state: TrackerState,
  { status, body, callback, isAnonymous }: Reply,
): Response {
  const text = JSON.stringify(body);
  const liked = answerType(context.req.header('Accept') ?? '');
  const type = liked === 'text/html' && !way(state, 'htmlAnswers') ? 'application/json' : liked;
  const etag = createHash('md5').update(text).digest('base64').replace(/=+$/, '');
  const headers = new Headers({
    ETag: etag,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': allowedHeaders,
  });
  const isRead = context.req.method === 'GET';
  if (isAnonymous && isRead && !(context.req.header('Cookie') ?? '').includes(cookieName)) {
    headers.set('Set-Cookie', `${cookieName}=${tokenText(`${state.now()}`)}; path=/; HttpOnly`);
  }
  if (isRead && isKnown(context.req.header('If-None-Match'), etag)) return new Response(null, { status: 304, headers });
  const isPage = type === 'text/html' && callback === null;
  const answered = isPage ? 'text/html' : callback === null ? type : 'text/javascript';
  headers.set('Content-Type', `${answered}; charset=UTF-8`);
  const script = callback === null ? text : `/**/${callback}(${text})`;
  return new Response(isPage ? pageOf(state, body) : script, { status, headers });
}

const allowedHeaders = 'origin, content-type, accept, x-requested-with';
const cookieName = 'Bugzilla_login_request_cookie';

const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(/[\s,]+/).some((known) => known === '*' || known.replace(/^"|"$/g, '') === etag);

const pageOf = (state: TrackerState, body: unknown): string => `<!DOCTYPE html>
<html>
  <head>
    <title>Bugzilla::REST::API</title>
    <link href="${inPage(state.url)}/skins/standard/global.css?1725376744"
          rel="stylesheet" type="text/css">
  </head>
  <body>
    <pre>${inPage(indented(body, ''))}
</pre>
  </body>
</html>`;

const inPage = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('@', '&#64;');

/** Indented JSON: sorted names, three spaces for each level, spaces around the colon. */
function indented(value: unknown, margin: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${margin}   `;
  const isList = Array.isArray(value);
  const rows = isList
    ? value.map((element) => indented(element, deeper))
    : Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, content]) => `${JSON.stringify(name)} : ${indented(content, deeper)}`);
  const [open, close] = isList ? '[]' : '{}';
  return rows.length === 0
    ? `${open}${close}`
    : `${open}\n${rows.map((row) => deeper + row).join(',\n')}\n${margin}${close}`;
}

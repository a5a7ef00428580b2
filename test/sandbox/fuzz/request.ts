import { type Route, routes } from '../../../src/sandbox/tracker/server/routes.ts';
import type { TrackerState, User } from '../../../src/sandbox/tracker/world/state.ts';
import type { Random } from '../../support/random.ts';
import * as fields from './fields.ts';
import { oddNames, oddText, oddValue } from './values.ts';

export interface FuzzRequest {
  readonly method: string;
  /** The route that the path was made for: `/bug/:name/comment`. */
  readonly route: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** Everybody whom the tracker might take the caller for. */
  readonly callers: readonly (User | null)[];
}

interface Draft {
  readonly method: string;
  readonly route: string;
  path: string;
  readonly query: [string, unknown][];
  values: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly callers: (User | null)[];
}

/** How wild a request is: nothing odd, one odd thing in a good request, or odd things everywhere. */
type Mood = 'tame' | 'spoiled' | 'wild';

/**
 * One request out of all that could be sent to a tracker in this state. The same state and the same draws make the same
 * request.
 */
export function fuzzRequest(random: Random, state: TrackerState): FuzzRequest {
  const mood: Mood = random.chance(0.55) ? 'tame' : random.chance(0.6) ? 'spoiled' : 'wild';
  const { method, path: route } = someRoute(random);
  const draft: Draft = { method, route, path: '', query: [], values: {}, headers: {}, callers: [] };
  draft.path = pathOf(random, state, draft, mood);
  if (method === 'GET') addQuery(random, state, draft);
  else addValues(random, state, draft);
  const spoiled = mood === 'tame' ? 0 : mood === 'spoiled' ? 1 : 1 + random.below(4);
  for (let count = 0; count < spoiled; count += 1) spoil(random, draft);
  identify(random, state, draft);
  return sent(random, draft, mood);
}

/** Writes are rarer than reads among the routes, and matter more. */
function someRoute(random: Random): Pick<Route, 'path'> & { readonly method: string } {
  const draw = random.next();
  if (draw < 0.02)
    return {
      method: random.pick(['HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'PUT', 'POST']),
      path: random.pick(routes).path,
    };
  if (draw < 0.03)
    return { method: 'GET', path: random.pick(['/', '/show_bug.cgi', '/nowhere', '/bug/1/nothing', '/whoami']) };
  if (draw < 0.06) return { method: 'POST', path: '/jsonrpc.cgi' };
  if (draw < 0.6) return random.pick(routes.filter(({ method }) => method !== 'GET'));
  if (draw < 0.67) return { method: 'GET', path: '/bug' };
  return random.chance(0.6)
    ? random.pick(routes.filter(({ path, method }) => method === 'GET' && /^\/bug(?:\/|$)/.test(path)))
    : random.pick(routes);
}

const names: Readonly<Record<string, fields.Make>> = {
  user: (random) => random.pick(['alice@example.test', '3', 'nobody@example.test']),
  group: (random) => random.pick(['security', '16', 'nope']),
  field: (random) => random.pick(['bug_status', 'component', 'cf_area', '3', 'severity']),
  product: (random) => random.pick(['Widget', 'secret', '2', 'Nope']),
  classification: () => 'Unclassified',
  flag_type: (random) => random.pick(['Widget', 'Secret', 'Gadget']),
  comment: fields.commentOf,
  tags: (random) => random.pick(['spam', 's', 'o%', '_p']),
  attachment: fields.attachmentOf,
};

function pathOf(random: Random, state: TrackerState, { route, method }: Draft, mood: Mood): string {
  const kind = /^\/bug\/comment\/tags/.test(route)
    ? 'tags'
    : (/^\/(?:bug\/)?(user|group|field|product|classification|flag_type|comment|attachment)\b/.exec(route)?.[1] ?? '');
  const make =
    names[kind] ?? ((draws, from) => (draws.chance(0.1) ? `alias-${draws.below(30)}` : fields.bugOf(draws, from)));
  const isOdd = mood === 'wild' ? random.chance(0.5) : mood === 'spoiled' && random.chance(0.12);
  const name = (): string => {
    if (!isOdd) return encodeURIComponent(String(make(random, state)));
    const text = oddText(random).slice(0, 3000).toWellFormed();
    return random.chance(0.3) ? text.replace(/[?#\s]/g, '-') : encodeURIComponent(text);
  };
  const path = route.replace(/:product|:name\{.*?\}|:name/g, (part) =>
    part.includes('{') ? 'Widget/Core' : part === ':product' ? '2' : name(),
  );
  const isPage = ['/', '/show_bug.cgi', '/jsonrpc.cgi'].includes(route);
  const isLong = method === 'GET' && random.chance(0.003);
  return `${isPage ? '' : random.chance(0.05) ? '/rest.cgi' : '/rest'}${path}${isLong ? 'x'.repeat(9000) : ''}`;
}

function some(
  random: Random,
  state: TrackerState,
  makes: fields.Makes,
  most: number,
  always: readonly string[] = [],
): [string, unknown][] {
  const chosen = new Set([
    ...always,
    ...Array.from({ length: random.below(most + 1) }, () => random.pick(Object.keys(makes))),
  ]);
  return [...chosen].map((name) => [name, makes[name]?.(random, state)]);
}

function addQuery(random: Random, state: TrackerState, { route, query }: Draft): void {
  if (route === '/show_bug.cgi') query.push(['id', fields.bugOf(random, state)]);
  else if (route === '/bug') query.push(...some(random, state, fields.criteria, 5));
  else query.push(...some(random, state, fields.reading, 2));
  if (random.chance(0.1)) query.push(random.pick(query.length === 0 ? [['ids', 1]] : query));
}

function addValues(random: Random, state: TrackerState, draft: Draft): void {
  const { route } = draft;
  const of = (makes: fields.Makes, most: number, always: readonly string[] = []): void => {
    for (const [name, value] of some(random, state, makes, most, always)) draft.values[name] = value;
  };
  if (route === '/bug') {
    of(fields.creation, 6, fields.requiredOnCreate);
    Object.assign(draft.values, fields.place(random));
  } else if (route.endsWith('/attachment')) of(fields.attachmentCreation, 3, fields.requiredOnAttachment);
  else if (route.includes('/attachment/')) of(fields.attachmentUpdate, 3);
  else if (route.endsWith('/tags')) of(fields.tagChange, 3);
  else if (route.endsWith('/comment')) of(fields.commentCreation, 2, ['comment']);
  else if (route === '/jsonrpc.cgi') draft.values = rpcCall(random, state);
  else of(fields.update, random.chance(0.3) ? 8 : 3);
  // Other ids than that of the path are for single cases.
  for (const name of ['ids', 'id', 'comment_id']) if (random.chance(0.7)) delete draft.values[name];
}

function rpcCall(random: Random, state: TrackerState): Record<string, unknown> {
  const method = random.pick([
    'Bugzilla.version',
    'Bugzilla.time',
    'Bug.get',
    'Bug.search',
    'Bug.comments',
    'Bug.history',
    'Bug.possible_duplicates',
    'toString',
  ]);
  const params = Object.fromEntries(
    method === 'Bug.search' ? some(random, state, fields.criteria, 5) : some(random, state, fields.reading, 3, ['ids']),
  );
  return { method, id: 1, params: [{ summary: 'summary words', ...params }] };
}

/** Puts one odd thing into a request: a value, a name, or a value in a value. */
function spoil(random: Random, draft: Draft): void {
  if (draft.method === 'GET') {
    const at = random.below(draft.query.length + 1);
    const [name] = draft.query[at] ?? [
      random.chance(0.5) ? random.pick(oddNames) : random.pick(Object.keys(fields.criteria)),
    ];
    if (random.chance(0.8)) draft.query[at] = [name ?? 'x', oddText(random)];
    else draft.query.push([random.pick(oddNames), oddText(random)]);
    return;
  }
  const target = draft.route === '/jsonrpc.cgi' && random.chance(0.8) ? paramsOf(draft) : draft.values;
  const known = Object.keys(target);
  const name =
    known.length > 0 && random.chance(0.7)
      ? random.pick(known)
      : random.pick(random.chance(0.5) ? oddNames : Object.keys(fields.update));
  const inner = target[name];
  const isInside = typeof inner === 'object' && inner !== null && !Array.isArray(inner) && random.chance(0.5);
  const odd = isInside
    ? { ...inner, [random.pick([...Object.keys(inner), 'add', 'x'])]: oddValue(random) }
    : oddValue(random);
  Object.defineProperty(target, name, { value: odd, enumerable: true, configurable: true, writable: true });
}

function paramsOf({ values }: Draft): Record<string, unknown> {
  const { params } = values;
  const first: unknown = Array.isArray(params) ? params[0] : null;
  return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : values;
}

/**
 * Those who may do much call more often than those who may do little; who may do nothing any more calls now and then.
 */
function callerOf(random: Random, { users }: TrackerState): User {
  const names = [
    'admin',
    'alice',
    'alice',
    'bridge',
    'bridge',
    'bridge-insider',
    'bob',
    'bob',
    'carol',
    random.chance(0.2) ? 'disabled' : 'bob',
  ];
  const name = random.pick(names);
  return users.find(({ login }) => login === `${name}@example.test`) ?? random.pick(users);
}

/**
 * Says who calls: with a key mostly, in every place where one can stand; sometimes with a wrong one, or with what is
 * ignored.
 */
function identify(random: Random, state: TrackerState, draft: Draft): void {
  const user = callerOf(random, state);
  const put = (name: string, value: string): void => {
    const target = draft.route === '/jsonrpc.cgi' ? paramsOf(draft) : draft.values;
    if (draft.method === 'GET' || (draft.route !== '/jsonrpc.cgi' && random.chance(0.4)))
      draft.query.push([name, value]);
    else target[name] = value;
  };
  // A defect elsewhere in the request may make it anonymous.
  draft.callers.push(null);
  const draw = random.next();
  if (draft.route === '/login' || draw < 0.05) withPassword(random, state, draft, put);
  else if (draw < 0.1) withToken(random, state, draft, put);
  else if (draw < 0.13) put('api_key', random.pick(['', 'x', user.apiKey.toUpperCase(), oddText(random)]));
  else if (draw < 0.18) draft.headers[random.pick(['X-BUGZILLA-API-KEY', 'X-BUGZILLA-TOKEN'])] = user.apiKey;
  else if (draw < 0.97) {
    put(random.pick(['api_key', 'Bugzilla_api_key']), user.apiKey);
    draft.callers.push(user);
  }
}

type Put = (name: string, value: string) => void;

/** Only one person uses a password, so that wrong ones lock nobody else out. */
function withPassword(random: Random, { users }: TrackerState, { callers }: Draft, put: Put): void {
  const user = users.find(({ login }) => login === 'carol@example.test') ?? random.pick(users);
  put('login', user.login);
  put('password', random.chance(0.85) ? user.password : oddText(random));
  callers.push(user);
}

function withToken(random: Random, state: TrackerState, { callers }: Draft, put: Put): void {
  const [text, token] = [...state.tokens].at(-1) ?? ['1-abc', null];
  put('token', random.chance(0.8) ? text : oddText(random));
  callers.push(state.users.find(({ id }) => id === token?.user) ?? null);
}

function sent(random: Random, draft: Draft, mood: Mood): FuzzRequest {
  const { method, route, callers } = draft;
  const pairs = draft.query.map(
    ([name, value]) => `${inQuery(random, name, mood)}=${inQuery(random, String(value), mood)}`,
  );
  const path = `${draft.path}${pairs.length === 0 ? '' : `?${pairs.join(random.chance(0.95) ? '&' : ';')}`}`;
  const headers = { ...draft.headers };
  if (random.chance(0.06))
    headers['Accept'] = random.pick([
      'text/html',
      'text/html,application/json;q=0.5',
      'application/javascript',
      'text/javascript',
      '*/*;q=x',
      'é/,;',
    ]);
  if (random.chance(0.02)) headers['If-None-Match'] = random.pick(['*', '"x"']);
  const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? null : bodyOf(random, draft, mood, headers);
  return { method, route, path, headers, body, callers };
}

/** Mostly as programs write it; sometimes with bytes and signs that mean nothing, or something else. */
function inQuery(random: Random, text: string, mood: Mood): string {
  const clean = text.toWellFormed();
  if (mood === 'wild' && random.chance(0.15)) return clean.replace(/[#\s]/g, '+').slice(0, 3000);
  return encodeURIComponent(clean.slice(0, 2500));
}

const types = [
  'text/plain',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'image/png',
  'APPLICATION/JSON',
  '',
];

function bodyOf(
  random: Random,
  draft: Draft,
  mood: Mood,
  headers: Record<string, string>,
): string | Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(draft.values);
  headers['Content-Type'] = mood !== 'tame' && random.chance(0.08) ? random.pick(types) : 'application/json';
  if (headers['Content-Type'] === '') delete headers['Content-Type'];
  if (mood === 'tame' || random.chance(0.85)) return text;
  switch (random.below(9)) {
    case 0:
      return text.slice(0, random.below(text.length + 1));
    case 1:
      return random.pick([
        '',
        ' ',
        'null',
        '0',
        '"x"',
        '[]',
        '[1]',
        'true',
        '{',
        '}',
        '\u0000',
        '\ufeff{}',
        '{"a":1,}',
        "{'a':1}",
      ]);
    case 2:
      return `[${text}]`;
    case 3:
      return text.replace('{', `{"ids":${'['.repeat(20_000)},`);
    case 4:
      return `{"x":${'[{"a":'.repeat(3000)}1${'}]'.repeat(3000)},"status":${'['.repeat(9000)}${']'.repeat(9000)}}`;
    case 5:
      return new Uint8Array(
        [...new TextEncoder().encode(text)].map((byte) => (random.chance(0.02) ? random.below(256) : byte)),
      );
    case 6:
      return text.replaceAll('":', '":1e999,"x":');
    case 7:
      return Object.entries(draft.values)
        .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
        .join('&');
    default:
      return text.replace(/"[^"]*"/, '"\\ud800"');
  }
}

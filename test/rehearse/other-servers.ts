import type { Passing, Plant } from './stage.ts';

/** Servers that differ from GitHub in one respect, each as a change of answers while a case runs. */

const again = (
  response: Response,
  body: unknown,
  change: { status?: number; headers?: Record<string, string | null> } = {},
): Response => {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(change.headers ?? {}))
    value === null ? headers.delete(name) : headers.set(name, value);
  const status = change.status ?? response.status;
  return new Response(
    status === 204 || status === 304 ? null : typeof body === 'string' ? body : JSON.stringify(body),
    {
      status,
      headers,
    },
  );
};

const dataOf = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
};

/** Rewrites the JSON of an answer. */
const rewriting =
  (
    change: (value: unknown, passing: Passing) => unknown,
    isMeant: (passing: Passing, response: Response) => boolean = () => true,
  ): Plant =>
  async (passing, response) =>
    isMeant(passing, response) && response.status !== 304 && response.status !== 204
      ? again(response, change(await dataOf(response), passing))
      : response;

const deep = (value: unknown, change: (key: string, value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => deep(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deep(change(key, each), change)]));
};

const refusal = (words: string) => ({
  message: 'Validation Failed',
  errors: [{ resource: 'Thing', code: 'custom', field: 'base', message: words }],
});

const isWrite = ({ method }: Passing): boolean => method !== 'GET';

const withHeader =
  (name: string, value: string | null): Plant =>
  async (_passing, response) =>
    again(response, await response.text(), { headers: { [name]: value } });

export const otherServers: Readonly<Record<string, () => Plant>> = {
  'times that never move': () =>
    rewriting((data) => deep(data, (key, value) => (key === 'updated_at' ? '2026-01-01T00:00:00Z' : value))),
  'times that always move': () => {
    let hours = 0;
    return rewriting((data) => {
      hours += 1;
      const at = new Date(Date.UTC(2026, 0, 1, 0) + hours * 3_600_000).toISOString().replace('.000', '');
      return deep(data, (key, value) => (key === 'updated_at' ? at : value));
    });
  },
  'writes refused in other words': () => async (passing, response) =>
    isWrite(passing) && passing.path !== '/graphql'
      ? again(response, refusal('Nobody knows why'), { status: 422 })
      : response,
  'writes not found': () => async (passing, response) =>
    isWrite(passing) && passing.path !== '/graphql'
      ? again(response, { message: 'Not Found' }, { status: 404 })
      : response,
  'refusals in other words': () => async (_passing, response) =>
    response.status === 422 ? again(response, refusal('Nobody knows why')) : response,
  'nothing refused': () => async (passing, response) =>
    response.status >= 400
      ? again(response, { id: 1, number: 1, title: passing.path }, { status: isWrite(passing) ? 201 : 200 })
      : response,
  'refusals as missing': () => async (_passing, response) =>
    response.status === 422 ? again(response, { message: 'Not Found' }, { status: 404 }) : response,
  'issues as their last edit showed them': () => {
    let shown: unknown = null;
    return async ({ method, path }, response) => {
      if (method === 'PATCH') shown = await response.clone().text();
      return method === 'GET' && shown !== null && /\/issues\/\d+$/u.test(path) ? again(response, shown) : response;
    };
  },
  'reads not found': () => async (passing, response) =>
    isWrite(passing) ? response : again(response, { message: 'Not Found' }, { status: 404 }),
  'lists are empty': () => rewriting((data) => (Array.isArray(data) ? [] : data)),
  'lists are upside down': () => rewriting((data) => (Array.isArray(data) ? data.toReversed() : data)),
  'lists lag for six minutes': () => {
    const first = new Map<string, unknown>();
    return rewriting((data, { path }) => {
      if (!Array.isArray(data)) return data;
      if (!first.has(path)) first.set(path, []);
      return first.get(path);
    });
  },
  'lists are whole whatever is asked': () => {
    let all: unknown = null;
    return rewriting((data, { path }) => {
      if (
        /\/issues\?/u.test(path) &&
        (all === null || (Array.isArray(data) && Array.isArray(all) && data.length > all.length))
      )
        all = data;
      return /\/issues\?/u.test(path) ? all : data;
    });
  },
  'values are null': () => rewriting((data) => deep(data, (_key, value) => (typeof value === 'object' ? value : null))),
  'texts are changed': () =>
    rewriting((data) =>
      deep(data, (key, value) => (typeof value === 'string' && !/_at$|url|sha/u.test(key) ? `${value}!` : value)),
    ),
  'numbers are changed': () =>
    rewriting((data) => deep(data, (_key, value) => (typeof value === 'number' ? value + 1 : value))),
  'no Date header': () => withHeader('date', null),
  'no counts': () => withHeader('x-ratelimit-used', null),
  'a small limit': () => withHeader('x-ratelimit-limit', '60'),
  'no Link header': () => withHeader('link', null),
  'no number of the request': () => withHeader('x-github-request-id', null),
  'a next page without end': () =>
    withHeader('link', '<https://github.test/repos/acme/scratch/issues?state=all&per_page=1&page=1>; rel="next"'),
  'another version': () => withHeader('x-github-api-version-selected', '2030-01-01'),
  'another list of versions': () => rewriting((data, { path }) => (path.endsWith('/versions') ? ['2030-01-01'] : data)),
  'files elsewhere': () => async (_passing, response) =>
    response.status === 302 ? again(response, '', { headers: { location: 'https://bucket.example/1' } }) : response,
  'a version that ends': () => withHeader('sunset', 'Fri, 01 Jan 2027 00:00:00 GMT'),
  'no scopes': () => withHeader('x-oauth-scopes', null),
  'everything is unchanged': () => async (passing, response) =>
    passing.method === 'GET' && passing.path.includes('sort=updated')
      ? again(response, null, { status: 304 })
      : response,
  'no 304': () => async (_passing, response) =>
    response.status === 304 ? again(response, '[]', { status: 200 }) : response,
  'counted 304': () => {
    let used = 0;
    return async (_passing, response) => {
      used += 1;
      return again(response, await response.text(), { headers: { 'x-ratelimit-used': String(used) } });
    };
  },
  'deletions refused': () => async (passing, response) =>
    passing.method === 'DELETE' ? again(response, refusal('Nobody knows why'), { status: 422 }) : response,
  'mutations refused': () => async (passing, response) =>
    /^\{"query":"mutation/u.test(passing.body)
      ? again(response, { errors: [{ type: 'FORBIDDEN', message: 'Nobody knows why' }] }, { status: 200 })
      : response,
  'new branches refused': () => async (passing, response) =>
    passing.path.endsWith('/git/refs') ? again(response, refusal('Nobody knows why'), { status: 422 }) : response,
  'other addresses': () =>
    rewriting((data) => deep(data, (key, value) => (key === 'url' ? `${String(value)}-other` : value))),
  'no originals': () =>
    rewriting((data) => deep(data, (key, value) => (/^(?:duplicateOf|canonical)$/u.test(key) ? null : value))),
  'no summary of dependencies': () =>
    rewriting((data) => deep(data, (key, value) => (key === 'issue_dependencies_summary' ? null : value))),
  'dates of today': () =>
    rewriting((data) =>
      deep(data, (key, value) => (/^(?:created|closed)_at$/u.test(key) ? '2026-11-20T09:00:00Z' : value)),
    ),
  'numbers out of order': () =>
    rewriting((data) =>
      deep(data, (key, value) =>
        key === 'issue_url' ? String(value).replace(/\d+$/u, (number) => String(1000 - 7 * Number(number))) : value,
      ),
    ),
};

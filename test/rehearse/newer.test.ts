import { expect, test } from 'vitest';
import { openStage, type Plant } from './stage.ts';

/** Rewrites answers to requests whose `METHOD path` fits. */
const text =
  (where: RegExp, from: RegExp | string, to: string): Plant =>
  async ({ method, path }, response) => {
    if (!where.test(`${method} ${path}`) || response.status >= 300 || response.status === 204) return response;
    const body = (await response.text()).replace(from, to);
    return new Response(body, { status: response.status, headers: response.headers });
  };

const status =
  (from: number, to: number): Plant =>
  async (_passing, response) =>
    response.status === from
      ? new Response('{"message":"Nobody knows why"}', { status: to, headers: response.headers })
      : response;

/** An issue that shows for ever what the last edit of it answered. */
const unmoved = (): Plant => {
  let shown = '';
  return async ({ method, path }, response) => {
    if (method === 'PATCH') shown = await response.clone().text();
    const isIssue = method === 'GET' && /\/issues\/\d+$/u.test(path);
    return isIssue ? new Response(shown, { status: 200, headers: response.headers }) : response;
  };
};

const elsewhere: Plant = async (_passing, response) =>
  response.status === 302
    ? new Response(null, { status: 302, headers: { location: 'https://bucket.example/1' } })
    : response;

const older: Plant = async (passing, response) =>
  response.headers.get('x-github-api-version-selected') === '2022-11-28'
    ? text(/^GET .*\/issues\/\d+$/u, '"not_planned"', '"completed"')(passing, response)
    : response;

const delivery = /\/deliveries\/\d+$/u;
const graphql = /graphql$/u;
const issue = /^GET .*\/issues\/\d+$/u;

/** What GitHub added lately, or what was tried late, and a server that differs in it. */
test.each<readonly [id: string, plant: () => Plant, seen: string]>([
  ['duplicate-original', () => text(graphql, /"number":\d+/gu, '"number":99'), 'no original'],
  ['reason-without-argument', () => text(graphql, '"DUPLICATE"', '"NOT_PLANNED"'), 'NOT_PLANNED'],
  ['editor', () => text(graphql, '"login":"bridge"', '"login":"mona"'), 'mona of the body, bridge of the comment'],
  ['minimize-reasons', () => text(/comments\/\d+$/u, '"off-topic"', '"off_topic"'), 'off_topic'],
  ['api-versions-agree', () => older, 'another state_reason'],
  ['api-versions-served', () => text(/versions$/u, /\d+-\d+-\d+/gu, '2030-01-01'), '2030-01-01'],
  ['fields-of-owner', () => text(graphql, '"Severity"', '"Other"'), 'GraphQL'],
  ['field-event', () => text(/events/u, /"event":"issue_field_/u, '"event":"field_'), 'no event'],
  ['field-text', () => text(issue, 'two  spaces', 'two spaces'), 'two spaces'],
  ['field-number', () => text(issue, '1234.5', '1234'), '1234'],
  ['field-date', () => text(issue, '2026-02-28', '2026-02-28T00:00:00Z'), 'T00:00:00Z'],
  ['label-deleted', unmoved, 'still there'],
  ['milestone-deleted', unmoved, 'still there'],
  ['dependency-twice', () => status(422, 404), '404 missing'],
  ['dependency-circle', () => status(422, 201), 'accepted'],
  ['closer-pull', () => text(graphql, /"mergeCommit":\{[^{}]*\}/u, '"mergeCommit":null'), 'without its commit'],
  ['issues-off', () => status(410, 403), 'Nobody knows why'],
  ['creation-restricted', () => text(graphql, 'COLLABORATORS_ONLY', 'ALL'), 'ALL, and issues are accepted'],
  ['picture-in-text', () => elsewhere, 'files from bucket.example are not fetched'],
  ['file-in-text', () => elsewhere, 'files from bucket.example are not fetched'],
  ['hook-headers', () => text(delivery, 'X-Hub-Signature-256', 'X-Hub-Signature'), 'without signature'],
  ['hook-issue', () => text(delivery, /"full_name":"[^"]+"/gu, '"full_name":"acme/other"'), 'about acme/other'],
  ['hook-comment', () => text(delivery, '"issue":{', '"ticket":{'), 'The body names no issue.'],
  ['hook-label', () => text(delivery, /"edited"/gu, '"changed"'), 'ignored'],
  ['hook-milestone', () => text(delivery, /"edited"/gu, '"changed"'), 'ignored'],
  ['hook-dependency', () => text(delivery, /"blocked_by_added"/gu, '"blocking_added"'), 'ignored'],
  ['hook-field', () => text(/deliveries\?/u, /"event":"issues"/gu, '"event":"issue_fields"'), 'nothing was sent'],
])('%s is as assumed, and a server that differs is found out', async (id, plant, seen) => {
  expect(await openStage({ hasFiles: true }).try(id)).toMatchObject([{ id, verdict: 'as-assumed' }]);
  const stage = openStage({ hasFiles: true });
  const change = plant();
  stage.plant = (passing, response) => (passing.id === id ? change(passing, response) : response);
  const [result] = await stage.try(id);
  expect(result).toMatchObject({ id, verdict: 'differs', seen: expect.stringContaining(seen) });
});

test('the fields of a personal account are tried, too', async () => {
  const stage = openStage();
  stage.world.setFields('acme/scratch', [{ name: 'Words', kind: 'text' }], { isPersonal: true });
  expect(await stage.try('field-text', 'fields-of-owner')).toMatchObject([
    { id: 'fields-of-owner', verdict: 'as-assumed', seen: 'only GraphQL lists fields' },
    { id: 'field-text', verdict: 'as-assumed' },
  ]);
});

/** What an Enterprise Server adds to webhooks, or leaves out, and what bugferry has no use for. */
const payload =
  (change: (delivery: Record<string, Record<string, Record<string, unknown>>>) => void): Plant =>
  async ({ method, path }, response) => {
    if (method !== 'GET' || !delivery.test(path) || response.status !== 200) return response;
    const shown = JSON.parse(await response.text());
    change(shown);
    return new Response(JSON.stringify(shown), { status: 200, headers: response.headers });
  };
const hooks = [
  'hook-headers',
  'hook-issue',
  'hook-comment',
  'hook-label',
  'hook-milestone',
  'hook-dependency',
  'hook-field',
];

test.each<readonly [what: string, plant: Plant]>([
  [
    'names its enterprise and its version',
    payload(({ request }) => {
      Object.assign(request?.['payload'] ?? {}, {
        enterprise: { id: 1, slug: 'acme' },
        organization: { login: 'acme' },
      });
      Object.assign(request?.['headers'] ?? {}, {
        'X-GitHub-Enterprise-Host': 'github.acme.test',
        'X-GitHub-Enterprise-Version': '3.17.0',
        'X-Hub-Signature': 'sha1=0',
      });
    }),
  ],
  [
    'writes the names of headers in small letters',
    payload(({ request = {} }) => {
      const headers = Object.entries(request['headers'] ?? {});
      request['headers'] = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
    }),
  ],
  [
    'spells the repository in another case',
    payload(({ request }) => {
      Object.assign(request?.['payload']?.['repository'] ?? {}, { full_name: 'Acme/Scratch' });
    }),
  ],
  [
    'says nothing of the sender, nor who was installed, nor what changed',
    payload(({ request }) => {
      for (const name of ['sender', 'installation', 'changes', 'organization']) delete request?.['payload']?.[name];
    }),
  ],
  [
    'has addresses of its own',
    async ({ path }, response) =>
      delivery.test(path)
        ? new Response((await response.text()).replaceAll('https://github.com', 'https://github.acme.test'), {
            status: response.status,
            headers: response.headers,
          })
        : response,
  ],
])('webhooks of a server that %s are read', async (_what, plant) => {
  const stage = openStage();
  stage.plant = plant;
  stage.world.setFields('acme/scratch', [{ name: 'Severity', kind: 'single_select', options: ['high', 'low'] }]);
  const found = await stage.try(...hooks);
  expect(
    found.map(({ id, verdict, seen }) => [id, verdict, seen]).filter(([, verdict]) => verdict !== 'as-assumed'),
  ).toEqual([]);
  expect(found.length).toBe(hooks.length);
});

test('a server without dependencies sends all other webhooks', async () => {
  const stage = openStage();
  stage.world.limits.hasDependencies = false;
  expect(await stage.try('hook-issue', 'hook-comment', 'hook-dependency')).toMatchObject([
    { id: 'hook-issue', verdict: 'as-assumed' },
    { id: 'hook-comment', verdict: 'as-assumed' },
    { id: 'hook-dependency', verdict: 'not-tried' },
  ]);
});

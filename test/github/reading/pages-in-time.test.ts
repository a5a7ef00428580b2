import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGithubClient } from '../../../src/github/connection/client.ts';
import { githubReplica } from '../../../src/github/replica.ts';
import type { GithubReplica } from '../../../src/model/replica.ts';
import { openLane } from '../open-lane.ts';
import { answering, type Script, type ScriptedServer, scriptedServer } from '../scripted-server.ts';

/** Lists without an end, or each page of which takes half a minute: no issue keeps all others waiting for them. */
const begunAt = Date.now();
let server: ScriptedServer;
let replica: GithubReplica;
/** How much time passes with each answer. */
let pageMs: number;
let passedMs: number;
let script: Script;

const now = (): number => begunAt + passedMs;

beforeEach(async () => {
  [pageMs, passedMs] = [0, 0];
  server = await scriptedServer((arrival, response) => {
    passedMs += pageMs;
    script(arrival, response);
  });
  const client = createGithubClient({ url: server.url, token: 'token', lane: openLane(), timeoutMs: 2_000, now });
  replica = githubReplica({ client, owner: 'acme', repo: 'widget' });
});
afterEach(() => server.close());

const pageOf = (url: string): number => Number(new URL(url, 'http://a').searchParams.get('page') ?? 1);

/** Pages up to the last one, or without an end. */
const paged =
  (rows: (page: number) => unknown, last = Number.POSITIVE_INFINITY): Script =>
  (arrival, response) => {
    const page = pageOf(arrival.url);
    const next = { link: `<${server.url}${arrival.url.replace(/&page=\d+/u, '')}&page=${page + 1}>; rel="next"` };
    answering(200, rows(page), page < last ? next : {})(arrival, response);
  };

const event = (page: number) => [{ event: 'renamed', actor: { login: `mona${page}` }, rename: { to: 'A' } }];
const renamed = { event: 'renamed', name: 'A' } as const;

test('who did something last is told by the last page, if there are twenty', async () => {
  script = paged(event, 20);
  expect(await replica.whoDid(7, renamed)).toMatchObject({ login: 'mona20' });
  expect(server.arrivals).toHaveLength(20);
});

test.each([
  ['more pages than that', 0, 20],
  ['pages that take long', 30_000, 3],
])('nobody knows who did something last to an issue with %s', async (_what, ms, pages) => {
  pageMs = ms;
  script = paged(event);
  expect([await replica.whoDid(7, renamed), await replica.lastActors(7, [[renamed]])]).toEqual([null, null]);
  expect(server.arrivals).toHaveLength(2 * pages);
});

const issue = (number: number, at: number) => ({
  ...{ id: 9000 + number, number, html_url: `https://github.com/acme/widget/issues/${number}`, title: `I${number}` },
  ...{ body: '', state: 'open', labels: [], user: { login: 'mona' }, comments: 0 },
  ...{ created_at: new Date(at).toISOString(), updated_at: new Date(at).toISOString() },
});

/** Three newest issues a page; GraphQL names the last one from before, or does not answer. */
const newest =
  (isNamed: boolean): Script =>
  (arrival, response) => {
    const found = (number: number) => issue(number, begunAt + 1_000);
    const nodes = [{ number: 200, createdAt: new Date(begunAt - 86_400_000).toISOString() }];
    const number = Number(/issues\/(\d+)$/u.exec(arrival.url)?.[1]);
    if (arrival.url.includes('/issues?'))
      paged((page) => [1, 2, 3].map((at) => found(1_000 - page * 3 + at)))(arrival, response);
    else if (number < 205) answering(200, found(number))(arrival, response);
    else if (isNamed && arrival.url.endsWith('/graphql'))
      answering(200, {
        data: { repository: { issues: { pageInfo: { hasNextPage: false, endCursor: null }, nodes } } },
      })(arrival, response);
    else answering(404, { message: 'Not Found' })(arrival, response);
  };

test('the newest issues are read by their numbers where their list takes long', async () => {
  pageMs = 30_000;
  script = newest(true);
  const { issues, isWhole } = await replica.madeSince(begunAt - 3_600_000, () => false);
  expect([issues.map(({ number }) => number), isWhole]).toEqual([[201, 202], false]);
  expect(server.arrivals.filter(({ url }) => url.includes('/issues?'))).toHaveLength(2);
});

test('nothing is known of the newest issues where their list takes long, and nothing names them', async () => {
  pageMs = 30_000;
  script = newest(false);
  const asked = replica.madeSince(begunAt - 3_600_000, () => false);
  await expect(asked).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
  expect(server.arrivals.length).toBeLessThan(5);
});

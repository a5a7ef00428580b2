import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import { openLane } from './open-lane.ts';
import { answering, type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts';

/**
 * Numbers that a real server does not show, among those that may be a new issue. Its Date header is of the real clock.
 */
const now = (): number => Date.now();
const hourMs = 3_600_000;
const notFound = answering(404, { message: 'Not Found' });

const issue = (number: number, createdAt: number) => ({
  id: 9000 + number,
  number,
  html_url: `https://github.com/acme/widget/issues/${number}`,
  title: `Issue ${number}`,
  body: '',
  state: 'open',
  labels: [],
  user: { login: 'mona' },
  comments: 0,
  created_at: new Date(createdAt).toISOString(),
  updated_at: new Date(createdAt).toISOString(),
});

let server: ScriptedServer;
let replica: GithubReplica;
/** Answers for single numbers; the others are 404. */
let answers: Record<number, Script>;
/** The number of the newest issue in the list. The first is from long ago. */
let newest: number;

function replicaOn(url: string): GithubReplica {
  const client = createGithubClient({ url, token: 'secret-token', lane: openLane(), timeoutMs: 2_000, now });
  return githubReplica({ client, owner: 'acme', repo: 'widget' });
}

beforeEach(async () => {
  answers = {};
  newest = 6;
  server = await scriptedServer((arrival, response) => {
    const number = /issues\/(\d+)$/u.exec(arrival.url)?.[1];
    const rows = [issue(newest, now()), issue(1, now() - 9 * hourMs)];
    const answer = number === undefined ? answering(200, rows) : (answers[Number(number)] ?? notFound);
    answer(arrival, response);
  });
  replica = replicaOn(server.url);
});
afterEach(() => server.close());

const search = async () => {
  const { issues, unread, isWhole } = await replica.madeSince(now() - hourMs, () => false);
  return { numbers: issues.map(({ number }) => number), unread, isWhole };
};
const looked = () => server.arrivals.splice(0).filter(({ url }) => /issues\/\d+$/u.test(url)).length;

describe('a search for new issues by number', () => {
  test.each<readonly [string, Script]>([
    ['is refused', answering(403, { message: 'Resource not accessible' })],
    ['is blocked by law', answering(451, { message: 'Repository access blocked' })],
    ['breaks GitHub', answering(500, { message: 'Server Error' })],
    ['is no issue that can be read', answering(200, { number: 4 })],
    ['is cut short', (_arrival, response) => response.destroy()],
  ])('goes on where one %s, and says so', async (_what, answer) => {
    answers = { 3: answer, 5: answering(200, issue(5, now())) };
    expect(await search()).toEqual({
      numbers: [5, 6],
      unread: [expect.stringContaining('acme/widget#3')],
      isWhole: true,
    });
  });

  test('ends where nothing can be read any more', async () => {
    for (let number = 7; number < 100; number += 1) answers[number] = answering(500, { message: 'Server Error' });
    expect(await search()).toMatchObject({ numbers: [6], isWhole: true });
    expect(looked()).toBe(9);
  });

  test.each<readonly [string, Script, string]>([
    [
      'a limit',
      answering(429, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '60' }),
      'later',
    ],
    ['a pause', answering(503, { message: 'Unavailable' }, { 'retry-after': '60' }), 'later'],
    ['refused credentials', answering(401, { message: 'Bad credentials' }), 'unauthorized'],
  ])('ends with %s, which concerns more than a number', async (_what, answer, kind) => {
    answers = { 3: answer };
    await expect(search()).rejects.toMatchObject({ name: 'SideError', kind });
  });

  test('takes several calls over many numbers, and asks for each once', async () => {
    newest = 1200;
    answers = { 700: answering(200, issue(700, now())) };
    expect([await search(), looked()]).toEqual([{ numbers: [], unread: [], isWhole: false }, 500]);
    expect([await search(), looked()]).toEqual([{ numbers: [700], unread: [], isWhole: false }, 500]);
    expect([await search(), looked()]).toEqual([{ numbers: [700, 1200], unread: [], isWhole: true }, 1 + 198 + 5]);
    expect([await search(), looked()]).toEqual([{ numbers: [], unread: [], isWhole: false }, 500]);
  });
});

describe('a list without an end', () => {
  const begun = Date.now();
  const rows = (from: number) => Array.from({ length: 100 }, (_none, at) => issue(from - at, begun));

  test('is given up where each page has younger issues than those looked for', async () => {
    server.close();
    server = await scriptedServer((arrival, response) => {
      const page = Number(new URL(arrival.url, 'http://a').searchParams.get('page') ?? 1);
      const next = `<${server.url}/repos/acme/widget/issues?state=all&page=${page + 1}>; rel="next"`;
      answering(200, rows(1_000_000 - page * 100), { link: next })(arrival, response);
    });
    replica = replicaOn(server.url);
    await expect(search()).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
    expect(server.arrivals.length).toBeLessThanOrEqual(1_000);
  });

  test.each(['the same', 'another'])('is given up where GraphQL names %s page after each', async (which) => {
    server.close();
    let asked = 0;
    server = await scriptedServer((arrival, response) => {
      if (arrival.url.includes('/issues?')) return answering(500, { message: 'Server Error' })(arrival, response);
      if (!arrival.url.endsWith('/graphql')) return answering(200, { id: 1 })(arrival, response);
      asked += 1;
      const nodes = rows(1_000_000).map(({ number, created_at: createdAt }) => ({ number, createdAt }));
      const pageInfo = { hasNextPage: true, endCursor: which === 'the same' ? 'again' : `after ${asked}` };
      return answering(200, { data: { repository: { issues: { pageInfo, nodes } } } })(arrival, response);
    });
    replica = replicaOn(server.url);
    await expect(search()).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
    expect(asked).toBeLessThanOrEqual(which === 'the same' ? 2 : 101);
  });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGithubClient } from '../../src/github/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import { openLane } from './open-lane.ts';
import { answering, type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts';

/** Answers about minimised comments that the sandbox does not give, scripted one by one. */
const now = (): number => Date.UTC(2026, 0, 10, 12);
const place = 'GET /repos/acme/widget/issues/comments/7';
let server: ScriptedServer;
let replica: GithubReplica;
/** Answers by `METHOD path`; what is not named is 404. */
let answers: Record<string, Script>;

beforeEach(async () => {
  answers = {};
  server = await scriptedServer((arrival, response) => {
    const answer = answers[`${arrival.method} ${arrival.url}`] ?? answering(404, { message: 'Not Found' });
    answer(arrival, response);
  });
  const client = createGithubClient({ url: server.url, token: 'secret-token', lane: openLane(), timeoutMs: 2_000, now });
  replica = githubReplica({ client, owner: 'acme', repo: 'widget' });
});
afterEach(() => server.close());

const asked = () => server.arrivals.filter(({ method }) => method === 'POST').map(({ body }) => String(JSON.parse(body).query));
const done = answering(200, { data: { minimizeComment: { minimizedComment: { isMinimized: true } } } });

test('a server that does not tell how a comment stands is asked all the same', async () => {
  answers = { [place]: answering(200, { node_id: 'IC_"x' }), 'POST /graphql': done };
  expect(await replica.fold(5, 7, 'off-topic')).toEqual({ kind: 'applied', item: null });
  expect(asked()).toEqual([expect.stringContaining('subjectId: "IC_\\"x", classifier: OFF_TOPIC')]);
});

test('a reason is known however it is spelled', async () => {
  answers = { [place]: answering(200, { node_id: 'IC_7', minimized: { reason: 'OFF_TOPIC' } }) };
  expect(await replica.fold(5, 7, 'off-topic')).toEqual({ kind: 'applied', item: null });
  expect(asked()).toEqual([]);
});

test.each([
  ['is refused', { type: 'FORBIDDEN', message: 'bugferry may not' }, { kind: 'refused' }],
  ['is refused where the kind is not told', { message: 'Something went wrong' }, { kind: 'refused' }],
  ['has to wait', { type: 'RATE_LIMITED', message: 'API rate limit exceeded' }, { kind: 'later', wholeSide: true }],
])('what %s is told with status 200', async (_what, error, outcome) => {
  answers = {
    [place]: answering(200, { node_id: 'IC_7', minimized: null }),
    'POST /graphql': answering(200, { data: { minimizeComment: null }, errors: [error] }),
  };
  const found = await replica.fold(5, 7, 'spam');
  expect(found).toMatchObject(outcome);
  expect('why' in found && found.why).toContain(error.message);
});

test.each([{}, { data: null }, { data: { minimizeComment: null } }])(
  'an answer that tells nothing (%j) leaves it unknown',
  async (nothing) => {
    answers = { [place]: answering(200, { node_id: 'IC_7', minimized: null }), 'POST /graphql': answering(200, nothing) };
    expect(await replica.fold(5, 7, 'spam')).toMatchObject({ kind: 'unknown' });
  },
);

test('an answer that is cut off leaves it unknown, and one before the write does not', async () => {
  const cut: Script = (_arrival, response) => response.end('<html>');
  answers = { [place]: answering(200, { node_id: 'IC_7', minimized: null }), 'POST /graphql': cut };
  expect(await replica.fold(5, 7, 'spam')).toMatchObject({ kind: 'unknown' });
  answers = { [place]: cut };
  expect(await replica.fold(5, 7, 'spam')).toMatchObject({ kind: 'later' });
});

test.each([404, 410])('a server without GraphQL (%i) says nothing of the comment, which stays known as a copy', async (status) => {
  answers = {
    [place]: answering(200, { node_id: 'IC_7', minimized: null }),
    'POST /graphql': answering(status, { message: 'Not Found' }),
  };
  expect(await replica.fold(5, 7, 'spam')).toEqual({ kind: 'refused', why: expect.stringContaining('It offers no GraphQL here.') });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GithubReplica } from '../../src/model/replica.ts';
import { type Answers, answering, type Script, type ScriptedServer, scriptedReplica } from './scripted-server.ts';

/** Answers about minimised comments that the sandbox does not give, scripted one by one. */
const now = (): number => Date.UTC(2026, 0, 10, 12);
const place = 'GET /repos/acme/widget/issues/comments/7';
let server: ScriptedServer;
let replica: GithubReplica;
let answers: Answers;

beforeEach(async () => {
  answers = {};
  ({ server, replica } = await scriptedReplica(() => answers));
});
afterEach(() => server.close());

const asked = () =>
  server.arrivals.filter(({ method }) => method === 'POST').map(({ body }) => String(JSON.parse(body).query));
const done = answering(200, { data: { minimizeComment: { minimizedComment: { isMinimized: true } } } });

test('a server that does not show whether a comment is minimized is asked anyway', async () => {
  answers = { [place]: answering(200, { node_id: 'IC_"x' }), 'POST /graphql': done };
  expect(await replica.minimize(5, 7, 'off-topic')).toEqual({ kind: 'applied', item: null });
  expect(asked()).toEqual([expect.stringContaining('subjectId: "IC_\\"x", classifier: OFF_TOPIC')]);
});

test('a reason is known however it is spelled', async () => {
  answers = { [place]: answering(200, { node_id: 'IC_7', minimized: { reason: 'OFF_TOPIC' } }) };
  expect(await replica.minimize(5, 7, 'off-topic')).toEqual({ kind: 'applied', item: null });
  expect(asked()).toEqual([]);
});

test.each([
  ['is refused', { type: 'FORBIDDEN', message: 'bugferry may not' }, { kind: 'refused' }],
  ['is refused where the kind is not told', { message: 'Something is odd' }, { kind: 'refused' }],
  [
    'is refused by an organisation',
    { type: 'FORBIDDEN', message: 'has an IP allow list enabled' },
    { kind: 'refused' },
  ],
  ['has to wait', { type: 'RATE_LIMIT', message: 'API rate limit exceeded' }, { kind: 'later', wholeSide: true }],
  [
    'had to wait in the words of before',
    { type: 'RATE_LIMITED', message: 'API rate limit exceeded' },
    { kind: 'later', wholeSide: true },
  ],
  [
    'has to wait without a type',
    { message: 'You have exceeded a secondary rate limit' },
    { kind: 'later', wholeSide: true },
  ],
  [
    'came too quickly',
    { type: 'UNPROCESSABLE', message: 'was submitted too quickly' },
    { kind: 'later', wholeSide: true },
  ],
  [
    'is not known yet',
    { type: 'NOT_FOUND', message: "Could not resolve to a node with the global id of 'IC_7'" },
    { kind: 'later', wholeSide: false },
  ],
  ['ran out of time', { message: 'Something went wrong while executing your query.' }, { kind: 'unknown' }],
])('what %s is told with status 200', async (_what, error, outcome) => {
  answers = {
    [place]: answering(200, { node_id: 'IC_7', minimized: null }),
    'POST /graphql': answering(200, { data: { minimizeComment: null }, errors: [error] }),
  };
  const found = await replica.minimize(5, 7, 'spam');
  expect(found).toMatchObject(outcome);
  expect('why' in found && found.why).toContain(error.message);
});

test.each([{}, { data: null }, { data: { minimizeComment: null } }])(
  'an answer that tells nothing (%j) leaves it unknown',
  async (nothing) => {
    answers = {
      [place]: answering(200, { node_id: 'IC_7', minimized: null }),
      'POST /graphql': answering(200, nothing),
    };
    expect(await replica.minimize(5, 7, 'spam')).toMatchObject({ kind: 'unknown' });
  },
);

test('an answer that is cut off leaves it unknown, and one before the write does not', async () => {
  const cut: Script = (_arrival, response) => response.end('<html>');
  answers = { [place]: answering(200, { node_id: 'IC_7', minimized: null }), 'POST /graphql': cut };
  expect(await replica.minimize(5, 7, 'spam')).toMatchObject({ kind: 'unknown' });
  answers = { [place]: cut };
  expect(await replica.minimize(5, 7, 'spam')).toMatchObject({ kind: 'later' });
});

test.each([404, 410])(
  'a server without GraphQL (%i) says nothing of the comment, which stays known as a copy',
  async (status) => {
    answers = {
      [place]: answering(200, { node_id: 'IC_7', minimized: null }),
      'POST /graphql': answering(status, { message: 'Not Found' }),
    };
    expect(await replica.minimize(5, 7, 'spam')).toEqual({
      kind: 'refused',
      why: expect.stringContaining('The server offers no GraphQL.'),
    });
  },
);

test('the headers say how long to wait, with status 200 too', async () => {
  const errors = [{ type: 'RATE_LIMIT', message: 'API rate limit exceeded' }];
  const headers = {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(now() / 1000 + 900),
    date: new Date(now()).toUTCString(),
  };
  answers = {
    [place]: answering(200, { node_id: 'IC_7', minimized: null }),
    'POST /graphql': answering(200, { errors }, headers),
  };
  expect(await replica.minimize(5, 7, 'spam')).toMatchObject({ kind: 'later', at: now() + 900_000, wholeSide: true });
});

test('an answer that shows the comment as it was leaves it unknown', async () => {
  const shown = { data: { minimizeComment: { minimizedComment: { isMinimized: false } } } };
  answers = { [place]: answering(200, { node_id: 'IC_7', minimized: null }), 'POST /graphql': answering(200, shown) };
  expect(await replica.minimize(5, 7, 'spam')).toMatchObject({ kind: 'unknown' });
});

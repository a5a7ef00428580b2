import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubImporter } from '../../src/github/imports/importer.ts';
import { issueNumber } from '../../src/model/ids.ts';
import type { Importer } from '../../src/model/migration.ts';
import { openLane } from './open-lane.ts';
import { answering, type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts';

/** Answers about many comments that the sandbox does not give, scripted in their order. */
const now = (): number => Date.UTC(2026, 0, 10, 12);
let server: ScriptedServer;
let importer: Importer;
let answers: Script[];

beforeEach(async () => {
  answers = [];
  server = await scriptedServer((arrival, response) =>
    (answers.shift() ?? answering(404, { message: 'Not Found' }))(arrival, response),
  );
  const client = createGithubClient({
    url: server.url,
    token: 'secret-token',
    lane: openLane(),
    timeoutMs: 2_000,
    now,
  });
  importer = githubImporter({ client, owner: 'acme', repo: 'widget' });
});
afterEach(() => server.close());

const asked = (): readonly string[] => server.arrivals.map(({ body }) => String(JSON.parse(body).query));
const minimizing = (comment: number, issue = 5) => ({
  issue: issueNumber(issue),
  comment,
  minimize: 'off-topic' as const,
});
const node = (id: number, change: object = {}) => ({
  id: `IC_"${id}`,
  url: `https://github.com/acme/widget/issues/5#issuecomment-${id}`,
  isMinimized: false,
  minimizedReason: null,
  ...change,
});
const minimized = { minimizedComment: { isMinimized: true } };
const found = (...nodes: readonly unknown[]) =>
  answering(200, { data: { repository: { i5: { comments: { nodes } } } } });

test('an issue is looked at once however many of its comments are wanted, and names are quoted', async () => {
  answers = [found(node(7), node(8), null), answering(200, { data: { c7: minimized, c8: minimized } })];
  expect(await importer.minimize([minimizing(7), minimizing(8)])).toEqual({ done: new Set([7, 8]), failure: null });
  expect(asked()[0]?.match(/issue\(number: 5\)/gu)).toHaveLength(1);
  expect(asked()[1]).toMatch(
    /^mutation \{ c7: minimizeComment\(input: \{ subjectId: "IC_\\"7", classifier: OFF_TOPIC \}\)/u,
  );
  expect(asked()).toHaveLength(2);
});

test('comments that are minimized already, for this or another reason, are not written', async () => {
  answers = [
    found(
      node(7, { isMinimized: true, minimizedReason: 'OFF_TOPIC' }),
      node(8, { isMinimized: true, minimizedReason: 'spam' }),
    ),
  ];
  expect(await importer.minimize([minimizing(7), minimizing(8), minimizing(9)])).toEqual({
    done: new Set([7]),
    failure: null,
  });
  expect(asked()).toHaveLength(1);
});

test('a server without this request minimizes nothing', async () => {
  const message = "Field 'url' doesn't exist on type 'IssueComment'";
  answers = [answering(200, { errors: [{ message }] })];
  expect(await importer.minimize([minimizing(7)])).toEqual({
    done: new Set(),
    failure: { kind: 'refused', why: expect.stringContaining(message) },
  });
});

const refusal = { type: 'FORBIDDEN', path: ['c8'], message: 'bugferry may not' };
const limit = { type: 'RATE_LIMIT', message: 'API rate limit exceeded' };
const oldLimit = { type: 'RATE_LIMITED', message: 'API rate limit exceeded' };
const secondary = {
  message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
};
const tooQuickly = { type: 'UNPROCESSABLE', path: ['c8'], message: 'was submitted too quickly' };
const timeout = { message: 'Something went wrong while executing your query. This may be the result of a timeout.' };
const saml = { type: 'FORBIDDEN', message: 'Resource protected by organization SAML enforcement.' };
const lag = { type: 'NOT_FOUND', path: ['c8'], message: "Could not resolve to a node with the global id of 'IC_8'" };
const [none, seven] = [new Set(), new Set([7])];
const putOff = { kind: 'later', at: now() + 60_000, wholeSide: true };
const cut: Script = (_arrival, response) => response.end('<html>');

test.each([
  [
    'one of them refused',
    answering(200, { data: { c7: minimized, c8: null }, errors: [refusal] }),
    seven,
    { kind: 'refused' },
  ],
  [
    'one of them shown as it was',
    answering(200, { data: { c7: minimized, c8: { minimizedComment: { isMinimized: false } } } }),
    seven,
    null,
  ],
  ['one of them put off', answering(200, { data: { c7: minimized, c8: null }, errors: [limit] }), seven, putOff],
  [
    'one of them submitted too quickly',
    answering(200, { data: { c7: minimized, c8: null }, errors: [tooQuickly] }),
    seven,
    putOff,
  ],
  [
    'one of them not known yet',
    answering(200, { data: { c7: minimized, c8: null }, errors: [lag] }),
    seven,
    { kind: 'later', wholeSide: false },
  ],
  [
    'a time that ran out behind the first',
    answering(200, { data: { c7: minimized, c8: null }, errors: [timeout] }),
    seven,
    { kind: 'unknown' },
  ],
  ['all put off', answering(200, { data: null, errors: [limit] }), none, putOff],
  ['all put off, as it was told before', answering(200, { data: null, errors: [oldLimit] }), none, putOff],
  ['all put off in the words of REST', answering(200, secondary), none, putOff],
  [
    'all put off until then',
    answering(200, { errors: [secondary] }, { 'retry-after': '90' }),
    none,
    { ...putOff, at: now() + 90_000 },
  ],
  ['a time that ran out', answering(200, { data: null, errors: [timeout] }), none, { kind: 'unknown' }],
  [
    'an organisation that lets nobody in',
    answering(200, { data: { c7: null, c8: null }, errors: [saml] }),
    none,
    { kind: 'refused' },
  ],
  ['an answer that is cut off', cut, none, { kind: 'unknown' }],
  ['a proxy that gave up', answering(502, { message: 'Bad Gateway' }), none, { kind: 'unknown' }],
  [
    'a proxy that asks for time',
    answering(503, {}, { 'retry-after': '7' }),
    none,
    { kind: 'unknown', at: now() + 7_000 },
  ],
])('%s is reported as such', async (_what, answer, done, failure) => {
  // What was cut short is asked for once more, in a smaller part.
  answers = [found(node(7), node(8)), answer, answer];
  const batch = await importer.minimize([minimizing(7), minimizing(8)]);
  expect(batch.done).toEqual(done);
  if (failure === null) expect(batch.failure).toBeNull();
  else expect(batch.failure).toMatchObject(failure);
});

test('a limit that is met by the look puts all of it off', async () => {
  answers = [answering(200, { data: null, errors: [limit] })];
  expect(await importer.minimize([minimizing(7)])).toMatchObject({ done: none, failure: putOff });
  expect(asked()).toHaveLength(1);
});

test('without an answer to the look, certainly nothing was written', async () => {
  answers = [answering(502, { message: 'Bad Gateway' })];
  expect(await importer.minimize([minimizing(7)])).toMatchObject({ done: none, failure: { kind: 'later' } });
  expect(asked()).toHaveLength(1);
});

const closing = (issue: number) => ({ issue: issueNumber(issue), reason: 'not_planned' as const, duplicateOf: null });
const names = answering(200, { data: { repository: { i7: { id: 'I_7' }, i8: { id: 'I_8' } } } });

describe('closing many', () => {
  const closed = (number: number) => ({ issue: { number, state: 'CLOSED' } });

  test.each([
    ['all of them', answering(200, { data: { c7: closed(7), c8: closed(8) } }), new Set([7, 8]), null],
    [
      'one that stays open',
      answering(200, { data: { c7: closed(7), c8: { issue: { number: 8, state: 'OPEN' } } } }),
      seven,
      null,
    ],
    [
      'one refused',
      answering(200, { data: { c7: closed(7), c8: null }, errors: [refusal] }),
      seven,
      { kind: 'refused' },
    ],
    ['one put off', answering(200, { data: { c7: closed(7), c8: null }, errors: [limit] }), seven, putOff],
    ['all put off', answering(200, { errors: [limit] }), none, putOff],
    ['all submitted too quickly', answering(200, { data: { c7: null, c8: null }, errors: [tooQuickly] }), none, putOff],
    ['a time that ran out', answering(200, { errors: [timeout] }), none, { kind: 'unknown' }],
  ])('reports the closed issues, and why others are open: %s', async (_what, answer, done, failure) => {
    answers = [names, answer, answer];
    const batch = await importer.close([closing(7), closing(8)]);
    expect(batch.done).toEqual(done);
    if (failure === null) expect(batch.failure).toBeNull();
    else expect(batch.failure).toMatchObject(failure);
  });

  test.each([
    ['a limit', { data: null, errors: [limit] }, putOff],
    ['an organisation that lets nobody in', { data: { repository: null }, errors: [saml] }, { kind: 'refused' }],
    ['a time that ran out', { data: null, errors: [timeout] }, { kind: 'later' }],
  ])('closes nothing, and says so, where the look meets %s', async (_what, answer, failure) => {
    answers = [answering(200, answer)];
    expect(await importer.close([closing(7)])).toMatchObject({ done: none, failure });
    expect(asked()).toHaveLength(1);
  });

  test('goes on behind a batch of which some were refused, and not behind a pause', async () => {
    const many = Array.from({ length: 30 }, (_, index) => closing(index + 1));
    const nodes = answering(200, {
      data: { repository: Object.fromEntries(many.map(({ issue }) => [`i${issue}`, { id: `I_${issue}` }])) },
    });
    answers = [
      nodes,
      answering(200, { data: { c1: closed(1) }, errors: [refusal] }),
      answering(200, { data: { c26: closed(26) } }),
    ];
    expect(await importer.close(many)).toMatchObject({ done: new Set([1, 26]), failure: { kind: 'refused' } });
    answers = [nodes, answering(200, { data: { c1: closed(1) }, errors: [limit] })];
    expect(await importer.close(many)).toMatchObject({ done: new Set([1]), failure: putOff });
    expect(asked()).toHaveLength(5);
  });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGithubClient } from '../../src/github/client.ts';
import { githubImporter } from '../../src/github/importer.ts';
import { issueNumber } from '../../src/model/ids.ts';
import type { Importer } from '../../src/model/importer.ts';
import { openLane } from './open-lane.ts';
import { answering, type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts';

/** Answers about many comments that the sandbox does not give, scripted in their order. */
const now = (): number => Date.UTC(2026, 0, 10, 12);
let server: ScriptedServer;
let importer: Importer;
let answers: Script[];

beforeEach(async () => {
  answers = [];
  server = await scriptedServer((arrival, response) => (answers.shift() ?? answering(404, { message: 'Not Found' }))(arrival, response));
  const client = createGithubClient({ url: server.url, token: 'secret-token', lane: openLane(), timeoutMs: 2_000, now });
  importer = githubImporter({ client, owner: 'acme', repo: 'widget' });
});
afterEach(() => server.close());

const asked = (): readonly string[] => server.arrivals.map(({ body }) => String(JSON.parse(body).query));
const folding = (comment: number, issue = 5) => ({ issue: issueNumber(issue), comment, fold: 'off-topic' as const });
const node = (id: number, change: object = {}) => ({
  id: `IC_"${id}`,
  url: `https://github.com/acme/widget/issues/5#issuecomment-${id}`,
  isMinimized: false,
  minimizedReason: null,
  ...change,
});
const found = (...nodes: readonly unknown[]) => answering(200, { data: { repository: { i5: { comments: { nodes } } } } });

test('an issue is looked at once however many of its comments are wanted, and names are quoted', async () => {
  answers = [found(node(7), node(8), null), answering(200, { data: { c7: { minimizedComment: { isMinimized: true } }, c8: {} } })];
  expect(await importer.fold([folding(7), folding(8)])).toEqual({ kind: 'applied', item: new Set([7, 8]) });
  expect(asked()[0]?.match(/issue\(number: 5\)/gu)).toHaveLength(1);
  expect(asked()[1]).toMatch(/^mutation \{ c7: minimizeComment\(input: \{ subjectId: "IC_\\"7", classifier: OFF_TOPIC \}\)/u);
  expect(asked()).toHaveLength(2);
});

test('what stands so, however it is spelled, and what stands otherwise, is not written', async () => {
  answers = [found(node(7, { isMinimized: true, minimizedReason: 'OFF_TOPIC' }), node(8, { isMinimized: true, minimizedReason: 'spam' }))];
  expect(await importer.fold([folding(7), folding(8), folding(9)])).toEqual({ kind: 'applied', item: new Set([7]) });
  expect(asked()).toHaveLength(1);
});

test('a server that cannot be asked so folds nothing, and nothing is refused', async () => {
  answers = [answering(200, { errors: [{ message: "Field 'url' doesn't exist on type 'IssueComment'" }] })];
  expect(await importer.fold([folding(7)])).toEqual({ kind: 'applied', item: new Set() });
});

const refusal = { type: 'FORBIDDEN', path: ['c8'], message: 'bugferry may not' };
const limit = { type: 'RATE_LIMITED', message: 'API rate limit exceeded' };
const cut: Script = (_arrival, response) => response.end('<html>');

test.each([
  ['one of them refused', answering(200, { data: { c7: {}, c8: null }, errors: [refusal] }), { kind: 'applied', item: new Set([7]) }],
  ['all put off', answering(200, { data: null, errors: [limit] }), { kind: 'later', wholeSide: true }],
  ['an answer that is cut off', cut, { kind: 'unknown' }],
  ['a proxy that gave up', answering(502, { message: 'Bad Gateway' }), { kind: 'unknown' }],
])('%s is told as it is', async (_what, answer, outcome) => {
  answers = [found(node(7), node(8)), answer];
  expect(await importer.fold([folding(7), folding(8)])).toMatchObject(outcome);
});

test('a limit that is met by the look puts all of it off', async () => {
  answers = [answering(200, { data: null, errors: [limit] })];
  expect(await importer.fold([folding(7)])).toMatchObject({ kind: 'later', wholeSide: true });
  expect(asked()).toHaveLength(1);
});

test('without an answer to the look, certainly nothing was written', async () => {
  answers = [answering(502, { message: 'Bad Gateway' })];
  expect(await importer.fold([folding(7)])).toMatchObject({ kind: 'later' });
  expect(asked()).toHaveLength(1);
});

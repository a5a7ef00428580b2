import { beforeAll, describe, expect, test } from 'vitest';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { openServer } from '../tracker/client.ts';
import { cpuMaxMs, cpuMsSince, type FuzzReport, fuzz } from './run.ts';

/**
 * Ten thousand generated requests, from proper ones to nonsense. Nothing crashes or hangs, every answer has the form
 * that its type and its code promise, what is answered with an error has changed nothing, a success changes what it
 * says, and nobody reads what is not for them.
 */
const runs = 40;
/** From here on every error that is looked for turns up. */
const firstSeed = 3;
const requestsPerRun = 250;

describe('ten thousand generated requests', () => {
  const reports: FuzzReport[] = [];
  beforeAll(async () => {
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1)
      reports.push(await fuzz({ createTrackerWorld, trackerServer }, seed, requestsPerRun));
  });

  const reach = (name: string) => {
    const rows = reports.flatMap((report) => report.reach.get(name) ?? []);
    return { asked: sum(rows.map(({ asked }) => asked)), done: sum(rows.map(({ done }) => done)) };
  };

  test('leave nothing to complain about', () => {
    const complaints = reports.flatMap((report) => report.complaints);
    expect(complaints.slice(0, 20)).toEqual([]);
  });

  test('are ten thousand', () => {
    expect(sum(reports.flatMap((report) => [...report.reach.values()].map(({ asked }) => asked)))).toBe(
      runs * requestsPerRun,
    );
  });

  test.each([
    ['POST /bug', 150],
    ['PUT /bug/:name', 150],
    ['POST /bug/:name/comment', 150],
    ['POST /bug/:name/attachment', 150],
    ['PUT /bug/attachment/:name', 100],
    ['PUT /bug/comment/:name/tags', 100],
    ['POST /jsonrpc.cgi', 100],
    ['GET /bug', 400],
    ['GET /bug/:name/history', 50],
    ['GET /bug/:name/comment', 50],
    ['GET /bug/attachment/:name', 50],
  ])('reach behind the checks of %s', (name, least) => {
    const { asked, done } = reach(name);
    expect(done).toBeGreaterThan(least);
    // Just as many have to be refused, or the checks are not tried.
    expect(asked - done).toBeGreaterThan(20);
  });

  test('meet most of the errors that the tracker knows', () => {
    const codes = new Set(reports.flatMap((report) => [...report.codes.keys()]));
    const usual = [
      50, 51, 52, 53, 56, 57, 100, 101, 102, 105, 106, 107, 108, 110, 111, 113, 115, 116, 117, 120, 122, 123, 128,
    ];
    const others = [
      300, 301, 304, 306, 410, 601, 603, 604, 606, 805, 900, 1000, 32_000, 32_614, 67_399, 68_000, 100_500,
    ];
    expect([...usual, ...others].filter((code) => !codes.has(code))).toEqual([]);
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((whole, number) => whole + number, 0);

const shown = 'http://tracker.example.test/show_bug.cgi?id=';
const object = { toString: null, valueOf: 1 };
const loop = { toString: null, add: [object] };

/** What generated requests have broken once, or would have with more luck, told again. */
describe('what was found stays mended', () => {
  test.each([
    ['an object that cannot be a text as a comment', 'POST', '/rest/bug/1/comment', { comment: [object] }, 400, 50],
    ['an object as a list to set', 'PUT', '/rest/bug/1', { blocks: { remove: [object], set: [2] } }, 200, null],
    ['an object as a date', 'PUT', '/rest/bug/1', { cf_due: loop }, 200, null],
    ['an object as a callback', 'PUT', '/rest/bug/1', { callback: loop }, 200, null],
    ['an object as an alias', 'POST', '/rest/bug', { ...filing(), alias: object }, 200, null],
    ['an object as a tag', 'PUT', '/rest/bug/comment/1/tags', { add: [object] }, 400, 128],
    ['an object as the id of a bug', 'PUT', '/rest/bug/1', { ids: [object] }, 400, 100],
    ['an object as the id of an attachment', 'PUT', '/rest/bug/attachment/1', { ids: [object] }, 400, 52],
    ['a name that every object has as a field', 'POST', '/rest/bug', { ...filing(), constructor: 1 }, 400, 53],
    [
      'lists in lists without an end',
      'PUT',
      '/rest/bug/1',
      `{"keywords":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      400,
      32_000,
    ],
    ['half of a JSON-RPC call', 'POST', '/jsonrpc.cgi', '{"method":', 200, 32_000],
    ['hours beyond all calendars', 'GET', '/rest/bug?chfieldfrom=-99999999999h', undefined, 200, null],
    ['years beyond all calendars', 'GET', '/rest/bug?f1=delta_ts&o1=lessthan&v1=-99999999999y', undefined, 200, null],
    ['an object as a method', 'POST', '/jsonrpc.cgi', { method: object, params: [{ names: [object] }] }, 200, 67_399],
  ])('%s', async (_name, method, path, body, status, code) => {
    const server = openServer();
    const headers = { 'Content-Type': 'application/json' };
    const answer = await server.ask(path, { method, as: 'alice', body, headers });
    expect([answer.status, codeIn(answer.body)]).toEqual([status, code]);
  });

  test.each([
    ['a pattern that runs away', '/rest/bug?f1=longdesc&o1=regexp&v1=%28a%2B%29%2B%24', null],
    [
      'two of them',
      '/rest/bug?f1=longdesc&o1=regexp&v1=%28a%7Ca%29*b%24&f2=longdesc&o2=notregexp&v2=%28a%2B%29%2B%24',
      null,
    ],
    ['a part of a long text in another case', `/rest/bug?f1=longdesc&o1=substring&v1=${'B'.repeat(4000)}`, null],
    [
      'a long line of spaces to order by',
      '/jsonrpc.cgi',
      { method: 'Bug.search', params: [{ order: `a${' '.repeat(60_000)}b c` }] },
    ],
    [
      'a long line of spaces as a time',
      '/jsonrpc.cgi',
      { method: 'Bug.search', params: [{ creation_time: `a${' '.repeat(60_000)}b c` }] },
    ],
    ['a row of stars', '/rest/user?match=************x', null],
    ['a row of percent signs', `/rest/bug/comment/tags/${'%25'.repeat(30)}x`, null],
    [
      'a thousand words',
      `/rest/bug?quicksearch=${Array.from({ length: 1000 }, (_, at) => `w${at}`).join('%7C')}`,
      null,
    ],
    [
      'a long line of spaces in a quicksearch',
      '/jsonrpc.cgi',
      { method: 'Bug.search', params: [{ quicksearch: `a${' '.repeat(60_000)}b` }] },
    ],
    ['a long address', '/rest/bug/1', { see_also: { add: [`https://sourceforge.net${'/p/a'.repeat(60_000)}`] } }],
    [
      'an address of this tracker with a long end',
      '/rest/bug/1',
      { see_also: { add: [`${shown}1${'&'.repeat(200_000)}\n`] } },
    ],
  ])('%s does not keep the tracker busy', async (_name, path, body) => {
    const server = openServer();
    await server.ask('/rest/bug/comment/1/tags', { method: 'PUT', as: 'alice', body: { add: ['a'.repeat(24)] } });
    for (const text of [`${'a'.repeat(4000)}!`, `${'a'.repeat(50_000)}${'b'.repeat(4001)}`])
      server.world.as('alice').comment(1, text);
    const method = body === null ? 'GET' : path === '/jsonrpc.cgi' ? 'POST' : 'PUT';
    const started = process.cpuUsage();
    const answer = await server.ask(path, { as: 'alice', method, ...(body === null ? {} : { body }) });
    expect(cpuMsSince(started)).toBeLessThan(cpuMaxMs);
    expect(answer.body).not.toBeNull();
    expect(answer.status).toBeLessThan(500);
  });
});

function filing() {
  return { product: 'Widget', component: 'Core', version: '1.0', summary: 's' };
}

function codeIn(body: unknown): unknown {
  const { code, error } = body as { readonly code?: number; readonly error?: { readonly code?: number } };
  return code ?? error?.code ?? null;
}

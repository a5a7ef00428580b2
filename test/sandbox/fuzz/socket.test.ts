import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServedTracker, serveTracker } from '../../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { random } from '../../support/random.ts';
import { readAnswer } from './answer.ts';
import { fuzzRequest } from './request.ts';
import { difference, inWords, snapshotOf } from './state.ts';
import { fuzzWorld } from './world.ts';

/**
 * Broken and hostile clients of a served tracker, below HTTP or at its edge: it goes on answering, and nothing has
 * changed.
 */
let world: TrackerWorld;
let served: ServedTracker;

beforeEach(async () => {
  ({ world } = fuzzWorld({ createTrackerWorld }, 0));
  served = await serveTracker(world, { port: 0 });
});

afterEach(() => served.close());

const key = (): string => world.user('alice').apiKey;
const head = (method: string, path: string, ...headers: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: tracker.example.test', ...headers, '', ''].join('\r\n');
const json = 'Content-Type: application/json';

/**
 * Sends bytes as they are and answers all that comes back until the connection ends, which `isCut` does as soon as they
 * are sent.
 */
function exchange(text: string, isCut = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1', () => {
      socket.write(text, () => {
        if (isCut) socket.destroy();
      });
    });
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
    });
    // A server that will hear no more may cut the connection while it is being written to.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

async function stillAnswers(): Promise<void> {
  const answer = await fetch(`${served.url}/rest/bug/1?api_key=${key()}&include_fields=id`);
  expect(await answer.json()).toEqual({ bugs: [{ id: 1 }], faults: [] });
}

const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

describe('a served tracker', () => {
  const last = 'Connection: close';
  test.each([
    ['an address of 200 KB', () => head('GET', `/rest/bug?summary=${'a'.repeat(200_000)}`, last), 431],
    ['an address of 9 KB', () => head('GET', `/rest/bug?summary=${'a'.repeat(9000)}`, last), 414],
    ['headers of 200 KB', () => head('GET', '/rest/version', `X-Long: ${'a'.repeat(200_000)}`, last), 431],
    [
      'ten thousand headers',
      () => head('GET', '/rest/version', ...Array.from({ length: 10_000 }, (_, at) => `X-${at}: 1`), last),
      431,
    ],
    ['a header that is none', () => head('GET', '/rest/version', 'no colon here', last), 400],
    ['a version of HTTP that is none', () => 'GET /rest/version HTTP/9.9\r\n\r\n', 400],
    ['no HTTP at all', () => '\u0016\u0003\u0001\u0000\u0000\r\n\r\n', 400],
    [
      'a chunk of no size',
      () => `${head('POST', '/rest/bug', json, 'Transfer-Encoding: chunked', last)}zz\r\n{}\r\n0\r\n\r\n`,
      400,
    ],
    ['two lengths', () => `${head('POST', '/rest/bug', json, 'Content-Length: 2', 'Content-Length: 3', last)}{}`, 400],
    ['a method that nobody knows', () => head('BREW', '/rest/bug/1', last), 400],
    ['a path of percent signs', () => head('GET', '/rest/bug/%%%ff%zz', last), 400],
    ['a path that leads upwards', () => head('GET', '/rest/../../../../etc/passwd', last), 404],
    ['a whole address for a path', () => head('GET', 'http://elsewhere.test/rest/version', last), 200],
    ['a star for a path', () => head('OPTIONS', '*', last), 400],
    ['a trace', () => head('TRACE', '/rest/bug/1', last), null],
    ['a tunnel', () => head('CONNECT', 'tracker.example.test:80', last), null],
    [
      'another protocol',
      () =>
        head('GET', '/rest/version', 'Upgrade: websocket', 'Connection: Upgrade, close', 'Sec-WebSocket-Version: 13'),
      null,
    ],
  ])('survives %s', async (_name, request, status) => {
    const before = snapshotOf(world.state);
    const statuses = statusesIn(await exchange(request()));
    if (status !== null) expect(statuses).toEqual([status]);
    expect(statuses.filter((each) => each >= 500)).toEqual([]);
    expect(inWords(difference(before, snapshotOf(world.state)))).toEqual([]);
    await stillAnswers();
  });

  test.each([
    ['within a head', () => 'POST /rest/bug HTTP/1.1\r\nHost: tra'],
    [
      'within a body',
      () => `${head('POST', `/rest/bug/1/comment?api_key=${key()}`, json, 'Content-Length: 9000')}{"comment":"half`,
    ],
    [
      'within a chunk',
      () => `${head('PUT', `/rest/bug/1?api_key=${key()}`, json, 'Transfer-Encoding: chunked')}ff\r\n{"summary":"half"`,
    ],
    ['before the answer', () => head('GET', `/rest/bug?api_key=${key()}`)],
  ])('survives callers who leave %s', async (_name, request) => {
    const before = snapshotOf(world.state);
    await Promise.all(Array.from({ length: 20 }, () => exchange(request(), true)));
    await stillAnswers();
    expect(inWords(difference(before, snapshotOf(world.state)))).toEqual([]);
  });

  test('answers what comes in one piece one by one, in order', async () => {
    const body = JSON.stringify({ comment: 'in a row', api_key: key() });
    const write = `${head('POST', '/rest/bug/1/comment', json, `Content-Length: ${body.length}`)}${body}`;
    const read = (id: number) => head('GET', `/rest/bug/${id}`);
    const requests = Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? write : read(at % 3 === 1 ? 1 : 4711)));
    const answer = await exchange([...requests, head('GET', '/rest/version', last)].join(''));
    expect(statusesIn(answer)).toEqual([...Array.from({ length: 10 }, () => [201, 200, 404]).flat(), 200]);
    expect(world.commentsOf(1).filter(({ text }) => text === 'in a row')).toHaveLength(10);
  });

  test('answers generated requests of many at once', async () => {
    const draws = random(99);
    const faults: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const requests = Array.from({ length: 20 }, () => fuzzRequest(draws, world.state));
      await Promise.all(
        requests.map(async (request) => {
          const { method, headers, body, path } = request;
          const answer = await fetch(`${served.url}${path}`, {
            method,
            headers,
            redirect: 'manual',
            ...(body === null ? {} : { body }),
          });
          const { fault } = await readAnswer(answer, request);
          if (fault !== null) faults.push(`${method} ${path}: ${fault}`);
        }),
      );
    }
    expect(faults).toEqual([]);
    await stillAnswers();
  });
});

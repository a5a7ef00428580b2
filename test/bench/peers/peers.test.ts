import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Found } from './found.ts';
import { importers } from './importer.ts';
import { readBeside, sandboxOf } from './peers.ts';
import { countingProxy } from './proxy.ts';
import { ownReader, peer, type Reader } from './readers.ts';

/** Those that are not installed are not compared. */
const others = await Promise.all([peer('perceval'), peer('python-bugzilla')]);
const report = (): void => undefined;
let sandbox: Awaited<ReturnType<typeof sandboxOf>>;

beforeAll(async () => {
  sandbox = await sandboxOf(60, 10_000);
});
afterAll(() => sandbox.close());

const found: Found = {
  bugs: [1, 2],
  privateBugs: [2],
  comments: [10, 11, 20],
  attachments: [5],
  history: ['1 60 priority'],
};
const readerOf = (name: string, read: Reader['read'], version: string | null = '1.0'): Reader => ({
  name,
  version,
  read,
});

describe('what a reader found', () => {
  test('is whole for the own client, private bugs included', async () => {
    const all = await ownReader.read(sandbox.url, sandbox.apiKey);
    const amounts = Object.entries(all).map(([kind, each]) => [kind, each.length]);
    expect(Object.fromEntries(amounts)).toEqual({
      bugs: 60,
      privateBugs: 2,
      comments: 180,
      attachments: 30,
      history: 122,
    });
  });

  const sorted = ({ history, ...ids }: Found) => [
    history.toSorted(),
    Object.values(ids).map((each) => each.toSorted((a, b) => a - b)),
  ];
  for (const { name, version, read } of others)
    test.skipIf(version === null)(`is the same for ${name}`, async () => {
      expect(sorted(await read(sandbox.url, sandbox.apiKey))).toEqual(
        sorted(await ownReader.read(sandbox.url, sandbox.apiKey)),
      );
    });

  test('is compared with what others found', async () => {
    const partly = readerOf('partly', async () => ({
      ...found,
      bugs: [1],
      privateBugs: [],
      comments: [10],
      history: [],
    }));
    const whole = readerOf('whole', async () => found);
    const [less, more] = await readBeside([partly, whole], sandbox, { suffix: '', report });
    expect(less).toMatchObject({
      name: 'partly 1.0',
      numbers: {
        bugs: 1,
        missedBugs: 1,
        missedPrivateBugs: 1,
        missedComments: 2,
        missedAttachments: 0,
        missedHistory: 1,
      },
    });
    expect(more?.numbers).toMatchObject({
      bugs: 2,
      missedBugs: 0,
      missedPrivateBugs: 0,
      missedComments: 0,
      missedHistory: 0,
    });
  });
});

test('a reader that fails does not end the comparison, and one that missed something once did miss it', async () => {
  let turn = 0;
  const flaky = readerOf('flaky', async () => {
    turn += 1;
    if (turn === 2) throw new Error('It broke down.');
    return turn === 3 ? { ...found, bugs: [1] } : found;
  });
  const broken = readerOf('broken', () => Promise.reject(new Error('It never worked.')));
  const said: string[] = [];
  const readers = [flaky, broken, readerOf('whole', async () => found)];
  const numbers = (await readBeside(readers, sandbox, { suffix: '', report: (text) => said.push(text) })).map(
    (each) => each.numbers,
  );
  expect(numbers[0]).toMatchObject({ bugs: 1, missedBugs: 1, missedComments: 0, failedTurns: 1 });
  expect(numbers[1]).toEqual({ failedTurns: 5 });
  expect(numbers[2]).not.toHaveProperty('failedTurns');
  expect(said).toContain('flaky failed: It broke down.');
});

test('readers take turns, and each is counted by what it asks', async () => {
  const order: string[] = [];
  const asking = (name: string, requests: number): Reader =>
    readerOf(name, async (url) => {
      order.push(name);
      for (let nth = 0; nth < requests; nth += 1) await (await fetch(`${url}/rest/version`)).text();
      return found;
    });
  const [one, two] = await readBeside([asking('one', 1), asking('two', 2)], sandbox, { suffix: ', here', report });
  expect(order).toEqual(Array.from({ length: 5 }, () => ['one', 'two']).flat());
  expect([one?.name, one?.numbers['requests'], two?.numbers['requests']]).toEqual(['one 1.0, here', 1, 2]);
});

test('a reader that is not installed has an empty column', async () => {
  const missing = readerOf('missing', () => Promise.reject(new Error('It is not there.')), null);
  expect(await readBeside([missing], sandbox, { suffix: '', report })).toEqual([
    { name: 'missing (not installed)', numbers: {} },
  ]);
});

test('the proxy passes on what is asked and answered, and counts bytes of both', async () => {
  const seen: string[] = [];
  const behind = createServer((request, answer) => {
    seen.push(`${request.method} ${request.url} ${request.headers['x-key']} ${request.headers.host}`);
    answer.writeHead(404, { 'x-answer': 'no' }).end('y'.repeat(3_000));
  });
  await new Promise<void>((done) => behind.listen(0, '127.0.0.1', done));
  const { port } = behind.address() as AddressInfo;
  const proxy = await countingProxy(`http://127.0.0.1:${port}/bugs/`);
  const answer = await fetch(`${proxy.url}/rest/bug?id=1&x=%20`, {
    method: 'POST',
    headers: { 'x-key': 'K' },
    body: 'z'.repeat(2_000),
  });
  expect([answer.status, answer.headers.get('x-answer'), (await answer.text()).length]).toEqual([404, 'no', 3_000]);
  expect(seen).toEqual([`POST /bugs/rest/bug?id=1&x=%20 K 127.0.0.1:${port}`]);
  const { requests, bytes } = proxy.traffic();
  expect(requests).toBe(1);
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThan(6_000);
  await proxy.close();
  behind.close();
});

test('the naive importer publishes private bugs and asks for everything again, and bugferry does not', async () => {
  const [imported, written, naive] = (await importers.run({ bugs: 100, links: [], report })).map(
    ({ numbers }) => numbers,
  );
  expect(naive).toMatchObject({ issues: 100, publishedPrivateBugs: 2, otherDates: 100, otherReasons: 34 });
  for (const own of [imported, written]) {
    expect(own).toMatchObject({ issues: 98, publishedPrivateBugs: 0, otherReasons: 0 });
    expect(own?.['againBytes']).toBeLessThan((naive?.['againBytes'] ?? 0) / 5);
  }
  expect(imported?.['otherDates']).toBe(0);
  expect(imported?.['githubRequests']).toBeLessThan((naive?.['githubRequests'] ?? 0) / 2);
});

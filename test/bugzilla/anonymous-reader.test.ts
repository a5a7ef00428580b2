import { describe, expect, onTestFinished, test } from 'vitest';
import { bugzillaAnonymousReader } from '../../src/bugzilla/anonymous-reader.ts';
import type { AnonymousReader } from '../../src/model/anonymous-reader.ts';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openLane } from './api/fake-tracker.ts';

interface Scenario {
  readonly world: TrackerWorld;
  readonly anonymousReader: AnonymousReader;
  /** Addresses and headers of all that was asked. */
  readonly asked: { readonly address: string; readonly headers: Headers }[];
}

const now = (): number => Date.UTC(2026, 10, 21);

const readerOf = (url: string, through: typeof fetch): AnonymousReader =>
  bugzillaAnonymousReader({ url, lane: openLane(), timeoutMs: 5000, now, fetch: through, warn: () => undefined });

/** The anonymous reader over HTTP, with a sandbox tracker on the loopback interface. */
async function openScenario(): Promise<Scenario> {
  const world = createTrackerWorld({ now, url: 'https://bugs.example.test' });
  const served = await serveTracker(world, { port: 0 });
  onTestFinished(() => served.close());
  const asked: Scenario['asked'] = [];
  const watched: typeof fetch = (input, init) => {
    asked.push({ address: String(input), headers: new Headers(init?.headers) });
    return fetch(input, init);
  };
  return { world, anonymousReader: readerOf(served.url, watched), asked };
}

test('is shown public bugs, comments and files, and no other, in few requests without any credentials', async () => {
  const { world, anonymousReader, asked } = await openScenario();
  const [alice, insider] = [world.as('alice'), world.as('bridge-insider')];
  const open = alice.file({ summary: 'Open', description: 'Said to all' });
  const hidden = alice.file({ summary: 'Hidden', description: 'Said to few', groups: ['security'] });
  alice.comment(open, 'Said to few', { isPrivate: true });
  const bytes = new TextEncoder().encode('content');
  insider.attach(open, { bytes, file_name: 'open.txt', summary: 'For all' });
  insider.attach(open, { bytes, file_name: 'hidden.txt', summary: 'For few', is_private: true });
  expect([...(await anonymousReader.bugs([open, hidden])).keys()]).toEqual([open]);
  const comments = (await anonymousReader.comments([open])).get(open) ?? [];
  expect(comments.map(({ text }) => text)).not.toContain('Said to few');
  expect(comments[0]?.text).toBe('Said to all');
  const files = (await anonymousReader.attachments([open])).get(open) ?? [];
  expect(files.map(({ name }) => name)).toEqual(['open.txt']);
  expect(await anonymousReader.content(files[0]?.id ?? 0)).toMatchObject({ kind: 'applied' });
  expect(asked.length).toBeLessThan(10);
  for (const { address, headers } of asked) {
    expect(address).not.toMatch(/api_key|token|login|password/iu);
    for (const name of ['authorization', 'x-bugzilla-api-key', 'x-bugzilla-token', 'cookie'])
      expect(headers.get(name)).toBeNull();
  }
});

test('a tracker that requires a login serves no anonymous reader', async () => {
  const { world, anonymousReader } = await openScenario();
  expect(await anonymousReader.isServed()).toBe(true);
  Object.assign(world.state.settings, { requirelogin: '1' });
  expect(await anonymousReader.isServed()).toBe(false);
});

test('more bugs than one answer may hold are all found, and those that are hidden are left out', async () => {
  const { world, anonymousReader } = await openScenario();
  const alice = world.as('alice');
  const bugs = Array.from({ length: 250 }, (_, index) =>
    alice.file({ summary: `Bug ${index}`, description: 'Text', ...(index % 50 === 0 ? { groups: ['security'] } : {}) }),
  );
  expect((await anonymousReader.bugs(bugs)).size).toBe(245);
});

describe('a look', () => {
  const filed = (world: TrackerWorld, count: number, groups: (index: number) => readonly string[] = () => []) =>
    Array.from({ length: count }, (_, index) =>
      world.as('alice').file({ summary: `Bug ${index}`, description: 'Text', groups: [...groups(index)] }),
    );

  test('at five hundred bugs and fifty more is one request, whose address fits everywhere', async () => {
    const { world, anonymousReader, asked } = await openScenario();
    const all = filed(world, 560);
    const found = await anonymousReader.lookAt({ inTurn: all.slice(0, 500), fresh: all.slice(-50) });
    expect([asked.length, found.reached, found.asked.size, found.shown.size]).toEqual([1, 500, 550, 550]);
    expect(new Set([...found.shown.values()].map(({ product }) => product))).toEqual(new Set(['Widget']));
    expect(asked[0]?.address.length).toBeLessThan(7_100);
  });

  test('leaves out hidden bugs, and asks for them once more', async () => {
    const { world, anonymousReader, asked } = await openScenario();
    const all = filed(world, 4, (index) => (index === 1 ? ['security'] : []));
    const { shown } = await anonymousReader.lookAt({ inTurn: all, fresh: [] });
    expect([[...shown.keys()], asked.length]).toEqual([[all[0], all[2], all[3]], 2]);
  });

  test('finds all where the tracker cuts its answers, and asks for fewer from then on', async () => {
    const { world, anonymousReader, asked } = await openScenario();
    world.state.maxSearchResults = 30;
    const all = filed(world, 100);
    const ask = { inTurn: all, fresh: all.slice(-50) };
    expect((await anonymousReader.lookAt(ask)).shown.size).toBe(100);
    asked.splice(0);
    const { reached, shown } = await anonymousReader.lookAt(ask);
    expect([reached, shown.size, asked.length]).toEqual([28, 30, 1]);
  });

  test('asks for fewer where the address is too long for something on the way', async () => {
    const world = createTrackerWorld({ now, url: 'https://bugs.example.test' });
    const served = await serveTracker(world, { port: 0 });
    onTestFinished(() => served.close());
    const all = filed(world, 300);
    let count = 0;
    const short: typeof fetch = async (input, init) => {
      count += 1;
      return String(input).length > 1_600
        ? new Response('<h1>Request-URI Too Large</h1>', { status: 414 })
        : fetch(input, init);
    };
    const reader = readerOf(served.url, short);
    const looks = [await reader.lookAt({ inTurn: all, fresh: [] }), await reader.lookAt({ inTurn: all, fresh: [] })];
    expect([looks.map(({ reached, shown }) => [reached, shown.size]), count]).toEqual([
      [
        [150, 150],
        [150, 150],
      ],
      3,
    ]);
  });

  /**
   * Looks at 50 bugs, or as many as given, through something that answers like this; how many were asked about, and in
   * how many requests.
   */
  async function sizesOf(
    looks: number,
    answer: (ids: readonly number[], request: number) => Response | null,
    bugs = 50,
  ) {
    let requests = 0;
    const through: typeof fetch = async (input) => {
      const ids = (new URL(String(input)).searchParams.get('id') ?? '').split(',').map(Number);
      requests += 1;
      return answer(ids, requests) ?? Response.json({ bugs: ids.map((id) => ({ id, product: 'Widget', groups: [] })) });
    };
    const reader = readerOf('https://bugs.example.test', through);
    const inTurn = Array.from({ length: bugs }, (_, index) => index + 1);
    const sizes: number[] = [];
    for (let look = 0; look < looks; look += 1) sizes.push((await reader.lookAt({ inTurn, fresh: [] })).asked.size);
    return { sizes, requests };
  }
  const refusal = (): Response => new Response('<h1>Forbidden</h1>', { status: 403 });
  const failure = (): Response => Response.json({ error: true, code: 100_500, message: 'inner' });
  const least = 20;

  test.each([200, 60, least])(
    'asks for fewer and fewer where no more than %i numbers pass, and stays there',
    async (most) => {
      const { sizes, requests } = await sizesOf(3, (ids) => (ids.length > most ? refusal() : null), 550);
      const [first = 0] = sizes;
      expect(sizes).toEqual([first, first, first]);
      expect([first <= most, first >= Math.min(most, least), requests <= 8]).toEqual([true, true, true]);
    },
  );

  test('a failure with twenty numbers is reported', async () => {
    await expect(sizesOf(1, refusal)).rejects.toThrow(/refused|403|Forbidden/u);
  });

  test('asks for more again after twenty looks, and for no more than passes', async () => {
    const once = await sizesOf(22, (_ids, request) => (request === 1 ? refusal() : null));
    expect(once.sizes).toEqual([...Array.from({ length: 20 }, () => 25), 50, 50]);
    const always = await sizesOf(45, (ids) => (ids.length > 30 ? refusal() : null));
    expect([new Set(always.sizes), always.requests]).toEqual([new Set([25]), 45 + 3]);
  });

  test('a tracker that cut its answers once is asked for more again, even if half of what it shows is hidden', async () => {
    let isCutting = true;
    const seen = (ids: readonly number[]): Response => {
      const bugs = ids.map((id) => ({ id, product: 'Widget', groups: id % 2 === 0 ? ['security'] : [] }));
      return Response.json({ bugs: isCutting ? bugs.slice(0, 30) : bugs });
    };
    const { sizes } = await sizesOf(21, (ids, request) => {
      isCutting = request <= 4;
      return seen(ids);
    });
    expect(sizes).toEqual([50, ...Array.from({ length: 19 }, () => 30), 50]);
  });

  test('a bug that breaks the search is left out; a search that fails for all is reported', async () => {
    expect((await sizesOf(2, (ids) => (ids.includes(7) ? failure() : null))).sizes).toEqual([49, 49]);
    await expect(sizesOf(1, failure)).rejects.toThrow('inner');
  });

  test('at a single bug uses its number, and distinguishes hidden from shown', async () => {
    const { world, anonymousReader } = await openScenario();
    const [open = 0, hidden = 0] = filed(world, 2, (index) => (index === 1 ? ['security'] : []));
    expect([
      await anonymousReader.access(open),
      await anonymousReader.access(hidden),
      await anonymousReader.access(999),
    ]).toEqual(['shown', 'hidden', 'missing']);
  });
});

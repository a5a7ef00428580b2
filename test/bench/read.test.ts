import { describe, expect, test } from 'vitest';
import { trackerServer } from '../../src/sandbox/tracker/server/server.ts';
import { type Fault, plant } from '../support/plant.ts';
import type { Measured } from './benchmark.ts';
import { readFrom } from './read.ts';
import { serveCounted, trafficBetween } from './support/counted-server.ts';
import { firstId, largeWorld } from './support/large-world.ts';
import { floorOf } from './support/read-floor.ts';

const requestsPerBugMax = 0.02;
const bytesRatioMax = 1.05;

/** The numbers of a full reading and of one of what changed; through the client in `source`, a copy of src/. */
async function measured(bugs: number, maximum: number, source = '../../src'): Promise<readonly Measured['numbers'][]> {
  const { openTracker }: typeof import('../../src/bugzilla/api/tracker.ts') = await import(
    `${source}/bugzilla/api/tracker.ts`
  );
  const all = await readFrom(largeWorld(bugs, maximum), { open: openTracker, suffix: '', report: () => {} });
  return all.map(({ numbers }) => numbers);
}

describe('through the public client', () => {
  // 584 is the least number at which addresses no longer hold all ids at once, which is dearest for each bug.
  test.each([
    [500, 10_000, 8],
    [584, 10_000, 11],
    [1500, 10_000, 15],
    [584, 100, 16],
  ])(
    '%i bugs, at most %i a page, take at most %i requests, and what changed of them five',
    async (bugs, maximum, requests) => {
      const [all, changed] = await measured(bugs, maximum);
      expect(all?.['requests']).toBeLessThanOrEqual(requests);
      if (maximum > bugs) expect(all?.['requestsPerBug']).toBeLessThanOrEqual(requestsPerBugMax);
      expect(all?.['bytesRatio']).toBeLessThanOrEqual(bytesRatioMax);
      expect(changed?.['bugs']).toBe(Math.ceil(bugs / 100));
      expect(changed?.['requests']).toBeLessThanOrEqual(5);
    },
  );
});

const wasteful: readonly (readonly [string, Fault])[] = [
  [
    'small batches',
    { file: 'bugzilla/api/bulk.ts', from: 'const { batchSize = 1000 }', to: 'const { batchSize = 50 }' },
  ],
  [
    'short addresses',
    { file: 'bugzilla/connection/read-apart.ts', from: 'queryBytesMax = 7000', to: 'queryBytesMax = 1000' },
  ],
  ['small pages', { file: 'bugzilla/api/bug-operations.ts', from: 'pageSize = 1000', to: 'pageSize = 50' }],
  [
    'a check of the key before every request',
    { file: 'bugzilla/api/methods.ts', from: 'identified ??= client', to: 'identified = client' },
  ],
];

describe('a reader that wastes', () => {
  test.each(wasteful)('requests by %s is found out', async (_name, fault) => {
    const [all] = await measured(600, 10_000, plant(fault));
    expect(all?.['requestsPerBug']).toBeGreaterThan(requestsPerBugMax);
  });

  test('bytes by reading contents is found out', async () => {
    const fault = { file: 'bugzilla/api/bulk.ts', from: '{ data: false }', to: '{ data: true }' };
    const [all] = await measured(600, 10_000, plant(fault));
    expect(all?.['bytesRatio']).toBeGreaterThan(bytesRatioMax);
  });
});

const forgetful: readonly (readonly [string, Fault, string])[] = [
  [
    'the end of a list behind a maximum',
    { file: 'bugzilla/connection/read-many.ts', from: 'ids.length * 2 < known', to: 'ids.length < options.pageSize' },
    'found {"bugs":100,',
  ],
  [
    'what is of the very second from which it reads on',
    { file: 'bugzilla/api/bulk.ts', from: 'since - 1000', to: 'since' },
    'found {"bugs":6,"comments":0,',
  ],
  [
    'whole batches',
    {
      file: 'bugzilla/connection/read-apart.ts',
      from: 'else parts.push([ask]);',
      to: 'else if (parts.length === 0) parts.push([ask]);',
    },
    'left out the comments of 17 bugs',
  ],
];

describe('a reader that saves requests by missing', () => {
  test.each(forgetful)('%s is no success', async (_name, fault, complaint) => {
    await expect(measured(600, 100, plant(fault))).rejects.toThrow(complaint);
  });
});

describe('the floor', () => {
  test.each([
    [1, 10_000, 1 + 1 + 3],
    [675, 10_000, 1 + 1 + 3],
    [676, 10_000, 1 + 1 + 6],
    [600, 100, 1 + 6 + 3],
    [601, 100, 1 + 7 + 3],
  ])('of %i bugs, %i a page, is %i requests', async (bugs, maximum, requests) => {
    const { world, ids } = largeWorld(bugs, maximum);
    expect(await floorOf(world, { ids, since: null, identifications: 1 })).toMatchObject({ requests });
  });

  test('is the size of what the tracker says about each bug, and of the ids', async () => {
    const { world, ids } = largeWorld(2, 10_000);
    const { url, close } = await serveCounted(trackerServer(world).fetch);
    const bodyOf = async (path: string): Promise<string> =>
      (
        await fetch(
          `${url}/rest/${path}${path.includes('?') ? '&' : '?'}api_key=${world.user('bridge').apiKey}&exclude_fields=data`,
        )
      ).text();
    let bytes = 0;
    for (const id of ids) {
      bytes += (await bodyOf(`bug?id=${id}`)).length - '{"bugs":[]}'.length;
      bytes += (await bodyOf(`bug/${id}/comment`)).length - '{"bugs":{},"comments":{}}'.length;
      bytes += (await bodyOf(`bug/${id}/attachment`)).length - '{"bugs":{},"attachments":{}}'.length;
      bytes += (await bodyOf(`bug/${id}/history`)).length - '{"bugs":[]}'.length;
    }
    await close();
    const commas = 4;
    const named = 2 * 3 * `&ids=${firstId}`.length;
    expect((await floorOf(world, { ids, since: null, identifications: 1 })).bytes).toBe(bytes + commas + named);
  });
});

test('the server counts requests, and bytes of both directions with their heads', async () => {
  const { world } = largeWorld(1, 10_000);
  const tracker = await serveCounted(trackerServer(world).fetch);
  const before = tracker.traffic();
  const answer = await fetch(`${tracker.url}/rest/version`, { headers: { 'X-Long': 'x'.repeat(5000) } });
  const body = await answer.text();
  const heads = [...answer.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  const { requests, bytes } = trafficBetween(before, tracker.traffic());
  await tracker.close();
  expect(requests).toBe(1);
  expect(bytes).toBeGreaterThanOrEqual(5000 + heads + body.length);
  expect(bytes).toBeLessThan(5000 + heads + body.length + 500);
});

import { describe, expect, test } from 'vitest';
import { trackerServer } from '../../src/sandbox/tracker/server/server.ts';
import type { Measured } from './benchmark.ts';
import { readFrom } from './read.ts';
import { serveCounted, trafficBetween } from './support/counted-server.ts';
import { firstId, largeWorld } from './support/large-world.ts';
import { floorOf } from './support/read-floor.ts';

const requestsPerBugMax = 0.02;
const bytesRatioMax = 1.05;

/** The numbers of a full reading and of one of what changed. */
async function measured(bugs: number, maximum: number): Promise<readonly Measured['numbers'][]> {
  const all = await readFrom(largeWorld(bugs, maximum), { suffix: '', report: () => {} });
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

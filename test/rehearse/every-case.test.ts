import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SideError } from '../../src/model/outcome.ts';
import { root } from '../docs/documents.ts';
import { some } from '../tiers/depth.ts';
import { otherServers } from './other-servers.ts';
import { allCases, openStage, type Plant } from './stage.ts';

/** Plants only while the case runs, so that the runner's own requests are left alone. */
const during =
  (id: string, plant: Plant): Plant =>
  (passing, response) =>
    passing.id === id ? plant(passing, response) : response;

/** The first of the other servers at which a case differs. */
async function differenceOf(id: string): Promise<string | null> {
  for (const [server, plant] of Object.entries(otherServers)) {
    const stage = openStage({ hasFiles: true });
    stage.plant = during(id, plant());
    const [found] = await stage.try(id).catch((error: unknown) => {
      if (error instanceof SideError) return [];
      throw error;
    });
    if (found?.verdict === 'differs') return server;
  }
  return null;
}

describe('every case', () => {
  test.each(some(allCases, 50).map(({ each: { id } }) => id))('%s differs on some other server', async (id) => {
    expect(await differenceOf(id), 'a case that cannot fail').not.toBeNull();
  });

  test('has an id of its own, and says what it assumes and where', () => {
    const ids = allCases.map(({ each: { id } }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(80);
    for (const { each } of allCases) {
      expect(each.id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u);
      expect(each.assumes).toMatch(/^[A-Z].*\.$/u);
      expect(each.means).toMatch(/^[A-Za-z].*\.$/u);
      expect(each.usedIn.length).toBeGreaterThan(0);
      expect(each.usedIn.filter((file) => !existsSync(join(root, 'src', file)))).toEqual([]);
      if (each.fits !== undefined && !/^(?:422 |accepted, or|failed|202|sha256|2022|no end|push)/u.test(each.expects))
        expect(each.expects).toMatch(each.fits);
    }
  });
});

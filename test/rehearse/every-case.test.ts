import { describe, expect, test } from 'vitest';
import { otherServers } from './other-servers.ts';
import { allCases, openStage, type Plant } from './stage.ts';

/** Plants only while the case runs, so that its preparations by the runner are left alone. */
const during =
  (id: string, plant: Plant): Plant =>
  (passing, response) =>
    passing.id === id ? plant(passing, response) : response;

describe('every case', () => {
  test.each(allCases.map(({ each: { id } }) => id))('%s differs on a server that is otherwise', async (id) => {
    const differences: string[] = [];
    for (const [server, plant] of Object.entries(otherServers)) {
      const stage = openStage();
      stage.plant = during(id, plant());
      const found = await stage.try(id).catch(() => []);
      if (found[0]?.verdict === 'differs') differences.push(`${server}: ${found[0].seen}`);
    }
    expect(differences.length, 'a case that cannot fail').toBeGreaterThan(0);
  });
});

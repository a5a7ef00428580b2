import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesIn } from '../archive/world.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { fillGenerated } from '../support/generated-tracker.ts';
import { random } from '../support/random.ts';
import { pause } from './process.ts';

/**
 * An archive as a process of its own over real HTTP: killed with SIGKILL at random moments, it ends as one that was
 * left alone.
 */
const kills = 6;

let house: House;

beforeAll(async () => {
  house = await openHouse((tracker) => {
    fillGenerated(tracker, { count: 600, seed: 5 });
    for (let id = 10; id < 600; id += 10) {
      const content = {
        bytes: new TextEncoder().encode(`content ${id}`),
        file_name: `${id}.txt`,
        summary: `file ${id}`,
      };
      if (tracker.bug(id)?.groups.length === 0) tracker.as('alice').attach(id, content);
    }
  });
});
afterAll(() => house.close());

const filesOf = (folder: string): number => {
  try {
    return readdirSync(folder, { recursive: true }).length;
  } catch {
    return 0;
  }
};

test(`killed ${kills} times, an archive is whole in the end`, async () => {
  const [calm, killed] = [join(house.folder, 'calm'), join(house.folder, 'killed')];
  expect((await house.start('archive', calm).ended).code).toBe(0);
  const draw = random(9);
  for (let kill = 0; kill < kills; kill += 1) {
    const { child, ended } = house.start('archive', killed);
    const enough = filesOf(killed) + draw.below(150);
    for (let left = 3_000; left > 0 && child.exitCode === null && filesOf(killed) <= enough; left -= 1) await pause(10);
    child.kill('SIGKILL');
    await ended;
  }
  expect((await house.start('archive', killed).ended).code).toBe(0);
  const files = filesIn(calm);
  expect(files.size).toBeGreaterThan(1_200);
  expect(filesIn(killed)).toEqual(files);

  const again = await house.start('archive', killed, '--json').ended;
  expect(again.json()).toMatchObject([{ kind: 'archived', written: 0, removed: 0 }]);
  const compared = await house.start('archive', killed, '--verify').ended;
  expect(compared.code).toBe(0);
  expect(compared.out).toContain('no differences');
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mostMemoryIn, tellsMostMemory } from './support/most-memory.ts';

/** A process with 300 MB, which starts one that has next to nothing and says its most memory. */
const largeParent = (meter: string): string => `
  const large = Array.from({ length: 3 }, (_, nth) => Buffer.alloc(100_000_000, nth + 1));
  const child = require('node:child_process').spawnSync(process.execPath, ['--eval', ${JSON.stringify(meter)}]);
  process.stderr.write(child.stderr);
  if (large.length === 0) console.log('kept');
`;

async function saidBelow(meter: string): Promise<number> {
  const { stderr } = await promisify(execFile)(process.execPath, ['--eval', largeParent(meter)]);
  return mostMemoryIn(stderr);
}

test('the most memory of a process is its own, whatever the one that started it had', async () => {
  expect(await saidBelow(tellsMostMemory)).toBeLessThan(150_000);
});

test("what Node says of it is not: that would be its parent's", async () => {
  expect(
    await saidBelow("process.on('exit', () => console.error('most', process.resourceUsage().maxRSS))"),
  ).toBeGreaterThan(250_000);
});

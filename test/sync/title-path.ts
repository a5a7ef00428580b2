/**
 * Which files of src run when one title changes: from the poll that shows it to the request that carries it, and the
 * cycle after it. Prints them, and how many they are. The sandbox, which plays both sides, does not count.
 */

import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

const world = stage();
const alice = world.tracker.as('alice');
const bug = alice.file({ summary: 'A title', description: 'A description' });
const context = contextOn(world, widgetRoute, { limits: testLimits });
const run = async () => {
  world.clock.advance(120_000);
  await cycle(context, { isForced: false });
};
for (let count = 0; count < 6; count += 1) await run();
alice.change(bug, { summary: 'Another title' });

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await run();
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();

if (world.github.issues(repo)[0]?.title !== 'Another title') throw new Error('The title did not cross.');

const files = result
  .filter(
    ({ url, functions }) =>
      url.startsWith(`file://${root}`) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  )
  .map(({ url }) => fileURLToPath(url).slice(root.length))
  .filter((file) => !file.startsWith('sandbox/'))
  .sort();
process.stdout.write(`${files.join('\n')}\n${files.length} files\n`);

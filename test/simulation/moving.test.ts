import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { type Fault, plant } from '../support/plant.ts';
import { perTier, sample, some } from '../tiers/depth.ts';
import { simulateMoves } from './moving.ts';
import type { Engine } from './simulate.ts';

/** I1, I3 and I4 while bugs move between products, requests fail and the process dies. SEED says where to begin. */
const first = Number(process.env['SEED'] ?? 1);

test('a thread goes on wherever its bug moves', async () => {
  for (let seed = first; seed < first + perTier({ check: 2, test: 8, deep: 300 }); seed += 1)
    expect(await simulateMoves({ cycle, sweep }, seed), `seed ${seed}`).toEqual([]);
});

/** I9 as well, while people hide bugs and comments, the clock is wrong and the tracker fails on a bug. */
test('nothing hidden of a bug that moves stands on GitHub, and all of it once it is shown', async () => {
  for (let seed = first; seed < first + perTier({ check: 1, test: 4, deep: 25 }); seed += 1)
    expect(await simulateMoves({ cycle, sweep }, seed, { isHiding: true }), `seed ${seed}`).toEqual([]);
});

test('products that have one repository keep their bugs and issues apart, whatever label people give', async () => {
  for (let seed = first; seed < first + perTier({ check: 1, test: 4, deep: 60 }); seed += 1)
    expect(await simulateMoves({ cycle, sweep }, seed, { isShared: true }), `seed ${seed}`).toEqual([]);
});

test.each(
  some(
    [
      ['a bug that was hidden, moved back and was shown goes on', 3],
      ['what a bug was filed with is no comment, wherever people transfer its issue before it is read', 3_710_000_003],
      ['a transfer waits for a request in doubt, which a clock that is put back ends', 2_700_000_028],
      ['an erased copy from before the clock was put back is written again', 2_700_002_038],
      ['the old issue of a bug that was hidden as it left says where it is', 811_000_832],
      ['a bug that only the route of its product reads was set aside in that of its issue', 810_003_092],
      ['a pause of a minute became one of a day, as the clock was put back', 810_005_288],
      ['a bug names an issue that people transferred twice, which it has left since', 830_009_853],
      ['a copy that people hid before the bridge knew that it had arrived is not written again', 840_000_171],
      ['the issue that a bug left is withdrawn, though the bug was hidden before it had another one', 2_600_001_175],
    ] as const,
    4,
  ),
)('%s, which failed once', async (_what, seed) => {
  expect(await simulateMoves({ cycle, sweep }, seed, { isHiding: true })).toEqual([]);
});

/**
 * A bug goes to and fro between two cycles, while people write on its issue; an issue that people transferred is paired
 * anew, as GitHub could not say at once where it came from, or a bug gets another issue, as GitHub could not say where
 * its own went.
 */
test.each(some([9080, 39, 820_000_070, 812_001_561, 850_000_014], 3))('seed %i, which failed once', async (seed) => {
  expect(await simulateMoves({ cycle, sweep }, seed)).toEqual([]);
});

test.each(
  some(
    [
      ['a bug that left its issue and came back gets it back', 27],
      ['a comment is not said again on a bug of which no list tells, as it moved', 57],
      ['the second issue of a bug that moved back says where it goes on', 71],
      ['so does one whose pair people transferred later', 77],
      ['an issue of ours whose bug another route knows is no issue of people', 85],
      ['a copy that names the place to which people transferred an issue is no comment', 253],
      ['the second issue of a bug that another route takes over says where it goes on', 140],
    ] as const,
    4,
  ),
)('%s, whatever state came back', async (_what, seed) => {
  expect(await simulateMoves({ cycle, sweep }, seed, { hasRestores: true })).toEqual([]);
});

/** `seed` is the first that noticed. */
const faults: readonly (Fault & { readonly name: string; readonly seed: number })[] = [
  {
    name: 'I3: a bug leaves before its issue says so, and what people write there meanwhile stays there',
    file: 'sync/perform/follow-moves.ts',
    from: '(!isLeft && context.lookTurns.isShared(route, product))',
    to: '!isLeft',
    seed: 5,
  },
  {
    name: 'I1: the old issue never says where its bug went',
    file: 'sync/perform/follow-moves.ts',
    from: "if (holder !== null && holder.issue === null && holder.state === 'live') return;",
    to: 'if (holder !== null) return;',
    seed: 1,
  },
];

test.each(sample(faults, 1))('a planted fault is caught: $name', async ({ name: _name, seed, ...fault }) => {
  const folder = plant(fault);
  const loop: Pick<Engine, 'cycle'> = await import(`${folder}/sync/cycle.ts`);
  const walk: Pick<Engine, 'sweep'> = await import(`${folder}/sync/sweep.ts`);
  for (let tried = seed; tried < seed + 100; tried += 1)
    if ((await simulateMoves({ cycle: loop.cycle, sweep: walk.sweep }, tried)).length > 0) return;
  expect.unreachable('100 seeds did not notice');
});

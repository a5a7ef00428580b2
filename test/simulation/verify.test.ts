import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Difference, PairReport } from '../../src/model/reports/verification.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { perTier } from '../tiers/depth.ts';
import { verified } from '../verify/mirror.ts';
import { simulate } from './simulate.ts';
import { isPoison, type Stage } from './stage.ts';
import { isWornOut } from './world/truths.ts';

/**
 * Once both sides rest, verify finds nothing, and neither side is written to. SEEDS and SEED choose how many
 * simulations and from which. What it finds here is a fault of the bridge or of verify itself.
 */
const count = Number(process.env['SEEDS'] ?? perTier({ check: 5, test: 10, deep: 30 }));
const first = Number(process.env['SEED'] ?? 1);
const tens = Array.from({ length: Math.ceil(count / 10) }, (_, index) => first + index * 10);

test.each(tens)('a mirror at rest has no difference, from seed %i', async (from) => {
  for (let seed = from; seed < Math.min(from + 10, first + count); seed += 1) {
    const { violations } = await simulate({ cycle, sweep }, seed, { whenQuiet: judge });
    expect(violations, `replay with: SEED=${seed} SEEDS=1 npx vitest run test/simulation/verify.test.ts`).toEqual([]);
  }
});

async function judge(context: Context, world: Stage): Promise<readonly string[]> {
  const before = world.calls.length;
  const report = await verified(context);
  const writes = world.calls
    .slice(before)
    .filter(({ method }) => ['create', 'update', 'comment', 'put', 'remove', 'attach'].includes(method));
  const found = report.pairs.flatMap((pair) =>
    pair.differences.flatMap((each) => (isFair(context, world, pair, each) ? [] : [inWords(pair, each)])),
  );
  return [...found, ...writes.map(({ side, method }) => `verify wrote: ${method} on ${side}`)];
}

/** What really differs, because people or servers left it so. */
function isFair(
  { route, store }: Context,
  world: Stage,
  { bug, differences }: PairReport,
  { aspect, about, words }: Difference,
): boolean {
  // The route leaves copies as people edit them.
  const isDefaced = differences.some(
    (each) => (each.about === about || aspect === 'file') && each.github?.startsWith('Defaced'),
  );
  if (route.copies === 'leave' && isDefaced) return true;
  if (isPoison(world.tracker.bug(bug ?? 0)?.summary ?? '')) return true;
  // GitHub drops whom it cannot assign, and takes no circle of dependencies: that it did so is a difference.
  if ((aspect === 'assignee' || aspect === 'dependency') && words.includes('did not take')) return true;
  const link = bug === null ? null : store.links.byBug(bug);
  if (link !== null && isWornOut(world, link)) return true;
  return (
    aspect === 'dependency' && link !== null && store.outbox.ofLink(link.id).some(({ state }) => state === 'parked')
  );
}

const inWords = ({ bug, issue }: PairReport, { aspect, about, words, tracker, github }: Difference): string =>
  `${aspect} of bug ${bug} and issue ${issue}: ${about} ${words} | ${tracker} | ${github}`;

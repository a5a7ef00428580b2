import { afterAll, expect, test } from 'vitest';
import type { WatchedWork } from '../../src/model/runtime.ts';
import { stage } from '../simulation/stage.ts';
import { type Acting, course, Killed } from '../support/faults/course.ts';
import { onStep, withSteps } from '../support/faults/steps.ts';
import { onPoisonedStep, watchSteps } from '../support/faults/watched-steps.ts';
import { some } from '../tiers/depth.ts';

/**
 * I11: work on one pair that does not end, in any step of any stage, ends the process. Each next one leaves that pair
 * alone as it was, and all others cross.
 */
const copy = withSteps(['kernel', 'rules', 'sync']);
const { cycle }: Pick<Acting, 'cycle'> = await import(`${copy.folder}/sync/cycle.ts`);
const { sweep }: Pick<Acting, 'sweep'> = await import(`${copy.folder}/sync/sweep.ts`);

const { during, blamed: blamedNow } = watchSteps();
afterAll(copy.remove);

async function lookAt(listen: (step: string) => void): Promise<readonly string[]> {
  const world = stage();
  onPoisonedStep(world.store, listen);
  return await course({ cycle, sweep, watch: { during } }, world).finally(() => onStep(null));
}

const steps = new Set<string>();
const unhurt = await lookAt((step) => steps.add(step));

test('all steps are met', () => {
  expect(unhurt).toEqual([]);
  expect(steps.size).toBeGreaterThan(200);
});

test.each(some([...steps].toSorted(), 12))('work without an end in %s', async (step) => {
  const blamed: (WatchedWork | undefined)[] = [];
  const wrong = await lookAt((each) => {
    if (each !== step) return;
    const work = blamedNow();
    blamed.push(work);
    if (work !== undefined) throw new Killed(work);
  });
  expect(wrong).toEqual([]);
  expect(blamed).not.toEqual([]);
  expect(blamed).not.toContain(undefined);
});

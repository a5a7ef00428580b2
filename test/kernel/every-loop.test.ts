import { afterAll, expect, test } from 'vitest';
import { bugId } from '../../src/model/ids.ts';
import type { WatchedWork } from '../../src/model/runtime.ts';
import { watchWith } from '../../src/runtime/watchdog.ts';
import { stage } from '../simulation/stage.ts';
import { type Acting, course, Killed } from '../support/faults/course.ts';
import { isOfMany, itemOf, onStep, withSteps } from '../support/faults/steps.ts';
import { some } from '../tiers/depth.ts';

/**
 * I11: work on one pair that does not end, in any step of any stage, ends the process. Each next one leaves that pair
 * alone as it was, and all others cross.
 */
const copy = withSteps(['kernel', 'rules', 'sync']);
const { cycle }: Pick<Acting, 'cycle'> = await import(`${copy.folder}/sync/cycle.ts`);
const { sweep }: Pick<Acting, 'sweep'> = await import(`${copy.folder}/sync/sweep.ts`);

/** What the watchdog would blame now. */
let at: WatchedWork | undefined;
const { during, unhook } = watchWith((work) => {
  at = work;
});
afterAll(() => {
  unhook();
  onStep(null);
  copy.remove();
});

async function lookAt(listen: (step: string) => void): Promise<readonly string[]> {
  const world = stage();
  const isPoisoned = (name: string): boolean => {
    const link = world.store.links.byBug(bugId(2));
    return [`link ${link?.id}`, 'bug 2', `issue ${link?.issue}`].includes(name);
  };
  onStep((step, given) => {
    // Nothing comes after the net but the store.
    const item = step.startsWith('kernel/set-aside.ts:') || isOfMany(given) ? [] : itemOf(given);
    if (item.length > 0 && item.every(isPoisoned)) listen(step);
  });
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
    blamed.push(at);
    if (at !== undefined) throw new Killed(at);
  });
  expect(wrong).toEqual([]);
  expect(blamed).not.toEqual([]);
  expect(blamed).not.toContain(undefined);
});

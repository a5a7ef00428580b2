import type { Hint } from '../../../src/model/control.ts';
import { random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';

/** Far more than there is: some hints are about nothing. */
const beyond = 3;

/**
 * Webhooks for every fourth seed: late, doubled, missing, and about bugs and issues that did not change or do not
 * exist. They are hints, so whatever comes of a run without them has to come of it with them. Draws of its own, so that
 * the run is otherwise the same.
 */
export function hints(seed: number): (world: Stage) => readonly Hint[] {
  const draw = random(seed + 40_000_000);
  if (seed % 4 !== 2) return () => [];
  return (world) =>
    Array.from({ length: draw.below(4) }, (): Hint => {
      const isThread = draw.chance(0.5);
      if (draw.chance(0.5))
        return { side: 'tracker', ref: 1 + draw.below(world.tracker.bugs().length + beyond), repo: null, isThread };
      return { side: 'github', ref: 1 + draw.below(world.github.issues(repo).length + beyond), repo, isThread };
    });
}

import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { statesOf } from '../../simulation/restores/states.ts';
import { contextOn, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';

/** A world whose state may come back, and a bridge that sees hidden bugs; each call of `cycles` is a process of its own. */
export function worldOn(route: Route) {
  const bare = stage();
  const states = statesOf(bare.clock.now, scrub);
  bare.store.close();
  const world: Stage = { ...bare, store: states.store };
  const cycles = async (count = 4): Promise<void> => {
    const context = contextOn(world, route, { limits: testLimits, user: 'bridge-insider' });
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      await cycle(context, { isForced: false });
    }
  };
  return { world, states, cycles };
}

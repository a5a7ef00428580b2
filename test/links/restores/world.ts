import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { lookTurns } from '../../../src/sync/observe/recheck-mirrored.ts';
import { inheritDoubts } from '../../../src/sync/settle/settle.ts';
import { statesOf } from '../../simulation/restores/states.ts';
import { bot, contextOn, stage } from '../../simulation/stage.ts';
import { testLimits } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';
import { differencesOn } from '../../verify/mirror.ts';

/** The repository of the second route. */
export const other = 'acme/gadget';

/** Routes with a repository each, whose state may come back; each pass is a process of its own. */
export function worldOf(routes: readonly Route[]) {
  const bare = stage();
  const states = statesOf(bare.clock.now, scrub);
  bare.store.close();
  const world = { ...bare, store: states.store };
  world.github.addRepo(other, { permissions: { [bot]: 'write', mona: 'admin' } });
  const contexts = () => {
    const turns = lookTurns(routes);
    const limits = { ...testLimits, settleMs: 1_000 };
    return routes.map((route) => ({ ...contextOn(world, route, { limits }), lookTurns: turns }));
  };
  const passes = async (count = 4): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      for (const context of contexts()) {
        inheritDoubts(context);
        await cycle(context, { isForced: false });
      }
    }
  };
  const [alice, mona] = [world.tracker.as('alice'), world.github.as('mona')];
  return { ...world, stage: world, states, passes, alice, mona, differences: () => differencesOn(contexts()) };
}

export type World = ReturnType<typeof worldOf>;

/** The old issue of a bug that moved away, and was hidden before that issue could say so. */

import { expect, test } from 'vitest';
import { cycle } from '../../../src/sync/cycle.ts';
import { lookTurns } from '../../../src/sync/observe/recheck-mirrored.ts';
import { bot, contextOn, stage } from '../../simulation/stage.ts';
import { moving, testLimits } from '../../support/routes.ts';

const { widget, gadget } = moving;

test.each([true, false])('waits for nothing as long as the bug is hidden; people wrote on it: %s', async (isSaid) => {
  const world = stage();
  world.github.addRepo('acme/gadget', { permissions: { [bot]: 'write', mona: 'admin' } });
  const turns = lookTurns([widget, gadget]);
  const passes = async (count: number, routes = [widget, gadget]): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      for (const route of routes) {
        const context = contextOn(world, route, { limits: { ...testLimits, settleMs: 1_000 } });
        await cycle({ ...context, lookTurns: turns }, { isForced: false });
      }
    }
  };
  const alice = world.tracker.as('alice');
  const bug = alice.file({
    product: 'Gadget',
    component: 'Firmware',
    version: 'A1',
    summary: 'It fails',
    description: 'Every night.',
  });
  await passes(3);
  alice.change(bug, { product: 'Widget', component: 'Core', version: '1.0' });
  await passes(4);
  alice.change(bug, { groups: { add: ['security'] } });
  await passes(3);
  if (isSaid) world.github.as('mona').comment('acme/gadget', 1, 'It fails here, too.');
  await passes(6);
  expect(world.store.links.count(gadget.name).wanting).toBe(0);
  alice.change(bug, { groups: { remove: ['security'] } });
  await passes(8);
  expect(world.github.issue('acme/gadget', 1)?.body).toContain('moved -->');
  expect(world.store.links.count(gadget.name).wanting).toBe(0);
});

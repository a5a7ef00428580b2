/** A copy whose erasure was not answered, while its bug was hidden for a moment. */

import { expect, test } from 'vitest';
import type { Context } from '../../../src/kernel/context.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { plant } from '../../support/plant.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

/** GitHub carries out what it is asked to erase, and its answers are lost. */
function losing(context: Context): Context {
  const github = new Proxy(context.github, {
    get(target, name) {
      if (name !== 'erase') return Reflect.get(target, name);
      return async (...ends: Parameters<typeof target.erase>) => {
        await target.erase(...ends);
        return { kind: 'unknown', why: 'No answer from GitHub' };
      };
    },
  });
  return { ...context, github };
}

/** A bug with a comment of each side. GitHub counts one, of which no copy stands any more, for the one that is gone. */
async function shownAgain(turn: typeof cycle): Promise<Stage> {
  const world = stage();
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const cycles = async (count: number, within = context): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      await turn(within, { isForced: false });
    }
  };
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'The kettle leaks', description: 'It leaks.' });
  alice.comment(bug, 'It drips, too.');
  await cycles(4);
  world.github.as('mona').comment(repo, 1, 'Not here.');
  await cycles(3);
  const copy = world.tracker.commentsOf(bug).at(-1)?.id ?? 0;
  world.tracker.as('admin').change(bug, { comment_is_private: { [copy]: true } });
  await cycles(2);
  world.tracker.hide(bug);
  await cycles(1, losing(context));
  expect(world.github.commentsOf(repo, 1).map(({ body }) => body)).toEqual(['Not here.']);
  world.tracker.unhide(bug);
  await cycles(4);
  return world;
}

const isCopied = ({ github }: Stage): boolean =>
  github.commentsOf(repo, 1).some(({ body }) => body.includes('It drips, too.'));

test('comes back with its bug', async () => {
  expect(isCopied(await shownAgain(cycle))).toBe(true);
});

test('a planted fault is caught: another comment counts for the copy', async () => {
  const folder = plant({
    file: 'sync/observe/observe-thread.ts',
    from: 'if (commentLinks.some(isErasedByUs)) return false;',
    to: '',
  });
  const { cycle: turn }: { cycle: typeof cycle } = await import(`${folder}/sync/cycle.ts`);
  expect(isCopied(await shownAgain(turn))).toBe(false);
});

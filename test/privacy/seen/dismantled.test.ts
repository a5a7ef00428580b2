/**
 * I3: issues of hidden bugs that people open again while the bridge is down. What the withdrawal closed and took off is
 * no edit of people, until the bridge takes it back; what it took back itself is, also for a state that is older.
 */

import { describe, expect, test } from 'vitest';
import { SideError } from '../../../src/model/outcome.ts';
import type { Route } from '../../../src/model/route.ts';
import { repo } from '../../simulation/stage.ts';
import { widgetRoute } from '../../support/routes.ts';
import { worldOn } from './world.ts';

const route: Route = {
  ...widgetRoute,
  assignee: true,
  people: {
    github: new Map([['alice@example.test', 'mona']]),
    tracker: new Map([['mona', 'alice@example.test']]),
    nobody: ['carol@example.test'],
  },
};

function begun() {
  const { world, states, cycles } = worldOn(route);
  const change = (what: Readonly<Record<string, unknown>>) => void world.tracker.as('admin').change(1, what);
  const hide = () => change({ groups: { add: ['security'] } });
  const show = () => change({ groups: { remove: ['security'] } });
  const shown = () => {
    const [bug, issue] = [world.tracker.bug(1), world.github.issue(repo, 1)];
    return [bug?.status, bug?.assigned_to, issue?.state, issue?.assignees, issue?.isLocked];
  };
  const mona = world.github.as('mona');
  return { world, states, cycles, change, hide, show, shown, mona };
}

type Begun = ReturnType<typeof begun>;

async function hidden(opener: 'the bridge' | 'a person'): Promise<Begun> {
  const play = begun();
  if (opener === 'a person') play.mona.open(repo, { title: 'It is slow', body: 'Every day.' });
  else play.world.tracker.as('alice').file({ summary: 'It is slow', description: 'Every day.' });
  await play.cycles();
  play.change({ assigned_to: 'alice@example.test' });
  await play.cycles();
  play.hide();
  await play.cycles();
  return play;
}

const unlock = ({ mona }: Begun): void => mona.lock(repo, 1, false);
const rewrite = ({ mona }: Begun): void => mona.edit(repo, 1, { title: 'Mine', body: 'My own words.' });
const kept = ['CONFIRMED', 'alice@example.test', 'open', ['mona'], false];

describe.each(['the bridge', 'a person'] as const)('an issue that %s opened', (opener) => {
  test.each<[string, readonly ((play: Begun) => void)[]]>([
    ['unlocked and rewritten', [unlock, rewrite]],
    ['unlocked', [unlock]],
    ['rewritten', [rewrite]],
    ['locked again after all of that', [unlock, rewrite, ({ mona }) => mona.lock(repo, 1, true), unlock]],
  ])('and that people %s gives its bug nothing of the withdrawal', async (_what, acts) => {
    const play = await hidden(opener);
    for (const act of acts) {
      play.world.clock.advance(2_000);
      act(play);
    }
    play.show();
    await play.cycles(6);
    expect(play.shown()).toEqual(kept);
  });

  test('is withdrawn once more while its bug is hidden, and whole after that', async () => {
    const play = await hidden(opener);
    unlock(play);
    rewrite(play);
    await play.cycles();
    expect(play.shown().slice(3)).toEqual([[], true]);
    play.show();
    await play.cycles(6);
    expect(play.shown()).toEqual(kept);
  });

  test('waits as long as GitHub does not say who unlocked it', async () => {
    const play = await hidden(opener);
    unlock(play);
    rewrite(play);
    play.show();
    play.world.between = (_side, method) => {
      if (method === 'lastActors') throw new SideError('later', 'cut short', { side: 'github' });
    };
    await play.cycles();
    expect([play.world.tracker.bug(1)?.status, play.world.tracker.bug(1)?.assigned_to]).toEqual(kept.slice(0, 2));
    play.world.between = () => undefined;
    await play.cycles(6);
    expect(play.shown()).toEqual(kept);
  });

  test.each(['told', 'silent'] as const)(
    'and the bridge gave back keeps what people did there since, whatever it says now (%s)',
    async (way) => {
      const play = await hidden(opener);
      const copy = play.states.copy();
      play.show();
      await play.cycles(6);
      expect(play.shown()).toEqual(kept);
      rewrite(play);
      play.mona.close(repo, 1);
      play.mona.unassign(repo, 1, 'mona');
      play.states.putBack(copy, way);
      await play.cycles(6);
      expect(play.shown()).toEqual(['RESOLVED', 'carol@example.test', 'closed', [], false]);
    },
  );
});

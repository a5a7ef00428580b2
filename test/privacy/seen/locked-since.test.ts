/**
 * Locked issues with the neutral line that a state which is older does not know: a private description has that line as
 * well, and only who locked the issue says whether it was withdrawn.
 */

import { describe, expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { repo } from '../../simulation/stage.ts';
import { widgetRoute } from '../../support/routes.ts';
import { worldOn } from './world.ts';

async function begun(route: Route) {
  const { world, states, cycles } = worldOn(route);
  for (const summary of ['It is slow', 'It hangs'])
    world.tracker.as('alice').file({ summary, description: 'Every day.' });
  await cycles();
  const admin = world.tracker.as('admin');
  const first = world.tracker.commentsOf(1)[0]?.id ?? 0;
  const mona = world.github.as('mona');
  return {
    ...{ world, states, cycles, mona },
    lock: () => mona.lock(repo, 1, true),
    rename: () => mona.edit(repo, 1, { title: 'Renamed' }),
    hideText: () => void admin.change(1, { comment_is_private: { [first]: true } }),
    showText: () => void admin.change(1, { comment_is_private: { [first]: false } }),
    hide: () => void admin.change(1, { groups: { add: ['security'] } }),
    show: () => void admin.change(1, { groups: { remove: ['security'] } }),
    shown: () => {
      const issue = world.github.issue(repo, 1);
      return { ...issue, updatedAt: null, body: issue?.body.replace(/on \S+ \S+ UTC/u, 'on then') };
    },
  };
}

type Play = Awaited<ReturnType<typeof begun>>;
type Way = 'not' | 'told' | 'silent' | 'lost';
type Act = Exclude<{ [Key in keyof Play]: Play[Key] extends () => void ? Key : never }[keyof Play], 'shown' | 'cycles'>;

interface Case {
  readonly before?: readonly Act[];
  readonly since: readonly Act[];
  readonly meanwhile?: readonly Act[];
  readonly route?: Route;
}

/** What the issue shows in the end, where the state came back in this way. */
async function end({ before = [], since, meanwhile = [], route = widgetRoute }: Case, way: Way) {
  const play = await begun(route);
  const { states, cycles, world, mona } = play;
  for (const act of before) play[act]();
  await cycles();
  const copy = states.copy();
  for (const act of since) {
    play[act]();
    await cycles();
  }
  mona.comment(repo, 2, 'What our account copies shows that the state is older.');
  await cycles();
  for (const act of meanwhile) {
    world.clock.advance(2_000);
    play[act]();
  }
  if (way === 'lost') states.putBack(null, 'silent');
  else if (way !== 'not') states.putBack(copy, way);
  await cycles(8);
  return play.shown();
}

const cases: Readonly<Record<string, Case>> = {
  'a private description, locked by people before': { before: ['lock'], since: ['hideText'] },
  'a private description, locked by people since': { since: ['hideText', 'lock'] },
  'a private description, locked by people while the bridge was down': { since: ['hideText'], meanwhile: ['lock'] },
  'a description that is public again, locked by people': { since: ['hideText', 'lock'], meanwhile: ['showText'] },
  'a private description where visitors are kept out': {
    route: { ...widgetRoute, visitors: 'lock' },
    since: ['hideText'],
  },
  'a hidden bug whose issue people renamed': { since: ['hide', 'rename'] },
  'a bug that is shown again, whose issue people had renamed': { since: ['hide', 'rename'], meanwhile: ['show'] },
  'a bug that is shown again, whose issue people renamed': { since: ['hide'], meanwhile: ['rename', 'show'] },
};

describe.each(Object.entries(cases))('%s', (_name, of) => {
  test.each(['told', 'silent', 'lost'] as const)('is as if the state had stayed (%s)', async (way) => {
    expect(await end(of, way)).toEqual(await end(of, 'not'));
  });
});

test('the lock of people stays on the issue, and that of the bridge does not', async () => {
  expect((await end(cases['a private description, locked by people before'] ?? { since: [] }, 'told')).isLocked).toBe(
    true,
  );
  const renamed = cases['a bug that is shown again, whose issue people renamed'] ?? { since: [] };
  expect((await end(renamed, 'told')).isLocked).toBe(false);
});

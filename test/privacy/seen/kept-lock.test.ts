/** Who locked an issue says whether it is unlocked when its bug is public again. */

import { expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { repo } from '../../simulation/stage.ts';
import { widgetRoute } from '../../support/routes.ts';
import { worldOn } from './world.ts';

type Act = 'lock' | 'unlock' | 'hide' | 'show' | 'rename';

async function isLockedAfter(acts: readonly Act[], isOfPeople: boolean, route: Route): Promise<boolean | undefined> {
  const { world, cycles } = worldOn(route);
  const mona = world.github.as('mona');
  const admin = world.tracker.as('admin');
  if (isOfPeople) mona.open(repo, { title: 'It is slow', body: 'Every day.' });
  else world.tracker.as('alice').file({ summary: 'It is slow', description: 'Every day.' });
  await cycles();
  for (const act of acts) {
    world.clock.advance(2_000);
    if (act === 'lock') mona.lock(repo, 1, true);
    if (act === 'unlock') mona.lock(repo, 1, false);
    if (act === 'rename') mona.edit(repo, 1, { title: 'Renamed' });
    if (act === 'hide') admin.change(1, { groups: { add: ['security'] } });
    if (act === 'show') admin.change(1, { groups: { remove: ['security'] } });
    await cycles();
  }
  return world.github.issue(repo, 1)?.isLocked;
}

const cases: readonly (readonly [acts: readonly Act[], isLocked: boolean])[] = [
  [['hide', 'show'], false],
  [['lock', 'hide', 'show'], true],
  [['lock', 'hide', 'rename', 'show'], true],
  [['hide', 'unlock', 'lock', 'show'], false],
  [['lock', 'unlock', 'hide', 'show'], false],
  [['lock', 'hide', 'show', 'hide', 'show'], true],
  [['lock', 'hide', 'unlock', 'show'], false],
];

test.each(cases.flatMap(([acts, isLocked]) => [false, true].map((isOfPeople) => ({ acts, isLocked, isOfPeople }))))(
  '$acts (an issue of people: $isOfPeople): $isLocked',
  async ({ acts, isLocked, isOfPeople }) => {
    expect(await isLockedAfter(acts, isOfPeople, widgetRoute)).toBe(isLocked);
  },
);

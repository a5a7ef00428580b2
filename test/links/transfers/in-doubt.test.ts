/** Issues that people transfer before the bridge has learned their numbers: each bug has one issue all the same. */

import { expect, test } from 'vitest';
import { bugId } from '../../../src/model/ids.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { lookTurns } from '../../../src/sync/observe/recheck-mirrored.ts';
import { inheritDoubts } from '../../../src/sync/settle/settle.ts';
import { bot, contextOn, repo, stage } from '../../simulation/stage.ts';
import { moving, testLimits } from '../../support/routes.ts';
import { differencesOn } from '../../verify/mirror.ts';

const { widget, gadget } = moving;
const other = 'acme/gadget';
const toGadget = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };
const lost = new Error('no answer came');

/** Bug 1, whose issue the bridge has made: its answer got lost, and people transfer the issue before anybody looks. */
async function transferred(how: 'dropped' | 'killed' | 'unsent', routes: readonly Route[]) {
  const world = stage();
  for (const each of [other, 'acme/attic'])
    world.github.addRepo(each, { permissions: { [bot]: 'write', mona: 'admin' } });
  const turns = lookTurns(routes);
  const contexts = () =>
    routes.map((route) => ({
      ...contextOn(world, route, { limits: { ...testLimits, settleMs: 1_000 } }),
      lookTurns: turns,
    }));
  const passes = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      for (const context of contexts()) {
        inheritDoubts(context);
        await cycle(context, { isForced: false }).catch((failure: unknown) => {
          if (failure !== lost) throw failure;
        });
      }
    }
  };
  const mona = world.github.as('mona');
  const alice = world.tracker.as('alice');
  alice.file({ summary: 'It fails', description: 'Every night.', severity: 'major' });
  let isMade = false;
  if (how === 'killed')
    world.between = (side, method, when) => {
      if (side !== 'github' || method !== 'create' || when !== 'after' || isMade) return;
      isMade = true;
      throw lost;
    };
  else
    world.faults = (side, cost) => {
      if (side !== 'github' || cost !== 'create' || isMade) return { kind: 'none' };
      isMade = true;
      return { kind: 'drop', after: how === 'dropped' };
    };
  await passes(1);
  return { world, passes, contexts, mona, alice };
}

test.each(
  (['dropped', 'killed'] as const).flatMap((how) => [
    [how, 'before', [gadget, widget]] as const,
    [how, 'after', [widget, gadget]] as const,
    [how, 'after, by its label only,', [widget, { ...gadget, label: 'wanted' }]] as const,
  ]),
)('%s: the issue of a route that runs %s that of the bug is found by its marker', async (how, _when, routes) => {
  const { world, passes, contexts, mona, alice } = await transferred(how, routes);
  const { github, tracker, store } = world;
  expect(github.issues(repo)).toHaveLength(1);
  const there = mona.transfer(repo, 1, other);
  await passes(20);
  expect([github.issues(repo), github.issues(other)]).toMatchObject([[], [{ number: there, state: 'open' }]]);
  expect(tracker.bugs()).toMatchObject([{ id: 1, severity: 'major', product: 'Widget' }]);
  expect(store.links.byBug(bugId(1))).toMatchObject({ repo: other, issue: there, state: 'live' });
  alice.comment(1, 'Said on the tracker.');
  mona.comment(other, there, 'Said on GitHub.');
  await passes(3);
  expect(tracker.commentsOf(1).filter(({ text }) => text.includes('Said on GitHub.'))).toHaveLength(1);
  expect(github.commentsOf(other, there).filter(({ body }) => body.includes('Said on the tracker.'))).toHaveLength(1);
  expect(store.unknownWrites.ofRoute('gadget').filter(({ at }) => at !== null)).toEqual([]);
  expect(await differencesOn(contexts())).toEqual([]);
});

test('what people changed on it there crosses', async () => {
  const { world, passes, mona } = await transferred('dropped', [widget, gadget]);
  const there = mona.transfer(repo, 1, other);
  mona.edit(other, there, { title: 'It fails on Mondays' });
  await passes(20);
  expect(world.tracker.bugs()).toMatchObject([{ summary: 'It fails on Mondays', severity: 'major' }]);
});

test('a description that was edited meanwhile is the one there', async () => {
  const { world, passes, mona, alice } = await transferred('dropped', [widget, gadget]);
  const there = mona.transfer(repo, 1, other);
  world.clock.advance(2_000);
  world.tracker.editComment(world.tracker.commentsOf(1)[0]?.id ?? 0, 'Every morning.');
  // A tracker shows an edit only once its bug changes.
  alice.comment(1, 'It is the mornings.');
  await passes(20);
  expect(world.github.issue(other, there)?.body).toContain('Every morning.');
});

test('it is withdrawn there if its bug was hidden meanwhile', async () => {
  const { world, passes, mona } = await transferred('dropped', [widget, gadget]);
  const there = mona.transfer(repo, 1, other);
  world.tracker.as('admin').change(1, { groups: { add: ['security'] } });
  await passes(4);
  expect(world.github.issue(other, there)).toMatchObject({ title: 'Bug 1 is not public', state: 'closed' });
  expect(world.github.issues(repo)).toEqual([]);
});

test('its bug may move along', async () => {
  const { world, passes, mona, alice } = await transferred('dropped', [widget, gadget]);
  const there = mona.transfer(repo, 1, other);
  alice.change(1, toGadget);
  await passes(20);
  expect([world.github.issues(repo), world.github.issues(other)]).toMatchObject([[], [{ number: there }]]);
  expect(world.tracker.bugs()).toMatchObject([{ id: 1, product: 'Gadget' }]);
});

test('one that goes where no route is gets a second one soon', async () => {
  const { world, passes, mona } = await transferred('dropped', [widget, gadget]);
  mona.transfer(repo, 1, 'acme/attic');
  await passes(4);
  expect(world.github.issues(repo)).toMatchObject([{ title: 'It fails' }]);
});

test('one of people that goes where no route takes it holds no bug up', async () => {
  const { world, passes, mona } = await transferred('unsent', [widget, { ...gadget, label: 'wanted' }]);
  mona.open(repo, { title: 'Of people', body: '' });
  const there = mona.transfer(repo, 1, other);
  await passes(6);
  expect(world.github.issues(repo)).toMatchObject([{ title: 'It fails' }]);
  expect(world.github.issue(other, there)).toMatchObject({ title: 'Of people' });
  expect(world.tracker.bugs()).toHaveLength(1);
});

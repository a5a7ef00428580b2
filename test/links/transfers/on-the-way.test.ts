/** Issues that people transfer on while the bridge reads them: what is elsewhere by now gets no bug of its own. */

import { expect, test } from 'vitest';
import { bugId, type Side } from '../../../src/model/ids.ts';
import { SideError } from '../../../src/model/outcome.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { lookTurns } from '../../../src/sync/observe/recheck-mirrored.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { bot, contextOn, repo, stage } from '../../simulation/stage.ts';
import { moving, testLimits } from '../../support/routes.ts';

const { widget, gadget } = moving;
const other = 'acme/gadget';
const attic = 'acme/attic';

function worldOf(routes = [widget, gadget]) {
  const world = stage();
  for (const each of [other, attic]) world.github.addRepo(each, { permissions: { [bot]: 'write', mona: 'admin' } });
  const turns = lookTurns(routes);
  const passes = async (count: number, those: readonly Route[] = routes): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      for (const route of those) {
        const context = contextOn(world, route, { limits: { ...testLimits, settleMs: 1_000 } });
        await cycle({ ...context, lookTurns: turns }, { isForced: false });
      }
    }
  };
  /** One after the other, in the middle of cycles. */
  const meanwhile = (...acts: readonly (readonly [side: Side, method: string, act: () => void])[]): void => {
    const left = [...acts];
    world.between = (side, method, when) => {
      const [at, before, act] = left[0] ?? [];
      if (at !== side || before !== method || when !== 'before') return;
      left.shift();
      act?.();
    };
  };
  return { ...world, stage: world, mona: world.github.as('mona'), passes, meanwhile };
}

test.each([
  ['back', repo, [widget, gadget]],
  ['back', repo, [gadget, widget]],
  ['to a repository without a route', attic, [widget, gadget]],
] as const)('an issue that goes on %s before a bug is filed from it keeps its bug: %s', async (_what, last, routes) => {
  const { mona, passes, meanwhile, tracker, github, store } = worldOf([...routes]);
  mona.open(repo, { title: 'It is slow', body: 'Every day.' });
  meanwhile(
    ['tracker', 'create', () => mona.transfer(repo, 1, other)],
    ['github', 'placeOf', () => mona.transfer(other, 1, last)],
  );
  await passes(4);
  expect(github.issues(other)).toEqual([]);
  expect(tracker.bugs()).toMatchObject([{ id: 1, summary: 'It is slow' }]);
  if (last === attic) return;
  mona.edit(repo, 2, { title: 'It is very slow' });
  await passes(3);
  expect(store.links.byBug(bugId(1))).toMatchObject({ repo, issue: 2, state: 'live' });
  expect(tracker.bugs()).toMatchObject([{ id: 1, summary: 'It is very slow' }]);
});

test.each([
  ['back', repo],
  ['to a repository without a route', attic],
])('the issue of a pair that goes on %s is not taken for what its marker names', async (_what, last) => {
  const { stage: world, mona, passes, meanwhile, tracker, github, store } = worldOf();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Every night.' });
  await passes(2);
  mona.transfer(repo, 1, other);
  meanwhile(['github', 'placeOf', () => mona.transfer(other, 1, last)]);
  await passes(4);
  expect(github.issues(other)).toEqual([]);
  expect(tracker.bugs()).toMatchObject([{ id: 1, product: 'Widget' }]);
  expect(github.issues(repo).map(({ number }) => number)).toEqual(last === repo ? [2] : []);
  expect(store.links.byBug(bugId(1))).toMatchObject({ repo, issue: last === repo ? 2 : 1 });
});

test('an issue keeps its bug if GitHub was asked about it for another issue that its author opened at the same time', async () => {
  const { mona, passes, tracker, store } = worldOf();
  mona.open(repo, { title: 'It is slow' });
  mona.open(other, { title: 'It is ugly' });
  await passes(3, [widget]);
  mona.transfer(repo, 1, other);
  await passes(4);
  expect(tracker.bugs()).toMatchObject([{ summary: 'It is slow' }, { summary: 'It is ugly' }]);
  expect(store.links.byBug(bugId(1))).toMatchObject({ repo: other, issue: 2, state: 'live' });
});

test('nobody is asked about a place that the issue of a pair only passed', async () => {
  const { stage: world, mona, passes, tracker, store } = worldOf();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Every night.' });
  await passes(3);
  mona.transfer(repo, 1, other);
  let isSlow = true;
  world.between = (side, method, when) => {
    if (isSlow && side === 'github' && method === 'placeOf' && when === 'before')
      throw new SideError('later', 'GitHub is slow');
  };
  await passes(1, [gadget]).catch(() => {});
  isSlow = false;
  mona.transfer(other, 1, repo);
  await passes(2, [widget]);
  expect(store.links.byBug(bugId(1))).toMatchObject({ repo, issue: 2, state: 'live' });
  world.clock.advance(61_000);
  await sweep(contextOn(world, gadget, { limits: testLimits }), { isForced: false });
  await passes(2);
  expect(store.findings.ofRoute(gadget.name, 9).skips).toEqual([]);
  expect(tracker.bugs()).toMatchObject([{ id: 1, product: 'Widget' }]);
});

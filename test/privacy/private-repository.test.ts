/** A repository that becomes private under a running bridge: none of it reaches the tracker any more (I9). */

import { beforeEach, describe, expect, test } from 'vitest';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const refusing: Route = { ...widgetRoute, privateRepository: 'refuse' };
let world: Stage;

beforeEach(() => {
  world = stage();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
});

/** Cycles of one process, whose session stays as it was at the start. */
function bridge(route: Route): (count?: number) => Promise<unknown> {
  const context = contextOn(world, route, { limits: testLimits });
  return async (count = 1) => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      const failure = await cycle(context, { isForced: false }).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure !== null) return failure;
    }
    return null;
  };
}

const onTracker = (): string =>
  JSON.stringify([...world.tracker.state.bugs.values()].map((bug) => [bug.summary, world.tracker.commentsOf(bug.id)]));
const mona = () => world.github.as('mona');
const asked = (): number => world.calls.filter(({ method }) => method === 'isPrivate').length;

const secrets: readonly (readonly [string, () => unknown])[] = [
  ['a new issue', () => mona().open(repo, { title: 'Canary', body: 'Canary' })],
  ['a comment', () => mona().comment(repo, 1, 'Canary')],
  ['a title', () => mona().edit(repo, 1, { title: 'Canary' })],
  ['an edit', () => mona().editComment(repo, world.github.commentsOf(repo, 1)[0]?.id ?? 0, 'Canary')],
];

describe.each<Route['direction']>(['both', 'to-tracker'])('on a route %s', (direction) => {
  test.each(secrets)(
    '%s stays off the tracker, and crosses when the repository is public again',
    async (_name, act) => {
      if (direction === 'to-tracker') mona().open(repo, { title: 'Known', body: 'Known' });
      const run = bridge({ ...refusing, direction });
      expect(await run(3)).toBeNull();
      mona().comment(repo, 1, 'A comment');
      expect(await run(3)).toBeNull();
      world.github.setPrivate(repo, true);
      act();
      const failure = await run();
      expect(failure).toBeInstanceOf(SideError);
      expect(failure).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('acme/widget is private, and route widget would copy its content'),
      });
      await run(3);
      expect(onTracker()).not.toContain('Canary');
      world.github.setPrivate(repo, false);
      expect(await run(3)).toBeNull();
      expect(onTracker()).toContain('Canary');
    },
  );
});

test('a bug that becomes private meanwhile is withdrawn all the same', async () => {
  const run = bridge(refusing);
  await run(3);
  world.github.setPrivate(repo, true);
  mona().comment(repo, 1, 'Canary');
  world.tracker.as('alice').change(1, { groups: { add: ['security'] } });
  await run();
  expect(world.github.issue(repo, 1)?.title).toBe('Bug 1 is not public');
});

test.each<[string, Partial<Route>, string]>([
  ['with private: mirror goes on to the tracker', { privateRepository: 'mirror' }, 'tracker'],
  ['to GitHub goes on', { direction: 'to-github' }, 'github'],
])('a route %s', async (_name, change, side) => {
  const run = bridge({ ...refusing, ...change });
  await run(3);
  world.github.setPrivate(repo, true);
  mona().comment(repo, 1, 'From GitHub');
  world.tracker.as('alice').comment(1, 'From the tracker');
  expect(await run(3)).toBeNull();
  expect(onTracker().includes('From GitHub')).toBe(side === 'tracker');
  expect(world.github.commentsOf(repo, 1).some(({ body }) => body.includes('From the tracker'))).toBe(true);
  expect(asked()).toBe(0);
});

test('a cycle that writes nothing to the tracker asks nothing', async () => {
  const run = bridge(refusing);
  await run(4);
  world.calls.length = 0;
  world.tracker.as('alice').comment(1, 'From the tracker');
  await run(4);
  expect(asked()).toBe(0);
});

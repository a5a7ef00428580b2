/** What is said of a withdrawal, a restoration, a pause and an edited copy is what happened. */

import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { narrate } from '../../src/cli/run/narrate.ts';
import { openTerminal } from '../../src/cli/terminal.ts';
import { adviceOn } from '../../src/explain/failure.ts';
import { statusOf } from '../../src/explain/route-status.ts';
import type { EngineEvent } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { statusWith } from '../http/status.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const sink = new PassThrough();
const terminal = openTerminal({ stdout: sink, stderr: sink, signal: new AbortController().signal });

async function turns(world: Stage, route: Route = widgetRoute): Promise<readonly string[]> {
  const said: string[] = [];
  const tell = (event: EngineEvent) => {
    const words = event.kind === 'withdrawn' ? narrate(event, world.store, terminal) : null;
    if (words !== null) said.push(words);
  };
  const context = contextOn(world, route, { limits: testLimits, user: 'bridge-insider', tell });
  for (let count = 0; count < 3; count += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
  return said;
}

test('a bug that is public again was not withdrawn, and a description that is private was', async () => {
  const world = stage();
  const admin = world.tracker.as('admin');
  world.tracker.as('alice').file({ summary: 'It is slow', description: 'Every day.' });
  world.tracker.as('alice').comment(1, 'And at night.');
  await turns(world);
  const [text, comment] = world.tracker.commentsOf(1).map(({ id }) => id);
  const hide = (id = 0, isHidden = true) => void admin.change(1, { comment_is_private: { [id]: isHidden } });
  admin.change(1, { groups: { add: ['security'] } });
  expect(await turns(world)).toEqual([`widget: bug 1 = ${repo}#1 withdrawn (title, text and fields; 1 comment)`]);
  admin.change(1, { groups: { remove: ['security'] } });
  expect(await turns(world)).toEqual([`widget: bug 1 = ${repo}#1 is public again, and mirrored`]);
  hide(text);
  expect(await turns(world)).toEqual([`widget: bug 1 = ${repo}#1 withdrawn (the description)`]);
  hide(text, false);
  hide(comment);
  expect(await turns(world)).toEqual([`widget: bug 1 = ${repo}#1 withdrawn (1 comment)`]);
});

test('what needs a person is called a value only where a value lacks a counterpart', () => {
  const skip = { link: 1, about: 'bug 1', reason: 'priority was reset 5 times', needsPerson: true, isWaiting: false };
  const { verdict } = statusWith({ skips: [skip as never], open: { conflicts: 0, skips: 1 } });
  expect(`${verdict.counts} ${verdict.facts} ${verdict.todo}`).not.toMatch(/counterpart|missing/u);
  expect(verdict.facts).toContain('1 problem to settle');
});

test('during a pause that a side asked for, the next try is when that ends', () => {
  const world = stage();
  const now = world.clock.now();
  world.store.failures.save('widget', { of: 'cycle', kind: 'later', side: 'tracker', why: 'it is shut down', at: now });
  world.store.budgets.backOff('tracker', now + 3_600_000, 'it is shut down');
  const status = () => statusOf(world.store, widgetRoute, { tracker: [], github: [] }, world.clock.now());
  expect(status().failures.map(({ advice }) => advice)).toEqual([
    'The first cycle after 2026-01-05 09:00:00 UTC tries again. If the failure stays, run bugferry check.',
  ]);
  world.clock.advance(3_700_000);
  expect(status().failures.map(({ advice }) => advice)).toEqual([adviceOn({ of: 'cycle', kind: 'later', side: null })]);
});

test.each([
  ['restore', 'both', '(the text of an issue is of those who edit it)'],
  ['restore', 'to-github', null],
  ['leave', 'both', '(copies: leave)'],
] as const)('an edited body is left for the reason that counts: copies: %s, %s', async (copies, direction, why) => {
  const world = stage();
  const route: Route = { ...widgetRoute, copies, direction };
  world.tracker.as('alice').file({ summary: 'It is slow', description: 'Every day.' });
  await turns(world, route);
  world.github.as('mona').edit(repo, 1, { body: 'Something else' });
  await turns(world, route);
  const { skips } = statusOf(world.store, route, { tracker: [], github: [] }, world.clock.now());
  const reasons = skips.map(({ reason }) => reason);
  if (why === null) expect(reasons).toEqual([]);
  else expect(reasons).toEqual([expect.stringContaining(why)]);
});

/**
 * I3 and I4: people write over what our account wrote, marker and all, while the state does not know it: a backup is
 * put back, or the state is lost. GitHub says what our account wrote at first.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/kernel/context.ts';
import { SideError } from '../../../src/model/outcome.ts';
import type { GithubReplica } from '../../../src/model/replica.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { type States, statesOf } from '../../simulation/restores/states.ts';
import { bot, contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';

let world: Stage;
let states: States;
let own: Partial<GithubReplica>;
let asked: number;

beforeEach(() => {
  const bare = stage();
  states = statesOf(bare.clock.now, scrub);
  world = { ...bare, store: states.store };
  own = {};
  asked = 0;
});

const [alice, mona] = [() => world.tracker.as('alice'), () => world.github.as('mona')];

async function turns(count: number, route: Route = widgetRoute): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    const context = contextOn(world, route, { limits: testLimits });
    const firstText: GithubReplica['firstText'] = (ref, comment) => {
      asked += 1;
      return context.github.firstText(ref, comment);
    };
    await cycle({ ...context, github: { ...context.github, firstText, ...own } } as Context, { isForced: false });
  }
}

const onTracker = (): readonly string[] =>
  world.tracker.bugs().flatMap(({ id }) => world.tracker.commentsOf(id).map(({ text }) => text));
const copies = () => world.github.commentsOf(repo, 1).filter(({ author }) => author === bot);

async function mirror(route: Route = widgetRoute): Promise<void> {
  alice().file({ summary: 'It crashes', description: 'At noon.' });
  await turns(4, route);
}

const long = Array.from({ length: 1_300 }, (_, index) => `This *is* _line_ ${index} <of> [a] comment.`).join('\n\n');

/** What people do to the copies, and what they then say. */
const edits: Readonly<Record<string, { say?: string; over: () => void; reports: number }>> = {
  'a comment': { over: () => mona().editComment(repo, copies()[0]?.id ?? 0, '[removed]'), reports: 0 },
  'all comments': {
    over: () => {
      for (const { id } of copies()) mona().editComment(repo, id, '[removed]');
    },
    reports: 0,
  },
  'a part of a long comment': {
    say: long,
    over: () => mona().editComment(repo, copies().at(-1)?.id ?? 0, '[removed]'),
    reports: 0,
  },
  'the body': { over: () => mona().edit(repo, 1, { body: 'See above.' }), reports: 1 },
  'the body, with nothing': { over: () => mona().edit(repo, 1, { body: '' }), reports: 1 },
  'a comment, with the text of another one': {
    over: () => mona().editComment(repo, copies()[0]?.id ?? 0, `${copies()[1]?.body}`),
    reports: 0,
  },
  'a comment, with the text of the one before': {
    over: () => mona().editComment(repo, copies()[1]?.id ?? 0, `${copies()[0]?.body}`),
    reports: 0,
  },
  'the body and a comment': {
    over: () => {
      mona().edit(repo, 1, { body: 'See above.' });
      mona().editComment(repo, copies()[0]?.id ?? 0, '[removed]');
    },
    reports: 1,
  },
};

const returns: Readonly<Record<string, (before: Buffer) => void>> = {
  lost: () => states.putBack(null, 'silent'),
  'put back by the command': (before) => states.putBack(before, 'told'),
  'put back by a volume': (before) => states.putBack(before, 'silent'),
};

describe.each(Object.keys(returns))('after the state was %s', (how) => {
  test.each(Object.keys(edits))(
    '%s that people wrote over is theirs, and ours is no word of a person',
    async (what) => {
      const edit = edits[what];
      await mirror();
      const before = states.copy();
      alice().comment(1, edit?.say ?? 'Said first.');
      alice().comment(1, 'Said then.');
      await turns(3);
      world.clock.advance(5_000);
      edit?.over();
      const shown = copies().map(({ id, body }) => [id, body]);
      const filed = [world.tracker.bugs().length, world.github.issues(repo).length];
      returns[how]?.(before);
      await turns(5);
      expect(onTracker().filter((text) => text.includes(`GitHub user ${bot}`))).toEqual([]);
      expect(onTracker().filter((text) => text.includes('GitHub user mona edited')).length).toBe(edit?.reports);
      expect(copies().map(({ id, body }) => [id, body])).toEqual(shown);
      expect([world.tracker.bugs().length, world.github.issues(repo).length]).toEqual(filed);
      const asks = asked;
      await turns(3);
      expect(asked).toBe(asks);
    },
  );
});

test.each(Object.keys(returns))('a body stays people’s once their edit was told: the state is %s', async (how) => {
  await mirror();
  const before = states.copy();
  world.clock.advance(5_000);
  edits['the body']?.over();
  await turns(3);
  returns[how]?.(before);
  await turns(3);
  world.tracker.editComment(world.tracker.commentsOf(1)[0]?.id ?? 0, 'At dusk.');
  alice().comment(1, 'Said last.');
  await turns(3);
  expect(world.github.issue(repo, 1)?.body).toBe('See above.');
  expect(onTracker().filter((text) => text.includes('GitHub user mona edited')).length).toBe(1);
});

test.each(Object.keys(returns))('an edit of a body without a copy is told once: the state is %s', async (how) => {
  await mirror();
  own = { create: async () => ({ kind: 'later', at: null, wholeSide: false, why: 'cut short' }) };
  alice().file({ summary: 'Another', description: 'At one.' });
  await turns(2);
  const before = states.copy();
  own = {};
  await turns(3);
  world.clock.advance(5_000);
  mona().edit(repo, 2, { body: 'See below.' });
  await turns(3);
  returns[how]?.(before);
  await turns(5);
  expect(onTracker().filter((text) => text.includes('See below.')).length).toBe(1);
});

test.each(Object.keys(returns))('what GitHub does not say at once is waited for: the state is %s', async (how) => {
  await mirror();
  const before = states.copy();
  alice().comment(1, 'Said first.');
  alice().file({ summary: 'Another', description: 'At one.' });
  await turns(3);
  world.clock.advance(5_000);
  edits['the body and a comment']?.over();
  mona().edit(repo, 2, { body: 'See below.' });
  const shown = copies().map(({ id, body }) => [id, body]);
  returns[how]?.(before);
  own = { firstText: () => Promise.reject(new SideError('later', 'cut short', { side: 'github' })) };
  await turns(3);
  own = {};
  await turns(40);
  expect(onTracker().filter((text) => text.includes(`GitHub user ${bot}`))).toEqual([]);
  expect(onTracker().filter((text) => text.includes('GitHub user mona edited')).length).toBe(2);
  expect(copies().map(({ id, body }) => [id, body])).toEqual(shown);
  expect([world.tracker.bugs().length, world.github.issues(repo).length]).toEqual([2, 2]);
});

/** What people leave of the body of an issue. */
const bodies: readonly ((body: string) => string)[] = [
  () => 'See above.',
  () => '',
  (body) => body.replace(/\n<!--.*-->/u, ''),
  (body) => body.replace('At noon.', 'At one.'),
];

describe.each(bodies.map((left) => [left]))('a body that became %s', (left) => {
  test.each(Object.keys(returns))('keeps nothing of a bug that is hidden when the state is %s', async (how) => {
    alice().file({ summary: 'Another', description: 'At one.' });
    await turns(2);
    const before = states.copy();
    alice().file({ summary: 'It crashes', description: 'At noon.' });
    await turns(2);
    world.clock.advance(5_000);
    mona().edit(repo, 2, { body: left(world.github.issue(repo, 2)?.body ?? '') });
    world.tracker.as('bridge-insider').change(2, { groups: { add: ['security'] } });
    returns[how]?.(before);
    await turns(3);
    const issue = world.github.issue(repo, 2);
    expect(issue).toMatchObject({ title: 'Bug 2 is not public', state: 'closed', isLocked: true });
    expect(issue?.body).not.toContain('noon');
    world.tracker.as('bridge-insider').change(2, { groups: { remove: ['security'] } });
    await turns(5);
    expect(world.github.issue(repo, 2)).toMatchObject({ title: 'It crashes', state: 'open', isLocked: false });
    expect(world.github.issue(repo, 2)?.body).toContain('noon');
    expect(world.github.issues(repo).length).toBe(2);
  });
});

test.each(Object.keys(returns))('so is a body that a full comparison shows first: the state is %s', async (how) => {
  alice().file({ summary: 'Another', description: 'At one.' });
  await turns(2);
  const before = states.copy();
  alice().file({ summary: 'It crashes', description: 'At noon.' });
  await turns(2);
  alice().comment(2, 'Said first.');
  await turns(2);
  world.clock.advance(5_000);
  mona().edit(repo, 2, { body: 'See above.' });
  mona().editComment(repo, world.github.commentsOf(repo, 2)[0]?.id ?? 0, '[removed]');
  world.tracker.as('bridge-insider').change(2, { groups: { add: ['security'] } });
  returns[how]?.(before);
  await sweep(contextOn(world, widgetRoute, { limits: testLimits }), { isForced: false });
  await turns(3);
  expect(world.github.issue(repo, 2)).toMatchObject({ title: 'Bug 2 is not public', isLocked: true });
  expect(world.tracker.bugs().length).toBe(2);
  expect(onTracker().filter((text) => text.includes(`GitHub user ${bot}`))).toEqual([]);
});

test.each(Object.keys(returns))(
  'so is the body of a bug whose description is private: the state is %s',
  async (how) => {
    await mirror();
    const before = states.copy();
    alice().file({ summary: 'It hangs', description: 'At one.' });
    const insider = world.tracker.as('bridge-insider');
    insider.change(2, { comment_is_private: { [world.tracker.commentsOf(2)[0]?.id ?? 0]: true } });
    await turns(3);
    world.clock.advance(5_000);
    mona().edit(repo, 2, { body: 'See above.' });
    returns[how]?.(before);
    await turns(4);
    expect(onTracker().filter((text) => text.includes(`GitHub user ${bot}`))).toEqual([]);
    insider.change(2, { groups: { add: ['security'] } });
    await turns(3);
    expect(world.github.issue(repo, 2)).toMatchObject({ title: 'Bug 2 is not public', isLocked: true });
  },
);

test('a bug that does not name its issue keeps it, although people wrote over the body', async () => {
  const route: Route = { ...widgetRoute, direction: 'to-github', pointer: 'never' };
  await mirror(route);
  mona().edit(repo, 1, { body: 'See above.' });
  states.putBack(null, 'silent');
  await turns(5, route);
  expect(world.github.issues(repo).length).toBe(1);
});

test('what our account says itself crosses, and once more edited', async () => {
  await mirror();
  const id = world.github.as(bot).comment(repo, 1, 'I am the maintainer.');
  world.clock.advance(5_000);
  world.github.as(bot).editComment(repo, id, 'I am the maintainer here.');
  await turns(3);
  expect(onTracker().filter((text) => text.includes('I am the maintainer here.')).length).toBe(1);
  expect(asked).toBe(1);
});

test('a copy of ours on the issue of another bug is no word of a person', async () => {
  await mirror();
  alice().comment(1, 'Said first.');
  await turns(2);
  world.github.as(bot).comment(repo, 1, (copies()[0]?.body ?? '').replace('bug=1 ', 'bug=7 '));
  const before = onTracker();
  await turns(3);
  expect(onTracker()).toEqual(before);
});

test('an issue whose versions GitHub does not show stops nothing', async () => {
  await mirror();
  const before = states.copy();
  alice().comment(1, 'Said first.');
  await turns(2);
  world.clock.advance(5_000);
  edits['all comments']?.over();
  states.putBack(before, 'silent');
  own = { firstText: () => Promise.reject(new SideError('later', 'cut short', { side: 'github' })) };
  alice().file({ summary: 'Another', description: 'At one.' });
  await turns(3);
  expect(world.github.issues(repo).length).toBe(2);
});

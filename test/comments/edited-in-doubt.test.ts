/** Texts that are edited before the bridge knows that their copies arrived. */

import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const lost = new Error('no answer came');

/** Bug 1, and the first request that makes something on GitHub after `begin`, whose answer gets lost. */
function worldOf(how: 'dropped' | 'killed') {
  const world = stage();
  let isMade = false;
  const isNow = (): boolean => {
    const was = isMade;
    isMade = true;
    return !was;
  };
  const lose = (): void => {
    if (how === 'killed')
      world.between = (side, method, when) => {
        if (side === 'github' && when === 'after' && /^(?:create|comment)$/u.test(method) && isNow()) throw lost;
      };
    else
      world.faults = (side, cost) =>
        side === 'github' && cost === 'create' && isNow() ? { kind: 'drop', after: true } : { kind: 'none' };
  };
  const passes = async (count: number): Promise<void> => {
    const context = contextOn(world, widgetRoute, { limits: testLimits });
    inheritDoubts(context);
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      await cycle(context, { isForced: false }).catch((failure: unknown) => {
        if (failure !== lost) throw failure;
      });
    }
  };
  const alice = world.tracker.as('alice');
  alice.file({ summary: 'It fails', description: 'First words.' });
  const edit = (text: string): void => {
    const { id } = world.tracker.commentsOf(1).findLast(({ text: was }) => /words/u.test(was)) ?? { id: 0 };
    world.clock.advance(2_000);
    world.tracker.editComment(id, text);
    // A tracker shows an edit only once its bug changes.
    alice.comment(1, `Edited: ${text.length}.`);
  };
  return { world, lose, passes, edit, alice };
}

const ways = ['dropped', 'killed'] as const;

test.each(ways)('%s: a description that is edited before its issue is known is rewritten', async (how) => {
  const { world, lose, passes, edit } = worldOf(how);
  lose();
  await passes(1);
  expect(world.github.issue(repo, 1)?.body).toContain('First words.');
  edit('Second words.');
  await passes(20);
  expect(world.github.issues(repo)).toHaveLength(1);
  expect(world.github.issue(repo, 1)?.body).toContain('Second words.');
  edit('Third words!');
  await passes(4);
  expect(world.github.issue(repo, 1)?.body).toContain('Third words!');
});

test.each(ways)('%s: what people wrote into the body of such an issue stays', async (how) => {
  const { world, lose, passes, edit } = worldOf(how);
  lose();
  await passes(1);
  edit('Second words.');
  world.github.as('mona').edit(repo, 1, { body: `${world.github.issue(repo, 1)?.body}`.replace('First', 'Our') });
  await passes(20);
  expect(world.github.issue(repo, 1)?.body).toContain('Our words.');
});

test.each(ways)('%s: a comment that is edited before its copy is known is rewritten', async (how) => {
  const { world, lose, passes, edit, alice } = worldOf(how);
  await passes(2);
  alice.comment(1, 'First words of a comment.');
  lose();
  await passes(1);
  edit('Second words of a comment.');
  await passes(20);
  const copies = world.github.commentsOf(repo, 1).filter(({ body }) => body.includes('words of a comment'));
  expect(copies).toMatchObject([{ body: expect.stringContaining('Second words') }]);
});

test.each(ways)('%s: a copy that people write over before it is known is no comment of ours', async (how) => {
  const { world, lose, passes, alice } = worldOf(how);
  await passes(2);
  alice.comment(1, 'Words of a comment.');
  lose();
  await passes(1);
  const copy = world.github.commentsOf(repo, 1).at(-1);
  expect(copy?.body).toContain('Words of a comment.');
  world.clock.advance(2_000);
  world.github.as('mona').editComment(repo, copy?.id ?? 0, 'Words of mona.');
  await passes(20);
  expect(world.tracker.commentsOf(1).filter(({ text }) => text.includes('mona'))).toEqual([]);
  // It is a copy that people edited, as GitHub says what it was at first.
  expect(world.github.commentsOf(repo, 1).map(({ body }) => body)).toEqual(['Words of mona.']);
});

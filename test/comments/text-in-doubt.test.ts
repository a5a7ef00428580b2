import { expect, test } from 'vitest';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * A new text of a copy got no answer, and lists that are behind did not show it in time. It shows up later, and is ours
 * all the same.
 */
const minuteMs = 60_000;
const source = new URL('../../src', import.meta.url).pathname;

/**
 * @param isShownFirst whether lists show the text before the tracker has the next one
 * @param isOfPeople whether people then write over the copy
 * @returns what the copy says in the end
 */
async function late(src: string, isShownFirst: boolean, isOfPeople = false): Promise<unknown> {
  const { cycle } = (await import(`${src}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  const world = stage();
  const { tracker, github } = world;
  let behindMs = 0;
  github.setBehind({ listMs: () => behindMs, itemMs: () => 0 });
  const told = contextOn(world, { ...widgetRoute, copies: 'leave' }, { limits: testLimits });
  // This GitHub does not say who edited.
  const context = { ...told, github: { ...told.github, editor: async () => null } };
  const pass = async (ms: number) => {
    world.clock.advance(ms);
    await cycle(context, { isForced: false });
  };
  const reword = (text: string): void => {
    tracker.editComment(tracker.commentsOf(1).at(-1)?.id ?? 0, text);
    tracker.as('alice').change(1, { whiteboard: text });
  };
  tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
  tracker.as('alice').comment(1, 'First.');
  for (let count = 0; count < 3; count += 1) await pass(20 * minuteMs);
  const [{ number } = { number: 0 }] = github.issues(repo);
  const copies = () => github.commentsOf(repo, number);

  reword('Second.');
  world.faults = (side, cost) =>
    side === 'github' && cost === 'edit' ? { kind: 'drop', after: true } : { kind: 'none' };
  await pass(minuteMs);
  world.faults = noFaults;
  expect(copies()[0]?.body).toContain('Second.');
  behindMs = 3 * minuteMs;
  await pass(20_000);
  if (isShownFirst) {
    behindMs = 0;
    await pass(minuteMs);
  }
  if (isOfPeople) github.as('mona').editComment(repo, copies()[0]?.id ?? 0, 'Words of mona');
  reword('Third.');
  await pass(20_000);
  behindMs = 0;
  for (let count = 0; count < 4; count += 1) await pass(minuteMs);
  return copies().map(({ body }) => /Words of mona|First|Second|Third/u.exec(body)?.[0]);
}

test('one that the look before the next write shows first is ours, too', async () => {
  expect(await late(source, false)).toEqual(['Third']);
});

test('what people write over it is theirs', async () => {
  expect([await late(source, true, true), await late(source, false, true)]).toEqual([
    ['Words of mona'],
    ['Words of mona'],
  ]);
});

const cases: readonly Case[] = [
  {
    name: 'a text in doubt is forgotten once no list shows it in time',
    ...{
      file: 'sync/settle/settle.ts',
      from: '{ wrote: store.commentLinks.byId(operation.commentLink)?.wrote }',
      to: '{}',
    },
    ...{ scenario: (src) => late(src, true), right: ['Third'] },
  },
  {
    name: 'a text in doubt that a list shows late is an edit by people',
    ...{ file: 'rules/comments/known-comment.ts', from: '&& inDoubt.includes(digest)', to: '&& inDoubt.length < 0' },
    ...{ scenario: (src) => late(src, true), right: ['Third'] },
  },
];

testCases(cases);

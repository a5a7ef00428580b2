/** A tracker whose dump is restored has a bug in the product that it had left since: nobody moved it back. */

import { expect, test } from 'vitest';
import { saidNothing } from '../../simulation/restores/crowd.ts';
import { dumpOf, loadDump } from '../../simulation/restores/tracker-dump.ts';
import { repo } from '../../simulation/stage.ts';
import { moving } from '../../support/routes.ts';
import { other, type World, worldOf } from './world.ts';

const { widget, gadget } = moving;
const toGadget = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };

/** What people did before the bug moved is agreed by both sides; then it moves, and the dump is from before all that. */
async function movedBack(world: World, since: (world: World) => void): Promise<void> {
  const { alice, tracker, clock, passes } = world;
  alice.file({ summary: 'It is slow', description: 'Every day.', severity: 'normal' });
  alice.file({ summary: 'Another', description: 'Never.' });
  await passes(4);
  const said = saidNothing();
  const dump = dumpOf(tracker, said);
  clock.advance(600_000);
  since(world);
  await passes(3);
  alice.change(1, toGadget);
  await passes(4);
  alice.comment(2, 'Said since.');
  await passes(4);
  clock.advance(3_600_000);
  loadDump(tracker, dump, said);
  await passes(9);
}

const shown = ({ tracker, github }: World) => {
  const [bug, issue] = [tracker.bug(1), github.issue(repo, 1)];
  return {
    title: [bug?.summary, issue?.title],
    severity: [bug?.severity, issue?.labels.filter((label) => label.startsWith('severity'))],
    status: [bug?.status, issue?.state],
  };
};
const [title, was] = ['It is slow on Mondays', 'It is slow'];

const deeds: readonly (readonly [string, (world: World) => void, Partial<ReturnType<typeof shown>>])[] = [
  ['a title that people gave the issue', ({ mona }) => mona.edit(repo, 1, { title }), { title: [title, title] }],
  ['a title that people gave the bug', ({ alice }) => alice.change(1, { summary: title }), { title: [title, title] }],
  [
    'a label that people set',
    ({ mona }) => mona.label(repo, 1, 'severity: major'),
    { severity: ['major', ['severity: major']] },
  ],
  ['an issue that people closed', ({ mona }) => mona.close(repo, 1, 'completed'), { status: ['RESOLVED', 'closed'] }],
  ['what nobody changed', () => {}, { title: [was, was], severity: ['normal', ['severity: normal']] }],
];

test.each(deeds)('%s stays', async (_what, since, expected) => {
  const world = worldOf([widget, gadget]);
  await movedBack(world, since);
  expect(shown(world)).toEqual({
    title: [was, was],
    severity: ['normal', ['severity: normal']],
    status: ['CONFIRMED', 'open'],
    ...expected,
  });
  // The issue of the other product says where the bug is.
  expect(world.github.issue(other, 1)).toMatchObject({ state: 'closed', body: expect.stringContaining('goes on in') });
  expect(await world.differences()).toEqual([]);
});

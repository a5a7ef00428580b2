/** I3: of a pair whose end has left since the backup, an older state plans nothing. */

import { describe, expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { repo } from '../../simulation/stage.ts';
import { widgetRoute } from '../../support/routes.ts';
import { type World, worldOf } from './world.ts';

const route: Route = {
  ...widgetRoute,
  milestones: true,
  assignee: true,
  dependencies: true,
  people: {
    github: new Map([['alice@example.test', 'mona']]),
    tracker: new Map([['mona', 'alice@example.test']]),
    nobody: ['carol@example.test'],
  },
};
const gadget = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };

const bugOf = ({ tracker }: World) => ({ ...tracker.bug(1), said: tracker.commentsOf(1).map(({ text }) => text) });

async function begun(): Promise<World> {
  const world = worldOf([route]);
  for (const summary of ['It is slow', 'It hangs', 'It crashes'])
    world.alice.file({ summary, description: 'Every day.' });
  await world.passes();
  world.mona.comment(repo, 1, 'Said on GitHub.');
  await world.passes();
  return world;
}

/** What people do on an issue since the backup, and the bridge carries over. */
const edits: Readonly<Record<string, (world: World) => void>> = {
  title: ({ mona }) => mona.edit(repo, 1, { title: 'It is slower' }),
  status: ({ mona }) => mona.close(repo, 1),
  milestone: ({ mona }) => mona.milestone(repo, 1, '2.0'),
  assignee: ({ mona }) => mona.unassign(repo, 1, 'mona'),
  label: ({ mona }) => mona.label(repo, 1, 'status: in progress'),
  dependency: ({ mona }) => mona.block(repo, 1, 2),
  words: ({ github, mona }) => {
    const own = github.commentsOf(repo, 1).find(({ author }) => author === 'mona');
    mona.editComment(repo, own?.id ?? 0, 'Said otherwise.');
  },
};
const leavings: Readonly<Record<string, (world: World) => void>> = {
  deleted: ({ mona }) => mona.deleteIssue(repo, 1),
  hidden: ({ github }) => github.setHidden(repo, 1, true),
  transferred: ({ github, mona }) => {
    github.addRepo('acme/elsewhere', { permissions: { mona: 'admin', 'bugferry-bot': 'write' } });
    mona.transfer(repo, 1, 'acme/elsewhere');
  },
};

describe.each(Object.entries(leavings))('an issue that was %s since', (_name, leave) => {
  test.each(Object.entries(edits))('leaves the bug as people had edited it: %s', async (name, edit) => {
    const world = await begun();
    const { states, clock, passes } = world;
    const copy = states.copy();
    clock.advance(61_000);
    const unedited = bugOf(world);
    edit(world);
    await passes();
    const edited = bugOf(world);
    expect(edited, name).not.toEqual(unedited);
    leave(world);
    states.putBack(copy, 'told');
    await passes(6);
    expect(bugOf(world)).toEqual(edited);
  });
});

test('a state that comes back without a word knows as little of it', async () => {
  const world = await begun();
  const { states, mona, tracker, passes } = world;
  const copy = states.copy();
  mona.edit(repo, 1, { title: 'It is slower' });
  mona.comment(repo, 2, 'Said since.');
  await passes();
  mona.deleteIssue(repo, 1);
  states.putBack(copy, 'silent');
  await passes(6);
  expect(tracker.bug(1)?.summary).toBe('It is slower');
});

test('each end is asked for only where something would be written, and the pair goes on', async () => {
  const world = await begun();
  const { states, alice, github, passes, stage } = world;
  const copy = states.copy();
  alice.change(1, { summary: 'It is slower' });
  states.putBack(copy, 'told');
  stage.calls.length = 0;
  await passes(1);
  expect(github.issue(repo, 1)?.title).toBe('It is slower');
  expect(stage.calls.filter(({ method }) => method === 'probe').map(({ side, args }) => [side, ...args])).toEqual([
    ['github', 1],
  ]);
});

describe.each(['told', 'silent'] as const)('a bug that left the route since (%s)', (way) => {
  test('gets nothing of what people write on the issue after that', async () => {
    const world = await begun();
    const { states, tracker, clock, mona, passes } = world;
    const copy = states.copy();
    clock.advance(61_000);
    tracker.as('admin').change(1, gadget);
    mona.comment(repo, 2, 'Said since.');
    await passes(6);
    clock.advance(61_000);
    mona.edit(repo, 1, { title: 'It is slower' });
    mona.comment(repo, 1, 'Said to nobody.');
    const before = bugOf(world);
    states.putBack(copy, way);
    await passes(6);
    expect(bugOf(world)).toEqual(before);
  });

  test('gets what people had written there before the issue said so', async () => {
    const world = await begun();
    const { states, tracker, clock, mona, passes } = world;
    const copy = states.copy();
    clock.advance(61_000);
    tracker.as('admin').change(1, gadget);
    mona.comment(repo, 1, 'Said in time.');
    states.putBack(copy, way);
    await passes(6);
    expect(bugOf(world).said.join('\n')).toContain('Said in time.');
  });
});

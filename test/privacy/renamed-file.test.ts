import { expect, test } from 'vitest';
import { bugId } from '../../src/model/ids.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';

/** What the visibility check makes of a file that somebody renames between our reading and the check. */
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Runs so many cycles of a route with files. */
function passing(world: Stage, visibilityCheck: Route['visibilityCheck'], run = cycle) {
  const route = { ...widgetRoute, attachments: branchRule, visibilityCheck };
  const context = contextOn(world, route, { limits: testLimits, user: 'bridge-insider' });
  return async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      world.clock.advance(61_000);
      await run(context, { isForced: false });
    }
  };
}

/** @returns what the issue says in the end: names of the file, and words of people */
async function renamed(
  when: 'before it has crossed' | 'after it has crossed',
  run = cycle,
): Promise<readonly string[]> {
  const world = stage();
  const { tracker, github, clock } = world;
  const alice = tracker.as('alice');
  const bug = alice.file({ summary: 'It fails', description: 'Always.' });
  const pass = passing(world, 'anonymous', run);
  await pass(3);
  const id = alice.attach(bug, { bytes: bytes('x'), file_name: 'crash.log', comment: 'The log.' });
  if (when === 'after it has crossed') await pass(3);
  clock.advance(1_000);
  alice.comment(bug, 'A reply.');
  world.between = (_side, method, moment) => {
    if (method === 'bugs' && moment === 'before')
      tracker.as('bridge-insider').changeAttachment(id, { file_name: 'trace.log' });
  };
  await pass(1);
  world.between = () => undefined;
  await pass(4);
  return github
    .commentsOf(repo, 1)
    .flatMap(({ body }) => body.match(/\[(?:crash|trace)\.log\]|The log\.|A reply\./gu) ?? []);
}

test('before it has crossed: no comment overtakes its own, and the name is the one that everybody sees', async () => {
  expect(await renamed('before it has crossed')).toEqual(['[trace.log]', 'The log.', 'A reply.']);
});

test('after it has crossed: the copy gets the new name', async () => {
  expect(await renamed('after it has crossed')).toEqual(['[trace.log]', 'The log.', 'A reply.']);
});

interface Way {
  readonly hide: (world: Stage, bug: number, file: number) => void;
  readonly show: (world: Stage, bug: number, file: number) => void;
}

const turn = ({ tracker }: Stage, file: number, is_private: boolean) =>
  tracker.as('bridge-insider').changeAttachment(file, { is_private });
const shown: Way['show'] = (world, _bug, file) => turn(world, file, false);

const ways: Readonly<Record<string, Way>> = {
  'its bug is hidden': {
    hide: ({ tracker }, bug) => tracker.hide(bug),
    show: ({ tracker }, bug) => tracker.unhide(bug),
  },
  'it is private': { hide: (world, _bug, file) => turn(world, file, true), show: shown },
  'it became private after it was read': {
    hide(world, bug, file) {
      world.tracker.as('alice').comment(bug, 'A reply.');
      world.between = (side, method, moment) => {
        if (side === 'tracker' && method === 'list' && moment === 'after') turn(world, file, true);
      };
    },
    show(world, bug, file) {
      world.between = () => undefined;
      shown(world, bug, file);
    },
  },
  'it became private while all copies were compared': {
    hide(world, bug, file) {
      turn(world, file, true);
      const link = world.store.links.byBug(bugId(bug + 1));
      if (link === null) throw new Error('The other bug has no link');
      world.store.links.save({ ...link, threadReadAt: null, urgency: 'live' });
      for (const row of world.store.commentLinks.ofLink(link.id))
        world.store.commentLinks.save({ ...row, isStale: true });
    },
    show: shown,
  },
};

test.each(Object.keys(ways).flatMap((way) => (['anonymous', 'none'] as const).map((check) => [way, check] as const)))(
  'the texts of other bugs name a file no longer once %s, and again once it is shown: %s',
  async (how, check) => {
    const way = ways[how];
    const world = stage();
    const { tracker, github } = world;
    const alice = tracker.as('alice');
    const bug = alice.file({ summary: 'It fails', description: 'Always.' });
    const id = alice.attach(bug, { bytes: bytes('x'), file_name: 'canary.log', summary: 'The log' });
    const pass = passing(world, check);
    await pass(4);
    const other = alice.file({ summary: 'It leaks', description: `See attachment ${id}.` });
    alice.comment(other, `As in attachment ${id}.`);
    await pass(4);
    const texts = () => JSON.stringify([github.issue(repo, 2)?.body, github.commentsOf(repo, 2)]).split('canary.log');
    expect(texts()).toHaveLength(3);
    way?.hide(world, bug, id);
    await pass(3);
    expect(texts()).toHaveLength(1);
    way?.show(world, bug, id);
    await pass(4);
    expect(texts()).toHaveLength(3);
  },
);

test.each<[string, Fault, Parameters<typeof renamed>[0]]>([
  [
    'a file that was renamed before the check counts as not checked',
    {
      file: 'sync/withdraw/check-visibility.ts',
      from: "if (file.origin !== 'tracker' || size !== file.size) return file;",
      to: "if (file.origin !== 'tracker' || size !== file.size || name !== file.name) return file;",
    },
    'before it has crossed',
  ],
  [
    'copies that show the file do not hear of its name',
    {
      file: 'sync/withdraw/check-visibility.ts',
      from: 'if (checked !== null && fileDigest(checked) !== fileDigest(file)) resolveAttachment(context, Number(file.source));',
      to: '',
    },
    'after it has crossed',
  ],
])('a planted fault is caught: %s', async (_name, fault, when) => {
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await renamed(when, broken)).not.toEqual(['[trace.log]', 'The log.', 'A reply.']);
});

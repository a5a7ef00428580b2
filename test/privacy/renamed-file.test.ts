import { expect, test } from 'vitest';
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

test.each(['anonymous', 'none'] as const)(
  'the texts of other bugs name a file no longer once its bug is hidden, and again once it is shown: %s',
  async (visibilityCheck) => {
    const world = stage();
    const { tracker, github } = world;
    const alice = tracker.as('alice');
    const bug = alice.file({ summary: 'It fails', description: 'Always.' });
    const id = alice.attach(bug, { bytes: bytes('x'), file_name: 'canary.log', summary: 'The log' });
    const pass = passing(world, visibilityCheck);
    await pass(4);
    const other = alice.file({ summary: 'It leaks', description: `See attachment ${id}.` });
    alice.comment(other, `As in attachment ${id}.`);
    await pass(4);
    const texts = () => JSON.stringify([github.issue(repo, 2)?.body, github.commentsOf(repo, 2)]).split('canary.log');
    expect(texts()).toHaveLength(3);
    tracker.hide(bug);
    await pass(2);
    expect(texts()).toHaveLength(1);
    tracker.unhide(bug);
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
      from: "if (checked.state !== 'withdrawn' && fileDigest(checked) !== fileDigest(file)) resolveAttachment(context, Number(file.source));",
      to: '',
    },
    'after it has crossed',
  ],
])('a planted fault is caught: %s', async (_name, fault, when) => {
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await renamed(when, broken)).not.toEqual(['[trace.log]', 'The log.', 'A reply.']);
});

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
function passing(world: Stage, rules: Pick<Route, 'visibilityCheck'> & Partial<Route>, run = cycle) {
  const route = { ...widgetRoute, attachments: branchRule, ...rules };
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
  const pass = passing(world, { visibilityCheck: 'anonymous' }, run);
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
    const pass = passing(world, { visibilityCheck: check });
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

/** @returns what is wrong: people changed copies of texts that name a file, and the file was hidden and shown again */
async function changedByPeople(how: string, copies: Route['copies'], run = cycle): Promise<readonly string[]> {
  const world = stage();
  const { tracker, github } = world;
  const [alice, mona] = [tracker.as('alice'), github.as('mona')];
  const bug = alice.file({ summary: 'It fails', description: 'Always.' });
  const id = alice.attach(bug, { bytes: bytes('x'), file_name: 'canary.log', summary: 'The log' });
  const pass = passing(world, { visibilityCheck: 'anonymous', copies }, run);
  await pass(4);
  const other = alice.file({ summary: 'It leaks', description: `See attachment ${id}.` });
  alice.comment(other, `As in attachment ${id}.`);
  await pass(4);
  const texts = () => [github.issue(repo, 2)?.body ?? '', ...github.commentsOf(repo, 2).map(({ body }) => body)];
  const [body = '', text = ''] = texts();
  mona.edit(repo, 2, { body: `Mine (${addressIn(body)}), too.\n\n${body}` });
  mona.editComment(repo, github.commentsOf(repo, 2)[0]?.id ?? 0, `${text}\n\nMine, [here](${addressIn(text)}).`);
  await pass(3);
  const reports = tracker.commentsOf(other).length;
  ways[how]?.hide(world, bug, id);
  await pass(3);
  const hidden = texts().join();
  const page = `https://bugs.example.test/attachment.cgi?id=${id}`;
  const words = [`Mine (${page}), too.`, ...(copies === 'leave' ? [`Mine, [here](${page}).`] : [])];
  const before = world.calls.length;
  ways[how]?.show(world, bug, id);
  await pass(4);
  const later = world.calls.slice(before).filter(({ method }) => method === 'amend');
  return [
    ...(hidden.includes('canary.log') ? ['the name stays'] : []),
    ...words.flatMap((each) => (hidden.includes(each) ? [] : [`not there: ${each}`])),
    ...(tracker.commentsOf(other).length === reports ? [] : ['our change is reported as one of people']),
    ...later.map(() => 'a copy is changed again'),
  ];
}

test.each(Object.keys(ways).flatMap((way) => (['leave', 'restore'] as const).map((copies) => [way, copies] as const)))(
  'copies that people changed lose the address once %s, and keep their words (copies: %s)',
  async (how, copies) => {
    expect(await changedByPeople(how, copies)).toEqual([]);
  },
);

test.each<[string, Fault]>([
  [
    'a body that people changed is left alone',
    {
      file: 'rules/comments/plan.ts',
      from: 'if (isPeoples(route, link, commentLink)) return unlinked;',
      to: 'if (isPeoples(route, link, commentLink)) return [];',
    },
  ],
  [
    'a comment that people changed is left alone',
    {
      file: 'rules/comments/plan.ts',
      from: "copy?.isEdited === true ? route.copies === 'leave'",
      to: 'copy?.isEdited === true ? false',
    },
  ],
  [
    'a body without the address counts as an edit',
    { file: 'sync/perform/operations/unlink.ts', from: 'bodyDigest(link.github.body) === copy.digest', to: 'false' },
  ],
])('a planted fault is caught: %s', async (_name, fault) => {
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await changedByPeople('it is private', 'leave', broken)).not.toEqual([]);
});

const addressIn = (text: string): string => /https:[^)>\s]+canary\.log/u.exec(text)?.[0] ?? '';

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

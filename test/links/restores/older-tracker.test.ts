import { describe, expect, test } from 'vitest';
import { bugId, linkId } from '../../../src/model/ids.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { saidNothing } from '../../simulation/restores/crowd.ts';
import { dumpOf, loadDump } from '../../simulation/restores/tracker-dump.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

/** A tracker whose backup is restored shows values of that time, and lacks words: neither is what anybody did since. */

interface Told extends Stage {
  turns(count?: number): Promise<void>;
  sweeps(): Promise<void>;
  alice: ReturnType<Stage['tracker']['as']>;
  mona: ReturnType<Stage['github']['as']>;
}

/** Three pairs, in step. */
async function mirrored(): Promise<Told> {
  const bare = stage({ listLagMs: 0 });
  const context = () => contextOn(bare, widgetRoute, { limits: { ...testLimits, brakeShare: 1 } });
  const world: Told = {
    ...bare,
    alice: bare.tracker.as('alice'),
    mona: bare.github.as('mona'),
    async turns(count = 4) {
      for (let index = 0; index < count; index += 1) {
        bare.clock.advance(61_000);
        await cycle(context(), { isForced: false });
      }
    },
    sweeps: async () => void (await sweep(context(), { isForced: false })),
  };
  for (let bug = 1; bug <= 3; bug += 1)
    world.alice.file({ summary: `Bug ${bug}`, description: 'It fails.', severity: 'normal' });
  await world.turns();
  world.alice.comment(1, 'Said before.');
  world.mona.comment(repo, 1, 'Mona, before.');
  await world.turns();
  return world;
}

/** People act, and everything crosses; then the tracker is as it was before, an hour later. */
async function restored(since: (world: Told) => void, meanwhile: (world: Told) => void = () => {}): Promise<Told> {
  const world = await mirrored();
  const said = saidNothing();
  const dump = dumpOf(world.tracker, said);
  world.clock.advance(600_000);
  since(world);
  world.alice.comment(3, 'Said of another bug.');
  await world.turns();
  world.clock.advance(3_600_000);
  loadDump(world.tracker, dump, said);
  world.clock.advance(60_000);
  meanwhile(world);
  await world.turns();
  await world.sweeps();
  await world.turns();
  return world;
}

const shown = ({ tracker, github }: Stage, bug: number) => {
  const [there, issue] = [tracker.bug(bug), github.issue(repo, bug)];
  return {
    title: [there?.summary, issue?.title],
    status: [there?.status, issue?.state],
    severity: [there?.severity, issue?.labels.find((label) => label.startsWith('severity'))],
  };
};

const edits: readonly (readonly [string, (world: Told) => void])[] = [
  [
    'on GitHub',
    ({ mona }) => {
      mona.edit(repo, 1, { title: 'Another title' });
      mona.close(repo, 1, 'completed');
      mona.label(repo, 1, 'severity: major');
    },
  ],
  [
    'on the tracker',
    ({ alice }) =>
      alice.change(1, { summary: 'Another title', status: 'RESOLVED', resolution: 'FIXED', severity: 'major' }),
  ],
];

describe.each(edits)('what people edited %s since the backup', (_side, edit) => {
  const all = {
    title: ['Another title', 'Another title'],
    status: ['RESOLVED', 'closed'],
    severity: ['major', 'severity: major'],
  };

  test('stands on both sides', async () => {
    const world = await restored(edit);
    expect(shown(world, 1)).toEqual(all);
    expect(world.store.findings.open('widget').conflicts).toBe(0);
  });

  test('gives way to what they edit after that', async () => {
    const world = await restored(edit, ({ alice }) => alice.change(1, { summary: 'The last title' }));
    expect(shown(world, 1)).toEqual({ ...all, title: ['The last title', 'The last title'] });
  });

  test('stands although the bug was touched since', async () => {
    const world = await restored(edit, ({ alice }) => alice.comment(1, 'Said after it.'));
    expect(shown(world, 1)).toEqual(all);
    expect(world.github.commentsOf(repo, 1).filter(({ body }) => body.includes('Said after it.'))).toHaveLength(1);
  });

  test('stands beside what they edit on GitHub after that', async () => {
    const world = await restored(edit, ({ mona }) => mona.edit(repo, 1, { title: 'The last title' }));
    expect(shown(world, 1)).toEqual({ ...all, title: ['The last title', 'The last title'] });
  });
});

test('a bug that was closed as a duplicate since the backup is one of the same bug', async () => {
  const world = await restored(({ alice }) => alice.change(1, { dupe_of: 2 }));
  expect(world.tracker.bug(1)).toMatchObject({ resolution: 'DUPLICATE', dupe_of: 2 });
  expect(world.github.issue(repo, 1)).toMatchObject({ state: 'closed', stateReason: 'duplicate' });
});

describe('what people said on GitHub since the backup', () => {
  const on = ({ tracker }: Stage, words: string): number =>
    tracker.commentsOf(1).filter(({ text }) => text.includes(words)).length;
  const copied = ({ github }: Stage, words: string): number =>
    github.commentsOf(repo, 1).filter(({ body }) => body.includes(words)).length;

  test.each<[string, (world: Told) => void]>([
    ['nothing else happens', () => {}],
    ['another comment gets its number', ({ alice }) => void alice.comment(1, 'Said after it.')],
    ['a comment elsewhere gets its number', ({ alice }) => void alice.comment(2, 'Said after it.')],
  ])('is said again, once: %s', async (_what, meanwhile) => {
    const world = await restored(({ mona }) => {
      mona.comment(repo, 1, 'Mona, since.');
      mona.comment(repo, 1, 'Mona, once more.');
    }, meanwhile);
    for (const words of ['Mona, since.', 'Mona, once more.']) expect([words, on(world, words)]).toEqual([words, 1]);
    for (const words of ['Said before.', 'Mona, since.', 'Mona, once more.'])
      expect([words, copied(world, words)]).toEqual([words, 1]);
    const later = on(world, 'Said after it.');
    expect(copied(world, 'Said after it.')).toBe(later);
  });

  test('tells an edit again, once', async () => {
    const edited = ({ github, mona }: Told, words: string): void => {
      const said = github.commentsOf(repo, 1).find(({ author }) => author === 'mona');
      mona.editComment(repo, said?.id ?? 0, words);
    };
    const world = await restored((all) => edited(all, 'Mona, in other words.'));
    expect([on(world, 'Mona, before.'), on(world, 'other words')]).toEqual([1, 1]);
    edited(world, 'Mona, at last.');
    await world.turns();
    expect([on(world, 'Mona, before.'), on(world, 'at last')]).toEqual([1, 1]);
  });

  test('does not stand in for what others say on the tracker', async () => {
    const world = await restored(
      ({ alice }) => void alice.comment(1, 'Alice, since.'),
      ({ tracker }) => void tracker.as('bob').comment(1, 'Bob, after it.'),
    );
    expect([on(world, 'Bob, after it.'), copied(world, 'Bob, after it.')]).toEqual([1, 1]);
    const copy = world.github.commentsOf(repo, 1).find(({ body }) => body.includes('Bob, after it.'));
    expect(copy?.body).not.toContain('lice');
  });

  test('is not said again if people hide it later', async () => {
    const world = await restored(({ mona }) => void mona.comment(repo, 1, 'Mona, since.'));
    world.clock.advance(25 * 3_600_000);
    const { comments } = world.tracker.state;
    const hidden = comments.get(1)?.map((each) => ({ ...each, isPrivate: each.text.includes('Mona, since.') }));
    comments.set(1, hidden ?? []);
    world.alice.comment(1, 'It is hidden.');
    await world.turns();
    expect(world.tracker.commentsOf(1).filter(({ text }) => text.includes('Mona, since.'))).toHaveLength(1);
  });
});

test.each(['markTrackerOlder', 'markAll'] as const)(
  'a pair that the bridge makes is known since then: %s',
  async (mark) => {
    const world = await mirrored();
    const { store, clock, tracker } = world;
    world.mona.open(repo, { title: 'Not filed before', body: 'Steps' });
    const context = contextOn(world, widgetRoute, { limits: testLimits });
    clock.advance(61_000);
    await cycle(
      {
        ...context,
        tracker: {
          ...context.tracker,
          create(draft) {
            store.olderPairs[mark]('widget', clock.now(), { tracker: clock.now(), github: clock.now() });
            return context.tracker.create(draft);
          },
        },
      },
      { isForced: false },
    );
    const isMarked = (bug: number): boolean =>
      store.olderPairs.get(store.links.byBug(bugId(bug))?.id ?? linkId(0)) !== null;
    expect([tracker.bug(4)?.summary, isMarked(4), isMarked(1)]).toEqual(['Not filed before', false, true]);
  },
);

test('a change that commits after one with a later stamp is an edit like any other', async () => {
  const world = await mirrored();
  const { alice, mona, store, clock } = world;
  alice.comment(1, 'Said last, and committed first.');
  await world.turns(1);
  alice.change(1, { severity: 'major', stampedMsAgo: 61_000 + 1_800 });
  mona.edit(repo, 1, { title: 'Another title' });
  clock.advance(30_000);
  await world.turns();
  expect(shown(world, 1)).toMatchObject({
    title: ['Another title', 'Another title'],
    severity: ['major', 'severity: major'],
  });
  expect(store.olderPairs.get(store.links.byBug(bugId(1))?.id ?? linkId(0))).toBeNull();
});

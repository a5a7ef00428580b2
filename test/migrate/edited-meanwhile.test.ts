/** Texts that people edit, on either side, while the import of their issue is under way. */

import { expect, test } from 'vitest';
import { repo, type Stage } from '../simulation/stage.ts';
import { widgetRoute } from '../support/routes.ts';
import { bot, cyclesOn, importerOn, importStage, migrateOn } from './bench.ts';

type Importer = ReturnType<typeof importerOn>;

/** Imports a bug with three comments. `during` happens once GitHub has accepted the import, and `how` it then ends. */
async function importing(
  how: string,
  during: (world: Stage) => void,
  more: readonly string[] = [],
  route = widgetRoute,
): Promise<Stage> {
  const world = importStage();
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'It fails', description: 'First words.' });
  for (const words of ['One.', 'Two.', 'Three.', ...more]) alice.comment(bug, words);
  alice.file({ summary: 'It works', description: 'Another.' });
  world.clock.advance(3_600_000);
  const importer = importerOn(world);
  let isBegun = false;
  const begin: Importer['begin'] = async (draft) => {
    const begun = await importer.begin(draft);
    if (isBegun) return begun;
    isBegun = true;
    world.clock.advance(60_000);
    during(world);
    if (how === 'it dies') throw new Error('dies');
    return how === 'the answer is lost' ? { kind: 'unknown', why: 'the answer was lost' } : begun;
  };
  const run = migrateOn(world, { route, importer: { ...importer, begin } }).catch((error: unknown) => error);
  expect(await run).toMatchObject(how === 'it dies' ? { message: 'dies' } : {});
  world.clock.advance(7_200_000);
  await migrateOn(world, { route });
  await cyclesOn(world, 3, route);
  return world;
}

/** What the copies say, without our lines. */
const shown = ({ github }: Stage): readonly string[] =>
  [github.issue(repo, 1)?.body ?? '', ...github.commentsOf(repo, 1).map(({ body }) => body)].map(
    (body) => body.split('\n\n')[1] ?? body,
  );

function editOnTracker({ tracker }: Stage, count: number, words: string): void {
  tracker.editComment(tracker.commentsOf(1)[count]?.id ?? 0, words);
  tracker.as('alice').comment(1, 'A tracker shows an edit once its bug changes.');
}

const ways = ['it goes on', 'it dies', 'the answer is lost'] as const;
const later = 'A tracker shows an edit once its bug changes.';

test.each(ways)('a description that is edited on the tracker crosses: %s', async (how) => {
  const world = await importing(how, (stage) => editOnTracker(stage, 0, 'Edited words.'));
  expect(shown(world)).toEqual(['Edited words.', 'One.', 'Two.', 'Three.', later]);
});

test.each(ways)('a comment that is edited on the tracker crosses: %s', async (how) => {
  const world = await importing(how, (stage) => editOnTracker(stage, 2, 'Edited words.'));
  expect(shown(world)).toEqual(['First words.', 'One.', 'Edited words.', 'Three.', later]);
});

test.each(ways)('what people write over a copy stays, also if its text is edited: %s', async (how) => {
  const world = await importing(how, (stage) => {
    const { github } = stage;
    const [, second, third] = github.commentsOf(repo, 1);
    github.as('mona').editComment(repo, second?.id ?? 0, 'Written over.');
    editOnTracker(stage, 2, 'Edited words.');
    github.as('mona').editComment(repo, third?.id ?? 0, third?.body.replace('Three.', 'Four.') ?? '');
  });
  expect(shown(world)).toEqual(['First words.', 'One.', 'Written over.', 'Four.', later]);
  expect(world.github.commentsOf(repo, 1).every(({ author }) => author === bot)).toBe(true);
  expect(world.tracker.commentsOf(1).length).toBe(5);
});

const long = Array.from({ length: 1_300 }, (_, index) => `This *is* _line_ ${index} <of> [a] comment.`).join('\n\n');

test.each(ways)('all parts of a long comment follow an edit: %s', async (how) => {
  const edited = `First.\n\n${long}\n\nLast.`;
  const world = await importing(how, (stage) => editOnTracker(stage, 4, edited), [long]);
  const parts = world.github.commentsOf(repo, 1).filter(({ body }) => body.includes('part='));
  expect(parts.length).toBe(2);
  expect(parts.map(({ body }) => body.includes('First.'))).toEqual([true, false]);
  expect(parts.at(-1)?.body).toContain('Last.');
});

test('a text that names bugs without an issue follows an edit long after its import', async () => {
  const world = await importing('it goes on', () => undefined, ['See bug 2.']);
  expect(shown(world).at(-1)).toContain('https://bugs.example.test/show_bug.cgi?id=2');
  editOnTracker(world, 4, 'See bug 2, or not.');
  await cyclesOn(world, 3, widgetRoute);
  expect(shown(world)[4]).toContain('or not.');
});

test.each(ways)('a body that people write over, marker and all, stays the copy: %s', async (how) => {
  const world = await importing(how, ({ github }) => github.as('mona').edit(repo, 1, { body: 'Written over.' }));
  expect(world.tracker.bugs().map(({ summary }) => summary)).toEqual(['It fails', 'It works']);
  expect(world.github.issues(repo).map(({ body }) => body.split('\n\n')[0])).toEqual([
    'Written over.',
    expect.stringContaining('opened [bug 2]'),
  ]);
  const texts = world.tracker.commentsOf(1).map(({ text }) => text);
  expect(texts.slice(4)).toEqual([expect.stringMatching(/^GitHub user mona edited .*Written over\.$/su)]);
});

/**
 * A bug is hidden or fails while others are read, whose pages name it: all are written again without it, and hardly
 * anything is asked again.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillGenerated } from '../support/generated-tracker.ts';
import { type ArchiveWorld, archiveWorld, bytesOf, filesIn, run } from './world.ts';

/** Hides a bug once its comments are read and its history is not. */
function hideMeanwhile(world: ArchiveWorld, bug: number): void {
  world.between = (path) => {
    if (!/\/history\b/u.test(path)) return;
    world.between = () => undefined;
    world.tracker.hide(bug);
  };
}

const isContent = (path: string, file: number): boolean =>
  new RegExp(`/bug/attachment/${file}(?:\\?|$)`, 'u').test(path);
const contentAsked = ({ asked }: ArchiveWorld, file: number): number =>
  asked.filter((path) => isContent(path, file)).length;

test('a bug that is hidden meanwhile costs only the search for it, however many others there are', async () => {
  const [calm, world] = [archiveWorld(), archiveWorld()];
  for (const each of [calm, world]) fillGenerated(each.tracker, { count: 300, seed: 3 });
  hideMeanwhile(world, 200);
  const [whole, less] = [await run(calm), await run(world)];
  expect(less.bugs).toBe(whole.bugs - 1);
  expect(less.requests.lists).toBeLessThanOrEqual(whole.requests.lists + 18);
});

/** Five bugs; all name the third, and the files of three are the same. */
function related(): ArchiveWorld {
  const world = archiveWorld();
  const alice = world.tracker.as('alice');
  for (let bug = 1; bug <= 5; bug += 1) {
    alice.file({ summary: `title ${bug}`, description: 'See bug 3.' });
    alice.attach(bug, { bytes: bytesOf(`the file ${bug % 2}`), file_name: `${bug}.txt`, summary: `file ${bug}` });
    if (bug > 3) alice.change(bug, { depends_on: { add: [3] } });
    if (bug === 3) alice.change(1, { depends_on: { add: [3] } });
  }
  return world;
}

test.each(['a first run', 'a further run'])(
  'in %s, the archive is that of a tracker that hid the bug earlier',
  async (kind) => {
    const early = related();
    early.tracker.hide(3);
    await run(early);
    const world = related();
    if (kind === 'a further run') await run(world);
    hideMeanwhile(world, 3);
    const { files, unread } = await run(world);
    const found = filesIn(world.folder);
    expect(found).toEqual(filesIn(early.folder));
    expect([files, unread]).toEqual([found.size - 1, []]);
  },
);

test('a content that the tracker does not return is asked for once', async () => {
  const world = related();
  hideMeanwhile(world, 3);
  world.answer = (path, response) => (isContent(path, 1) ? new Response('', { status: 500 }) : response);
  expect((await run(world)).unread).toHaveLength(1);
  expect(contentAsked(world, 1)).toBe(1);
});

test('a comparison asks for a content once, and finds no difference', async () => {
  const world = related();
  hideMeanwhile(world, 3);
  await run(world);
  world.tracker.unhide(3);
  const before = contentAsked(world, 2);
  hideMeanwhile(world, 3);
  const { differences, leftOut } = await run(world, { isVerifying: true });
  expect([contentAsked(world, 2) - before, differences, leftOut.length]).toEqual([1, [], 1]);
});

test('the page of a hidden bug goes before the contents of later bugs are asked for', async () => {
  const world = related();
  await run(world);
  world.tracker.as('alice').attach(5, { bytes: bytesOf('a new file'), summary: 'new' });
  let isThere = true;
  hideMeanwhile(world, 3);
  world.answer = (path, response) => {
    if (isContent(path, 6)) isThere = readdirSync(join(world.folder, 'bugs')).includes('3.html');
    return response;
  };
  await run(world);
  expect(isThere).toBe(false);
});

test('the report counts the files that earlier passes wrote', async () => {
  const world = related();
  hideMeanwhile(world, 3);
  const { written, files } = await run(world);
  expect(written).toBeGreaterThanOrEqual(files);
});

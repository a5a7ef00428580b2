/**
 * A bug is hidden or fails while others are read, whose pages name it: all are written again without it, and hardly
 * anything is asked again.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, testCases } from '../support/faults/scenarios.ts';
import { fillGenerated } from '../support/generated-tracker.ts';
import { type ArchiveWorld, archiveWorld, bytesOf, filesIn, ownFolder } from './world.ts';

type Archive = typeof import('../../src/archive/archive.ts');
type Reader = typeof import('../../src/bugzilla/public-reader.ts');

const archiveIn = async (src: string): Promise<Archive['archive']> =>
  ((await import(`${src}/archive/archive.ts`)) as Archive).archive;
const readerIn = async (src: string) =>
  ((await import(`${src}/bugzilla/public-reader.ts`)) as Reader).bugzillaPublicReader;

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

/** Whether a bug that is hidden meanwhile costs no more than the search for it, however many others there are. */
async function isCheap(src: string): Promise<boolean> {
  const [archive, readerOf] = [await archiveIn(src), await readerIn(src)];
  const [calm, world] = [archiveWorld(ownFolder(), '5.2', readerOf), archiveWorld(ownFolder(), '5.2', readerOf)];
  for (const each of [calm, world]) fillGenerated(each.tracker, { count: 300, seed: 3 });
  hideMeanwhile(world, 200);
  const [whole, less] = [await archive(calm.options()), await archive(world.options())];
  return less.bugs === whole.bugs - 1 && less.requests.lists <= whole.requests.lists + 18;
}

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

/**
 * Where the archive differs from that of a tracker that hid the bug earlier; the same for one that has it in the folder
 * already.
 */
async function differingFromEarlier(src: string): Promise<readonly string[]> {
  const archive = await archiveIn(src);
  const early = related();
  early.tracker.hide(3);
  await archive(early.options());
  const wanted = filesIn(early.folder);
  const wrong: string[] = [];
  for (const isFirst of [true, false]) {
    const world = related();
    if (!isFirst) await archive(world.options());
    hideMeanwhile(world, 3);
    const { files, unread } = await archive(world.options());
    const found = filesIn(world.folder);
    wrong.push(
      ...[...new Set([...wanted.keys(), ...found.keys()])].filter((path) => wanted.get(path) !== found.get(path)),
    );
    if (files !== found.size - 1 || unread.length > 0) wrong.push('report');
  }
  return wrong;
}

/** How often a content that the tracker does not give out is asked for. */
async function askedForUnread(src: string): Promise<number> {
  const archive = await archiveIn(src);
  const world = related();
  hideMeanwhile(world, 3);
  world.answer = (path, response) => (isContent(path, 1) ? new Response('', { status: 500 }) : response);
  const { unread } = await archive(world.options());
  return unread.length === 1 ? contentAsked(world, 1) : Number.NaN;
}

/** How often a comparison asks for a content while a bug is hidden, and what it finds. */
async function askedByComparison(src: string): Promise<readonly unknown[]> {
  const archive = await archiveIn(src);
  const world = related();
  hideMeanwhile(world, 3);
  await archive(world.options());
  world.tracker.unhide(3);
  const before = contentAsked(world, 2);
  hideMeanwhile(world, 3);
  const { differences, leftOut } = await archive({ ...world.options(), isVerifying: true });
  return [contentAsked(world, 2) - before, differences, leftOut.length];
}

/** Whether the page of a bug is there when the content of a later one is asked for. */
async function isThereAfterwards(src: string): Promise<boolean> {
  const archive = await archiveIn(src);
  const world = related();
  await archive(world.options());
  world.tracker.as('alice').attach(5, { bytes: bytesOf('a new file'), summary: 'new' });
  let isThere = true;
  hideMeanwhile(world, 3);
  world.answer = (path, response) => {
    if (isContent(path, 6)) isThere = readdirSync(join(world.folder, 'bugs')).includes('3.html');
    return response;
  };
  await archive(world.options());
  return isThere;
}

/** How many files a first run says it has written: at least those that are there. */
async function isAllReported(src: string): Promise<boolean> {
  const archive = await archiveIn(src);
  const world = related();
  hideMeanwhile(world, 3);
  const { written, files } = await archive(world.options());
  return written >= files;
}

const place = 'archive/archive.ts';
const cases: readonly Case[] = [
  {
    name: 'all is read again',
    ...{ file: place, from: 'settled.add(bug.id)', to: 'settled.has(bug.id)' },
    ...{ scenario: isCheap, right: true },
  },
  {
    name: 'a bug that is hidden is asked for three times',
    ...{
      file: 'bugzilla/public-reader.ts',
      from: 'bug === id && isUnreachable(failure)',
      to: 'bug === id && bug < 0 && isUnreachable(failure)',
    },
    ...{ scenario: isCheap, right: true },
  },
  {
    name: 'pages that name the bug stay',
    ...{ file: place, from: 'leftOut.size > lacking && pass < passesMax', to: 'leftOut.size > lacking + 9' },
    ...{ scenario: differingFromEarlier, right: [] },
  },
  {
    name: 'pages are written again with the bug',
    ...{ file: 'archive/listing.ts', from: '      bugs.delete(bug);\n', to: '' },
    ...{ scenario: differingFromEarlier, right: [] },
  },
  {
    name: 'a content is asked for in every pass',
    ...{ file: 'archive/contents.ts', from: "if (losses.unread.has(place.attachment)) return 'unread';", to: '' },
    ...{ scenario: askedForUnread, right: 1 },
  },
  {
    name: 'a comparison asks for contents in every pass',
    ...{ file: place, from: 'options.isVerifying && !settled.has(bug.id)', to: 'options.isVerifying' },
    ...{ scenario: askedByComparison, right: [1, [], 1] },
  },
  {
    name: 'the page of a bug that is hidden waits for all others',
    ...{
      file: place,
      from: 'if (!bugs.has(id)) removeBug(folder, output, id);',
      to: 'if (bugs.size < 0) removeBug(folder, output, id);',
    },
    ...{ scenario: isThereAfterwards, right: false },
  },
  {
    name: 'only what the last pass wrote is reported',
    ...{ file: place, from: 'before.written += totals.written;', to: '' },
    ...{ scenario: isAllReported, right: true },
  },
];

testCases(cases);

/**
 * What became hidden goes before the tracker is asked for anything more: a run may end at any request, and at any file.
 */

import type { ArchiveFolder, ListedBug, PublicReader } from '../../src/model/archive/ports.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';
import { type ArchiveWorld, archiveWorld, bugOf, bytesOf, filesIn } from './world.ts';

type Archive = typeof import('../../src/archive/archive.ts');
const archiveIn = async (src: string): Promise<Archive['archive']> =>
  ((await import(`${src}/archive/archive.ts`)) as Archive).archive;

/** Three bugs; the second is alone in its component, and has a file. */
function withLonely(): ArchiveWorld {
  const world = archiveWorld();
  const alice = world.tracker.as('alice');
  const [, other = ''] =
    world.tracker.state.products.find(({ name }) => name === 'Widget')?.components.map(({ name }) => name) ?? [];
  alice.file({ summary: 'public one' });
  const bug = alice.file({ summary: 'wordoftitle', description: 'wordofdescription', component: other });
  alice.attach(bug, { bytes: bytesOf('wordofcontent'), file_name: 'wordofname.txt', summary: 'wordofsummary' });
  // Of a single bug that fails, nobody can say whether the tracker fails.
  alice.file({ summary: 'public two' });
  return world;
}

/** Where the title of the second bug is after it was hidden and a run broke off, once it had the list. */
async function leftByRunThatBreaksOff(world: ArchiveWorld, archive: Archive['archive']): Promise<readonly string[]> {
  world.tracker.hide(2);
  world.answer = (path, response) => (/\/comment\b/u.test(path) ? new Response('', { status: 500 }) : response);
  const isBroken = await archive(world.options()).then(
    () => false,
    () => true,
  );
  return [...(isBroken ? [] : ['the run came to its end']), ...titlesIn(world)];
}

async function afterWholeRun(src: string): Promise<readonly string[]> {
  const archive = await archiveIn(src);
  const world = withLonely();
  await archive(world.options());
  return leftByRunThatBreaksOff(world, archive);
}

/** The first run is killed as it writes this file. */
const afterKillAt =
  (killed: string) =>
  async (src: string): Promise<readonly string[]> => {
    const archive = await archiveIn(src);
    const world = withLonely();
    const options = world.options();
    const folder: ArchiveFolder = {
      ...options.folder,
      write(path, content) {
        if (path === killed) throw new Error('killed');
        options.folder.write(path, content);
      },
    };
    await archive({ ...options, folder }).catch(() => null);
    return leftByRunThatBreaksOff(world, archive);
  };

/** The second bug is alone on its list by number. */
async function afterRange(src: string): Promise<readonly string[]> {
  const archive = await archiveIn(src);
  const world = archiveWorld();
  const reader = world.reader();
  const listing = (bugs: readonly ListedBug[]): PublicReader => ({
    ...reader,
    bugs: async () => ({ bugs, next: null }),
  });
  const threads = async () => new Map([1, 1001].map((id) => [id, { comments: [], changes: [], files: [] }]));
  await archive({
    ...world.options(),
    reader: { ...listing([bugOf(1), bugOf(1001, { summary: 'wordoftitle' })]), threads },
  });
  await archive({
    ...world.options(),
    reader: { ...listing([bugOf(1)]), threads: () => Promise.reject(new Error('broken')) },
  }).catch(() => null);
  return titlesIn(world);
}

const titlesIn = ({ folder }: ArchiveWorld): readonly string[] =>
  [...filesIn(folder)].filter(([, text]) => text.includes('wordoftitle')).map(([path]) => path);

const cases: readonly Case[] = [
  {
    name: 'a list that has no bug any more waits for the end of the run',
    ...{
      file: 'archive/archive.ts',
      from: 'if (isListPath(path)) output.drop(path)',
      to: 'if (bugs.size < 0) output.drop(path)',
    },
    ...{ scenario: afterWholeRun, right: [] },
  },
  {
    name: 'lists by component wait for the end of the run',
    ...{ file: 'archive/paths.ts', from: '(?:products|numbers)', to: '(?:numbers)' },
    ...{ scenario: afterWholeRun, right: [] },
  },
  {
    name: 'lists by number wait for the end of the run',
    ...{ file: 'archive/paths.ts', from: '(?:products|numbers)', to: '(?:products)' },
    ...{ scenario: afterRange, right: [] },
  },
  {
    name: 'a page is written without a record that says whose files are whose',
    ...{
      file: 'archive/archive.ts',
      from: '  output.put(recordPath(bug.id)',
      to: '  if (bug.id < 0) output.put(recordPath(bug.id)',
    },
    ...{ scenario: afterKillAt('bugs/2.html'), right: [] },
  },
  {
    name: 'the page of an attachment is written before the record',
    ...{
      file: 'archive/archive.ts',
      from: 'const files = thread.files.filter',
      to: 'for (const { id } of thread.files) output.put(attachmentPath(id), bug.summary);\nconst files = thread.files.filter',
    },
    ...{ scenario: afterKillAt('bugs/2.json'), right: [] },
  },
];

testCases(cases);

/** Bugs that the tracker lists and fails on: they keep what was archived of them, and the report names them. */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bugzillaPublicReader } from '../../src/bugzilla/public-reader.ts';
import { hiddenSince, type PublicReader } from '../../src/model/archive/ports.ts';
import { loadTrackerWorld } from '../../src/sandbox/tracker/world/load.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';
import { type ArchiveWorld, archiveWorld, bytesOf, filesIn, ownFolder, run } from './world.ts';

type Archive = typeof import('../../src/archive/archive.ts');
type Reader = typeof import('../../src/bugzilla/public-reader.ts');
const archiveIn = async (src: string): Promise<Archive['archive']> =>
  ((await import(`${src}/archive/archive.ts`)) as Archive).archive;

/** Three bugs with a file each; each depends on the one before. */
function withFiles(readerOf = bugzillaPublicReader): ArchiveWorld {
  const world = archiveWorld(ownFolder(), '5.2', readerOf);
  const alice = world.tracker.as('alice');
  for (const [index, name] of ['one', 'two', 'three'].entries()) {
    const bug = alice.file({
      summary: `title ${name}`,
      description: `See bug 1, bug 2 and bug 3. Words of ${name}.`,
      alias: `alias-${name}`,
    });
    alice.attach(bug, { bytes: bytesOf(`the file ${name}`), file_name: `${name}.txt`, summary: name });
    if (index > 0) alice.change(bug, { depends_on: { add: [bug - 1] }, whiteboard: `board ${name}` });
  }
  return world;
}

const failing = (code: number): Response =>
  Response.json({ error: true, code, message: `Failure ${code}` }, { status: 400 });
/** As 5.2 says it: something went wrong inside, and this reader may not see it. */
const [broken, hidden] = [100_500, 102];

/** Lets every reading of this kind fail that is about the bug. */
function failOn(world: ArchiveWorld, bug: number, codes: Readonly<Record<string, number>>): void {
  world.answer = async (path, response) => {
    const url = new URL(path, 'https://x.test');
    const [, first, kind = ''] = /\/bug\/(\d+)\/(\w+)$/u.exec(url.pathname) ?? [];
    const code = codes[first !== undefined ? kind : url.searchParams.has('id') ? 'one' : 'list'];
    if (code === undefined || url.searchParams.get('include_fields') === 'id') return response;
    const asked =
      first === undefined ? await idsIn(response.clone()) : [first, ...url.searchParams.getAll('ids')].map(Number);
    return asked.includes(bug) ? failing(code) : response;
  };
}

async function idsIn(response: Response): Promise<readonly number[]> {
  const { bugs = [] } = (await response.json()) as { readonly bugs?: readonly { readonly id: number }[] };
  return bugs.map(({ id }) => id);
}

/** What a run changes in an archive, and what it reports, while the tracker fails on bug 2. */
const whileFailing = (codes: Readonly<Record<string, number>>) => async (src: string) => {
  const archive = await archiveIn(src);
  const world = withFiles(((await import(`${src}/bugzilla/public-reader.ts`)) as Reader).bugzillaPublicReader);
  await archive(world.options());
  const before = filesIn(world.folder);
  failOn(world, 2, codes);
  const { leftOut, outdated } = await archive(world.options());
  const after = filesIn(world.folder);
  const gone = [...before.keys()].filter((path) => !after.has(path) && !path.startsWith('files/'));
  const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  const compared = await archive({ ...world.options(), isVerifying: true });
  const namesOf = (lacking: typeof leftOut) =>
    lacking.map(({ bug, why }) => `${bug} is ${why === hiddenSince ? 'hidden' : 'unreadable'}`);
  return {
    leftOut: namesOf(leftOut),
    outdated: namesOf(outdated),
    gone,
    changed: changed.length > 0,
    differences: compared.differences,
  };
};

const kept = {
  ...{ leftOut: [], outdated: ['2 is unreadable'] },
  ...{ gone: [], changed: false, differences: [] },
};
const gone = {
  ...{ leftOut: ['2 is hidden'], outdated: [] },
  ...{ gone: ['attachments/2.html', 'bugs/2.html', 'bugs/2.json'], changed: true, differences: [] },
};

/** The folder after a run in which bug 2 fails and bug 1, which it names, is hidden since. */
async function namesOfHidden(src: string): Promise<readonly string[]> {
  const archive = await archiveIn(src);
  const world = withFiles();
  await archive(world.options());
  world.tracker.hide(1);
  failOn(world, 2, { comment: broken });
  await archive(world.options());
  const files = filesIn(world.folder);
  expect(files.get('bugs/2.html')).toContain('Words of two.');
  return [...files].filter(([, text]) => /title one|bugs\/1\.html|^ {4}1,?$/mu.test(text)).map(([path]) => path);
}

/** Whether a bug is gone of which no thread arrives, and this is told for it; and what is reported to be kept. */
const isGone =
  (...told: readonly string[]) =>
  async (src: string): Promise<readonly unknown[]> => {
    const archive = await archiveIn(src);
    const world = withFiles();
    await archive(world.options());
    const reader = world.reader();
    const threads: PublicReader['threads'] = async (bugs, left) => {
      for (const why of told) left(2, why);
      return new Map([...(await reader.threads(bugs, left))].filter(([id]) => id !== 2));
    };
    const { outdated } = await archive({ ...world.options(), reader: { ...reader, threads } });
    return [!filesIn(world.folder).has('bugs/2.html'), outdated];
  };

/** What becomes of a bug that fails and whose record somebody damaged; the run has to end well. */
async function afterDamage(src: string): Promise<readonly unknown[]> {
  const archive = await archiveIn(src);
  const world = withFiles();
  await archive(world.options());
  const whole = JSON.parse(filesIn(world.folder).get('bugs/2.json') ?? '');
  failOn(world, 2, { comment: broken });
  const file = { path: '../outside.txt', sha256: '', bytes: 1 };
  const damages: readonly unknown[] = [
    ...['{', 'null', {}, { ...whole, id: 3 }, { ...whole, title: undefined }, { ...whole, comments: [{}] }],
    ...[
      { ...whole, createdAt: Number.MAX_SAFE_INTEGER },
      { ...whole, attachments: [{ ...whole.attachments[0], file }] },
    ],
  ];
  const ends: unknown[] = [];
  for (const damaged of damages) {
    writeFileSync(join(world.folder, 'bugs/2.json'), typeof damaged === 'string' ? damaged : JSON.stringify(damaged));
    ends.push(
      (await archive(world.options()).catch((failure: Error) => failure)) instanceof Error ? 'failed' : 'ended',
    );
    ends.push(filesIn(world.folder).has('bugs/2.html'));
  }
  return [...new Set(ends)];
}

const listing = 'archive/listing.ts';
const cases: readonly Case[] = [
  {
    name: 'a bug whose comments fail goes',
    ...{ file: listing, from: 'keptRecord(folder, bug) !== null) outdated', to: 'bug < 0) outdated' },
    ...{ scenario: whileFailing({ comment: broken }), right: kept },
  },
  {
    name: 'a bug that is not read has no page',
    ...{
      file: 'archive/archive.ts',
      from: 'if (thread === null) return null;',
      to: 'if (thread === null || read.thread === null) return null;',
    },
    ...{ scenario: whileFailing({ history: broken, attachment: broken }), right: kept },
  },
  {
    name: 'a bug that fails in the list goes',
    ...{ file: listing, from: '...kept.map(listedIn)', to: '...kept.slice(1).map(listedIn)' },
    ...{ scenario: whileFailing({ list: broken, one: broken }), right: kept },
  },
  {
    name: 'a bug that fails in the list stands at the end',
    ...{ file: listing, from: '.sort((one, other) => one.id - other.id)', to: '' },
    ...{ scenario: whileFailing({ list: broken, one: broken }), right: kept },
  },
  {
    name: 'what a bug is a duplicate of is forgotten',
    ...{
      file: 'archive/kept-record.ts',
      from: 'label !== duplicateOf && label !== duplicatedBy',
      to: 'label.length < 0',
    },
    ...{ scenario: whileFailing({ list: broken, one: broken, comment: broken }), right: kept },
  },
  {
    name: 'a bug that is not public any more stays',
    ...{ file: listing, from: 'why !== hiddenSince && !leftOut.has(bug)', to: '!leftOut.has(bug)' },
    ...{ scenario: whileFailing({ comment: hidden }), right: gone },
  },
  {
    name: 'a bug that was hidden and then fails stays',
    ...{ file: listing, from: '&& !leftOut.has(bug) &&', to: '&&' },
    ...{ scenario: isGone(hiddenSince, 'broken'), right: [true, []] },
  },
  {
    name: 'a bug that failed and then was hidden stays',
    ...{ file: listing, from: 'outdated.delete(bug);\n      bugs', to: 'bugs' },
    ...{ scenario: whileFailing({ comment: broken, history: hidden }), right: gone },
  },
  {
    name: 'a list that says that a bug is hidden is a failure',
    ...{
      file: 'bugzilla/public-reader.ts',
      from: 'left(id, whyOf(failure));',
      to: 'left(id, failure.message);',
    },
    ...{ scenario: whileFailing({ list: broken, one: hidden }), right: gone },
  },
  {
    name: 'a page that is not read names what was hidden since',
    ...{
      file: 'archive/bug-record.ts',
      from: 'named.filter((each) => bugs.has(each))',
      to: 'named.filter(() => true)',
    },
    ...{ scenario: namesOfHidden, right: [] },
  },
  {
    name: 'a bug of which nothing is told stays',
    ...{ file: 'archive/archive.ts', from: 'leave(id, hiddenSince)', to: 'leave(id, "no answer")' },
    ...{ scenario: isGone(), right: [true, []] },
  },
  {
    name: 'a damaged record is believed',
    ...{
      file: 'archive/kept-record.ts',
      from: 'isRecord(value) && value.id === bug ? value : null',
      to: 'value as BugRecord',
    },
    ...{ scenario: afterDamage, right: ['ended', false] },
  },
];

testCases(cases);

/** All that the measured tracker has: relations, flags, custom fields, deleted contents, odd characters. */
test('a page that is made of its record is the same, byte for byte', async () => {
  const world = archiveWorld();
  loadTrackerWorld(world.tracker);
  await run(world);
  const before = filesIn(world.folder);
  const reader = world.reader();
  const threads: PublicReader['threads'] = async (bugs, left) => {
    for (const bug of bugs) left(bug, 'broken');
    return new Map();
  };
  const report = await run(world, { reader: { ...reader, threads } });
  expect(report).toMatchObject({ written: 0, removed: 0, leftOut: [], requests: { contents: 0 } });
  expect(report.outdated).toHaveLength(report.bugs);
  expect(filesIn(world.folder)).toEqual(before);
});

test('a bug that fails and was never archived is left out, and comes when it can be read', async () => {
  const world = withFiles();
  failOn(world, 2, { comment: broken });
  expect(await run(world)).toMatchObject({
    bugs: 2,
    leftOut: [{ bug: 2, why: expect.stringContaining('Failure') }],
    outdated: [],
  });
  expect([...filesIn(world.folder).values()].join('\n')).not.toContain('title two');
  world.answer = (_path, response) => response;
  expect(await run(world)).toMatchObject({ bugs: 3, leftOut: [], outdated: [] });
});

test('a file of a bug that fails is asked for if somebody took it away', async () => {
  const world = withFiles();
  await run(world);
  const before = filesIn(world.folder);
  for (const path of before.keys()) if (path.startsWith('files/')) rmSync(join(world.folder, path));
  failOn(world, 2, { comment: broken });
  expect(await run(world)).toMatchObject({ outdated: [{ bug: 2 }], unread: [], written: 3 });
  expect(filesIn(world.folder)).toEqual(before);
});

/** Bugs that the tracker lists and fails on: they keep what was archived of them, and the report names them. */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hiddenSince, type PublicReader } from '../../src/model/archive/ports.ts';
import { loadTrackerWorld } from '../../src/sandbox/tracker/world/load.ts';
import { endlessBugs } from '../../src/store/archive-folder.ts';
import { plant } from '../support/plant.ts';
import { type ArchiveWorld, archiveWorld, bytesOf, filesIn, run } from './world.ts';

/** Three bugs with a file each; each depends on the one before. */
function withFiles(): ArchiveWorld {
  const world = archiveWorld();
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
async function whileFailing(codes: Readonly<Record<string, number>>) {
  const world = withFiles();
  await run(world);
  const before = filesIn(world.folder);
  failOn(world, 2, codes);
  const { leftOut, outdated } = await run(world);
  const after = filesIn(world.folder);
  const gone = [...before.keys()].filter((path) => !after.has(path) && !path.startsWith('files/'));
  const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  const compared = await run(world, { isVerifying: true });
  const namesOf = (lacking: typeof leftOut) =>
    lacking.map(({ bug, why }) => `${bug} is ${why === hiddenSince ? 'hidden' : 'unreadable'}`);
  return {
    leftOut: namesOf(leftOut),
    outdated: namesOf(outdated),
    gone,
    changed: changed.length > 0,
    differences: compared.differences,
  };
}

const kept = {
  ...{ leftOut: [], outdated: ['2 is unreadable'] },
  ...{ gone: [], changed: false, differences: [] },
};
const gone = {
  ...{ leftOut: ['2 is hidden'], outdated: [] },
  ...{ gone: ['attachments/2.html', 'bugs/2.html', 'bugs/2.json'], changed: true, differences: [] },
};

test.each([
  ['comments fail', { comment: broken }, kept],
  ['history and files fail', { history: broken, attachment: broken }, kept],
  ['entry in the list fails', { list: broken, one: broken }, kept],
  ['entry in the list and comments fail', { list: broken, one: broken, comment: broken }, kept],
  ['comments are not public any more', { comment: hidden }, gone],
  ['comments fail, and history is hidden', { comment: broken, history: hidden }, gone],
  ['entry in the list fails, and the bug is hidden', { list: broken, one: hidden }, gone],
])('a bug whose %s is kept or removed as a whole', async (_name, codes, right) => {
  expect(await whileFailing(codes)).toEqual(right);
});

test.each([
  ['as the folder has it, if it has it', true, { leftOut: [], outdated: [2] }],
  ['out of a new archive', false, { leftOut: [2], outdated: [] }],
])('a bug on whose entry in the list we fail ourselves stays %s', async (_where, isKnown, right) => {
  const from = '  // Trackers send the values of a bug in any order, another one each time.';
  const to = "if (bug.summary === 'title two') throw new RangeError(bug.summary);";
  const folder = plant({ file: 'bugzilla/public-reader.ts', from, to });
  const planted: typeof import('../../src/bugzilla/public-reader.ts') = await import(
    join(folder, 'bugzilla/public-reader.ts')
  );
  const world = withFiles();
  if (isKnown) await run(world);
  const { leftOut, outdated } = await run(world, { reader: planted.bugzillaPublicReader(world.sending) });
  const numbers = (list: typeof leftOut): readonly number[] => list.map(({ bug }) => bug);
  expect({ leftOut: numbers(leftOut), outdated: numbers(outdated) }).toEqual(right);
  expect([...leftOut, ...outdated][0]?.why).toMatch(/^bugferry failed on it: RangeError at /u);
  expect([1, 2, 3].map((bug) => filesIn(world.folder).has(`bugs/${bug}.html`))).toEqual([true, isKnown, true]);
});

test('the page of a bug that fails no longer names a bug that was hidden since', async () => {
  const world = withFiles();
  await run(world);
  world.tracker.hide(1);
  failOn(world, 2, { comment: broken });
  await run(world);
  const files = filesIn(world.folder);
  expect(files.get('bugs/2.html')).toContain('Words of two.');
  expect([...files].filter(([, text]) => /title one|bugs\/1\.html|^ {4}1,?$/mu.test(text))).toEqual([]);
});

test.each([
  ['reported as hidden, then as broken', [hiddenSince, 'broken']],
  ['not reported at all', []],
])('a bug whose thread does not arrive and that is %s is removed', async (_name, reasons) => {
  const world = withFiles();
  await run(world);
  const reader = world.reader();
  const threads: PublicReader['threads'] = async (bugs, left, apart) => {
    for (const why of reasons) left(2, why);
    return new Map([...(await reader.threads(bugs, left, apart))].filter(([id]) => id !== 2));
  };
  expect(await run(world, { reader: { ...reader, threads } })).toMatchObject({ outdated: [] });
  expect(filesIn(world.folder).has('bugs/2.html')).toBe(false);
});

test('a bug that fails and whose record is damaged is removed, and the run ends well', async () => {
  const world = withFiles();
  await run(world);
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
  for (const damaged of damages) {
    writeFileSync(join(world.folder, 'bugs/2.json'), typeof damaged === 'string' ? damaged : JSON.stringify(damaged));
    await run(world);
    expect(filesIn(world.folder).has('bugs/2.html')).toBe(false);
  }
});

test.each([
  ['archive/listing.ts', '  const [product, component] = [once(common.product), once(common.component)];', 'summary'],
  ['archive/search-index.ts', '      const texts = [', 'title'],
])('a fault of ours over one bug in %s costs that bug', async (file, from, title) => {
  const to = `if (${title} === 'title two') throw new RangeError('planted');\n${from}`;
  const folder = plant({ file, from, to });
  const planted: typeof import('../../src/archive/archive.ts') = await import(join(folder, 'archive/archive.ts'));
  const world = withFiles();
  for (let again = 0; again < 2; again += 1) {
    const { bugs, leftOut } = await planted.archive(world.options());
    expect([bugs, leftOut]).toEqual([
      2,
      [{ bug: 2, why: expect.stringMatching(/^bugferry failed on it: RangeError/u) }],
    ]);
  }
  expect([1, 2, 3].map((bug) => filesIn(world.folder).has(`bugs/${bug}.html`))).toEqual([true, false, true]);
});

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

test('a bug on whose pages a run did not end is left out until it changes, and all others are written', async () => {
  const world = withFiles();
  await run(world);
  const next = (found: number | null) => {
    world.options();
    return run(world, { isEndless: endlessBugs(world.folder, found, '1.0.0') });
  };
  const left = [{ bug: 2, why: expect.stringContaining('did not end') }];
  expect(await next(2)).toMatchObject({ bugs: 2, leftOut: left });
  expect([...filesIn(world.folder).keys()]).toContain('bugs/3.html');
  expect([...filesIn(world.folder).keys()]).not.toContain('bugs/2.html');
  expect((await next(3)).leftOut.map(({ bug }) => bug)).toEqual([2, 3]);
  expect((await next(null)).leftOut.map(({ bug }) => bug)).toEqual([2, 3]);
  const isEndless = endlessBugs(world.folder, null, '1.0.0');
  const changed = (bug: Parameters<typeof isEndless>[0]) => ({ ...bug, changedAt: bug.id === 2 ? 1 : bug.changedAt });
  const after = await run(world, { isEndless: (bug) => isEndless(changed(bug)) });
  expect(after.leftOut.map(({ bug }) => bug)).toEqual([3]);
  expect((await run(world, { isEndless: endlessBugs(world.folder, null, '1.0.1') })).leftOut).toEqual([]);
});

/** What goes wrong on the way: one content is broken, a list is cut, the tracker goes down, two runs meet. */

import { describe, expect, test } from 'vitest';
import { lockArchive } from '../../src/store/archive-folder.ts';
import { fillGenerated } from '../support/generated-tracker.ts';
import { type ArchiveWorld, archiveWorld, bytesOf, filesIn, ownFolder, run } from './world.ts';

/** Three bugs with a file each. */
function withFiles(): ArchiveWorld {
  const world = archiveWorld();
  const alice = world.tracker.as('alice');
  for (const name of ['one', 'two', 'three']) {
    const bug = alice.file({ summary: name, description: 'd' });
    alice.attach(bug, { bytes: bytesOf(`the words of ${name}`), file_name: `${name}.txt`, summary: name });
  }
  return world;
}

const contentOf = (file: number) => new RegExp(`/bug/attachment/${file}(?:\\?|$)`, 'u');

type Answer = (response: Response) => Promise<Response>;
const notFound: Answer = async () =>
  new Response('<h1>Not Found</h1>', { status: 404, headers: { 'content-type': 'text/html' } });
const broken: Answer = async () =>
  new Response('<h1>Oops</h1>', { status: 500, headers: { 'content-type': 'text/html' } });
const cut: Answer = async (response) =>
  new Response((await response.text()).slice(0, 90), { headers: { 'content-type': 'application/json' } });
/** Valid JSON with fewer bytes, as from a database that cut the row. */
const shorter: Answer = async (response) => {
  const body = JSON.parse(await response.text());
  for (const file of Object.values(body.attachments))
    Object.assign(file as object, { data: Buffer.from('the').toString('base64') });
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
};

describe('a content that the tracker does not give out', () => {
  test.each([
    ['404', notFound],
    ['500', broken],
    ['a body that ends early', cut],
    ['a body with fewer bytes', shorter],
  ])('stops nothing else, is reported, and comes with the next run (%s)', async (_name, answer) => {
    const calm = withFiles();
    await run(calm);
    const world = withFiles();
    world.answer = (path, response) => (contentOf(2).test(path) ? answer(response) : response);
    const report = await run(world);
    expect(report).toMatchObject({ bugs: 3, attachments: 3, unread: [{ bug: 2, attachment: 2 }] });
    const shown = filesIn(world.folder);
    expect(shown.get('bugs/2.html')).toContain('missing here');
    expect(shown.get('attachments/2.html')).toContain('The file is missing here: the tracker did not give it out.');
    expect(shown.get('attachments/3.html')).toContain('the words of three');
    expect(await run(world)).toMatchObject({ written: 0, unread: [{ attachment: 2 }] });
    expect(await run(world, { isVerifying: true })).toMatchObject({ differences: [], unread: [{ attachment: 2 }] });

    world.answer = (_path, response) => response;
    expect(await run(world)).toMatchObject({ unread: [] });
    expect(filesIn(world.folder)).toEqual(filesIn(calm.folder));
  });

  test('and that the folder has already stays, and a comparison does not judge it', async () => {
    const world = withFiles();
    await run(world);
    const before = filesIn(world.folder);
    world.answer = (path, response) => (contentOf(2).test(path) ? broken(response) : response);
    expect(await run(world, { isVerifying: true })).toMatchObject({ differences: [], unread: [{ attachment: 2 }] });
    expect(await run(world)).toMatchObject({ written: 0, unread: [] });
    expect(filesIn(world.folder)).toEqual(before);
  });

  test('is none if the tracker itself is down: then the run ends, and the next one goes on', async () => {
    const world = withFiles();
    let isDown = false;
    world.answer = (path, response) => {
      isDown ||= contentOf(2).test(path);
      return isDown ? broken(response) : response;
    };
    await expect(run(world)).rejects.toThrow();
    isDown = false;
    world.answer = (_path, response) => response;
    expect(await run(world)).toMatchObject({ bugs: 3, unread: [] });
  });

  test('is none if all fail, one after the other: then they are not what is broken', async () => {
    const world = archiveWorld();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'many', description: 'd' });
    for (let file = 0; file < 30; file += 1)
      alice.attach(bug, { bytes: bytesOf(`file ${file}`), summary: `file ${file}` });
    world.answer = (path, response) => (/\/bug\/attachment\/\d/u.test(path) ? broken(response) : response);
    await expect(run(world)).rejects.toThrow();
    expect(world.asked.filter((path) => /\/bug\/attachment\/\d/u.test(path)).length).toBeLessThan(25);
  });
});

describe('a list that was cut on its way', () => {
  const isList = (path: string): boolean => path.includes('o1=greaterthan') && !path.includes('DESC');

  /** A proxy that lets through so many bugs of each list. */
  function through(world: ArchiveWorld, most: number): void {
    world.answer = async (path, response) => {
      if (!isList(path)) return response;
      const body = JSON.parse(await response.text());
      return new Response(JSON.stringify({ ...body, bugs: body.bugs.slice(0, most) }), {
        headers: { 'content-type': 'application/json' },
      });
    };
  }

  test('is read on, however short its pages become', async () => {
    const [calm, world] = [archiveWorld(), archiveWorld()];
    for (const each of [calm, world]) fillGenerated(each.tracker, { count: 90, seed: 4 });
    const whole = await run(calm);
    let pages = 0;
    world.between = (path) => {
      if (!isList(path)) return;
      pages += 1;
      through(world, pages === 1 ? 40 : 7);
    };
    expect(await run(world)).toMatchObject({ bugs: whole.bugs });
    expect(filesIn(world.folder)).toEqual(filesIn(calm.folder));
  });

  test('is not believed to end where the tracker shows a later bug, and no page is taken away', async () => {
    const world = archiveWorld();
    fillGenerated(world.tracker, { count: 30, seed: 4 });
    await run(world);
    const before = filesIn(world.folder);
    through(world, 0);
    await expect(run(world)).rejects.toThrow(/list ends at bug 0, but the tracker shows bug \d+/u);
    expect(filesIn(world.folder)).toEqual(before);
  });

  test('goes on with a bug that came at its end', async () => {
    const world = archiveWorld();
    fillGenerated(world.tracker, { count: 3, seed: 4 });
    world.between = (path) => {
      if (!path.includes('DESC')) return;
      world.between = () => undefined;
      world.tracker.as('alice').file({ summary: 'A late bug' });
    };
    const { bugs } = await run(world);
    expect(bugs).toBe(world.tracker.bugs().length);
    expect(filesIn(world.folder).get('bugs/4.html')).toContain('A late bug');
  });

  test.each([1, 2])('ends before a bug that came at its end and was hidden again (%i times)', async (times) => {
    const world = archiveWorld();
    fillGenerated(world.tracker, { count: 3, seed: 4 });
    const bug = world.tracker.as('alice').file({ summary: 'A late bug' });
    world.tracker.hide(bug);
    const before = world.tracker.bugs().length - 1;
    let asked = 0;
    world.between = (path) => {
      if (isList(path)) world.tracker.hide(bug);
      if (!path.includes('DESC')) return;
      if (asked < times) world.tracker.unhide(bug);
      asked += 1;
    };
    expect(await run(world)).toMatchObject({ bugs: before });
    expect(asked).toBe(times + 1);
  });
});

test('two runs at once: the second is refused, and after the first its turn comes', () => {
  const folder = ownFolder();
  const release = lockArchive(folder);
  expect(release).not.toBeNull();
  expect(lockArchive(folder)).toBeNull();
  release?.();
  const next = lockArchive(folder);
  expect(next).not.toBeNull();
  next?.();
});

/**
 * I9 in an archive: words that a reader without an account is not shown are in no byte of the folder, whatever is
 * hidden when.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Fault, plant } from '../support/plant.ts';
import { random } from '../support/random.ts';
import { type ArchiveWorld, archiveWorld, bytesOf, filesIn, ownFolder, run } from './world.ts';

/**
 * Fills a tracker: what everyone may see says "public", and everything that can be hidden is, with a word that occurs
 * nowhere else.
 */
function fill({ tracker }: ArchiveWorld): { readonly secrets: readonly string[]; readonly hidden: number } {
  const alice = tracker.as('alice');
  const insider = tracker.as('bridge-insider');
  const secrets: string[] = [];
  const secret = (kind: string): string => {
    const word = `canary${kind}${secrets.length}x`;
    secrets.push(word);
    return word;
  };
  const shown = alice.file({ summary: 'public one', description: 'public description', alias: 'public-alias' });
  const hidden = alice.file({
    summary: secret('title'),
    description: secret('description'),
    alias: secret('alias'),
    whiteboard: secret('board'),
  });
  alice.comment(hidden, secret('said'));
  insider.attach(hidden, {
    bytes: bytesOf(secret('content')),
    file_name: `${secret('name')}.txt`,
    summary: secret('summary'),
  });
  tracker.hide(hidden);

  insider.comment(shown, secret('private'), { isPrivate: true });
  insider.attach(shown, {
    bytes: bytesOf(secret('content')),
    file_name: `${secret('name')}.txt`,
    summary: secret('summary'),
    is_private: true,
  });
  // Public when it came, so that the comment about it is public, and private now.
  const later = insider.attach(shown, {
    bytes: bytesOf(secret('content')),
    file_name: 'later.txt',
    summary: secret('later'),
  });
  insider.changeAttachment(later, { is_private: true });
  alice.attach(shown, { bytes: bytesOf('public content'), file_name: 'public.txt', summary: 'public file' });
  insider.change(shown, {
    depends_on: { add: [hidden] },
    see_also: { add: [`https://bugs.example.test/show_bug.cgi?id=${hidden}`] },
  });
  const duplicate = alice.file({ summary: 'public duplicate', description: `See bug ${hidden} and bug ${shown}.` });
  insider.change(duplicate, { dupe_of: hidden });
  alice.comment(shown, 'public words of alice@example.test');
  const address = `https://bugs.example.test/show_bug.cgi?id=${hidden}`;
  alice.comment(shown, `public: ${address} and ${address}#c0 (or http${address.slice(5)}).`);
  alice.comment(shown, `public: ${address}, <${address}>, [this](${address}#c0) and ![that](${address}).`, {
    isMarkdown: true,
  });
  return { secrets, hidden };
}

const found = (folder: string, words: readonly string[]): readonly string[] =>
  [...filesIn(folder)].flatMap(([path, text]) =>
    words.filter((word) => path.includes(word) || text.includes(word)).map((word) => `${word} in ${path}`),
  );

/** The links and relations that name a bug. */
const linksTo = (folder: string, bug: number): readonly string[] =>
  [...filesIn(folder)]
    .filter(
      ([path, text]) =>
        path !== 'archive.json' &&
        (text.includes(`bugs/${bug}.html`) ||
          new RegExp(`"[^"\\s]*show_bug\\.cgi\\?id=${bug}\\b[^"\\s]*"`, 'u').test(text) ||
          new RegExp(`^ {4,}${bug},?$`, 'mu').test(text)),
    )
    .map(([path]) => path);

describe('nothing private is in an archive (I9)', () => {
  test.each(['5.0', '5.2', '5.3', 'harmony'] as const)(
    'neither bugs, comments, files, names, addresses, nor relations to hidden bugs, on %s',
    async (version) => {
      const world = archiveWorld(ownFolder(), version);
      const { secrets, hidden } = fill(world);
      await run(world);
      expect(found(world.folder, secrets)).toEqual([]);
      expect(found(world.folder, ['@example.test'])).toEqual([]);
      expect(linksTo(world.folder, hidden)).toEqual([]);
      expect(
        found(world.folder, ['public description', 'public content', 'public-alias', 'public words of alice@…']).length,
      ).toBeGreaterThan(3);
    },
  );

  test('no request bears a key', async () => {
    const world = archiveWorld();
    fill(world);
    await run(world);
    expect(world.asked.filter((path) => /key|token|login/iu.test(path))).toEqual([]);
  });

  test('what becomes private goes with the next run, and comes back when it is public again', async () => {
    const world = archiveWorld();
    const { tracker, folder } = world;
    fill(world);
    const bug = tracker.as('alice').file({ summary: 'wordoftitle', description: 'wordofdescription' });
    const comment = tracker.as('alice').comment(bug, 'wordofcomment');
    tracker
      .as('alice')
      .attach(bug, { bytes: bytesOf('wordofcontent'), file_name: 'wordofname.txt', summary: 'wordofsummary' });
    const words = ['wordoftitle', 'wordofdescription', 'wordofcomment', 'wordofcontent', 'wordofname', 'wordofsummary'];
    await run(world);
    const before = filesIn(folder);
    expect(new Set(found(folder, words).map((each) => each.split(' ')[0]))).toEqual(new Set(words));
    tracker.as('bridge-insider').change(bug, { comment_is_private: { [comment]: true } });
    await run(world);
    expect(found(folder, ['wordofcomment'])).toEqual([]);
    tracker.hide(bug);
    await run(world);
    expect(found(folder, words)).toEqual([]);
    expect(linksTo(folder, bug)).toEqual([]);
    tracker.unhide(bug);
    tracker.as('bridge-insider').change(bug, { comment_is_private: { [comment]: false } });
    await run(world);
    expect([...filesIn(folder).keys()]).toEqual([...before.keys()]);
  });

  test('a bug that is hidden while others are read is named by none of them', async () => {
    const world = archiveWorld();
    const { tracker, folder } = world;
    const first = tracker.as('alice').file({ summary: 'public one', description: 'See bug 2.' });
    const second = tracker.as('alice').file({ summary: 'wordoftitle', description: 'wordofdescription' });
    tracker.as('alice').change(first, { depends_on: { add: [second] } });
    world.between = (path) => {
      if (/\/history\?/u.test(path)) tracker.hide(second);
    };
    const report = await run(world);
    expect(report.leftOut).toEqual([{ bug: second, why: 'it is not public any more' }]);
    expect(report.bugs).toBe(1);
    expect(found(folder, ['wordoftitle', 'wordofdescription'])).toEqual([]);
    expect(linksTo(folder, second)).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('whatever people hide at random moments, seed %i', async (seed) => {
    const world = archiveWorld();
    const { tracker, folder } = world;
    const { secrets } = fill(world);
    const draw = random(seed);
    const [alice, insider] = [tracker.as('alice'), tracker.as('bridge-insider')];
    for (let index = 0; index < 12; index += 1) {
      const bug = alice.file({
        summary: `wordtitle${index}x`,
        description: `worddescription${index}x See bug ${index}, comment 1.`,
      });
      insider.comment(bug, `wordsaid${index}x`, { isPrivate: draw.chance(0.3) });
      insider.attach(bug, {
        bytes: bytesOf(`wordcontent${index}x`),
        file_name: `wordname${index}x.txt`,
        summary: `wordsummary${index}x`,
        is_private: draw.chance(0.3),
      });
      if (index > 0) insider.change(bug, { depends_on: { add: [bug - 1] } });
      if (draw.chance(0.3)) tracker.hide(bug);
    }
    let acts = 0;
    world.between = () => {
      if (acts > 6 || !draw.chance(0.2)) return;
      acts += 1;
      const bug = draw.pick(tracker.bugs());
      tracker.hide(bug.id);
    };
    await run(world);
    world.between = () => undefined;
    await run(world);
    expect(found(folder, secrets)).toEqual([]);
    const shown = JSON.stringify(await shownTo(world));
    const all = [
      ...JSON.stringify([
        tracker.bugs(),
        [...tracker.state.comments.values()],
        [...tracker.state.attachments.values()],
      ]).matchAll(/word[a-z]+\d+x/gu),
    ];
    const hidden = [...new Set(all.map(([word]) => word))].filter((word) => !shown.includes(word));
    expect(hidden.length).toBeGreaterThan(0);
    expect(found(folder, hidden)).toEqual([]);
  });
});

/** What the tracker shows without an account, by its own answers. */
async function shownTo(world: ArchiveWorld): Promise<unknown> {
  const reader = world.reader();
  const { bugs } = await reader.bugs(
    0,
    () => undefined,
    (_bug, make) => make(),
  );
  const threads = await reader.threads(
    bugs.map(({ id }) => id),
    () => undefined,
    (_bug, make) => make(),
  );
  return [bugs, [...threads.values()]];
}

describe('planted faults let words of hidden things into an archive', () => {
  const faults: readonly (readonly [name: string, fault: Fault])[] = [
    [
      'relations to hidden bugs',
      { file: 'archive/bug-record.ts', from: 'named.filter((each) => bugs.has(each))', to: 'named.filter(() => true)' },
    ],
    [
      'words about hidden files',
      {
        file: 'archive/bug-record.ts',
        from: 'return named !== null && !files.has(Number(named));',
        to: 'return named === null && files.size < 0;',
      },
    ],
    [
      'see-also of hidden bugs',
      {
        file: 'archive/bug-record.ts',
        from: 'return bug !== null && !around.bugs.has(bug);',
        to: 'return bug !== null && bug < 0 && !around.bugs.has(bug);',
      },
    ],
    [
      'addresses of hidden bugs',
      {
        file: 'archive/references.ts',
        from: 'leadsToHidden(url, around)',
        to: 'leadsToHidden(url, around) && url === ""',
      },
    ],
    ['links to hidden bugs', { file: 'archive/references.ts', from: '(around.bugs.has(id) ?', to: '(id > 0 ?' }],
    [
      'e-mail addresses',
      {
        file: 'archive/bug-record.ts',
        from: 'withoutAddresses(visible(text))',
        to: 'visible(withoutAddresses("") + text)',
      },
    ],
    [
      'history of relations',
      {
        file: 'archive/bug-record.ts',
        from: '.filter((item) => around.bugs.has(Number(item))).join',
        to: '.join',
      },
    ],
    ['bugs that were hidden since', { file: 'archive/archive.ts', from: '    output.finish();\n', to: '' }],
  ];

  test.each(faults)('%s', async (_name, fault) => {
    const planted: typeof import('../../src/archive/archive.ts') = await import(
      join(plant(fault), 'archive/archive.ts')
    );
    const world = archiveWorld();
    const { secrets, hidden } = fill(world);
    const once = world.tracker.as('alice').file({ summary: 'wordoftitle', description: 'wordofdescription' });
    world.tracker.as('alice').comment(once, 'wordofcomment');
    world.tracker
      .as('alice')
      .attach(once, { bytes: bytesOf('wordofcontent'), file_name: 'wordofname.txt', summary: 'wordofsummary' });
    await planted.archive(world.options());
    world.tracker
      .as('bridge-insider')
      .changeAttachment([...world.tracker.state.attachments.keys()].at(-1) ?? 0, { is_private: true });
    // Without its record, only the end of a run finds what it had.
    rmSync(join(world.folder, `bugs/${once}.json`));
    await planted.archive(world.options());
    const wrong = [
      ...found(world.folder, [...secrets, '@example.test', 'wordofcontent', 'wordofsummary']),
      ...linksTo(world.folder, hidden),
      ...historyOf(world, hidden),
    ];
    expect(wrong).not.toEqual([]);
  });

  test('without a fault, the same run is clean', async () => {
    const world = archiveWorld();
    const { hidden } = fill(world);
    await run(world);
    expect(historyOf(world, hidden)).toEqual([]);
  });
});

/** Records whose history names the bug. */
const historyOf = ({ folder }: ArchiveWorld, bug: number): readonly string[] =>
  [...filesIn(folder)]
    .filter(([path, text]) => path.endsWith('.json') && new RegExp(`"(?:removed|added)": "${bug}"`, 'u').test(text))
    .map(([path]) => path);

/**
 * What a tracker, a person or a damaged folder may send: none of it leads out of the folder, stays when it has to go,
 * or stops a run.
 */

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shown } from '../../src/archive/bug-record.ts';
import { slugsOf } from '../../src/archive/paths.ts';
import { kindOf } from '../../src/archive/safe-file.ts';
import { ruleFiles } from '../../src/archive/server-rules.ts';
import { commentHtml } from '../../src/archive/words.ts';
import { bugzillaPublicReader } from '../../src/bugzilla/public-reader.ts';
import type { ListedBug, PublicReader, Thread } from '../../src/model/archive/ports.ts';
import { archiveFolder, whyNoArchive } from '../../src/store/archive-folder.ts';
import { archiveWorld, bugOf, bytesOf, filesIn, noReferences, ownFolder, run, trackerUrl } from './world.ts';

const noThread: Thread = { comments: [], changes: [], files: [] };

/** A tracker that answers what a test says. */
const readerOf = (
  bugs: readonly ListedBug[],
  thread: Thread = noThread,
  content: Uint8Array | null = null,
): PublicReader => ({
  isServed: async () => true,
  bugs: async () => ({ bugs, next: null }),
  threads: async (ids) => new Map(ids.map((id) => [id, thread])),
  content: async () => content,
  requests: () => ({ lists: 0, contents: 0 }),
});

const fileOf = (id: number): Thread['files'][number] => ({
  ...{
    id,
    name: 'a.txt',
    summary: 'a file',
    type: 'text/plain',
    size: 5,
    isPatch: false,
    isObsolete: false,
    flags: [],
  },
  ...{ author: 'alice', at: 0 },
});

const textsIn = (folder: string): string => JSON.stringify([...filesIn(folder)]);

describe('texts', () => {
  test('no address of a server rule is made of the path that a reader asked for', () => {
    const caddy = new Map(ruleFiles(new Map(), trackerUrl)).get('rules/Caddyfile');
    // Its paths match `//evil.example/../show_bug.cgi`, too.
    expect(caddy).not.toContain('{path}');
    expect(caddy).toContain('redir /show_bug.cgi /show_bug.cgi/?{query}');
  });

  test('e-mail addresses go, however Markdown writes them', () => {
    for (const text of ['alice\\@example.test', 'alice&#64;example.test', '[mail](mailto:alice&#64;example.test)']) {
      const html = String(commentHtml({ text, isMarkdown: true }, noReferences));
      expect(html).toContain('alice@');
      expect(html).not.toContain('example.test');
    }
  });

  test('what only looks like an e-mail address goes, too, as the documents say', () => {
    const documents = readFileSync(new URL('../../docs/archive.md', import.meta.url), 'utf8');
    const alike = ['https://lore.kernel.org/r/2020.abc@mail.example.com', 'getty@tty1.service', 'img@2x.png'];
    for (const text of alike) expect(documents).toContain(`\`${text}\``);
    expect(alike.map(shown)).toEqual(['https://lore.kernel.org/r/2020.abc@…', 'getty@…', 'img@…']);
  });

  test('spaces without end take no time', () => {
    const begun = performance.now();
    commentHtml({ text: `a${' '.repeat(65_000)}b`, isMarkdown: false }, noReferences);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  test('names with addresses are shortened in lists, indexes and links alike', async () => {
    const world = archiveWorld();
    const bug = bugOf(1, {
      aliases: ['zoe@example.test'],
      product: 'Of zoe@example.test',
      component: 'By zoe@example.test',
    });
    await run(world, {
      reader: readerOf(
        [bug],
        { ...noThread, files: [{ ...fileOf(1), type: 'text/zoe@example.test' }] },
        bytesOf('words'),
      ),
    });
    const text = textsIn(world.folder);
    expect(text.match(/zoe@[a-z]+/gu)).toBeNull();
    const [, list = ''] = /href=\\"\.\.\/(products\/[^"\\]+)\\"/u.exec(text) ?? [];
    expect(existsSync(join(world.folder, list))).toBe(true);
  });

  test('names of lists fit into a file system', () => {
    for (const slug of slugsOf(['a'.repeat(300), 'ﬃ'.repeat(200), `${'a'.repeat(300)}b`]).values())
      expect(slug.length).toBeLessThan(110);
    expect(new Set(slugsOf(['a'.repeat(300), `${'a'.repeat(300)}b`]).values()).size).toBe(2);
  });

  test('only the whole beginning of a picture makes one', () => {
    expect(kindOf(bytesOf('<script>WEBP</script>'))).toBe('txt');
    expect(kindOf(bytesOf('RIFF....WEBPVP8 '))).toBe('webp');
  });
});

describe('numbers of hidden bugs', () => {
  test('are in no history, however changes are glued together, and in no list of a custom field', async () => {
    const world = archiveWorld();
    const change = { at: 0, author: 'alice', removed: '', attachment: null };
    const address = (id: number): string => `${trackerUrl}/show_bug.cgi?id=${id}`;
    const changes = [
      { ...change, field: 'dupe_of', added: '1 77777' },
      { ...change, field: 'blocks', added: '1,77777' },
      { ...change, field: 'cf_related', added: '1 77777' },
      { ...change, field: 'see_also', added: `${address(1)} ${address(77_777)}` },
    ];
    const fields = [{ name: 'cf_related', label: 'Related', values: ['1, 77777', '77777'] }];
    await run(world, { reader: readerOf([bugOf(1, { fields })], { ...noThread, changes }) });
    expect(textsIn(world.folder)).not.toContain('77777');
    expect(JSON.parse(readFileSync(join(world.folder, 'bugs/1.json'), 'utf8'))).toMatchObject({
      fields: [{ values: ['1'] }],
      changes: [{ added: '1' }, { added: '1' }, { added: '1' }, { added: address(1) }],
    });
  });
});

test('custom fields keep their order, though a tracker sends them in any', async () => {
  const listed = async (names: readonly string[]) => {
    const bug = { id: 1, ...Object.fromEntries(names.map((name) => [name, `value of ${name}`])) };
    const answers: Readonly<Record<string, unknown>> = {
      version: { version: '5.2' },
      'field/bug': { fields: [] },
      bug: { bugs: [bug] },
    };
    const reader = bugzillaPublicReader({
      url: trackerUrl,
      lane: { run: (_cost, request) => request() },
      timeoutMs: 1_000,
      fetch: async (address) => Response.json(answers[new URL(String(address)).pathname.replace('/rest/', '')]),
    });
    return (
      await reader.bugs(
        0,
        () => undefined,
        (_bug, make) => make(),
      )
    ).bugs;
  };
  expect(await listed(['cf_b', 'cf_a', 'cf_c'])).toEqual(await listed(['cf_c', 'cf_b', 'cf_a']));
});

describe('a folder', () => {
  const withFile = { ...noThread, files: [fileOf(5)] };

  test('with damaged records is mended, and they lead nowhere else', async () => {
    const world = archiveWorld(join(ownFolder(), 'site'));
    const outside = join(world.folder, '../outside.txt');
    mkdirSync(world.folder, { recursive: true });
    writeFileSync(outside, 'of someone else');
    const reader = readerOf([bugOf(1)], withFile, bytesOf('words'));
    await run(world, { reader });
    const files = filesIn(world.folder);
    for (const attachments of [
      [null],
      [{}],
      [{ id: 5, file: {} }],
      [{ id: 5, file: { path: '../outside.txt', bytes: 15, sha256: '' } }],
      [{ id: '../../outside', file: null }],
    ]) {
      for (const bug of [1, 2]) writeFileSync(join(world.folder, `bugs/${bug}.json`), JSON.stringify({ attachments }));
      await run(world, { reader });
      expect(filesIn(world.folder)).toEqual(files);
      expect(existsSync(outside)).toBe(true);
    }
  });

  test('keeps nothing that a killed run was writing', async () => {
    const world = archiveWorld();
    const reader = readerOf([bugOf(1)]);
    await run(world, { reader });
    writeFileSync(join(world.folder, '.unfinished'), 'words that are private by now');
    await run(world, { reader });
    expect(existsSync(join(world.folder, '.unfinished'))).toBe(false);
  });

  test('that was never marked, as the run was killed before, is taken', () => {
    const folder = ownFolder();
    writeFileSync(join(folder, '.unfinished'), '{');
    expect(whyNoArchive(folder, trackerUrl)).toBeNull();
  });

  test('with a link in it is refused; a link deeper in it is named', async () => {
    const world = archiveWorld();
    await run(world, { reader: readerOf([bugOf(1)]) });
    symlinkSync('/nowhere', join(world.folder, 'bugs/2.html'));
    const { differences } = await run(world, { reader: readerOf([bugOf(1)]), isVerifying: true });
    expect(differences).toEqual([{ path: 'bugs/2.html', why: 'it should not be there' }]);
    symlinkSync(ownFolder(), join(world.folder, 'files'));
    expect(whyNoArchive(world.folder, trackerUrl)).toContain('files in it is a link');
  });

  test('loses a file that became private before the run goes on', async () => {
    const world = archiveWorld();
    await run(world, { reader: readerOf([bugOf(1), bugOf(2)], withFile, bytesOf('secret')) });
    const path = [...archiveFolder(world.folder).paths()].find((each) => each.startsWith('files/'));
    const stop = new AbortController();
    const tell = () => stop.abort(new Error('stopped'));
    const after = readerOf([bugOf(1), bugOf(2)]);
    const killed = run(world, {
      reader: after,
      signal: stop.signal,
      tell: ({ phase }) => phase === 'reading' && tell(),
    });
    await expect(killed).rejects.toThrow('stopped');
    expect(existsSync(join(world.folder, path ?? ''))).toBe(false);
    expect(existsSync(join(world.folder, 'attachments/5.html'))).toBe(false);
  });

  test('keeps what is known of a file whose content is gone', async () => {
    const world = archiveWorld();
    const comments = [
      { id: 1, count: 0, author: 'a', at: 0, text: 'Created attachment 5', isMarkdown: false, attachment: 5, tags: [] },
    ];
    const report = await run(world, { reader: readerOf([bugOf(1)], { ...withFile, comments }, new Uint8Array()) });
    expect(report).toMatchObject({ comments: 1, attachments: 1 });
    expect(readFileSync(join(world.folder, 'attachments/5.html'), 'utf8')).toContain('The content was deleted.');
  });
});

import { describe, expect, test } from 'vitest';
import { catalogueOf } from '../../src/archive/lists.ts';
import { oldAddressFiles } from '../../src/archive/old-addresses.ts';
import { slugsOf } from '../../src/archive/paths.ts';
import { kindOf, savedName, textIn } from '../../src/archive/safe-file.ts';
import { titlesFile } from '../../src/archive/search-index.ts';
import { searchFiles } from '../../src/archive/search-page.ts';
import { ruleFiles } from '../../src/archive/server-rules.ts';
import { commentHtml } from '../../src/archive/words.ts';
import { archiveWorld, bugOf, bytesOf, filesIn, noReferences, run } from './world.ts';

const nasty = '<script>alert(1)</script><img src=x onerror=alert(1)> "quotes" & \'more\'';

test('the start page says how old the copy is, and every run of the same tracker writes the same', () => {
  const startOf = (...times: readonly (number | null)[]) => {
    const bugs = times.map((changedAt, at) => [at + 1, { ...bugOf(at + 1), changedAt }] as const);
    return [...catalogueOf(new Map(bugs), 'bugs.example.test').pages][0]?.[1];
  };
  const noon = Date.UTC(2026, 4, 3, 12);
  expect(startOf(noon - 1, noon, null)).toContain(
    'the newest change is from <time datetime="2026-05-03T12:00:00Z">2026-05-03 12:00 UTC</time>.',
  );
  expect(startOf(noon)).toBe(startOf(noon));
  for (const times of [[], [null]]) expect(startOf(...times)).not.toContain('newest');
});

test('the page of a product names its components, with how much is in them', () => {
  const bugs = [bugOf(1), bugOf(2), { ...bugOf(3), isOpen: false }, { ...bugOf(4), component: 'UI' }];
  const pages = new Map(catalogueOf(new Map(bugs.map((bug) => [bug.id, bug])), 'bugs.example.test').pages);
  const items = [...(pages.get('products/widget/index.html') ?? '').matchAll(/<li><a[^>]*>(.*?)<\/a>.*?>([^<]+)</gu)];
  expect(items.map(([, name, count]) => [name, count])).toEqual([
    ['Core', '3 bugs, 2 open'],
    ['UI', '1 bug, 1 open'],
  ]);
});

test('each page has one search field', () => {
  const assets = { search: '', library: '', style: '', oldAddress: '' };
  const bugs = new Map([[1, bugOf(1)]]);
  const pages = [...catalogueOf(bugs, 'bugs.example.test').pages, ...searchFiles(bugs, 'bugs.example.test', assets)];
  const fields = pages.flatMap(([path, text]) =>
    path.endsWith('.html') ? [[path, text.split('type="search"').length - 1]] : [],
  );
  expect(fields.length).toBeGreaterThan(3);
  expect(fields.filter(([, count]) => count !== 1)).toEqual([]);
});

describe('text of anyone', () => {
  const plain = (text: string) => String(commentHtml({ text, isMarkdown: false }, noReferences));
  const markdown = (text: string) => String(commentHtml({ text, isMarkdown: true }, noReferences));

  test.each([plain, markdown])('is escaped', (render) => {
    expect(render(nasty)).not.toMatch(/<script|<img/u);
    expect(render(nasty)).toContain('&lt;script&gt;');
  });

  test('links lead only to pages, and tell nothing of the reader', () => {
    expect(plain('See https://example.org/a?b=1&c=2.')).toBe(
      '<div class="text">See <a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noreferrer">https://example.org/a?b=1&amp;c=2</a>.</div>',
    );
    expect(plain('javascript:alert(1)')).not.toContain('<a');
    expect(markdown('[here](javascript:alert(1))')).not.toContain('javascript');
    expect(markdown('![a picture](https://example.org/x.png)')).toContain(
      '<a href="https://example.org/x.png" rel="nofollow noreferrer">a picture</a>',
    );
  });

  test('references lead to bugs and comments, outside of code', () => {
    const references = { ...noReferences, bug: (id: number) => (id === 12 ? '../bugs/12.html' : null) };
    expect(String(commentHtml({ text: 'See bug 12 and bug 13.', isMarkdown: false }, references))).toContain(
      'See <a href="../bugs/12.html">bug 12</a> and bug 13.',
    );
    expect(String(commentHtml({ text: '*See* bug 12, not `bug 12`.', isMarkdown: true }, references))).toContain(
      '<em>See</em> <a href="../bugs/12.html">bug 12</a>, not <code>bug 12</code>.',
    );
  });

  test('links to a pull request that is attached, and only to one', async () => {
    const world = archiveWorld(undefined, 'harmony');
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'It fails', description: 'Always.' });
    const address = 'https://github.com/acme/widget/pull/14';
    const attach = (content: string, type: string) =>
      alice.attach(bug, { bytes: bytesOf(content), summary: 'A fix', content_type: type });
    attach(address, 'text/plain');
    attach(`javascript:alert(1)//${address}`, 'text/x-github-pull-request');
    attach(`See ${address}`, 'text/plain');
    await run(world);
    const files = filesIn(world.folder);
    const link = `<a href="${address}" rel="nofollow noreferrer">${address}</a>`;
    expect(files.get(`bugs/${bug}.html`)?.split(`<p>${link}, alice, `)).toHaveLength(2);
    const leading = [1, 2, 3].map((id) =>
      files.get(`attachments/${id}.html`)?.includes(`<dt>Pull request</dt><dd>${link}</dd>`),
    );
    expect(leading).toEqual([true, false, false]);
    for (const [path, html] of files) if (path.endsWith('.html')) expect(html, path).not.toContain('href="javascript');
  });

  test('every page of a tracker with such texts is one without scripts of theirs', async () => {
    const world = archiveWorld();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: nasty, description: nasty, whiteboard: nasty, url: 'javascript:alert(1)' });
    alice.attach(bug, {
      bytes: bytesOf(nasty),
      file_name: '"><script>.html',
      summary: nasty,
      content_type: 'text/html',
    });
    alice.attach(bug, {
      bytes: bytesOf('<svg onload="alert(1)">'),
      file_name: 'a.svg',
      summary: 'drawing',
      content_type: 'image/svg+xml',
    });
    await run(world);
    const pages = [...filesIn(world.folder)].filter(([path]) => path.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(8);
    for (const [path, html] of pages) {
      expect(html.replace(/<script src="[\w./-]+"><\/script>/gu, ''), path).not.toMatch(
        /<script|onerror=alert\(1\)>|<svg|href="javascript/u,
      );
      expect(html, path).toContain(
        `http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self';`,
      );
    }
    const files = [...filesIn(world.folder).keys()].filter((path) => path.startsWith('files/'));
    expect(files.map((path) => path.split('.').at(-1))).toEqual(['txt', 'txt']);
  });
});

describe('a file', () => {
  test.each([
    ['png', '\x89PNG\r\n\x1a\n....'],
    ['gif', 'GIF89a....'],
    ['txt', '<html><script>alert(1)</script>'],
    ['txt', '\u001b[31mred\u001b[0m'],
    ['bin', 'PK\x03\x04\x00\x00'],
    ['bin', '%PDF-1.7\x00'],
  ])('is %s by its bytes alone', (kind, text) => {
    expect(kindOf(Uint8Array.from(text, (character) => character.charCodeAt(0)))).toBe(kind);
  });

  test('is saved under a name that stays in its folder', () => {
    expect(savedName('../../etc/passwd')).toBe('_.._etc_passwd');
    expect(savedName('a\u202egnp.exe')).toBe('a_gnp.exe');
    expect(savedName('..')).toBe('attachment');
  });

  test('is text only if it is UTF-8', () => {
    expect(textIn(bytesOf('Grüße'))).toBe('Grüße');
    expect(textIn(Uint8Array.of(0xff, 0xfe, 0x41))).toBeNull();
  });
});

const bugs = new Map(
  [bugOf(11, { aliases: ['orig.bug'] }), bugOf(12, { aliases: ['"; return 301 https://evil.example'] })].map((bug) => [
    bug.id,
    bug,
  ]),
);

describe('rules for servers', () => {
  const rules = new Map(ruleFiles(bugs, 'https://example.org/bugzilla'));

  test.each([
    [
      'rules/nginx.conf',
      [
        'location = /bugzilla/show_bug.cgi',
        '"~*^orig\\.bug$" 11;',
        'return 301 /bugzilla/bugs/$bugferry_bug.html;',
        'nosniff',
      ],
    ],
    [
      'rules/apache.conf',
      ['id=orig\\.bug(?:[&;]|$) [NC]', 'RewriteRule ^show_bug\\.cgi/?$ /bugzilla/bugs/%1.html? [R=301,L]', 'nosniff'],
    ],
    [
      'rules/Caddyfile',
      ['~(?i)^orig\\.bug$ "11"', 'redir @bug /bugzilla/bugs/{bugferry_bug}.html permanent', 'nosniff'],
    ],
  ])('%s sends old addresses to their pages', (path, expected) => {
    for (const words of expected) expect(rules.get(path)).toContain(words);
    expect(rules.get(path)).toContain("default-src 'none'; sandbox");
  });

  test('an alias cannot write rules; the page in the place of the old one knows it', () => {
    for (const text of rules.values()) expect(text).not.toContain('evil');
    expect(new Map(oldAddressFiles(bugs, 'example.org', { oldAddress: '' })).get('aliases.js')).toContain(
      'evil.example": 12',
    );
  });
});

test('names of lists are plain, and each has its own', () => {
  expect([...slugsOf(['Core', 'core', 'C++ / STL', '日本'])]).toEqual([
    ['C++ / STL', 'c-stl'],
    ['Core', 'core'],
    ['core', 'core-2'],
    ['日本', 'other'],
  ]);
});

test('titles for the search are a script that only sets data', () => {
  const [path, text] = titlesFile(new Map([[1, bugOf(1, { summary: '</script>\u2028' })]]));
  expect(path).toBe('search/titles.js');
  expect(text).not.toContain('\u2028');
});

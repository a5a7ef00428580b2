/** What links and boxes in Markdown become: they lead where they led on the tracker's own page, and can do nothing. */

import { expect, test } from 'vitest';
import { type Case, testCases } from '../support/faults/scenarios.ts';
import { archiveWorld, bugOf, bytesOf, filesIn, ownFolder, run, trackerUrl } from './world.ts';

type Words = typeof import('../../src/archive/words.ts');
type References = typeof import('../../src/archive/references.ts');

/** A comment on bug 1 of a tracker in a folder, which shows the bugs 1 and 12; bug 1 has the attachment 5. */
const htmlOf =
  (text: string) =>
  async (src: string): Promise<string> => {
    const [{ commentHtml }, { referencesOf }] = [
      (await import(`${src}/archive/words.ts`)) as Words,
      (await import(`${src}/archive/references.ts`)) as References,
    ];
    const bugs = new Map([1, 12].map((id) => [id, bugOf(id)]));
    const around = { tracker: 'https://example.test/bugs', bugs, duplicates: new Map(), issueOf: () => null };
    const file = {
      ...{ id: 5, name: '', summary: '', type: '', size: 1, isPatch: false, isObsolete: false },
      flags: [],
      author: '',
      at: 0,
    };
    const references = referencesOf({ comments: [], attachments: [{ ...file, file: null }] }, '../', around);
    return String(commentHtml({ text, isMarkdown: true }, references)).replace(
      /^<div class="markdown"><p>|<\/p><\/div>$/gu,
      '',
    );
  };

const outside = 'rel="nofollow noreferrer"';
const [references, words] = ['archive/references.ts', 'archive/words.ts'];

const cases: readonly Case[] = [
  {
    name: 'a relative link stays relative',
    ...{ file: references, from: 'return new URL(url, `', to: 'return new URL(url, url.length > 0 ? url : `' },
    ...{ scenario: htmlOf('[a](show_bug.cgi?id=12#c3)'), right: '<a href="../bugs/12.html#c3">a</a>' },
  },
  {
    name: 'links begin at the folder',
    ...{ file: references, from: '/show_bug.cgi`).href', to: '/`).href' },
    ...{ scenario: htmlOf('[a](?id=12)'), right: '<a href="../bugs/12.html">a</a>' },
  },
  {
    name: 'a relative link to a hidden bug is one',
    ...{ file: words, from: 'references.isHidden(whole)', to: 'references.isHidden(url)' },
    ...{ scenario: htmlOf('[a](show_bug.cgi?id=7) ![b](show_bug.cgi?id=7)'), right: '<a>a</a> <a>b</a>' },
  },
  {
    name: 'the address of an attachment leads to the tracker',
    ...{ file: references, from: 'if (file !== null) return attachment(file);', to: '' },
    ...{
      scenario: htmlOf('![a](attachment.cgi?id=5) [b](attachment.cgi?id=6)'),
      right: `<a href="../attachments/5.html">a</a> <a href="https://example.test/bugs/attachment.cgi?id=6" ${outside}>b</a>`,
    },
  },
  {
    name: 'a place on the page leads to the tracker',
    ...{ file: references, from: '(?:#|[a-z]', to: '(?:[a-z]' },
    ...{ scenario: htmlOf('[a](#c3)'), right: `<a href="#c3" ${outside}>a</a>` },
  },
  {
    name: 'a whole address is taken apart',
    ...{ file: references, from: '|[a-z][a-z\\d+.-]*:)', to: ')' },
    ...{
      scenario: htmlOf('[a](https://EXAMPLE.org) [b](mailto:x)'),
      right: `<a href="https://EXAMPLE.org" ${outside}>a</a> <a href="mailto:x" ${outside}>b</a>`,
    },
  },
  {
    name: 'tasks lose their boxes',
    ...{ file: words, from: "token.startsWith('<input') ? boxHtml(token) :", to: "token.startsWith('<input') ? '' :" },
    ...{
      scenario: htmlOf('- [x] done\n- [ ] todo'),
      right:
        '<div class="markdown"><ul>\n<li><input type="checkbox" disabled checked aria-label="done"> done</li>\n<li><input type="checkbox" disabled aria-label="to do"> todo</li>\n</ul></div>',
    },
  },
];

testCases(cases);

test('no address becomes one that runs something', async () => {
  for (const url of [
    'javascript:alert(1)',
    '\tjavascript:alert(1)',
    '<java\tscript:alert(1)>',
    'javascript&#58;alert(1)',
    '%6aavascript:x',
    'data:text/html,x',
  ])
    expect((await htmlOf(`[a](${url})`)(new URL('../../src', import.meta.url).pathname)).toLowerCase()).not.toMatch(
      /href="\s*(?:java\s*script|data):/u,
    );
});

test('a relative link on a page of an archive leads to a page that is there', async () => {
  const world = archiveWorld(ownFolder(), '5.3');
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'one', description: 'd' });
  const file = alice.attach(bug, { bytes: bytesOf('words'), summary: 'a file' });
  alice.comment(bug, `[a](show_bug.cgi?id=${bug}), [b](attachment.cgi?id=${file}), [c](/elsewhere)`, {
    isMarkdown: true,
  });
  await run(world);
  const html = filesIn(world.folder).get(`bugs/${bug}.html`);
  expect(html).toContain(`<a href="../bugs/${bug}.html">a</a>, <a href="../attachments/${file}.html">b</a>`);
  expect(html).toContain(`<a href="${trackerUrl}/elsewhere" ${outside}>c</a>`);
});

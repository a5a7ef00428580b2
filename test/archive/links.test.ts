/** What links and boxes in Markdown become: they lead where they led on the tracker's own page, and can do nothing. */

import { expect, test } from 'vitest';
import { referencesOf } from '../../src/archive/references.ts';
import { commentHtml } from '../../src/archive/words.ts';
import { archiveWorld, bugOf, bytesOf, filesIn, ownFolder, run, trackerUrl } from './world.ts';

/** A comment on bug 1 of a tracker in a folder, which shows the bugs 1 and 12; bug 1 has the attachment 5. */
function htmlOf(text: string): string {
  const bugs = new Map([1, 12].map((id) => [id, bugOf(id)]));
  const around = {
    ...{ tracker: 'https://example.test/bugs', formerTrackers: ['http://old.test'], bugs },
    ...{ duplicates: new Map(), issueOf: () => null },
  };
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
}

const outside = 'rel="nofollow noreferrer"';

test.each([
  ['a relative link to a bug', '[a](show_bug.cgi?id=12#c3)', '<a href="../bugs/12.html#c3">a</a>'],
  ['a link with a query only', '[a](?id=12)', '<a href="../bugs/12.html">a</a>'],
  ['links to a hidden bug', '[a](show_bug.cgi?id=7) ![b](show_bug.cgi?id=7)', '<a>a</a> <a>b</a>'],
  [
    'addresses of attachments',
    '![a](attachment.cgi?id=5) [b](attachment.cgi?id=6)',
    `<a href="../attachments/5.html">a</a> <a href="https://example.test/bugs/attachment.cgi?id=6" ${outside}>b</a>`,
  ],
  ['bugs in a list', 'bugs 12, 7, 1', 'bugs <a href="../bugs/12.html">12</a>, 7, <a href="../bugs/1.html">1</a>'],
  [
    'the tracker by its former scheme and host',
    '[a](http://example.test/bugs/show_bug.cgi?id=12) [b](https://old.test/show_bug.cgi?id=12) [c](http://old.test/show_bug.cgi?id=7)',
    '<a href="../bugs/12.html">a</a> <a href="../bugs/12.html">b</a> <a>c</a>',
  ],
  [
    'the tracker with the port of its scheme, and with slashes too many',
    '[a](https://example.test:443/bugs//show_bug.cgi?id=12#c3) [b](http://old.test:80/show_bug.cgi?id=7) [c](https://example.test//bugs/attachment.cgi?id=5)',
    '<a href="../bugs/12.html#c3">a</a> <a>b</a> <a href="../attachments/5.html">c</a>',
  ],
  ['a place on the page', '[a](#c3)', `<a href="#c3" ${outside}>a</a>`],
  [
    'whole addresses',
    '[a](https://EXAMPLE.org) [b](mailto:x)',
    `<a href="https://EXAMPLE.org" ${outside}>a</a> <a href="mailto:x" ${outside}>b</a>`,
  ],
  [
    'boxes of tasks',
    '- [x] done\n- [ ] todo',
    '<div class="markdown"><ul>\n<li><input type="checkbox" disabled checked aria-label="done"> done</li>\n<li><input type="checkbox" disabled aria-label="to do"> todo</li>\n</ul></div>',
  ],
])('%s', (_name, text, html) => {
  expect(htmlOf(text)).toBe(html);
});

test('no address becomes one that runs a script', () => {
  for (const url of [
    'javascript:alert(1)',
    '\tjavascript:alert(1)',
    '<java\tscript:alert(1)>',
    'javascript&#58;alert(1)',
    '%6aavascript:x',
    'data:text/html,x',
  ])
    expect(htmlOf(`[a](${url})`).toLowerCase()).not.toMatch(/href="\s*(?:java\s*script|data):/u);
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

test('a text whose author turned Markdown off is plain on its page, without the sign for it', async () => {
  const world = archiveWorld(ownFolder(), 'harmony');
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'one', description: '#[markdown(off)]\n*not* loud' });
  await run(world);
  const html = filesIn(world.folder).get(`bugs/${bug}.html`);
  expect(html).toContain('<div class="text">*not* loud</div>');
  expect(html).not.toContain('markdown(off)');
});

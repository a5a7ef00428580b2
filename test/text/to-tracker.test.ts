/**
 * What becomes of Markdown on a tracker of plain text, case by case; test/text/text.property.test.ts holds the rules
 * for all texts.
 */

import { describe, expect, test } from 'vitest';
import { keptMarkdown } from '../../src/text/kept-markdown.ts';
import type { IssueReferences } from '../../src/text/references.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { random } from '../support/random.ts';

describe('Markdown on the tracker', () => {
  test.each([
    ['words', 'It crashes.\nOften.', 'It crashes.\nOften.'],
    ['a paragraph each', 'One.\n\n\nTwo.', 'One.\n\nTwo.'],
    ['a heading', '# Steps', 'Steps\n====='],
    ['a smaller heading', '## Steps', 'Steps\n-----'],
    ['a small heading', '#### Steps', '#### Steps'],
    ['an empty heading', '###', ''],
    ['raised and lowered characters', '2<sup>32</sup> H<sub>2</sub>O', '2^32 H_2O'],
    ['removed words in HTML', 'do <del>not</del> <S>ever</S> <strike>so</strike>', 'do ~not~ ~ever~ ~so~'],
    ['the same in a block of HTML', '<p>x<sup>2</sup> is <del>4</del></p>', 'x^2 is ~4~'],
    ['what is stressed', '**no** and *maybe* and ~~yes~~', '*no* and _maybe_ and ~yes~'],
    ['a link', '[the docs](https://a.test/x)', 'the docs (https://a.test/x)'],
    ['an address', 'https://a.test/x and <https://b.test>', 'https://a.test/x and https://b.test'],
    ['a link by name', '[docs][d]\n\n[d]: https://a.test/x', 'docs (https://a.test/x)'],
    ['a picture', '![the crash](https://a.test/x.png)', 'the crash: https://a.test/x.png'],
    ['code in a line', 'call `f(x)`', 'call `f(x)`'],
    ['code', '```js\nf();\n```', '```js\nf();\n```'],
    [
      'code that looks like code',
      '```diff\n--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n```',
      '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y',
    ],
    ['a quotation', '> one\n> two\n\nthree', '> one\n> two\n\nthree'],
    ['a quotation in a quotation', '> > one', '>> one'],
    ['a list', '* one\n* two\n  * three', '- one\n- two\n  - three'],
    ['a numbered list', '7. one\n8. two', '7. one\n8. two'],
    ['tasks', '- [x] done\n- [ ] open', '- [x] done\n- [ ] open'],
    ['a table', '| a | bee |\n|---|---|\n| 日本 | c |', '| a    | bee |\n|------|-----|\n| 日本 | c   |'],
    ['a rule', 'a\n\n***\n\nb', 'a\n\n----------\n\nb'],
    ['a footnote', 'so[^1]\n\n[^1]: because', 'so[1]\n\n[1] because'],
    ['a collapsed section', '<details><summary>Log</summary>\n\nline\n\n</details>', 'Log\n\nline'],
    [
      'HTML',
      'a<br>b <a href="https://a.test">c</a> <img src="https://a.test/x.png" alt="d">',
      'a\nb c (https://a.test) d: https://a.test/x.png',
    ],
    ['words about bugs in HTML', '<p>bug 3 :tada: https://a.test/bug3</p>', 'bug\u200b 3 🎉 https://a.test/bug3'],
    [
      'words in angle brackets',
      'List<String>, vector<int>, in <module>, <Time>',
      'List<String>, vector<int>, in <module>, <Time>',
    ],
    [
      'what GitHub shows of an element',
      'The <script> tags\n\n<style>\nb { }\n</style>',
      'The <script> tags\n\n<style>\nb { }\n</style>',
    ],
    ['preformatted text', '<pre>\n  a\n    b &lt;\n\n  c\n</pre>', '  a\n    b <\n\n  c'],
    [
      'a numbered list in HTML',
      '<ol start=3>\n<li>one</li>\n<li>two\n<ul><li>in</li></ul></li>\n</ol>',
      '3. one\n4. two\n  - in',
    ],
    ['a quotation in HTML', '<blockquote>\nhe said\n</blockquote>\nme', '> he said\nme'],
    ['Markdown in it', '<blockquote>\n\nhe *said*\n\n</blockquote>\n\nme', '> he _said_\n\nme'],
    ['an alert', '> [!WARNING]\n> Do not.\n\nme', 'Warning:\n> Do not.\n\nme'],
    ['no alert', '> \\[!WARNING]\n> Do not.', '> [!WARNING]\n> Do not.'],
    ['a template', '<!--\nPlease fill in\n-->\nIt crashes. <!-- when? -->', 'It crashes.'],
    ['a name that is no emoji', ':constructor:', ':constructor:'],
    ['a comment of HTML', 'a <!-- Please fill in --> b', 'a  b'],
    ['a comment of HTML that is over at once', '<!--> seen --> b', 'seen --> b'],
    ['one that never ends', 'a <!-- b', 'a <!-- b'],
    ['an entity', 'a &lt; b &amp; c', 'a < b & c'],
    ['an emoji by its name', ':tada: :no_such:', '🎉 :no_such:'],
    ['a mention', 'ask @mona', 'ask @mona'],
    ['a link whose words turn around', '[\u202eevil](https://a.test) x', '\u202eevil\u202c (https://a.test) x'],
    ['a picture whose words do', '![\u2067evil](https://a.test/x.png)', '\u2067evil\u2069: https://a.test/x.png'],
    ['line ends', 'a\r\nb', 'a\nb'],
    ['NUL', 'a\u0000b', 'a\ufffdb'],
    ['ESC of a terminal', 'a\u001b[31mb', 'a\ufffd[31mb'],
    ['BEL', 'a\u0007b', 'a\ufffdb'],
    ['DEL', 'a\u007fb', 'a\ufffdb'],
    ['a control character of the second set', 'a\u009bb', 'a\ufffdb'],
    ['ESC as an entity', 'a&#27;b `&#27;`', 'a\ufffdb `&#27;`'],
    ['BEL as an entity of HTML', '<pre>a&#7;b</pre>', 'a\ufffdb'],
    ['one in the address of a link of HTML', '<a href="https://a.test/&#x9b;">x</a>', 'x (https://a.test/\ufffd)'],
    ['nothing', '', ''],
    ['signs without end', `${'- '.repeat(20_000)}x`, `${'- '.repeat(20_000)}x`],
    ['stars without end', `${'*'.repeat(60_000)}x`, `${'*'.repeat(60_000)}x`],
  ])('%s', (_name, markdown, text) => {
    expect(toTrackerText(markdown)).toBe(text);
  });
});

/** Issue 5 of the repository at hand, and 7 of another routed one, mirror bugs 12 and 30. */
const issues: IssueReferences = {
  issue: (repository, number) =>
    repository === null && number === 5 ? 'bug 12' : repository === 'o/other' && number === 7 ? 'bug 30' : null,
  page: (url) => (url === 'https://github.com/o/r/issues/5' ? 'bug 12' : null),
};

test('words alone come out as they do beside markup', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const r = random(seed);
    const pieces = [
      'Said',
      'and',
      'bug 7',
      '(so)',
      "don't",
      'a - b',
      'c#',
      'www.a.test',
      'x/y',
      '50%',
      'Ünï',
      'end.',
      '\n',
      '\n\n',
      '\n\n\n',
    ];
    const text = Array.from({ length: 1 + r.below(12) }, () => r.pick(pieces)).join(' ');
    const after = toTrackerText(`${text}\n\n**end**`);
    expect(`${toTrackerText(text)}\n\n*end*`.trim(), JSON.stringify(text)).toBe(after);
  }
});

describe('what GitHub refers to', () => {
  test.each([
    ['a mirrored issue', 'fixes #5.', 'fixes bug 12.'],
    ['an issue that is not mirrored', 'fixes #6', 'fixes #6'],
    ['an issue of another repository', 'see o/other#7 and o/else#7', 'see bug 30 and o/else#7'],
    ['the page of an issue', 'https://github.com/o/r/issues/5', 'bug 12'],
    ['a link to an issue', '[this](https://github.com/o/r/issues/5)', 'this (bug 12)'],
    [
      'bugs of something else',
      'Chromium bug 12, Comment #3, attachment 9',
      'Chromium bug\u200b 12, Comment\u200b #3, attachment\u200b 9',
    ],
    [
      'lists of comments and bugs of something else',
      'bugs 1, 2 and comments 3, 4',
      'bugs\u200b 1, 2 and comments\u200b 3, 4',
    ],
    ['bugs of something else in code', 'see `Bug 12`', 'see `Bug\u200b 12`'],
    [
      'the same in a block',
      '```\nfix bug\n12, https://a.test/bug3\n```',
      '```\nfix bug\u200b\n12, https://a.test/bug3\n```',
    ],
    [
      'the same in what looks like code',
      '```\n    at a.b(bug 12:1)\n    at c.d(e:2)\n```',
      '    at a.b(bug\u200b 12:1)\n    at c.d(e:2)',
    ],
    ['the same between signs without end', `bug 12 ${'*'.repeat(300)}`, `bug\u200b 12 ${'*'.repeat(300)}`],
    ['an issue in code, which is none', '`#5`', '`#5`'],
    ['an anchor of a page', 'https://a.test/#5', 'https://a.test/#5'],
  ])('%s', (_name, markdown, text) => {
    expect(toTrackerText(markdown, issues)).toBe(text);
  });
});

test.each([
  ['ESC of a terminal', 'a\u001b[31m*b*', 'a\ufffd[31m*b*'],
  ['BEL in code', '```\na\u0007\n```', '```\na\ufffd\n```'],
  ['one of the second set', '# a\u009b', '# a\ufffd'],
  ['a form feed', 'a\fb\u007f', 'a\ufffdb\ufffd'],
  ['BEL as an entity of HTML', '<pre>a&#7;b</pre>', '~~~\na\ufffdb\n~~~'],
])('nor do trackers that read Markdown get control characters: %s', (_what, markdown, kept) => {
  expect(keptMarkdown(markdown)).toBe(kept);
});

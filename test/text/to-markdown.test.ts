/**
 * What becomes of the texts of trackers on GitHub, case by case; test/text/text.property.test.ts holds the rules for
 * all texts.
 */

import { describe, expect, test } from 'vitest';
import type { References } from '../../src/text/references.ts';
import { toMarkdown, toMarkdownInline } from '../../src/text/to-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';

/** A bug 12 that is mirrored, with comment 3 and attachment 9. */
const references: References = {
  bug: (id) => (id === 12 ? 'https://github.com/o/r/issues/5' : null),
  comment: (bug, count) =>
    count === 3 && (bug ?? 12) === 12 ? 'https://github.com/o/r/issues/5#issuecomment-33' : null,
  attachment: (id) => (id === 9 ? 'https://files.test/9' : null),
  page: (url) => (url === 'https://bugs.test/show_bug.cgi?id=12' ? 'https://github.com/o/r/issues/5' : null),
};

describe('what the words refer to', () => {
  test.each([
    ['a mirrored bug', 'see bug 12.', 'see [bug 12](https://github.com/o/r/issues/5).'],
    ['a bug with a sign', 'Bug #12', '[Bug #12](https://github.com/o/r/issues/5)'],
    ['a bug that is not mirrored, or hidden', 'bug 13', 'bug 13'],
    [
      'a comment of another bug',
      'bug 12 comment 3',
      '[bug 12 comment 3](https://github.com/o/r/issues/5#issuecomment-33)',
    ],
    [
      'a comment of this bug',
      'In reply to comment #3',
      'In reply to [comment #3](https://github.com/o/r/issues/5#issuecomment-33)',
    ],
    ['a comment that is not mirrored', 'bug 12 comment 4', 'bug 12 comment 4'],
    ['a file', 'attachment 9', '[attachment 9](https://files.test/9)'],
    [
      'a page of the tracker',
      'https://bugs.test/show_bug.cgi?id=12',
      '[https://bugs.test/show_bug.cgi?id=12](https://github.com/o/r/issues/5)',
    ],
    ['words that only look like it', 'debug 12, bugs, comment, 12', 'debug 12, bugs, comment, 12'],
  ])('%s', (_name, text, markdown) => {
    expect(toMarkdown(text, references)).toBe(markdown);
  });
});

describe('tracker text on GitHub', () => {
  test.each([
    ['a mention', 'ask @mona', 'ask @\u200bmona'],
    ['a team', '@acme/core please', '@\u200bacme/core please'],
    [
      'an e-mail address stays on the tracker',
      'ask bob@example.test or mailto:a.b%40c.test',
      'ask bob@… or mailto:a.b@…',
    ],
    ['a name between quotes', '"john doe"@example.test, "a\\"b"@c.test', '"john doe"@…, "a\\\\"b"@…'],
    ['an address within the quotes', '"a@b.test"@c.test', '"a@…"@…'],
    ['a name as programs of mail show it', '"Doe, John" <john@example.test>', '"Doe, John" &lt;john@…>'],
    ['both', 'From: "Doe, J." <"john doe"@example.test>', 'From: "Doe, J." \\<"john doe"@…>'],
    ['words between quotes, and a mention', 'said "yes" "@mona.b"', 'said "yes" "@\u200bmona.b"'],
    ['a direction that nobody ends', 'a \u202eb c\nd', 'a \u202eb c\u202c\nd'],
    ['an address that was encoded twice', 'https://a.test/?m=bob%2540b.test', '<https://a.test/?m=bob@…>'],
    ['an address with letters beyond ASCII', 'bob@my_host.b.test and रवि@हिन्दी.भारत', 'bob@… and रवि@…'],
    [
      'an account on a server is no address of a person',
      'clone git@host.test:o/r.git',
      'clone git@\u200bhost.test:o/r.git',
    ],
    ['a number', 'see #12', 'see #\u200b12'],
    ['a number of another repository', 'acme/widget#12', 'acme/widget#\u200b12'],
    ['the old form of a number', 'GH-12 and gh-12', 'GH-\u200b12 and gh-\u200b12'],
    ['a commit', 'broken by 0a1b2c3d4e', 'broken by 0a1b2c\u200b3d4e'],
    ['a page of GitHub in capitals', 'see HTTPS://GITHUB.COM/a/b/issues/3', 'see `HTTPS://GITHUB.COM/a/b/issues/3`'],
    [
      'an address in a sentence without spaces',
      '见https://a.test/x。谢谢（https://a.test/y）',
      '见<https://a.test/x>。谢谢（<https://a.test/y>）',
    ],
    [
      'a table with a line under its head',
      'Name      Size\n--------- ----\na.txt     1',
      '```\nName      Size\n--------- ----\na.txt     1\n```',
    ],
    [
      'frames with what a debugger says between them',
      '#0  0x01 in f ()\nNo locals.\n#1  <signal handler called>\n#2  g (x=1)',
      '```\n#0  0x01 in f ()\nNo locals.\n#1  <signal handler called>\n#2  g (x=1)\n```',
    ],
    ['an address of no person', 'x.@.A and user@host', 'x.@\u200b.A and user@host'],
    ['numbers, which are no commits', '4294967295 and 1234567, 0x7f3a12bc', '4294967295 and 1234567, 0x7f3a12bc'],
    ['a commit', '0a1b2c3d4e', '0a1b2c\u200b3d4e'],
    ['places in a file, which are no emoji', 'see foo.c:12:5: and :100:', 'see foo.c:12:5: and :\u200b100:'],
    ['an emoji that is a picture of GitHub', ':shipit:', ':\u200bshipit:'],
    ['a colour', '#123abc', '#123abc'],
    ['a drawing', '```mermaid\ngraph\n```', '~~~\u200bmermaid\ngraph\n~~~'],
    ['a word that closes', 'fixes #7', 'fixes #\u200b7'],
    ['an element', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)>'],
    ['a comment like our marker', '<!-- bugferry:1 acme bug=1 -->', '&lt;!--\u200b bugferry:1 acme bug=1 -->'],
    ['an entity', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['a picture', '![x](http://a.test/b.png)', '!\\[x\\](<http://a.test/b.png>)'],
    ['a link', '[click](javascript:x)', '\\[click\\](javascript:x)'],
    ['emphasis', '*bold* _thin_ ~gone~ `code` $x$', '\\*bold\\* \\_thin\\_ \\~gone\\~ \\`code\\` \\$x\\$'],
    ['a table', '| a | b |', '\\| a \\| b \\|'],
    ['a heading', '# not a heading', '\\# not a heading'],
    ['a line under a heading', 'Title\n=====\n-----', 'Title\n\\=====\n\\-----'],
    ['a list', '- one\n+ two\n3. three\n4) four', '\\- one\n\\+ two\n3\\. three\n4\\) four'],
    ['the name of an emoji', ':smile: at 12:30:45', ':\u200bsmile: at 12:30:45'],
    ['indented code', 'Look:\n    int x;\n\n    int y;\nHm.', 'Look:\n\n```\n    int x;\n\n    int y;\n```\n\nHm.'],
    ['a line that is indented a little', '  so', '&nbsp;&nbsp;so'],
    ['a tab', '\tint x;', '```\n\tint x;\n```'],
    ['two spaces', 'One.  Two.', 'One.\u00a0 Two.'],
    ['a quote', '> said\nanswer', '> said\n\nanswer'],
    ['an address of a page', 'see https://example.test/a_b?c=*d*.', 'see <https://example.test/a_b?c=*d>\\*.'],
    ['an address of GitHub', 'https://github.com/acme/other/issues/3', '`https://github.com/acme/other/issues/3`'],
    ['line ends', 'a\r\nb\rc', 'a\nb\nc'],
    ['NUL', 'a\u0000b', 'a\ufffdb'],
    ['a lone surrogate', 'a\ud83db', 'a\ufffdb'],
    ['a whole one', 'a\u{1f41b}b', 'a\u{1f41b}b'],
    ['right to left', 'שלום \u202eabc', 'שלום \u202eabc\u202c'],
    ['nothing', '', ''],
    ['blank lines', 'a\n\n\n\nb', 'a\n&nbsp;\n&nbsp;\n\nb'],
    ['a quote within a quote', '> > one\n> two', '> > one\n>\n> two'],
    ['quotes without end', '>'.repeat(9000), `${'> '.repeat(20)}\\${'>'.repeat(8980)}`],
    ['a real list', 'To do:\n- one\n  more of it\n- two\nDone.', 'To do:\n\n- one\n  more of it\n- two\n\nDone.'],
    ['two lists', '- a\n- b\n\n\n- c\n- d', '- a\n- b\n\n&nbsp;\n\n\n* c\n* d'],
    ['two items and one apart', '- one\n- two\n\n- three', '- one\n- two\n\n- three'],
    ['numbers with one gap', '1. one\n2. two\n\n3. three', '1. one\n2. two\n\n3. three'],
    ['a list of mixed signs', '- a\n* b\n- c', '- a\n- b\n- c'],
    ['a list with a space before its signs', ' - a\n - b\n- c', '- a\n- b\n- c'],
    ['numbers behind spaces', '  1. a\n  2. b\n     more', '1. a\n2. b\n   more'],
    ['a numbered list', '3. three\n4. four', '3. three\n4. four'],
    ['numbers that do not count', '3. three\n5. five', '3\\. three\n5\\. five'],
    [
      'a diff',
      'Fix:\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b',
      'Fix:\n\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```',
    ],
    [
      'a traceback',
      'Traceback (most recent call last):\n  File "x", line 1\n    f()\nValueError: no\nWhy?',
      '```python\nTraceback (most recent call last):\n  File "x", line 1\n    f()\nValueError: no\n```\n\nWhy?',
    ],
    ['frames of Java', 'at a.B.c(B.java:1)\nat a.B.d(B.java:2)', '```\nat a.B.c(B.java:1)\nat a.B.d(B.java:2)\n```'],
    ['frames of a debugger', '#0  0x00 in f ()\n#1  0x01 in g ()', '```\n#0  0x00 in f ()\n#1  0x01 in g ()\n```'],
    ['a log', '12:00:01 on\n12:00:02 off', '```\n12:00:01 on\n12:00:02 off\n```'],
    ['one line with a time', '12:00:01 on', '12:00:01 on'],
    ['a drawn table', 'a     b\n1     2', '```\na     b\n1     2\n```'],
    ['a fence of the author', '```c\nint x;\n```', '~~~c\nint x;\n~~~'],
    ['a fence without an end', '```\nint x;', '\\`\\`\\`\nint x;'],
    ['fences in code', '    ```', '````\n    ```\n````'],
    ['a bracket that belongs to the address', 'http://a.test/x_(y)', '<http://a.test/x_(y)>'],
    ['a bracket that does not', '(http://a.test/x)', '(<http://a.test/x>)'],
  ])('%s', (_name, text, markdown) => {
    expect(toMarkdown(text)).toBe(markdown);
  });

  test('a name stays on its line and means nothing', () => {
    expect(toMarkdownInline('Eve\n# @mona *x* <b>')).toBe('Eve # @\u200bmona \\*x\\* &lt;b>');
  });
});

describe('lists with an empty line between their items', () => {
  test.each([
    ['bullets', '- one\n\n- two\n\n- three', '- one\n\n- two\n\n- three'],
    ['numbers with long items', '1. one\n   goes on\n\n2. two', '1. one\n   goes on\n\n2. two'],
    ['in a quotation', '> - one\n>\n> - two', '> - one\n>\n> - two'],
    ['an item and words', '- one\n\ntwo', '\\- one\n\ntwo'],
    ['a number that is left out', '1. one\n\n3. three', '1\\. one\n\n3\\. three'],
  ])('%s', (_name, text, markdown) => {
    expect(toMarkdown(text)).toBe(markdown);
    expect(toTrackerText(markdown)).toBe(text);
  });
});

describe('what is pasted stands in one block', () => {
  const boxes = (text: string) => toMarkdown(text).match(/^(?:`{3,}|~{3,})/gmu)?.length ?? 0;
  test.each([
    ['a clone note is none', '+++ This bug was initially created as a clone of Bug #12 +++', 0],
    ['a log of a protocol', '<1138378083<Q01 SETQUOTA {13+}\nuser.me (STORAGE 35)\n>1138378083>Q01 NO\nQ02 OK done', 2],
    [
      'values of elements',
      '<configuration>\n<value>\n192.0.2.7:80\n</value>\n<!-- The others. -->\n</configuration>',
      2,
    ],
    ['a comment', '/**\n * Draw it.\n * Should be called first.\n */\nvoid draw(void) {\n}', 2],
    [
      'a patch of CVS',
      'Index: a.c\n===\nRCS file: /a.c,v\nretrieving revision 1.7\ndiff -u -r1.7 a.c\n@@ -1 +1 @@\n-a\n+b',
      2,
    ],
    ['a plain patch', '56c56\n< a\n---\n> b', 2],
    ['settings', 'admins: root\nport:   2003\nlog: syslog\nquota: 9', 2],
  ])('%s', (_name, text, fences) => {
    expect(boxes(text)).toBe(fences);
    if (fences > 0) expect(toTrackerText(toMarkdown(text))).toBe(text);
  });
});

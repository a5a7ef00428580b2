/**
 * I13, silence: whatever people wrote on the tracker, what stands on GitHub pings nobody, links to nothing that was not meant,
 * and shows the same characters. The rules of GitHub are written here once more, as patterns that must not be found.
 *
 * Planted faults: each escape taken away, at the end.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toMarkdown, toMarkdownInline } from '../../src/core/text/to-markdown.ts';
import { type Fault, plant } from '../support/plant.ts';
import { type Random, random } from '../support/random.ts';
import { hold } from './hold.ts';

type Convert = (text: string) => string;

describe('tracker text on GitHub', () => {
  test.each([
    ['a mention', 'ask @mona', 'ask @\u200bmona'],
    ['a team', '@acme/core please', '@\u200bacme/core please'],
    ['an address is no mention of anybody', 'bob@example.test', 'bob@\u200bexample.test'],
    ['a number', 'see #12', 'see #\u200b12'],
    ['a number of another repository', 'acme/widget#12', 'acme/widget#\u200b12'],
    ['the old form of a number', 'GH-12 and gh-12', 'GH-\u200b12 and gh-\u200b12'],
    ['a commit', 'broken by 0a1b2c3d4e', 'broken by 0a1b2c\u200b3d4e'],
    ['a word that closes', 'fixes #7', 'fixes #\u200b7'],
    ['an element', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)\\>'],
    ['a comment like our marker', '<!-- bugferry:1 acme bug=1 -->', '&lt;\\!-- bugferry:1 acme bug=1 --\\>'],
    ['an entity', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['a picture', '![x](http://a.test/b.png)', '\\!\\[x\\](<http://a.test/b.png>)'],
    ['a link', '[click](javascript:x)', '\\[click\\](javascript:x)'],
    ['emphasis', '*bold* _thin_ ~gone~ `code` $x$', '\\*bold\\* \\_thin\\_ \\~gone\\~ \\`code\\` \\$x\\$'],
    ['a table', '| a | b |', '\\| a \\| b \\|'],
    ['a heading', '# not a heading', '\\# not a heading'],
    ['a line under a heading', 'Title\n=====\n-----', 'Title\n\\=====\n\\-----'],
    ['a list', '- one\n+ two\n3. three\n4) four', '\\- one\n\\+ two\n3\\. three\n4\\) four'],
    ['an emoji at the start of a line', ':smile: hi', '\\:smile: hi'],
    ['indented code', '    int x;', '&nbsp;&nbsp;&nbsp;&nbsp;int x;'],
    ['a tab', '\tint x;', `${'&nbsp;'.repeat(8)}int x;`],
    ['a quote', '> said\nanswer', '> said\n\nanswer'],
    ['an address of a page', 'see https://example.test/a_b?c=*d*.', 'see <https://example.test/a_b?c=*d*>.'],
    ['an address of GitHub', 'https://github.com/acme/other/issues/3', '`https://github.com/acme/other/issues/3`'],
    ['line ends', 'a\r\nb\rc', 'a\nb\nc'],
    ['NUL', 'a\u0000b', 'a\ufffdb'],
    ['a lone surrogate', 'a\ud83db', 'a\ufffdb'],
    ['a whole one', 'a\u{1f41b}b', 'a\u{1f41b}b'],
    ['right to left', 'שלום \u202eabc', 'שלום \u202eabc'],
    ['nothing', '', ''],
  ])('%s', (_name, text, markdown) => {
    expect(toMarkdown(text)).toBe(markdown);
  });

  test('a name stays on its line and means nothing', () => {
    expect(toMarkdownInline('Eve\n# @mona *x* <b>')).toBe('Eve # @\u200bmona \\*x\\* &lt;b\\>');
  });

  test('pings nobody, links nowhere and shows the same, whatever was written', () => {
    for (let seed = 1; seed <= 3000; seed += 1) {
      const text = hostile(random(seed));
      expect(() => silent(toMarkdown, text), `seed ${seed}: ${JSON.stringify(text)}`).not.toThrow();
    }
  });
});

const faults: Readonly<Record<string, Fault>> = {
  'mentions ping': fault("    .replace(/@(?=[\\p{L}\\p{N}_-])/gu, '@\\u200b')\n", ''),
  'numbers link': fault("    .replace(/#(?=\\d)/gu, '#\\u200b')\n", ''),
  'old numbers link': fault("    .replace(/\\bGH-(?=\\d)/giu, '$&\\u200b')\n", ''),
  'commits link': fault('[0-9a-f]{7,40}', '[0-9a-f]{60,80}'),
  'elements are elements': fault("    .replace(/</gu, '&lt;')\n", ''),
  'entities are entities': fault("    .replace(/&/gu, '&amp;')\n", ''),
  'emphasis is emphasis': fault('[\\\\`*_{}', '[\\\\`{}'),
  'headings are headings': fault('(?=[#+=-])', '(?=[+=-])'),
  'lists are lists': fault("    .replace(/^(\\d+)([.)])/u, '$1\\\\$2')\n", ''),
  'indented lines are code': fault("replace(/ /gu, '&nbsp;')", "replace(/ /gu, ' ')"),
  'addresses of GitHub leave a trace': fault('(?:www\\.|gist\\.)?github\\.com', 'github\\.invalid'),
};

describe('a planted fault of the text is caught', () => {
  test.each(Object.entries(faults))('%s', async (_name, planted) => {
    const path = join(await plant(planted), 'core/text/to-markdown.ts');
    const { toMarkdown: faulty } = (await import(/* @vite-ignore */ path)) as { toMarkdown: Convert };
    expect(() => {
      for (let seed = 1; seed <= 3000; seed += 1) silent(faulty, hostile(random(seed)));
    }).toThrow(/pings|links|markup|shows/u);
  });
});

const pieces = [
  ...[
    '@mona',
    '@acme/core',
    'bob@example.test',
    '#12',
    'acme/widget#3',
    'GH-9',
    'gh-10',
    '0a1b2c3',
    'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
  ],
  ...[
    'fixes #1',
    '<b>',
    '</details>',
    '<!-- bugferry:1 acme bug=1 -->',
    '&amp;',
    '&#64;',
    '![x](y)',
    '[a](b)',
    '[a]: b',
    '```',
    '~~~',
    '`x`',
    '**b**',
    '__i__',
  ],
  ...[
    '# h',
    '## h',
    '- l',
    '+ l',
    '* l',
    '1. l',
    '2) l',
    '====',
    '----',
    '***',
    '| a | b |',
    '|---|---|',
    '> q',
    '>> q',
    ':+1:',
    '$x$',
    '\\',
    '^',
    '[^1]',
    '[ ] t',
  ],
  ...[
    'https://example.test/a?b=c&d=@e#12',
    'https://github.com/acme/widget/issues/4',
    'http://www.github.com/x',
    'http://a.test).',
    'www.example.test',
  ],
  ...[
    '\u202e',
    '\u200b',
    'שלום',
    '\u{1f41b}',
    '\ud83d',
    '\udc1b',
    '\u0000',
    '\u0007',
    '\t',
    '    ',
    ' ',
    '\n',
    '\n\n',
    '\r\n',
    'word',
    'x',
    '.',
    'é',
  ],
];

const hostile = (r: Random): string => Array.from({ length: 1 + r.below(9) }, () => `${r.pick(pieces)}${r.pick(['', ' ', '\n'])}`).join('');

/** Throws when the Markdown does more than show the text. */
function silent(convert: Convert, text: string): void {
  const markdown = convert(text);
  // What stands in an autolink or in code is shown as it is; the text of an address cannot mention anybody.
  const prose = markdown.replace(/`https?:[^`\n]+`|<https?:[^>\s]+>/gu, ' address ');
  hold(!/(?<![\w`])@[\p{L}\p{N}_-]/u.test(prose), `pings: ${prose}`);
  hold(!/#\d/u.test(prose.replace(/&#\d+;/gu, '')), `links to a number: ${prose}`);
  hold(!/\bGH-\d/iu.test(prose), `links to an old number: ${prose}`);
  hold(!/\b[0-9a-f]{7,40}\b/iu.test(prose), `links to a commit: ${prose}`);
  hold(!/<https?:\/\/(?:www\.|gist\.)?github\.com/iu.test(markdown), `links into GitHub: ${markdown}`);
  hold(!/<(?!https?:)/u.test(prose), `markup: an element in ${prose}`);
  hold(!/(?<!\\)(?:\\\\)*[*_[\]~`|]/u.test(prose.replace(/\\[\\`*_{}[\]>~|$^!#+=:.)-]/gu, '')), `markup: ${prose}`);
  for (const line of prose.split('\n')) {
    hold(!/^(?:>+ ?)*(?:#|[-+=]|\d+[.)]| {4}|\t)/u.test(line.replace(/^(>+ ?)/u, '')), `markup at the start of "${line}"`);
  }
  hold(shownBy(markdown) === plainly(text), `shows ${JSON.stringify(shownBy(markdown))} for ${JSON.stringify(plainly(text))}`);
}

/** What a reader sees of our Markdown, which uses few things. */
function shownBy(markdown: string): string {
  const parts = markdown.split(/(`https?:[^`\n]+`|<https?:[^>\s]+>)/u);
  return squeezed(parts.map((part, index) => (index % 2 === 1 ? part.slice(1, -1) : unescaped(part))).join(''));
}

function unescaped(prose: string): string {
  return prose
    .replace(/\\([\\`*_{}[\]>~|$^!#+=:.)-])/gu, '$1')
    .replace(/&nbsp;/gu, ' ')
    .replace(/&lt;/gu, '<')
    .replace(/&amp;/gu, '&');
}

/** What a reader should see: what cannot be shown is replaced, everything else stands. */
const plainly = (text: string): string => squeezed(text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd'));

/** Without what nobody sees: marks of no width, and how much space there is. */
const squeezed = (text: string): string =>
  text
    .replace(/\u200b/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

function fault(from: string, to: string): Fault {
  return { file: 'core/text/to-markdown.ts', from, to };
}

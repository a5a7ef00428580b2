/**
 * Parts of long texts: whatever stands at their borders, each part is as silent as a whole text (I13), fits as it is
 * sent, and no word is lost. In both directions, of words and of Markdown.
 *
 * Planted faults: finished Markdown is cut, parts are not read again; at the end.
 */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/model/ids.ts';
import { bugComment, issueComment } from '../../../src/rules/comments/compose.ts';
import { lengthOn } from '../../../src/text/parts/room.ts';
import { noIssues, noReferences } from '../../../src/text/references.ts';
import { hold } from '../../planner/hold.ts';
import { aCommentLink } from '../../planner/samples.ts';
import { type Fault, plant } from '../../support/plant.ts';
import { type Random, random } from '../../support/random.ts';
import { widgetRoute } from '../../support/routes.ts';
import { perTier, sample } from '../../tiers/depth.ts';
import { elementText } from '../html-texts.ts';
import { holdSilent } from '../parsers/hold-silent.ts';
import { charactersOf, pageOf } from '../parsers/pages.ts';

const serverMax: Readonly<Record<Side, number>> = { tracker: 65_535, github: 65_536 };
/** Where the first part of a text without spaces ends. */
const border = 59_498;
const alive = '@mona Fixes #12 https://github.com/acme/other/issues/3 ![x](https://evil.test/p.png) <img src=x>';
const times = (line: string, count: number): string => `${line}\n`.repeat(count);
const code = `\`\`\`\n${times('@mona #12 <img src=x>', 2_900)}\`\`\``;
const filler = times('some words '.repeat(7).trim(), 780);
const page = 'https://github.com/acme/other/issues/3?';

/** Words that stand at a border: as they are, nothing in them is alive, but their halves may be. */
const atBorder = {
  'a mention': `${'x'.repeat(border)}@mona,${'y'.repeat(1_500)}`,
  'a name behind a letter': `${'xy'.repeat(border / 2 - 1)}xx@mona,${'y'.repeat(1_500)}`,
  'a reference': `${'x'.repeat(border)}#12,${'y'.repeat(1_500)}`,
  'a commit': `${'x'.repeat(border - 1)}gdeadbeef12,${'y'.repeat(1_500)}`,
  'many commits': `${'x'.repeat(border - 5)} yyy${'deadbeefdeadbeef'.repeat(300)}`,
  'an address': `${'x'.repeat(56_500)},${page}${'@mona,'.repeat(1_400)}`,
  'an address below spaces': `${' '.repeat(9_700)}${page}${'@mona,'.repeat(900)}`,
  'an address below tabs': `<div>\n${'\t'.repeat(1_200)}${page}${'@mona,'.repeat(900)}`,
  'an address in a quotation': `> ${'x'.repeat(56_500)},${page}${'@mona,'.repeat(1_400)}`,
  'an address in a list': `- a\n- ${'x'.repeat(56_500)},${page}${'@mona,'.repeat(1_400)}`,
  'a sign of code': `${'x'.repeat(border - 1)}\`@mona\`${'y'.repeat(1_500)}`,
  'a picture': `${'x'.repeat(border)}![x](https://evil.test/p.png)${'y'.repeat(1_500)}`,
  'an element': `${'x'.repeat(border)}<img src=x>${'y'.repeat(1_500)}`,
};

/** What goes on over a border, or seems to. */
const overBorder = {
  'code over lines': `\`${times(alive, 720)}\``,
  'words like a fence': `a\n     ~~~\n\n${code}`,
  'words like a fence in a quotation': `> a\n>      ~~~\n\n${code}`,
  'words like a fence in a list': `- a\n       ~~~\n\n${code}`,
  'words like a fence in a link': `[a\n     ~~~\n](b)\n\n${code}`,
  'a fence in a note': `[^1]: ~~~\n    x\n    ~~~\n\n[^1]\n\n${code}`,
  'a number that begins no list': `a\n2. ~~~\n   x\n\n${code}`,
  'a fence behind a tab': `>\t\`\`\`\n${times('>\t@mona #12 <img src=x>', 2_700)}>\t\`\`\``,
  'a long fence': `${'`'.repeat(14_000)}\n${times('@mona #12 <img src=x>', 1_600)}${'`'.repeat(14_000)}`,
  'a fence with many words': `\`\`\`${'a'.repeat(1_500)}\n${times('@mona #12 <img src=x>', 2_700)}\`\`\``,
  'a note far away': `x[^@mona]\n\n${filler}\n[^@mona]: note`,
  'a link over lines': `${filler.slice(0, 59_420)}\n${times('[a\nb](/@mona)', 100)}`,
  'a URL that is used often': `${times('[r@x]', 2_000)}\n[r@x]: http://x.test/${'a'.repeat(19_000)}`,
  'code with a long run of its signs': `$ make\nfoo.c:12: error: x\n${'`'.repeat(30_000)}\nfoo.c:13: error: y`,
};

/** What is quoted because it looks like a line of ours: it grows, or ends what goes on below it. */
const ofOurs = 'wrote in comment 3 on 2026-01-05';
const quoted = {
  'many lines for the tracker': times('github user wrote', 3_600),
  'many lines for GitHub': times(ofOurs, 1_950),
  'the line of a fence': `~~~ x ${ofOurs}\n${alive}\n~~~`,
  'a line within a link': `[a\n${ofOurs}\nb](/@mona "t")`,
  'a line within long code': `~~~ x ${ofOurs}\n${times(alive, 620)}~~~`,
};

/** The parsers of the tests take long to read these. */
const grown = {
  'one line of many for the tracker': `github user wrote${'\u2028'.repeat(40_000)}x`,
  'one line of many for GitHub': `${ofOurs}${'\u2028'.repeat(40_000)}x`,
};

const known = { ...atBorder, ...overBorder, ...quoted };

const linkOf = (text: string, isMarkdown: boolean) => ({
  ...aCommentLink,
  text,
  ...(isMarkdown ? { isMarkdown: true as const } : {}),
});

interface Writing {
  readonly issueComment: typeof issueComment;
  readonly bugComment: typeof bugComment;
}
const ours: Writing = { issueComment, bugComment };

const nameOf = (text: string, isMarkdown: boolean): string =>
  `${isMarkdown ? 'Markdown' : 'words'} ${JSON.stringify(text.slice(0, 60))}`;

function holdFitting({ issueComment, bugComment }: Writing, text: string): void {
  for (const isMarkdown of [false, true]) {
    const parts: Readonly<Record<Side, readonly string[]>> = {
      github: issueComment(widgetRoute, 12, linkOf(text, isMarkdown), noReferences),
      tracker: bugComment(linkOf(text, isMarkdown), noIssues, isMarkdown),
    };
    for (const on of ['github', 'tracker'] as const) {
      const longest = Math.max(...parts[on].map((part) => lengthOn(on, part)));
      hold(longest <= serverMax[on], `${nameOf(text, isMarkdown)} is too long on ${on}: ${longest}`);
    }
  }
}

function holdParts(writing: Writing, text: string): void {
  holdFitting(writing, text);
  const copies = [false, true].flatMap((isMarkdown) =>
    writing
      .issueComment(widgetRoute, 12, linkOf(text, isMarkdown), noReferences)
      .map((markdown) => ({ text: nameOf(text, isMarkdown), markdown })),
  );
  holdSilent(copies);
}

test.each(Object.entries(known))('of a long text with %s are silent, and fit', (_name, text) => holdParts(ours, text));

test.each(Object.entries(grown))('of a text that grows, %s, fit', (_name, text) => holdFitting(ours, text));

/** A text with something hostile, or several, around each of its borders. */
function longText(r: Random): string {
  const word = (): string => (r.chance(0.5) ? elementText(r) : r.pick(Object.values(words)));
  const fill = r.pick(['x', 'words ', 'a line\n', 'a paragraph\n\n', '> quoted\n', '  ', '*a* ', '&', '\\']);
  const around = Array.from({ length: 1 + r.below(4) }, word).join(r.pick(['', ' ', '\n', '\n\n']));
  const [open, close] = r.pick([
    ['', ''],
    ['', ''],
    ['`', '`'],
    ['```\n', '\n```'],
    ['> ', ''],
    ['[', '](/@mona)'],
    ['- ~~~\n  ', '\n  ~~~'],
  ]);
  const before = fill.repeat(r.pick([59_400, 29_700, 14_850]) / fill.length + r.below(200));
  return `${open}${before}${around.repeat(1 + r.below(Math.max(1, 2_000 / (around.length + 1))))}${fill.repeat(6_000 / fill.length)}${close}`.slice(
    0,
    65_000,
  );
}
const words = {
  alive,
  mention: '@mona,',
  commit: 'deadbeef12',
  page,
  reference: '#12',
  quoted: `\n${ofOurs}\n`,
  fence: '\n~~~\n',
};

const seeds = perTier({ check: 2, test: 10, deep: 1_000 });

test(`of ${seeds} random texts are silent, and fit`, () => {
  for (let seed = 1; seed <= seeds; seed += 1) holdParts(ours, longText(random(seed)));
}, 3_600_000);

test.each(Object.entries(atBorder))('of words with %s at a border show every character', (_name, text) => {
  const seen = issueComment(widgetRoute, 12, linkOf(text, false), noReferences).map((part) =>
    charactersOf(pageOf(part.slice(part.indexOf('\n\n'), part.lastIndexOf('\n')))),
  );
  expect(seen.join('') === (text.match(/[\p{L}\p{N}]+/gu) ?? []).join('')).toBe(true);
});

test('stay Markdown, whatever looks like a fence', () => {
  const [first = '', second = ''] = issueComment(widgetRoute, 12, linkOf(overBorder['words like a fence'], true));
  expect(first).toMatch(/\):\n\na\n {5}~~~\n\n```\n@mona[^~]*\n```\n\n<!--/u);
  expect(second).toMatch(/\):\n\n```\n@mona[^~]*\n```\n\n<!--/u);
});

test('are as many as the words need, however often a URL is used', () => {
  const text = overBorder['a URL that is used often'];
  expect(issueComment(widgetRoute, 12, linkOf(text, true), noReferences)).toHaveLength(1);
});

describe('a planted fault of parts is caught', () => {
  const faults: readonly (readonly [name: string, fault: Fault, text: string])[] = [
    [
      'finished Markdown is cut',
      {
        file: 'text/to-markdown.ts',
        from: 'pieces.map(withoutLinks)',
        to: 'piecesOf(proseLine(line, references), room)',
      },
      atBorder['a mention'],
    ],
    [
      'parts are not read again',
      { file: 'text/split.ts', from: 'isSilent(part.plain, several[0])', to: "part.plain !== ''" },
      overBorder['a note far away'],
    ],
  ];

  test.each(sample(faults, 2))('%s', async (_name, fault, text) => {
    const faulty = (await import(join(plant(fault), 'rules/comments/compose.ts'))) as Writing;
    expect(() => holdParts(faulty, text)).toThrow();
  });
});

/**
 * I13, silence, by two parsers: whatever people wrote, what the bridge writes to GitHub of it is read alike by the
 * parser in use and by GitHub's own, and by neither is anything alive in it but what the bridge writes itself: no
 * element, no picture, no link into GitHub, no mention, number, commit or emoji, no alert, mathematics, colour or
 * diagram. The texts are such that parsers differ on them.
 *
 * Planted faults: each means taken away, at the end.
 */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { visible } from '../../../src/text/canonical.ts';
import { noReferences } from '../../../src/text/references.ts';
import { safeMarkdown } from '../../../src/text/safe-markdown.ts';
import { markdownParts } from '../../../src/text/split.ts';
import { type Copy, copyOf, type Writers } from '../../planner/copies.ts';
import { hold } from '../../planner/hold.ts';
import { type Fault, plant } from '../../support/plant.ts';
import { random } from '../../support/random.ts';
import { perTier, sample, some } from '../../tiers/depth.ts';
import { attacks, elementText } from '../html-texts.ts';
import { cmarkPath, skipped, treesOf } from './cmark-gfm.ts';
import { copiesOf, holdSilent, ours } from './hold-silent.ts';
import { charactersOf, githubPageOf, pageOf } from './pages.ts';

const seeds = perTier({ check: 1_000, test: 1_000, deep: 20_000 });
const batch = 1_000;

/** Texts that once went wrong, each by another way. */
const onceWrong: readonly string[] = [
  'x <img src=https://evil.test/x.png> y',
  '<img alt=a src=//evil.test/x.png>',
  '<a href=https://github.com/o/p/issues/3>x</a>',
  '<a href="https://github.com/other/project/issues/3">x</a>',
  '<a\nhref="https://github.com/other/project/issues/3">x</a>',
  '[<a href="https://github.com/o/p/issues/3">x</a>](http://y.test)',
  'ftp://a.test\\<img src=x>',
  'ftp://a.test<img src=x>',
  '\\https://github.com/o/p/issues/3',
  'ftp://a.test\\ftp://github.com/o/p',
  'http://a.test/`<img src=x>`',
  '`http://a.test/`<img src=x>` `',
  '`a | <img src=x>`\n|-|-|',
  'a ` <b>\n|-|\n` <img src=x>',
  '`a\n|-|\n<img src=x>`',
  '\ufeff\n\u0000 #12 <img src=x>',
  '\ufeff@mona `a` #12',
  '[a`b](c)\n\n[a`b]: http://y.test',
  '[x][a`b] <img src=x> `\n\n[a`b]: http://y.test',
  '[^<b>]\n\n[^<b>]: x',
  '@[mona](mailto:mona@host.test)',
  '#[12](mailto:mona@host.test)',
  '@![](mailto:mona@host.test)',
  ' GH-3bob@example.test #[a`b]',
  'https://@github.com/o/p/issues/3',
  'https://a:@github.com/o/p/issues/3',
  '[r]www.GH-3 ',
  '[x](//github.com\ufeff/o/p/issues/5)',
  '`\n>> <!-- x --!> <b>```\n- ```\n   <img src=x>\n  <img src=y>\n\n<img\nsrc=a/b\n>c',
  '[r]: #12\nwww.\n| a | b |\n|---|---|\n| c | d |',
  '&#64;[mona](mailto:mona@host.test)',
  '[r]: [^1][*@mona*](http://y.test/#12)<br>\n| a | b |\n|---|---|\n| c | d |',
  '0a1b[2c3d4](mailto:mona@host.test)',
  '[x](//github.com/o/p/issues/5)',
  '[x](<a b> "<img src=x>")',
  '[r]: <a b> "<img src=x>"\n[r]',
  '[<img src=x>]: http://y.test\n\n[<img src=x>]',
  'www.#12日本https://github.com/o/p/commit/0a1b2c3d4e5f:',
  '![a](https:/evil.test/a.png "b"c)',
  '- ```\n  <img src=x>\n <img src=y>',
  '` [<a href="https://github.com/o/p/issues/3">x</a>](http://y.test)',
  '> a\n    <img src=x>',
  '[](http://t.test/#**@mona**g',
  'a\\\\!bug 12',
  '[r]:"\n[^1][r][a`b]\n[^1]:[a`b]:www.github.com',
  '[]![r][a`b]\n\n[a`b]: #2\n[r]: f',
  '``<img src=x>``ftp://a.test\\&lt;img',
  '#12http://a.test/ 0a1b2c3d4ehttp://a.test/ 0a1b2c3fftp://a.test/',
  '(<ftp://\ufeffgithub.com/o/p>) https://\u200bgithub.com/o/p/issues/3',
  '\\\\!![](https:/github.com/o/p/issues/8)',
  'mona@host.test_http://a.test/`<b>`b',
  '![3](mailto:mona@host.test)0a1b2c3d4e',
  'x .@.A y',
  '>1.     <img src=x>[',
  'é[r]: https://a.test/o/0fbcaf7c-aaaa-bbbb "<img src=x>"\nhttp',
  '[a](ftp://host.test/a)\u000bdata:x:smile:',
  '- ```\n  bob wrote in comment 3 on 2026-01-05 08:00 UTC:\n  @mona #12 <img src=x>\n  ```',
  '1. x\n\n       bob wrote in comment 3 on 2026-01-05 08:00 UTC:\n       @mona #12',
  '[a\nbob wrote in comment 3 on 2026-01-05 08:00 UTC:\nb](https://github.com/o/p/issues/3)',
  '- a\n\n      x opened bug 1 on 2026-01-05\n      https://github.com/o/p/issues/3 :smile: 0a1b2c3d4e',
];

const filler = `${'word '.repeat(40)}\n\n`.repeat(320);
/** Texts that have to be cut, and would once come out of step with their code there. */
const longOnceWrong: readonly string[] = [
  `${'word '.repeat(11_800)}\`${'a '.repeat(600)}<img src=x> https://github.com/o/p/issues/3\``,
  `  \`\`\`\na\n\`\`\`\n\n${filler}\`\`\`\n<img src=x>\n\`\`\`\n`,
  `- \`\`\`\n  a\n  \`\`\`\n\n${filler}\`\`\`\n<img src=x>\n\`\`\`\n`,
  `x[^@mona]\n\n${filler}[^@mona]: note`,
  `${'x'.repeat(59_498)}@mona,${'y'.repeat(1_500)}`,
];
const cut = (into: typeof markdownParts): readonly Copy[] =>
  longOnceWrong.flatMap((text) =>
    into(text, noReferences, true).map((markdown) => ({ text: text.slice(0, 20), markdown })),
  );

const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);
const known = (writers: Writers): readonly Copy[] =>
  onceWrong.flatMap((text) => range(0, 8).map((seed) => copyOf(writers, seed, text)));

describe(`nothing is alive in what the bridge writes of a text, by two parsers${skipped}`, () => {
  test('of texts that once went wrong', () => holdSilent(known(ours)));

  test('of texts written to get through, in places of every kind', () => {
    const places = some(attacks, 150).flatMap((text) => [
      text,
      `[ ${text}`,
      `| ${text} |\n|-|\n| ${text} |`,
      `[${text}](http://y.test)`,
    ]);
    expect(attacks.length).toBeGreaterThan(500);
    holdSilent(places.flatMap((text, index) => [copyOf(ours, index * 2, text), copyOf(ours, index * 2 + 1, text)]));
  }, 600_000);

  test(`of ${seeds} random texts`, () => {
    for (let from = 1; from <= seeds; from += batch) holdSilent(copiesOf(ours, from, batch));
  }, 600_000);

  test('of long texts, which are cut anywhere', () => {
    for (const isMarkdown of [true, false]) {
      const count = perTier({ check: 1, test: 3, deep: 6 });
      const parts = range(1, count).flatMap((seed) => markdownParts(longText(seed), noReferences, isMarkdown));
      expect(parts.length).toBeGreaterThan(count);
      holdSilent(parts.map((markdown) => ({ text: '', markdown })));
    }
  });

  test('of long texts that once went wrong', () => holdSilent(cut(markdownParts)));
});

function longText(seed: number): string {
  const r = random(seed);
  let text = '';
  while (text.length < 61_000)
    text += elementText(r) + (seed % 2 === 0 ? '\n\n' : `${r.pick(['', '\n'])}${'word '.repeat(r.below(60))}`);
  return text;
}

test.skipIf(cmarkPath === null)(`a reader sees every word, by GitHub's own parser${skipped}`, () => {
  // Names of people and notes stand elsewhere, or are hidden.
  const texts = range(1, 4_000)
    .map((seed) => visible(elementText(random(seed))))
    .filter((text) => !/@|&#|\[\^|\]:|\ufffd/u.test(text));
  expect(texts.length).toBeGreaterThan(500);
  const trees = treesOf(texts.map((text) => safeMarkdown(text)));
  for (const [index, text] of texts.entries()) {
    const trimmed = text.split(/\r\n|\r|\n/u).map((line) => line.trimEnd());
    const [before, after] = [charactersOf(pageOf(trimmed.join('\n'))), charactersOf(githubPageOf(trees[index] ?? ''))];
    hold(
      before === after,
      `${before} became ${after} in ${JSON.stringify(text)}: ${JSON.stringify(safeMarkdown(text))}`,
    );
  }
});

test('an address within an element stays whole, as a person may copy it', () => {
  const asset = 'assets/2292782/0fbcaf7c-aaaa-bbbb-cccc-0123456789ab';
  expect(safeMarkdown(`<img src="https://github.com/o/p/${asset}">`)).toBe(
    `&lt;img src="[https://github.com/o/p/${asset}](https://redirect.github.com/o/p/${asset})">`,
  );
});

test('a drawing in a list is code like any other', () => {
  expect(safeMarkdown('- ```mermaid\n  graph\n  ```')).toBe('- ```\u200bmermaid\n  graph\n  ```');
});

describe.skipIf(cmarkPath === null)(`a planted fault of it is caught${skipped}`, () => {
  const faults: Readonly<Record<string, Fault>> = {
    'words may be elements': inText('text/escape', "line.replace(elementStart, '&lt;')", 'line'),
    'fences of any form are left': inText('text/safe-spans', "parent.type !== 'root' || isIndented ||", ''),
    'words may be code': inText('text/escape', '/[`$]|(?<=!)', '/[$]|(?<=!)'),
    'elements have addresses': inText(
      'text/safe-markdown',
      'return written(linkedParts(words, references), escapedPart);',
      'return escapeProse(words);',
    ),
    'code goes on on the next line': inText('text/safe-spans', "if (!slice.includes('\\n') &&", 'if ('),
    'a backslash takes hold of a bracket': inText(
      'text/in-place',
      'if (isEscaping) return',
      'if (isEscaping && before === "") return',
    ),
    'words join without their link': inText('text/escape', "/[\\w@#:;&*~-]/u.test(before ?? '')", "before === 'none'"),
    'words of a picture join what stands behind them': inText(
      'text/safe-markdown',
      'apartTo(source[endOf(node)])',
      "''",
    ),
    'what is no address of a person is one': inText('text/autolinks', '(?<=[\\w.+-])(@)', '(?<=0)(@)'),
    'a quotation takes a space of the list in it': inText('text/in-place', ".replace(/>(?=[^\\s>])/gu, '> ')", ''),
    'definitions stand right above a table': inText('text/safe-markdown', '(isApart && better', '(better'),
    'the end of a line is taken away with what ends there': inText(
      'text/in-place',
      '.trimEnd().length;\n  const lineAt',
      '.length;\n  const lineAt',
    ),
    'addresses hide behind the name of an account': inText(
      'text/references',
      'new URL(seen).host.',
      "new URL(seen).href.replace(/^\\w+:\\/*|\\/.*$/gu, '').",
    ),
    'addresses need no scheme': inText('text/references', "/^[/\\\\]{2,}/u, 'https://'", "/(?!)/u, ''"),
    'files are addressed in another way': inText('text/to-markdown', '|[Ff][Tt][Pp]):', '):'),
    'parts of Markdown are not read again': inText(
      'text/split',
      'isSilent(part.plain, several[0])',
      "part.plain !== ''",
    ),
    'an address behind an open bracket holds words': inText(
      'text/safe-spans',
      'broken(words) === words',
      "words !== ''",
    ),
    'backslashes are not counted before a picture': inText(
      'text/escape',
      'const isEscaped = (',
      'const isEscaped = first < before.length - 1 || (',
    ),
    'what is left of a person is the beginning of an address': inText(
      'text/safe-markdown',
      "source[end] === ':'",
      "source[end] === '0'",
    ),
    'words end where an address begins': inText(
      'text/to-markdown',
      'plain += part.text;',
      'shown += escapeProse(part.text);',
    ),
    'an invisible character hides a host': inText('text/autolinks', '[\\p{Cf}\\u3002', '[\\p{Cs}\\u3002'),
    'words of a link are the name of a definition': inText(
      'text/in-place',
      "before.endsWith(']') ?",
      "before === ']' ?",
    ),
    'colours are shown': inText('text/safe-spans', '!isColour(code)) return', "code !== '') return"),
    'quotations are alerts': inText('text/escape', '|\\[(?=!\\w+\\])', ''),
    'mathematics is drawn': inText('text/escape', '/[`$]|(?<=!)', '/[`]|(?<=!)'),
    'diagrams are drawn': inText('text/autolinks', 'drawn.test(language) ?', "language === '' ?"),
    'long lines are cut when they are written': inText(
      'text/to-markdown',
      'pieces.map(withoutLinks)',
      'piecesOf(proseLine(line, references), room)',
    ),
  };

  test.each(sample(Object.entries(faults)))('%s', async (_name, fault) => {
    const faulty = await writersIn(plant(fault));
    expect(() => {
      holdSilent(known(faulty.writers));
      holdSilent(cut(faulty.markdownParts));
      for (let from = 1; from <= 3_000; from += batch) holdSilent(copiesOf(faulty.writers, from, batch));
    }).toThrow(/^(?:alive|swallows)/u);
  });
});

async function writersIn(folder: string): Promise<{ writers: Writers; markdownParts: typeof markdownParts }> {
  const write = (await import(join(folder, 'rules/comments/compose.ts'))) as Pick<
    Writers,
    'issueBody' | 'issueComment'
  >;
  const notice = (await import(join(folder, 'rules/attachments/notice.ts'))) as Pick<Writers, 'noticeOf'>;
  const table = (await import(join(folder, 'rules/fields/table.ts'))) as Pick<Writers, 'trackerTable' | 'withTable'>;
  const parts = (await import(join(folder, 'text/split.ts'))) as { markdownParts: typeof markdownParts };
  return {
    writers: {
      issueBody: write.issueBody,
      issueComment: write.issueComment,
      noticeOf: notice.noticeOf,
      trackerTable: table.trackerTable,
      withTable: table.withTable,
    },
    markdownParts: parts.markdownParts,
  };
}

function inText(file: string, from: string, to: string): Fault {
  return { file: `${file}.ts`, from, to };
}

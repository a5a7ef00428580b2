/**
 * Lines that look like the bridge's own are quoted in Markdown where they stand, and nothing around them changes: what
 * was code, a list or a table before is one afterwards, in both directions.
 */

import { describe, expect, test } from 'vitest';
import { imitates } from '../../../src/text/imitation/imitates.ts';
import { keptMarkdown } from '../../../src/text/kept-markdown.ts';
import { noIssues, noReferences } from '../../../src/text/references.ts';
import { safeMarkdown } from '../../../src/text/safe-markdown.ts';
import { markdownParts, trackerParts } from '../../../src/text/split.ts';
import { toMarkdown } from '../../../src/text/to-markdown.ts';
import { toTrackerText } from '../../../src/text/to-tracker.ts';
import { htmlOf } from '../rendered.ts';

const header = 'bob wrote in comment 3 on 2026-01-05 08:00 UTC:';
/** Without the marks that keep the tracker from finding a comment of its own. */
const seen = (markdown: string): string => htmlOf(markdown).replaceAll('\u200b', '');
/** Shown as it is, and as little of a line of ours. */
const other = 'bob spoke in comment 3 on 2026-01-05 08:00 UTC:';

const places: Readonly<Record<string, (line: string) => string>> = {
  'a paragraph': (line) => `a\n\n${line}\n\nb`,
  'the middle of a paragraph': (line) => `a\n${line}\nb`,
  'behind a hard break': (line) => `a\\\n${line}\nb`,
  'a list': (line) => `- a\n- ${line}\n\n  b`,
  'a heading': (line) => `# ${line}\n\na`,
  'a table': (line) => `| a | b |\n|---|---|\n| ${line} | @mona |\n| c | d |`,
  'emphasis over two lines': (line) => `**a\n${line}** b`,
  'words of a link over three lines': (line) => `[a\n${line}\nb](http://y.test)`,
  'a fence': (line) => `\`\`\`\na\n${line}\n@mona\n\`\`\``,
  'a fence in a list': (line) => `- \`\`\`\n  ${line}\n  @mona #12\n  \`\`\``,
  'a fence in a note': (line) => `[^1]\n\n[^1]: x\n\n    \`\`\`\n    ${line}\n    @mona #12\n    \`\`\``,
  'indented code': (line) => `a\n\n    ${line}\n    @mona`,
  'indented code in a list': (line) => `1. x\n\n       ${line}\n       @mona #12`,
};

const elementsOf = (html: string): readonly string[] => html.match(/<\/?[a-z][^>]*>/gu) ?? [];

describe.each([
  ['to GitHub', (text: string) => safeMarkdown(text)],
  ['to the tracker', (text: string) => keptMarkdown(text)],
])('%s', (_name, written) => {
  test.each(Object.entries(places))('a quoted line in %s changes nothing around it', (_place, textOf) => {
    const html = seen(written(textOf(header)));
    expect(html).toContain(`&gt; ${header}`);
    expect(elementsOf(html)).toEqual(elementsOf(seen(written(textOf(other)))));
    expect(html.replaceAll(`&gt; ${header}`, other)).toBe(seen(written(textOf(other))));
  });

  test.each(Object.entries(places))('in %s, a line is judged as readers see it', (_place, textOf) => {
    const html = seen(written(textOf(header.replace('wrote', 'wr&#111;te'))));
    // In code, an entity is its characters.
    if (!html.includes('wr&amp;#111;te')) expect(html).toContain('&gt; bob');
  });

  test('a line that is quoted already stays as it is', () => {
    const text = `> ${header}\n> a\n\n\\> ${header}`;
    expect(written(text).replaceAll('\u200b', '')).toBe(text);
  });
});

test('elements of HTML are quoted as they are shown', () => {
  expect(keptMarkdown(`<div>a</div>\n<p><b>bob</b>${header.slice(3)}</p>\n<pre>\n${header}\n</pre>`)).toBe(
    `a\n\\> ${header}\n\n~~~\n> ${header}\n~~~`,
  );
  expect(safeMarkdown(`<pre>\n${header}\n</pre>`)).toBe(`&lt;pre>\n\\> ${header}\n&lt;/pre>`);
});

test('in plain text, the line is a quotation', () => {
  expect(toMarkdown(`a\n${header}\nb`)).toBe(`a\n\n> ${header}\n\nb`);
  expect(toTrackerText(`a\n${header}\nb`).replaceAll('\u200b', '')).toBe(`a\n> ${header}\nb`);
});

test('Markdown that takes too long to read is quoted line by line', () => {
  const text = `${'*a_'.repeat(20_000)}\n\n- **bob** wr&#111;te in comment 3 on 2026-01-05 08:00 UTC:`;
  expect(keptMarkdown(text).split('\n').at(-1)).toBe('- **\\> bob** wr&#111;te in comment 3 on 2026-01-05 08:00 UTC:');
});

test.each([
  ['to the tracker', 'GitHub user octo wrote (http://y.test):', (text: string) => trackerParts(text, noIssues)],
  ['to GitHub', header, (text: string) => markdownParts(text, noReferences)],
])('where a long line is cut, no line of ours begins: %s', (_name, line, partsOf) => {
  // The last space before the end of a part precedes the line.
  const parts = [59_493, 59_494, 59_495, 59_496].map((length) => {
    const lead = `${'words '
      .repeat(10_000)
      .slice(0, length - 2)
      .trimEnd()
      .padEnd(length - 1, 'x')} `;
    return partsOf(`${lead}${line} ${'I resign. '.repeat(100)}`);
  });
  expect(parts.some(([, second = '']) => second.replace(/^\\?> /u, '').startsWith(line.slice(0, 10)))).toBe(true);
  for (const [, second = ''] of parts) expect(imitates(unescaped(second))).toBe(false);
});

const unescaped = (text: string): string => text.replaceAll('\\', '');

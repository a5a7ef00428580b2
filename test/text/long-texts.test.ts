import { expect, test } from 'vitest';
import { withoutFooter } from '../../src/text/footer.ts';
import { toMarkdown } from '../../src/text/to-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { addressesIn, characterGistOf, gistOf } from '../../src/verify/compare/words.ts';

const length = 100_000;
const filled = (piece: string): string => piece.repeat(length / piece.length);
const word = filled('y');
const gap = `a${filled(' ')}b`;
const emptyLines = `a${filled('\n')}b`;

/** With the square of the length, each took many seconds of the processor; now it takes milliseconds. */
const limitMs = 3_000;

test.each<[string, () => unknown]>([
  ['a long word, compared', () => gistOf(word, false)],
  ['a long word, compared by its characters', () => characterGistOf(word, false)],
  ['a long word, searched for addresses', () => addressesIn(word)],
  ['a long gap, without the footer', () => withoutFooter(gap)],
  ['many empty lines, without the footer', () => withoutFooter(emptyLines)],
  ['many empty lines below a rule, without the footer', () => withoutFooter(`---\nx${emptyLines}`)],
  ['thousands of short lines, as Markdown', () => toMarkdown(filled('a\n').slice(0, 64_000))],
  ['a long gap, as a text of the tracker', () => toTrackerText(`*x* ${gap}`)],
])('%s, takes no longer than its length deserves', (_name, work) => {
  const { user: before } = process.cpuUsage();
  work();
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(limitMs);
});

test.each<[string, string]>([
  ['words\n\n<!-- bugferry:1 acme bug=1 -->', 'words'],
  ['words  \n\n---\n*Mirrored as [bug 1](x).*\n\n<!-- bugferry:1 acme bug=1 -->\n', 'words'],
  ['---\r\n*Mirrored as bug 1.*\r\n\r\n<!-- bugferry:1 acme bug=1 -->', ''],
  ['no footer  \n', 'no footer  \n'],
])('what the bridge wrote under a text goes, with the white space before it: %j', (body, left) => {
  expect(withoutFooter(body)).toBe(left);
});

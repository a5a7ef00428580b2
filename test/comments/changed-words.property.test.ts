/**
 * I3, loss, of edits: what a report shows is what the versions have. What it marks as removed stands in the old
 * version, what it marks as added in the new one, and everything else in both, with the same breaks and spaces; and
 * each version can be read out of it.
 *
 * Planted faults: breaks that stand where no version has them, at the end.
 */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changedWords } from '../../src/rules/comments/changed-words.ts';
import { hold } from '../planner/hold.ts';
import { type Fault, plant } from '../support/plant.ts';
import { type Random, random } from '../support/random.ts';
import { sample } from '../tiers/depth.ts';

type Report = typeof changedWords;

const pieces = [
  'one',
  'two',
  'three',
  'un',
  'do',
  '日本',
  '🐛',
  '.',
  '(',
  ')',
  '- x',
  '> q',
  ' ',
  ' ',
  '  ',
  '\n',
  '\n',
  '\n\n',
  '\n\n\n',
];

const textOf = (parts: readonly string[]): string => parts.join('').trim();

/** A text, and what somebody made of it: parts went, came and were replaced. */
function versions(r: Random): readonly [before: string, after: string] {
  const before = Array.from({ length: 4 + r.below(24) }, () => r.pick(pieces));
  const after = [...before];
  for (let edits = 1 + r.below(4); edits > 0; edits -= 1)
    after.splice(r.below(after.length + 1), r.below(4), ...Array.from({ length: r.below(4) }, () => r.pick(pieces)));
  return [textOf(before), textOf(after)];
}

/** A text ends as with breaks: a paragraph that comes below it stands apart from it. */
const framed = (text: string): string => `${'\n'.repeat(99)}${text}${'\n'.repeat(99)}`;

/** Where a line that only one version has is left out, breaks of both stand side by side. */
const lines = (text: string): string => text.replace(/\n+/gu, '\n').trim();

function isTrue(report: Report, before: string, after: string): boolean {
  const shown = report(before, after);
  if (shown === null) return false;
  const where = `${JSON.stringify(before)} to ${JSON.stringify(after)}: ${JSON.stringify(shown)}`;
  let [old, revised] = ['', ''];
  for (const [, removed, added, kept = ''] of shown.matchAll(
    /\[-([\s\S]*?)-\]|\{\+([\s\S]*?)\+\}|((?:(?!\[-|\{\+)[\s\S])+)/gu,
  )) {
    hold(removed === undefined || before.includes(removed), `removes what was not there, from ${where}`);
    hold(added === undefined || after.includes(added), `adds what is not there, from ${where}`);
    hold(
      framed(before).includes(kept) && framed(after).includes(kept),
      `keeps what one version has not, from ${where}`,
    );
    old += removed ?? kept;
    revised += added ?? kept;
  }
  hold(lines(old) === lines(before), `does not contain the old version, from ${where}`);
  hold(lines(revised) === lines(after), `does not contain the new version, from ${where}`);
  return true;
}

function shownOf(report: Report, count: number): number {
  let shown = 0;
  for (let seed = 1; seed <= count; seed += 1) if (isTrue(report, ...versions(random(seed)))) shown += 1;
  return shown;
}

test('a report shows nothing that no version has, and each version whole', () => {
  expect(shownOf(changedWords, 10_000)).toBeGreaterThan(5_000);
});

test.each([
  ['a paragraph that came', 'One.\n\nTwo.', 'One.\n\nNew.\n\nTwo.', 'One.\n\n{+New.+}\n\nTwo.'],
  ['one that went', 'One.\n\nOld.\n\nTwo.', 'One.\n\nTwo.', 'One.\n\n[-Old.-]\n\nTwo.'],
  ['a postscript', 'It crashes.', 'It crashes.\n\nOften.', 'It crashes.\n\n{+Often.+}'],
  ['a word that was in two parts', 'See un\n\n(x)\n\ndo here.', 'See un(do here.', 'See un[-\n\n-]([-x)\n\n-]do here.'],
  ['a line that was broken', 'See the one here.', 'See the one\nhere.', 'See the one[- -]{+\n+}here.'],
])('breaks stand where they belong: %s', (_name, before, after, shown) => {
  expect(changedWords(before, after)).toBe(shown);
});

describe('a planted fault of it is caught', () => {
  const inReport = (from: string, to: string): Fault => ({ file: 'rules/comments/changed-words.ts', from, to });
  const faults: Readonly<Record<string, Fault>> = {
    'breaks look like those of both': inReport(
      'close]: Signs): string =>',
      "close]: Signs): string => value.split('\\n').some((line) => line === '') ? value.split('\\n').map((line) => line === '' ? '' : open + line + close).join('\\n') :",
    ),
    'a break goes in front wherever it is': inReport('(after?.startsWith(lead) ?? true)', 'true'),
    'a break goes behind wherever it is': inReport('(before?.endsWith(trail) ?? true)', 'true'),
    'spaces are trimmed': inReport(
      'if (!added && !removed) return value;',
      'if (!added && !removed) return value.trimStart();',
    ),
    'a removed part is left out': inReport("removed ? (['[-', '-]'] as const)", "removed ? (['', ''] as const)"),
  };

  test.each(sample(Object.entries(faults)))('%s', async (_name, fault) => {
    const faulty = (await import(join(plant(fault), 'rules/comments/changed-words.ts'))) as { changedWords: Report };
    expect(() => shownOf(faulty.changedWords, 2_000)).toThrow(/, from "/u);
  });
});

/** Figures, defaults and choices in the documents are those of the source and of the configuration's schema. */

import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { creationRates } from '../../src/model/duration.ts';
import { problemsOf, withRoute } from '../config/sample.ts';
import { read, root } from './documents.ts';

const wordsOf = (text: string): string => text.replace(/\s+/gu, ' ');
const inWords: Readonly<Record<number, string>> = { 5: 'five', 20: 'twenty' };

/**
 * A sentence with `#` for its figure, and where the source has it: the name of a file, and a pattern with the number.
 */
interface Figure {
  readonly document: string;
  readonly sentence: string;
  readonly file: string;
  readonly pattern: RegExp;
  readonly divisor?: number;
}

const mapping = 'docs/mapping.md';
const figures: readonly Figure[] = [
  {
    document: mapping,
    sentence: 'at most # characters, on one line',
    file: 'canonical.ts',
    pattern: /titleMax = \{.*github: (\d+)/u,
  },
  {
    document: mapping,
    sentence: 'at most # characters, the same way',
    file: 'canonical.ts',
    pattern: /titleMax = \{ tracker: (\d+)/u,
  },
  {
    document: mapping,
    sentence: 'have at most # characters on GitHub',
    file: 'rules/labels/labels-and-fields.ts',
    pattern: /const labelMax = (\d+);/u,
  },
  {
    document: mapping,
    sentence: 'in parts of up to # characters',
    file: 'parts/cut.ts',
    pattern: /const textMax = ([\d_]+);/u,
  },
  {
    document: mapping,
    sentence: 'a line of more than # characters',
    file: 'safe-markdown.ts',
    pattern: /line\.length > ([\d_]+)/u,
  },
  {
    document: mapping,
    sentence: 'is longer than # characters',
    file: 'changed-words.ts',
    pattern: /const lengthMax = ([\d_]+);/u,
  },
  {
    document: mapping,
    sentence: 'at most # times within a day',
    file: 'merge.ts',
    pattern: /const correctionsMax = (\d+);/u,
  },
  {
    document: 'docs/migrating.md',
    sentence: 'each batch of # bugs',
    file: 'import-bugs.ts',
    pattern: /const batchSize = (\d+);/u,
  },
  {
    document: 'docs/operating.md',
    sentence: 'within # seconds',
    file: 'run.ts',
    pattern: /const stopLimitMs = ([\d_]+);/u,
    divisor: 1000,
  },
  {
    document: 'docs/operating.md',
    sentence: 'more than # MB',
    file: 'database.ts',
    pattern: /const soonReadBytes = (\d+) \* 2 \*\* 20;/u,
  },
  {
    document: 'docs/decisions/017-verify-has-its-own-eyes.md',
    sentence: 'the first # pairs',
    file: 'verify.ts',
    pattern: /const againMax = (\d+);/u,
  },
];

/** What the document lacks; empty if it says the sentence, with the figure in digits or in words. */
function lackOf({ document, sentence, file, pattern, divisor = 1 }: Figure): string {
  const [digits, ...others] = globSync(`src/**/${file}`, { cwd: root }).flatMap(
    (path) => pattern.exec(read(path))?.[1] ?? [],
  );
  if (digits === undefined || others.length > 0) return `${file} has no number, or several, for ${pattern}`;
  const value = Number(digits.replaceAll('_', '')) / divisor;
  const sentences = [value.toLocaleString('en'), inWords[value] ?? []]
    .flat()
    .map((each) => sentence.replace('#', each));
  return sentences.some((each) => wordsOf(read(document)).includes(each)) ? '' : (sentences[0] ?? sentence);
}

describe('figures', () => {
  test.each(figures)('$document: "$sentence" is as in $file', (figure) => {
    expect(lackOf(figure)).toBe('');
  });

  test('another number, and one that is not there, would be seen', () => {
    const planted = { document: mapping, sentence: 'in parts of up to # characters', file: 'parts/cut.ts' };
    expect(lackOf({ ...planted, pattern: /const linkedMax = ([\d_]+);/u })).toBe('in parts of up to 62,000 characters');
    expect(lackOf({ ...planted, pattern: /const noMax = (\d+);/u })).toMatch(/^parts\/cut\.ts has no number/u);
  });
});

const { properties } = JSON.parse(read('config/bridge.schema.json'));
const route = properties.routes.items.properties;

/** The choices in the first column of the table whose head is the key. */
const choicesIn = (document: string, key: string): readonly string[] => {
  const table = read(document).split(`\n| ${key} |`)[1]?.split('\n\n')[0] ?? '';
  return [...table.matchAll(/^\| (`[^|]*`) \|/gmu)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/gu)].map(([, choice = '']) => choice),
  );
};

describe('choices', () => {
  test.each([
    ['docs/mapping.md', '`conflicts`', route.conflicts.enum],
    ['docs/mapping.md', '`visitors`', route.visitors.enum],
    ['docs/mapping.md', 'store', route.attachments.properties.store.enum],
  ])('%s has a row for each choice of %s, and no other', (document, key, choices: readonly string[]) => {
    expect([...choicesIn(document, key)].sort()).toEqual([...choices].sort());
  });
});

describe('blocks of YAML in docs/mapping.md', () => {
  const blocks = [...read(mapping).matchAll(/^```yaml\n([\s\S]*?)^```$/gmu)].map(([, block = '']) => block);

  test.each(blocks)('are keys that a route accepts: %s', (block) => {
    expect(problemsOf(withRoute(...block.trimEnd().split('\n')))).toEqual([]);
  });

  test('show how a custom field becomes labels; a wrong key would be seen', () => {
    const [block = ''] = blocks.filter((each) => /from: cf_\w+/u.test(each));
    expect(block).not.toBe('');
    expect(problemsOf(withRoute(...block.replace('from: cf_', 'from: x_').trimEnd().split('\n')))).toHaveLength(1);
  });
});

describe('defaults', () => {
  test.each([
    ['docs/mapping.md', `With \`${route.copies.default}\` (the default)`],
    ['docs/mapping.md', `(\`${route.copies.default}\`, the default)`],
    ['docs/privacy.md', `With \`visibilityCheck: ${route.visibilityCheck.default}\` (the default)`],
    [
      'docs/troubleshooting.md',
      `failed ${inWords[properties.limits.properties.attempts.default]} times (\`limits.attempts\`)`,
    ],
    ['docs/scaling.md', `${properties.limits.properties.tracker.properties.requestsPerSecond.default} a second`],
    ['docs/scaling.md', `${properties.limits.properties.tracker.properties.concurrency.default} at a time`],
    ['docs/migrating.md', `at most ${creationRates.perHour.documented} issues and comments an hour`],
    [
      'docs/monitoring.md',
      `http: {} # ${properties.http.properties.host.default}, port ${properties.http.properties.port.default}, no token`,
    ],
  ])('%s says: %s', (document, sentence) => {
    expect(wordsOf(read(document))).toContain(sentence);
  });

  test('docs/operating.md names the hours of the schedule', () => {
    const [minute, hour] = properties.schedule.properties.sweep.default.split(' ');
    expect(wordsOf(read('docs/operating.md'))).toContain(`compares in full at ${hour.padStart(2, '0')}:${minute} UTC`);
    expect([
      properties.schedule.properties.poll.default,
      /bugferry run +the daemon: a cycle every minute,/u.test(read('docs/operating.md')),
    ]).toEqual(['*/1 * * * *', true]);
  });

  test('docs/mapping.md names the label rules of a route without labels', () => {
    const [, sentence = ''] =
      /A route without `labels` has these rules: ([^.]*)\./u.exec(wordsOf(read('docs/mapping.md'))) ?? [];
    const rules: readonly { readonly from: string; readonly as: string; readonly both: boolean }[] =
      route.labels.default;
    const named = rules.map(({ from, as }) => (as === '{value}' ? from : `\`${as}\``));
    expect(rules.map(({ both }) => both)).toEqual([false, true, true]);
    expect(sentence).toBe(`${named[0]} one way, ${named[1]} and ${named[2]} both ways`);
  });
});

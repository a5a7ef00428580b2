import { expect, test } from 'vitest';
import { seenText } from '../../src/verify/compare/seen-text.ts';
import { shrinker } from '../../src/verify/small.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';
import { mirrored, verified } from './mirror.ts';

const options = { instance: 'acme', own: 'bugferry-bot', isKept: false };
const url = 'https://bugs.example.test/show_bug.cgi?id=';

const copyOf = (id: number) =>
  seenText(
    {
      id,
      author: 'bugferry-bot',
      createdAt: 1_795_255_400_000 + id * 7_919,
      minimize: null,
      body: `**Alice ${id}** wrote in [comment ${id % 9}](${url}${id}#c${id % 9}) on 2026-01-05 08:${10 + (id % 50)} UTC:\n\nIt fails, see [bug ${id}](${url}${id}), エラー ${'\ud800'}.\n\n<!-- bugferry:1 acme bug=${id} comment=${id} -->`,
    },
    options,
  );

test('what is read of GitHub comes back as it was', () => {
  const { shrink, restore } = shrinker();
  const texts = Array.from({ length: 50 }, (_, index) => copyOf(index + 1));
  const small = texts.map(shrink);
  expect(small.toReversed().map(restore)).toEqual(texts.toReversed());
});

test('a text of a large repository takes a fraction of its memory', () => {
  const { shrink } = shrinker();
  const small = Array.from({ length: 1_000 }, (_, index) => shrink(copyOf(index + 1)));
  // As an object it is a thousand bytes and more. Each character is one byte here.
  expect(small.slice(1).reduce((sum, { length }) => sum + length, 0) / 999).toBeLessThan(200);
  expect(small.every((each) => Buffer.from(each, 'latin1').toString('latin1') === each)).toBe(true);
});

/** The bugs and issues that a comparison reads once more, one by one, because they seemed to differ at first. */
async function readAgain(src: string): Promise<unknown> {
  const { verify } = (await import(`${src}/verify/verify.ts`)) as typeof import('../../src/verify/verify.ts');
  const { context } = await mirrored();
  const again: number[] = [];
  const noting =
    <R extends number, T>(probe: (ref: R) => Promise<T>) =>
    (ref: R): Promise<T> => {
      again.push(ref);
      return probe(ref);
    };
  const [tracker, github] = [context.tracker, context.github];
  await verified(
    { ...context, tracker: { ...tracker, probe: noting(tracker.probe) }, github: { ...github, probe: noting(github.probe) } },
    null,
    verify,
  );
  return again;
}

const cases: readonly Case[] = [
  {
    name: 'links to a file seem to be links of the text that came with it',
    ...{ file: 'verify/compare/seen-text.ts', from: 'said.slice(notice === null ? 0 : 1).flatMap(', to: 'said.flatMap(' },
    ...{ scenario: readAgain, right: [] },
  },
];

// Beyond five hundred pairs, what differs at first is not read again, but reported.
testCases(cases);

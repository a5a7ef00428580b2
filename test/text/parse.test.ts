/**
 * A tree of Markdown is kept for those who ask next, so nobody may change it. What is kept of lines does not hold their
 * texts.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { type Case, testCases } from '../support/faults/scenarios.ts';
import { random } from '../support/random.ts';
import { examplesIn } from './examples.ts';
import { drawnShape, textOf } from './slow/shapes.ts';
import { markdownText } from './texts.ts';

const texts = [
  ...['to-github.txt', 'to-tracker.txt'].flatMap(examplesIn).map(({ text }) => text),
  ...Array.from({ length: 100 }, (_, seed) => markdownText(random(seed))),
];

/** The texts whose tree is another one after everything was made of them. */
async function changedTrees(src: string): Promise<readonly string[]> {
  const { parsed, parsedInPlace } = (await import(`${src}/text/parse.ts`)) as typeof import('../../src/text/parse.ts');
  const { safeMarkdown } = (await import(
    `${src}/text/safe-markdown.ts`
  )) as typeof import('../../src/text/safe-markdown.ts');
  const { keptMarkdown } = (await import(
    `${src}/text/kept-markdown.ts`
  )) as typeof import('../../src/text/kept-markdown.ts');
  const { toTrackerText } = (await import(
    `${src}/text/to-tracker.ts`
  )) as typeof import('../../src/text/to-tracker.ts');
  const trees = (text: string) => JSON.stringify([parsed(text), parsedInPlace(text)]);
  return texts.filter((text) => {
    const before = trees(text);
    for (const written of [safeMarkdown, keptMarkdown, toTrackerText]) written(text);
    return trees(text) !== before;
  });
}

const unjoined = {
  extensions: [gfm()],
  mdastExtensions: gfmFromMarkdown().map(({ transforms: _transforms, ...rest }) => rest),
};

/** The texts whose tree differs from the one of a parser that joins the pieces of a text last. */
async function otherTrees(src: string): Promise<readonly string[]> {
  const { parsedInPlace } = (await import(`${src}/text/parse.ts`)) as typeof import('../../src/text/parse.ts');
  const { below } = random(1);
  const drawn = Array.from({ length: 1_000 }, () => textOf(drawnShape(below), 40 + below(300)));
  const trees = (text: string) =>
    [parsedInPlace(text), fromMarkdown(text, unjoined)].map((tree) => JSON.stringify(tree));
  return [...texts, ...drawn].filter((text) => new Set(trees(text)).size > 1);
}

/** Whether a text that is asked about again has the tree of before, and another text its own. */
async function isKept(src: string): Promise<readonly boolean[]> {
  const { parsedInPlace } = (await import(`${src}/text/parse.ts`)) as typeof import('../../src/text/parse.ts');
  const kept = (one: string, two: string): readonly boolean[] => {
    const [first, second] = [parsedInPlace(one), parsedInPlace(two)];
    return [parsedInPlace(one) === first, parsedInPlace(two) === second, first === second];
  };
  // All trees go once there are so many; that may happen between two texts, and then not soon again.
  const found = kept('*one*', '*two*');
  return found[0] === true ? found : kept('*three*', '*four*');
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Whether hundreds of long texts go once each of their lines was looked at. */
async function areTextsFreed(src: string): Promise<boolean> {
  const { strengthOf } = (await import(
    `${src}/text/layout/line-features.ts`
  )) as typeof import('../../src/text/layout/line-features.ts');
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 500; at += 1) {
    const [line = ''] = `It is line ${at} of a text\n${'x'.repeat(60_000)}`.split('\n');
    strengthOf(line);
  }
  collect();
  return process.memoryUsage().heapUsed - before < 5_000_000;
}

const cases: readonly Case[] = [
  {
    name: 'whoever writes Markdown for a tracker takes the tree apart',
    ...{ file: 'text/kept-markdown.ts', from: 'of root.children) {', to: 'of root.children.splice(0)) {' },
    ...{ scenario: changedTrees, right: [] },
  },
  {
    name: 'a piece of a text ends where the next does not begin',
    ...{ file: 'text/parse.ts', from: 'last.end = joined.end;', to: '' },
    ...{ scenario: otherTrees, right: [] },
  },
  {
    name: 'a text is parsed each time',
    ...{ file: 'text/parse.ts', from: 'if (known !== undefined) return known;', to: '' },
    ...{ scenario: isKept, right: [true, true, false] },
  },
  {
    name: 'all texts have the tree of the last one',
    ...{
      file: 'text/parse.ts',
      from: 'kept.set(markdown, ',
      to: 'for (const key of [...kept.keys(), markdown]) kept.set(key, ',
    },
    ...{ scenario: isKept, right: [true, true, false] },
  },
  {
    name: 'what is known of a line holds the text that the line was cut from',
    ...{ file: 'text/layout/lately.ts', from: 'kept.set(copyOf(line), found)', to: 'kept.set(line, found)' },
    ...{ scenario: areTextsFreed, right: true },
  },
];

testCases(cases);

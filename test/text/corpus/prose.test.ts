/**
 * Sentences stand in no block of code, wherever they stand: beside logs and traces, between their parts, indented, or
 * with signs of a program in them. The measured texts hardly tell, as few of their sentences stand in such places.
 *
 * Planted faults: each guard taken away, at the end.
 */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { blocksOf } from '../../../src/text/layout/blocks.ts';
import { hold } from '../../planner/hold.ts';
import { type Fault, plant } from '../../support/plant.ts';
import { type Random, random } from '../../support/random.ts';
import { sample } from '../../tiers/depth.ts';
import { boxesOf } from './corpus.ts';

type Cut = typeof blocksOf;

const things = ['page', 'lamp', 'archive', 'old reader', 'server', 'pen', 'list of names'];

/**
 * Without a full stop, only a beginning as of a sentence tells such a line below a log from the rest of the line above.
 */
const sentences: readonly ((thing: () => string) => string)[] = [
  (thing) => `The ${thing()} of the ${thing()} is not what it was before.`,
  (thing) => `I have seen this with the ${thing()} too, but only when the ${thing()} is open.`,
  (thing) => `Does it do the same with your ${thing()}?`,
  (thing) => `and then the ${thing()} was gone for a while`,
  (thing) => `I have no ${thing()} of the kind`,
  (thing) => `Then I set the ${thing()} = 4;`,
  (thing) => `Warning: this is not what they say about the ${thing()}.`,
];

const pastes: readonly ((r: Random) => string)[] = [
  (r) => `Mar  4 02:11:${10 + r.below(50)} annex cupsd[811]: [Job ${r.below(900)}] Stopped`,
  (r) => `[   ${10 + r.below(80)}.345678] usb 1-1: device descriptor read/64, error -71`,
  (r) => `        at org.reed.pool.Pool.get(Pool.java:${r.below(900)})`,
];

/** Lines, and which of them are sentences. */
function textOf(r: Random): readonly { readonly line: string; readonly isSentence: boolean }[] {
  const paste = r.pick(pastes);
  return Array.from({ length: 3 + r.below(6) }, () => {
    const isSentence = r.chance(0.5);
    const said = isSentence ? r.pick(sentences)(() => r.pick(things)) : paste(r);
    const indent = /[.?]$/u.test(said) && isSentence && r.chance(0.4) ? r.pick(['  ', '    ', '        ', '\t']) : '';
    const line = indent + said;
    return [{ line, isSentence }, ...(r.chance(0.25) ? [{ line: '', isSentence: false }] : [])];
  }).flat();
}

function holdProse(count: number, cut?: Cut): void {
  const placed = 'This was with the pen that is in lamp.c:12';
  hold(!boxesOf([placed], cut).includes(1), `a sentence in a block: ${placed}`);
  for (let seed = 1; seed <= count; seed += 1) {
    const text = textOf(random(seed));
    const boxes = boxesOf(
      text.map(({ line }) => line),
      cut,
    );
    for (const [index, { line, isSentence }] of text.entries()) {
      const where = `seed ${seed}: ${JSON.stringify(line)} of ${JSON.stringify(text.map((each) => each.line))}`;
      hold(!isSentence || (boxes[index] ?? null) === null, `a sentence in a block, ${where}`);
      hold(isSentence || line === '' || (boxes[index] ?? null) !== null, `a log outside, ${where}`);
    }
  }
}

test('sentences stand in no block, and logs beside them do', () => {
  holdProse(2_000);
});

describe('a planted fault of it is caught', () => {
  const inStrength = (from: string, to: string): Fault => ({ file: 'text/layout/line-strength.ts', from, to });
  const inLayout = (from: string, to: string): Fault => ({ file: 'text/layout/layout.ts', from, to });
  const inSentences = (from: string, to: string): Fault => ({ file: 'text/layout/sentences.ts', from, to });
  const faults: Readonly<Record<string, Fault>> = {
    'sentences are lines of a log': inLayout('if (isProse(line)) return false;', ''),
    'sentences are features': inStrength('if (isProse(line) && !certain.test(line) &&', 'if (line === "" &&'),
    'sentences between blocks are part of them': inLayout(
      "last === '' || isWords || foreign",
      "last === '' || foreign",
    ),
    'what is likely in a log is none of a sentence': inStrength(
      'weak.test(line) && (readsLikeSentence(line) || listItem.test(line)) ? null : strength',
      'strength',
    ),
    'a sentence may end with a statement': inSentences('if (isQuoting(text)) return true;', ''),
    'lines between two parts are never sentences': inLayout('isBetween && !isSentence', 'isBetween'),
    'any line is the rest of the one above': inLayout(
      'const isLast = after',
      'if (first !== "") return true;\n  const isLast = after',
    ),
    'people go on in no special way': inLayout('startsSentence.test(line) || ', ''),
    'nothing reads like a sentence': inSentences(
      'const text = line.trim();\n  const tokens',
      "const text = '';\n  const tokens",
    ),
  };

  test.each(sample(Object.entries(faults)))('%s', async (_name, fault) => {
    const faulty = (await import(join(plant(fault), 'text/layout/blocks.ts'))) as { blocksOf: Cut };
    expect(() => holdProse(300, faulty.blocksOf)).toThrow(/^a sentence in a block/u);
  });
});

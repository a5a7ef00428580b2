/** Texts whose lines carry labels, by hand: `#` before what should stand in a code block, `.` before all else. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../../../src/text/layout/blocks.ts';
import { linesOf } from '../../../src/text/to-markdown.ts';

export interface Labelled {
  readonly name: string;
  readonly lines: readonly string[];
  /** For each line, whether it should stand in a block; null for empty lines. */
  readonly isCode: readonly (boolean | null)[];
}

const folder = import.meta.dirname;

/**
 * @param half the mistakes in `tuned` were looked at while the features were chosen, of those in `held` only the total
 */
export function corpus(half: 'tuned' | 'held'): readonly Labelled[] {
  return readdirSync(join(folder, half))
    .sort()
    .flatMap((file) => labelledIn(readFileSync(join(folder, half, file), 'utf8'), `${half}/${file}`));
}

function labelledIn(source: string, file: string): readonly Labelled[] {
  return source
    .split(/^=== /mu)
    .slice(1)
    .map((part) => {
      const [title = '', ...rows] = part.replace(/\n+$/u, '').split('\n');
      const labelled = rows.map((row) => ({ line: row.slice(1).trimEnd(), label: row[0] }));
      const first = labelled.findIndex(({ line }) => line !== '');
      const last = labelled.findLastIndex(({ line }) => line !== '');
      const kept = labelled.slice(first, last + 1);
      return {
        name: `${file}: ${title}`,
        lines: kept.map(({ line }) => line),
        isCode: kept.map(({ line, label }) => (line === '' ? null : label === '#')),
      };
    });
}

/** For each line, the number of the block of code that it stands in; null for prose. */
export function boxesOf(lines: readonly string[], cut = blocksOf): readonly (number | null)[] {
  const boxes: (number | null)[] = [];
  let number = 0;
  for (const block of cut(linesOf(lines.join('\n')))) {
    if (block.kind === 'blank') boxes.push(...Array.from({ length: block.count }, () => null));
    else if (block.kind === 'prose') boxes.push(...block.lines.map(() => null));
    else if (block.kind === 'list') boxes.push(...Array.from({ length: lengthOf([block]) }, () => null));
    else if (block.kind === 'quote') boxes.push(...Array.from({ length: lengthOf(block.blocks) }, () => null));
    else {
      number += 1;
      const own = block.lines.map(() => number);
      boxes.push(...(block.isFenced ? [number, ...own, number] : own));
    }
  }
  return boxes;
}

const lengthOf = (blocks: ReturnType<typeof blocksOf>): number =>
  blocks.reduce((sum, block) => {
    if (block.kind === 'blank') return sum + block.count;
    if (block.kind === 'quote') return sum + lengthOf(block.blocks);
    if (block.kind === 'list') return sum + block.items.flat().length + block.gaps.size;
    return sum + block.lines.length + (block.kind === 'code' && block.isFenced ? 2 : 0);
  }, 0);

export interface Score {
  readonly texts: number;
  readonly precision: number;
  readonly recall: number;
  /** The part of the texts with code in which one or two lines separate two blocks. */
  readonly torn: number;
  readonly mistakes: readonly string[];
}

export function scoreOf(texts: readonly Labelled[], cut = blocksOf): Score {
  let [right, wrong, missing, withCode, torn] = [0, 0, 0, 0, 0];
  const mistakes: string[] = [];
  for (const { name, lines, isCode } of texts) {
    const boxes = boxesOf(lines, cut);
    for (const [index, label] of isCode.entries()) {
      if (label === null) continue;
      const isBoxed = (boxes[index] ?? null) !== null;
      if (isBoxed && label) right += 1;
      else if (isBoxed) wrong += 1;
      else if (label) missing += 1;
      if (isBoxed !== label) mistakes.push(`${isBoxed ? 'wrong  ' : 'missing'} ${name}: ${lines[index]}`);
    }
    if (isCode.includes(true)) withCode += 1;
    if (isTorn(boxes, isCode)) torn += 1;
  }
  return {
    texts: texts.length,
    precision: right / (right + wrong),
    recall: right / (right + missing),
    torn: torn / withCode,
    mistakes,
  };
}

/** Whether lines between two blocks, which belong to them, are one or two. */
function isTorn(boxes: readonly (number | null)[], isCode: readonly (boolean | null)[]): boolean {
  return boxes.some((box, index) => {
    if (box === null || boxes[index + 1] === box) return false;
    const next = boxes.slice(index + 1).findIndex((each) => each !== null);
    const between = isCode.slice(index + 1, index + 1 + next);
    return next >= 0 && next <= 2 && !between.includes(false);
  });
}

import type { Random } from '../../support/random.ts';

/**
 * Texts as people write them to a tracker: sentences in lines of a mail's length, output of programs, and references.
 */

const nouns =
  'compiler parser linker register pointer loop branch module function assertion vector type template header symbol section debugger backtrace optimizer pass intrinsic calling-convention stack frame allocator scheduler macro constructor destructor lambda namespace archive driver sanitizer bitcode target operand';
const verbs =
  'crashes hangs miscompiles rejects accepts ignores loses duplicates merges spills inlines hoists drops reorders corrupts prints';
const rest =
  'since the last release|on this host|with -O2|when built twice|in a fresh checkout|after the merge|for ARM only|as reported';

const [nounList, verbList, restList] = [nouns.split(' '), verbs.split(' '), rest.split('|')];

/** What a person said whose name is not in Latin script. */
const foreign = ['Größe überschritten – naïve façade', 'エラーが発生しました', 'не удаётся собрать', 'çalışmıyor 🐛'];

export const summaryOf = (draw: Random, id: number): string =>
  `[${draw.pick(nounList)}] ${draw.pick(nounList)} ${draw.pick(verbList)} the ${draw.pick(nounList)} ${draw.pick(restList)} (${id})`;

function sentence(draw: Random): string {
  if (draw.chance(0.01)) return `${draw.pick(foreign)}.`;
  return `The ${draw.pick(nounList)} ${draw.pick(verbList)} the ${draw.pick(nounList)} ${draw.pick(restList)}.`;
}

/** A text of about this length, never above it, with line breaks. */
export function textOf(draw: Random, length: number): string {
  const lines: string[] = [];
  let size = 0;
  while (size < length) {
    const line = draw.chance(0.04)
      ? `#${draw.below(40)} 0x${draw.below(2 ** 31).toString(16)} ${draw.pick(nounList)}()`
      : sentence(draw);
    lines.push(line);
    size += line.length + 1;
    if (draw.chance(0.12)) {
      lines.push('');
      size += 1;
    }
  }
  return lines.join('\n').slice(0, length).trim();
}

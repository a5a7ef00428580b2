import { strengthOf } from './line-features.ts';
import { isProse } from './sentences.ts';

const known = new WeakMap<readonly string[], readonly boolean[]>();

/** Whether a sentence stands among the lines around this one that begin as far from the margin. */
export function isAmidSentences(lines: readonly string[], at: number): boolean {
  let marks = known.get(lines);
  if (marks === undefined) {
    marks = marksOf(lines);
    known.set(lines, marks);
  }
  return marks[at] === true;
}

function marksOf(lines: readonly string[]): readonly boolean[] {
  const marks: boolean[] = [];
  for (let at = 0; at < lines.length; ) {
    const margin = marginOf(lines[at] ?? '');
    let end = at + 1;
    while (end < lines.length && lines[end] !== '' && marginOf(lines[end] ?? '') === margin) end += 1;
    const hasSentence = margin !== '' && lines.slice(at, end).some(isSentence);
    for (; at < end; at += 1) marks.push(hasSentence);
  }
  return marks;
}

const marginOf = (line: string): string => /^\s*/u.exec(line)?.[0] ?? '';

const isSentence = (line: string): boolean =>
  /^\s*\S+(?: +\S+){4}/u.test(line) && isProse(line) && !/^\s*\/[/*]/u.test(line) && strengthOf(line.trim()) === null;

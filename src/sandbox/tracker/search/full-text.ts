import { bugShape, listedBugs } from '../bugs/bugs.ts';
import { maySee } from '../installation/users.ts';
import type { Call } from '../server/call.ts';
import { missingArgument } from '../server/errors.ts';
import { caseFolded } from './words.ts';

/**
 * The full-text search behind the field `content`. Plain words find texts that contain any of them. Signs make it a
 * formula: `+word` is required, `-word` excluded, `"some words"` a phrase, `word*` the start of a word, and `|`
 * separates alternatives.
 */
export function matchesText(words: readonly string[], query: string): boolean {
  const hasSigns = /(?:^|[^\p{L}\p{N}_])[+\-<>~"()]/u.test(query) || /[()"*](?:$|[^\p{L}\p{N}_])/u.test(query);
  if (!hasSigns) return wordsOf(query).some((word) => isIndexed(word) && words.includes(word));
  return query.split('|').some((formula) => matchesFormula(words, formula));
}

interface Term {
  readonly sign: string;
  readonly words: readonly string[];
  readonly isStart: boolean;
}

function matchesFormula(words: readonly string[], formula: string): boolean {
  const terms = [...formula.matchAll(/([+\-<>~]*)(?:"((?:[^"\\]|\\.)*)"|([^\s()"]+))/gu)].flatMap(
    ([, sign = '', phrase, word]): Term[] => {
      const parts = wordsOf(phrase ?? word ?? '');
      return parts.length === 0 ? [] : [{ sign, words: parts, isStart: word?.endsWith('*') ?? false }];
    },
  );
  const has = (term: Term): boolean =>
    words.some((_, start) => term.words.every((word, index) => fits(term, word, words[start + index])));
  const wanted = terms.filter(({ sign }) => !sign.endsWith('-'));
  if (terms.some((term) => term.sign.endsWith('-') && has(term))) return false;
  const required = wanted.filter(({ sign }) => sign.endsWith('+'));
  return required.length > 0 ? required.every(has) : wanted.some(has);
}

const fits = (term: Term, wanted: string, found: string | undefined): boolean =>
  found !== undefined && (term.isStart ? found.startsWith(wanted) : found === wanted);

/** The words of a text, in order, as searches see them. */
export const wordsOf = (text: string): readonly string[] => caseFolded(text).match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Words of fewer than three characters are not in the index. */
const isIndexed = (word: string): boolean => word.length >= 3;

const limitDefault = 7;
/** Shorter words match too many bugs. */
const wordLengthMin = 4;

/** Bugs whose summary shares a word with a text, best matches first. Source: Bug.possible_duplicates of JSON-RPC. */
export function possibleDuplicates({ state, viewer, query, fields }: Call): unknown {
  const summary = query.get('summary') ?? '';
  if (summary === '') throw missingArgument('requires', 'summary');
  const wanted = summaryWords(summary);
  const products = [...query.getAll('products'), ...query.getAll('product')];
  const found = listedBugs(state, 0)
    .filter((bug) => maySee(viewer, bug) && (products.length === 0 || products.includes(bug.product)))
    .map((bug) => ({ bug, shared: summaryWords(bug.summary).filter((word) => wanted.includes(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
    .slice(0, Number(query.get('limit')) || limitDefault);
  return { bugs: found.map(({ bug }) => bugShape(state, viewer, bug, fields)) };
}

const summaryWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu)
    ?.filter((word) => word.length >= wordLengthMin) ?? [];

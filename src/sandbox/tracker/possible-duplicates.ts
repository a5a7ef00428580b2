import { bugShape } from './bug-shape.ts';
import { listedBugs } from './bugs.ts';
import type { Call } from './call.ts';
import { missingArgument } from './errors.ts';
import { maySee } from './users.ts';

const limitDefault = 7;
/** Shorter words say too little. */
const wordLengthMin = 4;

/** Bugs whose summary shares a word with a text, those that share most first. Source: Bug.possible_duplicates of JSON-RPC. */
export function possibleDuplicates({ state, viewer, query, fields }: Call): unknown {
  const summary = query.get('summary') ?? '';
  if (summary === '') throw missingArgument('requires', 'summary');
  const wanted = wordsOf(summary);
  const products = [...query.getAll('products'), ...query.getAll('product')];
  const found = listedBugs(state, 0)
    .filter((bug) => maySee(viewer, bug) && (products.length === 0 || products.includes(bug.product)))
    .map((bug) => ({ bug, shared: wordsOf(bug.summary).filter((word) => wanted.includes(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
    .slice(0, Number(query.get('limit')) || limitDefault);
  return { bugs: found.map(({ bug }) => bugShape(state, viewer, bug, fields)) };
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu)
    ?.filter((word) => word.length >= wordLengthMin) ?? [];

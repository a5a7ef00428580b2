import MiniSearch from 'minisearch';
import type { Headline } from '../model/archive/ports.ts';
import { canonicalTitle } from '../text/canonical.ts';
import type { BugRecord } from './bug-record.ts';
import type { Written } from './lists.ts';
import { rangeOf, wordsPath } from './paths.ts';

/**
 * The titles of all bugs, which the search page loads at once. Files of scripts, as browsers load no data from a folder
 * on a disk.
 */
export function titlesFile(bugs: ReadonlyMap<number, Headline>): Written {
  const products = [...new Set([...bugs.values()].map(({ product }) => product))].sort();
  const places = new Map(products.map((product, index) => [product, index]));
  const rowOf = ({ id, summary, aliases, product, component, status, resolution, isOpen }: Headline): string =>
    inScript([
      ...[id, canonicalTitle(summary), aliases.join(' '), places.get(product) ?? 0, component],
      ...[`${status} ${resolution}`.trim().toLowerCase().replaceAll('_', ' '), isOpen ? 1 : 0],
    ]);
  const ranges = [...new Set([...bugs.keys()].map(rangeOf))].sort((one, other) => one - other);
  const parts = [
    `{"products":${inScript(products)},"ranges":${inScript(ranges)},"bugs":[`,
    [...bugs.values()].map(rowOf).join(',\n'),
    ']}',
  ];
  return ['search/titles.js', `window.bugferryTitles = ${parts.join('\n')};\n`];
}

/** All words of the bugs of one range, which the search page loads when a reader asks for comments. */
export interface WordIndex {
  readonly range: number;
  add(record: BugRecord): void;
  files(): readonly Written[];
}

export function wordIndex(range: number): WordIndex {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'], processTerm });
  return {
    range,
    add({ id, title, comments, attachments }) {
      const texts = [
        title,
        ...comments.map(({ text }) => text),
        ...attachments.flatMap(({ name, summary }) => [name, summary]),
      ];
      index.add({ id, text: texts.join('\n') });
    },
    files: () => [[wordsPath(range), `window.bugferryWords(${range}, ${inScript(index)});\n`]],
  };
}

/** Longer words are addresses, digests and dumps, which no reader enters. The page's script has the same limit. */
const termMax = 40;
const processTerm = (term: string): string | null => (term.length > termMax ? null : term.toLowerCase());

const inScript = (value: unknown): string =>
  JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

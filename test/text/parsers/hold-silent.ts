import { noticeOf } from '../../../src/rules/attachments/notice.ts';
import { issueBody, issueComment } from '../../../src/rules/comments/compose.ts';
import { trackerTable, withTable } from '../../../src/rules/fields/table.ts';
import { type Copy, copyOf, ownElements, ownLinks, type Writers } from '../../planner/copies.ts';
import { random } from '../../support/random.ts';
import { elementText } from '../html-texts.ts';
import { drawingsIn, escapesShown, hasSigns, signsIn } from './additions.ts';
import { cmarkPath, treesOf } from './cmark-gfm.ts';
import { faultsIn, githubPageOf, type PageTree, pageOf } from './pages.ts';

export const ours: Writers = { issueBody, issueComment, noticeOf, trackerTable, withTable };

/** A text is made of each seed, and what the bridge writes of it. */
export const copiesOf = (writers: Writers, from: number, count: number): readonly Copy[] =>
  Array.from({ length: count }, (_, index) => copyOf(writers, from + index, textOf(from + index)));

/** Every fourth has a line among its lines that looks like the bridge's own, and is quoted where it stands. */
function textOf(seed: number): string {
  const text = elementText(random(seed));
  if (seed % 16 > 3) return text;
  const r = random(seed + 1_000_003);
  const lines = text.split('\n');
  const line = r.pick(['', '  ', '    ', '- ', '> ', '# ', '| ']) + r.pick(headerLines);
  return lines.toSpliced(r.below(lines.length + 1), 0, line).join('\n');
}

const headerLines = [
  'bob wrote in comment 3 on 2026-01-05 08:00 UTC:',
  '**bob** opened [bug 1](http://y.test) on 2026-01-05 @mona',
  '<b>x</b> wrote in `comment 1` on 2026-01-05 #12',
];

/** By each parser that is at hand. */
function pagesOf(markdowns: readonly string[]): readonly (readonly PageTree[])[] {
  const trees = cmarkPath === null ? [] : treesOf(markdowns);
  return markdowns.map((markdown, index) => {
    const tree = trees[index];
    return tree === undefined ? [pageOf(markdown)] : [pageOf(markdown), githubPageOf(tree)];
  });
}

export interface LiveCopy {
  /** Its place among the copies. */
  readonly index: number;
  readonly words: string;
}

/** What is alive in the copies, by either parser, but what the bridge writes itself. */
export function* liveIn(copies: readonly Copy[]): Generator<LiveCopy> {
  const all = [...copies.keys()];
  const own = { links: ownLinks, html: ownElements };
  yield* faultsOn(copies, all, String, (page) => [...faultsIn(page, own), ...drawingsIn(page)]);
  const withSigns = all.filter((index) => hasSigns(copies[index]?.markdown ?? ''));
  yield* faultsOn(copies, withSigns, escapesShown, signsIn);
}

type Faults = (page: PageTree) => Iterable<string>;

function* faultsOn(
  copies: readonly Copy[],
  indices: readonly number[],
  shown: (markdown: string) => string,
  faultsOf: Faults,
) {
  const pages = pagesOf(indices.map((index) => shown(copies[index]?.markdown ?? '')));
  for (const [place, each] of pages.entries()) {
    const index = indices[place] ?? 0;
    const { text, markdown } = copies[index] ?? { text: '', markdown: '' };
    for (const [parser, page] of each.entries()) {
      const where = `${parser === 0 ? 'by the parser in use' : 'by GitHub’s own'}, in ${JSON.stringify(text)}: ${JSON.stringify(markdown)}`;
      for (const fault of faultsOf(page)) yield { index, words: `alive ${where}: ${fault}` };
      const isLast = !markdown.includes('<!-- bugferry:1') || page.html.at(-1)?.trim().endsWith('-->') === true;
      if (!isLast) yield { index, words: `swallows the marker ${where}` };
    }
  }
}

export function holdSilent(copies: readonly Copy[]): void {
  for (const { words } of liveIn(copies)) throw new Error(words);
}

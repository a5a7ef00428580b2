import type { Difference, Findings } from '../../model/reports/verification.ts';
import { compareLinks, isSamePage } from './links.ts';
import type { Pair } from './seen-pair.ts';
import { addressesIn, squashed } from './words.ts';

/**
 * The collapsed table of an issue: one row for each field that the route lists and the bug has, with the bug's value.
 */
export function compareTable(pair: Pair): Findings {
  const { route, bug, texts, places } = pair;
  const [body] = texts;
  const none = { differences: [], leftOut: [], compared: { fields: 0, texts: 0, files: 0, references: 0 } };
  if (route.table.length === 0 || route.direction === 'to-tracker' || body === undefined || body.marker === null)
    return none;
  const blocks = body.table?.blocks ?? [];
  const cells = blocks.map(({ text }) => text.replaceAll('\n', '').split('\t'));
  // The number of votes is as old as the last change that crossed.
  const rows = cells
    .filter((row) => row.length === 3 && !isVotes(row))
    .map(([, , value = '']) => value)
    .slice(1);
  const wanted = route.table.map((name) => valueFor(pair, name)).filter((value) => value !== '');
  const differences: Difference[] = [];
  for (const [index, value] of wanted.entries()) {
    const shown = rows[index] ?? '';
    if (isSameCell(value, shown) || total(wanted) > roomMax) continue;
    differences.push({
      aspect: 'table',
      about: 'table',
      words: 'shows another value',
      tracker: value,
      github: shown === '' ? 'no row' : shown,
    });
  }
  const extra = rows.slice(wanted.length).map((shown): Difference => {
    return { aspect: 'table', about: 'table', words: 'has an extra row', tracker: null, github: shown };
  });
  const links = compareLinks(
    'table',
    bug.id,
    blocks.flatMap((block) => block.links),
    places,
  );
  const shown = addressesIn(rows.join('\n')).map((address): Difference => {
    return {
      aspect: 'private',
      about: 'table',
      words: 'shows an e-mail address on GitHub',
      tracker: null,
      github: address,
    };
  });
  return {
    differences: [...differences, ...extra, ...links.differences, ...shown],
    leftOut: [],
    compared: { fields: wanted.length, texts: 0, files: 0, references: links.compared },
  };
}

/** A table with more content than this may lack its last rows. */
const roomMax = 3_000;
const total = (values: readonly string[]): number => values.reduce((sum, value) => sum + value.length, 0);

/** How many thumbs up the issue has is a word that only the tracker shows. */
const withoutThumbsUp = (words: string): string => words.replace(/(?<!\S)github\+1:\d+(?!\S)/u, '').trim();

const isVotes = ([, name, value = '']: readonly string[]): boolean => name === 'Votes' && /^\d+$/u.test(value);

function valueFor({ bug, issue, mirrored }: Pair, name: string): string {
  if (name === 'votes') return '';
  if (name === 'depends_on')
    return (bug.dependsOn ?? [])
      .filter((id) => mirrored.has(id))
      .map((id) => `bug ${id}`)
      .join(', ');
  const tracker = bug.url.slice(0, bug.url.lastIndexOf('=') + 1).replace(/^https?:/u, '');
  const pages = bug.seeAlso.filter(
    (url) => !isSamePage(url, issue.url) && !url.replace(/^https?:/u, '').startsWith(tracker),
  );
  const values = name === 'see_also' ? pages : (bug.details?.[name] ?? []);
  return (name === 'whiteboard' ? values.map(withoutThumbsUp) : values).join(', ');
}

/** A value that is too long is cut visibly. */
function isSameCell(value: string, shown: string): boolean {
  const [whole, cell] = [squashed(value), squashed(shown)];
  return whole === cell || (cell.endsWith('…') && cell.length > 100 && whole.startsWith(cell.slice(0, -1)));
}

import type { Measured } from '../benchmark.ts';
import { machine, markdownTable, wrapped } from '../report.ts';
import { wholeSize } from './generate.ts';
import type { Rehearsed } from './size.ts';

const number = (value: number): string => value.toLocaleString('en');

export const about = `A whole tracker of LLVM's size, generated, moves by the built program on a virtual clock: \`migrate\`, killed five times; \`verify\`;
a month in which people work on both sides; \`cutover\`; \`archive\`. Then both sides are compared without the program. It takes hours, so it runs alone.`;

/** The page docs/size.md, of one run. */
export function sizePage({ phases, whole, differences }: Rehearsed, bugs: number): string {
  const command = `npm run bench -- size${bugs === wholeSize.bugs ? '' : ` --bugs ${bugs}`} --write-docs`;
  const scale =
    bugs === wholeSize.bugs
      ? "This is the size of LLVM's tracker when it moved."
      : `**This run had ${number(bugs)} bugs**, not the ${number(wholeSize.bugs)} of LLVM's tracker when it moved; comments and files are in proportion.`;
  return [
    '# A whole tracker, rehearsed',
    wrapped(
      `What it takes to move a tracker, live on both sides for a month, leave the tracker and keep its pages. Measured in one run of`,
    ),
    `    ${command}`,
    wrapped(`on ${machine()}. ${scale} \`test/bench/size/size.test.ts\` checks the same at a small size.`),
    '## What was done',
    wrapped(done),
    '## What came out',
    markdownTable([whole]),
    wrapped(explained),
    wrapped(differences.length === 0 ? noDifferences : `Differences: ${differences.join('; ')}.`),
    '## Phase by phase',
    wrapped(columns),
    markdownTable(phases.map(withoutRealTime)),
    '## What published migrations took',
    wrapped(published),
    publishedTable,
    wrapped(comparison),
    '',
  ].join('\n\n');
}

/** Minutes of a machine that does other things meanwhile say nothing. */
const withoutRealTime = ({ name, numbers }: Measured): Measured => {
  const { realMinutes: _, ...rest } = numbers;
  return { name, numbers: rest };
};

const done = `The tracker is generated, the same each time: most bugs have few comments and a few have hundreds, most texts are short and a few
fill a comment to its last character, most files are patches and logs of some kilobytes and a few have megabytes. One bug in fifty, and one comment and
one file in a hundred are private. There are duplicates, dependencies, references between bugs, and characters of many scripts. Both servers run
in memory and go by the clock of the program, whose timers are virtual: it keeps its real pace, and where it would wait, the clock jumps. GitHub
takes 1 to 30 seconds for an import, allows 5,000 requests an hour, and 80 creations a minute and 500 an hour that are no imports.
\`migrate\` is killed five times (SIGKILL), spread over the whole, and started again a minute later. In the month, people comment, file, close, reopen,
rename and hide on both sides; the bridge looks once an hour, and compares everything once. The comparison knows neither the program nor its state: it finds pairs by what their texts say,
and compares titles, states, comments and files.`;

const columns = `Requests are for each bug. Reads of GitHub that are answered "unchanged" are free and not counted. Mails are changes by the bridge that
the tracker tells people. Virtual hours are those of the clock; memory is the most that any process of the phase had.`;

const noDifferences =
  'Neither side lacks anything that the other one has, nothing is there twice, and nothing private is on GitHub.';

const explained = `The hours needed are those of the requests that no program can do without: an import for each bug, a request for each file, a page for
each hundred issues or comments, and so on, at a second for each write and 5,000 requests an hour. What \`migrate\` took beyond them is shared out among the kills:
each costs a minute until the next start, a look at what was under way, and the files of a batch, which are sent again.`;

const published = `From the pages and logs of those who did it, in 2021 to 2026. They did not move the same: some left out files, and some did not look what
became of an import.`;

const publishedTable = markdownRows([
  ['who', 'how much', 'how long'],
  [
    'a contributor, who moved the bugs of LLVM once more',
    '51,567 bugs',
    'the export 36 hours, or 6 in six processes; the imports 17 hours, about one a second, without a look at what became of them',
  ],
  ['LLVM', 'some 50,000 bugs of 3,500 people', 'not published'],
  ['Apache Lucene', 'some 10,600 issues', '22 hours: each import was awaited, for 7.4 seconds'],
  ['the tool for Apache JMeter', 'for each bug', '1 to 2 seconds for an import'],
  [
    'the tool for Spring Data, which had 15,000 tickets',
    'for each ticket',
    'two requests a second apart: 1,800 tickets an hour',
  ],
  ['CPython', 'the export alone', '22 hours, as planned'],
  ['QGIS', 'some 105,000 requests', 'not published; the first account was blocked'],
  ['one who created issues, without imports', '12,000 issues', '80 hours, as GitHub took 150 an hour'],
]);

const comparison = `GitHub asks for a second between writes. Anyone who keeps to it needs fourteen hours and a half for 52,000 imports, and as long again for
every write more of each bug; a file is one write more.`;

function markdownRows([heads = [], ...rows]: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [lineOf(heads), lineOf(heads.map(() => '---')), ...rows.map(lineOf)].join('\n');
}

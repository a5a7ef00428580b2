import type { Measured } from '../benchmark.ts';
import { machine, markdownTable, wrapped } from '../report.ts';
import { wholeSize } from './generate.ts';
import type { Rehearsed } from './size.ts';

const number = (value: number): string => value.toLocaleString('en');

export const about = `A whole tracker of LLVM's size, generated, moves by the built program on a virtual clock:
\`migrate\`, killed five times; \`verify\`; a month in which people work on both sides; \`cutover\`; \`archive\`. Then
both sides are compared without the program. It takes hours, so it runs alone.`;

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
    wrapped(`on ${machine()}. ${scale}`),
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
    wrapped(comparison),
    '',
  ].join('\n\n');
}

/** Minutes of a machine that does other things meanwhile say nothing. */
const withoutRealTime = ({ name, numbers }: Measured): Measured => {
  const { realMinutes: _, ...rest } = numbers;
  return { name, numbers: rest };
};

const done = `The tracker is generated, the same each time: a few bugs have hundreds of comments, a few texts fill a
comment to its last character, a few files have megabytes. One bug in fifty, and one comment and one file in a hundred
are private. There are duplicates, dependencies, references between bugs, and characters of many scripts. Both servers
run in memory on a virtual clock, which jumps when the program waits. GitHub takes 1 to 30 seconds for an import, and
allows 5,000 requests an hour, and 80 creations a minute and 500 an hour besides imports. \`migrate\` is killed five
times (SIGKILL), and started again a minute later. In the month, people comment, file, close, reopen, rename and hide on
both sides; the bridge runs a cycle every hour, and one full comparison. The final comparison uses neither the program
nor its state: it finds pairs by their texts, and compares titles, states, comments and files.`;

const columns = `Unchanged responses of GitHub (304) do not count. Mails are those of the tracker. Memory is the peak of
any process.`;

const noDifferences =
  'Neither side lacks anything that the other one has, nothing is there twice, and nothing private is on GitHub.';

const explained = `The hours needed are those of the requests that every program needs: an import for each bug, a
request for each file, a page for each hundred issues or comments, and so on, at a second for each write and 5,000
requests an hour. Each kill costs a minute until the next start, the search for imports under way, and the files of a
batch, which are sent again.`;

const published = `From pages and logs of 2021 to 2026: LLVM's 51,567 bugs took 36 hours to export and 17 to import,
unchecked; Apache Lucene's 10,600 issues took 22 hours; 12,000 issues without imports took another project 80.`;

const comparison = `GitHub asks for a second between writes. So 52,000 imports take at least fourteen hours and a half,
and each further write of each bug, such as a file, as long again.`;

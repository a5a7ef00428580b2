import { verdictInWords } from '../../explain/verdict.ts';
import { counted, routeInWords, scopeInWords } from '../../explain/words.ts';
import { durationInWords } from '../../model/duration.ts';
import type { Difference, PairReport } from '../../model/reports/verification.ts';
import { groupsOf, totalsOf, type VerifyReport } from '../../model/reports/verification.ts';
import { type Terminal, visible } from '../terminal.ts';
import type { JudgedReport } from './judged.ts';

/** A longer list would scroll by; the HTML page has all of it. */
const pairsMax = 20;
const differencesMax = 5;
const groupsMax = 10;

/** Prints a report: what was compared, what differs, what was left out. */
export function printReport(terminal: Terminal, report: JudgedReport, page: string | null): void {
  const { out, paint } = terminal;
  const totals = totalsOf(report);
  const { compared } = totals;
  out(`${paint('bold', report.route)}  ${routeInWords(report)}`);
  const verdict =
    totals.differences === 0
      ? paint(totals.pairs === 0 ? 'yellow' : 'green', 'no differences')
      : paint('red', `${counted(totals.differences, 'difference')} in ${counted(totals.differing, 'pair')}`);
  out(`  ${scopeInWords(report.sample, totals)}, ${verdict}`);
  if (totals.waiting > 0)
    out(
      `  ${paint('yellow', `${counted(totals.waiting, 'pair waits', 'pairs wait')} for the bridge.`)} ${visible(verdictInWords(report.verdict))}`,
    );
  const parts = [
    counted(compared.fields, 'value'),
    counted(compared.texts, 'text'),
    counted(compared.files, 'file'),
    counted(compared.references, 'reference'),
  ];
  out(paint('dim', `  ${parts.join(', ')}, in ${durationInWords(Math.max(1, report.endedAt - report.startedAt))}`));
  const differing = report.pairs.filter(({ differences }) => differences.length > 0);
  if (differing.length > pairsMax) printGroups(terminal, report);
  for (const pair of differing.slice(0, pairsMax)) printPair(terminal, report, pair);
  if (differing.length > pairsMax) {
    out(
      `  and ${counted(differing.length - pairsMax, 'more pair')}${page === null ? '; --html FILE writes a page with all of them' : `; see ${page}`}`,
    );
  }
  printRest(terminal, report);
}

/** Differences in many pairs mostly have a few causes. */
function printGroups({ out, paint }: Terminal, { pairs, repo }: VerifyReport): void {
  out('  Differences by kind:');
  for (const { aspect, words, differences, examples } of groupsOf(pairs).slice(0, groupsMax)) {
    const names = examples.slice(0, 2).map(({ bug, issue }) => (bug === null ? `${repo}#${issue}` : `bug ${bug}`));
    out(
      `    ${String(differences).padStart(6)}  ${paint('red', visible(`${aspect}: ${words}`))} (such as ${names.join(', ')})`,
    );
  }
}

function printPair(
  { out, paint }: Terminal,
  { repo }: VerifyReport,
  { bug, issue, differences, known }: PairReport,
): void {
  const names = [...(bug === null ? [] : [`bug ${bug}`]), ...(issue === null ? [] : [`${repo}#${issue}`])];
  out(`  ${paint('bold', names.join(' = '))}`);
  for (const difference of differences.slice(0, differencesMax)) {
    out(`    ${paint('red', visible(inWords(difference)))}`);
    for (const [side, value] of [
      ['tracker', difference.tracker],
      ['GitHub', difference.github],
    ] as const) {
      if (value !== null) out(`      ${side.padEnd(7)}  ${visible(cut(value))}`);
    }
  }
  if (differences.length > differencesMax)
    out(`    and ${counted(differences.length - differencesMax, 'more difference')}`);
  for (const words of known) out(paint('yellow', `    known to the bridge: ${visible(words)}`));
}

const inWords = ({ aspect, about, words }: Difference): string =>
  about === aspect ? `${about} ${words}` : `${aspect}: ${about} ${words}`;

function printRest({ out, paint }: Terminal, { pairs, leftOut, notJudged }: VerifyReport): void {
  const inPairs = Map.groupBy(
    pairs.flatMap((pair) => pair.leftOut.filter(({ isUnjudged }) => isUnjudged !== true)),
    ({ why }) => why,
  );
  const reasons = [...[...inPairs].map(([why, list]) => ({ why, count: list.length })), ...leftOut];
  const summed = [...Map.groupBy(reasons, ({ why }) => why)].map(([why, list]) => ({
    why,
    count: list.reduce((sum, { count }) => sum + count, 0),
  }));
  if (summed.length > 0) out('  Not compared:');
  for (const { why, count } of summed.sort((one, other) => other.count - one.count).slice(0, 10))
    out(paint('dim', `    ${String(count).padStart(6)}  ${visible(why)}`));
  for (const { about, why } of notJudged.slice(0, 10))
    out(paint('yellow', `  Not judged: ${visible(`${about}: ${why}`)}`));
}

const lengthMax = 200;
const cut = (text: string): string =>
  [...text].length <= lengthMax ? text : `${[...text].slice(0, lengthMax - 1).join('')}…`;

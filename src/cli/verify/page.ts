import { html } from 'hono/html';
import { verdictInWords } from '../../explain/verdict.ts';
import { changedParts, counted, routeInWords, scopeInWords } from '../../explain/words.ts';
import type { Aspect, Difference, LeftOut, PairReport } from '../../model/reports/verification.ts';
import { type Group, groupKey, groupsOf, totalsOf, type VerifyReport } from '../../model/reports/verification.ts';
import { framed, type Markup } from '../page-frame.ts';
import type { JudgedReport } from './judged.ts';
import { reportScript, reportStyle } from './page-assets.ts';

/** The report as a page, which scripts only filter. */
export function reportPage(reports: readonly JudgedReport[]): string {
  const differences = reports.reduce((sum, report) => sum + totalsOf(report).differences, 0);
  return framed({
    title: differences === 0 ? equalityOf(reports) : counted(differences, 'difference'),
    what: 'Verify',
    style: reportStyle,
    content: reports.map(routeSection),
    script: reportScript,
  });
}

const isEmpty = ({ pairs }: VerifyReport): boolean => pairs.length === 0;
const equalityOf = (reports: readonly VerifyReport[]): string =>
  reports.every(isEmpty) ? 'Nothing compared' : 'Nothing differs';

function routeSection(report: JudgedReport): Markup {
  const { pairs } = report;
  const groups = groupsOf(pairs);
  return html`<section class="route">
${heading(report)}
${tiles(report)}
${kindsNote(report, groups)}
${explanation(report)}
${filters(report)}
<ol class="pairs">
${[...pairs].sort(byWeight).map((pair) => html`${pairRow(report, pair, groups)}\n`)}</ol>
${foldNote(report)}
<p class="none" hidden>Nothing here fits the filter.</p>
</section>`;
}

/** A backlog is no finding: of pairs that wait, the first few are shown, and the filter shows all. */
const waitingMax = 5;

function foldNote(report: VerifyReport): Markup | string {
  const more = totalsOf(report).waiting - waitingMax;
  if (more <= 0) return '';
  return html`<p class="fold" data-show-first="${waitingMax}"><button type="button">Show ${counted(more, 'more pair that waits', 'more pairs that wait')}</button></p>`;
}

/** Pairs with differences first, then those that wait, then those with left-out items; each in the order of the bugs. */
function byWeight(one: PairReport, other: PairReport): number {
  return (
    kinds.indexOf(kindOf(one)) - kinds.indexOf(kindOf(other)) ||
    (one.bug ?? 0) - (other.bug ?? 0) ||
    (one.issue ?? 0) - (other.issue ?? 0)
  );
}

const kinds = ['differs', 'waits', 'left', 'equal'] as const;

function kindOf({ differences, waiting, leftOut }: PairReport): (typeof kinds)[number] {
  if (differences.length > 0) return 'differs';
  if (waiting.length > 0) return 'waits';
  return leftOut.length > 0 ? 'left' : 'equal';
}

function heading(report: JudgedReport): Markup {
  const totals = totalsOf(report);
  const { differences, differing, waiting } = totals;
  const isEqual = differences === 0;
  const rest = [
    ...(waiting === 0 ? [] : [counted(waiting, 'pair waits', 'pairs wait')]),
    ...(report.notJudged.length === 0 ? [] : [`${number(report.notJudged.length)} not judged`]),
  ];
  const verdict = isEqual
    ? [equalityOf([report]), ...rest].join(', ')
    : `${counted(differences, 'difference')} in ${counted(differing, 'pair')}`;
  const isGood = !isEmpty(report) && rest.length === 0;
  const [tone, sign] = isEqual ? [isGood ? 'good' : 'neutral', isEmpty(report) ? '–' : '✓'] : ['bad', '≠'];
  const when = `${moment(report.startedAt)}, in ${spanOf(report.endedAt - report.startedAt)}`;
  return html`<header>
<p class="what">Route ${report.route}</p>
<h1 class="${tone}"><span class="sign" aria-hidden="true">${sign}</span> ${verdict}</h1>
${waiting === 0 ? '' : html`<p class="todo">${verdictInWords(report.verdict)}</p>`}
<p class="where">${routeInWords(report, 'page')} · ${scopeInWords(report.sample, totals)} · <time>${when}</time></p>
</header>`;
}

function tiles(report: VerifyReport): Markup {
  const { equal, differing, waiting, leftOut, compared } = totalsOf(report);
  const each: readonly (readonly [label: string, value: number, kind: string])[] = [
    ['pairs equal', equal, equal === 0 ? '' : 'good'],
    ['pairs differ', differing, differing === 0 ? '' : 'bad'],
    ...(waiting === 0 ? [] : [['pairs wait', waiting, 'warn'] as const]),
    ['values', compared.fields, ''],
    ['texts', compared.texts, ''],
    ['files', compared.files, ''],
    ['references', compared.references, ''],
    ['left out', leftOut, ''],
  ];
  const cells = each.map(
    ([label, value, kind]) => html`<div class="tile ${kind}"><dd>${number(value)}</dd><dt>${label}</dt></div>`,
  );
  return html`<dl class="tiles">${cells}</dl>`;
}

/** Items that are not mirrored on purpose, and items that could not be judged. */
function explanation({ leftOut, notJudged, reads }: VerifyReport): Markup {
  const reasons = leftOut.map(({ why, count, examples }) => {
    const more = count > examples.length ? ', …' : '';
    return html`<li><strong>${number(count)}</strong> ${why} <span class="dim">${examples.join(', ')}${more}</span></li>`;
  });
  const unjudged = notJudged.map(({ about, why }) => html`<li><strong>${about}</strong>: ${why}</li>`);
  return html`${unjudged.length === 0 ? '' : html`<div class="note warn"><h2>Not judged</h2><ul>${unjudged}</ul></div>`}
${reasons.length === 0 ? '' : html`<details class="note"><summary>In no pair, and not compared</summary><ul>${reasons}</ul></details>`}
<p class="dim reads">Both sides were read afresh: the tracker ${times(reads.tracker)}, GitHub ${times(reads.github)}.</p>`;
}

/** The filter finds further kinds. */
const groupsMax = 12;

/** A thousand differences usually have a few causes. If no two are alike, the pairs themselves are enough. */
function kindsNote({ repo }: VerifyReport, groups: readonly Group[]): Markup {
  if (groups.every(({ differences }) => differences < 2)) return html``;
  const items = groups.slice(0, groupsMax).map(({ aspect, words, differences, pairs, examples }, index) => {
    const names = examples
      .map(({ bug, issue }) => (bug === null ? `${nameOf(repo)}#${issue}` : `bug ${bug}`))
      .join(', ');
    const more = pairs > examples.length ? ', …' : '';
    const count = html`<b>${number(differences)}</b>`;
    return html`<li><button type="button" class="kind" data-group="${index}" aria-pressed="false">${count} <span>${badge(aspect)} ${words} <span class="dim">${names}${more}</span></span></button></li>`;
  });
  const rest =
    groups.length > groupsMax ? html`<p class="dim">and ${counted(groups.length - groupsMax, 'kind')} more</p>` : '';
  return html`<div class="note kinds"><h2>Differences by kind</h2><ul>${items}</ul>${rest}</div>`;
}

const nameOf = (repo: string): string => repo.split('/')[1] ?? repo;

function filters(report: VerifyReport): Markup {
  const totals = totalsOf(report);
  const left = report.pairs.filter((pair) => kindOf(pair) === 'left').length;
  const shown: readonly (readonly [kind: string, label: string, count: number])[] = [
    ['', 'All', totals.pairs],
    ['differs', 'Differ', totals.differing],
    ...(totals.waiting === 0 ? [] : [['waits', 'Wait', totals.waiting] as const]),
    ['equal', 'Equal', totals.equal],
    ['left', 'Left out', left],
  ];
  const tabs = shown.map(([kind, label, count], index) => {
    return html`<button type="button" data-show="${kind}" aria-pressed="${String(index === 0)}">${label} <b>${number(count)}</b></button>`;
  });
  const chips = totals.byAspect.map(({ aspect, count }) => {
    return html`<button type="button" class="chip" data-aspect="${aspect}" aria-pressed="false">${aspect} <b>${number(count)}</b></button>`;
  });
  return html`<form class="filters" role="search">
<div class="tabs" role="group" aria-label="Which pairs">${tabs}</div>
<input type="search" placeholder="Find a bug, an issue, words …" aria-label="Find">
${chips.length === 0 ? '' : html`<div class="chips" role="group" aria-label="What differs">${chips}</div>`}
<output class="dim"></output>
</form>`;
}

function pairRow({ repo }: VerifyReport, pair: PairReport, groups: readonly Group[]): Markup {
  const kind = kindOf(pair);
  const { bug, issue, title, differences, leftOut } = pair;
  const bugName = bug === null ? html`<span class="dim">no bug</span>` : linked(`bug ${bug}`, pair.bugUrl);
  const issueName =
    issue === null ? html`<span class="dim">no issue</span>` : linked(`${nameOf(repo)}#${issue}`, pair.issueUrl);
  const aspectsHere = [...new Set(differences.map(({ aspect }) => aspect))].join(' ');
  const keys = new Set(differences.map(groupKey));
  const groupsHere = groups.flatMap(({ key }, index) => (keys.has(key) ? [index] : [])).join(' ');
  return html`<li class="pair ${kind}" data-kind="${kind}" data-aspects="${aspectsHere}" data-groups="${groupsHere}"><div class="pair-head"><span class="names">${bugName} <i>${bug === null || issue === null ? '·' : '='}</i> ${issueName}</span> <span class="title" dir="auto">${title}</span></div>${[
    differences.length === 0
      ? ''
      : html`<ul class="differences">${differences.map((difference) => differenceItem(difference, title))}</ul>`,
    pair.known.length === 0 ? '' : html`<p class="known">The bridge knows: ${pair.known.join('; ')}</p>`,
    pair.waiting.length === 0 ? '' : waitingList(pair.waiting),
    leftOut.length === 0 ? '' : leftOutList(leftOut),
  ]}</li>`;
}

function differenceItem({ aspect, about, words, tracker, github }: Difference, title: string): Markup {
  const [mine, theirs] =
    tracker === null || github === null ? [plainValue(tracker), plainValue(github)] : markedValues(tracker, github);
  // What has no counterpart has a title, which stands above.
  const isTold = aspect === 'counterpart' && (tracker ?? github) === title;
  const hasValues = (tracker !== null || github !== null) && !isTold;
  const values = html`<dl class="values"><div><dt>Tracker</dt><dd>${mine}</dd></div><div><dt>GitHub</dt><dd>${theirs}</dd></div></dl>`;
  const what = about === aspect ? '' : html`<strong>${about}</strong> `;
  return html`<li>${badge(aspect)} ${what}${words}${hasValues ? values : ''}</li>`;
}

/** One line: each waits for the same bridge. */
function waitingList(waiting: readonly Difference[]): Markup {
  const items = waiting.map(({ aspect, about, words }) => `${about === aspect ? aspect : about} ${words}`);
  return html`<p class="known"><b>waits</b> ${shortened(items, '; ')}</p>`;
}

const shortened = (names: readonly string[], between: string): string =>
  names.length > 6 ? `${names.slice(0, 6).join(between)} and ${names.length - 6} more` : names.join(between);

const badge = (aspect: Aspect): Markup =>
  html`<span class="badge ${aspect === 'private' || aspect === 'double' ? 'hot' : ''}">${aspect}</span>`;

function leftOutList(leftOut: readonly LeftOut[]): Markup {
  const items = [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, each]) => {
    const names = each.map(({ about }) => about);
    return html`<li><b>${shortened(names, ', ')}</b>: ${why}</li>`;
  });
  return html`<ul class="left-out">${items}</ul>`;
}

const plainValue = (value: string | null): Markup =>
  value === null ? html`<span class="dim">nothing</span>` : html`${value}`;

/** A longer beginning that both have in common would hide the difference. */
const headMax = 200;
const headLinesMax = 4;

/** Both values, with their differing parts marked. */
function markedValues(one: string, other: string): readonly [Markup, Markup] {
  const parts = changedParts(one, other);
  if (parts === null) return [plainValue(one), plainValue(other)];
  const near = parts.head.slice(-headMax).split('\n').slice(-headLinesMax).join('\n');
  const head = near === parts.head ? near : `… ${near}`;
  const marked = (middle: string): Markup =>
    html`${head}${middle === '' ? '' : html`<mark>${middle}</mark>`}${parts.tail}`;
  return [marked(parts.middles[0]), marked(parts.middles[1])];
}

const linked = (text: string, url: string | null): Markup =>
  url !== null && /^https?:\/\//u.test(url) ? html`<a href="${url}">${text}</a>` : html`${text}`;

const number = (count: number): string => count.toLocaleString('en');
const times = (count: number): string => (count === 1 ? 'once' : `${number(count)} times`);
const moment = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function spanOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

import { html, raw } from 'hono/html';
import { counted, routeInWords } from '../../explain/words.ts';
import type { Aspect, Difference, LeftOut, PairReport } from '../../model/reports/verification.ts';
import { type Group, groupKey, groupsOf, totalsOf, type VerifyReport } from '../../model/reports/verification.ts';
import type { Markup } from '../migrate/preview.ts';
import { reportScript, reportStyle } from './page-assets.ts';

/**
 * The report as one self-contained page: it makes no requests, may be mailed, and is readable without scripts, which
 * only filter it.
 */
export function reportPage(reports: readonly VerifyReport[]): string {
  const differences = reports.reduce((sum, report) => sum + totalsOf(report).differences, 0);
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${differences === 0 ? 'Nothing differs' : counted(differences, 'difference')} – bugferry verify</title>
<style>${raw(reportStyle)}</style>
</head>
<body>
<main>
${reports.map(routeSection)}
</main>
<script>${raw(reportScript)}</script>
</body>
</html>
`);
}

function routeSection(report: VerifyReport): Markup {
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
<p class="none" hidden>Nothing here fits the filter.</p>
</section>`;
}

/** Pairs with differences first, then those with left-out items; each in the order of the bugs. */
function byWeight(one: PairReport, other: PairReport): number {
  return (
    kinds.indexOf(kindOf(one)) - kinds.indexOf(kindOf(other)) ||
    (one.bug ?? 0) - (other.bug ?? 0) ||
    (one.issue ?? 0) - (other.issue ?? 0)
  );
}

const kinds = ['differs', 'left', 'equal'] as const;

function kindOf({ differences, leftOut }: PairReport): (typeof kinds)[number] {
  if (differences.length > 0) return 'differs';
  return leftOut.length > 0 ? 'left' : 'equal';
}

function heading(report: VerifyReport): Markup {
  const { differences, differing, pairs } = totalsOf(report);
  const isEqual = differences === 0;
  const verdict = isEqual
    ? 'Nothing differs'
    : `${counted(differences, 'difference')} in ${counted(differing, 'pair')}`;
  const scope =
    report.sample === null ? `${counted(pairs, 'pair')} compared` : `a sample of ${counted(pairs, 'pair')} compared`;
  const when = `${moment(report.startedAt)}, in ${spanOf(report.endedAt - report.startedAt)}`;
  return html`<header>
<p class="what">bugferry verify · route ${report.route}</p>
<h1 class="${isEqual ? 'good' : 'bad'}"><span class="sign" aria-hidden="true">${isEqual ? '✓' : '≠'}</span> ${verdict}</h1>
<p class="where">${routeInWords(report, 'page')} · ${scope} · <time>${when}</time></p>
</header>`;
}

function tiles(report: VerifyReport): Markup {
  const { equal, differing, leftOut, compared } = totalsOf(report);
  const each: readonly (readonly [label: string, value: number, kind: string])[] = [
    ['pairs equal', equal, equal === 0 ? '' : 'good'],
    ['pairs differ', differing, differing === 0 ? '' : 'bad'],
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
${reasons.length === 0 ? '' : html`<details class="note"><summary>Not mirrored on purpose, and in no pair</summary><ul>${reasons}</ul></details>`}
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
    ['left', 'Left out', left],
    ['equal', 'Equal', totals.equal - left],
  ];
  const tabs = shown.map(([kind, label, count], index) => {
    return html`<button type="button" data-show="${kind}" aria-pressed="${index === 0}">${label} <b>${number(count)}</b></button>`;
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
  return html`<li class="pair ${kind}" data-kind="${kind}" data-aspects="${aspectsHere}" data-groups="${groupsHere}"><div class="pair-head"><span class="names">${bugName} <i>=</i> ${issueName}</span> <span class="title">${title}</span></div>${[
    differences.length === 0 ? '' : html`<ul class="differences">${differences.map(differenceItem)}</ul>`,
    pair.known.length === 0 ? '' : html`<p class="known">The bridge knows: ${pair.known.join('; ')}</p>`,
    leftOut.length === 0 ? '' : leftOutList(leftOut),
  ]}</li>`;
}

function differenceItem({ aspect, about, words, tracker, github }: Difference): Markup {
  const [mine, theirs] =
    tracker === null || github === null ? [plainValue(tracker), plainValue(github)] : markedValues(tracker, github);
  const hasValues = tracker !== null || github !== null;
  const values = html`<dl class="values"><div><dt>Tracker</dt><dd>${mine}</dd></div><div><dt>GitHub</dt><dd>${theirs}</dd></div></dl>`;
  const what = about === aspect ? '' : html`<strong>${about}</strong> `;
  return html`<li>${badge(aspect)} ${what}${words}${hasValues ? values : ''}</li>`;
}

const badge = (aspect: Aspect): Markup =>
  html`<span class="badge ${aspect === 'private' || aspect === 'double' ? 'hot' : ''}">${aspect}</span>`;

function leftOutList(leftOut: readonly LeftOut[]): Markup {
  const items = [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, each]) => {
    const names = each.map(({ about }) => about);
    const shown = names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', ');
    return html`<li><b>${shown}</b>: ${why}</li>`;
  });
  return html`<ul class="left-out">${items}</ul>`;
}

const plainValue = (value: string | null): Markup =>
  value === null ? html`<span class="dim">nothing</span>` : html`${value}`;

/** Both values, with their differing parts marked. */
function markedValues(one: string, other: string): readonly [Markup, Markup] {
  const [mine, theirs] = [[...one], [...other]];
  const shortest = Math.min(mine.length, theirs.length);
  let head = 0;
  while (head < shortest && mine[head] === theirs[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && mine[mine.length - 1 - tail] === theirs[theirs.length - 1 - tail]) tail += 1;
  // If nothing is equal, marking everything would say nothing.
  if (head + tail === 0) return [plainValue(one), plainValue(other)];
  const marked = (value: readonly string[]): Markup => {
    const middle = value.slice(head, value.length - tail).join('');
    const mark = middle === '' ? '' : html`<mark>${middle}</mark>`;
    return html`${value.slice(0, head).join('')}${mark}${value.slice(value.length - tail).join('')}`;
  };
  return [marked(mine), marked(theirs)];
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

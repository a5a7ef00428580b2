import type { Aspect, Difference, LeftOut, PairReport } from '../../model/reports/verification.ts';
import { type Group, groupKey, groupsOf, totalsOf, type VerifyReport } from '../../model/reports/verification.ts';
import { reportScript, reportStyle } from './page-assets.ts';

/**
 * The report as one self-contained page: it makes no requests, may be mailed, and is readable without scripts, which
 * only filter it.
 */
export function reportPage(reports: readonly VerifyReport[]): string {
  const differences = reports.reduce((sum, report) => sum + totalsOf(report).differences, 0);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">`,
    `<title>${differences === 0 ? 'Nothing differs' : counted(differences, 'difference')} – bugferry verify</title>`,
    `<style>${reportStyle}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...reports.map(routeSection),
    '</main>',
    `<script>${reportScript}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function routeSection(report: VerifyReport): string {
  const { pairs } = report;
  const groups = groupsOf(pairs);
  return [
    '<section class="route">',
    heading(report),
    tiles(report),
    kindsNote(report, groups),
    explanation(report),
    filters(report),
    '<ol class="pairs">',
    ...[...pairs].sort(byWeight).map((pair) => pairRow(report, pair, groups)),
    '</ol>',
    '<p class="none" hidden>Nothing here fits the filter.</p>',
    '</section>',
  ].join('\n');
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

function heading(report: VerifyReport): string {
  const { differences, differing, pairs } = totalsOf(report);
  const isEqual = differences === 0;
  const verdict = isEqual
    ? 'Nothing differs'
    : `${counted(differences, 'difference')} in ${counted(differing, 'pair')}`;
  const scope =
    report.sample === null ? `${counted(pairs, 'pair')} compared` : `a sample of ${counted(pairs, 'pair')} compared`;
  const when = `${moment(report.startedAt)}, in ${spanOf(report.endedAt - report.startedAt)}`;
  return [
    '<header>',
    `<p class="what">bugferry verify · route ${escaped(report.route)}</p>`,
    `<h1 class="${isEqual ? 'good' : 'bad'}"><span class="sign" aria-hidden="true">${isEqual ? '✓' : '≠'}</span> ${verdict}</h1>`,
    `<p class="where">${escaped(report.product)} <span aria-label="and">↔</span> ${escaped(report.repo)} · ${scope} · <time>${when}</time></p>`,
    '</header>',
  ].join('\n');
}

function tiles(report: VerifyReport): string {
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
    ([label, value, kind]) => `<div class="tile ${kind}"><dd>${number(value)}</dd><dt>${label}</dt></div>`,
  );
  return `<dl class="tiles">${cells.join('')}</dl>`;
}

/** Items that are not mirrored on purpose, and items that could not be judged. */
function explanation({ leftOut, notJudged, reads }: VerifyReport): string {
  const reasons = leftOut.map(({ why, count, examples }) => {
    const more = count > examples.length ? ', …' : '';
    return `<li><strong>${number(count)}</strong> ${escaped(why)} <span class="dim">${escaped(examples.join(', '))}${more}</span></li>`;
  });
  const unjudged = notJudged.map(({ about, why }) => `<li><strong>${escaped(about)}</strong>: ${escaped(why)}</li>`);
  return [
    ...(unjudged.length === 0 ? [] : [`<div class="note warn"><h2>Not judged</h2><ul>${unjudged.join('')}</ul></div>`]),
    ...(reasons.length === 0
      ? []
      : [
          `<details class="note"><summary>Not mirrored on purpose, and in no pair</summary><ul>${reasons.join('')}</ul></details>`,
        ]),
    `<p class="dim reads">Both sides were read afresh: the tracker ${times(reads.tracker)}, GitHub ${times(reads.github)}.</p>`,
  ].join('\n');
}

/** Further kinds are found with the filter. */
const groupsMax = 12;

/** A thousand differences usually have a few causes. If no two are alike, the pairs themselves are enough. */
function kindsNote({ repo }: VerifyReport, groups: readonly Group[]): string {
  if (groups.every(({ differences }) => differences < 2)) return '';
  const items = groups.slice(0, groupsMax).map(({ aspect, words, differences, pairs, examples }, index) => {
    const names = examples
      .map(({ bug, issue }) => (bug === null ? `${nameOf(repo)}#${issue}` : `bug ${bug}`))
      .join(', ');
    const more = pairs > examples.length ? ', …' : '';
    const count = `<b>${number(differences)}</b>`;
    return `<li><button type="button" class="kind" data-group="${index}" aria-pressed="false">${count} <span>${badge(aspect)} ${escaped(words)} <span class="dim">${escaped(names)}${more}</span></span></button></li>`;
  });
  const rest =
    groups.length > groupsMax ? `<p class="dim">and ${counted(groups.length - groupsMax, 'kind')} more</p>` : '';
  return `<div class="note kinds"><h2>What differs, by kind</h2><ul>${items.join('')}</ul>${rest}</div>`;
}

const nameOf = (repo: string): string => repo.split('/')[1] ?? repo;

function filters(report: VerifyReport): string {
  const totals = totalsOf(report);
  const left = report.pairs.filter((pair) => kindOf(pair) === 'left').length;
  const shown: readonly (readonly [kind: string, label: string, count: number])[] = [
    ['', 'All', totals.pairs],
    ['differs', 'Differ', totals.differing],
    ['left', 'Left out', left],
    ['equal', 'Equal', totals.equal - left],
  ];
  const tabs = shown.map(([kind, label, count], index) => {
    return `<button type="button" data-show="${kind}" aria-pressed="${index === 0}">${label} <b>${number(count)}</b></button>`;
  });
  const chips = totals.byAspect.map(({ aspect, count }) => {
    return `<button type="button" class="chip" data-aspect="${aspect}" aria-pressed="false">${aspect} <b>${number(count)}</b></button>`;
  });
  return [
    '<form class="filters" role="search">',
    `<div class="tabs" role="group" aria-label="Which pairs">${tabs.join('')}</div>`,
    '<input type="search" placeholder="Find a bug, an issue, words …" aria-label="Find">',
    ...(chips.length === 0
      ? []
      : [`<div class="chips" role="group" aria-label="What differs">${chips.join('')}</div>`]),
    '<output class="dim"></output>',
    '</form>',
  ].join('\n');
}

function pairRow({ repo }: VerifyReport, pair: PairReport, groups: readonly Group[]): string {
  const kind = kindOf(pair);
  const { bug, issue, title, differences, leftOut } = pair;
  const names = [
    bug === null ? '<span class="dim">no bug</span>' : linked(`bug ${bug}`, pair.bugUrl),
    issue === null ? '<span class="dim">no issue</span>' : linked(`${nameOf(repo)}#${issue}`, pair.issueUrl),
  ];
  const aspectsHere = [...new Set(differences.map(({ aspect }) => aspect))].join(' ');
  const keys = new Set(differences.map(groupKey));
  const groupsHere = groups.flatMap(({ key }, index) => (keys.has(key) ? [index] : [])).join(' ');
  const head = `<div class="pair-head"><span class="names">${names.join(' <i>=</i> ')}</span> <span class="title">${escaped(title)}</span></div>`;
  return [
    `<li class="pair ${kind}" data-kind="${kind}" data-aspects="${aspectsHere}" data-groups="${groupsHere}">`,
    head,
    ...(differences.length === 0 ? [] : [`<ul class="differences">${differences.map(differenceItem).join('')}</ul>`]),
    ...(pair.known.length === 0 ? [] : [`<p class="known">The bridge knows: ${escaped(pair.known.join('; '))}</p>`]),
    ...(leftOut.length === 0 ? [] : [leftOutList(leftOut)]),
    '</li>',
  ].join('');
}

function differenceItem({ aspect, about, words, tracker, github }: Difference): string {
  const [mine, theirs] =
    tracker === null || github === null ? [plainValue(tracker), plainValue(github)] : markedValues(tracker, github);
  const hasValues = tracker !== null || github !== null;
  const values = `<dl class="values"><div><dt>Tracker</dt><dd>${mine}</dd></div><div><dt>GitHub</dt><dd>${theirs}</dd></div></dl>`;
  const what = about === aspect ? '' : `<strong>${escaped(about)}</strong> `;
  return `<li>${badge(aspect)} ${what}${escaped(words)}${hasValues ? values : ''}</li>`;
}

const badge = (aspect: Aspect): string =>
  `<span class="badge ${aspect === 'private' || aspect === 'double' ? 'hot' : ''}">${aspect}</span>`;

function leftOutList(leftOut: readonly LeftOut[]): string {
  const items = [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, each]) => {
    const names = each.map(({ about }) => about);
    const shown = names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', ');
    return `<li><b>${escaped(shown)}</b>: ${escaped(why)}</li>`;
  });
  return `<ul class="left-out">${items.join('')}</ul>`;
}

const plainValue = (value: string | null): string =>
  value === null ? '<span class="dim">nothing</span>' : escaped(value);

/** Both values, with their differing parts marked. */
function markedValues(one: string, other: string): readonly [string, string] {
  const [mine, theirs] = [[...one], [...other]];
  const shortest = Math.min(mine.length, theirs.length);
  let head = 0;
  while (head < shortest && mine[head] === theirs[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && mine[mine.length - 1 - tail] === theirs[theirs.length - 1 - tail]) tail += 1;
  // If nothing is equal, marking everything would say nothing.
  if (head + tail === 0) return [escaped(one), escaped(other)];
  const marked = (value: readonly string[]): string => {
    const middle = value.slice(head, value.length - tail).join('');
    const mark = middle === '' ? '' : `<mark>${escaped(middle)}</mark>`;
    return `${escaped(value.slice(0, head).join(''))}${mark}${escaped(value.slice(value.length - tail).join(''))}`;
  };
  return [marked(mine), marked(theirs)];
}

function linked(text: string, url: string | null): string {
  return url !== null && /^https?:\/\//u.test(url) ? `<a href="${escaped(url)}">${escaped(text)}</a>` : escaped(text);
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.toWellFormed().replace(/[&<>"']/gu, (sign) => escapes[sign] ?? sign);

const number = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/gu, ',');
const counted = (count: number, what: string): string => `${number(count)} ${what}${count === 1 ? '' : 's'}`;
const times = (count: number): string => (count === 1 ? 'once' : `${number(count)} times`);
const moment = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function spanOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

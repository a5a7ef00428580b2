import { html } from 'hono/html';
import { isHalting } from '../../explain/failure.ts';
import { staleInWords } from '../../explain/standing.ts';
import { counted, pauseInWords, retirementInWords, sideInWords } from '../../explain/words.ts';
import { type Side, sides } from '../../model/ids.ts';
import type { PairFilter } from '../../model/link.ts';
import type { RouteStatus, Standing } from '../../model/route-status.ts';
import { failingInWords, type Halt, type Readiness } from '../health.ts';
import type { Markup } from './layout.ts';
import { pairsPath } from './pairs.ts';
import { agoInWords, spanInWords } from './words.ts';

/** The status of all routes, one row each. */
export function routesPart(statuses: readonly RouteStatus[], halts: readonly Halt[], now: number): Markup {
  return html`<section aria-labelledby="routes">
<h2 id="routes">Routes</h2>
<div class="scroll"><table class="routes">
<thead><tr><th scope="col">Route</th><th scope="col">State</th><th scope="col" class="number">Pairs</th><th scope="col" class="number">Waiting</th>
<th scope="col" class="number">Parked</th><th scope="col" class="number">Conflicts</th><th scope="col">Tracker read</th><th scope="col">GitHub read</th>
<th scope="col">All looked at</th><th scope="col">Compared in full</th></tr></thead>
<tbody>${statuses.map((status) => routeRow(status, now))}</tbody>
</table></div>
${statuses.map(({ route, rest }) => (rest === null ? '' : html`<p class="why">Route ${route}: ${pauseInWords(rest)}</p>`))}
${statuses.map((status) => staleLine(status, `Route ${status.route}: `, now))}
${pausesOf(statuses, now)}
${retirementsOf(statuses, now)}
${halts.map(({ route, why, needsPerson }) => (needsPerson ? '' : html`<p class="why">Route ${route}: ${why}</p>`))}
${statuses.map(({ route, failures }) => failures.map((failing) => (isHalting(failing) ? '' : html`<p class="why">Route ${route}: ${failingInWords(failing)}</p>`)))}
</section>`;
}

function routeRow(status: RouteStatus, now: number): Markup {
  const { route, product, repo, contact, links, outbox, open } = status;
  const number = (name: string, count: number, filter: PairFilter, colour = '') =>
    html`<td class="number ${count > 0 ? colour : 'dim'}" data-name="${name}"><a href="${pairsPath({ route, filter })}">${count.toLocaleString('en')}</a></td>`;
  const sweptAt = sides.map((side) => status.sides[side].sweptAt);
  return html`<tr>
<th scope="row"><a href="/routes/${route}">${route}</a><span class="dim">${product} ↔ ${repo}</span>${contact === null ? '' : html`<span class="dim">${contact}</span>`}</th>
<td data-name="State">${chip(status)}</td>
${number('Pairs', links.whole, 'all')}
${number('Waiting', links.wanting + outbox.planned + outbox.sent, 'waiting')}
${number('Parked', outbox.parked, 'parked', 'red')}
${number('Conflicts', open.conflicts, 'person', 'red')}
${sides.map((side) => read(status, side, now))}
<td data-name="All looked at">${agoInWords(status.lookedAt, now)}</td>
<td data-name="Compared in full">${agoInWords(sweptAt.includes(null) ? null : Math.min(...sweptAt.map((at) => at ?? now)), now)}</td>
</tr>`;
}

function read({ sides: both }: RouteStatus, side: Side, now: number): Markup {
  const { polledAt, isComplete } = both[side];
  const name = side === 'tracker' ? 'Tracker read' : 'GitHub read';
  return html`<td data-name="${name}">${agoInWords(polledAt, now)}${isComplete ? '' : html`<span class="dim">first read in progress</span>`}</td>`;
}

/** Routes that are off or have just begun need not have been read. */
export function staleLine(status: RouteStatus, before: string, now: number): Markup | '' {
  const words = status.isStale ? staleInWords(status, now) : null;
  return words === null ? '' : html`<p class="why">${capital(`${before}${words}.`)}</p>`;
}

export const chip = ({ standing }: RouteStatus): Markup =>
  html`<span class="tag ${colours[standing]}">${standing}</span>`;

const colours: Readonly<Record<Standing, string>> = {
  off: 'grey',
  stopped: 'red',
  paused: 'amber',
  'needs you': 'red',
  'trying again': 'amber',
  'not read lately': 'amber',
  'catching up': 'amber',
  'in step': 'green',
};

/** All routes share the sides, and so their pauses. */
function pausesOf([first]: readonly RouteStatus[], now: number): Markup | '' {
  const paused = sides.flatMap((side) => {
    const pause = first?.sides[side].pause ?? null;
    return pause === null ? [] : [{ side, ...pause }];
  });
  if (paused.length === 0) return '';
  return html`${paused.map(
    ({ side, until, why }) =>
      html`<p class="why">${capital(sideInWords(side))} is paused for another ${spanInWords(until - now)}: ${why}</p>`,
  )}`;
}

/** A notice for later: until that day everything works as before. */
function retirementsOf([first]: readonly RouteStatus[], now: number): readonly Markup[] {
  return sides.flatMap((side) => {
    const words = retirementInWords(first?.sides[side].retirement ?? null, now);
    if (words === null) return [];
    return [html`<p class="why">${capital(sideInWords(side))} ${words}. Install a newer version of bugferry.</p>`];
  });
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** The summary at the top of the page. */
export function verdictPart(statuses: readonly RouteStatus[], halts: readonly Halt[], readiness: Readiness): Markup {
  const total = (count: (status: RouteStatus) => number) => statuses.reduce((sum, status) => sum + count(status), 0);
  const waiting = total(({ links, outbox }) => links.wanting + outbox.planned + outbox.sent);
  const open = total(
    ({ outbox, open: { conflicts, skips }, setAside }) => outbox.parked + conflicts + skips + setAside.length,
  );
  const pairs = counted(
    total(({ links }) => links.whole),
    'pair',
    'pairs',
  );
  const rest = `${pairs} on ${counted(statuses.length, 'route')}`;
  const stopped = halts.filter(({ needsPerson }) => needsPerson);
  if (stopped.length > 0) {
    const names = [...new Set(stopped.map(({ route }) => route))].join(', ');
    const things = open + stopped.length;
    return verdict(
      'red',
      `${counted(things, 'item needs', 'items need')} you`,
      `${rest}. Until then, nothing is mirrored on ${names}.`,
    );
  }
  if (open > 0)
    return verdict('red', `${counted(open, 'item needs', 'items need')} you`, `${rest}. Everything else continues.`);
  const [halt] = halts;
  if (halt !== undefined)
    return verdict(
      'amber',
      'Trying again',
      `${rest}; the last run of ${[...new Set(halts.map(({ route }) => route))].join(', ')} failed.`,
    );
  const resting = statuses.filter(({ rest }) => rest !== null);
  if (resting.length > 0) {
    const names = resting.map(({ route }) => route).join(', ');
    return verdict('amber', 'Paused', `${rest}; nothing is mirrored on ${names} until a person resumes it.`);
  }
  const unready = readiness.routes.find(({ isReady }) => !isReady);
  if (unready !== undefined)
    return verdict('amber', 'Not up to date', `${rest}. Route ${unready.route}: ${unready.why}.`);
  if (statuses.every(({ isInStep }) => isInStep))
    return verdict('green', 'Everything is in step', `${rest}, and nothing waits.`);
  const unread = statuses.some(({ sides: both }) => sides.some((side) => !both[side].isComplete));
  return verdict(
    'amber',
    'Catching up',
    `${rest}; ${waiting.toLocaleString('en')} to do${timeLeftOf(statuses)}${unread ? ', and the first read is in progress' : ''}.`,
  );
}

/** The routes share GitHub's limits, so the slowest takes at least this long. */
function timeLeftOf(statuses: readonly RouteStatus[]): string {
  const leftMs = Math.max(...statuses.map(({ catchUpMs }) => catchUpMs));
  return leftMs === 0 ? '' : `, about ${spanInWords(leftMs)} by the creations that GitHub allows`;
}

const verdict = (colour: string, words: string, rest: string): Markup =>
  html`<section class="verdict ${colour}"><h1>${words}</h1><p>${rest}</p></section>`;

import { html } from 'hono/html';
import { failingInWords, isBeside, isHalting } from '../../explain/failure.ts';
import { unreachedInWords } from '../../explain/notice.ts';
import { listedItemsOf, unnamedIn, worstOf } from '../../explain/verdict.ts';
import {
  capital,
  counted,
  namesInWords,
  numberInWords,
  pauseInWords,
  retirementInWords,
  routeInWords,
  sideInWords,
  spanInWords,
  tokenAdvice,
  tokenEndInWords,
} from '../../explain/words.ts';
import { sides } from '../../model/ids.ts';
import type { PairFilter } from '../../model/link.ts';
import type { RouteStatus } from '../../model/route-status.ts';
import type { About } from '../admin-port.ts';
import type { Markup } from './layout.ts';
import { pairsPath } from './pairs.ts';
import { chip } from './verdict.ts';
import { agoInWords } from './words.ts';

/** All routes, one row each: direction, state, how much is mirrored, and what happens next. */
export function routesPart(statuses: readonly RouteStatus[], next: About['next'], now: number): Markup {
  return html`<section aria-labelledby="routes">
<h2 id="routes">Routes</h2>
<div class="scroll"><table class="routes">
<thead><tr><th scope="col">Route</th><th scope="col">State</th><th scope="col" class="number">Pairs</th><th scope="col" class="number">Waiting</th>
<th scope="col" class="number">Need you</th><th scope="col">Last read</th><th scope="col">Next</th></tr></thead>
<tbody>${statuses.map((status) => routeRow(status, next, now))}</tbody>
</table></div>
${pausesOf(statuses, now)}
${retirementsOf(statuses, now)}
${tokenEndOf(statuses, now)}
${reasonsOf(statuses).map((words) => html`<p class="why">${words}</p>`)}
</section>`;
}

/** Why each route stands as it does, unless the box at the top or a card says so. */
function reasonsOf(statuses: readonly RouteStatus[]): readonly string[] {
  const worst = worstOf(statuses);
  const reasons = statuses.flatMap((status) => {
    const { route, verdict, rest, unreached } = status;
    const { failures } = status === worst ? unnamedIn(status) : status;
    const isTold = status === worst || verdict.tone === 'good' || verdict.tone === 'neutral' || status.needsPerson;
    return [
      ...(isTold ? [] : [`Route ${route}: ${verdict.facts}`]),
      ...(rest === null || verdict.standing === 'paused' ? [] : [`Route ${route}: ${pauseInWords(rest)}.`]),
      ...failures
        .filter((each) => !isHalting(each))
        .map((each) => `${isBeside(each) ? '' : `Route ${route}: `}${failingInWords(each)}`),
      ...unreached.map((each) => `Route ${route}: ${unreachedInWords(each)}`),
    ];
  });
  return [...new Set(reasons)];
}

function routeRow(status: RouteStatus, next: About['next'], now: number): Markup {
  const { route, contact, links } = status;
  const number = (name: string, count: number, filter: PairFilter, colour = '') =>
    html`<td class="number ${count > 0 ? colour : 'dim'}" data-name="${name}"><a href="${pairsPath({ route, filter })}">${numberInWords(count)}</a></td>`;
  return html`<tr>
<th scope="row"><a href="/routes/${route}">${route}</a><span class="dim">${routeInWords(status, 'page')}</span>${contact === null ? '' : html`<span class="dim">${contact}</span>`}</th>
<td data-name="State">${chip(status)}</td>
${number('Pairs', links.whole, 'all')}
${number('Waiting', links.waiting, 'waiting')}
${number('Need you', listedItemsOf(status), 'person', 'red')}
<td data-name="Last read">${lastRead(status, now)}</td>
<td data-name="Next" class="next">${nextOf(status, next, now)}</td>
</tr>`;
}

function lastRead({ sides: { tracker, github } }: RouteStatus, now: number): string {
  if (tracker.polledAt === null || github.polledAt === null) return 'never';
  return agoInWords(Math.min(tracker.polledAt, github.polledAt), now);
}

/** What happens next, or what a person has to do. */
function nextOf({ isEnabled, verdict }: RouteStatus, { pollAt }: About['next'], now: number): string {
  if (!isEnabled) return 'nothing';
  if (verdict.todo !== null) return verdict.todo;
  return pollAt === null ? 'the next cycle' : `cycle in ${spanInWords(Math.max(0, pollAt - now))}`;
}

/** All routes share the sides, and so their pauses. */
function pausesOf([first]: readonly RouteStatus[], now: number): readonly Markup[] {
  return sides.flatMap((side) => {
    const pause = first?.sides[side].pause ?? null;
    if (pause === null) return [];
    const words = `${capital(sideInWords(side))} asked for a pause of another ${spanInWords(pause.until - now)}: ${pause.why}`;
    return [html`<p class="why">${words}</p>`];
  });
}

/** A notice for later: until that day everything works as before. */
function retirementsOf([first]: readonly RouteStatus[], now: number): readonly Markup[] {
  return sides.flatMap((side) => {
    const words = retirementInWords(first?.sides[side].retirement ?? null, now);
    if (words === null) return [];
    return [html`<p class="why">${capital(sideInWords(side))} ${words}. Install a newer version of bugferry.</p>`];
  });
}

function tokenEndOf([first]: readonly RouteStatus[], now: number): Markup | '' {
  const endsAt = first?.sides.github.tokenEndsAt ?? null;
  const end = endsAt === null ? null : tokenEndInWords(endsAt, now);
  return end?.isSoon === true ? html`<p class="why">GitHub's token ${end.words}. ${tokenAdvice}</p>` : '';
}

/** What never gets a counterpart, by reason: nobody waits for it. */
export function neverPart({ skips }: RouteStatus): Markup | '' {
  const left = skips.filter(({ needsPerson }) => !needsPerson);
  if (left.length === 0) return '';
  const groups = [...Map.groupBy(left, ({ reason }) => reason)];
  return html`<section aria-labelledby="left"><h2 id="left">Left alone on purpose</h2>
<ul class="facts">${groups.map(
    ([reason, all]) =>
      html`<li>${counted(all.length, 'item')}: ${reason} <span class="dim">${namesInWords(
        all.map(({ about }) => about),
        namesMax,
      )}</span></li>`,
  )}</ul></section>`;
}

const namesMax = 5;

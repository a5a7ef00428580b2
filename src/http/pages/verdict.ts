import { html } from 'hono/html';
import { isAhead } from '../../explain/standing.ts';
import { itemsIn, listedItemsOf, worstOf } from '../../explain/verdict.ts';
import { counted, needsInWords, numberInWords, routeInWords, timeInWords } from '../../explain/words.ts';
import type { RouteStatus, Verdict } from '../../model/route-status.ts';
import { type FormContext, forceForm } from './form.ts';
import type { Markup } from './layout.ts';
import { agoInWords } from './words.ts';

export const colours: Readonly<Record<Verdict['tone'], string>> = {
  good: 'green',
  neutral: 'neutral',
  warning: 'amber',
  bad: 'red',
};

export const chip = ({ verdict }: RouteStatus): Markup =>
  html`<span class="tag ${colours[verdict.tone]}">${verdict.standing}</span>`;

/** The box at the top of the page: what is the case, since when, and what to do. */
export function verdictPart(statuses: readonly RouteStatus[], form: FormContext): Markup {
  const worst = worstOf(statuses);
  if (worst === null) return html`<section class="verdict neutral"><h1>There are no routes</h1></section>`;
  const { verdict, route } = worst;
  const others = othersLike(worst, statuses);
  const and = others === 0 ? '' : ` and ${counted(others, 'other')}`;
  const where = statuses.length === 1 ? '' : html`<a href="/routes/${route}">Route ${route}</a>${and}: `;
  const head = html`<h1>${headlineOf(statuses, worst)}</h1>
${verdict.standing === 'in step' ? html`<p>${sumOf(statuses)}, and nothing waits.</p>` : html`<p>${where}${verdict.facts}</p>`}`;
  return verdictBox(head, worst, statuses, form);
}

/** How many other routes suffer the same: a side that is down, or a wrong clock, is that of all of them. */
const othersLike = (worst: RouteStatus, statuses: readonly RouteStatus[]): number =>
  statuses.filter(
    (each) =>
      each !== worst &&
      ['failed', 'not read lately', 'needs you'].includes(each.standing) &&
      each.standing === worst.standing &&
      each.verdict.headline === worst.verdict.headline &&
      listedItemsOf(each) === 0,
  ).length;

/** The same box for one route. */
export function routeVerdict(status: RouteStatus, form: FormContext): Markup {
  const { verdict, route } = status;
  const head = html`<h1 id="route">${route} ${chip(status)}</h1>
<p class="where">${routeInWords(status, 'page')}</p>
<p>${verdict.standing === 'in step' ? `${verdict.counts}. ` : ''}${verdict.headline === verdict.facts ? '' : verdict.facts}</p>`;
  return verdictBox(head, status, [status], form);
}

/** @param worst the route that the box is about, of those whose backlog it shows */
function verdictBox(head: Markup, worst: RouteStatus, statuses: readonly RouteStatus[], form: FormContext): Markup {
  const { verdict, route } = worst;
  const [refused] = verdict.standing === 'refused' ? worst.refusals : [];
  return html`<section class="verdict ${colours[verdict.tone]}">${head}
${sinceOf(verdict, form.now)}
${verdict.todo === null ? '' : html`<p class="todo">${verdict.todo}</p>`}
${refused === undefined ? '' : forceForm(route, refused, form)}
${barOf(statuses)}
</section>`;
}

function headlineOf(statuses: readonly RouteStatus[], { verdict }: RouteStatus): string {
  if (verdict.standing === 'in step' && verdict.tone === 'good') return 'Everything is in step';
  const isListed = statuses.some((status) => listedItemsOf(status) > 0);
  return verdict.standing === 'needs you' && isListed ? needsInWords(itemsIn(statuses)) : verdict.headline;
}

const sumOf = (statuses: readonly RouteStatus[]): string =>
  `${counted(
    statuses.reduce((sum, { links }) => sum + links.whole, 0),
    'pair',
  )} on ${counted(statuses.length, 'route')}`;

function sinceOf({ sinceAt, standing }: Verdict, now: number): Markup | '' {
  // The clock was set back meanwhile: nobody knows for how long.
  if (sinceAt === null || isAhead(sinceAt, now)) return '';
  const iso = new Date(sinceAt).toISOString();
  return html`<p class="since">${standing === 'failed' ? 'Failing since' : 'Since'} <time datetime="${iso}">${timeInWords(sinceAt)}</time>, ${agoInWords(sinceAt, now)}.</p>`;
}

/** How much of a backlog is mirrored; nothing without one. */
function barOf(statuses: readonly RouteStatus[]): Markup | '' {
  const sum = (count: (status: RouteStatus) => number) => statuses.reduce((all, status) => all + count(status), 0);
  const [mirrored, total] = [sum(({ progress }) => progress.mirrored), sum(({ progress }) => progress.total)];
  if (mirrored >= total) return '';
  const words = `${numberInWords(mirrored)} of ${numberInWords(total)} mirrored`;
  return html`<progress max="${total}" value="${mirrored}" aria-label="${words}"></progress>`;
}

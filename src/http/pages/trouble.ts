import { html } from 'hono/html';
import { operationInWords, sideInWords, valueInWords } from '../../explain/words.ts';
import { type LinkId, type Side, sides } from '../../model/ids.ts';
import type { Conflict, Skip } from '../../model/operation.ts';
import type { RouteStatus, Stuck } from '../../model/route-status.ts';
import type { Halt } from '../health.ts';
import type { Markup } from './layout.ts';
import { counted } from './words.ts';

/** The hidden fields of every form: a token against forgery (CSRF), and the page to return to. */
export interface FormContext {
  readonly csrf: string;
  readonly to: string;
  /** The title that users know a link by. */
  readonly titleOf: (link: LinkId) => string;
}

const listMax = 50;

/** Everything that needs a person; empty if nothing does. */
export function troublePart(statuses: readonly RouteStatus[], halts: readonly Halt[], form: FormContext): Markup | '' {
  const open = statuses.flatMap(({ conflicts }) => conflicts.filter(({ kept }) => kept === null));
  const parked = statuses.flatMap((status) => status.parked.map((stuck) => ({ route: status.route, stuck })));
  const skips = statuses.flatMap((status) => status.skips.filter(({ needsPerson }) => needsPerson));
  const stopped = halts.filter(({ needsPerson }) => needsPerson);
  const total = stopped.length + open.length + parked.length + skips.length;
  if (total === 0) return '';
  return html`<section class="trouble" aria-labelledby="trouble">
<h2 id="trouble">Needs you <span class="count">${total}</span></h2>
${stopped.map(haltCard)}
${open.slice(0, listMax).map((conflict) => conflictCard(conflict, conflict.about, form))}
${parked.slice(0, listMax).map(({ route, stuck }) => parkedCard(route, stuck, form))}
${skips.slice(0, listMax).map((skip) => skipCard(skip, form))}
${total > listMax ? html`<p class="dim">Only the first of each kind are shown; bugferry status lists them all.</p>` : ''}
</section>`;
}

/** A stopped route; without a button, as the fix is elsewhere. */
const haltCard = ({ route, why }: Halt): Markup => html`<article class="card halt">
<h3><span class="tag red">stopped</span> route ${route}</h3>
<p class="why">${why}</p>
</article>`;

/** Both values, and a button for each. */
export function conflictCard(conflict: Conflict, about: string, form: FormContext): Markup {
  const { link, field, tracker, github } = conflict;
  const values: Readonly<Record<Side, unknown>> = { tracker, github };
  return html`<article class="card conflict">
<h3><span class="tag red">conflict</span> <a href="/links/${link}">${about}</a> <span class="title">${form.titleOf(link)}</span></h3>
<p>Both sides changed the <strong>${field}</strong> differently. Which value do you want to keep?</p>
<div class="versus">
${sides.map(
  (side) => html`<form method="post" action="/decide">
  ${hidden({ csrf: form.csrf, to: form.to, link, field, tracker: JSON.stringify(tracker), github: JSON.stringify(github), keep: side })}
  <span class="side ${side}">${side === 'tracker' ? 'Tracker' : 'GitHub'}</span>
  <span class="value">${valueInWords(values[side]).replace(/^"(.*)"$/su, '$1')}</span>
  <button id="keep-${link}-${field}-${side}">Keep ${side === 'tracker' ? "the tracker's" : "GitHub's"}</button>
</form>`,
)}
</div>
</article>`;
}

function parkedCard(route: string, { number, about, operation, attempts, why }: Stuck, form: FormContext): Markup {
  return html`<article class="card parked">
<h3><span class="tag red">parked</span> <a href="/links/${operation.link}">${about}</a> <span class="title">${form.titleOf(operation.link)}</span></h3>
<p>To do on ${sideInWords(operation.on)}: <strong>${operationInWords(operation, null, 'planned').what}</strong>.
Given up after ${counted(attempts, 'attempt', 'attempts')}.</p>
<p class="why">${why ?? 'No reason was given.'}</p>
<form class="act" method="post" action="/retry">
  ${hidden({ csrf: form.csrf, to: form.to, route, number })}
  <button id="retry-${number}">Try again</button>
  <span class="dim">after you have fixed the cause</span>
</form>
</article>`;
}

function skipCard({ link, about, reason }: Skip, form: FormContext): Markup {
  return html`<article class="card skip">
<h3><span class="tag amber">check</span> <a href="/links/${link}">${about}</a> <span class="title">${form.titleOf(link)}</span></h3>
<p class="why">${reason}</p>
</article>`;
}

export const hidden = (values: Readonly<Record<string, string | number>>): readonly Markup[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

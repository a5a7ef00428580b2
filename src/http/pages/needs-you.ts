import { html } from 'hono/html';
import { groupParked, type ParkedGroup } from '../../explain/parked.ts';
import { setAsideInWords } from '../../explain/set-aside.ts';
import { isOpen, keepEither, worstOf } from '../../explain/verdict.ts';
import { counted, sideInWords } from '../../explain/words.ts';
import type { Skip } from '../../model/plan/operation.ts';
import type { RouteStatus, SetAsideItem } from '../../model/route-status.ts';
import { type Halt, haltsOf } from '../health.ts';
import { headOf } from './address.ts';
import { conflictCard } from './conflict.ts';
import { type FormContext, forceForm, hiddenFields } from './form.ts';
import type { Markup } from './layout.ts';

const listMax = 50;

/** Everything that needs a person; empty if nothing does. */
export function needsYouPart(statuses: readonly RouteStatus[], form: FormContext): Markup | '' {
  const open = statuses.flatMap(({ conflicts }) => conflicts.filter(isOpen));
  const parked = statuses.flatMap((status) =>
    groupParked(status.parked).map((group) => ({ route: status.route, group })),
  );
  const skips = statuses.flatMap((status) => status.skips.filter(({ needsPerson }) => needsPerson));
  const aside = statuses.flatMap(({ setAside }) => setAside);
  const stopped = haltsBelow(statuses);
  const total = stopped.length + aside.length + open.length + parked.length + skips.length;
  if (total === 0) return '';
  return html`<section class="trouble" aria-labelledby="trouble">
<h2 id="trouble">Needs you <span class="count">${total}</span></h2>
${stopped.map((halt) => haltCard(halt, form))}
${aside.slice(0, listMax).map((item) => asideCard(item, form))}
${open.length > 1 ? html`<p class="dim">bugferry decide --all ${keepEither} decides all conflicts at once.</p>` : ''}
${open.slice(0, listMax).map((conflict) => conflictCard(conflict, conflict.about, form))}
${parked.slice(0, listMax).map(({ route, group }) => parkedCard(route, group, form))}
${skips.slice(0, listMax).map((skip) => skipCard(skip, form))}
${total > listMax ? html`<p class="dim">Only the first of each kind are shown; bugferry status lists them all.</p>` : ''}
</section>`;
}

/** What stops routes and is not in the box at the top. */
function haltsBelow(statuses: readonly RouteStatus[]): readonly Halt[] {
  const worst = worstOf(statuses);
  const [shown] = worst?.isHalted ? haltsOf([worst]) : [];
  return haltsOf(statuses).filter(
    ({ route, why, needsPerson }) => needsPerson && !(route === shown?.route && why === shown.why),
  );
}

/** The card of a stopped route. Only the brake has a button; other causes are fixed elsewhere. */
const haltCard = ({ route, why, refused }: Halt, form: FormContext): Markup => html`<article class="card halt">
<h3><span class="tag red">stopped</span> <a href="/routes/${route}">route ${route}</a></h3>
<p class="why">${why}</p>
${refused === undefined ? '' : forceForm(route, refused, form)}
</article>`;

function parkedCard(route: string, { first, numbers, what }: ParkedGroup, form: FormContext): Markup {
  const { number, about, operation, attempts, why } = first;
  return html`<article class="card parked">
<h3><span class="tag red">parked</span> ${headOf(operation.link, about, form)}</h3>
<p>To do on ${sideInWords(operation.on)}: <strong>${what}</strong>.
Parked after ${counted(attempts, 'attempt')}.</p>
<p class="why">${why ?? 'No reason was given.'}</p>
<form class="act" method="post" action="/retry">
  ${hiddenFields({ csrf: form.csrf, to: form.to, route, numbers: numbers.join(',') })}
  <button id="retry-${number}">Try again</button>
  <span class="dim">after you have fixed the cause</span>
</form>
</article>`;
}

function asideCard(item: SetAsideItem, form: FormContext): Markup {
  return html`<article class="card">
<h3><span class="tag red">set aside</span> ${item.link === null ? item.about : headOf(item.link, item.about, form)}</h3>
<p class="why">${setAsideInWords(item)}</p>
<p class="dim">${item.advice}</p>
</article>`;
}

function skipCard({ link, about, reason }: Skip, form: FormContext): Markup {
  return html`<article class="card">
<h3><span class="tag amber">check</span> ${headOf(link, about, form)}</h3>
<p class="why">${reason}</p>
</article>`;
}

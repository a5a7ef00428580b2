import { html } from 'hono/html';
import { groupParked, type ParkedGroup } from '../../explain/parked.ts';
import { setAsideInWords } from '../../explain/set-aside.ts';
import { isOpen, worstOf } from '../../explain/verdict.ts';
import { agreedInWords, changedParts, counted, sideInWords, timeInWords, valueInWords } from '../../explain/words.ts';
import { type LinkId, type Side, sides } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { ChangedBy, Conflict, Skip } from '../../model/plan/operation.ts';
import type { RouteStatus, SetAsideItem } from '../../model/route-status.ts';
import { type Halt, haltsOf } from '../health.ts';
import { away, endsOf, titled } from './address.ts';
import { forceForm, hidden } from './force.ts';
import type { Markup } from './layout.ts';
import { agoInWords } from './words.ts';

/** The hidden fields of every form: a token against forgery (CSRF), and the page to return to. */
export interface FormContext {
  readonly csrf: string;
  readonly to: string;
  /** The public part of a pair; null if the pair is gone. */
  readonly linkOf: (link: LinkId) => Link | null;
  readonly now: number;
}

const listMax = 50;

/** Everything that needs a person; empty if nothing does. */
export function troublePart(statuses: readonly RouteStatus[], form: FormContext): Markup | '' {
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
${open.length > 1 ? html`<p class="dim">bugferry decide --all --keep tracker|github decides all conflicts at once.</p>` : ''}
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

/** The pair that a card is about: its page, its title, and both ends. */
function headOf(id: LinkId, about: string, { linkOf }: FormContext): Markup {
  const link = linkOf(id);
  if (link === null) return html`<a href="/links/${id}">${about}</a>`;
  return html`${titled(link, about)} <span class="title">${endsOf(link)}</span>`;
}

/** Both values, and a button for each. */
export function conflictCard(conflict: Conflict, about: string, form: FormContext): Markup {
  const { link, field, tracker, github, changed } = conflict;
  const shown = { tracker: plain(tracker), github: plain(github) };
  const parts = changedParts(shown.tracker, shown.github);
  const marked = (side: Side): Markup =>
    parts === null
      ? html`${shown[side]}`
      : html`${parts.head}<mark>${parts.middles[side === 'tracker' ? 0 : 1]}</mark>${parts.tail}`;
  const before = agreedInWords(form.linkOf(link), field);
  return html`<article class="card conflict">
<h3><span class="tag red">conflict</span> ${headOf(link, about, form)}</h3>
<p>Both sides changed the <strong>${field}</strong> differently. Which value do you want to keep?${before === null ? '' : html` <span class="dim">Before, it was ${before}.</span>`}</p>
<div class="versus">
${sides.map(
  (side) => html`<form method="post" action="/decide">
  ${hidden({ csrf: form.csrf, to: form.to, link, field, tracker: JSON.stringify(tracker), github: JSON.stringify(github), keep: side })}
  <span class="side ${side}">${side === 'tracker' ? 'Tracker' : 'GitHub'} ${changeOf(side, form.linkOf(link), changed?.[side], form.now)}</span>
  <span class="value">${marked(side)}</span>
  <button id="keep-${link}-${field}-${side}">Keep ${side === 'tracker' ? "the tracker's" : "GitHub's"}</button>
</form>`,
)}
</div>
</article>`;
}

const plain = (value: unknown): string => valueInWords(value).replace(/^"(.*)"$/su, '$1');

/** Who set the value, with a link to that side's history; if unknown, the time of the last change. */
function changeOf(side: Side, link: Link | null, changed: ChangedBy | undefined, now: number): Markup | '' {
  const item = link?.[side] ?? null;
  if (item === null || !/^https?:\/\//u.test(item.url)) return '';
  const history = side === 'tracker' ? item.url.replace('show_bug.cgi', 'show_activity.cgi') : item.url;
  if (changed !== undefined) {
    const time = html`<time datetime="${new Date(changed.at).toISOString()}" title="${timeInWords(changed.at)}">${agoInWords(changed.at, now)}</time>`;
    return html`<span class="dim">by <strong>${changed.by}</strong>, ${time}, ${away(history, 'history')}</span>`;
  }
  return html`<span class="dim">${side === 'tracker' ? 'bug' : 'issue'} last changed ${agoInWords(item.changedAt, now)}, ${away(history, 'by whom')}</span>`;
}

function parkedCard(route: string, { first, numbers, what }: ParkedGroup, form: FormContext): Markup {
  const { number, about, operation, attempts, why } = first;
  return html`<article class="card parked">
<h3><span class="tag red">parked</span> ${headOf(operation.link, about, form)}</h3>
<p>To do on ${sideInWords(operation.on)}: <strong>${what}</strong>.
Parked after ${counted(attempts, 'attempt')}.</p>
<p class="why">${why ?? 'No reason was given.'}</p>
<form class="act" method="post" action="/retry">
  ${hidden({ csrf: form.csrf, to: form.to, route, numbers: numbers.join(',') })}
  <button id="retry-${number}">Try again</button>
  <span class="dim">after you have fixed the cause</span>
</form>
</article>`;
}

function asideCard(item: SetAsideItem, form: FormContext): Markup {
  return html`<article class="card skip">
<h3><span class="tag red">set aside</span> ${item.link === null ? item.about : headOf(item.link, item.about, form)}</h3>
<p class="why">${setAsideInWords(item)}</p>
<p class="dim">${item.advice}</p>
</article>`;
}

function skipCard({ link, about, reason }: Skip, form: FormContext): Markup {
  return html`<article class="card skip">
<h3><span class="tag amber">check</span> ${headOf(link, about, form)}</h3>
<p class="why">${reason}</p>
</article>`;
}

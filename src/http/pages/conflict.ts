import { html } from 'hono/html';
import { agreedInWords, changedParts, timeInWords, valueInWords } from '../../explain/words.ts';
import { type Side, sides } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { ChangedBy, Conflict } from '../../model/plan/operation.ts';
import { away, headOf } from './address.ts';
import { type FormContext, hiddenFields } from './form.ts';
import type { Markup } from './layout.ts';
import { agoInWords } from './words.ts';

/** Both values, and a button for each. */
export function conflictCard(conflict: Conflict, about: string, form: FormContext): Markup {
  const { link, field, tracker, github, changed } = conflict;
  const shown = { tracker: plain(tracker, field), github: plain(github, field) };
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
  ${hiddenFields({ csrf: form.csrf, to: form.to, link, field, tracker: JSON.stringify(tracker), github: JSON.stringify(github), keep: side })}
  <span class="side ${side}">${side === 'tracker' ? 'Tracker' : 'GitHub'} ${changeOf(side, form.linkOf(link), changed?.[side], form.now)}</span>
  <span class="value">${marked(side)}</span>
  <button id="keep-${link}-${field}-${side}">Keep ${side === 'tracker' ? "the tracker's" : "GitHub's"}</button>
</form>`,
)}
</div>
</article>`;
}

const plain = (value: unknown, field: string): string => valueInWords(value, field).replace(/^"(.*)"$/su, '$1');

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

import { html } from 'hono/html';
import { ledgerInWords, operationInWords, sideInWords, timeInWords } from '../../explain/words.ts';
import type { LinkId } from '../../model/ids.ts';
import type { LedgerLine, OutboxRow } from '../../model/store.ts';
import type { History } from '../live.ts';
import { linked } from './address.ts';
import type { Markup } from './layout.ts';
import { agoInWords } from './words.ts';

export interface Activity {
  readonly moving: readonly OutboxRow[];
  readonly latest: readonly LedgerLine[];
  readonly now: number;
  /** The addresses of both ends of a pair. */
  readonly homes: (link: LinkId) => readonly string[];
}

/** Current operations and the latest results. */
export function activityPart({ moving, latest, now, homes }: Activity): Markup {
  return html`<section aria-labelledby="moving">
<h2 id="moving">In progress</h2>
${moving.length === 0 ? html`<p class="dim">Nothing is in progress.</p>` : html`<ol class="lines">${moving.map((row) => movingLine(row, now))}</ol>`}
</section>
<section aria-labelledby="latest">
<h2 id="latest">Latest</h2>
${latest.length === 0 ? html`<p class="dim">Nothing yet.</p>` : html`<ol class="lines">${latest.map((line) => doneLine(line, now, homes(line.link)))}</ol>`}
</section>`;
}

/** A request sent longer ago is no longer in flight: the next cycle checks whether it arrived. */
const inFlightMs = 60_000;

function movingLine({ operation, state, sentAt, notBeforeAt, why }: OutboxRow, now: number): Markup {
  const sent = sentAt !== null && now - sentAt < inFlightMs ? 'in flight' : 'in doubt';
  const waits = notBeforeAt !== null && notBeforeAt > now ? `, not before ${timeInWords(notBeforeAt)}` : '';
  return html`<li><span class="when">${state === 'sent' ? sent : 'planned'}</span>
<span><a href="/links/${operation.link}">${operation.about}</a> ${operationInWords(operation, null, 'planned').what}, on ${sideInWords(operation.on)}${waits}
${why === null ? '' : html`<span class="dim">${why}</span>`}</span></li>`;
}

function doneLine(line: LedgerLine, now: number, homes: readonly string[]): Markup {
  const about = [line.bug === null ? null : `bug ${line.bug}`, line.issue === null ? null : `#${line.issue}`].filter(
    (part) => part !== null,
  );
  return html`<li><time class="when" datetime="${new Date(line.at).toISOString()}" title="${timeInWords(line.at)}">${agoInWords(line.at, now)}</time>
<span><a href="/links/${line.link}">${about.length === 0 ? `link ${line.link}` : about.join(' = ')}</a> ${linked(ledgerInWords(line), homes)}</span></li>`;
}

const hourSlots = 6;

/** The last day as two charts; without JavaScript, as a table by hour. */
export function historyPart(history: History): Markup {
  const hours = history.at.flatMap((at, index) => (index % hourSlots === 0 ? [{ at, index }] : []));
  const sum = (counts: readonly number[], index: number) => counts.slice(index, index + hourSlots).reduce((one, other) => one + other, 0);
  const total = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0).toLocaleString('en');
  return html`<section aria-labelledby="day">
<h2 id="day">Last day</h2>
<p class="dim">${total(history.tracker)} written to the tracker, ${total(history.github)} to GitHub.</p>
<div class="charts" data-charts="/history.json"></div>
<details id="hours"><summary>Show as a table</summary>
<div class="scroll"><table>
<thead><tr><th scope="col">Hour from (UTC)</th><th scope="col" class="number">To the tracker</th><th scope="col" class="number">To GitHub</th>${
    history.budgetLeft === null ? '' : html`<th scope="col" class="number">Creations left</th>`
  }</tr></thead>
<tbody>${hours.map(
    ({ at, index }) =>
      html`<tr><th scope="row">${timeInWords(at * 1000).slice(0, 16)}</th><td class="number">${sum(history.tracker, index)}</td><td class="number">${sum(
        history.github,
        index,
      )}</td>${history.budgetLeft === null ? '' : html`<td class="number">${history.budgetLeft[index + hourSlots - 1] ?? ''}</td>`}</tr>`,
  )}</tbody>
</table></div></details>
</section>`;
}

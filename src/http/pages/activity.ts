import { html } from 'hono/html';
import {
  clockInWords,
  isInFlight,
  ledgerInWords,
  numberInWords,
  sideInWords,
  timeInWords,
  writesInWords,
} from '../../explain/words.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { LedgerLine } from '../../model/store.ts';
import type { History } from '../live.ts';
import { endsOf, homesOf, linked } from './address.ts';
import type { Markup } from './layout.ts';
import { agoInWords } from './words.ts';

interface Activity {
  readonly moving: readonly OutboxRow[];
  readonly latest: readonly LedgerLine[];
  readonly now: number;
  readonly linkOf: (link: LinkId) => Link | null;
}

/** Current operations and the latest results. */
export function activityPart({ moving, latest, now, linkOf }: Activity): Markup {
  return html`<section aria-labelledby="moving">
<h2 id="moving">In progress</h2>
${moving.length === 0 ? html`<p class="dim">Nothing is in progress.</p>` : workLines(moving, { now, linkOf })}
</section>
<section aria-labelledby="latest">
<h2 id="latest">Latest</h2>
${
  latest.length === 0
    ? html`<p class="dim">Nothing yet.</p>`
    : html`<ol class="lines">${grouped(latest)
        .slice(0, groupsMax)
        .map((group) => doneLine(group, now, linkOf(group.line.link)))}</ol>`
}
</section>`;
}

/** Work that is planned or in flight. */
export type Work = Pick<OutboxRow, 'operation' | 'notBeforeAt' | 'why'> & Partial<Pick<OutboxRow, 'state' | 'sentAt'>>;

/** One line for each pair and side: an issue to open with its 22 comments is one line. */
export function workLines(
  rows: readonly Work[],
  { now, linkOf, isHeld = false }: Pick<Activity, 'now' | 'linkOf'> & { readonly isHeld?: boolean },
): Markup {
  const groups = Map.groupBy(rows, ({ operation, state }) => `${operation.link} ${operation.on} ${state}`);
  return html`<ol class="lines">${[...groups.values()].map((group) => workLine(group, { now, linkOf, isHeld }))}</ol>`;
}

function workLine(
  group: readonly Work[],
  { now, linkOf, isHeld }: Required<Parameters<typeof workLines>[1]>,
): Markup | '' {
  const [first] = group;
  if (first === undefined) return '';
  const { operation, state = 'planned', sentAt = null, notBeforeAt, why } = first;
  const link = linkOf(operation.link);
  const sent = isInFlight({ sentAt }, now) ? 'in flight' : 'in doubt';
  const waits = notBeforeAt !== null && notBeforeAt > now;
  const when =
    state === 'sent' ? sent : waits ? `at ${clockInWords(notBeforeAt, now)}` : isHeld ? 'held back' : 'next cycle';
  const kinds = Map.groupBy(
    group.map((each) => each.operation),
    ({ kind }) => kind,
  );
  const what = [...kinds.values()].flatMap(([one, ...more]) =>
    one === undefined ? [] : writesInWords([one, ...more]),
  );
  return html`<li><span class="when">${when}</span>
<span>${link === null ? operation.about : endsOf(link)}: <a href="/links/${operation.link}">${what.join(', ')}</a>, on ${sideInWords(operation.on)}${why === null ? '' : html`<span class="dim">${why}</span>`}</span></li>`;
}

/** Merged lines of one pair: forty comments of a bug become one line. */
interface Group {
  /** The newest. */
  readonly line: LedgerLine;
  readonly count: number;
  readonly sinceAt: number;
}

const groupsMax = 15;

/** In the order of their newest lines. */
export function grouped(lines: readonly LedgerLine[]): readonly Group[] {
  const groups = Map.groupBy(lines, ({ link, kind, outcome, on }) => `${link} ${kind} ${outcome} ${on}`);
  return [...groups.values()].flatMap((group) => {
    const [line, oldest] = [group[0], group.at(-1)];
    return line === undefined || oldest === undefined ? [] : [{ line, count: group.length, sinceAt: oldest.at }];
  });
}

function doneLine({ line, count, sinceAt }: Group, now: number, link: Link | null): Markup {
  const about =
    link === null
      ? [line.bug === null ? null : `bug ${line.bug}`, line.issue === null ? null : `#${line.issue}`]
          .filter((part) => part !== null)
          .join(' = ')
      : endsOf(link);
  const history = count === 1 ? 'history' : `and ${count - 1} more like it, since ${agoInWords(sinceAt, now)}`;
  return html`<li><time class="when" datetime="${new Date(line.at).toISOString()}" title="${timeInWords(line.at)}">${agoInWords(line.at, now)}</time>
<span>${about || `pair ${line.link}`}: ${linked(ledgerInWords(line), link === null ? [] : homesOf(link))} <a class="more" href="/links/${line.link}">${history}</a></span></li>`;
}

const hourSlots = 6;
const hourMs = 3_600_000;

/** The last day as two charts, once there is more to see than one hour; without JavaScript, as a table by hour. */
export function historyPart(history: History, now: number): Markup | '' {
  const first = history.at.find((_, index) => (history.tracker[index] ?? 0) + (history.github[index] ?? 0) > 0);
  if (first === undefined || now - first * 1_000 < hourMs) return '';
  const hours = history.at.flatMap((at, index) => (index % hourSlots === 0 ? [{ at, index }] : []));
  const sum = (counts: readonly number[], index: number) =>
    counts.slice(index, index + hourSlots).reduce((one, other) => one + other, 0);
  const total = (counts: readonly number[]) => numberInWords(counts.reduce((one, other) => one + other, 0));
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

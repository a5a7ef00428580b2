import { html } from 'hono/html';
import { counted, operationInWords, pauseInWords, sideInWords, timeInWords } from '../../explain/words.ts';
import type { Side } from '../../model/ids.ts';
import { type PairFilter, pairFilters } from '../../model/link.ts';
import type { RouteStatus } from '../../model/route-status.ts';
import type { About, Planned } from '../admin-port.ts';
import type { Halt } from '../health.ts';
import { away, endsOf } from './address.ts';
import type { Markup } from './layout.ts';
import { pairsPath } from './pairs.ts';
import { chip, staleLine } from './routes.ts';
import { type FormContext, forceForm, hidden } from './trouble.ts';
import { spanInWords } from './words.ts';

export interface RoutePage {
  readonly status: RouteStatus;
  readonly halts: readonly Halt[];
  readonly planned: Planned;
  readonly about: About;
  readonly homes: Readonly<Record<Side, string>>;
}

/** The page of a route: its status, its next work, and its buttons. */
export function routePage({ status, halts, planned, about, homes }: RoutePage, form: FormContext): Markup {
  const { route, product, repo, rest, isEnabled, contact } = status;
  const mine = halts.filter((halt) => halt.route === route);
  return html`<section aria-labelledby="route">
<h1 id="route">${route} ${chip(status)}</h1>
<p>${away(homes.tracker, product)} ↔ ${away(homes.github, repo)}</p>
${contact === null ? '' : html`<p>Contact: ${contact}</p>`}
${isEnabled ? '' : html`<p class="why">The configuration switches it off (enabled: false); its pairs are kept.</p>`}
${rest === null ? '' : html`<p class="why">${sentence(pauseInWords(rest))}</p>`}
${staleLine(status, '', form.now)}
${mine.map(({ why, refused }) => html`<p class="why">${why}</p>${refused === undefined ? '' : forceForm(route, refused, form)}`)}
<div class="buttons">${!isEnabled ? '' : rest === null ? html`${runForm(form)}${pauseForm(route, form)}` : resumeForm(route, form)}</div>
</section>
${timesPart(about, form.now, rest !== null || !isEnabled)}
<section aria-labelledby="lists"><h2 id="lists">Pairs</h2>
<ul class="tiles">${pairFilters.map((filter) => tile(status, filter))}</ul></section>
${planPart(status, planned, form)}`;
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

export const runForm = (
  form: FormContext,
): Markup => html`<form method="post" action="/run">${hidden({ csrf: form.csrf, to: form.to })}
<button id="run">Run now</button></form>`;

const pauseForm = (route: string, form: FormContext): Markup => html`<form class="pause" method="post" action="/pause">
${hidden({ csrf: form.csrf, to: form.to, route })}<input name="why" maxlength="200" aria-label="Why" placeholder="why, for others" autocomplete="off">
<button id="pause">Pause</button></form>`;

const resumeForm = (route: string, form: FormContext): Markup => html`<form method="post" action="/resume">
${hidden({ csrf: form.csrf, to: form.to, route })}<button id="resume">Resume</button></form>`;

const tiles: Readonly<Record<PairFilter, { readonly words: string; readonly count: (status: RouteStatus) => number }>> =
  {
    all: { words: 'pairs', count: ({ links }) => links.whole },
    waiting: { words: 'waiting', count: ({ links, outbox }) => links.wanting + outbox.planned + outbox.sent },
    person: {
      words: 'need you',
      count: ({ outbox, open, setAside }) => outbox.parked + open.conflicts + open.skips + setAside.length,
    },
    parked: { words: 'parked', count: ({ outbox }) => outbox.parked },
    frozen: { words: 'frozen', count: ({ links }) => links.byState.frozen },
    withdrawn: { words: 'withdrawn', count: ({ withdrawn }) => withdrawn.issues },
    gone: { words: 'given up', count: ({ links }) => links.byState.tombstone },
  };

function tile(status: RouteStatus, filter: PairFilter): Markup {
  const { words, count } = tiles[filter];
  return html`<li><a href="${pairsPath({ route: status.route, filter })}"><strong>${count(status).toLocaleString('en')}</strong> ${words}</a></li>`;
}

/** The next times of work, and notices about the bridge as a whole. */
export function timesPart({ version, startedAt, next, tokenEndsAt }: About, now: number, isPaused = false): Markup {
  const at = (when: number | null): Markup | string =>
    when === null
      ? 'never'
      : html`<time datetime="${new Date(when).toISOString()}" title="${timeInWords(when)}">in ${spanInWords(Math.max(0, when - now))}</time>`;
  return html`<section aria-labelledby="times"><h2 id="times">The bridge</h2>
<dl class="times">
${isPaused ? '' : html`<div><dt>Next cycle</dt><dd>${at(next.pollAt)}</dd></div><div><dt>Next full comparison</dt><dd>${at(next.sweepAt)}</dd></div>`}
<div><dt>GitHub's token</dt><dd>${expiry(tokenEndsAt, now)}</dd></div>
<div><dt>Running for</dt><dd>${spanInWords(Math.max(0, now - startedAt))}</dd></div>
<div><dt>Version</dt><dd>${version}</dd></div>
</dl></section>`;
}

/** Enough time to get a new token. */
const soonMs = 14 * 86_400_000;

function expiry(endsAt: number | null, now: number): Markup | string {
  if (endsAt === null) return 'no known end';
  const day = timeInWords(endsAt).slice(0, 10);
  if (endsAt <= now) return html`<span class="tag red">expired on ${day}</span>`;
  const words = `expires on ${day}, in ${spanInWords(endsAt - now)}`;
  return endsAt - now < soonMs ? html`<span class="tag red">${words}</span>` : words;
}

function planPart({ refusals }: RouteStatus, { operations, total }: Planned, form: FormContext): Markup {
  const isRefused = refusals.some(({ of }) => of === 'plan');
  return html`<section aria-labelledby="plan"><h2 id="plan">${isRefused ? 'The plan that the brake refused' : 'Plan'}</h2>
${
  operations.length === 0
    ? html`<p class="dim">${isRefused ? 'The next cycle shows it here.' : 'Nothing is planned.'}</p>`
    : html`<ol class="lines">${operations.map(({ operation, notBeforeAt, why }) => {
        const link = form.linkOf(operation.link);
        const waits = notBeforeAt !== null && notBeforeAt > form.now ? `, not before ${timeInWords(notBeforeAt)}` : '';
        return html`<li><span class="when">on ${sideInWords(operation.on)}</span><span>${link === null ? operation.about : endsOf(link)}:
<a href="/links/${operation.link}">${operationInWords(operation, null, 'planned').what}</a>${waits}${why === null ? '' : html`<span class="dim">${why}</span>`}</span></li>`;
      })}</ol>`
}
${total > operations.length ? html`<p class="dim">These are the first ${operations.length} of ${counted(total, 'write')}.</p>` : ''}
</section>`;
}

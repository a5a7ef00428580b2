import { html } from 'hono/html';
import { failingInWords } from '../../explain/failure.ts';
import { unreachedInWords } from '../../explain/notice.ts';
import { listedItemsOf, unnamedIn } from '../../explain/verdict.ts';
import {
  counted,
  numberInWords,
  pauseInWords,
  sentenceOf,
  spanInWords,
  timeInWords,
  tokenEndInWords,
  withStop,
} from '../../explain/words.ts';
import type { Side } from '../../model/ids.ts';
import { type PairFilter, pairFilters } from '../../model/link.ts';
import type { RouteStatus } from '../../model/route-status.ts';
import type { About, Planned } from '../admin-port.ts';
import { workLines } from './activity.ts';
import { away } from './address.ts';
import { type FormContext, hiddenFields } from './form.ts';
import type { Markup } from './layout.ts';
import { pairsPath } from './pairs.ts';
import { neverPart } from './routes.ts';
import { routeVerdict } from './verdict.ts';

interface RoutePage {
  readonly status: RouteStatus;
  readonly planned: Planned;
  readonly about: About;
  readonly homes: Readonly<Record<Side, string>>;
}

/** The page of a route: its status, its next work, and its buttons. */
export function routePage({ status, planned, about, homes }: RoutePage, form: FormContext): Markup {
  const { route, product, repo, rest, isEnabled, contact } = status;
  return html`${routeVerdict(status, form)}
${otherTrouble(status)}
<section><p>${away(homes.tracker, `bugs of ${product}`)} · ${away(homes.github, `issues of ${repo}`)}${contact === null ? '' : ` · contact: ${contact}`}</p>
<div class="buttons">${!isEnabled ? '' : rest === null ? html`${runForm(form)}${pauseForm(route, form)}` : resumeForm(route, form)}</div>
</section>
<section aria-labelledby="lists"><h2 id="lists">Pairs</h2>
<ul class="tiles">${pairFilters.map((filter) => tile(status, filter))}</ul></section>
${planPart(status, planned, form)}
${neverPart(status)}
${timesPart(about, form.now, rest !== null || !isEnabled)}`;
}

/** What the box at the top does not say: a pause below a failure, and full comparisons that failed once. */
function otherTrouble(status: RouteStatus): readonly Markup[] {
  const { rest, standing } = status;
  const { failures, refusals } = unnamedIn(status);
  const words = [
    ...(rest === null || standing === 'paused' ? [] : [sentenceOf(pauseInWords(rest))]),
    ...failures.map(failingInWords),
    ...status.unreached.map((each) => sentenceOf(unreachedInWords(each))),
    ...refusals.map(({ why }) => `The brake also refused: ${withStop(why)}`),
  ];
  return words.map((each) => html`<p class="why">${each}</p>`);
}

const runForm = (
  form: FormContext,
): Markup => html`<form method="post" action="/run">${hiddenFields({ csrf: form.csrf, to: form.to })}
<button id="run">Run now</button></form>`;

const pauseForm = (route: string, form: FormContext): Markup => html`<form class="pause" method="post" action="/pause">
${hiddenFields({ csrf: form.csrf, to: form.to, route })}<label for="why">Reason of a pause</label>
<input id="why" name="why" maxlength="200" placeholder="the tracker moves" autocomplete="off"><button id="pause">Pause</button></form>`;

const resumeForm = (route: string, form: FormContext): Markup => html`<form method="post" action="/resume">
${hiddenFields({ csrf: form.csrf, to: form.to, route })}<button id="resume">Resume</button></form>`;

interface Tile {
  readonly words: string;
  /** What the word means, for somebody who has not read the glossary. */
  readonly meaning: string;
  readonly count: (status: RouteStatus) => number;
  readonly colour?: 'red';
}

const tiles: Readonly<Record<PairFilter, Tile>> = {
  all: { words: 'pairs', meaning: 'a bug and its issue', count: ({ links }) => links.whole },
  waiting: { words: 'waiting', meaning: 'for the next cycles', count: ({ links }) => links.waiting },
  person: {
    words: 'need you',
    meaning: 'a decision or a fix',
    count: listedItemsOf,
    colour: 'red',
  },
  parked: {
    words: 'parked',
    meaning: 'a side refused a write',
    count: ({ outbox }) => outbox.parked,
    colour: 'red',
  },
  frozen: { words: 'frozen', meaning: 'one end is hidden', count: ({ links }) => links.byState.frozen },
  withdrawn: { words: 'withdrawn', meaning: 'no longer public', count: ({ withdrawn }) => withdrawn.issues },
  gone: { words: 'given up', meaning: 'one end was deleted', count: ({ links }) => links.byState.tombstone },
};

function tile(status: RouteStatus, filter: PairFilter): Markup {
  const { words, meaning, count, colour = '' } = tiles[filter];
  const found = count(status);
  return html`<li><a href="${pairsPath({ route: status.route, filter })}"${found === 0 ? html` class="none"` : ''}><strong class="${found > 0 ? colour : ''}">${numberInWords(found)}</strong> ${words}<span>${meaning}</span></a></li>`;
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

function expiry(endsAt: number | null, now: number): Markup | string {
  if (endsAt === null) return 'no known end';
  const { words, isSoon } = tokenEndInWords(endsAt, now);
  return isSoon ? html`<span class="tag red">${words}</span>` : words;
}

function planPart({ refusals, rest }: RouteStatus, planned: Planned, form: FormContext): Markup {
  const isRefused = refusals.some(({ of }) => of === 'plan');
  const { operations, total } = planned;
  return html`<section aria-labelledby="plan"><h2 id="plan">${isRefused ? 'The plan that the brake refused' : 'Plan'}</h2>
${
  operations.length === 0
    ? html`<p class="dim">${isRefused ? 'The next cycle shows it here.' : 'Nothing is planned.'}</p>`
    : workLines(operations, { ...form, isHeld: isRefused || rest !== null })
}
${total > operations.length ? html`<p class="dim">These are the first ${operations.length} of ${counted(total, 'write')}.</p>` : ''}
</section>`;
}

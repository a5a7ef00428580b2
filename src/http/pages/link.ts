import { html } from 'hono/html';
import type { Story } from '../../explain/story.ts';
import { linkInWords, timeInWords } from '../../explain/words.ts';
import type { Link } from '../../model/link.ts';
import type { Conflict } from '../../model/plan/operation.ts';
import { endsOf, homesOf, linked } from './address.ts';
import { conflictCard } from './conflict.ts';
import { type FormContext, hiddenFields } from './form.ts';
import type { Markup } from './layout.ts';

/** The page of a pair: its status and its history. */
export function linkPage(link: Link, story: Story, conflicts: readonly Conflict[], form: FormContext): Markup {
  const [about, homes] = [linkInWords(link), homesOf(link)];
  // A card shows a conflict better than a line does.
  const present =
    conflicts.length === 0 ? story.present : story.present.filter((line) => !line.startsWith('conflict: '));
  return html`<section class="verdict neutral">
<h1>${link.tracker?.summary || link.github?.title || about}</h1>
<p>${stateOf(link, story)} ${endsOf(link)}, on route <a href="/routes/${link.route}">${link.route}</a>; started on ${link.origin === 'tracker' ? 'the tracker' : 'GitHub'}.</p>
</section>
${conflicts.map((conflict) => conflictCard(conflict, about, form))}
<section aria-labelledby="present"><h2 id="present">Status</h2>
<ul class="facts">${present.map((line) => html`<li>${linked(line, homes)}</li>`)}</ul>
${
  link.state === 'tombstone'
    ? ''
    : html`<form class="act" method="post" action="/resync">${hiddenFields({ csrf: form.csrf, to: form.to, link: link.id })}
<button id="resync">Read both ends again</button> <span class="dim">and replan the pair</span></form>`
}
</section>
<section aria-labelledby="past"><h2 id="past">History</h2>
${
  story.past.length === 0
    ? html`<p class="dim">Nothing yet.</p>`
    : html`<ol class="timeline">${story.past.map(
        ({ at, words }) =>
          html`<li><time datetime="${new Date(at).toISOString()}">${timeInWords(at)}</time><span>${linked(words, homes)}</span></li>`,
      )}</ol>`
}
</section>`;
}

/** A page for an address that leads nowhere. */
export const notFoundPage = (words: string, hints: readonly string[]): Markup =>
  html`<section class="verdict amber"><h1>${words}</h1>${hints.map((hint) => html`<p>${hint}</p>`)}<p><a href="/">All routes</a></p></section>`;

function stateOf({ state }: Link, { needsPerson }: Story): Markup {
  if (needsPerson) return html`<span class="tag red">needs you</span>`;
  if (state === 'live') return html``;
  return html`<span class="tag grey">${state === 'frozen' ? 'frozen' : 'given up'}</span>`;
}

/** Why there is no link to show. */
export function unknownPage(query: string, reasons: readonly string[]): Markup {
  return html`<section class="verdict amber"><h1>${query === '' ? 'Nothing to find' : `${query} is not mirrored`}</h1></section>
<section><ul class="facts">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul></section>`;
}

export function signInPage(to: string, isWrong: boolean): Markup {
  return html`<section class="sign-in"><h1>Sign in</h1>
${isWrong ? html`<p class="note red" role="alert">The token is wrong.</p>` : ''}
<form method="post" action="/sign-in">
  ${hiddenFields({ to })}
  <label for="token">The token of <code>http.token</code> in the configuration</label>
  <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
  <button>Sign in</button>
</form></section>`;
}

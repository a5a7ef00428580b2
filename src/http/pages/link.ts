import { html } from 'hono/html';
import type { Story } from '../../explain/story.ts';
import { linkInWords, timeInWords } from '../../explain/words.ts';
import type { Link } from '../../model/link.ts';
import type { Conflict } from '../../model/operation.ts';
import { away, homesOf, linked } from './address.ts';
import type { Markup } from './layout.ts';
import { conflictCard, type FormContext, hidden } from './trouble.ts';

/** One link's whole story: how it stands, and all that was done. */
export function linkPage(link: Link, story: Story, conflicts: readonly Conflict[], form: FormContext): Markup {
  const [about, homes] = [linkInWords(link), homesOf(link)];
  return html`<section class="verdict ${story.needsPerson ? 'red' : link.state === 'live' ? 'green' : 'amber'}">
<h1>${form.titleOf(link.id) || about}</h1>
<p>${endsOf(link)}, on route ${link.route}; began on ${link.origin === 'tracker' ? 'the tracker' : 'GitHub'}.</p>
</section>
${conflicts.map((conflict) => conflictCard(conflict, about, form))}
<section aria-labelledby="present"><h2 id="present">How it stands</h2>
<ul class="facts">${story.present.map((line) => html`<li>${linked(line, homes)}</li>`)}</ul>
${
  link.state === 'tombstone'
    ? ''
    : html`<form class="act" method="post" action="/resync">${hidden({ csrf: form.csrf, to: form.to, link: link.id })}
<button id="resync">Read both ends afresh</button> <span class="dim">and plan the pair anew</span></form>`
}
</section>
<section aria-labelledby="past"><h2 id="past">What was done</h2>
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

/** `bug 12 = acme/widget#5`, each of which leads there. */
function endsOf({ bug, issue, repo, tracker, github }: Link): Markup {
  const end = (words: string, url: string | undefined) => (url !== undefined && /^https?:\/\//u.test(url) ? away(url, words) : words);
  const ends = [
    ...(bug === null ? [] : [end(`bug ${bug}`, tracker?.url)]),
    ...(issue === null ? [] : [end(`${repo}#${issue}`, github?.url)]),
  ];
  return html`${ends.flatMap((each, index) => (index === 0 ? [each] : [' = ', each]))}`;
}

/** Why there is no story to tell. */
export function unknownPage(query: string, reasons: readonly string[]): Markup {
  return html`<section class="verdict amber"><h1>${query === '' ? 'Nothing was asked' : `${query} is not mirrored`}</h1></section>
<section><ul class="facts">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul></section>`;
}

export function signInPage(to: string, isWrong: boolean): Markup {
  return html`<section class="sign-in"><h1>Who is there?</h1>
${isWrong ? html`<p class="note red" role="alert">That is not the token.</p>` : ''}
<form method="post" action="/sign-in">
  ${hidden({ to })}
  <label for="token">The token of <code>http.token</code> in the configuration</label>
  <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
  <button>Come in</button>
</form></section>`;
}

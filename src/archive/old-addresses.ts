import { html } from 'hono/html';
import type { Headline } from '../model/archive/ports.ts';
import type { Written } from './lists.ts';
import { type Assets, pageOf } from './page.ts';

/**
 * Pages in the place of the tracker's own, for servers without rules: nearly all of them answer `/show_bug.cgi?id=12`
 * with the start page of a folder of that name. Its script goes on to the bug, as a server cannot; readers without
 * scripts are shown where to look.
 */
export function oldAddressFiles(
  bugs: ReadonlyMap<number, Headline>,
  site: string,
  { oldAddress }: Pick<Assets, 'oldAddress'>,
): readonly Written[] {
  const aliases = aliasesIn(bugs);
  return [
    ['show_bug.cgi/index.html', oldPage('bug', 'Bug', site)],
    ['attachment.cgi/index.html', oldPage('attachment', 'Attachment', site)],
    ['old-address.js', oldAddress],
    [
      'aliases.js',
      `window.bugferryAliases = ${JSON.stringify(Object.fromEntries(aliases.map(([alias, bug]) => [alias.toLowerCase(), bug])), null, 1)};\n`,
    ],
  ];
}

/** Aliases with their bugs. Trackers do not distinguish capitals in them. */
export function aliasesIn(bugs: ReadonlyMap<number, Headline>): readonly (readonly [alias: string, bug: number])[] {
  return [...bugs.values()]
    .flatMap(({ id, aliases }) => aliases.map((alias) => [alias, id] as const))
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}

function oldPage(kind: string, name: string, site: string): string {
  const content = html`<h1>${name}</h1>
<p id="going">This is an old address of the tracker. Find the bug <a href="../numbers/index.html">by its number</a> or <a href="../index.html">by product</a>.</p>
<p class="dim">With scripts, this page leads on by itself.</p>`;
  return pageOf({
    title: `${name} – ${site}`,
    root: '../',
    site,
    content,
    scripts: ['aliases.js', 'old-address.js'],
  }).replace('<main>', `<main data-kind="${kind}">`);
}

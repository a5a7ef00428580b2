import { html } from 'hono/html';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import { namedIn } from '../../model/named.ts';
import type { FormContext } from './form.ts';
import type { Markup } from './layout.ts';

/** The base addresses of both ends of a pair. Pages turn only addresses below them into links. */
export function homesOf({ tracker, github }: Link): readonly string[] {
  return [tracker?.url.replace(/show_bug\.cgi.*$/su, ''), github?.url.replace(/\/issues\/\d+$/u, '/')].flatMap(
    (home) => (home !== undefined && /^https?:\/\/.+\/$/u.test(home) ? [home] : []),
  );
}

const address = /(https?:\/\/[^\s"'<>]*[^\s"'<>.,;:)])/u;

/** Text with links to either end. Other addresses stay text, because anyone can write them into a title. */
export function linked(words: string, homes: readonly string[]): readonly (string | Markup)[] {
  return words
    .split(address)
    .map((part) => (homes.some((home) => part.startsWith(home)) ? away(part, nameOf(part)) : part));
}

/** A link to another site, without a referrer. */
export const away = (url: string, words: string): Markup => html`<a href="${url}" rel="noreferrer">${words}</a>`;

/** `bug 12 = acme/widget#5`, with a link to each end. */
export function endsOf({ bug, issue, repo, tracker, github }: Link): Markup {
  const end = (words: string, url: string | undefined) =>
    url !== undefined && /^https?:\/\//u.test(url) ? away(url, words) : words;
  const ends = [
    ...(bug === null ? [] : [end(`bug ${bug}`, tracker?.url)]),
    ...(issue === null ? [] : [end(`${repo}#${issue}`, github?.url)]),
  ];
  return html`${ends.flatMap((each, index) => (index === 0 ? [each] : [' = ', each]))}`;
}

/** The title of a pair, as a link to its page. */
export const titled = (link: Link, otherwise: string): Markup =>
  html`<a href="/links/${link.id}">${link.tracker?.summary || link.github?.title || otherwise}</a>`;

function nameOf(url: string): string {
  const named = namedIn(url);
  if (named === null) return url;
  const item = named.kind === 'bug' ? `bug ${named.id}` : named.about;
  const comment = /#(?:c(\d+)|issuecomment-(\d+))$/u.exec(url);
  if (comment === null) return item;
  return comment[1] === undefined ? `a comment on ${item}` : `comment ${comment[1]} on ${item}`;
}

/** The pair that a card is about: its page, its title, and both ends. */
export function headOf(id: LinkId, about: string, { linkOf }: FormContext): Markup {
  const link = linkOf(id);
  if (link === null) return html`<a href="/links/${id}">${about}</a>`;
  return html`${titled(link, about)} <span class="title">${endsOf(link)}</span>`;
}

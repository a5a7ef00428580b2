import { html } from 'hono/html';
import { namedIn } from '../../links/named.ts';
import type { Link } from '../../model/link.ts';
import type { Markup } from './layout.ts';

/** Where both ends of a pair stand: the beginning of every address that a page may turn into a link. */
export function homesOf({ tracker, github }: Link): readonly string[] {
  return [tracker?.url.replace(/show_bug\.cgi.*$/su, ''), github?.url.replace(/\/issues\/\d+$/u, '/')].flatMap((home) =>
    home !== undefined && /^https?:\/\/.+\/$/u.test(home) ? [home] : [],
  );
}

const address = /(https?:\/\/[^\s"'<>]*[^\s"'<>.,;:)])/u;

/** Words with what they name of either end to be followed. Other addresses, as in titles that strangers wrote, stay words. */
export function linked(words: string, homes: readonly string[]): readonly (string | Markup)[] {
  return words.split(address).map((part) => (homes.some((home) => part.startsWith(home)) ? away(part, nameOf(part)) : part));
}

/** A link that leaves the pages, and does not tell where from. */
export const away = (url: string, words: string): Markup => html`<a href="${url}" rel="noreferrer">${words}</a>`;

function nameOf(url: string): string {
  const named = namedIn(url);
  if (named === null) return url;
  const item = named.kind === 'bug' ? `bug ${named.id}` : named.about;
  const comment = /#(?:c(\d+)|issuecomment-(\d+))$/u.exec(url);
  if (comment === null) return item;
  return comment[1] === undefined ? `a comment on ${item}` : `comment ${comment[1]} on ${item}`;
}

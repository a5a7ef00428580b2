import { html, raw } from 'hono/html';
import { withoutAddresses } from '../text/canonical.ts';
import { htmlOf } from '../text/parse.ts';
import { cutAtReferences, type References } from '../text/references.ts';
import { partsOf } from '../text/to-markdown.ts';
import { joinedMarkup, type Markup } from './page.ts';
import type { PageReferences } from './references.ts';

/**
 * A comment as HTML. Nothing in it can run, load anything, or leave its place; links lead to other pages only on a
 * click.
 */
export function commentHtml(
  { text, isMarkdown }: { readonly text: string; readonly isMarkdown: boolean },
  references: PageReferences,
): Markup {
  const rendered = isMarkdown ? htmlOf(text) : null;
  return rendered !== null
    ? markdownHtml(rendered, references)
    : html`<div class="text">${plainHtml(text, references)}</div>`;
}

/** Plain text with links. */
export const plainHtml = (text: string, references: PageReferences): Markup => {
  const lines = text
    .replace(/\r\n?/gu, '\n')
    .replace(/^(?:[ \t]*\n)+/u, '')
    .trimEnd()
    .split('\n');
  return joinedMarkup(
    lines.map((line) => {
      const words = partsOf(line).map((part) =>
        part.isAddress ? addressHtml(part.text, references) : wordsHtml(part.text, references),
      );
      return /^\s*>/u.test(line) ? html`<span class="quote">${words}</span>` : html`${words}`;
    }),
    '\n',
  );
};

export const wordsHtml = (text: string, references: References): Markup =>
  html`${cutAtReferences(text, references).map((part) =>
    part.url === null ? part.text : html`<a href="${part.url}">${part.text}</a>`,
  )}`;

/** A link; plain text if browsers must not follow the address, or if it is that of a hidden bug. */
export function addressHtml(url: string, references: PageReferences): Markup | string {
  const inside = references.page(url);
  if (inside !== null) return html`<a href="${inside}">${url}</a>`;
  if (references.isHidden(url)) return url;
  return /^(?:https?|ftp):\/\//iu.test(url) ? html`<a href="${url}" rel="nofollow noreferrer">${url}</a>` : url;
}

/**
 * The parser escapes HTML and drops dangerous addresses. Pictures become links, because loading them would reveal who
 * reads the page.
 */
function markdownHtml(rendered: string, references: PageReferences): Markup {
  let [shown, depth] = ['', 0];
  for (const token of rendered.match(/<[^<>]*>|[^<]+/gu) ?? []) {
    if (token.startsWith('<')) {
      if (/^<(?:a|code|pre)\b/u.test(token)) depth += 1;
      if (/^<\/(?:a|code|pre)>/u.test(token)) depth -= 1;
      shown += token.startsWith('<input') ? boxHtml(token) : insideLink(token, references);
    } else shown += depth === 0 ? String(wordsHtml(decoded(token), references)) : token;
  }
  // Only now, because Markdown may write the sign of an address as `\@` or `&#64;`.
  return html`<div class="markdown">${raw(withoutAddresses(shown))}</div>`;
}

/** The box of a task, the only form field that the parser makes. It is disabled. */
const boxHtml = (token: string): string =>
  `<input type="checkbox" disabled${token.includes(' checked=') ? ' checked aria-label="done"' : ' aria-label="to do"'}>`;

function insideLink(token: string, references: PageReferences): string {
  const [, source, words = ''] = /^<img src="([^"]*)" alt="([^"]*)"/u.exec(token) ?? [];
  if (token.startsWith('<img'))
    return source === undefined ? '' : `${linkTo(source, references)}${words || 'picture'}</a>`;
  const [, url] = /^<a href="([^"]*)"/u.exec(token) ?? [];
  return url === undefined ? token : linkTo(url, references);
}

/** The start tag of a link. A link to a hidden bug leads nowhere; only its words remain. */
function linkTo(url: string, references: PageReferences): string {
  const whole = references.whole(decoded(url));
  const inside = references.page(whole);
  if (inside !== null) return String(html`<a href="${inside}">`);
  return references.isHidden(whole) ? '<a>' : String(html`<a href="${whole}" rel="nofollow noreferrer">`);
}

const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
const decoded = (html: string): string =>
  html.replace(/&(lt|gt|quot|amp);/gu, (whole, name: string) => signs[name] ?? whole);

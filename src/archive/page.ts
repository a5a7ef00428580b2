import { html, raw } from 'hono/html';

/**
 * The frame of every page. A page loads a style sheet and pictures from its own folder and, if it searches, scripts;
 * nothing else.
 */

/** Part of a page. `html` escapes every text that is put into it. */
export type Markup = ReturnType<typeof html>;

export const joinedMarkup = (parts: readonly (Markup | string)[], between: string): Markup =>
  html`${parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]))}`;

/** Files of an archive that are the same for every tracker. */
export interface Assets {
  readonly style: string;
  /** The script of the search page, and the library that it uses. */
  readonly search: string;
  readonly library: string;
  /** The script of the pages in the place of the tracker's own. */
  readonly oldAddress: string;
}

interface PageParts {
  /** The title of the window. */
  readonly title: string;
  /** The path to the top of the archive, such as `../`; empty for a page at the top. */
  readonly root: string;
  /** The name of the tracker. */
  readonly site: string;
  readonly content: Markup;
  /** Whether the content has a search field, which the frame has otherwise. */
  readonly hasSearch?: boolean;
  /** Scripts that the page works without. */
  readonly scripts?: readonly string[];
}

export function pageOf({ title, root, site, content, hasSearch = false, scripts = [] }: PageParts): string {
  const search = html`<form action="${root}search.html" role="search"><input type="search" name="q" aria-label="Search bugs" placeholder="Search"></form>`;
  const mayRun = raw(scripts.length === 0 ? '' : " script-src 'self';");
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self';${mayRun} form-action 'self'; base-uri 'none'">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="stylesheet" href="${root}style.css">
</head>
<body>
<header class="top"><nav aria-label="Archive">
<a class="home" href="${root}index.html">${site}</a>
<a href="${root}numbers/index.html">By number</a>
${hasSearch ? '' : search}
</nav></header>
<main>
${content}
</main>
<footer>A read-only copy of ${site}, as everyone could read it.</footer>
${scripts.map((script) => html`<script src="${root}${script}"></script>\n`)}</body>
</html>
`;
  return String(page);
}

/** A moment, always in UTC, so that every run writes the same. */
export function momentHtml(at: number | null): Markup | null {
  if (at === null) return null;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso.slice(0, 19)}Z">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

export const dayOf = (at: number | null): string => (at === null ? '' : new Date(at).toISOString().slice(0, 10));

export const bytesInWords = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};

/** The status of a bug as a badge. */
export function statusHtml({
  status,
  resolution,
  isOpen,
}: {
  status: string;
  resolution: string;
  isOpen: boolean;
}): Markup {
  const words = resolution === '' ? status : `${status} ${resolution}`;
  return html`<span class="status ${isOpen ? 'open' : 'closed'}">${words.toLowerCase().replaceAll('_', ' ')}</span>`;
}

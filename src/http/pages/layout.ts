import { html } from 'hono/html';

/** Part of a page. `html` escapes every text that is put into it. */
export type Markup = ReturnType<typeof html>;

export interface Page {
  readonly title: string;
  readonly body: Markup | readonly Markup[];
  /** The result of the last action, shown once. */
  readonly note?: string | null;
  /** Whether the page updates itself. */
  readonly isLive?: boolean;
  /** The search text. */
  readonly query?: string;
  /** Whether the user is signed in and can sign out. */
  readonly isSigned?: boolean;
  /** Whether to show the search form. */
  readonly hasSearch?: boolean;
}

export function layout({
  title,
  body,
  note = null,
  isLive = false,
  query = '',
  isSigned = false,
  hasSearch = true,
}: Page): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · bugferry</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/uplot.css">
<link rel="stylesheet" href="/assets/family.css">
<link rel="stylesheet" href="/assets/board.css">
${isLive ? html`<noscript><meta http-equiv="refresh" content="30"></noscript>` : ''}
<script src="/assets/uplot.js" defer></script>
<script src="/assets/board.js" defer></script>
</head>
<body${isLive ? html` data-live` : ''}>
<a class="skip" href="#main">Skip to the content</a>
<header>
  <a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="24" height="24">bugferry</a>
  ${hasSearch ? searchForm(query) : ''}
  ${isSigned ? html`<form class="leave" action="/sign-out" method="post"><button class="plain">Sign out</button></form>` : ''}
</header>
<main id="main" tabindex="-1">
${note === null ? '' : html`<p class="note" role="status">${note}</p>`}
${body}
</main>
<footer><span data-pulse>${isLive ? 'Without JavaScript, the page reloads every 30 seconds.' : ''}</span></footer>
</body>
</html>`;
}

const searchForm = (query: string): Markup => html`<form class="search" action="/find" role="search">
    <input name="q" type="search" value="${query}" aria-label="Bug, issue or title" placeholder="bug 123, owner/repo#5 or a title" autocomplete="off">
    <button>Find</button>
  </form>`;

import { html } from 'hono/html';
import { type Link, type PairFilter, type PairQuery, pairFilters } from '../../model/link.ts';
import type { PairPage } from '../admin-port.ts';
import { endsOf, titled } from './address.ts';
import type { Markup } from './layout.ts';
import { agoInWords } from './words.ts';

/** The address of a list of pairs. */
export function pairsPath({
  route,
  filter,
  words = '',
  before = null,
}: Pick<PairQuery, 'route' | 'filter'> & Partial<PairQuery>): string {
  const query = new URLSearchParams({
    route,
    ...(filter === 'all' ? {} : { show: filter }),
    ...(words === '' ? {} : { q: words }),
    ...(before === null ? {} : { before: String(before) }),
  });
  return `/pairs?${query}`;
}

const filterWords: Readonly<Record<PairFilter, string>> = {
  all: 'All',
  waiting: 'Waiting',
  person: 'Needs you',
  parked: 'Parked',
  frozen: 'Frozen',
  withdrawn: 'Withdrawn',
  gone: 'Given up',
};

export const filterIn = (text: string | undefined): PairFilter =>
  pairFilters.find((filter) => filter === text) ?? 'all';

/** A page of the pairs of a route, with filters and a search by title. */
export function pairsPage(query: PairQuery, routes: readonly string[], { pairs, next }: PairPage, now: number): Markup {
  const { route, filter, words, before } = query;
  return html`<section aria-labelledby="pairs"><h1 id="pairs">Pairs of <a href="/routes/${route}">${route}</a></h1>
${routes.length > 1 ? html`<nav class="filters" aria-label="Routes">${routes.map((name) => choice(name, pairsPath({ ...query, route: name, before: null }), name === route))}</nav>` : ''}
<nav class="filters" aria-label="Filter">${pairFilters.map((each) => choice(filterWords[each], pairsPath({ ...query, filter: each, before: null }), each === filter))}</nav>
<form class="titles" action="/pairs" role="search">
  <input type="hidden" name="route" value="${route}">${filter === 'all' ? '' : html`<input type="hidden" name="show" value="${filter}">`}
  <input name="q" type="search" value="${words}" aria-label="Words of the title" placeholder="Beginnings of words in the title" autocomplete="off">
  <button>Search</button>
</form>
${
  pairs.length === 0
    ? html`<p class="dim">${emptyWords(query, next !== null)}</p>`
    : html`<ul class="lines pairs">${pairs.map((link) => pairLine(link, now))}</ul>`
}
<p class="pager">${before === null ? '' : html`<a href="${pairsPath({ ...query, before: null })}">Newest</a>`}
${next === null ? '' : html`<a rel="next" href="${pairsPath({ ...query, before: next })}">Older</a>`}</p>
</section>`;
}

const choice = (words: string, path: string, isChosen: boolean): Markup =>
  html`<a href="${path}"${isChosen ? html` aria-current="page"` : ''}>${words}</a>`;

function emptyWords({ filter, words, before }: PairQuery, hasMore: boolean): string {
  if (hasMore) return 'Nothing to show among these.';
  if (words !== '')
    return `No title has ${/\s/u.test(words.trim()) ? 'all these words' : 'this word'}. A word is found by its beginning.`;
  if (before !== null) return 'There are no more.';
  return filter === 'all' ? 'There are no pairs yet.' : 'There is none.';
}

function pairLine(link: Link, now: number): Markup {
  const changedAt = Math.max(link.tracker?.changedAt ?? 0, link.github?.changedAt ?? 0);
  return html`<li><span class="when">${changedAt === 0 ? '' : agoInWords(changedAt, now)}</span>
<span>${titled(link, 'Without a title')} ${stateOf(link)}<span class="dim">${endsOf(link)}${link.reason === null ? '' : html`; ${link.reason}`}</span></span></li>`;
}

function stateOf({ state, urgency, bug, issue, isWithdrawn }: Link): Markup | '' {
  const tag = (words: string, colour: string) => html`<span class="tag ${colour}">${words}</span>`;
  if (state === 'tombstone') return tag('given up', 'grey');
  if (isWithdrawn) return tag('withdrawn', 'grey');
  if (state === 'frozen') return tag('frozen', 'grey');
  if (bug === null || issue === null) return tag('no counterpart yet', 'amber');
  return urgency === 'none' ? '' : tag('waiting', 'amber');
}

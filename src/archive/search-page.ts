import { html } from 'hono/html';
import type { Headline } from '../model/archive/ports.ts';
import type { Written } from './lists.ts';
import { type Assets, pageOf } from './page.ts';

/**
 * The search: a page, its script, and a library beside it. It needs no server, and works in a folder on a disk, too.
 */
export function searchFiles(
  bugs: ReadonlyMap<number, Headline>,
  site: string,
  { search, library }: Pick<Assets, 'search' | 'library'>,
): readonly Written[] {
  const products = [...new Set([...bugs.values()].map(({ product }) => product))].sort();
  const options = products.map((product, index) => html`<option value="${index}">${product}</option>`);
  const content = html`<h1>Search</h1>
<noscript><p class="continues">The search needs scripts. Without them, use the lists <a href="index.html">by product</a> and <a href="numbers/index.html">by number</a>.</p></noscript>
<form class="find" id="search" role="search">
<input type="search" name="q" aria-label="Search bugs" placeholder="Words of a title, an alias, or a number" autofocus>
<select name="product" aria-label="Product"><option value="">All products</option>${options}</select>
<select name="state" aria-label="State"><option value="">Open and closed</option><option value="1">Open</option><option value="0">Closed</option></select>
<label><input type="checkbox" name="comments" value="1"> in comments, too</label>
</form>
<p class="facts" id="found" role="status"></p>
<ul class="bugs" id="results" hidden></ul>`;
  return [
    [
      'search.html',
      pageOf({
        title: `Search – ${site}`,
        root: '',
        site,
        content,
        hasSearch: true,
        scripts: ['minisearch.js', 'search/titles.js', 'search.js'],
      }),
    ],
    ['search.js', search],
    ['minisearch.js', library],
  ];
}

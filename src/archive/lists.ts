import { html } from 'hono/html';
import type { Headline } from '../model/archive/ports.ts';
import { canonicalTitle } from '../text/canonical.ts';
import { dayOf, joinedMarkup, type Markup, momentHtml, pageOf, statusHtml } from './page.ts';
import { bugPath, numbersPath, rangeOf, rangeSize, slugsOf } from './paths.ts';

/** A file of the archive: its path and its text. */
export type Written = readonly [path: string, text: string];

/** More bugs would make a page too long for phones. */
const bugsPerPage = 500;

interface Catalogue {
  readonly pages: Iterable<Written>;
  /** The list of a component; of the product, if it is null. */
  readonly listOf: (product: string, component: string | null) => string;
}

/** The start page, and every list: by product and component, and by number. One page at a time is in memory. */
export function catalogueOf(bugs: ReadonlyMap<number, Headline>, site: string): Catalogue {
  const products = Map.groupBy(bugs.values(), ({ product }) => product);
  const slugs = slugsOf([...products.keys()]);
  const parts = new Map(
    [...products].map(([product, listed]) => {
      const components = Map.groupBy(listed, ({ component }) => component);
      return [product, { components, slugs: slugsOf([...components.keys()]) }] as const;
    }),
  );
  const folderOf = (product: string): string => `products/${slugs.get(product) ?? 'other'}`;
  const listOf = (product: string, component: string | null): string =>
    `${folderOf(product)}/${component === null ? 'index' : `c-${parts.get(product)?.slugs.get(component) ?? 'other'}`}.html`;
  const names = [...products.keys()].toSorted();
  function* pages(): Generator<Written> {
    yield [
      'index.html',
      startPage(names, { products, parts, listOf, site, count: bugs.size, newest: newestOf(bugs.values()) }),
    ];
    for (const product of names) {
      const components = parts.get(product)?.components ?? new Map<string, Headline[]>();
      yield [listOf(product, null), productPage(product, components, { listOf, site })];
      for (const [component, listed] of components) {
        const crumbs = html`<p class="crumbs"><a href="../../${listOf(product, null)}">${product}</a></p>`;
        const newestFirst = listed.toSorted((one, other) => other.id - one.id);
        yield* listPages(listOf(product, component), component, { bugs: newestFirst, crumbs, site, root: '../../' });
      }
    }
    yield* numberPages(bugs, site);
  }
  return { pages: pages(), listOf };
}

interface Start {
  readonly products: ReadonlyMap<string, readonly Headline[]>;
  readonly parts: ReadonlyMap<string, { readonly components: ReadonlyMap<string, readonly Headline[]> }>;
  readonly listOf: Catalogue['listOf'];
  readonly site: string;
  readonly count: number;
  /** When a bug of the copy last changed. The time of the run would make every copy differ. */
  readonly newest: number | null;
}

function newestOf(bugs: Iterable<Headline>): number | null {
  let newest: number | null = null;
  for (const { changedAt } of bugs) if (changedAt !== null && changedAt > (newest ?? 0)) newest = changedAt;
  return newest;
}

function startPage(names: readonly string[], { products, parts, listOf, site, count, newest }: Start): string {
  const sections = names.map((product) => {
    const components = [...(parts.get(product)?.components ?? [])].toSorted(byName).map(([component, listed]) => {
      return html`<li><a href="${listOf(product, component)}">${component}</a> ${countHtml(listed)}</li>`;
    });
    return html`<section class="product"><h2><a href="${listOf(product, null)}">${product}</a> ${countHtml(products.get(product) ?? [])}</h2><ul>\n${joinedMarkup(components, '\n')}\n</ul></section>`;
  });
  const content = html`<h1>${site}</h1>
<p class="facts">${bugsInWords(count)}, as everyone could read them${newest === null ? '' : html`; the newest change is from ${momentHtml(newest)}`}. Nothing can be changed here.</p>
<form class="find" action="search.html" role="search"><input type="search" name="q" aria-label="Search bugs" placeholder="Words of a title, or a number"><button>Search</button></form>
${joinedMarkup(sections, '\n')}`;
  return pageOf({ title: site, root: '', site, content, hasSearch: true });
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0;

const bugsInWords = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'bug' : 'bugs'}`;

function countHtml(bugs: readonly Headline[]): Markup {
  const open = bugs.filter(({ isOpen }) => isOpen).length;
  return html`<span class="count">${bugsInWords(bugs.length)}${open === 0 ? '' : `, ${open.toLocaleString('en')} open`}</span>`;
}

function productPage(
  product: string,
  components: ReadonlyMap<string, readonly Headline[]>,
  { listOf, site }: Pick<Start, 'listOf' | 'site'>,
): string {
  const items = [...components]
    .toSorted(byName)
    .map(
      ([component, bugs]) =>
        html`<li><a href="../../${listOf(product, component)}">${component}</a> ${countHtml(bugs)}</li>`,
    );
  const content = html`<h1>${product}</h1>\n<section class="product"><ul>\n${joinedMarkup(items, '\n')}\n</ul></section>`;
  return pageOf({ title: product, root: '../../', site, content });
}

interface Listing {
  readonly bugs: readonly Headline[];
  readonly crumbs: Markup;
  readonly site: string;
  readonly root: string;
}

/** A list of bugs on as many pages as it needs; the first has the plain path. */
function* listPages(path: string, title: string, { bugs, crumbs, site, root }: Listing): Generator<Written> {
  const count = Math.max(1, Math.ceil(bugs.length / bugsPerPage));
  const pathOf = (page: number): string => (page === 0 ? path : path.replace(/\.html$/u, `.${page + 1}.html`));
  for (let page = 0; page < count; page += 1) {
    const part = bugs.slice(page * bugsPerPage, (page + 1) * bugsPerPage);
    const others = Array.from({ length: count }, (_, index) =>
      index === page ? html`<b>${index + 1}</b>` : html`<a href="${root}${pathOf(index)}">${index + 1}</a>`,
    );
    const turns = count === 1 ? '' : html`<nav class="turns" aria-label="Pages">${joinedMarkup(others, ' ')}</nav>`;
    const content = html`${crumbs}\n<h1>${title}</h1>\n${turns}\n${tableHtml(part, root)}\n${turns}`;
    yield [pathOf(page), pageOf({ title, root, site, content })];
  }
}

function tableHtml(bugs: readonly Headline[], root: string): Markup {
  const rows = bugs.map((bug) => {
    const title = canonicalTitle(bug.summary);
    return html`<li><a class="number" href="${root}${bugPath(bug.id)}">${bug.id}</a> <a class="title" href="${root}${bugPath(bug.id)}">${title}</a> ${statusHtml(bug)} <span class="day">${dayOf(bug.changedAt)}</span></li>`;
  });
  return html`<ul class="bugs">\n${joinedMarkup(rows, '\n')}\n</ul>`;
}

/** For readers who know a number, and for servers without rules. */
function* numberPages(bugs: ReadonlyMap<number, Headline>, site: string): Generator<Written> {
  const ranges = [...Map.groupBy(bugs.values(), ({ id }) => rangeOf(id))].sort(([one], [other]) => one - other);
  const nameOf = (range: number): string => `Bugs ${Math.max(1, range * rangeSize)} to ${(range + 1) * rangeSize - 1}`;
  const items = ranges.map(
    ([range, listed]) => html`<li><a href="../${numbersPath(range)}">${nameOf(range)}</a> ${countHtml(listed)}</li>`,
  );
  const index = html`<h1>Bugs by number</h1>\n<section class="product"><ul>\n${joinedMarkup(items, '\n')}\n</ul></section>`;
  yield ['numbers/index.html', pageOf({ title: 'Bugs by number', root: '../', site, content: index })];
  for (const [range, listed] of ranges) {
    const crumbs = html`<p class="crumbs"><a href="index.html">Bugs by number</a></p>`;
    const ascending = listed.toSorted((one, other) => one.id - other.id);
    yield* listPages(numbersPath(range), nameOf(range), { bugs: ascending, crumbs, site, root: '../' });
  }
}

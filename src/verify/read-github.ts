import { whyNotSelected } from '../links/match.ts';
import { issueNumber } from '../model/ids.ts';
import type { Comment, Issue } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import { parseGithubMarker } from '../text/marker.ts';
import type { SeenIssue } from './compare/seen-pair.ts';
import type { SeenText } from './compare/seen-text.ts';
import { advance, breathe, type Inspection, reading } from './inspection.ts';
import { bodyOf, type GithubSeen, isOwnOnGithub, textOf } from './pair-of.ts';
import { type Shrinker, type Small, shrinker } from './small.ts';

/** All GitHub content of a route, as small as possible until the tracker's side is read. */
export interface GithubBook {
  /** The issue of a link; removes it from the book. */
  take(link: Pick<Link, 'issue'>): GithubSeen | null;
  /** Issues without a link that look like ours or should have a bug. */
  strays(): readonly Stray[];
}

export interface Stray {
  readonly issue: SeenIssue;
  /** The bug that its marker names; null for an issue that a person opened. */
  readonly bug: number | null;
}

/** All issues and comments in the order of GitHub's lists: a hundred per request, whatever they belong to. */
export async function readGithub(inspection: Inspection): Promise<GithubBook> {
  const { context } = inspection;
  const pages = new Map<number, Page>();
  const small = shrinker();
  const strays = new Map<number, Stray>();
  let page: string | null = null;
  do {
    const listing = await reading(inspection, 'github', 'issues', () => context.github.list(page));
    for (const issue of listing.items) {
      addIssue(inspection, { pages, small, strays }, issue);
      await breathe(inspection);
    }
    for (const comment of listing.comments) {
      addComment(inspection, { pages, small }, comment);
      await breathe(inspection);
    }
    advance(inspection, 'issues', listing.items.length + listing.comments.length);
    page = listing.next;
  } while (page !== null);
  return {
    take({ issue: number }) {
      const found = number === null ? undefined : pages.get(number);
      if (number !== null) pages.delete(number);
      if (found?.issue == null || found.body === null) return null;
      const comments = [...found.comments.values()].map((comment) => small.restore(comment));
      return { issue: small.restore(found.issue), texts: [small.restore(found.body), ...inOrder(comments)] };
    },
    strays: () => [...strays.values()],
  };
}

/** One issue under construction: its comments may be listed before it. */
interface Page {
  issue: Small<SeenIssue> | null;
  body: Small<SeenText> | null;
  readonly comments: Map<number, Small<SeenText>>;
}

const inOrder = (comments: readonly SeenText[]): readonly SeenText[] =>
  comments.toSorted((one, other) => one.createdAt - other.createdAt || one.id - other.id);

const pageOf = (pages: Map<number, Page>, number: number): Page => {
  const page = pages.get(number) ?? { issue: null, body: null, comments: new Map() };
  pages.set(number, page);
  return page;
};

interface Growing {
  readonly pages: Map<number, Page>;
  readonly small: Shrinker;
  readonly strays: Map<number, Stray>;
}

function addIssue({ context }: Inspection, { pages, small, strays }: Growing, issue: Issue): void {
  const { store, route } = context;
  const { body: _body, ...seen } = issue;
  const link = store.links.byIssue(`${route.owner}/${route.repo}`, issue.number);
  const marker = isOwnOnGithub(context, issue.author.login) ? parseGithubMarker(route.instance, issue.body) : null;
  if (link === null) {
    if (marker !== null) strays.set(issue.number, { issue: seen, bug: marker.bug });
    else if (whyNotSelected(route, issue) === null) strays.set(issue.number, { issue: seen, bug: null });
    return;
  }
  const page = pageOf(pages, issue.number);
  page.issue = small.shrink<SeenIssue>(seen);
  page.body = small.shrink(bodyOf(context, issue, false));
}

function addComment({ context }: Inspection, { pages, small }: Omit<Growing, 'strays'>, comment: Comment): void {
  const { store, route } = context;
  // Comments of issues without a link are useless, and there may be many.
  if (!pages.has(comment.ref) && store.links.byIssue(`${route.owner}/${route.repo}`, issueNumber(comment.ref)) === null) return;
  pageOf(pages, comment.ref).comments.set(comment.id, small.shrink(textOf(context, comment, false)));
}

import type { RouteState } from '../kernel/context.ts';
import { issueNumber } from '../model/ids.ts';
import type { Comment, Issue } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { Scratch } from '../model/store.ts';
import { whyNotSelected } from '../rules/links/match.ts';
import { parseGithubMarker } from '../text/marker.ts';
import type { SeenIssue } from './compare/seen-pair.ts';
import type { SeenText } from './compare/seen-text.ts';
import { type Inspection, judgePair, letOthersRun, reading, tellProgress } from './inspection.ts';
import { bodyOf, type GithubSeen, isOwnOnGithub, textOf } from './pair-of.ts';

/** All GitHub content of a route, until the tracker's side is read. */
export interface GithubBook {
  /** The issue of a link. */
  find(link: Pick<Link, 'issue'>): GithubSeen | null;
  /** Issues without a link that look like ours or should have a bug. */
  strays(): readonly Stray[];
  close(): void;
}

export interface Stray {
  readonly issue: SeenIssue;
  /** The bug that its marker names; null for an issue that a person opened. */
  readonly bug: number | null;
}

/** All issues and comments in the order of GitHub's lists: a hundred per request, whatever they belong to. */
export async function readGithub(inspection: Inspection): Promise<GithubBook> {
  const { context } = inspection;
  const pages: Pages = { heads: context.store.scratch(), comments: context.store.scratch(), linked: new Map() };
  const strays = new Map<number, Stray>();
  let page: string | null = null;
  do {
    const listing = await reading(inspection, 'github', 'issues', () => context.github.list(page));
    for (const issue of listing.items) {
      addIssue(inspection, pages, issue, strays);
      await letOthersRun(inspection);
    }
    for (const comment of listing.comments) {
      addComment(inspection, pages, comment);
      await letOthersRun(inspection);
    }
    tellProgress(inspection, 'issues', listing.items.length + listing.comments.length);
    page = listing.next;
  } while (page !== null);
  return {
    find({ issue: number }) {
      const [head] = number === null ? [] : pages.heads.of(number);
      if (head === undefined) return null;
      return { issue: head.issue, texts: [head.body, ...inOrder(pages.comments.of(head.issue.number))] };
    },
    strays: () => [...strays.values()],
    close() {
      pages.heads.close();
      pages.comments.close();
    },
  };
}

/** What was read so far, by the number of the issue. Comments may be listed before their issue. */
interface Pages {
  readonly heads: Scratch<{ readonly issue: SeenIssue; readonly body: SeenText }>;
  readonly comments: Scratch<SeenText>;
  /** Issues that are known to have a link, with its ends. */
  readonly linked: Map<number, Ends>;
}

const inOrder = (comments: readonly SeenText[]): readonly SeenText[] =>
  comments.toSorted((one, other) => one.createdAt - other.createdAt || one.id - other.id);

function addIssue(inspection: Inspection, pages: Pages, issue: Issue, strays: Map<number, Stray>): void {
  const { context } = inspection;
  const { body: _body, ...seen } = issue;
  const ends = endsOf(context, pages, issue.number);
  if (ends !== null) {
    const body = judgePair(inspection, ends, () => bodyOf(context, issue, false));
    if (body !== null) pages.heads.put(issue.number, 0, { issue: seen, body });
    return;
  }
  const { route } = context;
  const marker = isOwnOnGithub(context, issue.author) ? parseGithubMarker(route.instance, issue.body) : null;
  if (marker !== null) strays.set(issue.number, { issue: seen, bug: marker.bug });
  else if (whyNotSelected(route, issue) === null) strays.set(issue.number, { issue: seen, bug: null });
}

/** Comments of issues without a link are useless, and there may be many. */
function addComment(inspection: Inspection, pages: Pages, comment: Comment): void {
  const { context } = inspection;
  const ends = endsOf(context, pages, comment.ref);
  if (ends === null) return;
  const text = judgePair(inspection, ends, () => textOf(context, comment, false));
  if (text !== null) pages.comments.put(comment.ref, comment.id, text);
}

type Ends = Pick<Link, 'bug' | 'issue'>;

/** The ends of the link of an issue; null if it has none. */
function endsOf({ store, route }: RouteState, { linked }: Pages, number: number): Ends | null {
  const known = linked.get(number);
  if (known !== undefined) return known;
  const link = store.links.byIssue(`${route.owner}/${route.repo}`, issueNumber(number));
  if (link === null) return null;
  const ends = { bug: link.bug, issue: link.issue };
  linked.set(number, ends);
  return ends;
}

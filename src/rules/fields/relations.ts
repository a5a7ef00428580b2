import type { Bug, Fields, Issue } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { IssuePatch } from '../../model/plan/draft.ts';
import type { UpdateOperation } from '../../model/plan/operation.ts';
import type { Neighbour, PublicNeighbour } from '../../model/plan/public.ts';
import type { Route } from '../../model/route.ts';
import { elementsOf, isSet, sorted } from '../../text/canonical.ts';

/**
 * A link as the neighbour of other links; null until both sides can name it. `gate` decides whether it may be named.
 */
export function neighbourOf({ bug, github, state }: Link, isShown: boolean): Neighbour | null {
  if (bug === null || github === null || state === 'tombstone') return null;
  return { bug, issue: github.number, issueId: github.id, issueUrl: github.url, isShown };
}

/**
 * The bug's dependencies as a comparable field; no fields if the route does not ask for them or the tracker does not
 * report them.
 */
export function trackerRelations(route: Route, bug: Bug, neighbours: readonly PublicNeighbour[]): Fields {
  const { dependsOn } = bug;
  if (!route.dependencies || dependsOn === undefined) return {};
  return { dependsOn: namesOf(neighbours.filter((each) => each.isShown && dependsOn.includes(each.bug))) };
}

/**
 * @param past GitHub's relations when both sides last agreed: a target that is hidden now must be removed if it was
 * there before
 */
export function githubRelations(
  route: Route,
  issue: Issue,
  neighbours: readonly PublicNeighbour[],
  past: Fields,
): Fields {
  const { blockedBy } = issue;
  if (!route.dependencies || blockedBy === undefined) return {};
  const before = elementsOf(past.dependsOn);
  const isComparable = (each: Neighbour) => each.isShown || before.includes(String(each.bug));
  return { dependsOn: namesOf(neighbours.filter((each) => blockedBy.includes(each.issue) && isComparable(each))) };
}

/**
 * The link, as if both sides had agreed on the relations to hidden bugs that both of them show: these have to go off
 * GitHub, also if the state is too old to know of them.
 */
export function withHiddenRelations<L extends Link>(link: L, neighbours: readonly PublicNeighbour[]): L {
  const { tracker, github, base } = link;
  const [mine, theirs] = [tracker?.dependsOn ?? [], github?.blockedBy ?? []];
  if (mine.length === 0 || theirs.length === 0) return link;
  const hidden = neighbours.filter(
    ({ bug, issue, isShown }) => !isShown && mine.includes(bug) && theirs.includes(issue),
  );
  if (hidden.length === 0) return link;
  const withThem = (fields: Fields = {}): Fields => ({
    ...fields,
    dependsOn: sorted([...new Set([...elementsOf(fields.dependsOn), ...namesOf(hidden)])]),
  });
  return { ...link, base: { tracker: withThem(base?.tracker), github: withThem(base?.github) } };
}

/** Each relation is a separate request, so a cycle handles a few and leaves the rest to the next cycle. */
const changesMax = 3;

/** The part of a target that one update may handle. */
export function withFewRelations(target: Fields, shown: Fields): Fields {
  if (!isSet(target.dependsOn)) return target;
  const [wanted, present] = [target.dependsOn, elementsOf(shown.dependsOn)];
  const come = wanted.filter((each) => !present.includes(each)).slice(0, changesMax);
  const gone = present.filter((each) => !wanted.includes(each)).slice(0, changesMax - come.length);
  return { ...target, dependsOn: sorted([...present.filter((each) => !gone.includes(each)), ...come]) };
}

/** The requests that bring the relations of an issue to their target, one for each relation. */
export function blockerSteps(
  { target, replaces }: UpdateOperation,
  neighbours: readonly PublicNeighbour[],
): readonly IssuePatch[] {
  if (!isSet(target.dependsOn)) return [];
  const [wanted, present] = [target.dependsOn, elementsOf(replaces.dependsOn)];
  return neighbours.flatMap(({ bug, issueId }): readonly IssuePatch[] => {
    const [isWanted, isPresent] = [wanted.includes(String(bug)), present.includes(String(bug))];
    return isWanted === isPresent ? [] : [{ blocker: { change: isWanted ? 'add' : 'remove', issueId } }];
  });
}

const namesOf = (neighbours: readonly Neighbour[]): readonly string[] =>
  sorted(neighbours.map(({ bug }) => String(bug)));

/**
 * The issue that this one duplicates, according to people on GitHub and by GitHub's own convention: a comment
 * "Duplicate of #12". The list of issues says that an issue is a duplicate, but not of which one.
 */
export function duplicateNamed(repo: string, commentLinks: readonly CommentLink[]): number | null {
  const texts = commentLinks
    .filter((commentLink) => commentLink.origin === 'github' && commentLink.state !== 'gone')
    .map((commentLink) => commentLink.text ?? '');
  for (const text of texts.reverse()) {
    const match =
      /\bduplicate of\s+(?:([\w.-]+\/[\w.-]+)?#|https?:\/\/[^/\s]+\/([\w.-]+\/[\w.-]+)\/issues\/)(\d+)/iu.exec(text);
    const where = (match?.[1] ?? match?.[2] ?? repo).toLowerCase();
    if (match && where === repo.toLowerCase()) return Number(match[3]);
  }
  return null;
}

/**
 * A comment, and the sentence that the tracker itself added when a bug was marked as a duplicate of another, or another
 * as a duplicate of it.
 */
interface Noted {
  /** The person's words; empty if the tracker wrote the whole comment. */
  readonly words: string;
  /** `This bug has been marked as a duplicate of bug 7`; null if there is no such sentence. */
  readonly note: string | null;
}

/** Source: Bugzilla 5.2, which ends only one of its two sentences with a full stop; other versions differ. */
const sentence =
  /^\*\*\* (This bug has been marked as a duplicate of bug \d+|Bug \d+ has been marked as a duplicate of this bug)\.? \*\*\*$/u;

/** The sentence is the last line: all others are never looked at, as a text may consist of line breaks. */
export function duplicateNoteIn(text: string): Noted {
  const shown = text.trimEnd();
  const at = shown.lastIndexOf('\n') + 1;
  const line = shown.slice(at);
  const note = sentence.exec(at === 0 ? line : line.trimStart())?.[1] ?? null;
  if (note === null) return { words: text, note };
  return { words: at === 0 ? '' : text.slice(0, text.indexOf('\n', text.slice(0, at).trimEnd().length)), note };
}

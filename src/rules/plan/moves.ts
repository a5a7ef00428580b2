/**
 * A bug that moved to another product: what its issue says, and which route goes on with it. Issues stay where they
 * are.
 */

import type { Issue } from '../../model/item.ts';
import { aboutOf, isFormer, type Link, shownBug } from '../../model/link.ts';
import type { IssuePatch } from '../../model/plan/draft.ts';
import type { Operation, Plan, Skip } from '../../model/plan/operation.ts';
import type { Route } from '../../model/route.ts';
import { withoutFooter } from '../../text/footer.ts';
import { githubMarker, movedMarker, saysMoved } from '../../text/marker.ts';
import { toMarkdownInline } from '../../text/to-markdown.ts';
import { openingDespite } from '../fields/status.ts';
import { neutralTitle, saysOfNoBug } from '../privacy/neutral.ts';

/**
 * The steps of a move, each of which follows from the state and what the sides show, so that it may be interrupted
 * anywhere:
 *
 *   1  the bug is in another product   what people wrote on its issue is still copied to it, and nothing else
 *   2  nothing of that is left          the issue says that its bug moved, and is closed
 *   3  a later reading says the same    `movedTo` is stored: from now on another route may take the bug, and what
 *                                       people write on the issue stays there
 *   4  a route takes it                 its new link has the bug, the old link only keeps the old issue
 *   5  the new issue is there           the old issue names it
 *
 * So whatever people wrote before they could read that the bug moved is on the bug. A bug that comes back gets its old
 * issue back. Within one repository, the issue simply changes its route.
 */
export const isMoved = ({ selection, direction }: Route, { tracker, takenFrom }: Link): boolean =>
  direction !== 'to-tracker' &&
  tracker !== null &&
  tracker.product !== selection.product &&
  tracker.product !== takenFrom;

/**
 * Whether the issue has yet to say that its bug moved, or that it came back. On a route to the tracker, whoever writes
 * such a line says it to nobody.
 */
export function isOnTheMove(route: Route, link: Link): boolean {
  if (route.direction === 'to-tracker' || link.state !== 'live' || link.tracker === null) return false;
  const isSaid = link.github !== null && saysMoved(route.instance, link.github.body);
  if (!isMoved(route, link)) return isSaid || link.movedTo !== null;
  return link.movedTo !== link.tracker.product || (link.github !== null && !isSaid && !isFull(link.github));
}

/**
 * What may be written of a bug that is on the move: the words of people on its issue, their title, and whether they are
 * done with it.
 */
export function whileMoving(route: Route, link: Link, whole: Plan): Plan {
  const isSaid = link.github !== null && saysMoved(route.instance, link.github.body);
  const isLeft = !isMoved(route, link) || link.movedTo === link.tracker?.product;
  const operations = isLeft ? [] : whole.operations.flatMap((each) => ofPeople(each, isSaid));
  const reason = isMoved(route, link)
    ? `the bug moved to product ${link.tracker?.product}, and its issue is not left yet`
    : 'the bug came back, and its issue is not open again yet';
  const skips: Skip[] = isOnTheMove(route, link)
    ? [{ link: link.id, about: aboutOf(link, 'github'), reason, needsPerson: false }]
    : [];
  return { operations, notes: [], conflicts: [], skips };
}

/** @param isClosed whether the bridge closed the issue, which says nothing of the bug */
function ofPeople(operation: Operation, isClosed: boolean): readonly Operation[] {
  if (operation.on !== 'tracker') return [];
  if (operation.kind === 'comment' || operation.kind === 'file') return [operation];
  if (operation.kind !== 'update') return [];
  const only = ({ title, status }: typeof operation.target) => ({
    ...(title === undefined ? {} : { title }),
    ...(status === undefined || isClosed ? {} : { status }),
  });
  const target = only(operation.target);
  if (Object.keys(target).length === 0) return [];
  return [{ ...operation, target, source: only(operation.source), replaces: only(operation.replaces) }];
}

/** Where a bug goes on. */
export interface Whereabouts {
  readonly product: string;
  /** Null until there is a new issue. */
  readonly issue: Pick<Issue, 'url'> | null;
  /** `acme/gadget#7` */
  readonly name: string;
}

/** The title of an issue that was withdrawn when its bug left it. */
const awayTitle = (bug: number, isElsewhere: boolean): string =>
  `Bug ${bug} ${isElsewhere ? 'moved to another product' : 'goes on in another issue'}`;

/** Whether the title comes from a move, so that it is not an edit by people. */
export const isTitledAway = (title: string, bug: number): boolean =>
  [true, false].some((isElsewhere) => title.trim() === awayTitle(bug, isElsewhere));

/** The most characters of a body. */
const bodyMax = 65_536;
/** More than the marker takes. */
const markerRoom = 80;

/** Whether nothing fits below the words of people: then they stay, and nothing is said. */
const isFull = ({ body }: Issue): boolean => withoutFooter(body).length > bodyMax - markerRoom;

/**
 * The old issue says where its bug is, if there is room for that. What stood there stays; what was withdrawn from it
 * does not come back.
 */
export function movedPatch(
  { instance, selection }: Route,
  link: Link,
  issue: Issue,
  { product, issue: next, name }: Whereabouts,
): IssuePatch {
  const bug = shownBug(link) ?? 0;
  const isElsewhere = product !== '' && product !== selection.product;
  const somewhere = isElsewhere ? 'there' : 'elsewhere';
  const there = next === null ? somewhere : `in [${name}](${next.url})`;
  const moved = isElsewhere ? ` moved to product ${toMarkdownInline(product)}, and` : '';
  // A state that came back may know of the bug only what the issue says.
  const named = link.tracker === null ? `Bug ${bug}` : `[Bug ${bug}](${link.tracker.url})`;
  const line = `*${named}${moved} goes on ${there}.*`;
  const words = saysOfNoBug(issue) ? [] : [withoutFooter(issue.body)].filter((text) => text !== '');
  const marker = movedMarker(instance, bug);
  const bodies = [[...words, `---\n${line}`, marker], [...words, marker], words].map((parts) => parts.join('\n\n'));
  const body = bodies.find(({ length }) => length <= bodyMax) ?? issue.body;
  return {
    ...(issue.title === neutralTitle(bug) ? { title: awayTitle(bug, isElsewhere) } : {}),
    ...(issue.body.replaceAll('\r\n', '\n').trimEnd() === body ? {} : { body }),
    ...(issue.state === 'open' ? { state: 'closed', reason: 'not_planned' } : {}),
  };
}

/**
 * The body of the issue of a bug that came back; the values of the bug follow. @param footer the line under an issue
 * that people opened
 */
export function returnedPatch(
  { instance, status }: Route,
  link: Link,
  issue: Issue,
  footer: string | null,
): IssuePatch {
  const last = footer ?? githubMarker(instance, { bug: link.bug ?? 0, comment: null });
  const body = [withoutFooter(issue.body), last].filter((text) => text !== '').join('\n\n');
  return { ...openingDespite(status, link), body };
}

/** Whether the link waits for its bug to arrive where it moved to, so that it stays queued. */
export const isUnderWay = (route: Route, link: Link): boolean => isFormer(link) || isOnTheMove(route, link);

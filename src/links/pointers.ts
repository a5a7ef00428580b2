import { bugPointer, issueFooter } from '../comments/write.ts';
import { aboutOf } from '../kernel/about.ts';
import { type Side, sides } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { PointOperation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';

/** Makes both ends name each other, where one does not yet; an end that is about to be made can be named after that. */
export function planPointers(link: Link): readonly PointOperation[] {
  return sides
    .filter((on) => !link.pointed[on] && (on === 'tracker' || hasRoom(link)))
    .map((on) => ({ kind: 'point', key: `${link.id}:${on}:point`, link: link.id, about: aboutOf(link, on), on }));
}

/** A body that is full takes no further line; the bug still names its issue. */
const hasRoom = ({ github }: Link): boolean => (github?.body.length ?? 0) < 65_000;

/**
 *   see-also  the bug's See Also field takes the URL
 *   comment   it does not: a comment says it
 *   footer    a line under the body of the issue
 */
export type Pointer =
  | { readonly how: 'see-also'; readonly url: string }
  | { readonly how: 'comment'; readonly text: string }
  | { readonly how: 'footer'; readonly footer: string };

/** How the end on a side names the other; null while the link is not whole. */
export function pointerOf(route: Route, { tracker: bug, github: issue }: Link, on: Side): Pointer | null {
  if (bug === null || issue === null) return null;
  if (on === 'github') return { how: 'footer', footer: issueFooter(route, bug.id, bug.url) };
  return seeAlsoTakes(issue.url) ? { how: 'see-also', url: issue.url } : { how: 'comment', text: bugPointer(issue.url) };
}

/** Stock trackers take the URLs of github.com issues in see_also, and refuse those of other hosts. */
export const seeAlsoTakes = (url: string): boolean => url.startsWith('https://github.com/');

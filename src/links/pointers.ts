import { bugPointer, issueFooter } from '../comments/compose.ts';
import { aboutOf } from '../kernel/about.ts';
import { type Side, sides } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { PointOperation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';

/** Plans the pointers that are still missing; an end that is about to be created can be named after that. */
export function planPointers(link: Link): readonly PointOperation[] {
  return sides
    .filter((on) => !link.pointed[on] && (on === 'tracker' || hasRoom(link)))
    .map((on) => ({ kind: 'point', key: `${link.id}:${on}:point`, link: link.id, about: aboutOf(link, on), on }));
}

/** A full body has no room for another line; the bug still names its issue. */
const hasRoom = ({ github }: Link): boolean => (github?.body.length ?? 0) < 65_000;

/**
 *   see-also  the URL goes into the bug's See Also field
 *   comment   that field does not accept the URL, so it goes into a comment
 *   footer    a line under the body of the issue
 */
export type Pointer =
  | { readonly how: 'see-also'; readonly url: string }
  | { readonly how: 'comment'; readonly text: string }
  | { readonly how: 'footer'; readonly footer: string };

/** How the end on `on` names the other; null while the link is not whole. */
export function pointerOf(route: Route, { tracker: bug, github: issue }: Link, on: Side): Pointer | null {
  if (bug === null || issue === null) return null;
  if (on === 'github') return { how: 'footer', footer: issueFooter(route, bug.id, bug.url) };
  return seeAlsoTakes(issue.url) ? { how: 'see-also', url: issue.url } : { how: 'comment', text: bugPointer(issue.url) };
}

/** Stock trackers accept the URLs of github.com issues in see_also, and refuse those of other hosts. */
export const seeAlsoTakes = (url: string): boolean => url.startsWith('https://github.com/');

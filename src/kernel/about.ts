import type { Side } from '../model/ids.ts';
import type { Link } from '../model/link.ts';

/** The name of a link's end on the side that is written to: `bug 12` or `acme/widget#5`; if that end does not exist, the name of the other. */
export function aboutOf(link: Link, side: Side): string {
  const bug = link.bug === null ? null : `bug ${link.bug}`;
  const issue = link.issue === null ? null : `${link.repo}#${link.issue}`;
  return (side === 'tracker' ? (bug ?? issue) : (issue ?? bug)) ?? 'a link without ends';
}

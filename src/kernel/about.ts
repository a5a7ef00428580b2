import type { Side } from '../model/ids.ts';
import type { Link } from '../model/link.ts';

/** What people call one end of a link, on the side that is written to: `bug 12`, `acme/widget#5`, or the end that exists. */
export function aboutOf(link: Link, side: Side): string {
  const bug = link.bug === null ? null : `bug ${link.bug}`;
  const issue = link.issue === null ? null : `${link.repo}#${link.issue}`;
  return (side === 'tracker' ? (bug ?? issue) : (issue ?? bug)) ?? 'a link without ends';
}

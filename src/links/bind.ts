import type { NewCommentLink } from '../comments/thread.ts';
import type { CommentLink, Link } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import { carries } from '../text/kept-markdown.ts';
import { parseGithubMarker } from '../text/marker.ts';
import { issueNumberIn } from './match.ts';

/** Two one-ended links that turn out to be one. The older one stays. */
export function joined(keep: Link, absorb: Link): Link {
  return {
    ...keep,
    bug: keep.bug ?? absorb.bug,
    issue: keep.issue ?? absorb.issue,
    tracker: keep.tracker ?? absorb.tracker,
    github: keep.github ?? absorb.github,
    threadReadAt: keep.threadReadAt ?? absorb.threadReadAt,
    claim: null,
    urgency: keep.urgency === 'live' || absorb.urgency === 'live' ? 'live' : 'backfill',
  };
}

/** Which ends are seen to name the other. What was written down once is not forgotten. */
export function withPointers(route: Route, link: Link): Link {
  const { bug, github, pointed } = link;
  const isNamed = github !== null && bug !== null && parseGithubMarker(route.instance, github.body)?.bug === bug;
  return { ...link, pointed: { tracker: pointed.tracker || namesIssue(route, link), github: pointed.github || isNamed } };
}

/** Whether the bug, as it was last seen, names its issue in See Also. */
export const namesIssue = (route: Route, { tracker, issue }: Link): boolean =>
  tracker?.seeAlso.some((url) => issue !== null && issueNumberIn(route, url) === issue) ?? false;

/** The comment links of both: where each knew one end of the same pair, the pair. */
export function joinedCommentLinks(
  keep: readonly CommentLink[],
  absorb: readonly CommentLink[],
  link: Link,
): { save: readonly CommentLink[]; add: readonly NewCommentLink[] } {
  const save: CommentLink[] = [];
  const add: NewCommentLink[] = [];
  for (const commentLink of absorb) {
    const twin = keep.find((each) => isSame(each, commentLink));
    if (twin) save.push(pairOf(twin, commentLink));
    else {
      const { id: _id, ...rest } = commentLink;
      add.push({ ...rest, link: link.id });
    }
  }
  return { save, add };
}

const isSame = (one: CommentLink, other: CommentLink): boolean =>
  one.origin === other.origin && one.source === other.source && one.part === other.part && (one.part === 1 || one.digest === other.digest);

/** One of the two saw the original, the other its copy: text and digest come from the first, the pairing from the second. */
function pairOf(one: CommentLink, other: CommentLink): CommentLink {
  const copy = one.copy !== null ? one : other;
  const original = copy === one ? other : one;
  if (copy.copy === null) return one;
  const isCarried = copy.before !== null && original.text !== null && carries(copy.before, original.text);
  const mirrored = copy.mirrored === '' || isCarried ? original.digest : copy.mirrored;
  return {
    ...original,
    id: one.id,
    link: one.link,
    copy: copy.copy,
    state: copy.state,
    reason: copy.reason,
    parts: copy.parts,
    mirrored,
    copyDigest: copy.copyDigest,
    wrote: copy.wrote,
    isEdited: copy.isEdited,
    isStale: original.origin === 'tracker' && original.text !== null,
  };
}

import { commentAfter } from '../comments/life.ts';
import type { CommentLink, Link, NewCommentLink } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import { carries } from '../text/kept-markdown.ts';
import { parseGithubMarker } from '../text/marker.ts';
import { issueNumberIn } from './match.ts';

/** Joins two one-ended links that turn out to be the same. The older one stays. */
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

/** Updates which ends name the other. Once recorded, a pointer stays recorded. */
export function withPointers(route: Route, link: Link): Link {
  const { bug, github, pointed } = link;
  const isNamed = github !== null && bug !== null && parseGithubMarker(route.instance, github.body)?.bug === bug;
  return { ...link, pointed: { tracker: pointed.tracker || namesIssue(route, link), github: pointed.github || isNamed } };
}

/** Whether the bug, as last seen, names its issue in See Also. */
export const namesIssue = (route: Route, { tracker, issue }: Link): boolean =>
  tracker?.seeAlso.some((url) => issue !== null && issueNumberIn(route, url) === issue) ?? false;

/** The comment links of both; two that each have one end of the same pair are joined. */
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

/** One of the two has seen the original, the other its copy: text and digest come from the first, the pairing from the second. */
function pairOf(one: CommentLink, other: CommentLink): CommentLink {
  const copied = one.copy !== null ? one : other;
  const original = copied === one ? other : one;
  if (copied.copy === null) return one;
  const isCarried = copied.before !== null && original.text !== null && carries(copied.before, original.text);
  const mirrored = copied.mirrored === '' || isCarried ? original.digest : copied.mirrored;
  const { copy, parts, wrote } = copied;
  const isStale = original.origin === 'tracker' && original.text !== null;
  const paired = commentAfter({ ...original, id: one.id, link: one.link }, { kind: 'copied', copy, mirrored, parts, wrote, isStale });
  const { state, reason } = copied;
  if (state === 'gone') return commentAfter(paired, { kind: 'deleted', reason, isCopyLeft: true, isToReport: isStale });
  return state === 'withdrawn' ? commentAfter(paired, { kind: 'hidden', reason }) : paired;
}

import type { Comment } from '../../model/item.ts';
import { bodyId, type Link } from '../../model/link.ts';
import { issueNumberIn, sameName } from '../../model/named.ts';
import { type Account, isBy } from '../../model/people.ts';
import type { ReportedComment } from '../../model/receipt.ts';
import type { Route } from '../../model/route.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import {
  fixedRemark,
  otherInstanceIn,
  parseGithubMarker,
  parseRemarkMarker,
  parseTrackerMarker,
  pullRemark,
  pushRemark,
} from '../../text/marker.ts';
import { pullBelowHeading } from '../attachments/linked.ts';

/**
 * The kind of a comment that our account wrote, according to its marker.
 *
 *   copy     the copy of the comment `source` on the other side
 *   report   reports that `source` was edited; `revision` is the digest of the new text
 *   deletion reports that `source` was deleted
 *   stray    the copy of a comment on another bug than that of its issue, or one that another bridge made
 *   pointer  names the issue that mirrors the bug
 *   remark   explains an action of the bridge
 */
export type Provenance =
  | {
      readonly kind: 'copy';
      readonly source: number;
      readonly url: string;
      /** The issue that the comment names; null for copies on GitHub. */
      readonly issue: number | null;
      /** The number of this part of the source, counted from 1. */
      readonly part: number;
      readonly parts: number;
      /** Digest of the source text, as well as it can be derived from the copy. */
      readonly digest: string;
      /** Text of the source, as on the tracker; null for copies on GitHub, and for parts, which name their revision. */
      readonly carried: string | null;
    }
  | { readonly kind: 'report'; readonly source: number; readonly revision: string; readonly parts: number }
  | { readonly kind: 'deletion'; readonly source: number }
  | { readonly kind: 'stray' }
  | { readonly kind: 'pointer'; readonly source: null }
  | { readonly kind: 'remark'; readonly source: null; readonly remark: string };

export function provenanceOf(route: Route, link: Link, comment: Comment): Provenance | null {
  return comment.side === 'github' ? onGithub(route, link, comment) : onTracker(route, link, comment);
}

/** Whether our account says this in a comment, be it public or not. @param own our login; null if it is unknown */
export function isRemark(
  route: Route,
  link: Link,
  comment: Comment,
  own: Account | null,
  remark: string | undefined,
): boolean {
  if (own !== null && !isBy(comment.author, own)) return false;
  const provenance = provenanceOf(route, link, comment);
  return provenance?.kind === 'remark' && provenance.remark === remark;
}

/** Whether a comment of ours says what a write was to say about a text. */
export function isSaying(
  said: Provenance,
  { tells, digest, remark }: Pick<ReportedComment, 'tells' | 'digest' | 'remark'>,
  source: number | undefined,
): boolean {
  if (said.kind === 'remark') return tells === 'news' && said.remark === remark;
  if (said.kind === 'report') return tells === 'edit' && said.source === source && said.revision === digest;
  return said.kind === tells && (said.kind === 'pointer' || (said.kind === 'deletion' && said.source === source));
}

function onGithub(route: Route, link: Link, { text, firstText = text }: Comment): Provenance | null {
  const remark = parseRemarkMarker(route.instance, firstText);
  if (remark !== null) return { kind: 'remark', source: null, remark };
  const marker = parseGithubMarker(route.instance, firstText);
  if (marker === null && otherInstanceIn(route.instance, firstText) !== null) return { kind: 'stray' };
  if (marker === null || marker.comment === null) return null;
  if (marker.bug !== (link.bug ?? link.claim)) return { kind: 'stray' };
  const { index: part, count: parts } = marker.part ?? whole;
  return { kind: 'copy', source: marker.comment, url: '', issue: null, part, parts, digest: '', carried: null };
}

function onTracker(route: Route, link: Link, comment: Comment): Provenance | null {
  const marker = parseTrackerMarker(comment.text) ?? pullBelowHeading(comment.text);
  // Ours is one line: whoever quotes it and goes on says something of their own.
  if (marker?.kind === 'fixed')
    return isOneLine(comment.text) ? { kind: 'remark', source: null, remark: fixedRemark(marker.url) } : null;
  if (marker?.kind === 'open' || marker?.kind === 'merged' || marker?.kind === 'closed')
    return { kind: 'remark', source: null, remark: pullRemark(marker.kind, marker.url) };
  if (marker?.kind === 'commits') return { kind: 'remark', source: null, remark: pushRemark(marker.url) };
  if (marker === null) return null;
  const there = link.formerly.find(({ url }) => sameName(url, marker.url.split('#', 1)[0] ?? ''));
  const issue = there === undefined ? issueNumberIn(route, marker.url) : link.issue;
  const isHere = issue !== null && (link.issue ?? link.claim ?? issue) === issue;
  if (marker.kind === 'mirrored' && isHere) return { kind: 'pointer', source: null };
  // The issue that the bug had in another place.
  if (marker.kind === 'mirrored' && isOneLine(comment.text))
    return { kind: 'remark', source: null, remark: `at ${marker.url}` };
  if (!isHere) return null;
  const said = Number(/#issuecomment-(\d+)$/u.exec(marker.url)?.[1] ?? bodyId);
  const source = there?.comments[said] ?? said;
  if (marker.kind === 'deleted') return { kind: 'deletion', source };
  const { index: part, count: parts } = marker.part ?? whole;
  if (marker.kind === 'edited') return { kind: 'report', source, revision: marker.revision ?? '', parts };
  const place = { kind: 'copy', source, url: marker.url, issue, part, parts } as const;
  if (marker.revision !== null) return { ...place, digest: marker.revision, carried: null };
  const below = comment.text.split('\n').slice(1).join('\n');
  const text = canonicalText(below.replace(/^\s*\n/u, ''));
  return { ...place, digest: digestOf(text), carried: text };
}

/** The address of the issue that a bug says it was filed from, in its description. Who wrote that is for the caller. */
export function filedFrom(comments: readonly Comment[]): string | null {
  const marker = parseTrackerMarker(comments.find(({ count }) => count === 0)?.text ?? '');
  return marker?.kind === 'wrote' ? marker.url : null;
}

const isOneLine = (text: string): boolean => !text.trim().includes('\n');

const whole = { index: 1, count: 1 };

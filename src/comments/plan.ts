import { issueReferencesOf } from '../links/targets.ts';
import { bodyId, byTime } from '../model/link.ts';
import type { CommentOperation, Operation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import type { PublicEntry, PublicLink } from '../privacy/gate.ts';
import { withoutHeadline } from '../privacy/neutral.ts';
import { withoutFooter } from '../text/marker.ts';
import { copyOf, type Talk } from './copy.ts';
import { furtherParts, lacksParts, operationFor, partsThere, sideOfCopy } from './parts.ts';
import { isRenewable, planRenewal, type Renewal } from './plan-renewals.ts';
import { bodyDigest } from './thread.ts';
import { bugDeletion, bugEdit } from './write.ts';

/**
 * Comments that have no copy yet, further parts of long ones, reports of edits, and copies that are to be put right, in the order in
 * which people wrote them.
 */
export function planComments(route: Route, talk: Talk): readonly Operation[] {
  return [...talk.entries].sort(byTime).flatMap((entry) => (entry.part > 1 ? [] : planEntry(route, talk, entry)));
}

/** What is to be written of one entry: all of its parts, or those that are missing. */
export function planEntry(route: Route, talk: Talk, entry: PublicEntry): readonly (CommentOperation | Renewal)[] {
  const { link } = talk;
  if (entry.state === 'pending') return copiesOf(route, talk, entry);
  if (entry.state === 'gone') return deletionOf(link, entry);
  if (entry.state !== 'mirrored') return [];
  if (entry.origin === 'github' && entry.digest !== entry.mirrored && entry.text !== null)
    return reportsOf(talk, entry, entry.text, entry.digest);
  const told = entry.copy === bodyId ? editOfBody(route, talk, entry) : [];
  if (isRenewable(entry)) return [...told, ...planRenewal(route, talk, entry)];
  return lacksParts(entry, talk.entries) && entry.text !== null ? [...told, ...restOf(route, talk, entry)] : told;
}

function copiesOf(route: Route, talk: Talk, entry: PublicEntry): readonly CommentOperation[] {
  const { link } = talk;
  const { texts, isMarkdown } = copyOf(route, talk, entry);
  const key = `${link.id}:${sideOfCopy(entry)}:comment:${entry.source}`;
  return [operationFor(link, entry, { key, texts, tells: 'copy', isMarkdown }), ...furtherParts(link, entry, texts, isMarkdown)];
}

function reportsOf(
  { link, targets, takesMarkdown = false }: Talk,
  entry: PublicEntry,
  text: string,
  digest: string,
): readonly CommentOperation[] {
  const { texts, isMarkdown } = bugEdit(entry, text, digest, issueReferencesOf(link.repo, targets), takesMarkdown);
  const edited = { ...entry, digest };
  const key = `${link.id}:tracker:edit:${entry.source}`;
  return [
    operationFor(link, edited, { key, texts, tells: 'edit', on: 'tracker', isMarkdown }),
    ...furtherParts(link, edited, texts, isMarkdown),
  ];
}

/** The copy of a deleted comment stays on the tracker; the bug hears of it where the route says so. */
function deletionOf(link: PublicLink, entry: PublicEntry): readonly CommentOperation[] {
  if (!entry.isStale || entry.origin !== 'github' || entry.copy === null) return [];
  return [
    operationFor(link, entry, { key: `${link.id}:tracker:deletion:${entry.source}`, texts: [bugDeletion(entry)], tells: 'deletion' }),
  ];
}

/** The parts that are missing, of a copy or of a report: beyond the first they are the same. */
function restOf(route: Route, talk: Talk, entry: PublicEntry): readonly CommentOperation[] {
  const there = partsThere(entry, talk.entries);
  const { texts, isMarkdown } = copyOf(route, talk, entry);
  return furtherParts(talk.link, entry, texts, isMarkdown).filter(({ part }) => !there.has(part));
}

/** A tracker's description cannot be edited, so an edit of the issue that shows it arrives as a comment. */
function editOfBody(route: Route, { link, takesMarkdown = false }: Talk, entry: PublicEntry): readonly CommentOperation[] {
  const issue = link.github;
  // Nobody hears of it on a route to GitHub; there it may be put right.
  if (issue === null || (route.direction === 'to-github' && route.copies === 'restore')) return [];
  const digest = bodyDigest(issue.body);
  if (entry.copyDigest === null || entry.copyDigest === digest) return [];
  const before = entry.before !== null && bodyDigest(entry.before) === entry.copyDigest ? withoutHeadline(entry.before) : null;
  // GitHub does not tell who edited it.
  const author = { login: 'somebody', name: 'somebody' };
  return reportsOf(
    { link, entries: [], targets: [], takesMarkdown },
    { ...entry, source: bodyId, url: issue.url, author, before },
    withoutHeadline(withoutFooter(issue.body)),
    digest,
  ).slice(0, 1);
}

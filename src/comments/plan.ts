import { bodyId, byTime } from '../model/link.ts';
import type { CommentOperation, Operation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import type { PublicEntry, PublicLink } from '../privacy/gate.ts';
import { copyOf, type Talk, toldOf } from './copy.ts';
import { furtherParts, lacksParts, operationFor, partsThere, sideOfCopy } from './parts.ts';
import { isRenewable, planRenewal, type Renewal } from './plan-renewals.ts';

/**
 * Comments that have no copy yet, further parts of long ones, reports of edits, and copies that are to be put right, in the order in
 * which people wrote them.
 */
export function planComments(route: Route, talk: Talk): readonly Operation[] {
  return [...talk.entries].sort(byTime).flatMap((entry) => (entry.part > 1 ? [] : planEntry(route, talk, entry)));
}

/** What is to be written of one entry: all of its parts, or those that are missing. */
function planEntry(route: Route, talk: Talk, entry: PublicEntry): readonly (CommentOperation | Renewal)[] {
  const { link } = talk;
  if (entry.state === 'pending') return copiesOf(route, talk, entry);
  if (entry.state === 'gone') return deletionOf(link, entry);
  if (entry.state !== 'mirrored') return [];
  if (entry.origin === 'github' && entry.digest !== entry.mirrored && entry.text !== null) return editsOf(route, talk, entry);
  const told = entry.copy === bodyId ? editOfBody(route, talk, entry) : [];
  if (isRenewable(entry)) return [...told, ...planRenewal(route, talk, entry)];
  return lacksParts(entry, talk.entries) && entry.text !== null ? [...told, ...restOf(route, talk, entry)] : told;
}

function copiesOf(route: Route, talk: Talk, entry: PublicEntry): readonly CommentOperation[] {
  const { link } = talk;
  const { length: parts } = copyOf(route, talk, entry).texts;
  const key = `${link.id}:${sideOfCopy(entry)}:comment:${entry.source}`;
  return [operationFor(link, entry, { key, parts, tells: 'copy' }), ...furtherParts(link, entry, parts)];
}

function editsOf(route: Route, talk: Talk, entry: PublicEntry): readonly CommentOperation[] {
  const parts = toldOf(route, talk, entry, 'edit')?.texts.length ?? 1;
  return [editFor(talk.link, entry, parts), ...furtherParts(talk.link, entry, parts)];
}

const editFor = (link: PublicLink, entry: PublicEntry, parts: number): CommentOperation =>
  operationFor(link, entry, { key: `${link.id}:tracker:edit:${entry.source}`, parts, tells: 'edit', on: 'tracker' });

/** The copy of a deleted comment stays on the tracker; the bug hears of it where the route says so. */
function deletionOf(link: PublicLink, entry: PublicEntry): readonly CommentOperation[] {
  if (!entry.isStale || entry.origin !== 'github' || entry.copy === null) return [];
  return [operationFor(link, entry, { key: `${link.id}:tracker:deletion:${entry.source}`, parts: 1, tells: 'deletion' })];
}

/** The parts that are missing, of a copy or of a report: beyond the first they are the same. */
function restOf(route: Route, talk: Talk, entry: PublicEntry): readonly CommentOperation[] {
  const there = partsThere(entry, talk.entries);
  return furtherParts(talk.link, entry, copyOf(route, talk, entry).texts.length).filter(({ part }) => !there.has(part));
}

/** Of an edited body the bug is told the first part only. */
function editOfBody(route: Route, talk: Talk, entry: PublicEntry): readonly CommentOperation[] {
  // Nobody hears of it on a route to GitHub; there it may be put right.
  if (entry.copyDigest === null || (route.direction === 'to-github' && route.copies === 'restore')) return [];
  const told = toldOf(route, talk, entry, 'edit');
  if (told === null || told.digest === entry.copyDigest) return [];
  return [editFor(talk.link, { ...entry, source: bodyId, digest: told.digest }, told.texts.length)];
}

import { aboutOf } from '../kernel/about.ts';
import { digestOf } from '../kernel/digest.ts';
import type { Issue } from '../model/item.ts';
import { bodyId, type Entry, type Link } from '../model/link.ts';
import type { CommentOperation, EraseOperation, Note, RewriteOperation, Skip } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import type { PublicEntry } from '../privacy/gate.ts';
import { canonicalText } from '../text/canonical.ts';
import { copyOf, type Talk } from './copy.ts';
import { furtherParts } from './parts.ts';
import { bodyDigest } from './thread.ts';

export type Renewal = RewriteOperation | CommentOperation | EraseOperation;

/**
 * What makes the copy of a tracker's text right again. Each part of a text has a copy of its own:
 *
 *   says something else     it is rewritten
 *   is not there yet        it is written, as the text became longer
 *   is no longer a part     it is erased
 *   was deleted by people   it stays deleted
 */
export function planRenewal(route: Route, talk: Talk, entry: PublicEntry): readonly Renewal[] {
  if (!isComparable(entry) || isPeoples(route, talk.link, entry)) return [];
  const { link, entries } = talk;
  const copy = copyOf(route, talk, entry);
  const rows = [entry, ...partsOf(entry, entries)];
  const rewritten = copy.texts.flatMap((text, index) => {
    const row = rows.find(({ part }) => part === index + 1);
    return row !== undefined && row.copy !== null && isToRewrite(route, row, text) ? [rewriteOf(link, entry, row, copy.texts.length)] : [];
  });
  const there = new Set(rows.filter(({ state }) => state !== 'skipped').map(({ part }) => part));
  const added = furtherParts(link, entry, copy.texts.length).filter(({ part }) => !there.has(part));
  const erased = rows.filter(({ part, copy: id, state }) => part > copy.texts.length && id !== null && state === 'mirrored');
  return [...rewritten, ...added, ...erased.map((row) => erasureOf(link, row))];
}

/** The copies that turned out to be right, or are people's by now: their marks are taken off. */
export function freshNotes(route: Route, talk: Talk): readonly Note[] {
  return talk.entries
    .filter((entry) => entry.isStale && isComparable(entry) && planRenewal(route, talk, entry).length === 0)
    .map((entry) => {
      const { texts, mentions } = copyOf(route, talk, entry);
      const isRight = texts.length === 1 && digestAsSent(entry, texts[0] ?? '') === entry.copyDigest;
      return { kind: 'fresh', link: talk.link.id, entry: entry.id, mentions, isRight };
    });
}

/** Copies that people changed by hand and that are left as they are. */
export function editedSkips(route: Route, { link, entries }: Pick<Talk, 'link' | 'entries'>): readonly Skip[] {
  const edited = entries.filter((entry) => entry.origin === 'tracker' && entry.state === 'mirrored' && isLeft(route, entry));
  if (edited.length === 0 || link.issue === null) return [];
  const what = edited.length === 1 ? 'a copy was' : `${edited.length} copies were`;
  const reason = `${what} changed by hand on GitHub and left so (copies: leave); later changes of the tracker do not show there`;
  return [{ link: link.id, about: aboutOf(link, 'github'), reason, needsPerson: false }];
}

export const isRenewable = (entry: Entry): boolean => entry.isStale && isComparable(entry);

const isComparable = ({ origin, state, part, text, copy }: Entry): boolean =>
  origin === 'tracker' && state === 'mirrored' && part === 1 && text !== null && copy !== null;

const partsOf = ({ origin, source }: Entry, entries: readonly Entry[]): readonly Entry[] =>
  entries.filter((each) => each.part > 1 && each.origin === origin && each.source === source);

/** The body of an issue may be edited on GitHub: that is told to the bug, and is people's from then on. */
function isPeoples(route: Route, { github }: Link, entry: Entry): boolean {
  if (entry.copy !== bodyId) return false;
  const isEdited = entry.isEdited || github === null || isEditedSince(github, entry);
  return isEdited && (route.direction !== 'to-github' || route.copies === 'leave');
}

const isEditedSince = (issue: Issue, entry: Entry): boolean => bodyDigest(issue.body) !== entry.copyDigest;

const isLeft = (route: Route, entry: Entry): boolean => entry.isEdited && (route.copies === 'leave' || entry.copy === bodyId);

/** Where it is not known what we wrote, anything else than that text may be somebody's, or tell more than is known again by now. */
function isToRewrite(route: Route, row: Entry, text: string): boolean {
  if (row.state !== 'mirrored') return false;
  if (row.isEdited) return route.copies === 'restore';
  return row.wrote !== null && digestAsSent(row, text) !== row.wrote;
}

/** Digest of a text as the copy will show it. */
const digestAsSent = ({ copy }: Entry, text: string): string => (copy === bodyId ? bodyDigest(text) : digestOf(canonicalText(text)));

function rewriteOf(link: Link, entry: Entry, row: Entry, parts: number): RewriteOperation {
  const part = row.part === 1 ? '' : `:${row.part}`;
  const place = { key: `${link.id}:github:rewrite:${entry.source}${part}`, link: link.id, about: aboutOf(link, 'github') };
  const isEdit = entry.digest !== entry.mirrored;
  return { kind: 'rewrite', on: 'github', ...place, entry: row.id, digest: entry.digest, parts, isEdit };
}

function erasureOf(link: Link, row: Entry): EraseOperation {
  const place = { key: `${link.id}:github:erase:${row.source}:${row.part}`, link: link.id, about: aboutOf(link, 'github') };
  return { kind: 'erase', on: 'github', ...place, entry: row.id, reason: 'the text has become shorter' };
}

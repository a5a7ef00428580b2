/**
 * What of a plan is carried out now, and in which order. A cycle has a limit of writes; the brake refuses a plan that
 * changes too much, and the budget holds what would create too much within an hour.
 */

import type { CommentLinkId, LinkId, Side } from '../../model/ids.ts';
import type { Value } from '../../model/item.ts';
import type { Authors } from '../../model/people.ts';
import type { Operation, Plan } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { Spent } from '../../model/store.ts';
import { elementsOf, isSet } from '../../text/canonical.ts';
import { operations as kinds, traitsOf } from '../operations/operations.ts';

/**
 * Sorts operations. Within a link, files are stored before a text links to them, a counterpart exists before anything
 * is written to it, and a bug is closed after its comments. A remark comes before the change it explains, since
 * afterwards nothing would show that it is wanted. Between links, the order of the plan is kept; it has no meaning.
 */
export function order(operations: readonly Operation[]): readonly Operation[] {
  const positions = new Map<number, number>();
  for (const { link } of operations) if (!positions.has(link)) positions.set(link, positions.size);
  const place = ({ link }: Operation) => positions.get(link) ?? 0;
  return operations
    .map((operation, index) => ({ operation, index }))
    .sort(
      (one, other) =>
        place(one.operation) - place(other.operation) ||
        kinds[one.operation.kind].rank - kinds[other.operation.kind].rank ||
        one.index - other.index,
    )
    .map(({ operation }) => operation);
}

/**
 * Whether a comment and the update after it can share one request, and so one e-mail. No other operation may come
 * between them: people's changes keep their order, and a comment must not wait for a write that could fail. The tracker
 * adds a sentence to the comment of a request that marks a duplicate, so such a request takes no comment of ours.
 */
export const isJoinable = (comment: Operation, next: Operation | undefined): boolean =>
  comment.kind === 'comment' &&
  next?.kind === 'update' &&
  comment.on === 'tracker' &&
  next.on === 'tracker' &&
  comment.link === next.link &&
  next.via.length === 0 &&
  (next.target.status === undefined || next.duplicateOf === null);

/** The operations that one cycle may write. */
export const withinLimit = (operations: readonly Operation[], writesMax: number): readonly Operation[] =>
  operations.slice(0, writesMax);

/**
 * Whose turn it is if a cycle cannot write everything. Live links take turns, the shorter before the longer, so that
 * nobody waits for the end of a long thread; the backfill follows link by link.
 * @param before how many links of the same person come before each
 */
export function inTurns(
  operations: readonly Operation[],
  isLive: (link: LinkId) => boolean,
  before: ReadonlyMap<LinkId, number> = new Map(),
): readonly Operation[] {
  const ofLink = Map.groupBy(operations, ({ link }) => link);
  const turns = [...ofLink].flatMap(([link, its]) => {
    const isUrgent = isLive(link);
    return its.map((operation, index) =>
      isUrgent
        ? { operation, round: index + (before.get(link) ?? 0), size: its.length }
        : { operation, round: Number.MAX_SAFE_INTEGER, size: 0 },
    );
  });
  return turns.sort((one, other) => one.round - other.round || one.size - other.size).map(({ operation }) => operation);
}

export interface Ready {
  /** The operations that may be performed now, in order. */
  readonly ready: readonly Operation[];
  /** Operations that are parked or not yet due: kept, but not counted against the limit of the cycle. */
  readonly held: readonly Operation[];
}

/**
 * Separates operations that can be performed from those that cannot, so that a failing link takes no other link's turn.
 * The rest of a link waits behind an operation that is not yet due, and behind a counterpart that cannot be created,
 * but not behind a parked comment. Only a comment that was parked because it was put off for too long keeps its place
 * in the thread, for some time: until then, later comments wait behind it.
 * @param operations in order
 * @param rowOf the outbox row with a key
 * @param spaced until when operations wait that nothing else waits for, by key
 */
export function partHeld(
  operations: readonly Operation[],
  rowOf: (key: string) => OutboxRow | null,
  now: number,
  spaced: ReadonlyMap<string, number> = new Map(),
): Ready {
  const ready: Operation[] = [];
  const held: Operation[] = [];
  const blocked = new Set<number>();
  const silent = new Set<string>();
  for (const planned of operations) {
    const row = rowOf(planned.key);
    const operation = withTries(planned, row);
    if ((spaced.get(planned.key) ?? 0) > now) {
      held.push(operation);
      continue;
    }
    const thread = `${operation.link} ${operation.on}`;
    if (operation.kind === 'comment' && silent.has(thread)) continue;
    const isParked = row?.state === 'parked' && JSON.stringify(row.operation) === JSON.stringify(operation);
    const isWaiting = row?.state === 'planned' && (row.notBeforeAt ?? 0) > now;
    if (isParked || (isWaiting && !blocked.has(operation.link))) held.push(operation);
    else if (!blocked.has(operation.link)) ready.push(operation);
    if (isParked && operation.kind === 'comment' && keepsPlace(row, now)) silent.add(thread);
    if ((isWaiting && operation.kind !== 'file') || (isParked && operation.kind === 'create'))
      blocked.add(operation.link);
  }
  return { ready, held };
}

/** A creation that is planned anew keeps what its earlier tries sent. */
function withTries(operation: Operation, row: OutboxRow | null): Operation {
  const known = row?.operation;
  const isKept = operation.kind === 'create' && known?.kind === 'create' && known.tried !== undefined;
  return isKept ? { ...operation, tried: known.tried } : operation;
}

/** Whether a parked operation holds up the operations behind it. */
const keepsPlace = ({ notBeforeAt }: Pick<OutboxRow, 'notBeforeAt'>, now: number): boolean => (notBeforeAt ?? 0) > now;

/** With fewer links than this, a share is meaningless. */
const linksMin = 10;

export interface Refusal {
  readonly touched: number;
  readonly links: number;
  readonly why: string;
}

/**
 * Whose change the plan of one link carries to what is already mirrored; null if it carries none. New counterparts and
 * comments only add, so they do not count; neither do corrected copies whose source is unchanged.
 * @param ofPair the authors of both ends
 * @param authorOf the author of the comment that a copy shows
 * @param madeOn the side on which the bridge has just made an end of the pair; null if it has not
 */
export function changesMirrored(
  { operations }: Plan,
  ofPair: Authors,
  authorOf: (copy: CommentLinkId) => string | null,
  madeOn: Side | null,
): Authors | null {
  const changes = operations.filter((each) => traitsOf(each).isChange(each) && !isGiven(each, madeOn));
  if (changes.length === 0 || operations.some(({ kind }) => kind === 'create')) return null;
  // People may edit their own comments on everybody's bugs.
  const editors = new Set(changes.map((each) => (each.kind === 'rewrite' ? authorOf(each.commentLink) : null)));
  const [editor = null] = editors;
  return editors.size === 1 && editor !== null ? { tracker: editor, github: null } : ofPair;
}

/** A side gives new items values of its own, a default assignee or the labels of an automation, and to all alike. */
function isGiven(operation: Operation, madeOn: Side | null): boolean {
  if (operation.kind !== 'update' || madeOn === null || operation.on === madeOn) return false;
  const replaces: Readonly<Record<string, Value | undefined>> = operation.replaces;
  return Object.entries(operation.target).every(([field, value]) => {
    const present = replaces[field] ?? '';
    return isSet(present) ? present.every((each) => elementsOf(value).includes(each)) : present === '';
  });
}

/**
 * Refuses a plan that would change too much of what is already mirrored: then a fault in a side, a clock or the
 * configuration is more likely than that many real changes. A fault strikes everybody's pairs, so what one person of
 * each side can have done alone is left out: otherwise anyone with enough bugs could stop a route.
 * @param changed the links that it changes
 * @param links how many live links with two ends the route has
 * @param share between 0 and 1
 * @param linksBy how many of them have an end by one of the authors
 * @returns null when the plan may be carried out
 */
export function brake(
  changed: readonly Authors[],
  links: number,
  share: number,
  linksBy: (authors: Authors) => number,
): Refusal | null {
  const refusal = refuse(changed.length, links, share, 'the plan would change');
  if (refusal === null) return null;
  const most = { tracker: mostFrequent(changed, 'tracker'), github: mostFrequent(changed, 'github') };
  const isBy = ({ tracker, github }: Authors): boolean =>
    (tracker !== null && tracker === most.tracker) || (github !== null && github === most.github);
  const others = links - linksBy(most);
  const changedOfOthers = changed.filter((each) => !isBy(each)).length;
  return others < linksMin || changedOfOthers > others * share ? refusal : null;
}

function mostFrequent(changed: readonly Authors[], side: Side): string | null {
  const ofAuthor = Map.groupBy(changed, (each) => each[side]);
  ofAuthor.delete(null);
  const [first] = [...ofAuthor].toSorted(([, one], [, other]) => other.length - one.length);
  return first?.[0] ?? null;
}

/**
 * The same for links whose other end has vanished, as far as they were counted: a tracker that shows nothing is broken,
 * not empty.
 */
export const brakeVanished = (vanished: number, links: number, share: number): Refusal | null =>
  refuse(vanished, links, share, 'the full comparison would give up at least');

function refuse(touched: number, links: number, share: number, action: string): Refusal | null {
  if (links < linksMin || touched <= links * share) return null;
  const percent = Math.round((touched / links) * 100);
  const allowed = Math.round(share * 100);
  const why = `${action} ${touched} of ${links} pairs (${percent} %, at most ${allowed} % allowed)`;
  return { touched, links, why };
}

/** How much may be spent within a sliding window. */
export interface Allowance {
  readonly windowMs: number;
  readonly pointsMax: number;
  /** Its name in messages: "creations an hour". */
  readonly name: string;
  /** How far `pointsMax` may rise while nothing is refused; absent if it may not. */
  readonly risesTo?: number;
  /** The most that was taken within a window so far; absent if `pointsMax` does not rise. */
  readonly passed?: number;
}

/** When `points` may be spent under all allowances: now, or once enough has left each window. */
export function allowedAt(
  spent: readonly Spent[],
  allowances: readonly Allowance[],
  points: number,
  now: number,
): { at: number; name: string | null } {
  let latest: { at: number; name: string | null } = { at: now, name: null };
  for (const { windowMs, pointsMax, name } of allowances) {
    const at = freeAt(spent, windowMs, pointsMax - points, now);
    if (at > latest.at) latest = { at, name };
  }
  return latest;
}

/**
 * Whether something is within a window that ends now. A clock that was ahead once must not count for as long as it was
 * ahead.
 */
export const isWithin = (at: number, windowMs: number, now: number): boolean => Math.abs(now - at) < windowMs;

/** When no more than `room` points remain in the window. Spent points leave it after `windowMs`. */
function freeAt(spent: readonly Spent[], windowMs: number, room: number, now: number): number {
  const inside = spent.filter(({ at }) => isWithin(at, windowMs, now)).sort((one, other) => one.at - other.at);
  let total = inside.reduce((sum, { points }) => sum + points, 0);
  if (total <= room) return now;
  for (const { at, points } of inside) {
    total -= points;
    if (total <= room) return at + windowMs;
  }
  return now + windowMs;
}

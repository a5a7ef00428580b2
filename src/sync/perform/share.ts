/** What comes first in a cycle that cannot write everything: how much of the backfill, and how much of each person. */

import { roomToCreate } from '../../kernel/backoff.ts';
import type { Context } from '../../kernel/context.ts';
import { spare, workOn } from '../../kernel/set-aside.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { creationsFor, isEnough, turnsOf } from '../../rules/limits/shares.ts';
import { isMadeByUs } from '../../rules/links/match.ts';
import { costOf } from '../../rules/operations/operations.ts';

/** How many live links of the same person come before each. */
export function turnsIn(context: Context, operations: readonly Operation[]): ReadonlyMap<LinkId, number> {
  const ofLink = Map.groupBy(operations, ({ link }) => link);
  const live = [...ofLink.keys()].flatMap((id) => context.store.links.byId(id) ?? []).filter(isLive);
  return turnsOf(new Map(live.map((link) => [link.id, askOf(context, link, () => ofLink.get(link.id) ?? []).people])));
}

/** So many urgent links, in the turns of the people whose words or items they have. */
export function urgentInTurns({ store, route }: Pick<Context, 'store' | 'route'>, most: number): readonly Link[] {
  const turns = turnsOf(new Map(store.links.urgent(route.name).map(({ id, people }) => [id, people])));
  return [...turns]
    .sort(([, one], [, other]) => one - other)
    .slice(0, most)
    .flatMap(([id]) => store.links.byId(id) ?? []);
}

export interface Share {
  readonly link: Link;
  readonly rows: readonly OutboxRow[];
  /** Whether other rows of the link wait for a later cycle. */
  readonly isCut: boolean;
}

/** More rows may not be written in the time of a cycle. */
const rowsInTime = 30;

/**
 * Those last of which a side did not answer the last write. If neither the time of a cycle nor GitHub's limit may
 * suffice for all: live links in the turns of their people, those that the last cycle had no time for before others,
 * the shorter before the longer, each with what these may create now; then the backfill.
 */
export function inShares(
  context: Context,
  links: readonly Link[],
  rowsOf: ReadonlyMap<LinkId, readonly OutboxRow[]>,
): readonly Share[] {
  const shares = links.map((link): Share => ({ link, rows: rowsOf.get(link.id) ?? [], isCut: false }));
  const { unanswered } = context.lookTurns;
  const all = shares.toSorted(
    (one, other) => Number(unanswered.has(one.link.id)) - Number(unanswered.has(other.link.id)),
  );
  const live = all.filter(({ link }) => isLive(link));
  if (live.length === 0) return all;
  const room = roomToCreate(context, 'github');
  const operationsOf = ({ rows }: Share) => rows.map(({ operation }) => operation);
  const asks = new Map(live.map((share) => [share.link.id, askOf(context, share.link, () => operationsOf(share))]));
  const wanted = new Map([...asks].map(([id, { creations }]) => [id, creations.length]));
  const count = [...wanted.values()].reduce((sum, each) => sum + each, 0);
  const hasRoom = room === null || count === 0 || isEnough(count, room);
  const isInTime = all.reduce((sum, { rows }) => sum + rows.length, 0) <= rowsInTime;
  if (hasRoom && isInTime) return all;
  const turns = turnsOf(new Map([...asks].map(([id, { people }]) => [id, people])));
  const ranked = all.map((share) => ({
    share,
    turn: turns.get(share.link.id) ?? Number.MAX_SAFE_INTEGER,
    isLast: Number(unanswered.has(share.link.id)),
    isNew: context.lookTurns.waiting.has(share.link.id) ? 0 : 1,
    size: isLive(share.link) ? share.rows.length : 0,
  }));
  const inTurn = ranked
    .toSorted(
      (one, other) =>
        one.isLast - other.isLast || one.turn - other.turn || one.isNew - other.isNew || one.size - other.size,
    )
    .map(({ share }) => share);
  if (hasRoom) return inTurn;
  const people = new Map(
    inTurn.flatMap(({ link: { id } }) => {
      const ask = asks.get(id);
      return ask === undefined ? [] : [[id, ask.people]];
    }),
  );
  const allowed = creationsFor(people, wanted, room);
  return inTurn.map((share) => {
    const { id } = share.link;
    const first = asks.get(id)?.creations[allowed.get(id) ?? 0];
    return first === undefined ? share : { ...share, rows: share.rows.slice(0, first), isCut: true };
  });
}

const isLive = ({ urgency }: Link): boolean => urgency === 'live';

interface Ask {
  /** Of each operation who wrote the comment that it carries, or else who made the item. */
  readonly people: readonly string[];
  /** The places of the operations that create something on GitHub. */
  readonly creations: readonly number[];
}

function askOf(context: Context, link: Link, operationsOf: () => readonly Operation[]): Ask {
  const { store, session } = context;
  const asked = spare(context, workOn(context, link, 'write'), (): Ask => {
    const operations = operationsOf();
    const made = [link.tracker, link.github].find((end) => end !== null && !isMadeByUs(end, session.own)) ?? null;
    const maker = made === null ? '' : (made.kind === 'bug' ? made.creator : made.author).login;
    const authorOf = (operation: Operation): string =>
      (operation.kind === 'comment' ? store.commentLinks.byId(operation.commentLink)?.author.login : null) ?? maker;
    const isCreation = (operation: Operation): boolean => operation.on === 'github' && costOf(operation) === 'create';
    return {
      people: operations.map(authorOf),
      creations: operations.flatMap((operation, index) => (isCreation(operation) ? [index] : [])),
    };
  });
  return asked ?? { people: [], creations: [] };
}

/** A link of the backfill of which one end does not exist yet. */
export const isToBeMade = ({ urgency, tracker, github }: Link): boolean =>
  urgency === 'backfill' && (tracker === null || github === null);

/** How much a cycle plans before the rest of the backfill waits for the next one. */
export const paceOf = ({ lookTurns, route, limits }: Context): number =>
  lookTurns.paces.get(route.name) ?? limits.writesPerCycle;

/**
 * The next cycle takes as much as this one wrote, if its time did not suffice, and else twice as much as this one took.
 * @returns whether there may be more than was planned
 */
export function adaptPace({ lookTurns, route, limits }: Context, planned: number, wroteInTime: number | null): boolean {
  const pace = lookTurns.paces.get(route.name);
  const isFull = pace !== undefined && planned >= pace;
  const next = wroteInTime === null ? (isFull ? 2 * pace : limits.writesPerCycle) : Math.max(wroteInTime, paceMin);
  if (next < limits.writesPerCycle) lookTurns.paces.set(route.name, next);
  else lookTurns.paces.delete(route.name);
  return isFull;
}

/** With less, one cycle in which a side was slow would keep the next one from what it can do. */
const paceMin = 30;

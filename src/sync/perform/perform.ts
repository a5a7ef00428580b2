import { endBackoff, heldUntil, writers } from '../../kernel/backoff.ts';
import type { Context, Performed, RouteState } from '../../kernel/context.ts';
import { learnRate } from '../../kernel/creation-rate.ts';
import { tellDone } from '../../kernel/outbox.ts';
import { isLate } from '../../kernel/patience.ts';
import { forgetSetAside, spare, spareAsync, sparing, workOn } from '../../kernel/set-aside.ts';
import type { LinkId, Side } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import type { Operation, RemarkOperation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { CyclePlan } from '../../model/plan/plan-input.ts';
import { inTurns, isJoinable, withinLimit } from '../../rules/limits/brake-and-budget.ts';
import { costOf } from '../../rules/operations/operations.ts';
import { changeAttachmentStore } from './change-attachment-store.ts';
import { followMoves } from './follow-moves.ts';
import { performOne } from './operations/performing.ts';
import { performJoined } from './perform-joined.ts';
import { inShares, type Share, turnsIn } from './share.ts';

/**
 * How long a cycle writes. Until the next one, nobody looks for what has to be withdrawn, and other routes wait; so do
 * changes of people for those that were read before.
 */
const writingMs = 60_000;

export const timed = (context: Context): Context => ({ ...context, writesUntil: context.clock.now() + writingMs });

export const isOver = ({ clock, writesUntil = Number.POSITIVE_INFINITY }: Context): boolean =>
  clock.now() >= writesUntil;

/** Performs a plan that is stored, and records the answers. Returns how many operations were applied. */
export async function perform(context: Context, planned: CyclePlan): Promise<number> {
  await followMoves(context, planned.selected, planned.plan.operations);
  return context.store.unhurried(() => drain(context, planned));
}

/** Performs the planned operations of the selected links, each only once. */
async function drain(context: Context, wanted: CyclePlan): Promise<number> {
  const ofStore = wanted.operations.filter(isOfStore);
  const [removals, uploads] = [ofStore.filter(isRemoval), ofStore.filter((operation) => !isRemoval(operation))];
  const removed = removals.length === 0 ? 0 : await changeAttachmentStore(context, removals);
  const queue = queueOf(context, wanted);
  context.github.announce(
    queue.flatMap(({ link, rows }) => (link.issue !== null && rows.some(changesIssue) ? [link.issue] : [])),
  );
  const state: State = { applied: removed, closed: new Map() };
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await drainLink(context, next, state);
  };
  // All workers end before an error is passed on: nothing may still be written when the next cycle begins.
  const ends = await Promise.allSettled(Array.from({ length: writers }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  throwIfClosed(state);
  return state.applied + (uploads.length === 0 ? 0 : await changeAttachmentStore(timed(context), uploads));
}

interface State {
  applied: number;
  /** The sides that take nothing more, and why. */
  readonly closed: Map<Side, SideError>;
}

const closing = (side: Side, kind: 'unauthorized' | 'refused', why: string | null): SideError =>
  new SideError(kind, kind === 'refused' && why !== null ? why : `${nameOf(side)} refused our credentials`, { side });

/** Of two sides, the one that refused first: its end shows the other. */
function throwIfClosed({ closed }: State): void {
  const [first] = closed.values();
  if (first !== undefined) throw first;
}

interface Job extends Share {
  /** Resolves when the counterparts that come before on the same side are created: theirs get the lower numbers. */
  readonly turn: Promise<void>;
  /** Says that its own counterpart is created, or will not be now. */
  readonly pass: () => void;
}

/** What has become due since the plan was made takes no other's turn: the next plan has it. */
function queueOf(context: Context, { selected, plan, operations }: CyclePlan): Job[] {
  const taken = new Set(operations.map(({ key }) => key));
  const due = context.store.outbox
    .due(context.route.name, context.clock.now())
    .filter(({ operation }) => !isOfStore(operation) && taken.has(operation.key));
  const rows = Map.groupBy(due, ({ operation }) => operation.link);
  const planned = new Set(plan.operations.map(({ link }) => link));
  for (const link of selected) if (!planned.has(link.id)) forgetSetAside(context, workOn(context, link, 'write'));
  const last: Record<Side, Promise<void>> = { tracker: Promise.resolve(), github: Promise.resolve() };
  const writing = selected.filter(({ id }) => planned.has(id));
  return inShares(context, writing, rows).flatMap(
    (share) => spare(context, workOn(context, share.link, 'write'), () => jobOf(share, last)) ?? [],
  );
}

/** @param last when the last counterpart so far on each side is created, which this link puts off by its own */
function jobOf(share: Share, last: Record<Side, Promise<void>>): Job {
  const on = share.rows.find(({ operation }) => operation.kind === 'create')?.operation.on;
  if (on === undefined) return { ...share, turn: Promise.resolve(), pass: () => undefined };
  const { promise, resolve } = Promise.withResolvers<void>();
  const turn = last[on];
  last[on] = promise;
  return { ...share, turn, pass: resolve };
}

async function drainLink(context: Context, job: Job, state: State): Promise<void> {
  try {
    await sparing(context, workOn(context, job.link, 'write'), () => drainRows(context, job, state));
  } finally {
    job.pass();
  }
}

async function drainRows(context: Context, job: Job, state: State): Promise<void> {
  const { waiting, unanswered } = context.lookTurns;
  let wantsAgain = job.isCut;
  const done = new Set<OutboxRow>();
  for (const [index, row] of job.rows.entries()) {
    const { on, kind } = row.operation;
    if (done.has(row)) continue;
    if (kind === 'create') await job.turn;
    if (state.closed.has(on) || heldUntil(context, row.operation) !== null) {
      wantsAgain = true;
      break;
    }
    const startedAt = context.clock.now();
    const results = await performWithNext(context, row, job.rows[index + 1]);
    if (kind === 'create') job.pass();
    for (const [each, { result, wantsPlan, stop }] of results) {
      done.add(each);
      if (result.kind === 'applied') {
        state.applied += 1;
        endBackoff(context, on);
        if (costOf(each.operation) === 'create') learnRate(context, each.operation, null);
      }
      if (stop !== undefined && !state.closed.has(on)) state.closed.set(on, closing(on, stop, result.why));
      if (result.kind === 'doubt') unanswered.add(job.link.id);
      else unanswered.delete(job.link.id);
      wantsAgain ||= wantsPlan;
      tellDone(context, each, result, context.clock.now() - startedAt);
    }
    if (results.some(([, { isBlocking }]) => isBlocking)) break;
  }
  if (job.rows.length > 0 && done.size === 0) waiting.add(job.link.id);
  else waiting.delete(job.link.id);
  if (wantsAgain) planAgain(context, job.link);
}

/** Performs an operation, and the next one of its link with it if both go into one request. */
async function performWithNext(
  context: Context,
  row: OutboxRow,
  next: OutboxRow | undefined,
): Promise<readonly (readonly [OutboxRow, Performed])[]> {
  const joined =
    next === undefined || !isJoinable(row.operation, next.operation) ? null : await performJoined(context, row, next);
  return joined ?? [[row, await performOne(context, row)]];
}

const changesIssue = ({ operation: { on, kind } }: OutboxRow): boolean =>
  on === 'github' && (kind === 'update' || kind === 'point');

/** Has the link planned again, as urgently as before. */
function planAgain({ store }: RouteState, { id, urgency }: Link): void {
  const link = store.links.byId(id);
  if (link?.state === 'live' && link.urgency === 'none') store.links.save({ ...link, urgency });
}

/** Content that has to go goes first; a copy comes last, as a file may take long, or make a side ask for a pause. */
const isRemoval = (operation: Operation): boolean => operation.kind === 'file' && operation.act === 'withdraw';
const isOfStore = (operation: Operation): boolean => operation.kind === 'file' && operation.on === 'github';

const nameOf = (side: Side): string => (side === 'tracker' ? 'the tracker' : 'GitHub');

/** The operations that are ready, and those of them that this cycle may write. */
export interface Turns {
  readonly ready: readonly Operation[];
  readonly operations: readonly Operation[];
}

/**
 * Picks as many operations as one cycle may write, in turns. A remark that nobody needs is left out here: when that was
 * decided only on sending, several such remarks used up the limit of every cycle, and the update that they would have
 * explained never ran. Throws `SideError`.
 */
export async function takeTurns(context: Context, ready: readonly Operation[]): Promise<Turns> {
  const { writesPerCycle } = context.limits;
  const isLive = (link: LinkId): boolean => context.store.links.byId(link)?.urgency === 'live';
  const before = ready.length <= writesPerCycle ? new Map<LinkId, number>() : turnsIn(context, ready);
  const turned = inTurns(ready, isLive, before);
  const [unsaid, waiting] = [new Set<Operation>(), new Set<LinkId>()];
  let turns = 0;
  for (const operation of turned) {
    if (turns === writesPerCycle) break;
    if (waiting.has(operation.link)) continue;
    const isSaid = operation.kind !== 'remark' || (await isAwaitedOf(context, operation));
    if (isSaid === 'later') waiting.add(operation.link);
    else if (isSaid) turns += 1;
    else unsaid.add(operation);
  }
  const said = turned.filter((operation) => !unsaid.has(operation) && !waiting.has(operation.link));
  const taken = new Set(withinLimit(said, writesPerCycle));
  return {
    ready: ready.filter((operation) => !unsaid.has(operation)),
    operations: ready.filter((operation) => taken.has(operation)),
  };
}

/**
 * A remark of which nobody can say whether it is wanted waits with its link, which is set aside; or until a cycle has
 * the time to ask, as the change that it explains would leave nothing to explain.
 */
async function isAwaitedOf(context: Context, operation: RemarkOperation): Promise<boolean | 'later'> {
  const link = context.store.links.byId(operation.link);
  if (link === null) return false;
  const isWanted = await spareAsync(context, workOn(context, link, 'plan'), () => isAwaited(context, operation));
  return isWanted ?? (isLate(context, link.id) ? 'later' : true);
}

/**
 * Remarks do not answer bots, nor our own account, nor anything that no event of the issue shows: a label that the
 * bridge could not set when it filed a bug is missing, too.
 */
async function isAwaited(
  { store, session, github }: Context,
  { link: id, answers }: RemarkOperation,
): Promise<boolean> {
  if (answers === null) return true;
  const issue = store.links.byId(id)?.issue ?? null;
  const by = issue === null ? null : await github.whoDid(issue, answers);
  if (by === null) return false;
  const isOwn = isBy(by, session.own.github);
  return !isOwn && !by.isBot;
}

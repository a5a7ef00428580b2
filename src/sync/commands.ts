import { isPaused } from '../kernel/backoff.ts';
import type { Context } from '../kernel/context.ts';
import { markDirty } from '../kernel/dirty.ts';
import { whyFull } from '../kernel/full-issues.ts';
import { linkOf } from '../kernel/linked.ts';
import { liftEndless, liftSetAside, spareOf } from '../kernel/set-aside.ts';
import { isOfIssue, isOfItem, setItemUnread } from '../kernel/unread.ts';
import type { Decision, HandPair, WaitingCommand } from '../model/control.ts';
import { otherSide, type Side, sides } from '../model/ids.ts';
import type { Item } from '../model/item.ts';
import { aboutOf, type Link } from '../model/link.ts';
import { type Probe, SideError } from '../model/outcome.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { Thread } from '../model/replica.ts';
import { type Deciding, decide } from './decide-by-hand.ts';
import { observeThread } from './observe/observe-thread.ts';
import { pairByHand } from './pair-by-hand.ts';
import { retire } from './perform/record-failure.ts';
import { observeFound, threadWithFirstTexts } from './settle/first-texts.ts';
import { asksMax, unlessBehind } from './settle/missing-copies.ts';

export type Commanded = Pick<Context, 'clock' | 'controlQueue' | 'tell'> & Deciding;

/**
 * Carries out what people asked for since the last run and what asks neither side: a pause, its end, and a decision. So
 * it is done although a side is down, or the route is paused. Other commands wait until the route runs.
 */
export function takeAtOnce(context: Commanded): void {
  const { store, clock, controlQueue, route } = context;
  for (const { at, command, done } of controlQueue?.of(route.name) ?? []) {
    if (command.kind === 'pause') store.pauses.save(route.name, { at: Math.min(at, clock.now()), why: command.why });
    else if (command.kind === 'resume') store.pauses.remove(route.name);
    else if (command.kind === 'decide') decideNow(context, command.decision);
    else continue;
    done();
  }
}

/**
 * Runs the commands in the queue, unless a person has paused the route. Before them, everything is tried again that
 * another version of the program failed on. Returns those on whose items a side failed. Throws `SideError`.
 */
export async function runCommands(context: Context): Promise<readonly Unable[]> {
  const { name } = context.route;
  if (isPaused(context, name)) return [];
  await retrySetAside(context);
  const taken = new Set<string>();
  const unable: Unable[] = [];
  for (const waiting of context.controlQueue?.of(name) ?? []) {
    const words = JSON.stringify(waiting.command);
    if (taken.has(words)) waiting.done();
    else if (taken.size < commandsMax) {
      taken.add(words);
      const failure = await runControlCommand(context, waiting);
      if (failure !== null) unable.push({ waiting, failure });
    }
  }
  return unable;
}

/** A command that a side could not do now: it is down, or fails on the item that the command names. */
interface Unable {
  readonly waiting: WaitingCommand;
  readonly failure: SideError;
}

/**
 * Once both sides were read, it is the item: it is set aside, which `status` shows, and the command has been answered.
 * In the queue, it would fail in each cycle, and nobody would be told.
 */
export function answerUnable(context: Context, unable: readonly Unable[]): void {
  for (const { waiting, failure } of unable) {
    const { command, done } = waiting;
    if (command.kind === 'resync') setEndUnread(context, command, failure);
    else if (command.kind === 'pair') tellPair(context, command.pair, failure.message);
    done();
  }
}

function setEndUnread(
  context: Context,
  { side, ref }: { readonly side: Side; readonly ref: number },
  failure: SideError,
) {
  const on = failure.side ?? side;
  const link = linkOf(context, side, ref);
  const end = on === side ? ref : on === 'tracker' ? link?.bug : link?.issue;
  if (end != null) setItemUnread(context, on, end, failure);
}

/** So many different ones in one cycle: what people write must not wait for thousands of them. */
const commandsMax = 100;

/**
 * Runs a command from the queue. One that a side puts off stays in the queue for the next cycle; one that it refuses is
 * dropped, so that it does not stop further cycles. Returns a failure that may be about its item alone, so that the
 * route goes on. Throws `SideError`.
 */
async function runControlCommand(context: Context, { command, done }: WaitingCommand): Promise<SideError | null> {
  try {
    if (command.kind === 'retry') retry(context, command.numbers);
    else if (command.kind === 'resync') {
      if (liftPair(context, command)) done();
      await resync(context, command.side, command.ref);
    } else if (command.kind === 'pair') await pairNow(context, command.pair);
    // What asks neither side, and came a moment ago, is taken before the next run.
    else return null;
  } catch (error) {
    if (mayBeOfOne(error)) return error;
    if (!(error instanceof SideError) || error.kind !== 'later') done();
    throw error;
  }
  done();
  return null;
}

const mayBeOfOne = (error: unknown): error is SideError =>
  isOfItem(error) || isOfIssue(error) || (error instanceof SideError && error.kind === 'later' && error.at === null);

/**
 * Tries once more what another version of the program failed on. What a side does not answer about now waits for the
 * next cycle.
 */
async function retrySetAside(context: Context): Promise<void> {
  const { store, route, version } = context;
  for (const row of store.setAside.ofRoute(route.name)) {
    if (row.version === version || row.cause === 'side') continue;
    await resync(context, row.side, row.ref).catch((failure: unknown) => {
      if (!(failure instanceof SideError) || failure.kind !== 'later' || failure.at !== null) throw failure;
    });
  }
}

function decideNow(context: Commanded, decision: Decision): void {
  const link = context.store.links.byId(decision.link);
  const why = decide(context, decision);
  const about = link === null ? 'a pair that is gone' : aboutOf(link, 'tracker');
  context.tell({ kind: 'decided', route: context.route.name, about, field: decision.field, keep: decision.keep, why });
}

async function pairNow(context: Context, pair: HandPair): Promise<void> {
  const why = await pairByHand(context, pair).catch((failure: unknown) => {
    if (failure instanceof SideError && failure.kind === 'refused') return failure.message;
    throw failure;
  });
  tellPair(context, pair, why);
}

function tellPair({ route, tell }: Context, { bug, issue }: HandPair, why: string | null): void {
  tell({ kind: 'paired', route: route.name, about: `bug ${bug} = ${route.owner}/${route.repo}#${issue}`, why });
}

/**
 * Reads one bug or issue and its counterpart again, with all comments and files of both, whatever was read of them
 * before; this cycle then plans the link. Its parked operations are tried again. Returns the link; null when the route
 * has none and takes none. Throws `SideError`.
 */
async function resync(context: Context, side: Side, ref: number): Promise<Link | null> {
  // A person may have added the value that was missing.
  context.lookTurns.valuesAskedAt.delete(context.route.name);
  await reread(context, side, ref);
  const found = linkOf(context, side, ref);
  if (found === null || found.state === 'tombstone') return found;
  const other = otherSide(side);
  const otherRef = other === 'tracker' ? found.bug : found.issue;
  if (otherRef !== null) await reread(context, other, otherRef);
  await readIssueThread(context, found);
  const { store } = context;
  return store.transaction(() => {
    const link = store.links.byId(found.id);
    if (link === null || link.state !== 'live') return link;
    retryRows(
      context,
      retryable(context).filter(({ operation }) => operation.link === link.id),
    );
    // Without `threadReadAt`, the bug's thread and files are read from their beginning.
    const fresh: Link = { ...link, urgency: 'live', threadReadAt: null };
    store.links.save(fresh);
    return fresh;
  });
}

/** Whether an end of the pair stopped a process: then the command is carried out once, whatever becomes of it. */
function liftPair(context: Context, { side, ref }: { readonly side: Side; readonly ref: number }): boolean {
  const link = linkOf(context, side, ref);
  const ends = { tracker: link?.bug ?? null, github: link?.issue ?? null, [side]: ref };
  const lifted = sides.map((each) => ends[each] !== null && liftEndless(context, each, ends[each]));
  return lifted.includes(true);
}

async function reread(context: Context, side: Side, ref: number): Promise<void> {
  const probe: Probe<Item> = await context[side].probe(ref);
  context.store.transaction(() => {
    liftSetAside(context, side, ref);
    const link = linkOf(context, side, ref);
    if (probe.kind === 'gone' && link?.state === 'live') retire(context, link, side, probe.gone);
  });
  if (probe.kind === 'there') await observeFound(context, [probe.item], 'live');
}

async function readIssueThread(context: Context, { id, issue }: Link): Promise<void> {
  if (issue === null || context.store.links.byId(id)?.state !== 'live') return;
  const read = await context.github.threads([{ ref: issue, sinceAt: null }]);
  const left = { left: asksMax };
  const threads: Thread[] = [];
  for (const thread of read)
    threads.push(await unlessBehind(context, await threadWithFirstTexts(context, thread, left), left));
  context.store.transaction(() => {
    for (const thread of threads) {
      const link = linkOf(context, 'github', thread.ref);
      if (link !== null) observeThread(context, link, 'github', thread, 'live');
    }
  });
}

type Retrying = Pick<Context, 'store' | 'route'>;

/**
 * The operations of a route that can be retried: parked and waiting ones. Those in doubt are settled by reading
 * instead.
 */
export function retryable({ store, route }: Retrying): readonly OutboxRow[] {
  const waiting = store.outbox
    .due(route.name, Number.MAX_SAFE_INTEGER)
    .filter(({ notBeforeAt }) => notBeforeAt !== null);
  return [...store.outbox.parked(route.name), ...waiting];
}

/** Has the next cycle try the route's operations with these numbers again. Returns those it found. */
export function retry(context: Retrying, numbers: readonly number[]): readonly OutboxRow[] {
  const rows = retryable(context).filter(({ number }) => numbers.includes(number));
  retryRows(context, rows);
  return rows;
}

/** A person asked, so the obstacle may be gone: attempts and waiting time are counted from zero. */
function retryRows({ store }: Pick<Context, 'store'>, rows: readonly OutboxRow[]): void {
  store.transaction(() => {
    for (const row of rows) tryAgain({ store }, row, null);
  });
}

/**
 * Has the next cycle try everything that is parked, except comments on issues that are full. What nobody takes for days
 * is tried once in each sweep, and holds up nothing for long.
 */
export function retryParked(context: Context): void {
  const { store, route } = context;
  store.transaction(() => {
    for (const row of store.outbox.parked(route.name))
      spareOf(context, row.operation.link, 'read', () => {
        if (whyFull(context, row.operation) === null) tryAgain(context, row, row.waitingSince);
      });
  });
}

function tryAgain({ store }: Pick<Context, 'store'>, { operation }: OutboxRow, waitingSince: number | null): void {
  store.outbox.mark(operation.key, { state: 'planned', attempts: 0, notBeforeAt: null, waitingSince, why: null });
  markDirty({ store }, operation.link);
}

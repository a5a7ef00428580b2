import type { Bug, Comment } from '../../model/item.ts';
import type { BugDraft, BugPatch } from '../../model/operation.ts';
import { type Outcome, type Probe, SideError } from '../../model/outcome.ts';
import type { Changes, Listing, Thread, ThreadAsk, TrackerReplica } from '../../model/replica.ts';
import type { Vocabulary } from '../../model/route.ts';
import type { Clock } from '../../model/runtime.ts';
import type { FaultSource } from '../server/faults.ts';
import { bugFor, listedBugs } from './bugs/bugs.ts';
import { changeBugs } from './bugs/change-bug.ts';
import { fileBug } from './bugs/file-bug.ts';
import { commentsSeen, writeComment } from './comments/comments.ts';
import { furtherFields } from './details.ts';
import { wholeSecond } from './installation/times.ts';
import { maySee } from './installation/users.ts';
import { modelBug, modelComment } from './model-shape.ts';
import { pastChanges } from './past-changes.ts';
import { changeOf, overwritten, patched, requestOf } from './patch.ts';
import { faultyRead, faultyWrite, goneOf } from './replica-faults.ts';
import { TrackerError } from './server/errors.ts';
import { vocabularyOf } from './vocabulary.ts';
import type { TrackerBug, User } from './world/state.ts';
import type { TrackerWorld } from './world/world.ts';

export interface DirectOptions {
  /** Whose account the bridge uses: `bridge`, or `bridge-insider` who sees private things too. */
  readonly user: string;
  readonly product: string;
  readonly faults: FaultSource;
  readonly clock: Clock;
  /** How long a change takes to show up in lists; the world's own lag when absent. */
  readonly lagMs?: number;
  /** Names of further fields that bugs show, for the table in the issue. */
  readonly details?: readonly string[];
  /** Names of the whiteboard and of custom fields, where labels show them. */
  readonly labels?: readonly string[];
  /** Bugs per page of `list`. */
  readonly pageSize?: number;
}

/** How far before the cursor changes are read again: they show up a little after their own time stamp. */
const overlapMs = 60_000;
/** Likewise for comments, which are read again for every changed bug. */
const threadOverlapMs = 5_000;

/** The port to the tracker, straight on the world and without a network, with the faults of one. */
export function directTrackerReplica(world: TrackerWorld, options: DirectOptions): TrackerReplica {
  const door: Door = { world, user: world.user(options.user), options };
  const read = <T>(work: () => T): Promise<T> => faultyRead(options, () => authorized(door, work));
  const write = <T>(cost: 'create' | 'edit', work: () => Outcome<T>): Promise<Outcome<T>> =>
    faultyWrite({ ...options, state: world.state }, cost, () => authorized(door, work));
  return {
    side: 'tracker',
    hello: () => read(() => ({ login: door.user.login, version: '5.2' })),
    changes: (cursor) => read(() => changesSince(door, cursor)),
    list: (page) => read(() => listPage(door, page)),
    threads: (asks) => read(() => asks.flatMap((ask) => threadOf(door, ask) ?? [])),
    probe: (ref) => read(() => probe(door, ref)),
    vocabulary: () => read((): Vocabulary => vocabularyOf(world.state, options.product)),
    bugs: (refs) => read(() => refs.flatMap((ref) => [probe(door, ref)].flatMap((found) => (found.kind === 'there' ? [found.item] : [])))),
    history: (refs, sinceAt) =>
      read(() => refs.flatMap((ref) => (probe(door, ref).kind === 'there' ? pastChanges(world.state, ref, sinceAt) : []))),
    hasComment: (id) => read(() => [...world.state.comments.values()].some((list) => list.some((each) => each.id === id))),
    create: async (draft) => readAgain(door, await write('create', () => create(door, draft))),
    update: (seen, patch) => write('edit', () => onBug(seen.id, () => update(door, seen, patch))),
    comment: (ref, text, isMarkdown = false) => write('create', () => onBug(ref, () => comment(door, ref, text, isMarkdown))),
  };
}

interface Door {
  readonly world: TrackerWorld;
  readonly user: User;
  readonly options: DirectOptions;
}

/** The account may be closed while the bridge runs. */
function authorized<T>({ world, user }: Door, work: () => T): T {
  const current = world.state.users.find(({ id }) => id === user.id);
  if (current === undefined)
    throw new TrackerError(306, 400, 'The API key you specified is invalid. Please check that you typed it correctly.');
  if (current.disabledText !== null) throw new TrackerError(301, 401, current.disabledText);
  return work();
}

function changesSince(door: Door, cursor: string | null): Changes<Bug> {
  const readAt = door.world.now();
  if (cursor === null) return { items: [], comments: [], readAt, cursor: JSON.stringify({ sinceAt: readAt }) };
  const sinceAt = sinceOf(cursor);
  const from = wholeSecond(sinceAt - overlapMs);
  const items = listed(door)
    .filter((bug) => bug.changedAt >= from)
    .map((bug) => shownBug(door, bug));
  return { items, comments: [], readAt, cursor: JSON.stringify({ sinceAt: Math.max(sinceAt, readAt) }) };
}

function sinceOf(cursor: string): number {
  const content: unknown = JSON.parse(cursor);
  if (typeof content === 'object' && content !== null && 'sinceAt' in content && typeof content.sinceAt === 'number')
    return content.sinceAt;
  throw new SideError('refused', `The tracker's cursor cannot be read: ${cursor}`);
}

/** Pages by id, which changes made meanwhile do not disturb. */
function listPage(door: Door, page: string | null): Listing<Bug> {
  const after = page === null ? 0 : Number(page);
  const rest = listed(door).filter((bug) => bug.id > after);
  const items = rest.slice(0, door.options.pageSize ?? 100).map((bug) => shownBug(door, bug));
  const last = items.at(-1);
  return {
    items,
    comments: [],
    readAt: door.world.now(),
    next: last === undefined || items.length === rest.length ? null : String(last.id),
  };
}

function listed({ world, user, options }: Door): readonly TrackerBug[] {
  return listedBugs(world.state, options.lagMs ?? world.state.listLagMs)
    .filter((bug) => bug.product === options.product)
    .filter((bug) => maySee(user, bug) && maySee(user, world.state.bugs.get(bug.id) ?? bug));
}

/** Null for a bug that cannot be reached. */
function threadOf({ world, user }: Door, { ref, sinceAt }: ThreadAsk): Thread | null {
  const bug = world.state.bugs.get(ref);
  if (bug === undefined || !maySee(user, bug)) return null;
  const from = sinceAt === null ? null : wholeSecond(sinceAt - threadOverlapMs) - 1;
  const comments = commentsSeen(world.state, user, ref, from).map((one) => modelComment(world.state, one));
  return { ref, isWhole: sinceAt === null, comments, readAt: world.now() };
}

function probe(door: Door, ref: number): Probe<Bug> {
  try {
    return { kind: 'there', item: readBack(door, ref) };
  } catch (error) {
    const gone = goneOf(error, ref);
    if (gone === null) throw error;
    return { kind: 'gone', gone };
  }
}

const readBack = (door: Door, ref: number): Bug => shownBug(door, bugFor(door.world.state, door.user, String(ref)));

function shownBug({ world: { state }, options: { details = [], labels = [] } }: Door, bug: TrackerBug): Bug {
  return {
    ...modelBug(state, bug),
    ...furtherFields(state, bug, { details, labels }),
  };
}

/** A See Also value that the tracker does not take is left out: the description names the issue as well. */
function create(door: Door, draft: BugDraft): Outcome<Bug> {
  const { state } = door.world;
  const {
    seeAlso,
    values,
    product,
    summary,
    description,
    keywords,
    assignee: assigned_to,
    milestone: target_milestone,
    whiteboard,
    customs,
    isMarkdown = false,
    further,
  } = draft;
  const style = isMarkdown && state.markdown === 'comment' ? { is_markdown: true } : {};
  const chosen = { product, summary, description, keywords, assigned_to, target_milestone, whiteboard, ...values, ...customs, ...style };
  const request = { ...further, ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)) };
  const at = wholeSecond(state.now());
  try {
    return {
      kind: 'applied',
      item: readBack(door, fileBug(state, door.user, seeAlso === null ? request : { ...request, see_also: [seeAlso] }, at)),
    };
  } catch (error) {
    if (!(error instanceof TrackerError) || error.code !== 112) throw error;
    return { kind: 'applied', item: readBack(door, fileBug(state, door.user, request, at)) };
  }
}

/** A bug that was rolled back is answered like any other, and is not there when it is read back. */
function readAgain({ world }: Door, outcome: Outcome<Bug>): Outcome<Bug> {
  if (outcome.kind !== 'applied' || world.state.bugs.has(outcome.item.id)) return outcome;
  return { kind: 'unknown', why: `the tracker says that it filed bug ${outcome.item.id}, but shows no such bug` };
}

/** Only when the very bug that is written to is missing or hidden is it gone; of the target of a duplicate that is no reason to bury it. */
function onBug<T>(ref: number, work: () => Outcome<T>): Outcome<T> {
  try {
    return work();
  } catch (error) {
    const gone = goneOf(error, ref);
    if (gone === null) throw error;
    return { kind: 'gone', gone };
  }
}

/** The result is worked out from what was seen and what the server says it changed, as a client over the network has to do. */
function update(door: Door, seen: Bug, patch: BugPatch): Outcome<Bug> {
  const { state } = door.world;
  const changed = changeBugs(state, door.user, [String(seen.id)], requestOf(patch), wholeSecond(state.now()));
  const changes = changeOf(changed, seen.id);
  const item = { ...patched(seen, patch, changes), changedAt: state.bugs.get(seen.id)?.changedAt ?? seen.changedAt };
  const lost = overwritten(seen, changes);
  return lost.length === 0 ? { kind: 'applied', item } : { kind: 'applied', item, lost };
}

function comment({ world, user }: Door, ref: number, text: string, isMarkdown: boolean): Outcome<Comment> {
  const { state } = world;
  const id = writeComment(state, user, { idOrAlias: String(ref), text, isPrivate: false, isMarkdown, at: wholeSecond(state.now()) });
  const written = commentsSeen(state, user, ref, null).find((one) => one.id === id);
  if (written === undefined) throw new Error(`The sandbox tracker lost comment ${id} on bug ${ref}.`);
  return { kind: 'applied', item: modelComment(state, written) };
}

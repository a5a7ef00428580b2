import { createTrackerClient } from '../../../src/bugzilla/connection/client.ts';
import { bugzillaReplica } from '../../../src/bugzilla/replica.ts';
import { fakeTracker, openLane, type Reply, type TrackerRequest } from './fake-tracker.ts';

export const startAt = Date.parse('2026-11-21T10:00:00Z');
export const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

export interface SmallBug {
  readonly id: number;
  readonly changedAt?: number;
  readonly product?: string;
  readonly comments?: readonly { readonly id: number; readonly at: number; readonly isPrivate?: boolean }[];
}

export interface SmallTracker {
  readonly bugs: SmallBug[];
  readonly hidden: Set<number>;
  /** Bugs that the tracker fails on as soon as more than their id is asked for. */
  readonly poison: Set<number>;
  /** Bugs that the tracker fails on even where it lists only their ids. */
  readonly unlisted: Set<number>;
  /** What the tracker lowers every limit to. */
  readonly cap: number;
  /** The clock of its database. */
  now: number;
  /** How far the clock of its web server is ahead of that. */
  readonly dateSkewMs: number;
  /** Called before each answer; may answer instead. */
  meddle: (asked: TrackerRequest) => Reply | null;
}

const internal: Reply = { body: { error: true, code: 100500, message: 'Invalid local time for date in time zone' } };
const hidden = (id: number): Reply => ({
  status: 401,
  body: { error: true, code: 102, message: `You are not authorized to access bug #${id}.` },
});
const missing = (id: number): Reply => ({
  status: 404,
  body: { error: true, code: 101, message: `Bug #${id} does not exist.` },
});

/** A tracker just large enough to page through; what it does not understand, it ignores, as the real one does. */
export function smallTracker(options: Partial<SmallTracker> = {}) {
  const nothing = { bugs: [], hidden: new Set<number>(), poison: new Set<number>(), unlisted: new Set<number>() };
  const world: SmallTracker = { ...nothing, cap: 1000, now: startAt, dateSkewMs: 0, meddle: () => null, ...options };
  const fake = fakeTracker((asked) => {
    const reply = world.meddle(asked) ?? answer(world, asked);
    return { ...reply, headers: { date: new Date(world.now + world.dateSkewMs).toUTCString(), ...reply.headers } };
  });
  return { world, ...fake };
}

export function replicaOf(options: Partial<SmallTracker> = {}, pageSize = 10) {
  const tracker = smallTracker(options);
  const lane = openLane();
  const url = 'http://tracker.example.test';
  const client = createTrackerClient({
    url,
    apiKey: 'KEY',
    auth: 'query',
    lane,
    timeoutMs: 1000,
    now: () => tracker.world.now,
    fetch: tracker.fetch,
  });
  const warnings: string[] = [];
  const replica = bugzillaReplica({
    client,
    product: 'Widget',
    url,
    pageSize,
    warn: (message) => warnings.push(message),
  });
  return { ...tracker, lane, replica, warnings };
}

function answer(world: SmallTracker, asked: TrackerRequest): Reply {
  if (asked.path === '/whoami') return { body: { id: 7, name: 'bridge@example.test' } };
  if (asked.path === '/version') return { body: { version: '5.2' } };
  if (asked.path === '/time') return { body: { db_time: iso(world.now) } };
  if (asked.path === '/bug') return found(world, asked);
  const comments = /^\/bug\/(\d+)\/comment$/.exec(asked.path);
  if (comments) return commentsOf(world, asked, Number(comments[1]));
  const one = /^\/bug\/(\d+)$/.exec(asked.path);
  return one
    ? single(world, Number(one[1]))
    : { status: 404, body: { error: true, code: 32614, message: 'not found' } };
}

const idMax = 2 ** 31 - 1;

function found(world: SmallTracker, { query }: TrackerRequest): Reply {
  const since = query.get('last_change_time');
  const ids = query.get('id')?.split(',').map(Number);
  const after = query.get('f1') === 'bug_id' && query.get('o1') === 'greaterthan' ? Number(query.get('v1')) : 0;
  const to = query.get('f99') === 'bug_id' && query.get('o99') === 'lessthaneq' ? Number(query.get('v99')) : idMax;
  const isFound = (bug: SmallBug): boolean =>
    bug.id > after &&
    bug.id <= to &&
    !world.hidden.has(bug.id) &&
    (ids === undefined || ids.includes(bug.id)) &&
    (since === null || (bug.changedAt ?? 0) >= Date.parse(since));
  const all = query.get('order') === 'bug_id DESC' ? world.bugs.toReversed() : world.bugs;
  const page = all.filter(isFound).slice(0, Math.min(world.cap, Number(query.get('limit') ?? world.cap)));
  if (page.some((bug) => world.unlisted.has(bug.id))) return internal;
  if (query.get('include_fields') === 'id') return { body: { bugs: page.map((bug) => ({ id: bug.id })) } };
  return page.some((bug) => world.poison.has(bug.id)) ? internal : { body: { bugs: page.map(wireBug) } };
}

function single(world: SmallTracker, id: number): Reply {
  if (world.hidden.has(id)) return hidden(id);
  const bug = world.bugs.find((one) => one.id === id);
  return bug === undefined ? missing(id) : { body: { bugs: [wireBug(bug)], faults: [] } };
}

function commentsOf(world: SmallTracker, { query }: TrackerRequest, first: number): Reply {
  const refs = [first, ...query.getAll('ids').map(Number)];
  const since = query.get('new_since');
  const gone = refs.find((ref) => world.hidden.has(ref));
  if (gone !== undefined) return hidden(gone);
  const none = refs.find((ref) => !world.bugs.some((bug) => bug.id === ref));
  if (none !== undefined) return missing(none);
  if (refs.some((ref) => world.poison.has(ref))) return internal;
  const threads = world.bugs
    .filter((bug) => refs.includes(bug.id))
    .map((bug) => [bug.id, { comments: wireComments(bug, since) }]);
  return { body: { bugs: Object.fromEntries(threads), comments: {} } };
}

const wireComments = (bug: SmallBug, since: string | null) =>
  (bug.comments ?? [])
    .map((comment, count) => ({
      id: comment.id,
      bug_id: bug.id,
      count,
      text: 'x',
      creator: 'bob@example.test',
      is_private: comment.isPrivate ?? false,
      creation_time: iso(comment.at),
    }))
    .filter((comment) => since === null || Date.parse(comment.creation_time) > Date.parse(since));

export const wireBug = (bug: SmallBug) => ({
  id: bug.id,
  product: bug.product ?? 'Widget',
  summary: `Bug ${bug.id}`,
  status: 'CONFIRMED',
  resolution: '',
  dupe_of: null,
  component: 'Core',
  severity: 'normal',
  keywords: ['crash'],
  see_also: [],
  groups: [],
  creator: 'bob@example.test',
  creator_detail: { name: 'bob@example.test', real_name: 'Bob' },
  creation_time: iso(startAt - 1_000_000),
  last_change_time: iso(bug.changedAt ?? startAt - 1_000_000),
});

import type { Context, RouteState, Session } from '../kernel/context.ts';
import { strictMs } from '../model/control.ts';
import { type LinkId, type Side, sides } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import { accountIn } from '../model/people.ts';
import type { Operation } from '../model/plan/operation.ts';
import type { Vocabulary } from '../model/route.ts';
import type { RepositorySurvey } from '../model/survey.ts';
import { isHiddenSince } from '../rules/privacy/gate.ts';
import { readAndPlan } from './cycle.ts';
import { isKeywordWrongAtFirst, refuseLostKeyword } from './lost-filter.ts';
import { persistEach } from './observe/persist-plan.ts';
import { lacksNames, refuseUnknownNames } from './settle/renamed.ts';
import { explainUnknown } from './settle/second-bridge.ts';
import { knownBefore } from './settle/settle-older.ts';

/** The result of adopting a route whose state was lost. */
export interface Adoption {
  /** Bugs and issues that name each other and are linked again. */
  readonly pairs: number;
  /** Live ends without a counterpart, by side. */
  readonly alone: Readonly<Record<Side, number>>;
  /** Links with an end that was deleted, or is hidden. */
  readonly givenUp: number;
  /** The writes of the next cycles: changes made while there was no state. */
  readonly operations: readonly Operation[];
  /** Values that differ without a record of which side changed them. */
  readonly conflicts: number;
}

/** How many links are fetched from the database at a time. */
const batch = 500;

/** True once both sides of a route have been read completely: there is nothing left to adopt. */
export const isKnown = ({ store, route }: Pick<Context, 'store' | 'route'>): boolean =>
  sides.every((side) => store.cursors.get(route.name, side)?.isComplete === true);

/**
 * Lets a route go on that stopped for a second bridge: a person says that there is none. What this state does not know
 * was written all the same.
 */
export function letGoOn(context: RouteState): boolean {
  const { store, route, clock } = context;
  if (!store.unknownWrites.ofRoute(route.name).some(({ isHalted }) => isHalted)) return false;
  store.transaction(() => {
    explainUnknown(context, clock.now() + strictMs);
    store.olderPairs.markAll(route.name, clock.now(), knownBefore(context).until);
  });
  return true;
}

/**
 * Reads both sides completely and stores which items belong together, by what the bridge wrote on them, as cycles
 * would; but writes to neither side. Differences wait for the next cycle. May be interrupted and started again. Throws
 * `SideError`.
 */
export async function adoptState(context: Context): Promise<Adoption> {
  const { store, route } = context;
  const found = new Map<LinkId, readonly Operation[]>();
  const conflicts = new Map<LinkId, number>();
  const kept = new Set<LinkId>();
  const calm = without(context, kept);
  for (let isDone = false; !isDone; ) {
    const wanted = await readAndPlan(calm);
    const isRead = isKnown(context);
    // Nothing is put into the outbox: rows there would be performed without another read.
    persistEach(calm, { ...wanted, operations: [], held: [] });
    const byLink = Map.groupBy(wanted.plan.operations, ({ link }) => link);
    // A link that comes up a second time was marked dirty by a late read, which could go on for ever.
    isDone = isRead && wanted.selected.every(({ id }) => found.has(id));
    // A link with one end means something only once both sides are read.
    for (const link of isRead ? wanted.selected : []) {
      const { id } = link;
      const operations = byLink.get(id) ?? [];
      found.set(id, operations);
      conflicts.set(id, wanted.plan.conflicts.filter(({ link }) => link === id).length);
      if (operations.length === 0) {
        clearDirty(context, link);
        continue;
      }
      later(context, id);
      kept.add(id);
    }
  }
  const { byState, whole } = store.links.count(route.name);
  return {
    pairs: whole,
    alone: aloneIn(context),
    givenUp: byState.tombstone + byState.frozen,
    operations: [...found.values()].flat(),
    conflicts: [...conflicts.values()].reduce((sum, count) => sum + count, 0),
  };
}

/** Links with operations are planned once, and stay dirty, also if this process dies: they wait for the next cycle. */
function without(context: Context, kept: ReadonlySet<LinkId>): Context {
  const { store, limits } = context;
  const wanting: typeof store.links.wanting = (route, limit) =>
    store.links.wanting(route, limit + kept.size).filter(({ id }) => !kept.has(id));
  const urgent: typeof store.links.urgent = (route) => store.links.urgent(route).filter(({ id }) => !kept.has(id));
  return {
    ...context,
    limits: { ...limits, writesPerCycle: batch },
    store: { ...store, links: { ...store.links, wanting, urgent } },
  };
}

/** The link is planned again only when it changes. A bug that was found to be hidden since is still to be withdrawn. */
function clearDirty({ store, route }: RouteState, planned: Link): void {
  store.transaction(() => {
    const link = store.links.byId(planned.id);
    if (link !== null && link.urgency !== 'none' && !isHiddenSince(route, planned, link))
      store.links.save({ ...link, urgency: 'none' });
  });
}

function later({ store }: RouteState, id: LinkId): void {
  const link = store.links.byId(id);
  if (link !== null) store.links.save({ ...link, urgency: 'backfill' });
}

function aloneIn({ store, route }: RouteState): Record<Side, number> {
  const alone = { tracker: 0, github: 0 };
  for (const links of store.links.batches(route.name)) {
    for (const { state, bug, issue } of links) {
      if (state === 'live' && issue === null) alone.tracker += 1;
      if (state === 'live' && bug === null) alone.github += 1;
    }
  }
  return alone;
}

interface Meeting {
  readonly session: Session;
  readonly repository: RepositorySurvey;
}

/** Logs in to both sides, and reads the values of the tracker, which must have what the route names. Throws `SideError`. */
export async function greetBothSides(
  context: Pick<Context, 'store' | 'route' | 'tracker' | 'github'>,
): Promise<Meeting> {
  const { tracker, github } = context;
  const ours = accountIn(await tracker.hello());
  const { repository, ...theirs } = await github.hello();
  const vocabulary = await vocabularyWithNames(context);
  return { session: { own: { tracker: ours, github: accountIn(theirs) }, vocabulary }, repository };
}

/** The answer of today, or, if that lacks what the route names, that of now: somebody may have put it right since. */
async function vocabularyWithNames(context: Pick<Context, 'store' | 'route' | 'tracker'>): Promise<Vocabulary> {
  const known = await context.tracker.vocabulary();
  const isKeywordWrong = isKeywordWrongAtFirst({ ...context, session: { vocabulary: known } });
  if (!isKeywordWrong && !lacksNames(context, known)) return known;
  const vocabulary = await context.tracker.vocabulary(true);
  await refuseUnknownNames(context, vocabulary);
  if (isKeywordWrong) refuseLostKeyword({ ...context, session: { vocabulary } });
  return vocabulary;
}

/**
 * Settles what differs between pairs whose state may be older than what both sides show, before anything of it is
 * planned.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { spare, spareAsync, workOn } from '../../kernel/set-aside.ts';
import { type LeftOut, spareComments } from '../../kernel/spare-comments.ts';
import { type LinkId, type Side, sides } from '../../model/ids.ts';
import type { FieldName } from '../../model/item.ts';
import type { Link, OlderPair, SettledFields } from '../../model/link.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { editNews } from '../../rules/comments/body.ts';
import { type Difference, differencesIn, isCopyUnknown, verdictOf } from '../../rules/fields/last-set.ts';
import { mirrorOf } from '../../rules/fields/merge.ts';
import { settledField } from '../../rules/fields/settled-field.ts';
import { traitsOfField } from '../../rules/fields/traits.ts';
import { githubLagMs } from '../../rules/limits/backoff.ts';
import { plan } from '../../rules/plan/plan.ts';
import { gate } from '../../rules/privacy/gate.ts';
import { isEmptied } from '../../rules/privacy/neutral.ts';
import { equalValues, namesIn } from '../../text/canonical.ts';
import { fieldsOn } from '../observe/fields-on.ts';
import { inputWithout, planContextOf, planInputsOf } from '../observe/select.ts';
import { readEnds } from './older/read-ends.ts';
import { noteMove } from './older/seen-move.ts';
import { settleCopies } from './own-copies.ts';
import { areValuesInDoubt, judgeUnknown } from './second-bridge.ts';
import { findCutovers } from './seen-cutover.ts';
import { findLocks } from './seen-lock.ts';
import { type Open, pastChanges, type Setters, settersIn } from './setters.ts';

/** What was known before a cycle read both sides. */
export interface KnownBefore {
  readonly at: number;
  /** Until when each side was known, by its own clock; null where it was never read completely. */
  readonly until: OlderPair['knownUntil'];
}

const isFirstRead = ({ until }: KnownBefore): boolean => until.tracker === null || until.github === null;

export const knownBefore = (context: RouteState): KnownBefore => ({
  at: context.clock.now(),
  until: { tracker: knownUntil(context, 'tracker'), github: knownUntil(context, 'github') },
});

/** Lists may be late: what people changed just before the last reading need not be in it. */
function knownUntil({ store, route, limits }: RouteState, side: Side): number | null {
  const row = store.cursors.get(route.name, side);
  return row?.isComplete === true ? row.readAt - (side === 'tracker' ? limits.settleMs : githubLagMs) : null;
}

/**
 * Marks all pairs as older if this cycle found what our own account wrote and the state knows nothing about: then the
 * state does not know what else the bridge wrote. Throws `SideError`.
 */
async function markIfOlder(
  context: Context,
  before: KnownBefore,
  links: readonly Link[],
  missing: readonly string[],
): Promise<void> {
  const { store, route, clock } = context;
  const isPutBack = judgeUnknown(context, isFirstRead(before)) || store.olderPairs.isMarkedSince(route.name, before.at);
  if (isFirstRead(before) || !(isPutBack || (await hasCopyUnknown(context, before, links, missing)))) return;
  store.olderPairs.markAll(route.name, clock.now(), before.until);
}

/** How many pairs a process asks about to find out whether its state was put back. */
const suspectsMax = 20;

/**
 * Whether a pair shows that the state was put back without a word, which may have been while no process ran: our own
 * account wrote a value that the state does not know, and people have changed the original since. Costs requests for
 * pairs that changed on both sides since the state wrote something of them down. Throws `SideError`.
 */
async function hasCopyUnknown(
  context: Context,
  before: KnownBefore,
  links: readonly Link[],
  missing: readonly string[],
): Promise<boolean> {
  const { store, route, clock, lookTurns } = context;
  if (lookTurns.compared.get(route.name) === 'stored' || mirrorOf(route.direction) !== null) return false;
  const older = { at: clock.now(), knownUntil: before.until, agreed: {}, settled: {}, isTrackerOlder: false };
  const lastOf = ({ id }: Link): number =>
    store.ledger.ofLink(id).findLast(({ at }) => at < before.at)?.at ?? Number.POSITIVE_INFINITY;
  const isSuspect = (link: Link): boolean => {
    const changedAt = Math.min(link.tracker?.changedAt ?? 0, link.github?.changedAt ?? 0);
    // What was found out of a marked pair holds for the state that found it, which may have been put back since.
    const settled = store.olderPairs.get(link.id)?.settled;
    const isKnown = settled !== undefined && namesIn(settled).length === 0;
    return !isKnown && changedAt > lastOf(link) && !areValuesInDoubt(context, link);
  };
  let isUntold = false;
  const openOf = (link: Link, left: LeftOut): readonly Open[] => {
    const inputs = planInputsOf(context, [link], left);
    // What waits for its visibility check is planned, and compared, in a later cycle.
    isUntold ||= inputs.some((input) => gate(route, input).kind === 'waiting');
    return openIn(context, inputs, missing, { ...older, link: link.id });
  };
  const open = links
    .filter((link) => spare(context, workOn(context, link, 'plan'), () => isSuspect(link)) === true)
    .slice(0, suspectsMax)
    .flatMap((link) => spareComments(context, link, 'plan', (left) => openOf(link, left)) ?? []);
  const bugs = open.map(({ bug }) => bug.id);
  const changes = await pastChanges(context, bugs);
  for (const each of open) {
    const isFound = await spareAsync(context, workOn(context, each.link, 'plan'), async () => {
      const setters = await settersIn(context, each, changes.get(each.bug.id) ?? null);
      if (setters === 'later') return null;
      const isMarked = store.olderPairs.get(each.link.id) !== null;
      return setters.some(([one, by]) => isCopyUnknown(each.link.base, one, by, lastOf(each.link), isMarked));
    });
    if (isFound === true) return true;
    isUntold ||= isFound === null;
  }
  if (isUntold) lookTurns.compared.delete(route.name);
  else lookTurns.compared.set(route.name, 'asked');
  return false;
}

/**
 * Notes the fields in which both sides agree now: whoever set them before has not changed them since, and does not
 * compete with what people change from now on.
 */
function noteAgreed(context: Context, link: Link): void {
  const { store } = context;
  const older = store.olderPairs.get(link.id);
  if (older === null || link.tracker === null || link.github === null) return;
  const [tracker, github] = [fieldsOn(context, link, 'tracker'), fieldsOn(context, link, 'github')];
  const isAgreed = (field: FieldName): boolean => {
    const [t, g] = [tracker[field], github[field]];
    return t !== undefined && g !== undefined && equalValues(t, g);
  };
  const at = Math.min(...sides.map((side) => knownUntil(context, side) ?? 0));
  const agreed = namesIn(tracker).filter(isAgreed);
  if (agreed.length > 0)
    store.olderPairs.agree(link.id, { ...older.agreed, ...Object.fromEntries(agreed.map((field) => [field, at])) });
}

/**
 * Finds the closings of a cutover among bugs of an older state that are public again, before their issues are: how the
 * tracker shows them must not close these. Throws `SideError`.
 */
export async function findCutoversShownAgain(context: Context): Promise<void> {
  const { store, route } = context;
  const pairs = store.links
    .withdrawing(route.name)
    .flatMap((link) =>
      link.isWithdrawn && link.tracker !== null && store.olderPairs.get(link.id) !== null
        ? [{ link, bug: link.tracker }]
        : [],
    );
  if (pairs.length > 0) await findCutovers(context, pairs);
}

/**
 * Asks both sides who set the values in which marked pairs differ, and moves the bases so that what people did last
 * travels. Costs requests only for such pairs. Throws `SideError`.
 * @returns pairs that GitHub does not answer about now: they must not be planned
 */
export async function settleOlder(
  context: Context,
  links: readonly Link[],
  missing: readonly string[],
  before: KnownBefore,
): Promise<ReadonlySet<LinkId>> {
  const { store, route, clock } = context;
  store.olderPairs.clear(route.name, clock.now() - githubLagMs);
  const pairs = links.flatMap(({ id }) => {
    const link = store.links.byId(id);
    return link !== null && link.tracker !== null && link.github !== null ? [link] : [];
  });
  const markedOf = (some: readonly Link[]) => some.filter(({ id }) => store.olderPairs.get(id) !== null);
  const already = new Set(markedOf(pairs));
  const isDoubtful = (link: Link): boolean =>
    editNews(route, store.commentLinks.ofLink(link.id), link.github).length > 0;
  const strange = pairs.filter(
    (link) => already.has(link) || spare(context, workOn(context, link, 'plan'), () => isDoubtful(link)) === true,
  );
  const waiting = new Set(strange.length === 0 ? [] : await settleCopies(context, strange));
  const saysNothing = (link: Link) =>
    spare(context, workOn(context, link, 'plan'), () => isEmptied(route.instance, link)) === true;
  const emptied = pairs.filter((link) => !already.has(link) && saysNothing(link));
  if (emptied.length > 0) for (const id of await findLocks(context, emptied)) waiting.add(id);
  await markIfOlder(context, before, pairs, missing);
  const known = markedOf(pairs);
  if (known.length === 0) return waiting;
  for (const id of await settleCopies(
    context,
    known.filter((link) => !already.has(link)),
  ))
    waiting.add(id);
  for (const link of known) spare(context, workOn(context, link, 'plan'), () => noteMove(context, link));
  const absent = await readEnds(context, known, planContextOf(context, missing));
  for (const id of absent) waiting.add(id);
  const marked = known.flatMap(({ id }) => (absent.has(id) ? [] : (store.links.byId(id) ?? [])));
  for (const id of await findLocks(context, marked)) waiting.add(id);
  await findCutovers(
    context,
    marked.flatMap((link) =>
      link.tracker !== null && link.github?.state === 'open' ? [{ link, bug: link.tracker }] : [],
    ),
  );
  if (mirrorOf(route.direction) !== null) return waiting;
  for (const link of marked) spare(context, workOn(context, link, 'plan'), () => noteAgreed(context, link));
  const open = planInputsOf(context, marked).flatMap(
    (input) =>
      spareComments(context, input.link, 'plan', (left) => openIn(context, [inputWithout(input, left)], missing)) ?? [],
  );
  if (open.length === 0) return waiting;
  const changes = await pastChanges(
    context,
    open.map(({ bug }) => bug.id),
  );
  for (const each of open) {
    const settled = await spareAsync(context, workOn(context, each.link, 'plan'), async () => {
      const setters = await settersIn(context, each, changes.get(each.bug.id) ?? null);
      if (setters === 'later') return false;
      store.transaction(() => recordSettled(context, each, setters));
      return true;
    });
    if (settled !== true) waiting.add(each.link.id);
  }
  return waiting;
}

/**
 * The pairs that a plan would write, or call a conflict, and the fields that nobody has asked about yet.
 * @param taken what they are taken for, if they are not marked
 */
function openIn(
  context: RouteState,
  inputs: readonly PlanInput[],
  missing: readonly string[],
  taken: OlderPair | null = null,
): readonly Open[] {
  const { operations, conflicts } = plan(planContextOf(context, missing), inputs);
  return inputs.flatMap(({ link }): readonly Open[] => {
    const older = taken ?? context.store.olderPairs.get(link.id);
    if (older === null || link.tracker === null || link.github === null) return [];
    const found = new Map<FieldName, Difference[]>();
    const add = (
      field: FieldName,
      tracker: Difference['tracker'] | undefined,
      github: Difference['github'] | undefined,
    ): void => {
      if (
        tracker === undefined ||
        github === undefined ||
        isOneWay(context, field) ||
        older.settled[field] !== undefined
      )
        return;
      found.set(field, [...differencesIn(link.base, field, tracker, github)]);
    };
    for (const each of conflicts) if (each.link === link.id) add(each.field, each.tracker, each.github);
    for (const each of operations) {
      if (each.link !== link.id || each.kind !== 'update') continue;
      const of =
        each.on === 'tracker'
          ? { tracker: each.replaces, github: each.source }
          : { tracker: each.source, github: each.replaces };
      for (const field of Object.keys(each.target) as FieldName[]) add(field, of.tracker[field], of.github[field]);
    }
    const differences = [...found.values()].flat();
    return differences.length === 0 ? [] : [{ older, link, bug: link.tracker, issue: link.github, differences }];
  });
}

/** Whether only the tracker changes the field, whoever set it. */
const isOneWay = ({ route }: RouteState, field: FieldName): boolean =>
  traitsOfField(field).isTrackers || route.labels.some(({ from, both }) => from === field && both === false);

function recordSettled({ store, route }: RouteState, { older, link, bug, issue }: Open, setters: Setters): void {
  const changedAt = { tracker: bug.changedAt, github: issue.changedAt };
  const winner = (later: Side): Side | null =>
    route.conflicts === 'newest' ? later : (sides.find((side) => side === route.conflicts) ?? null);
  let base = link.base;
  let settled: SettledFields = older.settled;
  for (const ofField of Map.groupBy(setters, ([{ field }]) => field).values()) {
    const verdicts = ofField.map(([each, by]) => [each, verdictOf(link.base, older, each, by, changedAt)] as const);
    const found = settledField(base, verdicts, winner);
    base = found?.base ?? base;
    settled = { ...settled, ...found?.settled };
  }
  store.links.save({ ...link, base });
  store.olderPairs.settle(link.id, settled);
}

/**
 * Settles what differs between pairs whose state may be older than what both sides show, before anything of it is
 * planned.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { spare, spareAsync, workOn } from '../../kernel/set-aside.ts';
import { type LinkId, type Side, sides } from '../../model/ids.ts';
import type { Bug, FieldName, Issue } from '../../model/item.ts';
import type { Link, OlderPair, SettledFields } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { PastChange } from '../../model/receipt.ts';
import type { Actor } from '../../model/replica.ts';
import { editNews } from '../../rules/comments/body.ts';
import {
  type Difference,
  differencesIn,
  eventsFor,
  eventsOfCopy,
  eventsOfLoss,
  type Setter,
  verdictOf,
} from '../../rules/fields/last-set.ts';
import { mirrorOf } from '../../rules/fields/merge.ts';
import { setterOnTracker } from '../../rules/fields/set-on-tracker.ts';
import { settledField } from '../../rules/fields/settled-field.ts';
import { traitsOfField } from '../../rules/fields/traits.ts';
import { githubLagMs } from '../../rules/limits/backoff.ts';
import { plan } from '../../rules/plan/plan.ts';
import { equalValues, namesIn } from '../../text/canonical.ts';
import { fieldsOn } from '../observe/fields-on.ts';
import { planContextOf, planInputsOf } from '../observe/select.ts';
import { settleCopies } from './own-copies.ts';
import { pastChanges } from './past-changes.ts';
import { judgeUnknown } from './second-bridge.ts';
import { findCutovers } from './seen-cutover.ts';
import { findLocks } from './seen-lock.ts';

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
 * state does not know what else the bridge wrote.
 */
function markIfOlder(context: RouteState, before: KnownBefore): void {
  const { store, route, clock } = context;
  const isPutBack = judgeUnknown(context, isFirstRead(before)) || store.olderPairs.isMarkedSince(route.name, before.at);
  if (isPutBack && !isFirstRead(before)) store.olderPairs.markAll(route.name, clock.now(), before.until);
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

/** A pair that differs, with what has to be asked about. */
interface Open {
  readonly older: OlderPair;
  readonly link: Link;
  readonly bug: Bug;
  readonly issue: Issue;
  readonly differences: readonly Difference[];
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
  markIfOlder(context, before);
  const marked = markedOf(pairs);
  if (marked.length === 0) return waiting;
  for (const id of await settleCopies(
    context,
    marked.filter((link) => !already.has(link)),
  ))
    waiting.add(id);
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
    (input) => spare(context, workOn(context, input.link, 'plan'), () => openIn(context, [input], missing)) ?? [],
  );
  if (open.length === 0) return waiting;
  const changes = await pastChanges(
    context,
    open.map(({ bug }) => bug.id),
  );
  for (const each of open) {
    const settled = await spareAsync(context, workOn(context, each.link, 'plan'), async () => {
      const actors = await actorsOn(context, each);
      if (actors === 'later') return false;
      const setters = settersOf(context, each, changes.get(each.bug.id) ?? null, actors);
      store.transaction(() => recordSettled(context, each, setters));
      return true;
    });
    if (settled !== true) waiting.add(each.link.id);
  }
  return waiting;
}

/** The pairs that a plan would write, or call a conflict, and the fields that nobody has asked about yet. */
function openIn(context: RouteState, inputs: readonly PlanInput[], missing: readonly string[]): readonly Open[] {
  const { operations, conflicts } = plan(planContextOf(context, missing), inputs);
  return inputs.flatMap(({ link }): readonly Open[] => {
    const older = context.store.olderPairs.get(link.id);
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

/** Who did last what each difference comes from: an actor, or null for nobody; null where GitHub does not tell. */
async function actorsOn(
  context: Context,
  { link, issue, differences }: Open,
): Promise<readonly (Answer | null)[] | 'later'> {
  const { github, route, session } = context;
  const { vocabulary } = session;
  const events = differences.map((each) => eventsFor(route, vocabulary, issue, each, link.base?.github[each.field]));
  if (events.every((each) => each === null)) return events.map(() => null);
  const copied = differences.map((each) => eventsOfCopy(route, vocabulary, issue, each));
  try {
    const lost = differences.map((each) => eventsOfLoss(route, issue, each));
    const asked = [...events, ...copied, ...lost].map((each) => each ?? []);
    const actors = await github.lastActors(issue.number, asked);
    return events.map((each, index) =>
      each === null || actors === null
        ? null
        : {
            actor: actors[index] ?? null,
            copier: actors[index + events.length] ?? null,
            loser: actors[index + 2 * events.length] ?? null,
          },
    );
  } catch (failure) {
    if (!(failure instanceof SideError) || failure.kind === 'unauthorized' || failure.at !== null) throw failure;
    return failure.kind === 'later' ? 'later' : events.map(() => null);
  }
}

interface Answer {
  readonly actor: Actor | null;
  /** Who last gave the issue what the tracker shows. */
  readonly copier: Actor | null;
  /** Who last took that from it. */
  readonly loser: Actor | null;
}

type Setters = readonly (readonly [Difference, Readonly<Record<Side, Setter>>])[];

function settersOf(
  { route, session: { own } }: RouteState,
  { bug, issue, differences }: Open,
  changes: readonly PastChange[] | null,
  actors: readonly (Answer | null)[],
): Setters {
  return differences.map((difference, index) => {
    const answer = actors[index] ?? null;
    const github = setterOnGithub(issue, answer, own.github);
    return [difference, { tracker: setterOnTracker(route, bug, changes, difference, own.tracker), github }];
  });
}

/** What no event gave the issue, it has had since it was made. */
function setterOnGithub(issue: Issue, answer: Answer | null, own: string | null): Setter {
  if (answer === null || own === null) return null;
  const { login, at } = answer.actor ?? { ...issue.author, at: issue.createdAt };
  if (at === null) return null;
  const isPerson = (each: Actor | null): each is Actor & { readonly at: number } =>
    each !== null && each.at !== null && !isLogin(each.login, own);
  const { copier, loser } = answer;
  // What our own account made began as a copy of all that the tracker showed then.
  const madeAt = isLogin(issue.author.login, own) ? issue.createdAt : null;
  const copiedAt = copier !== null && isLogin(copier.login, own) ? copier.at : madeAt;
  return {
    ...{ isOurs: isLogin(login, own), at, isFirst: answer.actor === null },
    copiedAt: copiedAt !== null && copiedAt <= at ? copiedAt : null,
    agreedAt: Math.max(...[copier, loser].map((each) => (isPerson(each) && each.at <= at ? each.at : 0))) || null,
  };
}

function recordSettled({ store, route }: RouteState, { older, link }: Open, setters: Setters): void {
  const winner = (later: Side): Side | null =>
    route.conflicts === 'newest' ? later : (sides.find((side) => side === route.conflicts) ?? null);
  let base = link.base;
  let settled: SettledFields = older.settled;
  for (const ofField of Map.groupBy(setters, ([{ field }]) => field).values()) {
    const verdicts = ofField.map(([each, by]) => [each, verdictOf(link.base, older, each, by)] as const);
    const found = settledField(base, verdicts, winner);
    base = found?.base ?? base;
    settled = { ...settled, ...found?.settled };
  }
  store.links.save({ ...link, base });
  store.olderPairs.settle(link.id, settled);
}

import { issueNumber } from '../../src/model/ids.ts';
import type { Link } from '../../src/model/link.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import { random } from '../support/random.ts';
import { type Bridge, commentLinksOf, planCycle, runCycle } from './bridge.ts';
import { both, checkFields, checkMeeting, meeting } from './check-fields.ts';
import { checkTexts } from './check-texts.ts';
import type { Core } from './core.ts';
import { equal, hold } from './hold.ts';
import { checkImpossible, checkLabels, editLabels } from './label-edits.ts';
import { checkOneTruth } from './one-truth.ts';
import { editBug, editIssue, labelsOfPeople, pairFromBefore, type Setup, setUp } from './plan-context.ts';

/**
 * One seed: a tracker and a repository are mirrored from nothing, then edited on both sides at once (twice), then, on
 * some seeds, the state database is lost. After each of these the invariants must hold. Throws when one does not.
 */
export function holds(core: Core, seed: number): void {
  const setup = setUp(core, seed);
  const { bridge } = setup;
  readInPart(setup);
  const met = meeting(setup);
  converge(setup, seed);
  if (met !== null) checkMeeting(setup, met);
  checkWhole(setup);
  checkSelection(bridge);
  for (const wave of [1, 2]) {
    const before = new Map([...bridge.links.values()].map((link) => [link.id, both(bridge, link)]));
    perturb(setup, seed + wave * 1_000_003);
    const after = new Map([...bridge.links.values()].map((link) => [link.id, both(bridge, link)]));
    const calm = { ...stillLinks(bridge), people: peoples(bridge) };
    converge(setup, seed);
    checkWhole(setup);
    for (const link of bridge.links.values()) {
      checkFields(setup, link, before.get(link.id), after.get(link.id));
      checkLabels(setup, link, before.get(link.id), after.get(link.id));
    }
    checkStill(bridge, calm);
    hold(equal(peoples(bridge), calm.people), 'I12: labels of people are never touched');
  }
  if (setup.loses) checkLostDatabase(setup, seed);
}

/** Only what the route selects begins to be mirrored. */
function checkSelection({ world, planContext }: Bridge): void {
  for (const bug of world.bugs.values()) {
    const isClosed = bug.resolution !== '' && planContext.route.selection.openOnly;
    hold(
      !isClosed || !world.issues.has(issueNumber(5000 + bug.id)),
      `I3: the route takes open bugs, but bug ${bug.id} has got an issue`,
    );
  }
}

/** A side that is still being read for the first time may hold the counterpart: nothing is made there. */
function readInPart({ bridge, byHand }: Setup): void {
  const planContext = bridge.planContext;
  for (const isComplete of [
    { tracker: false, github: false },
    { tracker: true, github: false },
    { tracker: false, github: true },
  ]) {
    bridge.planContext = { ...planContext, isComplete };
    const { operations } = planCycle(bridge);
    for (const { kind, on } of operations)
      hold(kind !== 'create' || isComplete[on], `I4: a create on ${on}, which is not read to its end`);
    if (isComplete.tracker === isComplete.github) runCycle(bridge);
    if (byHand) pairFromBefore(bridge.world);
  }
  bridge.planContext = planContext;
}

/** I1, I2, I6, I8, I10 while the bridge works. */
function converge(setup: Setup, seed: number, mayMarkDirty = false): void {
  const { bridge } = setup;
  const limit = bridge.writesMax < 500 ? 300 : setup.hasDoubts ? 24 : 9;
  for (let cycles = 0; ; cycles += 1) {
    hold(cycles < limit, `I1: no agreement after ${limit} cycles`);
    const written = bridge.world.writes.length;
    const { plan, operations } = runCycle(bridge);
    hold(
      operations.length <= bridge.writesMax,
      `I6: ${operations.length} operations where ${bridge.writesMax} are allowed`,
    );
    checkDirection(bridge);
    checkOrder(bridge, operations, seed);
    if (operations.length > 0 || plan.notes.length > 0 || bridge.doubts.length > 0) continue;
    hold(bridge.world.writes.length === written, 'I2: a plan without operations wrote');
    const again = runCycle(bridge);
    if (again.operations.length + again.plan.notes.length === 0) return;
    hold(mayMarkDirty, 'I2: a quiet state was planned again');
  }
}

/** I8: nothing is written on the closed side of a one-way route, not even a pointer. */
function checkDirection({ planContext, world }: Bridge): void {
  const { direction } = planContext.route;
  const closed = direction === 'both' ? null : direction === 'to-github' ? 'tracker' : 'github';
  hold(
    world.writes.every(({ on }) => on !== closed),
    `I8: a ${direction} route wrote on the ${closed}`,
  );
}

/** I10: whatever the order of the links, each gets the same operations, in an order that can be carried out. */
function checkOrder(bridge: Bridge, operations: readonly Operation[], seed: number): void {
  const shuffled = planCycle(bridge, (list) => random(seed).shuffle(list));
  const straight = planCycle(bridge);
  hold(
    equal(byLink(shuffled.plan.operations), byLink(straight.plan.operations)),
    'I10: the order of links changes the plan',
  );
  const mixed = interleaved([...straight.plan.operations], seed);
  hold(
    equal(byLink(bridge.core.order(mixed)), byLink(bridge.core.order(straight.plan.operations))),
    'I10: the order of links changes the order within one',
  );
  const ranks = ['create', 'point', 'comment', 'remark', 'update', 'lock'];
  for (const list of Map.groupBy(operations, ({ link }) => link).values()) {
    const places = list.map(({ kind }) => ranks.indexOf(kind));
    hold(
      equal(places, [...places].sort()),
      `I10: link ${list[0]?.link} is written in the order ${list.map(({ kind }) => kind).join()}`,
    );
  }
}

function interleaved(operations: Operation[], seed: number): Operation[] {
  const r = random(seed);
  const queues = [...Map.groupBy(operations, ({ link }) => link).values()];
  const out: Operation[] = [];
  while (queues.length > 0) {
    const queue = r.pick(queues);
    out.push(...queue.splice(0, 1));
    if (queue.length === 0) queues.splice(queues.indexOf(queue), 1);
  }
  return out;
}

const byLink = (operations: readonly Operation[]) =>
  [...Map.groupBy(operations, ({ link }) => link)]
    .sort(([one], [other]) => one - other)
    .map(([link, list]) => [link, list.map(({ key }) => key)]);

function perturb({ bridge, deletes, loses }: Setup, seed: number): void {
  const { world } = bridge;
  const r = random(seed);
  for (const id of r.shuffle([...world.bugs.keys()]))
    for (let n = r.below(3); n > 0; n -= 1) editBug(world, r, id, { delete: deletes, hide: !loses });
  for (const number of r.shuffle([...world.issues.keys()]))
    for (let n = r.below(4); n > 0; n -= 1) editIssue(world, r, number, { delete: deletes, deface: !loses });
  editLabels(world, random(seed * 13 + 7), bridge.planContext.vocabulary.values.severity !== undefined);
}

/** Links that must not be written: buried ones, and those of bugs that are private now. */
function stillLinks(bridge: Bridge): { readonly still: readonly Link[]; readonly written: number } {
  const { links, world } = bridge;
  const isStill = (link: Link) => {
    const bug = link.bug === null ? undefined : world.bugs.get(link.bug);
    const isGone = (link.bug !== null && !bug) || (link.issue !== null && !world.issues.has(link.issue));
    return link.state === 'tombstone' || isGone || bug?.isPrivate === true;
  };
  return { still: [...links.values()].filter(isStill), written: world.writes.length };
}

/** I5 and I9. */
function checkStill(
  { world }: Bridge,
  { still, written }: { readonly still: readonly Link[]; readonly written: number },
): void {
  for (const { on, ref } of world.writes.slice(written)) {
    const link = still.find(({ bug, issue }) => (on === 'tracker' ? bug : issue) === ref);
    hold(!link, `I5, I9: ${on} ${ref} was written although the link is deleted or private`);
    const source = still.find(({ bug, issue }) => (on === 'tracker' ? issue : bug) === ref - 5000);
    hold(!source, `I5, I9: ${on} ${ref} was made again`);
  }
}

/** What holds whenever all is quiet. */
function checkWhole(setup: Setup): void {
  const { bridge } = setup;
  const { world, links } = bridge;
  const creates = world.writes.flatMap(({ kind, on, ref }) => (kind === 'create' ? [`${on} ${ref}`] : []));
  hold(new Set(creates).size === creates.length, `I4, I5: made twice: ${creates.join()}`);
  for (const side of ['bug', 'issue'] as const) {
    const ends = [...links.values()].flatMap((link) => link[side] ?? []);
    hold(new Set(ends).size === ends.length, `I4: a ${side} has two links`);
  }
  const published =
    [...world.issues.values()].map(({ title, body }) => `${title} ${body}`).join() +
    world.comments.map(({ side, text }) => (side === 'github' ? text : '')).join();
  const open = [...world.bugs.values()].filter(
    ({ summary, isPrivate }) => !isPrivate && summary.startsWith('SECRET'),
  ).length;
  hold(open > 0 || !published.includes('SECRET'), 'I9: something private was published');
  checkCounterparts(bridge);
  checkImpossible(bridge);
  for (const link of links.values()) if (link.state === 'live') checkTexts(bridge, link);
  checkReported(bridge);
  checkOneTruth(bridge);
}

/** I11: a status that the route does not map stops only the status, and a person is told. */
function checkReported(bridge: Bridge): void {
  const { skips } = planCycle(bridge).plan;
  for (const { id, state, tracker, github } of bridge.links.values()) {
    if (state !== 'live' || github === null || tracker?.status !== 'NEEDINFO') continue;
    const isReported = skips.some(({ link, needsPerson }) => link === id && needsPerson);
    hold(isReported, `I11: nobody is told that bug ${tracker.id} has a status that the route does not map`);
  }
}

/** What was made for the other, or was paired by hand. */
const mayPair = (bug: number, issue: number): boolean =>
  issue === 5000 + bug || bug === 5000 + issue || (bug === 1 && issue === 11);

/** I3, I11: everything public crosses, whatever stands beside it. */
function checkCounterparts({ world, links, planContext, parked }: Bridge): void {
  const { direction, selection } = planContext.route;
  if (selection.openOnly) return;
  hold(!world.bugs.has(5013), 'I4: an issue that names its bug has got another one');
  for (const link of links.values()) {
    if (link.state !== 'live' || [...parked.keys()].some((key) => key.startsWith(`${link.id}:`))) continue;
    if (link.bug !== null && direction !== 'to-tracker') hold(link.issue !== null, `I3: bug ${link.bug} has no issue`);
    hold(
      link.bug === null || link.issue === null || mayPair(link.bug, link.issue),
      `I4: bug ${link.bug} was paired with issue ${link.issue}`,
    );
    if (link.issue !== null && link.claim === null && direction !== 'to-github')
      hold(link.bug !== null, `I3: issue ${link.issue} has no bug`);
  }
  for (const bug of world.bugs.values()) {
    hold(bug.isPrivate || [...links.values()].some((link) => link.bug === bug.id), `I3: bug ${bug.id} has no link`);
  }
}

/** I4 without a memory: what stands on both sides is found again, and nothing is made or said twice. */
function checkLostDatabase(setup: Setup, seed: number): void {
  const { bridge } = setup;
  const written = bridge.world.writes.length;
  const isTextKnown = [...bridge.links.values()].every((link) =>
    commentLinksOf(bridge, link).every(({ state }) => state !== 'pending'),
  );
  for (const map of [bridge.links, bridge.commentLinks, bridge.parked]) map.clear();
  bridge.overruled.splice(0);
  // A bug that left the selection is taken up again when the issue that names it is known: one reading later.
  converge(setup, seed, bridge.planContext.route.selection.openOnly);
  const news = bridge.world.writes.slice(written);
  const twice = news.filter(({ kind }) => kind === 'create' || kind === 'point' || (kind === 'comment' && isTextKnown));
  hold(twice.length === 0, `I4: after a lost database, made again: ${JSON.stringify(twice)}`);
  checkWhole(setup);
}

const peoples = ({ world, planContext }: Bridge) =>
  [...world.issues.values()]
    .filter(({ number }) => number < 5000)
    .map((issue) => [issue.number, labelsOfPeople(planContext.route, issue)]);

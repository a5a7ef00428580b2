import type { Bug, Issue } from '../../src/model/item.ts';
import type { Link } from '../../src/model/link.ts';
import type { Operation } from '../../src/model/operation.ts';
import { random } from '../support/random.ts';
import { type Bridge, entriesOf, look, round } from './bridge.ts';
import type { Core } from './core.ts';
import {
  editBug,
  editIssue,
  isSameTitle,
  labelsOfPeople,
  type Setup,
  type Shown,
  setUp,
  shownByBug,
  shownByIssue,
  tokensIn,
} from './scene.ts';
import { commentsOf, us } from './world.ts';

/**
 * One seed: a tracker and a repository are mirrored from nothing, then edited on both sides at once (twice), then, on some
 * seeds, the state database is lost. After each of these the invariants must hold. Throws when one does not.
 */
export function holds(core: Core, seed: number): void {
  const setup = setUp(core, seed);
  const { bridge } = setup;
  readInPart(bridge);
  converge(setup, seed);
  checkWhole(setup);
  for (const wave of [1, 2]) {
    const before = new Map([...bridge.links.values()].map((link) => [link.id, both(bridge, link)]));
    perturb(setup, seed + wave * 1_000_003);
    const after = new Map([...bridge.links.values()].map((link) => [link.id, both(bridge, link)]));
    const calm = { ...standing(bridge), people: peoples(bridge) };
    converge(setup, seed);
    checkWhole(setup);
    for (const link of bridge.links.values()) checkFields(setup, link, before.get(link.id), after.get(link.id));
    checkStill(bridge, calm);
    hold(equal(peoples(bridge), calm.people), 'I12: labels of people are never touched');
  }
  if (setup.loses) checkLostDatabase(setup, seed);
}

/** A side that is still being read for the first time may hold the counterpart: nothing is made there. */
function readInPart(bridge: Bridge): void {
  const scene = bridge.scene;
  for (const isComplete of [
    { tracker: false, github: false },
    { tracker: true, github: false },
    { tracker: false, github: true },
  ]) {
    bridge.scene = { ...scene, isComplete };
    const { operations } = look(bridge);
    for (const { kind, on } of operations) hold(kind !== 'create' || isComplete[on], `I4: a create on ${on}, which is not read to its end`);
    if (isComplete.tracker === isComplete.github) round(bridge);
  }
  bridge.scene = scene;
}

/** I1, I2, I6, I8, I10 while the bridge works. */
function converge(setup: Setup, seed: number, mayWake = false): void {
  const { bridge } = setup;
  const limit = bridge.writesMax < 500 ? 300 : setup.hasDoubts ? 24 : 9;
  for (let rounds = 0; ; rounds += 1) {
    hold(rounds < limit, `I1: no agreement after ${limit} rounds`);
    const written = bridge.world.writes.length;
    const { plan, operations } = round(bridge);
    hold(operations.length <= bridge.writesMax, `I6: ${operations.length} operations where ${bridge.writesMax} are allowed`);
    checkDirection(bridge);
    checkOrder(bridge, operations, seed);
    if (operations.length > 0 || plan.notes.length > 0 || bridge.doubts.length > 0) continue;
    hold(bridge.world.writes.length === written, 'I2: a plan without operations wrote');
    const again = round(bridge);
    if (again.operations.length + again.plan.notes.length === 0) return;
    hold(mayWake, 'I2: a quiet state was planned again');
  }
}

/** I8: nothing is written on the closed side of a one-way route, not even a pointer. */
function checkDirection({ scene, world }: Bridge): void {
  const { direction } = scene.route;
  const closed = direction === 'both' ? null : direction === 'to-github' ? 'tracker' : 'github';
  hold(
    world.writes.every(({ on }) => on !== closed),
    `I8: a ${direction} route wrote on the ${closed}`,
  );
}

/** I10: whatever the order of the links, each gets the same operations, in an order that can be carried out. */
function checkOrder(bridge: Bridge, operations: readonly Operation[], seed: number): void {
  const shuffled = look(bridge, (list) => random(seed).shuffle(list));
  const straight = look(bridge);
  hold(equal(byLink(shuffled.plan.operations), byLink(straight.plan.operations)), 'I10: the order of links changes the plan');
  const mixed = interleaved([...straight.plan.operations], seed);
  hold(
    equal(byLink(bridge.core.order(mixed)), byLink(bridge.core.order(straight.plan.operations))),
    'I10: the order of links changes the order within one',
  );
  const ranks = ['create', 'point', 'comment', 'update'];
  for (const list of Map.groupBy(operations, ({ link }) => link).values()) {
    const places = list.map(({ kind }) => ranks.indexOf(kind));
    hold(equal(places, [...places].sort()), `I10: link ${list[0]?.link} is written in the order ${list.map(({ kind }) => kind).join()}`);
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
  for (const number of r.shuffle([...world.issues.keys()])) for (let n = r.below(4); n > 0; n -= 1) editIssue(world, r, number, deletes);
}

/** Links that must not be written: buried ones, and those of bugs that are private now. */
function standing(bridge: Bridge): { readonly still: readonly Link[]; readonly written: number } {
  const { links, world } = bridge;
  const isStill = (link: Link) => {
    const bug = link.bug === null ? undefined : world.bugs.get(link.bug);
    const isGone = (link.bug !== null && !bug) || (link.issue !== null && !world.issues.has(link.issue));
    return link.state === 'tombstone' || isGone || bug?.isPrivate === true;
  };
  return { still: [...links.values()].filter(isStill), written: world.writes.length };
}

/** I5 and I9. */
function checkStill({ world }: Bridge, { still, written }: { readonly still: readonly Link[]; readonly written: number }): void {
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
  const open = [...world.bugs.values()].filter(({ summary, isPrivate }) => !isPrivate && summary.startsWith('SECRET')).length;
  hold(open > 0 || !published.includes('SECRET'), 'I9: something private was published');
  checkCounterparts(bridge);
  for (const link of links.values()) if (link.state === 'live') checkTexts(bridge, link);
}

/** I3, I11: everything public crosses, whatever stands beside it. */
function checkCounterparts({ world, links, scene, parked }: Bridge): void {
  const { direction, selection } = scene.route;
  if (selection.openOnly) return;
  for (const link of links.values()) {
    if (link.state !== 'live' || [...parked.keys()].some((key) => key.startsWith(`${link.id}:`))) continue;
    if (link.bug !== null && direction !== 'to-tracker') hold(link.issue !== null, `I3: bug ${link.bug} has no issue`);
    if (link.issue !== null && direction !== 'to-github') hold(link.bug !== null, `I3: issue ${link.issue} has no bug`);
  }
  for (const bug of world.bugs.values()) {
    hold(bug.isPrivate || [...links.values()].some((link) => link.bug === bug.id), `I3: bug ${bug.id} has no link`);
  }
}

/** I3 and I4 for texts: each stands on the other side exactly once. */
function checkTexts(bridge: Bridge, link: Link): void {
  const { world, scene } = bridge;
  const { bug, github: issue } = link;
  if (bug === null || issue === null || link.tracker === null || link.tracker.isPrivate) return;
  const here = world.issues.get(issue.number);
  const [onTracker, onGithub] = [commentsOf(world, 'tracker', bug), commentsOf(world, 'github', issue.number)];
  const github = [here?.body ?? '', ...onGithub.filter(({ author }) => author.login === us.github).map(({ text }) => text)];
  const tracker = onTracker.filter(({ author }) => author.login === us.tracker).map(({ text }) => text);
  const { direction } = scene.route;
  for (const comment of onTracker) {
    if (comment.author.login === us.tracker || comment.isPrivate || direction === 'to-tracker') continue;
    for (const text of tokensIn(comment.text)) {
      const expected = world.buried.includes(text) ? 0 : 1;
      hold(
        count(github, text) === expected,
        `I3, I4: ${text} of bug ${bug} stands ${count(github, text)} times on GitHub, not ${expected}`,
      );
    }
  }
  for (const comment of onGithub) {
    if (comment.author.login === us.github || direction === 'to-github') continue;
    for (const text of tokensIn(comment.text)) {
      hold(count(tracker, text) === 1, `I3, I4: ${text} of issue ${issue.number} stands ${count(tracker, text)} times on the tracker`);
    }
  }
  const last = tokensIn(here?.body ?? '')
    .filter((text) => !text.startsWith('text-d'))
    .at(-1);
  if (last === undefined || direction === 'to-github') return;
  hold(count(tracker, last) === 1, `I3, I4: the body ${last} of issue ${issue.number} stands ${count(tracker, last)} times on the tracker`);
}

const count = (texts: readonly string[], text: string): number => texts.filter((each) => each.includes(text)).length;

interface Both {
  readonly tracker: Shown;
  readonly github: Shown;
  readonly bug: Bug;
  readonly issue: Issue;
}

function both({ world, scene }: Bridge, link: Link): Both | null {
  const [bug, issue] = [world.bugs.get(link.bug ?? 0), world.issues.get(link.issue ?? 0)];
  if (!bug || !issue || link.state !== 'live') return null;
  return { tracker: shownByBug(scene.route, bug), github: shownByIssue(scene.route, issue), bug, issue };
}

/** I3: an edit made on one side arrives; of two different ones, one wins and the other is kept. */
function checkFields(setup: Setup, link: Link, before: Both | null | undefined, after: Both | null | undefined): void {
  const { bridge } = setup;
  const final = both(bridge, link);
  if (!before || !after || !final || after.bug.isPrivate || before.bug.isPrivate) return;
  if ([...bridge.parked.keys()].some((key) => key.startsWith(`${link.id}:`))) return;
  for (const field of ['title', 'status', 'severity'] as const) checkField(setup, link, field, [before, after, final]);
  checkKeywords(bridge, link, [before, after, final]);
  const { direction, labels } = bridge.scene.route;
  if (direction === 'to-tracker' || !labels.some(({ from }) => from === 'component')) return;
  hold(
    equal(final.github.component, after.tracker.component),
    `I3: bug ${link.bug} is in ${after.tracker.component}, labels say ${final.github.component}`,
  );
}

function checkField(
  setup: Setup,
  link: Link,
  field: 'title' | 'status' | 'severity',
  [before, after, final]: readonly [Both, Both, Both],
): void {
  const { bridge } = setup;
  const { direction, labels } = bridge.scene.route;
  if (field === 'severity' && !labels.some(({ from }) => from === 'severity')) return;
  const [t0, g0, t1, wish, tF, gF] = [
    one(before.tracker[field]),
    one(before.github[field]),
    one(after.tracker[field]),
    field === 'severity' ? severityMeant(before, after, direction) : one(after.github[field]),
    one(final.tracker[field]),
    one(final.github[field]),
  ];
  // A title that only one side can hold in full may be agreed on; under `ask` it may also wait for a person.
  const isAgreed = t0 === g0 || (same(field, t0, g0) && bridge.scene.route.conflicts !== 'ask');
  if (!isAgreed || [t0, t1].includes('?') || wish === null) return;
  const g1 = wish;
  const [tChanged, gChanged] = [!sameAsBefore(t1, t0), !sameAsBefore(g1, g0)];
  const say = `bug ${link.bug} ${field}: was ${t0}, tracker ${t1}, GitHub ${g1}; now ${tF} and ${gF} (${direction})`;
  if (!tChanged && !gChanged) return;
  // A title that only one side can hold in full is neither the same nor another.
  if (t1 !== g1 && same(field, t1, g1)) return;
  if (t1 === g1) hold(same(field, tF, gF) && same(field, tF, t1), `I3: agreed, but ${say}`);
  else if (direction === 'to-github') hold(tF === t1 && (tChanged ? same(field, gF, t1) : gF === g1 || g1 === ''), `I3: ${say}`);
  else if (direction === 'to-tracker') hold(gChanged && g1 !== '' ? arrives(field, tF, g1) : tF === t1, `I3: ${say}`);
  else if (g1 === '' || (tChanged && !gChanged)) hold(tF === t1 && same(field, gF, t1), `I3: a tracker edit is lost: ${say}`);
  else if (gChanged && !tChanged) hold(arrives(field, tF, g1) && gF === g1, `I3: a GitHub edit is lost: ${say}`);
  else
    checkConflict(setup, link, field, { t1, g1, tF, gF, newest: after.issue.changedAt > after.bug.changedAt ? 'github' : 'tracker', say });
}

interface Clash {
  readonly t1: string;
  readonly g1: string;
  readonly tF: string;
  readonly gF: string;
  readonly newest: 'tracker' | 'github';
  readonly say: string;
}

function checkConflict({ bridge, hasDoubts }: Setup, link: Link, field: 'title' | 'status' | 'severity', clash: Clash): void {
  const { t1, g1, tF, gF, newest, say } = clash;
  const { conflicts } = bridge.scene.route;
  if (conflicts === 'ask') {
    const { plan } = look(bridge);
    const isTold = plan.conflicts.some((each) => each.link === link.id && each.field === field && each.kept === null);
    hold(isTold && tF === t1 && gF === g1, `I3: a conflict for a person was not left alone, or not told: ${say}`);
    return;
  }
  const isWinner = (side: 'tracker' | 'github') =>
    side === 'tracker' ? tF === t1 && same(field, gF, t1) : gF === g1 && arrives(field, tF, g1);
  // What is cut short or answered too late is decided anew, and then our own writes make a side newer.
  const isOpen = conflicts === 'newest' && (hasDoubts || bridge.writesMax < 500);
  const winner = conflicts !== 'newest' ? conflicts : isOpen && !isWinner(newest) ? (newest === 'tracker' ? 'github' : 'tracker') : newest;
  hold(isWinner(winner), `I3: ${conflicts} decides for ${winner}, but ${say}`);
  const loser = winner === 'tracker' ? g1 : t1;
  const losers = bridge.overruled.filter((each) => each.link === link.id && each.field === field && each.kept === winner);
  const isKept = losers.some((each) =>
    same(field, String(winner === 'tracker' ? each.github : each.tracker).toLowerCase(), loser.toLowerCase()),
  );
  hold(isKept, `I3: what lost is kept nowhere: ${say}`);
}

/**
 * Of several labels for one field the new one is meant; null when that cannot be told. A route that does not write to GitHub
 * cannot take the old one away, and goes by it as long as it is there.
 */
function severityMeant(before: Both, after: Both, direction: string): string | null {
  if (direction === 'to-tracker' && after.github.severity.length > 1) return null;
  const news = after.github.severity.filter((each) => !before.github.severity.includes(each));
  if (news.length > 1) return null;
  return news[0] ?? after.github.severity[0] ?? '';
}

function checkKeywords({ scene }: Bridge, link: Link, [before, after, final]: readonly [Both, Both, Both]): void {
  const { direction, labels } = scene.route;
  if (!labels.some(({ from }) => from === 'keywords') || !equal(before.tracker.keywords, before.github.keywords)) return;
  for (const word of ['regression', 'perf', 'easy']) {
    const has = (shown: Shown) => shown.keywords.includes(word);
    const [was, t1, g1] = [has(before.tracker), has(after.tracker), has(after.github)];
    if (scene.vocabulary.values.keywords === undefined && !was && g1) continue;
    const expected = t1 !== was ? t1 : g1;
    const [onTracker, onGithub] = [direction === 'to-github' ? t1 : expected, direction === 'to-tracker' ? g1 : expected];
    const isRight = has(final.tracker) === onTracker && has(final.github) === onGithub;
    hold(
      isRight,
      `I3: bug ${link.bug} keyword ${word}: was ${was}, tracker ${t1}, GitHub ${g1}; now ${has(final.tracker)}, ${has(final.github)}`,
    );
  }
}

const one = (value: string | readonly string[]): string => (typeof value === 'string' ? value : value.join());
const sameAsBefore = (one: string, other: string): boolean => one === other;
const same = (field: string, one: string, other: string): boolean => (field === 'title' ? isSameTitle(one, other) : one === other);

/** The one documented exception: a duplicate of nobody knows what is closed as not planned. */
function arrives(field: string, shown: string, wish: string): boolean {
  return same(field, shown, wish) || (field === 'status' && wish === 'duplicate' && shown === 'not_planned');
}

/** I4 without a memory: what stands on both sides is found again, and nothing is made or said twice. */
function checkLostDatabase(setup: Setup, seed: number): void {
  const { bridge } = setup;
  const written = bridge.world.writes.length;
  const isTextKnown = [...bridge.links.values()].every((link) => entriesOf(bridge, link).every(({ state }) => state !== 'pending'));
  for (const map of [bridge.links, bridge.entries, bridge.parked]) map.clear();
  bridge.overruled.splice(0);
  // A bug that left the selection is taken up again when the issue that names it is known: one reading later.
  converge(setup, seed, bridge.scene.route.selection.openOnly);
  const twice = bridge.world.writes.slice(written).filter(({ kind }) => kind === 'create' || (kind === 'comment' && isTextKnown));
  hold(twice.length === 0, `I4: after a lost database, made again: ${JSON.stringify(twice)}`);
  checkWhole(setup);
}

const peoples = ({ world, scene }: Bridge) =>
  [...world.issues.values()].filter(({ number }) => number < 5000).map((issue) => [issue.number, labelsOfPeople(scene.route, issue)]);

export function hold(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

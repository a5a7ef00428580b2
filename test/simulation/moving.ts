import type { Context } from '../../src/kernel/context.ts';
import { bugId } from '../../src/model/ids.ts';
import type { Link } from '../../src/model/link.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { letGoOn } from '../../src/sync/adopt.ts';
import { lookTurns } from '../../src/sync/observe/recheck-mirrored.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { saysMoved } from '../../src/text/marker.ts';
import { drawFaults } from '../support/drawn-faults.ts';
import { type Random, random } from '../support/random.ts';
import { moving, testLimits } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { type Hiding, hidingIn, nothingHidden } from './moves/hiding.ts';
import { statesOf, statesThatReturn } from './restores/states.ts';
import { Crash, drained, type Engine } from './simulate.ts';
import { bot, contextOn, repo, type Stage, stage } from './stage.ts';
import { isRefusal } from './world/people.ts';

const { widget, gadget } = moving;
const other = 'acme/gadget';
const places = {
  Widget: { product: 'Widget', component: 'Core', version: 'unspecified', target_milestone: '---' },
  Gadget: { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' },
} as const;

/** The routes of both products, and where the issues of each product are. */
interface Plan {
  readonly routes: readonly Route[];
  readonly repos: Readonly<Record<string, string>>;
  /** Issues of one repository with this label are those of the first route. */
  readonly label: string | null;
}
const apart: Plan = { routes: [widget, gadget], repos: { Widget: repo, Gadget: other }, label: null };
const shared: Plan = {
  routes: [{ ...gadget, repo: widget.repo, label: 'gadget' }, widget],
  repos: { Widget: repo, Gadget: repo },
  label: 'gadget',
};

interface MovingOptions {
  readonly isHiding?: boolean;
  readonly isShared?: boolean;
  readonly hasRestores?: boolean;
}

/**
 * People move bugs between two routed products, and issues between their repositories, to and fro, and go on talking;
 * requests fail, and the process dies between any two awaits. In the end each bug has one issue, in the repository of
 * its product, with all that was said. With `isHiding`, people also hide bugs and comments, the clock of the bridge is
 * wrong by up to a year, and the tracker fails on one bug: nothing hidden is sent or stands on GitHub, and all of it is
 * there once people show it again. With `isShared`, both products have their issues in one repository; with
 * `hasRestores`, states of any age come back, or are lost.
 * @returns what is wrong in the end
 */
export async function simulateMoves(
  engine: Engine,
  seed: number,
  { isHiding = false, isShared = false, hasRestores = false }: MovingOptions = {},
): Promise<readonly string[]> {
  const draw = random(seed + (isHiding ? 230_000_000 : 220_000_000) + (isShared ? 20_000_000 : 0));
  const bare = stage();
  let hiding = nothingHidden;
  const states = statesOf(() => bare.clock.now() + hiding.skewMs, scrub);
  bare.store.close();
  const world: Stage = { ...bare, store: states.store };
  const past = statesThatReturn(seed, states);
  world.github.addRepo(other, { permissions: { [bot]: 'write', mona: 'admin' } });
  const said: Said = { onTracker: new Map(), onGithub: new Map(), opened: [] };
  const text = numbered();
  const plan = isShared ? shared : apart;
  if (isHiding) hiding = hidingIn(world, draw, [...new Set(Object.values(plan.repos))], text);
  const act = movers(world, draw, plan, { said, opens: seed % 2 === 1, more: hiding.acts, text, hasRestores });
  const found: string[] = [];
  let live = processOf(world, plan, hiding);
  const crashShare = draw.pick([0, 0.01, 0.04]);
  const pass = async (): Promise<void> => {
    for (const context of live.contexts) {
      hiding.begin();
      try {
        await Promise.race([engine.cycle(context, { isForced: false }), live.death]);
      } catch (error) {
        if (hasRestores && error instanceof Error && error.name === 'SecondBridge') letGoOn(context);
        else if (!(error instanceof Crash || error instanceof SideError)) throw error;
        if (!(error instanceof Crash)) continue;
        await drained();
        live = processOf(world, plan, hiding);
        return;
      } finally {
        found.push(...hiding.sent());
      }
    }
  };
  const rest = async (): Promise<void> => {
    for (let index = 0; index < 30; index += 1) {
      world.clock.advance(index < 20 ? 61_000 : 3_700_000);
      await pass();
      if (index === 12) for (const context of live.contexts) await engine.sweep(context, { isForced: true });
    }
  };
  for (let count = 2; count > 0; count -= 1) act();
  world.faults = drawFaults(draw.next, draw.pick([0, 0.04, 0.1]));
  world.between = () => {
    world.clock.advance(draw.below(1_500));
    if (draw.chance(crashShare)) live.die();
  };
  for (let index = 0; index < 10; index += 1) {
    await pass();
    if (hasRestores) past.copy(0.4);
    for (let acts = draw.below(4); acts > 0; acts -= 1) act();
    world.clock.advance(draw.below(60_000));
    if (!hasRestores || !past.goBack()) continue;
    live.die();
    live = processOf(world, plan, hiding);
  }
  world.faults = noFaults;
  world.between = () => undefined;
  hiding.mend();
  if (isHiding) {
    await rest();
    found.push(...hiding.stands());
    hiding.show();
  }
  await rest();
  return [...found, ...notInStep(world, plan), ...misplaced(world, plan), ...lostWords(world, said, hiding.onceHidden)];
}

function numbered(): (what: string) => string {
  let serial = 0;
  return (what) => {
    serial += 1;
    return `${what} no ${serial}.`;
  };
}

function processOf(world: Stage, { routes }: Plan, hiding: Hiding) {
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  let isDead = false;
  const turns = lookTurns(routes);
  const limits = { ...testLimits, settleMs: 1_000 };
  const contexts = routes.map((route): Context => {
    const clock = { ...world.clock, now: () => world.clock.now() + hiding.skewMs };
    const context = contextOn(world, route, { limits, user: 'bridge-insider', isDead: () => isDead, clock });
    return { ...context, lookTurns: turns };
  });
  for (const context of contexts) inheritDoubts(context);
  const die = () => {
    isDead = true;
    reject(new Crash('the process dies'));
  };
  return { contexts, death, die };
}

interface Said {
  readonly onTracker: Map<string, number>;
  readonly onGithub: Map<string, number>;
  readonly opened: string[];
}

interface Moving {
  readonly said: Said;
  /** Whether people open issues, too. */
  readonly opens: boolean;
  readonly more: readonly (() => void)[];
  readonly text: (what: string) => string;
  readonly hasRestores: boolean;
}

function movers(
  world: Stage,
  draw: Random,
  { routes, repos, label }: Plan,
  { said, opens, more, text, hasRestores }: Moving,
): () => void {
  const { tracker, github, store } = world;
  const [alice, mona] = [tracker.as('alice'), github.as('mona')];
  const file = () => void alice.file({ summary: text('Filed'), ...places[draw.pick(['Widget', 'Gadget'] as const)] });
  const open = () => {
    const words = text('Opened on GitHub');
    mona.open(draw.pick(Object.values(repos)), {
      title: words,
      body: words,
      labels: label === null ? [] : draw.pick([[], [label]]),
    });
    said.opened.push(words);
  };
  const relabel = () => {
    const [issue] = draw.shuffle(github.issues(repo));
    if (issue === undefined || label === null) return;
    if (issue.labels.includes(label)) mona.unlabel(repo, issue.number, label);
    else mona.label(repo, issue.number, label);
  };
  const someBug = () => draw.pick(tracker.bugs());
  const moveBug = ({ id, product }: ReturnType<typeof someBug>) =>
    alice.change(id, places[product === 'Widget' ? 'Gadget' : 'Widget']);
  /** Bugs that the bridge filed without learning so. */
  const unheard = () =>
    tracker.bugs().filter(({ id, creator }) => creator.startsWith('bridge') && store.links.byBug(bugId(id)) === null);
  const transfer = (from: string, number: number) => {
    const isRouted = Object.values(repos).includes(other);
    if (isRouted && github.issue(from, number) !== null) mona.transfer(from, number, from === repo ? other : repo);
  };
  /** What of a pair is in doubt: whoever comes now meets the bridge while it does not know. */
  const doubtful = () =>
    routes.flatMap(({ name }) =>
      [...store.outbox.eachSent(name)].flatMap(({ operation }) => store.links.byId(operation.link) ?? []),
    );
  const acts: readonly (() => void)[] = [
    file,
    ...Array.from({ length: 3 }, () => () => moveBug(someBug())),
    ...Array.from({ length: 3 }, () => () => {
      const [words, { id }] = [text('Said on the tracker'), someBug()];
      alice.comment(id, words);
      said.onTracker.set(words, id);
    }),
    ...(opens ? [open] : []),
    ...(label === null ? [] : [relabel]),
    ...more,
    ...Array.from({ length: 3 }, () => () => {
      const { id } = someBug();
      const link = store.links.byBug(bugId(id));
      // What people write on an issue that says that its bug is elsewhere may stay there; an older state may name one.
      const issue = link?.issue == null ? null : github.issue(link.repo, link.issue);
      if (link?.issue == null || issue === null || link.state !== 'live' || saysMoved(widget.instance, issue.body))
        return;
      if (!isOf(issue.body, id) && hasRestores) return;
      const words = text('Said on GitHub');
      mona.comment(link.repo, link.issue, words);
      said.onGithub.set(words, id);
    }),
    ...Array.from({ length: 2 }, () => () => {
      const link = store.links.byBug(bugId(someBug().id));
      if (link?.issue != null) transfer(link.repo, link.issue);
    }),
    () => alice.change(someBug().id, { summary: text('Titled') }),
    () => alice.change(someBug().id, { status: 'RESOLVED', resolution: 'FIXED' }),
    () => alice.change(someBug().id, { status: 'CONFIRMED' }),
  ];
  return () => {
    try {
      const [stray] = unheard();
      const [link] = doubtful();
      if (stray !== undefined && draw.chance(0.5)) moveBug(stray);
      else if (link?.issue != null && draw.chance(0.5)) transfer(link.repo, link.issue);
      else if (tracker.bugs().length === 0) file();
      else draw.pick(acts)();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  };
}

const isOf = (body: string, bug: number): boolean => body.trimEnd().endsWith(` bug=${bug} -->`);

/** Whether the issue is where its bug is, or where people transferred it to. */
const isAtHome = ({ repos }: Plan, { repo: at, takenFrom }: Link, product: string): boolean =>
  at === repos[product] || takenFrom === product;

/** I1: nothing waits. */
const notInStep = ({ store }: Stage, { routes }: Plan): readonly string[] =>
  routes.flatMap(({ name }) => {
    const { planned, sent } = store.outbox.count(name);
    const waiting = store.links.count(name).wanting + planned + sent;
    return waiting === 0 ? [] : [`I1: route ${name} does not come to rest`];
  });

/** I1 and I4: each bug has one issue that goes on, where its product is; all others say where it went. */
function misplaced({ tracker, github, store }: Stage, plan: Plan): readonly string[] {
  return tracker.bugs().flatMap(({ id, product, summary, resolution }) => {
    const link = store.links.byBug(bugId(id));
    const issue = link?.issue == null ? null : github.issue(link.repo, link.issue);
    if (issue === null || link?.state !== 'live' || !isAtHome(plan, link, product))
      return [`I3: bug ${id} of ${product} has no issue there: ${link?.state} ${link?.repo}#${link?.issue}`];
    const going = [...new Set(Object.values(plan.repos))].flatMap((each) =>
      github.issues(each).flatMap(({ number, body }) => (isOf(body, id) ? [number] : [])),
    );
    const wrong = issue.title !== summary || (issue.state === 'closed') !== (resolution !== '') || issue.isLocked;
    return [
      ...(going.length === 1 ? [] : [`I4: bug ${id} goes on in the issues ${going.join()}`]),
      ...(wrong ? [`I1: bug ${id} "${summary}" ${resolution} and "${issue.title}" ${issue.state}`] : []),
    ];
  });
}

/** I3 and I4: what was said stands once where the bug is now. */
function lostWords(
  { tracker, github, store }: Stage,
  { onTracker, onGithub, opened }: Said,
  onceHidden: ReadonlySet<number>,
): readonly string[] {
  const found: string[] = [];
  const bugs = tracker.bugs().map(({ id }) => id);
  const saysOn = (id: number, words: string) =>
    tracker.commentsOf(id).filter(({ text }) => text.includes(words)).length;
  const filed = opened.map((words) => [words, bugs.find((id) => saysOn(id, words) > 0) ?? 0] as const);
  const answers = [...onGithub].filter(([, id]) => !onceHidden.has(id));
  for (const [words, id] of [...onTracker, ...answers, ...filed]) {
    const link = store.links.byBug(bugId(id));
    const onBug = bugs.map((each) => saysOn(each, words)).reduce((sum, each) => sum + each, 0);
    const issue = link?.issue == null ? null : github.issue(link.repo, link.issue);
    const texts = link?.issue == null ? [] : github.commentsOf(link.repo, link.issue).map(({ body }) => body);
    const onIssue = [issue?.body ?? '', ...texts].filter((text) => text.includes(words)).length;
    if (onBug !== 1 || onIssue !== 1)
      found.push(
        `${onBug * onIssue === 0 ? 'I3' : 'I4'}: "${words}" of bug ${id} stands ${onBug} and ${onIssue} times`,
      );
  }
  return found;
}

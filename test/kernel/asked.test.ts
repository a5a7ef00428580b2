import { expect, test } from 'vitest';
import type { ControlCommand, ControlQueue } from '../../src/model/control.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { cyclePass as builtPass } from '../../src/sync/daemon.ts';
import type { RouteRunner } from '../../src/sync/route-runner.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** What people ask of a running bridge, from the queue to the side: pause, resume, decide. */

const route: Route = { ...widgetRoute, conflicts: 'ask' };

function queue(): ControlQueue {
  const waiting: ControlCommand[] = [];
  return {
    add: (command) => void waiting.push(command),
    of: () =>
      waiting.map((command) => ({ at: 0, command, done: () => void waiting.splice(waiting.indexOf(command), 1) })),
    broken: () => [],
  };
}

/** What becomes of each request, as a list of what can be seen. */
async function told(pass: typeof builtPass): Promise<readonly unknown[]> {
  const world = stage();
  const controlQueue = queue();
  const context = { ...contextOn(world, route, { limits: testLimits }), controlQueue };
  const { store, clock } = world;
  const runner: RouteRunner = {
    ...{ name: route.name, route, store, clock, tell: () => {}, controlQueue },
    isConcerned: () => true,
    context: async () => context,
    known: () => context,
    renew: () => {},
  };
  const turn = async () => {
    clock.advance(120_000);
    const [run] = await pass([runner], { isForced: () => false, signal: new AbortController().signal });
    return [
      run?.kind,
      world.github.issues(repo)[0]?.title,
      world.tracker.bug(1)?.summary,
      controlQueue.of(route.name).length,
    ];
  };
  const alice = world.tracker.as('alice');
  alice.file({ summary: 'It fails', description: 'Always.' });
  for (let turns = 0; turns < 3; turns += 1) await turn();
  controlQueue.add({ kind: 'pause', route: route.name, why: null });
  alice.change(1, { summary: 'It fails on Mondays' });
  const seen: unknown[] = [await turn(), await turn()];
  controlQueue.add({ kind: 'resume', route: route.name });
  seen.push(await turn());
  alice.change(1, { summary: 'It fails at night' });
  world.github.as('mona').edit(repo, 1, { title: 'It fails in spring' });
  seen.push(await turn());
  const [conflict] = store.findings.ofRoute(route.name, 10).conflicts;
  if (conflict !== undefined) {
    const { link, field, tracker, github } = conflict;
    controlQueue.add({ kind: 'decide', route: route.name, decision: { link, field, tracker, github, keep: 'github' } });
  }
  seen.push(await turn(), await turn(), store.findings.ofRoute(route.name, 10).conflicts.length);
  return seen;
}

const expected = [
  ['paused', 'It fails', 'It fails on Mondays', 0],
  ['paused', 'It fails', 'It fails on Mondays', 0],
  ['cycle', 'It fails on Mondays', 'It fails on Mondays', 0],
  ['cycle', 'It fails in spring', 'It fails at night', 0],
  ['cycle', 'It fails in spring', 'It fails in spring', 0],
  ['cycle', 'It fails in spring', 'It fails in spring', 0],
  0,
];

test('a pause holds until a person resumes the route, and a decision is carried to the other side', async () => {
  expect(await told(builtPass)).toEqual(expected);
});

const faults = [
  [
    'a pause is forgotten',
    'sync/commands.ts',
    'store.pauses.save(route.name, { at: Math.min(at, clock.now()), why: command.why });',
    'store.pauses.remove(route.name);',
  ],
  [
    'a pause does not end',
    'sync/commands.ts',
    "else if (command.kind === 'resume') store.pauses.remove(route.name);",
    "else if (command.kind === 'resume') done();",
  ],
  ['nobody takes what people ask for', 'sync/daemon.ts', '    takeAtOnce(runner);\n', ''],
  [
    'a decision is dropped',
    'sync/commands.ts',
    "else if (command.kind === 'decide') decideNow(context, command.decision);",
    '',
  ],
] as const;

test.each(
  sample(
    faults.map(([name, file, from, to]) => [name, { file, from, to }] as const),
    2,
  ),
)('a planted fault is caught: %s', async (_name, fault) => {
  const { cyclePass } = (await import(`${plant(fault)}/sync/daemon.ts`)) as { readonly cyclePass: typeof builtPass };
  expect(await told(cyclePass)).not.toEqual(expected);
});

test('thousands of commands hold up nothing: those that say the same count as one', async () => {
  const world = stage();
  const controlQueue = queue();
  world.tracker.as('alice').file({ summary: 'It fails' });
  const turn = async (): Promise<number> => {
    world.clock.advance(120_000);
    let requests = 0;
    const { tracker } = world.servers;
    const counted: typeof fetch = (input, init) => {
      requests += 1;
      return tracker(input, init);
    };
    Object.assign(world.servers, { tracker: counted });
    await cycle({ ...contextOn(world, route, { limits: testLimits }), controlQueue }, { isForced: false });
    Object.assign(world.servers, { tracker });
    return requests;
  };
  for (let turns = 0; turns < 3; turns += 1) await turn();
  for (let count = 0; count < 2_000; count += 1)
    controlQueue.add({ kind: 'resync', route: route.name, side: 'tracker', ref: 1 });
  expect(await turn()).toBeLessThan(20);
  expect(controlQueue.of(route.name)).toEqual([]);
  for (let number = 1; number <= 250; number += 1)
    controlQueue.add({ kind: 'retry', route: route.name, numbers: [number] });
  await turn();
  expect(controlQueue.of(route.name)).toHaveLength(150);
});

type Broken = Readonly<Record<'tracker' | 'github', (path: string) => boolean>>;
const failsOn =
  (path: RegExp) =>
  (asked: string): boolean =>
    path.test(asked);
const never = (): boolean => false;

/** A pair of which people ask that it is read again, while servers fail on what is broken. */
async function resynced(broken: Broken, status = 500) {
  const world = stage();
  const controlQueue = queue();
  const trouble: { of: Broken } = { of: broken };
  for (const side of ['tracker', 'github'] as const) {
    const server = world.servers[side];
    const failing: typeof fetch = async (input, init) => {
      const { pathname, search } = new URL(String(input));
      if (!trouble.of[side](pathname + search)) return server(input, init);
      return Response.json({ error: true, code: 77777, message: 'Wide character' }, { status });
    };
    Object.assign(world.servers, { [side]: failing });
  }
  const context = { ...contextOn(world, route, { limits: testLimits }), controlQueue };
  trouble.of = { tracker: never, github: never };
  const turn = async (): Promise<boolean> => {
    world.clock.advance(61_000);
    return cycle(context, { isForced: false }).then(
      () => true,
      () => false,
    );
  };
  for (const summary of ['It fails', 'It hangs']) world.tracker.as('alice').file({ summary });
  for (let turns = 0; turns < 3; turns += 1) await turn();
  trouble.of = broken;
  controlQueue.add({ kind: 'resync', route: route.name, side: 'tracker', ref: 1 });
  const aside = () => world.store.setAside.ofRoute(route.name).map(({ side, ref, cause }) => [side, ref, cause]);
  const heal = (): void => {
    trouble.of = { tracker: never, github: never };
  };
  return { turn, aside, heal, waiting: () => controlQueue.of(route.name).length, clock: world.clock };
}

test.each<readonly [string, number, Broken, 'tracker' | 'github']>([
  ['the tracker fails on the bug', 500, { tracker: failsOn(/^\/rest\/bug\/1(?:\?|$)/u), github: never }, 'tracker'],
  ['the tracker refuses the bug', 400, { tracker: failsOn(/^\/rest\/bug\/1(?:\?|$)/u), github: never }, 'tracker'],
  ['GitHub fails on the issue', 500, { tracker: never, github: failsOn(/\/issues\/1(?:\?|$)/u) }, 'github'],
])(
  '%s that is to be read again: it is set aside, and not asked for in each cycle',
  async (_name, status, broken, on) => {
    const world = await resynced(broken, status);
    expect(await world.turn()).toBe(true);
    expect([world.waiting(), world.aside()]).toEqual([0, [[on, 1, 'side']]]);
    world.heal();
    world.clock.advance(600_000);
    expect(await world.turn()).toBe(true);
    expect(world.aside()).toEqual([]);
  },
);

test('a side that is down is asked again once it answers', async () => {
  const world = await resynced({ tracker: () => true, github: never });
  expect([await world.turn(), world.waiting(), world.aside()]).toEqual([false, 1, []]);
  world.heal();
  expect([await world.turn(), world.waiting(), world.aside()]).toEqual([true, 0, []]);
});

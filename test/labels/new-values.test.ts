/** Values that the tracker has only since it was last asked for its values, and that people choose on GitHub. */

import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { ControlQueue, WaitingCommand } from '../../src/model/control.ts';
import type { Route } from '../../src/model/route.ts';
import { choicesIn } from '../../src/sandbox/tracker/installation/installation.ts';
import type { Product } from '../../src/sandbox/tracker/world/state.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const route: Route = {
  ...widgetRoute,
  milestones: true,
  labels: [
    { from: 'component', as: 'component: {value}', both: true },
    { from: 'version', as: 'version: {value}', both: true },
    { from: 'severity', as: 'severity: {value}', both: true },
  ],
};

type Turn = typeof cycle;

async function mirrored(): Promise<{ readonly world: Stage; readonly context: Context }> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  const context = contextOn(world, route, { limits: testLimits });
  context.session.vocabulary = await context.tracker.vocabulary();
  await turns(world, context);
  return { world, context };
}

async function turns(world: Stage, context: Context, count = 3, turn: Turn = cycle): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await turn(context, { isForced: false });
  }
}

const asked = ({ calls }: Stage): number => calls.filter(({ method }) => method === 'vocabulary').length;
const said = ({ github }: Stage): number => github.commentsOf(repo, 1).length;

function setProduct({ tracker: { state } }: Stage, change: (product: Product) => Partial<Product>): void {
  const index = state.products.findIndex(({ name }) => name === 'Widget');
  const product = state.products[index];
  if (product !== undefined) state.products[index] = { ...product, ...change(product) };
}

const like = <T>(parts: readonly T[], id: number, name: string): readonly T[] =>
  parts[0] === undefined ? [] : [...parts, { ...parts[0], id, name }];

const chosen = (world: Stage, old: string, label: string): void => {
  world.github.as('mona').unlabel(repo, 1, old);
  world.github.as('mona').label(repo, 1, label);
};

const kinds: Readonly<Record<string, readonly [(world: Stage) => void, (world: Stage) => void, object]>> = {
  component: [
    (world) => setProduct(world, ({ components }) => ({ components: like(components, 99, 'Net') })),
    (world) => chosen(world, 'component: Core', 'component: Net'),
    { component: 'Net' },
  ],
  version: [
    (world) => setProduct(world, ({ versions }) => ({ versions: like(versions, 99, '9.0') })),
    (world) => chosen(world, 'version: unspecified', 'version: 9.0'),
    { version: '9.0' },
  ],
  severity: [
    ({ tracker }) => void (choicesIn(tracker.state).severity.values as string[]).push('severe'),
    (world) => chosen(world, 'severity: normal', 'severity: severe'),
    { severity: 'severe' },
  ],
  milestone: [
    (world) => setProduct(world, ({ milestones }) => ({ milestones: like(milestones, 99, '9.0') })),
    ({ github }) => github.as('mona').milestone(repo, 1, '9.0'),
    { target_milestone: '9.0' },
  ],
};

describe.each(Object.entries(kinds))('a new %s', (_name, [add, choose, shown]) => {
  test('that people choose on GitHub reaches the bug, and nobody is told that there is none', async () => {
    const { world, context } = await mirrored();
    add(world);
    choose(world);
    const before = asked(world);
    await turns(world, context);
    expect(world.tracker.bug(1)).toMatchObject(shown);
    expect([said(world), asked(world) - before]).toEqual([0, 1]);
  });
});

test('a value that there is not costs one question in some minutes, and one remark where it replaced another', async () => {
  const { world, context } = await mirrored();
  const before = asked(world);
  for (const wrong of ['component: Nett', 'component: Nte', 'component: Ent']) {
    chosen(world, 'component: Core', wrong);
    await turns(world, context, 1);
  }
  await turns(world, context, 8);
  expect(world.github.issue(repo, 1)?.labels).toContain('component: Core');
  expect([said(world), asked(world) - before]).toEqual([3, 1]);
});

test('a milestone that a person adds as they were told arrives with a resync', async () => {
  const { world, context } = await mirrored();
  world.github.as('mona').milestone(repo, 1, '9.0');
  await turns(world, context, 2);
  expect(world.store.findings.ofLink(1 as never).skips).toMatchObject([
    { reason: expect.stringContaining('no milestone "9.0"') },
  ]);
  kinds['milestone']?.[0](world);
  const waiting: WaitingCommand[] = [
    {
      at: world.clock.now(),
      command: { kind: 'resync', route: route.name, side: 'tracker', ref: 1 },
      done: () => void waiting.splice(0),
    } as WaitingCommand,
  ];
  const controlQueue = { of: () => [...waiting] } as unknown as ControlQueue;
  await turns(world, { ...context, controlQueue }, 1);
  expect(world.tracker.bug(1)).toMatchObject({ target_milestone: '9.0' });
});

const fault: Fault = {
  file: 'sync/observe/read-offered.ts',
  from: 'await tracker.vocabulary(true)',
  to: 'session.vocabulary',
};

test('a planted fault is caught: the tracker is not asked again', async () => {
  const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
  const { world, context } = await mirrored();
  kinds['component']?.[0](world);
  kinds['component']?.[1](world);
  await turns(world, context, 3, planted);
  expect(world.tracker.bug(1)?.component).toBe('Core');
});

import { describe, expect, test } from 'vitest';
import type { Side } from '../../src/model/ids.ts';
import type { Route } from '../../src/model/route.ts';
import type { Cost } from '../../src/model/runtime.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** Labels between a tracker and a GitHub: what crosses, and what is said of that which cannot. */
const route: Route = {
  ...widgetRoute,
  labels: [
    ...widgetRoute.labels,
    { from: 'whiteboard', as: 'tag: {value}', both: true },
    { from: 'cf_area', as: 'area: {value}', both: true },
    { from: 'cf_impact', as: 'impact: {value}', both: true },
    { from: 'version', as: 'version: {value}', both: true },
  ],
};

type Cycle = typeof cycle;

async function run(world: Stage, turn: Cycle = cycle, on: Route = route, user = 'bridge'): Promise<void> {
  for (let index = 0; index < 5; index += 1) {
    world.clock.advance(61_000);
    await turn(contextOn(world, on, { limits: testLimits, user }), { isForced: false });
  }
}

async function mirrored(turn: Cycle = cycle): Promise<Stage> {
  const world = stage();
  world.github.addUser('robot[bot]');
  world.github.allow(repo, 'robot[bot]', 'write');
  world.tracker.as('alice').file({ summary: 'A', whiteboard: 'keep me [easy]', cf_area: ['ui'], cf_impact: 'high' });
  await run(world, turn);
  return world;
}

const labels = (world: Stage) => [...(world.github.issue(repo, 1)?.labels ?? [])].sort();
const said = (world: Stage) => world.github.commentsOf(repo, 1).map(({ body }) => body);
const crossed = (world: Stage) => world.tracker.commentsOf(1).length;

describe('tags and custom fields', () => {
  test('show as labels, and a label changed on GitHub travels back', async () => {
    const world = await mirrored();
    expect(labels(world)).toEqual(expect.arrayContaining(['area: ui', 'impact: high', 'tag: easy']));
    const mona = world.github.as('mona');
    mona.label(repo, 1, 'tag: good first bug', 'AREA: Net');
    mona.unlabel(repo, 1, 'tag: easy', 'impact: high');
    await run(world);
    expect(world.tracker.bug(1)).toMatchObject({
      whiteboard: 'keep me [good first bug]',
      custom: { cf_area: ['net', 'ui'], cf_impact: '---' },
    });
    expect(said(world)).toEqual([]);
  });

  test('are given to a bug that is filed from an issue', async () => {
    const world = stage();
    world.github.as('mona').open(repo, { title: 'B', labels: ['tag: easy', 'area: docs', 'impact: low'] });
    await run(world);
    expect(world.tracker.bug(1)).toMatchObject({
      whiteboard: '[easy]',
      custom: { cf_area: ['docs'], cf_impact: 'low' },
    });
  });
});

describe('a label that cannot travel', () => {
  const wrong: readonly (readonly [string, string, RegExp])[] = [
    [
      'for a field that only the tracker changes',
      'component: UI',
      /"component: UI" was removed again\. This label mirrors .* and is not synced back/u,
    ],
    [
      'with a value that the tracker does not have',
      'severity: huge',
      /"severity: huge" was removed again, .* Possible values: .*"normal"/u,
    ],
    ['that no whiteboard can hold', 'tag: a]b', /was removed again, because the tracker has no such tag/u],
    ['that the tracker refuses', 'version: 99', /"version: 99" was removed again, because the tracker refused/u],
  ];
  test.each(wrong)('%s is removed again and explained once', async (_what, label, words) => {
    const world = await mirrored();
    const before = labels(world);
    world.github.as('mona').label(repo, 1, label);
    await run(world);
    expect(labels(world)).toEqual(before);
    expect(said(world)).toEqual([expect.stringMatching(words)]);
    world.github.as('mona').label(repo, 1, label);
    await run(world);
    expect(labels(world)).toEqual(before);
    expect(said(world)).toHaveLength(1);
    expect(crossed(world)).toBe(1);
  });

  test('is restored where it was removed', async () => {
    const world = await mirrored();
    const before = labels(world);
    world.github.as('mona').unlabel(repo, 1, 'component: Core');
    world.github.as('mona').unlabel(repo, 1, 'severity: normal');
    await run(world);
    expect(labels(world)).toEqual(before);
    expect(said(world).join()).toMatch(
      /"component: Core" was restored.*"severity: normal" was restored, because it mirrors the severity/su,
    );
  });

  test('is put right in silence where a program did it', async () => {
    const world = await mirrored();
    const before = labels(world);
    world.github.as('robot[bot]').label(repo, 1, 'component: UI', 'severity: huge');
    await run(world);
    expect(labels(world)).toEqual(before);
    expect(said(world)).toEqual([]);
  });

  test('is not explained again when the answer was lost and the process died', async () => {
    const world = await mirrored();
    world.github.as('mona').label(repo, 1, 'severity: huge');
    world.faults = (side, cost) =>
      side === 'github' && cost === 'create' ? { kind: 'drop', after: true } : { kind: 'none' };
    await run(world);
    world.faults = () => ({ kind: 'none' });
    await run(world);
    expect(said(world)).toHaveLength(1);
    expect(labels(world)).not.toContain('severity: huge');
  });

  test('of people is left alone, also where it looks nearly like ours', async () => {
    const world = await mirrored();
    const theirs = ['help wanted', 'severity', 'my severity: huge', 'tags'];
    world.github.as('mona').label(repo, 1, ...theirs);
    await run(world);
    expect(labels(world)).toEqual(expect.arrayContaining(theirs));
    expect(said(world)).toEqual([]);
  });

  test('is left alone on a route that does not write to GitHub', async () => {
    const world = await mirrored();
    world.github.as('mona').label(repo, 1, 'severity: huge', 'component: UI');
    await run(world, cycle, { ...route, direction: 'to-tracker' });
    expect(labels(world)).toEqual(expect.arrayContaining(['severity: huge', 'component: UI']));
    expect(said(world)).toEqual([]);
  });
});

describe('a field that shows as the type of the issue', () => {
  const typed: Route = { ...route, labels: [{ from: 'severity', as: '{value}', both: true, isType: true }] };
  const type = (world: Stage) => world.github.issue(repo, 1)?.type;

  test('crosses both ways, and is put back where the tracker has no such value', async () => {
    const world = stage();
    world.github.setTypes(repo, ['Normal', 'Major', 'Task']);
    world.tracker.as('alice').file({ summary: 'A', severity: 'major' });
    await run(world, cycle, typed);
    expect([type(world), labels(world)]).toEqual(['Major', []]);
    world.github.as('mona').type(repo, 1, 'Normal');
    await run(world, cycle, typed);
    expect(world.tracker.bug(1)?.severity).toBe('normal');
    world.tracker.as('alice').change(1, { severity: 'major' });
    await run(world, cycle, typed);
    expect(type(world)).toBe('Major');
    for (const wrong of ['Task', null]) {
      world.github.as('mona').type(repo, 1, wrong);
      await run(world, cycle, typed);
      expect([type(world), world.tracker.bug(1)?.severity]).toEqual(['Major', 'major']);
    }
    const words = [
      /^The type "Task" was removed again, because the tracker has no such severity\. Possible values:/u,
      /^The type "major" was restored, .* choose another type/u,
    ];
    expect(said(world)).toEqual(words.map((each) => expect.stringMatching(each)));
    world.github.as('mona').type(repo, 1, 'Task');
    await run(world, cycle, typed);
    expect([type(world), said(world).length]).toEqual(['Major', 2]);
  });

  test('is put right in silence where a program chose it, and explained where only the tracker changes it', async () => {
    const world = stage();
    world.github.addUser('robot[bot]');
    world.github.allow(repo, 'robot[bot]', 'write');
    world.github.setTypes(repo, ['Normal', 'Major', 'Task']);
    world.tracker.as('alice').file({ summary: 'A', severity: 'major' });
    await run(world, cycle, typed);
    world.github.as('robot[bot]').type(repo, 1, 'Task');
    await run(world, cycle, typed);
    expect([type(world), said(world)]).toEqual(['Major', []]);
    const oneWay: Route = { ...typed, labels: [{ from: 'severity', as: '{value}', both: false, isType: true }] };
    world.github.as('mona').type(repo, 1, 'Normal');
    await run(world, cycle, oneWay);
    expect([type(world), world.tracker.bug(1)?.severity]).toEqual(['Major', 'major']);
    expect(said(world)).toEqual([
      expect.stringMatching(/^The type "Normal" was removed again\. The type mirrors the severity/u),
    ]);
  });

  test('is withdrawn with the rest of a bug that becomes private, and comes back with it', async () => {
    const world = stage();
    world.github.setTypes(repo, ['Normal', 'Major']);
    world.tracker.as('alice').file({ summary: 'A', severity: 'major' });
    await run(world, cycle, typed, 'bridge-insider');
    world.tracker.as('alice').change(1, { groups: { add: ['security'] } });
    await run(world, cycle, typed, 'bridge-insider');
    expect(type(world)).toBeNull();
    world.tracker.as('alice').change(1, { groups: { remove: ['security'] } });
    await run(world, cycle, typed, 'bridge-insider');
    expect([type(world), world.tracker.bug(1)?.severity]).toEqual(['Major', 'major']);
  });

  test('that the tracker does not know is corrected once, and stays where there is no right one', async () => {
    const world = stage();
    world.github.setTypes(repo, ['Major', 'Task']);
    world.tracker.as('alice').file({ summary: 'A', severity: 'minor' });
    await run(world, cycle, typed);
    world.github.as('mona').type(repo, 1, 'Task');
    await run(world, cycle, typed);
    const calls = world.calls.filter(({ method }) => method === 'update').length;
    await run(world, cycle, typed);
    expect([type(world), world.tracker.bug(1)?.severity]).toEqual(['Task', 'minor']);
    expect(world.calls.filter(({ method }) => method === 'update').length).toBe(calls);
    world.tracker.as('alice').change(1, { severity: 'major' });
    await run(world, cycle, typed);
    expect(type(world)).toBe('Major');
  });

  test.each([[['Task']], [[]]])(
    'is left out where there is no such type (%j), and nothing is tried again',
    async (types) => {
      const world = stage();
      world.github.setTypes(repo, types);
      world.tracker.as('alice').file({ summary: 'A', severity: 'major' });
      await run(world, cycle, typed);
      const calls = world.calls.filter(({ method }) => method === 'update').length;
      world.tracker.as('alice').change(1, { severity: 'minor' });
      await run(world, cycle, typed);
      await run(world, cycle, typed);
      expect([type(world), world.tracker.bug(1)?.severity]).toEqual([null, 'minor']);
      expect(world.calls.filter(({ method }) => method === 'update').length - calls).toBeLessThanOrEqual(1);
    },
  );
});

/** A bug is filed from an issue, and the first request of this cost to this side gets no answer. */
async function filedWithoutAnswer([side, cost, after]: readonly [Side, Cost, boolean], turn = cycle) {
  const world = stage();
  world.github.as('mona').open(repo, { title: 'From GitHub', body: 'It fails.' });
  let isLost = false;
  world.faults = (ofSide, ofCost) => {
    if (isLost || ofSide !== side || ofCost !== cost) return { kind: 'none' };
    isLost = true;
    return { kind: 'drop', after };
  };
  await run(world, turn);
  expect(isLost).toBe(true);
  return { labels: labels(world), said: said(world) };
}

describe('a bug that is filed from an issue', () => {
  const filed = { labels: ['component: Core', 'severity: normal', 'version: unspecified'], said: [] };
  const losses = [
    ['filing', ['tracker', 'create', true]],
    ['the first change of its issue', ['github', 'edit', false]],
    ['the first change of its issue, which was made', ['github', 'edit', true]],
  ] as const;

  test.each(losses)('gets its labels without a word when there is no answer to %s', async (_what, lost) => {
    expect(await filedWithoutAnswer(lost)).toEqual(filed);
  });

  test.each(losses)('a planted fault is caught: what no event shows is explained after %s', async (_what, lost) => {
    const fault = {
      file: 'sync/perform/perform.ts',
      from: 'if (by === null) return false;',
      to: 'if (by === null) return true;',
    };
    const { cycle: planted }: { readonly cycle: Cycle } = await import(`${plant(fault)}/sync/cycle.ts`);
    expect(await filedWithoutAnswer(lost, planted)).not.toEqual(filed);
  });
});

describe('a planted fault is caught', () => {
  const faults = [
    {
      name: 'every explanation is made again and again',
      file: 'rules/labels/wrong-labels.ts',
      from: 'commentLinks.some((commentLink) => commentLink.remark === remark)',
      to: 'commentLinks.length < 0 && remark !== null',
      label: 'component: UI',
    },
    {
      name: 'programs are answered',
      file: 'sync/perform/perform.ts',
      from: '!isOwn && !by.isBot',
      to: '!isOwn',
      label: 'component: UI',
    },
    {
      name: 'what is refused is wished again',
      file: 'rules/fields/merge.ts',
      from: 'names.length === 0',
      to: 'names.length >= 0',
      label: 'version: 99',
    },
    {
      name: 'a wrong label stays',
      file: 'rules/fields/comparable.ts',
      from: 'stray.push(...foreign.map(({ label }) => label));',
      to: '',
      label: 'severity: huge',
    },
  ] as const;
  test.each(sample(faults))('$name', async ({ label, name, ...fault }) => {
    const folder = plant(fault);
    const { cycle: planted }: { readonly cycle: Cycle } = await import(`${folder}/sync/cycle.ts`);
    const world = await mirrored();
    const before = labels(world);
    const who = world.github.as(name === 'programs are answered' ? 'robot[bot]' : 'mona');
    who.label(repo, 1, label);
    await run(world, planted);
    who.label(repo, 1, label);
    await run(world, planted);
    const isRight =
      labels(world).join() === before.join() && said(world).length === (name === 'programs are answered' ? 0 : 1);
    expect(isRight).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { issueNumber } from '../../src/model/ids.ts';
import type { LabelRule, Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * Rules that show a field in another place from one day on: as labels, in fields of the organisation, in other ones of
 * those.
 */
const rules = (labels: readonly LabelRule[]): Route => ({ ...widgetRoute, labels });
const asLabels = rules([
  { from: 'severity', as: 'severity: {value}', both: true },
  { from: 'keywords', as: '{value}', both: true },
  { from: 'version', as: 'version: {value}', both: false },
  { from: 'cf_impact', as: 'impact: {value}', both: true },
]);
const inFields = (suffix: string): Route =>
  rules([
    { from: 'severity', as: '{value}', both: true, field: `Severity${suffix}` },
    { from: 'keywords', as: '{value}', both: true, field: `Keywords${suffix}` },
    { from: 'version', as: '{value}', both: false, field: `Version${suffix}` },
    { from: 'cf_impact', as: '{value}', both: true, field: `Impact${suffix}` },
  ]);
const offered = (suffix: string) =>
  [
    { name: `Severity${suffix}`, kind: 'single_select', options: ['Normal', 'Major'] },
    { name: `Keywords${suffix}`, kind: 'multi_select', options: ['crash', 'regression'] },
    { name: `Version${suffix}`, kind: 'text' },
    { name: `Impact${suffix}`, kind: 'single_select', options: ['high', 'low'] },
  ] as const;
const moves = [
  ['from labels to fields', asLabels, inFields('')],
  ['from fields to labels', inFields(''), asLabels],
  ['from fields to other fields', inFields(''), inFields(' 2')],
  ['to labels of another form', asLabels, rules(asLabels.labels.map((rule) => ({ ...rule, as: `new ${rule.as}` })))],
] as const;

type Cycle = typeof cycle;

async function run(world: Stage, on: Route, turn: Cycle = cycle, isForced = false): Promise<void> {
  for (let index = 0; index < 4; index += 1) {
    world.clock.advance(61_000);
    await turn(contextOn(world, on, { limits: { ...testLimits, brakeShare: 0.3 } }), { isForced });
  }
}

async function mirrored(before: Route, bugs = 1, turn: Cycle = cycle): Promise<Stage> {
  const world = stage();
  world.github.setFields(repo, [...offered(''), ...offered(' 2')]);
  for (let bug = 0; bug < bugs; bug += 1) {
    world.tracker
      .as('alice')
      .file({ summary: 'A', severity: 'major', keywords: ['crash'], version: '1.0', cf_impact: 'high' });
  }
  await run(world, before, turn);
  return world;
}

/** What the bug has, what the rules show of it, and what the bridge said about that. */
function seen(world: Stage, on: Route, number = 1) {
  const { severity, keywords, custom } = world.tracker.bug(number) ?? {};
  const issue = world.github.issue(repo, number);
  const shown = on.labels.flatMap(({ from, as, field }) => {
    const value = { severity: 'major', keywords: 'crash', version: '1.0', cf_impact: 'high' }[String(from)] ?? '';
    const present =
      field === undefined ? issue?.labels : [issue?.fields?.[field] ?? []].flat().map((each) => each.toLowerCase());
    return present?.includes(as.replace('{value}', value)) ? [from] : [];
  });
  return {
    bug: { severity, keywords, impact: custom?.['cf_impact'] },
    shown,
    said: world.github.commentsOf(repo, number).map(({ body }) => body),
  };
}

const right = {
  bug: { severity: 'major', keywords: ['crash'], impact: 'high' },
  shown: ['severity', 'keywords', 'version', 'cf_impact'],
  said: [],
};

async function moved(before: Route, after: Route, turn: Cycle = cycle) {
  const world = await mirrored(before, 1, turn);
  await run(world, after, turn);
  return { world, ...seen(world, after) };
}

describe('rules that show their fields in another place', () => {
  test.each(moves)(
    "%s take nothing from the bug, say nothing, and fill the new place without anybody's change",
    async (_what, first, after) => {
      const { world, ...rest } = await moved(first, after);
      expect(rest).toEqual(right);
      const writes = () => world.calls.filter(({ method }) => method === 'update').length;
      const before = writes();
      await run(world, after);
      expect(writes()).toBe(before);
    },
  );

  test('leave the labels that were theirs to people', async () => {
    const { world } = await moved(asLabels, inFields(''));
    expect(world.github.issue(repo, 1)?.labels).toEqual(['severity: major', 'crash', 'version: 1.0', 'impact: high']);
  });

  test('of many pairs wait for a person, as the brake has it', async () => {
    const world = await mirrored(asLabels, 12);
    await run(world, inFields(''));
    expect(world.store.refusals.ofRoute(widgetRoute.name)).toMatchObject([{ of: 'plan' }]);
    expect(world.github.issue(repo, 7)?.fields).toEqual({});
    await run(world, inFields(''), cycle, true);
    for (const number of [1, 7, 12]) expect(seen(world, inFields(''), number)).toEqual(right);
    expect(world.store.refusals.ofRoute(widgetRoute.name)).toEqual([]);
  });

  test('that did not move are planned no more than before', async () => {
    const world = await mirrored(asLabels);
    const link = () => world.store.links.byIssue(repo, issueNumber(1));
    const before = link();
    await run(world, asLabels);
    expect(link()).toEqual(before);
  });
});

describe('a planted fault is caught', () => {
  test.each([
    { name: 'what was agreed in the old place is kept', from: 'store.links.forget(route.name, moved);', to: '' },
    {
      name: 'nobody is woken',
      from: 'if (moved.some((field) => Object.hasOwn(places, field))) store.links.markDirty(route.name);',
      to: '',
    },
  ])('$name', async ({ from, to }) => {
    const folder = plant({ file: 'sync/observe/read-offered.ts', from, to });
    const { cycle: planted }: { readonly cycle: Cycle } = await import(`${folder}/sync/cycle.ts`);
    const { world, ...rest } = await moved(asLabels, inFields(''), planted);
    world.tracker.as('alice').change(1, { whiteboard: 'x' });
    await run(world, inFields(''), planted);
    expect({ ...rest, later: seen(world, inFields('')) }).not.toEqual({ ...right, later: right });
  });
});

import { describe, expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { repo, type Stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { sample } from '../tiers/depth.ts';
import { type Cycle, fieldRoute, fields, mirroredWith, run, said } from './field-world.ts';

/** What the organisation does to its fields while the bridge runs: nobody took anything off an issue by that. */
const offered = [
  { name: 'Severity', kind: 'single_select', options: ['Normal', 'Major'] },
  { name: 'Keywords', kind: 'multi_select', options: ['crash', 'regression'] },
  { name: 'Version', kind: 'text' },
  { name: 'Impact', kind: 'single_select', options: ['high', 'low', 'weird'] },
] as const;
const shown = { Severity: 'Major', Keywords: ['crash', 'regression'], Version: '1.0', Impact: 'high' };
const untouched = { severity: 'major', keywords: ['crash', 'regression'], custom: { cf_impact: 'high' } };

const mirrored = (turn: Cycle = cycle) => mirroredWith(offered, ['crash', 'regression'], turn);

/** Something that makes the pair be planned. */
async function touch(world: Stage, turn: Cycle = cycle): Promise<void> {
  world.github.as('mona').edit(repo, 1, { title: `${world.github.issue(repo, 1)?.title}.` });
  await run(world, fieldRoute, turn);
}

const waiting = (world: Stage) => world.store.findings.ofRoute(fieldRoute.name, 10).skips.map(({ reason }) => reason);
const asked = (world: Stage) => world.github.requests.filter(({ path }) => path.endsWith('/graphql')).length;

describe('the organisation', () => {
  test.each([
    ['removes its fields', []],
    ['renames its fields', offered.map((field) => ({ ...field, name: `${field.name} of old` }))],
    ['makes its fields anew, of another kind', offered.map(({ name }) => ({ name, kind: 'number' }) as const)],
    ['has no fields any more', null],
  ])('%s, and the bug keeps what it has; once they are back, they are filled from it', async (_what, now) => {
    const world = await mirrored();
    world.github.setFields(repo, now);
    await touch(world);
    expect([world.tracker.bug(1), fields(world), said(world)]).toMatchObject([untouched, {}, []]);
    world.github.setFields(repo, offered);
    await touch(world);
    expect([world.tracker.bug(1), fields(world), said(world)]).toMatchObject([untouched, shown, []]);
    expect(waiting(world)).toEqual([]);
  });

  test('without a field that a rule names leaves the rule at rest, and says so with the pair', async () => {
    const world = await mirrored();
    world.github.setFields(repo, offered.slice(1));
    world.tracker.as('alice').change(1, { severity: 'normal', cf_impact: 'low' });
    await run(world);
    expect(fields(world)).toEqual({ Keywords: ['crash', 'regression'], Version: '1.0', Impact: 'low' });
    expect(waiting(world)).toEqual([
      expect.stringMatching(/^the organisation acme has no issue field "Severity", .* route widget$/u),
    ]);
  });

  test('makes a field anew, and pairs that were not looked at since lose nothing when they are', async () => {
    const world = await mirrored();
    world.tracker.as('alice').file({ summary: 'B', keywords: ['crash'] });
    await run(world);
    world.github.setFields(repo, []);
    world.github.setFields(repo, offered);
    await touch(world);
    world.github.as('mona').edit(repo, 2, { title: 'C' });
    await run(world);
    expect([world.tracker.bug(2)?.keywords, world.github.issue(repo, 2)?.fields]).toMatchObject([
      ['crash'],
      { Keywords: ['crash'] },
    ]);
  });

  test('takes options away or renames one, and the bug keeps what it has, also when they come back', async () => {
    const world = await mirrored();
    const mona = world.github.as('mona');
    world.github.setFields(repo, [
      { name: 'Severity', kind: 'single_select', options: ['Normal', 'Grave'] },
      { name: 'Keywords', kind: 'multi_select', options: ['regression'] },
      { name: 'Version', kind: 'text' },
      { name: 'Impact', kind: 'single_select', options: ['low'] },
    ]);
    mona.setField(repo, 1, 'Severity', 'Grave');
    mona.setField(repo, 1, 'Keywords', ['regression']);
    mona.setField(repo, 1, 'Impact', null);
    await run(world);
    world.github.setFields(repo, offered);
    mona.setField(repo, 1, 'Severity', null);
    await touch(world);
    expect([world.tracker.bug(1), said(world)]).toMatchObject([untouched, []]);
    mona.setField(repo, 1, 'Severity', 'Normal');
    mona.setField(repo, 1, 'Impact', 'low');
    await run(world);
    expect(world.tracker.bug(1)).toMatchObject({ severity: 'normal', custom: { cf_impact: 'low' } });
  });

  test('hides the list from us: nothing is taken away, and what people choose travels once it shows again', async () => {
    const world = await mirrored();
    world.github.setFields(repo, offered, { unlisted: ['bugferry-bot'] });
    world.github.state.limits.isOlderGraphql = true;
    world.github.as('mona').setField(repo, 1, 'Keywords', ['crash']);
    await run(world);
    expect(world.tracker.bug(1)).toMatchObject(untouched);
    world.github.setFields(repo, offered);
    await touch(world);
    expect(world.tracker.bug(1)?.keywords).toEqual(['crash']);
  });

  test('is asked once at first, then where something is missing on an issue, and not while nothing happens', async () => {
    const world = await mirrored();
    const before = asked(world);
    world.tracker.as('alice').change(1, { summary: 'B' });
    await run(world);
    expect(asked(world)).toBe(before);
    world.github.as('mona').setField(repo, 1, 'Impact', null);
    await run(world);
    expect([asked(world) - before, world.tracker.bug(1)?.custom['cf_impact']]).toEqual([1, '---']);
  });
});

test('a value that is none of the tracker is put right also in a field that can be empty', async () => {
  const world = await mirrored();
  world.github.as('mona').setField(repo, 1, 'Impact', 'weird');
  await run(world);
  expect([world.tracker.bug(1), fields(world)]).toMatchObject([untouched, shown]);
  expect(said(world)).toEqual([expect.stringMatching(/^The value "weird" of Impact was removed again/u)]);
});

describe('a planted fault is caught', () => {
  const faults = [
    {
      name: 'nobody asks',
      file: 'sync/observe/read-offered.ts',
      from: 'if (showing.length === 0 || !isUnsure)',
      to: 'if (showing.length < 9)',
    },
    {
      name: 'what is gone was agreed on',
      file: 'sync/observe/read-offered.ts',
      from: 'store.links.forget(route.name, [from]);',
      to: '{}',
    },
    {
      name: 'new fields wait for a change',
      file: 'sync/observe/read-offered.ts',
      from: 'if (fieldId !== 0) store.links.markDirty(route.name);',
      to: '',
    },
    {
      name: 'what was seen of old fields stands',
      file: 'sync/observe/read-offered.ts',
      from: "unsee({ store, route }, field ?? '');",
      to: '',
    },
    {
      name: 'options are for ever',
      file: 'sync/observe/read-offered.ts',
      from: 'if (kept !== base)',
      to: 'if (kept === null)',
    },
    {
      name: 'a list that is hidden is empty',
      file: 'sync/observe/read-offered.ts',
      from: 'if (offered === null) return',
      to: 'if (offered !== null) {} else return [] ??',
    },
    {
      name: 'what is unknown is nothing',
      file: 'rules/labels/labels-and-fields.ts',
      from: 'values[0] ?? names[0] ?? null, isUnknown }',
      to: 'values[0] ?? null, isUnknown: false }',
    },
    { name: 'what is unknown travels', file: 'rules/plan/plan.ts', from: 'unknown.includes(field) || (', to: '(' },
  ];
  test.each(sample(faults))('$name', async ({ name: _name, ...fault }) => {
    const folder = plant(fault);
    const { cycle: planted }: { readonly cycle: Cycle } = await import(`${folder}/sync/cycle.ts`);
    expect(await story(planted)).not.toEqual(await story(cycle));
  });
});

async function story(turn: Cycle) {
  const seen: unknown[] = [];
  const edits = (world: Stage) =>
    world.calls.filter(({ side, method }) => side === 'tracker' && method === 'update').length;
  const record = (world: Stage) =>
    seen.push([world.tracker.bug(1)?.keywords, world.tracker.bug(1)?.custom, fields(world), said(world), edits(world)]);
  const one = await mirrored(turn);
  one.github.as('mona').setField(repo, 1, 'Impact', 'weird');
  await run(one, fieldRoute, turn);
  record(one);
  one.github.setFields(repo, offered, { unlisted: ['bugferry-bot'] });
  one.github.state.limits.isOlderGraphql = true;
  one.github.as('mona').setField(repo, 1, 'Keywords', ['crash']);
  await run(one, fieldRoute, turn);
  record(one);
  const two = await mirrored(turn);
  two.github.setFields(repo, [...offered.slice(0, 3), { name: 'Impact', kind: 'single_select', options: ['low'] }]);
  two.github.as('mona').setField(repo, 1, 'Impact', null);
  await run(two, fieldRoute, turn);
  record(two);
  two.github.setFields(repo, []);
  await touch(two, turn);
  record(two);
  two.github.setFields(repo, offered);
  await touch(two, turn);
  record(two);
  const three = await mirrored(turn);
  three.tracker.as('alice').file({ summary: 'B', keywords: ['crash'] });
  await run(three, fieldRoute, turn);
  const both = () => [1, 2].map((bug) => [three.tracker.bug(bug)?.keywords, three.github.issue(repo, bug)?.fields]);
  for (const now of [[], offered, offered.slice(2), offered]) {
    // So long after a change, no list shows the issue again.
    three.clock.advance(3_600_000);
    await run(three, fieldRoute, turn);
    three.github.setFields(repo, now);
    await touch(three, turn);
    if (now.length === 0) three.github.as('mona').edit(repo, 2, { title: 'C' });
    await run(three, fieldRoute, turn);
    seen.push(both());
  }
  three.github.as('mona').edit(repo, 2, { title: 'D' });
  await run(three, fieldRoute, turn);
  seen.push(both());
  return seen;
}

import { describe, expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { sample } from '../tiers/depth.ts';
import { type Cycle, fieldRoute, fields, mirroredWith, run, said } from './field-world.ts';

const offered = [
  { name: 'Severity', kind: 'single_select', options: ['Normal', 'Major', 'Huge'] },
  { name: 'Keywords', kind: 'multi_select', options: ['crash', 'regression', 'team-a'] },
  { name: 'Version', kind: 'text' },
  { name: 'Impact', kind: 'single_select', options: ['high', 'low'] },
  { name: 'Effort', kind: 'number' },
] as const;

const mirrored = (turn: Cycle = cycle, user = 'bridge') => mirroredWith(offered, ['crash'], turn, user);
const writes = (world: Stage) =>
  world.calls.filter(({ side, method }) => side === 'github' && method === 'update').length;

describe('a field of the organisation', () => {
  test('shows what the tracker says from the first, with no label for it', async () => {
    const world = await mirrored();
    expect(fields(world)).toEqual({ Severity: 'Major', Keywords: ['crash'], Version: '1.0', Impact: 'high' });
    expect([world.github.issue(repo, 1)?.labels, writes(world)]).toEqual([[], 0]);
  });

  test('crosses both ways', async () => {
    const world = await mirrored();
    const mona = world.github.as('mona');
    mona.setField(repo, 1, 'Severity', 'Normal');
    mona.setField(repo, 1, 'Keywords', ['crash', 'regression']);
    mona.setField(repo, 1, 'Impact', null);
    await run(world);
    expect(world.tracker.bug(1)).toMatchObject({
      severity: 'normal',
      keywords: ['crash', 'regression'],
      custom: { cf_impact: '---' },
    });
    world.tracker.as('alice').change(1, { severity: 'major', keywords: { set: [] }, cf_impact: 'low' });
    await run(world);
    expect(fields(world)).toEqual({ Severity: 'Major', Version: '1.0', Impact: 'low' });
    expect(said(world)).toEqual([]);
  });

  test('is given to a bug that is filed from an issue', async () => {
    const world = stage();
    world.github.setFields(repo, offered);
    const number = world.github.as('mona').open(repo, { title: 'B' });
    world.github.as('mona').setField(repo, number, 'Severity', 'Major');
    world.github.as('mona').setField(repo, number, 'Keywords', ['crash']);
    await run(world);
    expect(world.tracker.bug(1)).toMatchObject({ severity: 'major', keywords: ['crash'] });
    expect(fields(world)).toMatchObject({
      Severity: 'Major',
      Keywords: ['crash'],
      Version: world.tracker.bug(1)?.version,
    });
  });

  test('that no rule names is left alone, and so is an option that is no value of the tracker among several', async () => {
    const world = await mirrored();
    world.github.as('mona').setField(repo, 1, 'Effort', 3);
    world.github.as('mona').setField(repo, 1, 'Keywords', ['crash', 'team-a']);
    await run(world);
    world.tracker.as('alice').change(1, { keywords: { set: ['regression'] }, severity: 'normal' });
    await run(world);
    expect(fields(world)).toMatchObject({ Effort: '3', Severity: 'Normal' });
    expect([...(fields(world)?.['Keywords'] ?? [])].sort()).toEqual(['regression', 'team-a']);
    expect(world.tracker.bug(1)?.keywords).toEqual(['regression']);
  });

  test('is put right where it says what cannot travel, and explained once', async () => {
    const world = await mirrored();
    const mona = world.github.as('mona');
    for (const [name, wrong] of [
      ['Severity', 'Huge'],
      ['Severity', null],
      ['Version', '9'],
      ['Severity', 'Huge'],
    ] as const) {
      mona.setField(repo, 1, name, wrong);
      await run(world);
      expect(fields(world)).toMatchObject({ Severity: 'Major', Version: '1.0' });
    }
    expect(said(world)).toEqual([
      expect.stringMatching(
        /^The value "Huge" of Severity was removed again, because the tracker has no such severity\. Possible values:/u,
      ),
      expect.stringMatching(/^The value "major" of Severity was restored, .* choose another value/u),
      expect.stringMatching(
        /^The value "9" of Version was removed again\. This field mirrors the version of \[bug 1\]/u,
      ),
    ]);
    expect(world.tracker.bug(1)).toMatchObject({ severity: 'major', version: '1.0' });
  });

  test('is put right in silence where a program filled it', async () => {
    const world = await mirrored();
    world.github.addUser('robot[bot]');
    world.github.allow(repo, 'robot[bot]', 'write');
    world.github.as('robot[bot]').setField(repo, 1, 'Severity', 'Huge');
    await run(world);
    expect([fields(world)?.['Severity'], said(world)]).toEqual(['Major', []]);
  });

  test('is empty where the organisation has no such option, and nothing is tried again', async () => {
    const world = await mirrored();
    world.tracker.as('alice').change(1, { severity: 'trivial' });
    await run(world);
    expect(fields(world)).toEqual({ Keywords: ['crash'], Version: '1.0', Impact: 'high' });
    const before = writes(world);
    await run(world);
    expect([writes(world) - before, world.tracker.bug(1)?.severity, said(world)]).toEqual([0, 'trivial', []]);
  });

  test('is empty again where somebody chose what the tracker does not know in place of what there is no option for', async () => {
    const world = await mirrored();
    world.tracker.as('alice').change(1, { severity: 'trivial' });
    await run(world);
    world.github.as('mona').setField(repo, 1, 'Severity', 'Huge');
    await run(world);
    expect([fields(world)?.['Severity'], world.tracker.bug(1)?.severity]).toEqual([undefined, 'trivial']);
  });

  test.each([null, []])('takes no part where there is none (%j)', async (none) => {
    const world = stage();
    world.github.setFields(repo, none);
    world.tracker.as('alice').file({ summary: 'A', severity: 'major' });
    await run(world);
    world.tracker.as('alice').change(1, { severity: 'trivial' });
    await run(world);
    expect([world.github.issue(repo, 1)?.title, world.tracker.bug(1)?.severity, said(world)]).toEqual([
      'A',
      'trivial',
      [],
    ]);
    expect(writes(world)).toBeLessThanOrEqual(1);
  });

  test('is withdrawn with the rest of a bug that becomes private, what people put there apart, and comes back with it', async () => {
    const world = await mirrored(cycle, 'bridge-insider');
    world.github.as('mona').setField(repo, 1, 'Effort', 3);
    await run(world, fieldRoute, cycle, 'bridge-insider');
    world.tracker.as('alice').change(1, { groups: { add: ['security'] } });
    await run(world, fieldRoute, cycle, 'bridge-insider');
    expect(fields(world)).toEqual({ Effort: '3' });
    world.tracker.as('alice').change(1, { groups: { remove: ['security'] } });
    await run(world, fieldRoute, cycle, 'bridge-insider');
    expect(fields(world)).toEqual({
      Severity: 'Major',
      Keywords: ['crash'],
      Version: '1.0',
      Impact: 'high',
      Effort: '3',
    });
  });

  test('changes alone with one write, and a quiet cycle writes nothing', async () => {
    const world = await mirrored();
    const requests = () =>
      world.github.requests.filter(({ method, path }) => method !== 'GET' && path !== '/graphql').length;
    const before = requests();
    world.tracker.as('alice').change(1, { severity: 'normal', cf_impact: 'low' });
    await run(world);
    expect(requests() - before).toBe(1);
  });
});

/**
 * Both sides give a title, and the tracker a value; GitHub takes the title, and puts off the value once. Answers what
 * became of it all.
 */
async function titleBesideAField(turn: Cycle) {
  const world = await mirrored(turn);
  world.github.as('mona').edit(repo, 1, { title: 'Theirs' });
  world.clock.advance(5_000);
  world.tracker
    .as('alice')
    .change(1, { summary: 'Ours', severity: 'normal', version: '2.0', keywords: { add: ['regression'] } });
  let edits = 0;
  world.faults = (side, cost) => {
    if (side === 'github' && cost === 'edit') edits += 1;
    return side === 'github' && cost === 'edit' && edits === 2
      ? { kind: 'limited', status: 429, retryAfterSeconds: 60 }
      : { kind: 'none' };
  };
  await run(world, fieldRoute, turn);
  const [link] = world.store.links.after('widget', null, 1);
  const lines = link === undefined ? [] : world.store.ledger.ofLink(link.id).filter(({ kind }) => kind === 'update');
  const { severity, keywords } = world.tracker.bug(1) ?? {};
  const told = lines.map(({ detail: { after, overruled, deviates } }) => ({ after, overruled, deviates }));
  return {
    title: world.github.issue(repo, 1)?.title,
    fields: fields(world),
    severity,
    keywords,
    said: said(world),
    told,
  };
}

describe('what GitHub puts off behind a title', () => {
  const right = {
    title: 'Ours',
    fields: { Severity: 'Normal', Keywords: ['crash', 'regression'], Version: '2.0', Impact: 'high' },
    severity: 'normal',
    keywords: ['crash', 'regression'],
    said: [],
    told: [
      { after: { title: 'Ours' }, overruled: [expect.objectContaining({ field: 'title' })], deviates: undefined },
      {
        after: { severity: 'normal', keywords: ['crash', 'regression'], version: '2.0' },
        overruled: [],
        deviates: undefined,
      },
    ],
  };

  test('is written later, and the title that lost is kept', async () => {
    expect(await titleBesideAField(cycle)).toEqual(right);
  });

  test.each([
    [
      'fields go with the rest',
      {
        from: 'if (fields === undefined) return [{ send }];',
        to: 'return [{ send: (now) => github.update(now.github ?? issue, patch) }];',
      },
    ],
    [
      'fields count as written with the title',
      { from: 'const sent = onlyOf(left, (name) => !leaves.includes(name));', to: 'const sent = left;' },
    ],
  ])('a planted fault is caught: %s', async (_name, patch) => {
    const folder = plant({ file: 'sync/perform/operations/update.ts', ...patch });
    const { cycle: planted }: { readonly cycle: Cycle } = await import(`${folder}/sync/cycle.ts`);
    expect(await titleBesideAField(planted)).not.toEqual(right);
  });
});

/**
 * Somebody chooses an option just before the title is written that goes before the field. Answers what shows in the
 * end.
 */
async function chosenBeforeTheTitle(turn: Cycle) {
  const world = await mirrored(turn);
  world.tracker.as('alice').change(1, { summary: 'B', keywords: { add: ['regression'] } });
  world.between = (side, method, when) => {
    if (side !== 'github' || method !== 'update' || when !== 'before') return;
    world.between = () => undefined;
    world.github.as('mona').setField(repo, 1, 'Keywords', ['crash', 'team-a']);
  };
  await run(world, fieldRoute, turn);
  return [world.github.issue(repo, 1)?.title, [fields(world)?.['Keywords'] ?? []].flat().toSorted()];
}

describe('an option that somebody chooses just before a title is written', () => {
  test('stays beside ours', async () => {
    expect(await chosenBeforeTheTitle(cycle)).toEqual(['B', ['crash', 'regression', 'team-a']]);
  });

  test('a planted fault is caught: fields are compared with the answer to the title', async () => {
    const folder = plant({
      file: 'sync/perform/operations/update.ts',
      from: '(now.github ?? issue), ...planned',
      to: '(now.github ?? issue)',
    });
    const { cycle: planted }: { readonly cycle: Cycle } = await import(`${folder}/sync/cycle.ts`);
    expect(await chosenBeforeTheTitle(planted)).not.toEqual(await chosenBeforeTheTitle(cycle));
  });
});

describe('a planted fault is caught', () => {
  const faults = [
    {
      name: 'fields are never written',
      file: 'rules/fields/plan.ts',
      from: 'if (organisation !== undefined) patch.fields = organisation;',
      to: '',
    },
    {
      name: 'fields are not read',
      file: 'rules/labels/labels-and-fields.ts',
      from: 'if (fields === undefined) return undefined;',
      to: 'return undefined;',
    },
    {
      name: 'a new issue goes without',
      file: 'rules/labels/labels-and-fields.ts',
      from: 'first === undefined ? []',
      to: 'first !== null ? []',
    },
    {
      name: 'options of people are removed',
      file: 'rules/labels/labels-and-fields.ts',
      from: '.length === 0);\n',
      to: '.length < 0);\n',
    },
    {
      name: 'what is hidden stays',
      file: 'rules/labels/labels-and-fields.ts',
      from: 'return [[rule.field, null]];',
      to: 'return [];',
    },
    {
      name: 'what is wrong is explained twice',
      file: 'rules/labels/wrong-labels.ts',
      from: 'commentLinks.some((commentLink) => commentLink.remark === remark)',
      to: 'remark === null',
    },
    {
      name: 'two fields share an explanation',
      file: 'rules/labels/wrong-labels.ts',
      from: `\`\${field}: \``,
      to: "''",
    },
    {
      name: 'what the tracker does not know is empty',
      file: 'rules/labels/labels-and-fields.ts',
      from: 'names[0] ?? null',
      to: 'null',
    },
    {
      name: 'what is no value stands for one',
      file: 'rules/labels/wrong-labels.ts',
      from: "rule.both ? 'unknown' : 'one-way'",
      to: "'one-way'",
    },
  ] as const;
  test('and none is seen where there is none', async () => {
    expect(await story(cycle)).toEqual(await story(cycle));
  });

  test.each(sample(faults))('$name', async ({ name: _name, ...fault }) => {
    const folder = plant(fault);
    const { cycle: planted }: { readonly cycle: Cycle } = await import(`${folder}/sync/cycle.ts`);
    expect(await story(planted)).not.toEqual(await story(cycle));
  });
});

/** What is left of many changes, in words that do not depend on when they were made. */
async function story(turn: Cycle) {
  const user = 'bridge-insider';
  const world = await mirrored(turn, user);
  const shown = [fields(world)];
  const [alice, mona] = [world.tracker.as('alice'), world.github.as('mona')];
  mona.setField(repo, 1, 'Keywords', ['crash', 'team-a']);
  mona.setField(repo, 1, 'Impact', 'low');
  await run(world, fieldRoute, turn, user);
  alice.change(1, { keywords: { set: ['regression'] }, severity: 'normal' });
  await run(world, fieldRoute, turn, user);
  shown.push(fields(world));
  for (const [name, wrong] of [
    ['Severity', 'Huge'],
    ['Version', 'Huge'],
    ['Severity', 'Huge'],
  ] as const) {
    mona.setField(repo, 1, name, wrong);
    await run(world, fieldRoute, turn, user);
  }
  const { severity, keywords, custom } = world.tracker.bug(1) ?? {};
  const comments = said(world);
  alice.change(1, { severity: 'trivial' });
  await run(world, fieldRoute, turn, user);
  mona.setField(repo, 1, 'Severity', 'Huge');
  await run(world, fieldRoute, turn, user);
  shown.push(fields(world));
  alice.change(1, { groups: { add: ['security'] } });
  await run(world, fieldRoute, turn, user);
  return { shown: [...shown, fields(world)], severity, keywords, custom, comments };
}

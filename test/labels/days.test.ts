import { describe, expect, test } from 'vitest';
import { readVocabulary } from '../../src/bugzilla/vocabulary.ts';
import type { Route, Vocabulary } from '../../src/model/route.ts';
import { nothingIn, takesNothing } from '../../src/rules/labels/labels-and-fields.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { repo, type Stage, stage } from '../simulation/stage.ts';
import { widgetRoute } from '../support/routes.ts';
import { fields, run, said } from './field-world.ts';

/** The deadline, and fields of the tracker that hold a day or a number, in fields of issues of these kinds. */
const route: Route = {
  ...widgetRoute,
  labels: [
    { from: 'deadline', as: '{value}', both: true, field: 'Due' },
    { from: 'priority', as: '{value}', both: true, field: 'Points' },
  ],
};

/** The account of the bridge may set deadlines. */
const turns = (world: Stage): Promise<void> => run(world, route, cycle, 'admin');

async function mirrored(deadline?: string): Promise<Stage> {
  const world = stage();
  world.github.setFields(repo, [
    { name: 'Due', kind: 'date' },
    { name: 'Points', kind: 'number' },
  ]);
  world.tracker.as('alice').file({ summary: 'A' });
  if (deadline !== undefined) world.tracker.as('alice').change(1, { deadline });
  await turns(world);
  return world;
}

const deadline = (world: Stage) => world.tracker.state.bugs.get(1)?.deadline ?? null;

describe('the deadline of a bug', () => {
  test('shows in a date field, also after a change, and an empty one empties it', async () => {
    const world = await mirrored('2026-03-31');
    expect(fields(world)).toEqual({ Due: '2026-03-31' });
    world.tracker.as('alice').change(1, { deadline: '2026-04-30' });
    await turns(world);
    expect(fields(world)).toEqual({ Due: '2026-04-30' });
    world.tracker.as('alice').change(1, { deadline: '' });
    await turns(world);
    expect([fields(world), said(world)]).toEqual([{}, []]);
  });

  test('is set, moved and taken away by people on GitHub', async () => {
    const world = await mirrored();
    const mona = world.github.as('mona');
    for (const day of ['2026-05-01', '2026-05-02', null]) {
      mona.setField(repo, 1, 'Due', day);
      await turns(world);
      expect([deadline(world), fields(world)]).toEqual([day, day === null ? {} : { Due: day }]);
    }
    expect(said(world)).toEqual([]);
  });
});

test('a value that is no number leaves a number field empty, and nothing else is touched', async () => {
  const world = await mirrored('2026-03-31');
  world.tracker.as('alice').change(1, { priority: 'High' });
  await turns(world);
  expect([fields(world), said(world)]).toEqual([{ Due: '2026-03-31' }, []]);
});

describe('the kind of a field', () => {
  const told = async (...rows: readonly object[]): Promise<Vocabulary> => {
    const read = async ([resource]: readonly string[]) => ({
      body: resource === 'field' ? { fields: rows } : { products: [] },
    });
    return readVocabulary({ read } as unknown as Parameters<typeof readVocabulary>[0], 'Widget');
  };

  test('is what the tracker says, and the deadline is a day although it is called a time', async () => {
    const { customs } = await told(
      { name: 'deadline', type: 5 },
      { name: 'cf_due', type: 9 },
      { name: 'cf_seen', type: 5 },
      { name: 'cf_bug', type: 6 },
      { name: 'cf_rank', type: 10 },
      { name: 'cf_impact', type: 2, values: [{ name: '---' }, { name: 'high' }] },
    );
    expect(customs).toEqual({
      deadline: 'day',
      cf_due: 'day',
      cf_seen: 'other',
      cf_bug: 'other',
      cf_rank: 'other',
      cf_impact: 'one',
    });
  });

  test('decides what is sent for nothing', async () => {
    const vocabulary = await told({ name: 'cf_due', type: 9 }, { name: 'cf_impact', type: 2, values: [{ name: 'x' }] });
    expect([nothingIn('deadline', vocabulary), nothingIn('cf_due', vocabulary)]).toEqual(['', '']);
    expect(nothingIn('cf_impact', vocabulary)).toBe('---');
    expect(['deadline', 'cf_due', 'cf_impact'].map((name) => takesNothing(name, vocabulary))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

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

describe('a custom field with a whole number', () => {
  const ranked: Route = {
    ...widgetRoute,
    labels: [{ from: 'cf_points', as: '{value}', both: true, field: 'Points' }],
  };
  const points = (world: Stage) => world.tracker.state.bugs.get(1)?.custom['cf_points'];
  const cycles = (world: Stage): Promise<void> => run(world, ranked, cycle);

  async function world(kind: 'number' | 'text', written?: string): Promise<Stage> {
    const made = stage({ customFields: [{ name: 'cf_points', label: 'Points', kind: 'integer', values: [] }] });
    made.github.setFields(repo, [{ name: 'Points', kind }]);
    made.tracker.as('alice').file({ summary: 'A', ...(written === undefined ? {} : { cf_points: written }) });
    await cycles(made);
    return made;
  }

  test.each(['number', 'text'] as const)('crosses both ways in a field of the kind %s', async (kind) => {
    const made = await world(kind, '5');
    expect(fields(made)).toEqual({ Points: '5' });
    made.tracker.as('alice').change(1, { cf_points: '-13' });
    await cycles(made);
    expect(fields(made)).toEqual({ Points: '-13' });
    for (const number of ['8', '0', '8388607']) {
      made.github.as('mona').setField(repo, 1, 'Points', kind === 'number' ? Number(number) : number);
      await cycles(made);
      expect([points(made), fields(made)]).toEqual([number, { Points: number }]);
    }
    expect(said(made)).toEqual([]);
  });

  test('is empty as long as nobody sets it, and 0 on the tracker after it is taken away', async () => {
    const made = await world('number');
    expect([points(made), fields(made)]).toEqual([null, {}]);
    made.github.as('mona').setField(repo, 1, 'Points', 3);
    await cycles(made);
    made.github.as('mona').setField(repo, 1, 'Points', null);
    await cycles(made);
    expect(points(made)).toBe('0');
    const { requests } = made.github;
    const before = requests.filter(({ method }) => method !== 'GET').length;
    await cycles(made);
    expect(requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
    expect(said(made)).toEqual([]);
  });

  test.each([
    ['number', 2.5],
    ['number', 99_999_999_999],
    ['text', 'many'],
  ] as const)('is reset in a field of the kind %s that shows %s', async (kind, wrong) => {
    const made = await world(kind, '5');
    made.github.as('mona').setField(repo, 1, 'Points', wrong);
    await cycles(made);
    expect([points(made), fields(made)]).toEqual(['5', { Points: '5' }]);
    expect(said(made)).toHaveLength(1);
  });

  test('that names a bug never crosses', async () => {
    const made = stage({ customFields: [{ name: 'cf_points', label: 'Points', kind: 'bug', values: [] }] });
    made.github.setFields(repo, [{ name: 'Points', kind: 'number' }]);
    made.tracker.as('alice').file({ summary: 'A' });
    made.tracker.as('alice').file({ summary: 'B', cf_points: '1' });
    await cycles(made);
    expect(made.github.issue(repo, 2)?.fields).toEqual({});
  });
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
      cf_rank: 'number',
      cf_impact: 'one',
    });
  });

  test('decides what is sent for nothing', async () => {
    const vocabulary = await told(
      { name: 'cf_due', type: 9 },
      { name: 'cf_rank', type: 10 },
      { name: 'cf_impact', type: 2, values: [{ name: 'x' }] },
    );
    expect([nothingIn('deadline', vocabulary), nothingIn('cf_due', vocabulary)]).toEqual(['', '']);
    expect([nothingIn('cf_rank', vocabulary), nothingIn('cf_impact', vocabulary)]).toEqual(['0', '---']);
    expect(['deadline', 'cf_due', 'cf_rank', 'cf_impact'].map((name) => takesNothing(name, vocabulary))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

import { afterAll, describe, expect, test } from 'vitest';
import { rowReader } from '../../src/kernel/read-rows.ts';
import { blockedRow } from '../../src/kernel/set-aside.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { type Stage, stage } from '../simulation/stage.ts';
import { edgeCodeIn } from '../support/edges.ts';
import { course, poison } from '../support/faults/course.ts';
import { onStep, withSteps } from '../support/faults/steps.ts';
import { callersHere, watchSteps } from '../support/faults/watched-steps.ts';
import { some } from '../tiers/depth.ts';

/**
 * I11, for the edges, without a list of places: each function that is given a bug, an issue, a comment, a file or a
 * history of an answer works under the watch of that item, and may throw there, or never end.
 */
const copy = withSteps(['bugzilla', 'github']);
const code = await edgeCodeIn(copy.folder);

const { during, blamed } = watchSteps();
afterAll(copy.remove);

type Row = Readonly<Record<string, unknown>>;
const texts = ['summary', 'title', 'text', 'body', 'file_name', 'history', 'changes'];
const rowIn = (given: readonly unknown[]): Row | undefined =>
  given.find((each): each is Row => {
    const isPlain = typeof each === 'object' && each !== null && !Array.isArray(each);
    return isPlain && ('id' in each || 'number' in each || 'who' in each) && texts.some((name) => name in each);
  });

type Listen = (step: string, row: Row, world: Stage) => void;

/** The course, of whose rows `listen` is told. */
async function lookAt(listen: Listen): Promise<readonly string[]> {
  const world = stage();
  onStep((step, given) => {
    const row = rowIn(given);
    if (row !== undefined) listen(step, row, world);
  });
  const edges = ({ store }: Stage) => ({
    code,
    rows: ({ name }: Route) => rowReader({ route: name, version: '0.0.0', store, watch: { during } }),
  });
  return await course({ cycle, sweep, watch: { during }, edges }, world).finally(() => onStep(null));
}

const isPoisoned = (row: Row): boolean => JSON.stringify(row).includes(poison);

/** What names a row has no net below it. */
const isNet = (step: string): boolean => step.includes('/rows.ts:');

const steps = new Set<string>();
const gaps = new Map<string, string>();
const unhurt = await lookAt((step, row) => {
  if (isPoisoned(row) && !isNet(step)) steps.add(step);
  if (blamed() === undefined && !gaps.has(step) && !isNet(step)) gaps.set(step, callersHere());
});

test('each row of an answer is read under its watch', () => {
  expect(unhurt).toEqual([]);
  expect(steps.size).toBeGreaterThan(15);
  expect(Object.fromEntries(gaps)).toEqual({});
});

describe('costs that item and nothing else', () => {
  test.each(some([...steps].toSorted(), 6))('a throw in %s', async (step) => {
    const thrown: Listen = (each, row) => {
      if (each === step && isPoisoned(row)) throw new RangeError('a fault of ours');
    };
    expect(await lookAt(thrown)).toEqual([]);
  });

  test.each(some([...steps].toSorted(), 6))('work without an end in %s, which is met once', async (step) => {
    const met: string[] = [];
    const blocked: Listen = (each, row, { store, clock }) => {
      const at = blamed();
      if (each !== step || !isPoisoned(row) || at === undefined) return;
      // What is planned and written for a pair is tried again when the pair changes, as it does here.
      if (at.row !== undefined) met.push(JSON.stringify(at));
      // What the next process does, had this one been blocked.
      store.setAside.put(blockedRow(at, { version: '0.0.0', at: clock.now() }));
      if (at.row !== undefined) store.setAside.block({ ...at, row: at.row, version: '0.0.0' });
      throw new RangeError('the process was ended');
    };
    expect(await lookAt(blocked)).toEqual([]);
    expect(met.filter((work, index) => met.indexOf(work) !== index)).toEqual([]);
  });
});

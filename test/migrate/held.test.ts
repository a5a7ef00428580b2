import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { learnRate } from '../../src/kernel/creation-rate.ts';
import { unkeptOf } from '../../src/migrate/cutover/notice.ts';
import { lacking } from '../../src/migrate/import-bugs.ts';
import type { Migration } from '../../src/migrate/migration.ts';
import { nextMoment } from '../../src/migrate/next-moment.ts';
import { linkId } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import type { FoundLimit } from '../../src/model/runtime.ts';

const [parts, partSize, wordsOfEach] = [100, 100, 500];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Lists that are read one after the other, each item of some kilobytes, and whether all were read and few of them were
 * held at the end.
 */
function watched<Item>(itemOf: (id: number) => Item) {
  let grown = Number.POSITIVE_INFINITY;
  function* lists() {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let part = 0; part < parts; part += 1)
      yield Array.from({ length: partSize }, (_, at) => itemOf(part * partSize + at + 1));
    collect();
    grown = process.memoryUsage().heapUsed - before;
  }
  function* items() {
    for (const list of lists()) yield* list;
  }
  return { lists, items, isLittleHeld: () => grown < 5e6 };
}

const wordsOf = (): readonly number[] => Array<number>(wordsOfEach).fill(0.5);

test('the search for bugs without an issue holds few links in memory', () => {
  const links = watched((id) => ({
    ...{ id: linkId(id), bug: id, issue: null, claim: null, state: 'live' },
    tracker: { isPrivate: false, words: wordsOf() },
  }));
  const store = { links: { batches: links.lists }, outbox: { eachSent: () => [].values() } };
  const found = lacking({ store, route: { name: 'widget' } } as unknown as Context);
  expect(found).toHaveLength(parts * partSize);
  expect(links.isLittleHeld()).toBe(true);
});

/** Every second one creates something. */
const sentRows = () =>
  watched((id) => ({
    ...{ number: id, sentAt: 1_000 + id, notBeforeAt: null, waitingSince: null, why: null },
    operation: { kind: id % 2 === 0 ? 'create' : 'update', on: 'github', link: linkId(id), words: wordsOf() },
  }));

test('a creation while a whole tracker is under way is counted with few rows in memory, and those in flight do not count as taken', () => {
  const rows = sentRows();
  const limits: FoundLimit[] = [];
  const budgets = {
    foundLimits: () => [],
    within: () => parts * partSize,
    keepLimit: (_side: string, found: FoundLimit) => limits.push(found),
  };
  const context = {
    ...{ store: { budgets, outbox: { eachSent: rows.items } }, clock: { now: () => 2_000 }, route: { name: 'widget' } },
    allowances: { github: [{ windowMs: 60_000, pointsMax: 1, risesTo: 2, name: 'creations a minute' }] },
  } as unknown as Context;
  learnRate(context, { kind: 'create', on: 'github' } as Operation, null);
  expect(limits.map(({ passedMax }) => passedMax)).toEqual([(parts * partSize) / 2]);
  expect(rows.isLittleHeld()).toBe(true);
});

test('the next moment is that of the first request in doubt that is not over, and few rows are in memory', () => {
  const rows = sentRows();
  const store = { outbox: { due: () => [], eachSent: rows.items }, receipts: { ofRoute: () => [] } };
  const context = {
    store,
    clock: { now: () => 1_502 },
    route: { name: 'widget' },
    limits: { settleMs: 500 },
  } as unknown as Context;
  expect(nextMoment(context, [])?.at).toBe(1_503);
  expect(rows.isLittleHeld()).toBe(true);
});

test('after a cut-over, the bugs that did not keep the change are found with few bugs in memory', async () => {
  collect();
  const before = process.memoryUsage().heapUsed;
  let [asks, grownMost] = [0, 0];
  const unmarked: number[] = [];
  const store = {
    links: { byId: (id: number) => ({ id: linkId(id), bug: id, tracker: { changedAt: 2, words: wordsOf() } }) },
    cutoverNotices: {
      get: (link: number) => ({ link, isDone: true }),
      save: ({ link, isDone }: { link: number; isDone: boolean }) => {
        if (!isDone) unmarked.push(link);
      },
    },
    transaction: (work: () => void) => work(),
    budgets: { backoffOf: () => null },
  };
  const bugs = async (refs: readonly number[]) => {
    const read = refs.map((id) => ({ id, changedAt: id % 4_000 === 0 ? 1 : 2, words: wordsOf() }));
    asks += 1;
    collect();
    grownMost = Math.max(grownMost, process.memoryUsage().heapUsed - before);
    return read;
  };
  const migration = {
    context: { store, tracker: { bugs }, clock: { now: () => 1_000 } },
    tell: () => undefined,
  } as unknown as Migration;
  const ids = Array.from({ length: parts * partSize }, (_, at) => linkId(at + 1));
  expect(await unkeptOf(migration, ids)).toEqual([4_000, 8_000]);
  expect(unmarked).toEqual([4_000, 8_000]);
  expect(asks).toBe((parts * partSize) / 500);
  expect(grownMost).toBeLessThan(15e6);
});

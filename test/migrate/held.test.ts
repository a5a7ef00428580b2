import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Context } from '../../src/kernel/context.ts';
import type { Migration } from '../../src/migrate/migration.ts';
import { linkId } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import type { FoundLimit } from '../../src/model/runtime.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';

type Import = typeof import('../../src/migrate/import-bugs.ts');
type Rate = typeof import('../../src/kernel/creation-rate.ts');
type Notice = typeof import('../../src/migrate/cutover/notice.ts');
type Next = typeof import('../../src/migrate/next-moment.ts');

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

/** Whether memory stays small while the links of a large tracker are gone through. */
async function holdsFewLinks(src: string): Promise<boolean> {
  const { lacking } = (await import(`${src}/migrate/import-bugs.ts`)) as Import;
  const links = watched((id) => ({
    ...{ id: linkId(id), bug: id, issue: null, claim: null, state: 'live' },
    tracker: { isPrivate: false, words: wordsOf() },
  }));
  const store = { links: { batches: links.lists }, outbox: { eachSent: () => [].values() } };
  const found = lacking({ store, route: { name: 'widget' } } as unknown as Context);
  return found.length === parts * partSize && links.isLittleHeld();
}

/** Every second one creates something. */
const sentRows = () =>
  watched((id) => ({
    ...{ number: id, sentAt: 1_000 + id, notBeforeAt: null, waitingSince: null, why: null },
    operation: { kind: id % 2 === 0 ? 'create' : 'update', on: 'github', link: linkId(id), words: wordsOf() },
  }));

/** What a creation teaches while a whole tracker is under way: what is in flight does not count as taken. */
async function learnsWithFew(src: string): Promise<unknown> {
  const { learnRate } = (await import(`${src}/kernel/creation-rate.ts`)) as Rate;
  const rows = sentRows();
  const limits: FoundLimit[] = [];
  const budgets = {
    foundLimits: () => [],
    since: () => [{ at: 1_000, points: parts * partSize }],
    keepLimit: (_side: string, found: FoundLimit) => limits.push(found),
  };
  const context = {
    ...{ store: { budgets, outbox: { eachSent: rows.items } }, clock: { now: () => 2_000 }, route: { name: 'widget' } },
    allowances: { github: [{ windowMs: 60_000, pointsMax: 1, risesTo: 2, name: 'creations a minute' }] },
  } as unknown as Context;
  learnRate(context, { kind: 'create', on: 'github' } as Operation, null);
  return { passed: limits.map(({ passedMax }) => passedMax), isLittleHeld: rows.isLittleHeld() };
}

/** When the first of many requests in doubt settles. One that is over does not count. */
async function waitsWithFew(src: string): Promise<unknown> {
  const { nextMoment } = (await import(`${src}/migrate/next-moment.ts`)) as Next;
  const rows = sentRows();
  const store = { outbox: { due: () => [], eachSent: rows.items }, receipts: { ofRoute: () => [] } };
  const context = {
    store,
    clock: { now: () => 1_502 },
    route: { name: 'widget' },
    limits: { settleMs: 500 },
  } as unknown as Context;
  return { at: nextMoment(context, [])?.at, isLittleHeld: rows.isLittleHeld() };
}

/**
 * Which bugs of a large tracker did not keep what the cut-over wrote. Of each the tracker says some kilobytes, as its
 * link does.
 */
async function looksAgainAtFew(src: string): Promise<unknown> {
  const { unkeptOf } = (await import(`${src}/migrate/cutover/notice.ts`)) as Notice;
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
  return { unkept: await unkeptOf(migration, ids), unmarked, asks, isLittleHeld: grownMost < 15e6 };
}

const fewUnkept = {
  unkept: [4_000, 8_000],
  unmarked: [4_000, 8_000],
  asks: (parts * partSize) / 500,
  isLittleHeld: true,
};

const cases: readonly Case[] = [
  {
    name: 'all bugs are held to know which of them kept what a cut-over wrote',
    ...{
      file: 'migrate/cutover/notice.ts',
      from: 'const lookedAtTogether = 500',
      to: 'const lookedAtTogether = 1_000_000',
    },
    ...{ scenario: looksAgainAtFew, right: fewUnkept },
  },
  {
    name: 'a bug that did not keep what a cut-over wrote counts as done',
    ...{ file: 'migrate/cutover/notice.ts', from: '(answer?.changedAt ?? 0))', to: '0)' },
    ...{ scenario: looksAgainAtFew, right: fewUnkept },
  },
  {
    name: 'whole links are held to know which bugs lack an issue',
    ...{
      file: 'migrate/import-bugs.ts',
      from: 'found.push({ id, bug: bug ?? 0 })',
      to: 'found.push({ id, bug: bug ?? 0, tracker } as never)',
    },
    ...{ scenario: holdsFewLinks, right: true },
  },
  {
    name: 'all requests under way are held to count the creations among them',
    ...{
      file: 'kernel/creation-rate.ts',
      from: 'store.outbox.eachSent(route.name).reduce(',
      to: '[...store.outbox.eachSent(route.name)].reduce(',
    },
    ...{ scenario: learnsWithFew, right: { passed: [(parts * partSize) / 2], isLittleHeld: true } },
  },
  {
    name: 'creations in flight count as taken',
    ...{ file: 'kernel/creation-rate.ts', from: '(isCreation(row) ? 1 : 0)', to: '(isCreation(row) ? 0 : 0)' },
    ...{ scenario: learnsWithFew, right: { passed: [(parts * partSize) / 2], isLittleHeld: true } },
  },
  {
    name: 'all requests in doubt are held to know which settles first',
    ...{
      file: 'migrate/next-moment.ts',
      from: 'of store.outbox.eachSent(route.name)',
      to: 'of [...store.outbox.eachSent(route.name)]',
    },
    ...{ scenario: waitsWithFew, right: { at: 1_503, isLittleHeld: true } },
  },
  {
    name: 'the moment that was found last is waited for',
    ...{ file: 'migrate/next-moment.ts', from: 'moment.at < next.at', to: 'moment.at > next.at' },
    ...{ scenario: waitsWithFew, right: { at: 1_503, isLittleHeld: true } },
  },
  {
    name: 'a moment that is over is waited for',
    ...{ file: 'migrate/next-moment.ts', from: 'moment.at > now && ', to: '' },
    ...{ scenario: waitsWithFew, right: { at: 1_503, isLittleHeld: true } },
  },
];

testCases(cases);

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ArchiveOptions } from '../../src/archive/archive.ts';
import type { ListedBug, PublicReader } from '../../src/model/archive/ports.ts';
import { openScratch } from '../../src/store/scratch.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';

type Archive = typeof import('../../src/archive/archive.ts');
type Lists = typeof import('../../src/archive/lists.ts');

const [pages, pageSize, valuesOfEach] = [20, 500, 100];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const bugOf = (id: number): ListedBug => ({
  ...{
    id,
    summary: `It fails ${id}`,
    aliases: [],
    product: 'Widget',
    component: `Part ${id % 3}`,
    status: 'NEW',
    resolution: '',
    isOpen: true,
  },
  ...{ createdAt: id, changedAt: id, reporter: 'alice', assignee: 'bob', relations: [], dupeOf: null, seeAlso: [] },
  fields: [
    {
      name: 'keywords',
      label: 'Keywords',
      values: Array.from({ length: valuesOfEach }, (_, at) => `word ${at} of ${id}`),
    },
  ],
});

/**
 * Whether memory stays small once all bugs of a large tracker are listed, of each of which the tracker says some
 * kilobytes.
 */
async function isLittleHeld(src: string): Promise<boolean> {
  const { archive } = (await import(`${src}/archive/archive.ts`)) as Archive;
  let before = 0;
  let grown = Number.POSITIVE_INFINITY;
  const reader: Pick<PublicReader, 'bugs' | 'threads'> = {
    async bugs(after) {
      if (after === 0) {
        collect();
        before = process.memoryUsage().heapUsed;
      }
      const next = after + pageSize;
      return {
        bugs: Array.from({ length: pageSize }, (_, at) => bugOf(after + at + 1)),
        next: next < pages * pageSize ? next : null,
      };
    },
    async threads() {
      collect();
      grown = process.memoryUsage().heapUsed - before;
      throw new Error('seen enough');
    },
  };
  const folder = {
    paths: () => [],
    read: () => null,
    size: () => null,
    write: () => undefined,
    remove: () => undefined,
  };
  const assets = { style: '', search: '', oldAddress: '', library: '' };
  const rest = {
    tracker: 'https://bugs.example.test',
    issueOf: () => null,
    isVerifying: false,
    signal: new AbortController().signal,
  };
  const options = {
    ...rest,
    reader,
    folder,
    assets,
    scratch: () => openScratch<ListedBug>(null),
    tell: () => undefined,
  };
  await archive(options as unknown as ArchiveOptions).catch(() => null);
  // All that the list says takes more than forty megabytes.
  return grown < 20e6;
}

/**
 * How many titles were read for the first two pages: the start page names none, and a list has five hundred at most.
 */
async function titlesReadFirst(src: string): Promise<number> {
  const { catalogueOf } = (await import(`${src}/archive/lists.ts`)) as Lists;
  let read = 0;
  const counting = (bug: ListedBug): ListedBug => ({
    ...bug,
    get summary() {
      read += 1;
      return bug.summary;
    },
  });
  const bugs = new Map(
    Array.from({ length: 3_000 }, (_, at) => [at + 1, counting({ ...bugOf(at + 1), component: 'Core' })] as const),
  );
  const listed = catalogueOf(bugs, 'bugs.example.test').pages[Symbol.iterator]();
  for (let page = 0; page < 3; page += 1) listed.next();
  return read;
}

const cases: readonly Case[] = [
  {
    name: 'everything that the list says of each bug is held',
    ...{ file: 'archive/archive.ts', from: 'headlineOf({ ...bug, ...names }, words)', to: '{ ...bug, ...names }' },
    ...{ scenario: isLittleHeld, right: true },
  },
  {
    name: 'all lists are made before the first is written',
    ...{ file: 'archive/lists.ts', from: 'pages: pages(), listOf', to: 'pages: [...pages()], listOf' },
    ...{ scenario: titlesReadFirst, right: 500 },
  },
];

testCases(cases);

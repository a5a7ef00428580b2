import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type ArchiveOptions, archive } from '../../src/archive/archive.ts';
import { catalogueOf } from '../../src/archive/lists.ts';
import type { ListedBug, PublicReader } from '../../src/model/archive/ports.ts';
import { unwatched } from '../../src/model/runtime.ts';
import { openScratch } from '../../src/store/scratch.ts';

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

test('memory stays small although the tracker returns kilobytes for each of its many bugs', async () => {
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
    during: unwatched.during,
    isEndless: () => false,
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
  expect(grown).toBeLessThan(20e6);
});

// The start page has no titles, and a list has five hundred at most.
test('a list is made when its turn comes', () => {
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
  expect(read).toBe(500);
});

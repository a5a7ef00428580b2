import { describe, expect, test } from 'vitest';
import { backfillNumbers, bridgedTo } from './backfill.ts';
import { burstNumbers } from './burst.ts';
import { change } from './change.ts';
import { idleNumbers } from './idle.ts';
import { againNumbers, bridgeTo, migrateNumbers } from './migrate.ts';
import { heldPeak } from './support/heap.ts';
import { sweepNumbers } from './sweep.ts';

/**
 * What the bridge asks of others, at small sizes and counted in requests: a change that makes it dearer fails here.
 * `npm run bench` measures the same at the sizes of real projects. Seconds are not judged; what may not grow is
 * compared within one run.
 */
const report = (): void => undefined;

test('an idle cycle takes two tracker requests and none that counts to GitHub, however much is remembered', async () => {
  // As many as a look takes, and more.
  const few = await idleNumbers(600, report);
  const many = await idleNumbers(6_000, report);
  for (const numbers of [few, many]) {
    // Bugs that were not read since they were written are read once more.
    expect(numbers['trackerRequests']).toBeLessThanOrEqual(2.05);
    // Every tenth also looks whether a label has another name.
    expect(numbers['githubRequests']).toBeLessThanOrEqual(2.1);
    expect(numbers['githubCounted']).toBe(0);
  }
  // Of many bugs, fewer changed last and have their turn at once.
  expect((many['bytes'] ?? 0) / (few['bytes'] ?? 1)).toBeLessThan(1.1);
  // Ten times as many: what grew with them would show, and a busy machine does not.
  expect((many['cpuMs'] ?? 0) / (few['cpuMs'] ?? 1)).toBeLessThan(3);
});

test('a change is one write, and reads are shared', async () => {
  const measured = await change.run({ bugs: 0, links: [], report });
  expect(measured.length).toBe(9);
  for (const { name, numbers } of measured) {
    const [from, what] = name.split(': ');
    const isFile = what === 'file';
    const writes = from === 'tracker' ? numbers['githubWrites'] : numbers['trackerWrites'];
    // A file is its content in the attachment store and the comment about it; the writes to the branch are shared.
    expect(writes, name).toBeLessThanOrEqual(isFile ? 2.1 : 1);
    expect(from === 'tracker' ? numbers['trackerWrites'] : numbers['githubWrites'], name).toBe(0);
    expect(numbers['trackerReads'], name).toBeLessThanOrEqual(isFile ? 104 : 3);
    // Fifteen writes share a look at their issues; who closed an issue is asked one by one.
    if (name !== 'github: state')
      expect((numbers['githubIssueReads'] ?? 0) / (numbers['changes'] ?? 0), name).toBeLessThanOrEqual(0.1);
    // A cycle writes for a minute, a second apart. A comment changes its issue too. Of a file it is the comment about it
    // that shows, in the cycle after its content.
    expect(numbers['githubIssueLists'], name).toBeLessThanOrEqual(2);
    // The labels, which may be new; whether the repository is public; and what stands in the branch of the files, asked
    // once for all of them.
    expect(numbers['githubOther'], name).toBeLessThanOrEqual(isFile ? 7 : 2);
    expect(numbers['cycles'], name).toBeLessThanOrEqual(isFile ? 3 : 2);
  }
  // The comments about files fill more than a page: such a list is walked back ten minutes, once in ten minutes, as it
  // may show a change late.
  const walked = 2 * 2;
  const lists = measured.map(({ numbers }) => numbers['githubCommentLists'] ?? 0);
  expect(lists.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5 + walked);
});

test.each([
  // A list for each minute of writing.
  [100, { lists: 2, reads: 0.11 }],
  // The other one is on a second page.
  [101, { lists: 4, reads: 0.13 }],
  // The second page has to overlap with the first, so that nothing hides between them.
  [200, { lists: 6, reads: 0.12 }],
])(
  '%i bugs changed at once are as many writes, and hundreds of them share what is read',
  async (bugs, { lists, reads }) => {
    const numbers = await burstNumbers(bugs, report);
    expect(numbers['githubWritesPerBug']).toBe(1);
    expect(numbers['trackerReadsPerBug']).toBeLessThanOrEqual(0.04);
    expect(numbers['githubIssueLists']).toBeLessThanOrEqual(lists);
    // Looks before writes, and lists.
    expect(numbers['githubReadsPerBug']).toBeLessThanOrEqual(reads);
  },
);

test('a first backfill asks the tracker at most 0.04 times for each bug, polls at most twice a minute, and sends no mail', async () => {
  const bridge = await bridgedTo(1_000, 'both');
  try {
    const numbers = await backfillNumbers(bridge, 1_000, report);
    expect(numbers['trackerReads']).toBeLessThanOrEqual(0.04 * 1_000);
    // Writes are a second apart, and a cycle ends after a minute.
    expect(numbers['trackerPolls']).toBeLessThanOrEqual((2.2 * 3 * 1_000) / 60);
    expect(numbers['trackerWritesPerBug']).toBe(0);
    expect(numbers['githubWritesPerBug']).toBe(3);
    const again = await sweepNumbers(bridge, 1_000);
    expect(again['trackerReadsPerBug']).toBeLessThanOrEqual(0.03);
    expect(again['githubReads']).toBeLessThanOrEqual(0.02 * 1_000 + 0.011 * (again['comments'] ?? 0));
  } finally {
    await bridge.close();
  }
});

/** Read for the first time, which is what a sweep does with each page; what it stores is not on the heap. */
async function sweptHeapMb(bugs: number): Promise<number> {
  const bridge = await bridgedTo(bugs, 'both');
  try {
    const heap = heldPeak();
    await bridge.sweep();
    return heap.end() / 1e6;
  } finally {
    await bridge.close();
  }
}

describe('the memory of a sweep', () => {
  test('does not grow with what it reads', async () => {
    expect((await sweptHeapMb(4_000)) - (await sweptHeapMb(500))).toBeLessThan(2);
  });
});

describe('a migration', () => {
  test.each([
    // Every third bug is closed for a reason that an import cannot say; polls and greetings weigh more the fewer bugs
    // there are.
    ['import', { githubRequestsPerBug: 1.2, ratio: 1.15, trackerRequestsPerBug: 0.06 }],
    // A thousand writes are seventeen minutes, with two polls of each side in each of them.
    ['api', { githubRequestsPerBug: 3.9, ratio: 1.17, trackerRequestsPerBug: 0.18 }],
  ] as const)('by %s takes little more than its floor, and writes nothing again', async (writer, most) => {
    const bridge = await bridgeTo(300);
    try {
      const numbers = await migrateNumbers(bridge, writer, 300, report);
      for (const [name, limit] of Object.entries(most))
        expect(numbers[name], `${name} of ${JSON.stringify(numbers)}`).toBeLessThanOrEqual(limit);
      const again = await againNumbers(bridge, writer);
      expect(again['githubWrites']).toBe(0);
      expect(again['githubRequests']).toBeLessThanOrEqual(20);
    } finally {
      await bridge.close();
    }
  });
});

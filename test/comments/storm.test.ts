/** Many edits of one text: a few reports, which are farther and farther apart, and the last one shows the last text. */

import { beforeEach, describe, expect, test } from 'vitest';
import { nextReportAt } from '../../src/rules/limits/report-distance.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

let world: Stage;
beforeEach(async () => {
  world = stage();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await cycles(3);
});

async function cycles(count: number, stepMs = 61_000): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(stepMs);
    await cycle(contextOn(world, widgetRoute, { limits: testLimits }), { isForced: false });
  }
}

const mona = () => world.github.as('mona');
const onTracker = (): readonly string[] => world.tracker.commentsOf(1).map(({ text }) => text);
const version = (count: number): string => `The crash of the editor happens in version ${count} of the program.`;

interface Edited {
  edit(count: number): void;
  readonly isReport: (text: string) => boolean;
}

const texts: readonly (readonly [string, () => Edited])[] = [
  [
    'a comment',
    () => {
      const id = mona().comment(repo, 1, version(0));
      return {
        edit: (count) => mona().editComment(repo, id, version(count)),
        isReport: (text) => /mona edited/u.test(text),
      };
    },
  ],
  [
    'an issue of people',
    () => {
      const issue = mona().open(repo, { title: 'Two', body: version(0) });
      return {
        edit: (count) => mona().edit(repo, issue, { body: version(count) }),
        isReport: (text) => /edited/u.test(text),
      };
    },
  ],
];

const everyComment = (): readonly string[] =>
  [...world.tracker.state.bugs.keys()].flatMap((bug) => world.tracker.commentsOf(bug).map(({ text }) => text));

test.each(texts)('fifty edits of %s, a minute apart, become less than ten reports', async (_name, begin) => {
  const { edit, isReport } = begin();
  await cycles(3);
  for (let count = 1; count <= 50; count += 1) {
    edit(count);
    await cycles(1);
  }
  expect(everyComment().filter(isReport).length).toBeLessThan(10);
  expect(everyComment().filter(isReport).length).toBeGreaterThan(3);
  await cycles(6, 3_700_000);
  expect(everyComment().filter(isReport).at(-1)).toMatch(/version \S*50\S* of/u);
  const reports = everyComment().filter(isReport).length;
  await cycles(6, 3_700_000);
  expect(everyComment().filter(isReport).length).toBe(reports);
});

test('comments of others, and edits of other texts, do not wait for them', async () => {
  const [id, other] = [
    mona().comment(repo, 1, version(0)),
    mona().comment(repo, 1, 'Another text of mine, which stays.'),
  ];
  await cycles(2);
  for (let count = 1; count <= 8; count += 1) {
    mona().editComment(repo, id, version(count));
    await cycles(1);
  }
  mona().comment(repo, 1, 'A new comment.');
  mona().editComment(repo, other, 'Another text of mine, which changes.');
  mona().close(repo, 1, 'completed');
  await cycles(2);
  expect(onTracker().some((text) => text.includes('A new comment.'))).toBe(true);
  expect(onTracker().some((text) => text.includes('which [-…-]{+changes+}.'))).toBe(true);
  expect(world.tracker.bug(1)?.status).toBe('RESOLVED');
});

test('an edit that is taken back in the meantime is not reported', async () => {
  const id = mona().comment(repo, 1, version(0));
  await cycles(2);
  for (let count = 1; count <= 3; count += 1) {
    mona().editComment(repo, id, version(count));
    await cycles(1);
  }
  const before = onTracker().length;
  mona().editComment(repo, id, version(9));
  await cycles(1);
  mona().editComment(repo, id, version(3));
  await cycles(8);
  expect(onTracker().length).toBe(before);
});

describe('the distance', () => {
  test.each([
    [0, 0],
    [2, 0],
    [3, 120_000],
    [4, 240_000],
    [10, 4 * 3_600_000],
    [50, 4 * 3_600_000],
  ])('after %i reports', (count, distance) => {
    expect(nextReportAt(Array.from({ length: count }, (_, index) => 1_000 + index))).toBe(
      distance === 0 ? 0 : 999 + count + distance,
    );
  });
});

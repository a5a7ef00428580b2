import { expect, test } from 'vitest';
import { sizePage } from './page.ts';
import { rehearse } from './size.ts';

/** `npm run bench -- size` at a small size: what it counts is as little for each bug, and nothing differs. */
const bugs = 120;
const days = 1;
/** It starts the program eleven times. */
const waitMs = 1_500_000;

test(
  'a whole tracker moves, lives, is left and archived without a difference, within GitHub’s limits',
  async () => {
    const rehearsed = await rehearse(bugs, days, () => undefined);
    const { numbers } = rehearsed.whole;
    expect(rehearsed.differences).toEqual([]);
    expect(numbers['pairs']).toBeGreaterThan(bugs * 0.9);
    expect(numbers['filesCompared']).toBeGreaterThan(bugs * 0.4);
    // The sharpest of GitHub's limits: a second between writes, 900 points a minute, 5,000 requests an hour.
    expect(numbers['shortestGapMs']).toBeGreaterThanOrEqual(1_000);
    expect(numbers['mostPointsInAMinute']).toBeLessThanOrEqual(900);
    expect(numbers['mostRequestsInAnHour']).toBeLessThanOrEqual(5_000);
    const phase = (name: string) => rehearsed.phases.find((each) => each.name === name)?.numbers ?? {};
    // Measured are 290: V8 takes room as it likes, with no flag set. With flags, 130.
    expect(numbers['mostMb']).toBeLessThan(340);
    expect(phase('migrate')).toMatchObject({ kills: 5, mails: 0, trackerWritesPerBug: 0 });
    expect(phase('verify')).toMatchObject({ githubWritesPerBug: 0, trackerWritesPerBug: 0 });
    // Each pair that is left is one request and one mail.
    expect(phase('cutover')['trackerWritesPerBug']).toBeLessThanOrEqual(1.2);
    expect(phase('compare the archive')).toMatchObject({ githubWritesPerBug: 0, trackerWritesPerBug: 0 });
    expect(sizePage(rehearsed, bugs)).toContain(`**This run had ${bugs} bugs**`);
  },
  waitMs,
);

import { beforeEach, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/model/reports/verification.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { previewOf } from '../../src/sync/preview.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { linesOf, type Mirror, mirrored, verified } from './mirror.ts';

/** What waits in the queue of the bridge is no difference, and only that: the rest still needs somebody. */
let mirror: Mirror;

beforeEach(async () => {
  mirror = await mirrored();
});

/** The cycle stops before its first write, as it does when the creations of an hour are used up. */
async function planned(): Promise<void> {
  mirror.world.clock.advance(61_000);
  await previewOf(mirror.context);
}

const waitingIn = ({ pairs }: VerifyReport): readonly string[] =>
  pairs.flatMap(({ waiting }) => waiting.map(({ aspect, about, words }) => `${aspect}: ${about} ${words}`)).sort();

/** Changes of each kind on both sides. */
function change(): void {
  const { world, at } = mirror;
  const alice = world.tracker.as('alice');
  alice.change(at.bug, { summary: 'Crash on opening', severity: 'minor', target_milestone: '---' });
  alice.change(at.other, { status: 'RESOLVED', resolution: 'FIXED' });
  alice.comment(at.bug, 'A third thought.');
  alice.file({ summary: 'A new one', description: 'Look.' });
  world.github.as('mona').open(repo, { title: 'A new issue', body: 'It fails.' });
  world.github.as('mona').comment(repo, at.opened, 'One more thing.');
}

test('what the queue holds waits, and is no difference', async () => {
  change();
  await planned();
  const report = await verified(mirror.context);
  expect(linesOf(report)).toEqual([]);
  expect(waitingIn(report)).toEqual([
    expect.stringMatching(/^comment: comment \d+ is missing on GitHub/u),
    expect.stringMatching(/^comment: comment \d+ on GitHub is missing on the tracker/u),
    expect.stringMatching(/^counterpart: #\d+ has no bug/u),
    expect.stringMatching(/^counterpart: bug \d+ has no issue/u),
    'label: label "severity: major" should not be on GitHub',
    'label: label "severity: minor" is missing on GitHub',
    'milestone: milestone differs',
    'state: state differs',
    'title: title differs',
  ]);
});

test('what no cycle has seen yet still differs', async () => {
  change();
  const report = await verified(mirror.context);
  expect(waitingIn(report)).toEqual([]);
  expect(linesOf(report).length).toBeGreaterThan(8);
});

test('beside a write that waits, another value of the pair still differs', async () => {
  const { world, at } = mirror;
  world.tracker.as('alice').change(at.bug, { summary: 'Crash on opening' });
  world.tracker.as('alice').comment(at.bug, 'A third thought.');
  await planned();
  const copy = world.github.commentsOf(repo, at.issue).find(({ body }) => body.includes('First thought'));
  world.github.as('mona').editComment(repo, copy?.id ?? 0, (copy?.body ?? '').replace('First', 'Last'));
  const report = await verified(mirror.context);
  expect(linesOf(report)).toEqual([expect.stringContaining('comment 1')]);
  expect(waitingIn(report)).toEqual([
    expect.stringMatching(/^comment: comment \d+ is missing/u),
    'title: title differs',
  ]);
});

test('what must not be shown never waits, although its withdrawal does', async () => {
  const { world, at } = mirror;
  const [, first] = world.tracker.commentsOf(at.bug);
  world.tracker.as('admin').change(at.bug, { comment_is_private: { [first?.id ?? 0]: true } });
  world.tracker.as('alice').change(at.other, { summary: 'The other two' });
  await planned();
  const report = await verified(mirror.context);
  expect(linesOf(report)).toEqual([expect.stringContaining('private')]);
  expect(waitingIn(report)).toEqual(['title: title differs']);
});

test.each([3, 7, 200])(
  'a thread of which a cycle of %i writes took a part waits, and nothing was imported',
  async (max) => {
    const world = stage();
    for (const bug of [1, 2, 3]) {
      world.tracker.as('alice').file({ summary: `Bug ${bug}`, description: 'It fails.' });
      for (let each = 1; each <= 6; each += 1) world.tracker.as('bob').comment(bug, `Thought ${each}.`);
    }
    const allowances = { tracker: [], github: [{ windowMs: 60_000, pointsMax: 5, name: 'creations a minute' }] };
    const context = contextOn(world, widgetRoute, { limits: { ...testLimits, writesPerCycle: max }, allowances });
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
    const report = await verified(context);
    expect([linesOf(report), report.notJudged]).toEqual([[], []]);
    expect(waitingIn(report)).toContainEqual(expect.stringMatching(/^comment: comment \d+ is missing on GitHub/u));
  },
);

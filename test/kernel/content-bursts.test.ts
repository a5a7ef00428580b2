import { expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import type { Allowance } from '../../src/rules/limits/brake-and-budget.ts';
import { repoNamed } from '../../src/sandbox/github/world/state.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * I6: bursts of what GitHub counts as content, beside issues and comments, against a GitHub that allows 15 of them a
 * minute and refuses the next one.
 */
const perMinute = 15;
const atRate = (pointsMax: number, risesTo?: number): readonly Allowance[] => [
  { windowMs: 60_000, pointsMax, name: 'creations a minute', ...(risesTo === undefined ? {} : { risesTo }) },
  { windowMs: 3_600_000, pointsMax: 500, name: 'creations an hour' },
];

function world(creationsPerMinute = perMinute): Stage {
  const made = stage();
  Object.assign(made.github.limits, { creationsPerMinute });
  return made;
}

async function minutes(on: Stage, route: Route, count: number, allowances = atRate(perMinute)): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    const isPaused = on.store.budgets.backoffOf('github', on.clock.now()) !== null;
    const context = contextOn(on, route, { limits: testLimits, allowances: { github: allowances } });
    if (!isPaused) await cycle(context, { isForced: false });
    on.clock.advance(60_000);
  }
}

const refusals = (on: Stage): number => on.github.requests.filter(({ status }) => status === 403).length;
const madeOf = (on: Stage, kind: string): number => on.github.creations.filter((each) => each.kind === kind).length;

const fieldRoute: Route = {
  ...widgetRoute,
  labels: [
    { from: 'severity', as: '{value}', both: true, field: 'Severity' },
    { from: 'priority', as: '{value}', both: true, field: 'Priority' },
    { from: 'keywords', as: '{value}', both: true, field: 'Words' },
  ],
};
function setFields(on: Stage): void {
  on.github.setFields(repo, [
    { name: 'Severity', kind: 'single_select', options: ['normal', 'major'] },
    { name: 'Priority', kind: 'single_select', options: ['High', 'Low'] },
    { name: 'Words', kind: 'multi_select', options: ['regression', 'crash'] },
  ]);
}
const shown = (on: Stage) => on.github.issues(repo).map(({ fields }) => JSON.stringify(fields));
/** An issue shows these values, and nothing else. */
const all = (on: Stage, fields: object): boolean => shown(on).every((each) => each === JSON.stringify(fields));

test('the values of 300 new issues come with them, and change at the rate of creations', async () => {
  const on = world();
  setFields(on);
  const alice = on.tracker.as('alice');
  for (let bug = 0; bug < 300; bug += 1) alice.file({ summary: `Bug ${bug}`, severity: 'normal', priority: 'High' });
  await minutes(on, fieldRoute, 24);
  expect([on.github.issues(repo).length, madeOf(on, 'field value'), refusals(on)]).toEqual([300, 0, 0]);
  expect(all(on, { Severity: 'normal', Priority: 'High' })).toBe(true);
  for (let bug = 1; bug <= 50; bug += 1) alice.change(bug, { severity: 'major', priority: 'Low' });
  await minutes(on, fieldRoute, 5);
  expect([madeOf(on, 'field value'), refusals(on)]).toEqual([50, 0]);
  expect(shown(on).filter((each) => each === JSON.stringify({ Severity: 'major', Priority: 'Low' })).length).toBe(50);
});

test('each cleared field is a creation of its own, and one that has to wait loses nothing', async () => {
  const on = world();
  setFields(on);
  const alice = on.tracker.as('alice');
  const keywords = { set: ['regression', 'crash'] };
  for (let bug = 1; bug <= 40; bug += 1) {
    alice.file({ summary: `Bug ${bug}`, severity: 'normal', priority: 'High' });
    alice.change(bug, { keywords });
  }
  await minutes(on, fieldRoute, 8);
  expect(all(on, { Severity: 'normal', Priority: 'High', Words: ['regression', 'crash'] })).toBe(true);
  // The first has no such option, and the others none at all.
  for (let bug = 1; bug <= 40; bug += 1)
    alice.change(bug, { severity: 'critical', priority: '---', keywords: { set: [] } });
  await minutes(on, fieldRoute, 12);
  expect([madeOf(on, 'field value'), refusals(on)]).toEqual([120, 0]);
  expect(all(on, {})).toBe(true);
  for (const { severity, priority, keywords: words } of on.tracker.bugs())
    expect([severity, priority, words]).toEqual(['critical', '---', []]);
});

test('hundreds of dependencies go at the rate of creations, up to as many as GitHub takes', async () => {
  const on = world();
  const route: Route = { ...widgetRoute, dependencies: true };
  const alice = on.tracker.as('alice');
  const blockers = Array.from({ length: 60 }, (_, index) => alice.file({ summary: `Blocker ${index}` }));
  const waiting = [alice.file({ summary: 'It waits' }), alice.file({ summary: 'So does this' })];
  await minutes(on, route, 8);
  for (const bug of waiting) alice.change(bug, { depends_on: { add: blockers } });
  await minutes(on, route, 30);
  const blocked = () =>
    on.github.issues(repo).flatMap(({ blockedBy }) => (blockedBy.length > 0 ? [blockedBy.length] : []));
  expect([blocked(), madeOf(on, 'dependency'), refusals(on)]).toEqual([[50, 50], 100, 0]);
  expect(on.tracker.bugs().filter(({ depends_on: list }) => list.length === 60).length).toBe(2);
  for (const bug of waiting) alice.change(bug, { depends_on: { set: [] } });
  await minutes(on, route, 30);
  expect([blocked(), madeOf(on, 'dependency'), refusals(on)]).toEqual([[], 200, 0]);
});

test.each([true, false])(
  'a refused burst waits, learns the rate and loses nothing (retry-after: %s)',
  async (sends) => {
    const on = world(80);
    setFields(on);
    const route: Route = { ...fieldRoute, dependencies: true };
    const alice = on.tracker.as('alice');
    const bugs = Array.from({ length: 30 }, (_, index) => alice.file({ summary: `Bug ${index}`, severity: 'normal' }));
    await minutes(on, route, 4, atRate(20));
    Object.assign(on.github.limits, { creationsPerMinute: 8, sendsRetryAfter: sends });
    const [first = 0, ...others] = bugs;
    alice.change(first, { depends_on: { add: others.slice(0, 20) } });
    for (const bug of others) alice.change(bug, { severity: 'major', priority: 'Low' });
    await minutes(on, route, 40, atRate(20, 80));
    expect(
      on.github
        .issues(repo)
        .map(({ blockedBy }) => blockedBy.length)
        .filter(Boolean),
    ).toEqual([20]);
    expect(shown(on).filter((each) => each.includes('major')).length).toBe(29);
    expect(refusals(on)).toBeGreaterThan(0);
    expect(refusals(on)).toBeLessThanOrEqual(4);
    expect(on.store.outbox.parked(route.name)).toEqual([]);
  },
);

test('where new releases are immutable, many files make one, and not one each', async () => {
  const on = world();
  const alice = on.tracker.as('alice');
  const home = repoNamed(on.github.state, repo);
  home.hasImmutableReleases = true;
  const rule = { store: 'release', owner: 'acme', repo: 'widget', branch: 'b', tag: 'files', bytesMax: 1_000 } as const;
  const route: Route = { ...widgetRoute, attachments: rule };
  for (const summary of ['A', 'B', 'C']) {
    const bug = alice.file({ summary });
    for (let file = 0; file < 20; file += 1)
      alice.attach(bug, {
        bytes: new TextEncoder().encode(`${summary}${file}`),
        file_name: `${file}.txt`,
        content_type: 'text/plain',
      });
  }
  await minutes(on, route, 20);
  expect([home.releases.length, madeOf(on, 'release')]).toEqual([1, 1]);
  expect(on.store.outbox.parked(route.name).length).toBeGreaterThan(0);
});

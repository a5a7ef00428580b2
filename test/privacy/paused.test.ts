import { beforeEach, describe, expect, test } from 'vitest';
import { bugId } from '../../src/model/ids.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** A route that a person has paused, alone and in the middle of a cycle. */
let world: Stage;
/** Also with a planted fault. */
let engine: { readonly cycle: typeof cycle; readonly sweep: typeof sweep };

const bugs = 12;
const summary = (index: number) => `Kettle ${index} leaks`;

async function begin(built: typeof engine = { cycle, sweep }): Promise<void> {
  world = stage();
  engine = built;
  for (let index = 0; index < bugs; index += 1)
    world.tracker.as('alice').file({ summary: summary(index), description: 'Always.' });
  for (let turns = 0; turns < 3; turns += 1) await turn();
}

async function turn(): Promise<void> {
  world.clock.advance(120_000);
  await engine.cycle(contextAs('bridge-insider'), { isForced: false });
}

const contextAs = (user: 'bridge' | 'bridge-insider') => contextOn(world, widgetRoute, { limits: testLimits, user });

const pause = () => world.store.pauses.save('widget', { at: world.clock.now(), why: 'the tracker moves' });
const resume = () => world.store.pauses.remove('widget');
const issueOf = (bug: number) => {
  const link = world.store.links.byBug(bugId(bug));
  return world.github.issues(repo).find(({ number }) => number === link?.issue);
};
const renameAll = () => {
  for (let bug = 1; bug <= bugs; bug += 1) world.tracker.as('alice').change(bug, { summary: `${summary(bug)} more` });
};
const renamed = () => world.github.issues(repo).filter((issue) => issue.title.endsWith('more')).length;

async function mirrorsNothing(): Promise<void> {
  pause();
  renameAll();
  world.github.as('mona').comment(repo, 1, 'Mine leaks, too.');
  for (let turns = 0; turns < 2; turns += 1) await turn();
  expect(renamed()).toBe(0);
  resume();
  await turn();
  expect(renamed()).toBe(bugs);
}

async function withdraws(): Promise<void> {
  pause();
  world.tracker.hide(1);
  await turn();
  expect(issueOf(1)?.title).not.toContain('leaks');
}

/** Our account no longer sees the bug, and no list says so. */
async function withdrawsWhatVanished(): Promise<void> {
  pause();
  world.tracker.hide(2);
  await engine.sweep(contextAs('bridge'), { isForced: false });
  await engine.cycle(contextAs('bridge'), { isForced: false });
  expect(issueOf(2)?.title).not.toContain('leaks');
}

async function showsNothingAgain(): Promise<void> {
  world.tracker.hide(1);
  await turn();
  pause();
  world.tracker.unhide(1);
  for (let turns = 0; turns < 2; turns += 1) await turn();
  expect(issueOf(1)).toMatchObject({ title: expect.not.stringContaining('leaks'), isLocked: true });
  resume();
  for (let turns = 0; turns < 2; turns += 1) await turn();
  expect(issueOf(1)).toMatchObject({ title: summary(0), isLocked: false });
}

/** GitHub takes nothing while the bug is hidden; once that is public again, one of its comments is not. */
async function withdrawsPartOfWhatIsShownAgain(): Promise<void> {
  const comment = world.tracker.as('alice').comment(1, 'The valve is open.');
  await turn();
  const copies = () =>
    world.github.commentsOf(repo, issueOf(1)?.number ?? 0).filter(({ body }) => body.includes('valve'));
  expect(copies()).toHaveLength(1);
  world.faults = (side, cost) =>
    side === 'github' && cost !== 'read'
      ? { kind: 'status', status: 500, isHtml: false, after: false }
      : { kind: 'none' };
  world.tracker.hide(1);
  await turn();
  world.faults = noFaults;
  expect(copies()).toHaveLength(1);
  pause();
  world.tracker.unhide(1);
  world.tracker.as('admin').change(1, { comment_is_private: { [comment]: true } });
  for (let turns = 0; turns < 2; turns += 1) await turn();
  expect(copies()).toHaveLength(0);
}

/** The four writers finish what they have begun. */
async function stopsInTheMiddle(): Promise<void> {
  renameAll();
  world.between = (side, method, when) => {
    if (side === 'github' && method === 'update' && when === 'before') pause();
  };
  await turn();
  expect(renamed()).toBeLessThanOrEqual(4);
  expect(renamed()).toBeGreaterThan(0);
  await turn();
  expect(renamed()).toBeLessThanOrEqual(4);
  world.between = () => undefined;
  resume();
  await turn();
  expect(renamed()).toBe(bugs);
}

describe('a route that a person has paused', () => {
  beforeEach(() => begin());
  test('mirrors nothing, and what changed meanwhile once it is resumed', mirrorsNothing);
  test('withdraws what becomes private', withdraws);
  test('withdraws what its full comparison misses', withdrawsWhatVanished);
  test('shows nothing again', showsNothingAgain);
  test('withdraws what is private of a bug that is public again', withdrawsPartOfWhatIsShownAgain);
  test('in the middle of a cycle stops writing at once, and goes on where it stopped', stopsInTheMiddle);
});

const faults: readonly (Fault & { readonly name: string; readonly breaks: () => Promise<void> })[] = [
  {
    name: 'a pause waits for the end of the cycle',
    file: 'kernel/backoff.ts',
    from: '  if (isPaused(context, route.name)) return {',
    to: '  if (isPaused(context, route.name) && now === 0) return {',
    breaks: stopsInTheMiddle,
  },
  {
    name: 'a pause keeps what is private public',
    file: 'sync/cycle.ts',
    from: '  await withdraw(context, planned.withdrawals);\n',
    to: '  if (!isPaused(context, context.route.name)) await withdraw(context, planned.withdrawals);\n',
    breaks: withdraws,
  },
  {
    name: 'a paused route shows again what is public again',
    file: 'sync/withdraw/withdraw.ts',
    from: "which === 'all' && !isPaused(context, link.route)",
    to: "which === 'all'",
    breaks: showsNothingAgain,
  },
  {
    name: 'what may be shown again keeps all of its bug public',
    file: 'sync/withdraw/withdraw.ts',
    from: "mayShow ? found : found.filter(({ what }) => what !== 'open');",
    to: "mayShow ? found : found.some(({ what }) => what === 'open') ? [] : found;",
    breaks: withdrawsPartOfWhatIsShownAgain,
  },
];

test.each(sample(faults, 2))('a planted fault is caught: $name', async ({ name: _name, breaks, ...fault }) => {
  const folder = plant(fault);
  const loop = (await import(`${folder}/sync/cycle.ts`)) as Pick<typeof engine, 'cycle'>;
  const walk = (await import(`${folder}/sync/sweep.ts`)) as Pick<typeof engine, 'sweep'>;
  await begin({ cycle: loop.cycle, sweep: walk.sweep });
  await expect(breaks()).rejects.toThrow();
});

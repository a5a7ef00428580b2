import { describe, expect, test } from 'vitest';
import { statusOf } from '../../src/explain/route-status.ts';
import type { Direction, Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { withPeople } from '../simulation/world/assignments.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * I8: one-way routes have one truth. What people change on the mirror is put right there, quietly, and told to whoever
 * runs the bridge.
 */
const plain: Route = withPeople({ ...widgetRoute, dependencies: true }, true);
const routeTo = (direction: Direction): Route => ({ ...plain, direction });

interface Engine {
  readonly cycle: typeof cycle;
  readonly sweep: typeof sweep;
}
const asItIs: Engine = { cycle, sweep };

const contextOf = (world: Stage, direction: Direction) =>
  contextOn(world, routeTo(direction), { limits: testLimits, user: 'bridge-insider' });

/** The writes that so many cycles made, a minute apart. */
async function run(
  world: Stage,
  direction: Direction,
  { cycle: turn }: Pick<Engine, 'cycle'> = asItIs,
  count = 4,
): Promise<readonly string[]> {
  const before = world.calls.length;
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await turn(contextOf(world, direction), { isForced: false });
  }
  return world.calls
    .slice(before)
    .filter(({ method }) => ['create', 'update', 'comment', 'rewrite', 'erase'].includes(method))
    .map(({ side, method }) => `${method} on ${side}`);
}

/** Bug 1 = issue 1, which waits for bug 2 = issue 2. */
async function mirror(): Promise<Stage> {
  const world = stage();
  const alice = world.tracker.as('alice');
  alice.file({
    summary: 'It fails',
    severity: 'critical',
    keywords: ['crash'],
    assigned_to: 'alice@example.test',
    target_milestone: '1.1',
  });
  await run(world, 'to-github', asItIs, 1);
  alice.file({ summary: 'The cause' });
  await run(world, 'to-github', asItIs, 1);
  alice.change(1, { depends_on: { add: [2] } });
  await run(world, 'to-github');
  return world;
}

/** Issue 1 = bug 1. */
async function filed(): Promise<Stage> {
  const world = stage();
  world.github
    .as('mona')
    .open(repo, { title: 'It fails', labels: ['severity: critical', 'crash'], assignees: ['mona'] });
  await run(world, 'to-tracker');
  return world;
}

const issue = (world: Stage) => {
  const { title, state, stateReason, labels, assignees, milestone, blockedBy } = world.github.issue(repo, 1) ?? {};
  return {
    title,
    state,
    stateReason,
    labels: labels?.toSorted(),
    assignees: assignees?.toSorted(),
    milestone,
    blockedBy,
  };
};

const bug = (world: Stage) => {
  const { summary, status, resolution, severity, keywords, assigned_to, component } = world.tracker.bug(1) ?? {};
  return { summary, status, resolution, severity, keywords, assigned_to, component };
};

const status = (world: Stage, direction: Direction) =>
  statusOf(world.store, routeTo(direction), { tracker: [], github: [] }, world.clock.now());

const ofBefore = {
  file: 'rules/fields/merge.ts',
  from: 'const isDrift = isKnown &&',
  to: "if (isKnown) return { kind: 'left' };\n  const isDrift = isKnown &&",
};
const ofTwoWays = { file: 'rules/fields/merge.ts', from: 'rules.oneWay === null ?', to: 'rules.decide !== null ?' };

/** Somebody adds a second severity on a mirror. */
async function labelled(engine = asItIs) {
  const world = await mirror();
  const before = issue(world);
  world.github.as('mona').label(repo, 1, 'severity: trivial');
  const writes = await run(world, 'to-github', engine);
  return { before, after: issue(world), writes };
}

describe('on a route to GitHub', () => {
  test('what people change is put right in one write, without a word, and told as what the bridge did', async () => {
    const world = await mirror();
    const before = issue(world);
    expect(before).toMatchObject({
      labels: ['component: Core', 'crash', 'severity: critical'],
      assignees: ['mona'],
      blockedBy: [2],
    });
    const mona = world.github.as('mona');
    mona.edit(repo, 1, { title: 'A visitor was here' });
    mona.close(repo, 1, 'not_planned');
    mona.label(repo, 1, 'severity: trivial', 'severity: huge', 'component: UI', 'regression');
    mona.unlabel(repo, 1, 'crash');
    mona.unassign(repo, 1, 'mona');
    mona.assign(repo, 1, 'hubot');
    mona.milestone(repo, 1, '2.0');
    expect(await run(world, 'to-github')).toEqual(['update on github']);
    expect(issue(world)).toEqual({ ...before, stateReason: 'reopened' });
    expect(world.github.commentsOf(repo, 1)).toEqual([]);
    const { isInStep, corrected } = status(world, 'to-github');
    expect({ isInStep, corrected }).toMatchObject({
      isInStep: true,
      corrected: [{ about: 'bug 1 = acme/widget#1', on: 'github' }],
    });
    expect(corrected[0]?.fields.toSorted()).toEqual([
      'assignee',
      'component',
      'keywords',
      'milestone',
      'severity',
      'status',
      'title',
    ]);
    const line = world.store.ledger.ofLink(world.store.links.after('widget', null, 1)[0]?.id as never).at(-1);
    expect(line?.detail['before']).toMatchObject({
      title: 'A visitor was here',
      status: 'not_planned',
      milestone: '2.0',
    });
  });

  test('the right label stays, also where somebody only adds another', async () => {
    const { before, after, writes } = await labelled();
    expect(writes).toEqual(['update on github']);
    expect(after).toEqual(before);
  });

  test.each([
    ['what people change is left', ofBefore],
    ['both sides decide', ofTwoWays],
  ])("a planted fault is caught, as a visitor's label stays: %s", async (_name, fault) => {
    const { before, after } = await labelled(await engineIn(plant(fault)));
    expect(after).not.toEqual(before);
  });

  test('what somebody made wait for another, or took away, is put right, although the one is in the way of the other', async () => {
    const world = await mirror();
    world.github.as('mona').unblock(repo, 1, 2);
    world.github.as('mona').block(repo, 2, 1);
    await run(world, 'to-github');
    expect([issue(world).blockedBy, world.github.issue(repo, 2)?.blockedBy]).toEqual([[2], []]);
    expect(await run(world, 'to-github')).toEqual([]);
  });

  test.each([
    ['closed for another reason', { status: 'RESOLVED', resolution: 'FIXED' }, 'not_planned'],
    ['a duplicate', { dupe_of: 2 }, 'completed'],
  ] as const)('what is %s gets its own again, and what is opened is closed', async (_what, change, wrong) => {
    const world = await mirror();
    world.tracker.as('alice').change(1, change);
    await run(world, 'to-github');
    const before = issue(world);
    const mona = world.github.as('mona');
    mona.reopen(repo, 1);
    mona.close(repo, 1, wrong);
    await run(world, 'to-github');
    expect(issue(world)).toEqual(before);
    mona.reopen(repo, 1);
    expect(await run(world, 'to-github')).toEqual(['update on github']);
    expect(issue(world)).toEqual(before);
    // Two steps of one correction are told once.
    expect(status(world, 'to-github').corrected.map(({ fields }) => fields)).toEqual([['status'], ['status']]);
  });

  test('what is theirs stays: labels, comments, assignees whom nobody knows, and a milestone where the bug has none', async () => {
    const world = await mirror();
    world.tracker.as('alice').change(1, { target_milestone: '---' });
    await run(world, 'to-github');
    const mona = world.github.as('mona');
    mona.label(repo, 1, 'help wanted');
    mona.assign(repo, 1, 'hubot-two');
    mona.milestone(repo, 1, 'Sprint 5');
    mona.comment(repo, 1, 'Me too.');
    expect(await run(world, 'to-github')).toEqual([]);
    expect(issue(world)).toMatchObject({ assignees: ['hubot-two', 'mona'], milestone: 'Sprint 5' });
    expect(issue(world).labels).toContain('help wanted');
    mona.unassign(repo, 1, 'mona');
    world.tracker.as('alice').change(1, { target_milestone: '1.1' });
    expect(await run(world, 'to-github')).toEqual(['update on github']);
    expect(issue(world)).toMatchObject({ assignees: ['hubot-two', 'mona'], milestone: '1.1' });
    expect(status(world, 'to-github').isInStep).toBe(true);
  });

  test('what GitHub does not take is not tried again and again', async () => {
    const world = await mirror();
    world.github.as('mona').unassign(repo, 1, 'mona');
    world.tracker.as('alice').change(1, { assigned_to: 'carol@example.test' });
    expect(await run(world, 'to-github')).toEqual(['update on github']);
    expect(issue(world).assignees).toEqual([]);
    expect(status(world, 'to-github').skips).toMatchObject([
      { reason: expect.stringContaining('did not accept octo') },
    ]);
  });
});

describe('on a route to the tracker', () => {
  test('what people change is put right in one write', async () => {
    const world = await filed();
    const before = bug(world);
    expect(before).toMatchObject({
      summary: 'It fails',
      severity: 'critical',
      keywords: ['crash'],
      assigned_to: 'alice@example.test',
    });
    const admin = world.tracker.as('admin');
    admin.change(1, {
      summary: 'Somebody was here',
      severity: 'trivial',
      keywords: { remove: ['crash'] },
      assigned_to: 'bob@example.test',
    });
    expect(await run(world, 'to-tracker')).toEqual(['update on tracker']);
    expect(bug(world)).toEqual(before);
    admin.change(1, { status: 'RESOLVED', resolution: 'FIXED' });
    expect(await run(world, 'to-tracker')).toEqual(['update on tracker']);
    expect(bug(world)).toMatchObject({ ...before, status: 'CONFIRMED' });
    world.github.as('mona').close(repo, 1, 'completed');
    await run(world, 'to-tracker');
    admin.change(1, { status: 'CONFIRMED' });
    await run(world, 'to-tracker');
    expect(bug(world)).toMatchObject({ status: 'RESOLVED', resolution: 'FIXED' });
    const { isInStep, corrected } = status(world, 'to-tracker');
    expect([isInStep, corrected.map(({ on, fields }) => `${on} ${fields.toSorted().join()}`)]).toEqual([
      true,
      ['tracker status', 'tracker status', 'tracker assignee,keywords,severity,title'],
    ]);
  });

  test('what GitHub says nothing of stays as the tracker has it', async () => {
    const world = await filed();
    world.github.as('mona').unassign(repo, 1, 'mona');
    await run(world, 'to-tracker');
    const change = {
      keywords: { add: ['regression'] },
      component: 'UI',
      assigned_to: 'bob@example.test',
      target_milestone: '1.1',
    };
    world.tracker.as('admin').change(1, { status: 'IN_PROGRESS', ...change });
    const before = bug(world);
    expect(await run(world, 'to-tracker')).toEqual([]);
    expect(bug(world)).toEqual(before);
    expect(before).toMatchObject({ status: 'IN_PROGRESS', keywords: ['crash', 'regression'], component: 'UI' });
    expect(status(world, 'to-tracker').isInStep).toBe(true);
    // What is taken away on GitHub is a change like any other.
    world.github.as('mona').unlabel(repo, 1, 'crash');
    await run(world, 'to-tracker');
    expect(bug(world)).toEqual({ ...before, keywords: ['regression'] });
  });
});

test('both ways, nothing of this happens', async () => {
  const world = await mirror();
  world.github.as('mona').edit(repo, 1, { title: 'A better title' });
  world.github.as('mona').label(repo, 1, 'component: UI');
  await run(world, 'both');
  expect(bug(world).summary).toBe('A better title');
  expect(world.github.commentsOf(repo, 1)).toMatchObject([
    { body: expect.stringContaining('"component: UI" was removed again') },
  ]);
  expect(status(world, 'both').corrected).toEqual([]);
});

async function engineIn(folder: string): Promise<Engine> {
  const [loop, walk] = [await import(`${folder}/sync/cycle.ts`), await import(`${folder}/sync/sweep.ts`)];
  return { cycle: loop.cycle, sweep: walk.sweep };
}

/** A mirror that a bridge let drift which did not put such things right yet. */
async function drifted(): Promise<Stage> {
  const world = await mirror();
  world.github.as('mona').edit(repo, 1, { title: 'A visitor was here' });
  expect(await run(world, 'to-github', await engineIn(plant(ofBefore)))).toEqual([]);
  expect(await run(world, 'to-github')).toEqual([]);
  return world;
}

test('what drifted before is put right by the next full comparison', async () => {
  const world = await drifted();
  await sweep(contextOf(world, 'to-github'), { isForced: false });
  expect(await run(world, 'to-github')).toEqual(['update on github']);
  expect(issue(world).title).toBe('It fails');
  await sweep(contextOf(world, 'to-github'), { isForced: false });
  expect(world.store.links.wanting('widget', 9)).toEqual([]);
});

test('a planted fault is caught: the full comparison does not look at what drifted', async () => {
  const blind = plant({
    file: 'sync/sweep.ts',
    from: '      markDriftedDirty(context, side, listing.items);\n',
    to: '',
  });
  const world = await drifted();
  await (await engineIn(blind)).sweep(contextOf(world, 'to-github'), { isForced: false });
  expect(await run(world, 'to-github')).toEqual([]);
});

describe('a program that keeps writing', () => {
  /** Closes the issue whenever it is open, eight times. */
  async function submitWithFallback(engine: Engine = asItIs): Promise<Stage> {
    const world = await mirror();
    for (let time = 0; time < 8; time += 1) {
      if (issue(world).state === 'open') world.github.as('hubot').close(repo, 1, 'not_planned');
      await run(world, 'to-github', engine, 2);
    }
    return world;
  }

  test('has it its way after five times, and a person hears of it', async () => {
    const world = await submitWithFallback();
    expect(issue(world).state).toBe('closed');
    expect(status(world, 'to-github').corrected).toHaveLength(5);
    expect(status(world, 'to-github')).toMatchObject({
      isInStep: false,
      needsPerson: true,
      skips: [{ about: 'acme/widget#1', reason: expect.stringContaining('status was reset 5 times within a day') }],
    });
  });

  test('does not keep the bug from being heard, and whatever is written takes the rest along', async () => {
    const world = await submitWithFallback();
    world.tracker.as('alice').change(1, { severity: 'major' });
    expect(await run(world, 'to-github')).toEqual(['update on github']);
    expect(issue(world)).toMatchObject({ state: 'open', labels: expect.arrayContaining(['severity: major']) });
  });

  test('is asked again by a full comparison a day later', async () => {
    const world = await submitWithFallback();
    await sweep(contextOf(world, 'to-github'), { isForced: false });
    expect(await run(world, 'to-github')).toEqual([]);
    world.clock.advance(86_400_000);
    await sweep(contextOf(world, 'to-github'), { isForced: false });
    expect(await run(world, 'to-github')).toEqual(['update on github']);
    expect(issue(world).state).toBe('open');
    expect(status(world, 'to-github').isInStep).toBe(true);
  });

  test('a planted fault is caught: it is answered for ever', async () => {
    const endless = plant({ file: 'rules/fields/merge.ts', from: 'length >= correctionsMax', to: 'length > 99' });
    expect(status(await submitWithFallback(await engineIn(endless)), 'to-github').corrected.length).toBeGreaterThan(5);
  });
});

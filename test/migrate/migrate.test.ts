import { expect, test } from 'vitest';
import { forecast } from '../../src/migrate/forecast.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { contextOn, repo, type Stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { cyclesOn, importerOn, importStage, migrateOn, oneWay, writesOf } from './bench.ts';

/** Bugs of every kind that a migration has to tell apart. */
function filled(): Stage {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= 8; index += 1) {
    const bug = alice.file({ summary: `Bug ${index}`, description: `It fails, see bug ${Math.max(1, index - 1)}.` });
    world.clock.advance(3_600_000);
    alice.comment(bug, `Comment on ${index}, which is not bug 8.`);
    world.clock.advance(3_600_000);
  }
  alice.change(2, { status: 'RESOLVED', resolution: 'FIXED' });
  alice.change(3, { status: 'RESOLVED', resolution: 'WONTFIX' });
  alice.change(4, { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 });
  alice.change(5, { status: 'IN_PROGRESS' });
  alice.comment(6, `A log\n${'a line of it\n'.repeat(5_000)}`);
  world.tracker.hide(7);
  world.tracker.as('bridge-insider').comment(8, 'Secret', { isPrivate: true });
  world.clock.advance(86_400_000);
  return world;
}

const shown = ({ github }: Stage) =>
  github.issues(repo).map((issue) => ({
    title: issue.title,
    state: issue.stateReason ?? issue.state,
    labels: issue.labels.filter((label) => label.startsWith('status')),
    comments: github.commentsOf(repo, issue.number).length,
  }));

test('every public bug is imported once with its comments, its dates and its state, and the mirror has nothing left to do', async () => {
  const world = filled();
  expect(await migrateOn(world)).toEqual({ imported: 7, parked: 0, placeholders: 0, stopped: null });
  expect(shown(world)).toEqual([
    { title: 'Bug 1', state: 'open', labels: [], comments: 1 },
    { title: 'Bug 2', state: 'completed', labels: [], comments: 1 },
    { title: 'Bug 3', state: 'not_planned', labels: [], comments: 1 },
    { title: 'Bug 4', state: 'duplicate', labels: [], comments: 1 },
    { title: 'Bug 5', state: 'open', labels: ['status: in progress'], comments: 1 },
    { title: 'Bug 6', state: 'open', labels: [], comments: 3 },
    { title: 'Bug 8', state: 'open', labels: [], comments: 1 },
  ]);
  const [first] = world.github.issues(repo);
  const [comment] = world.github.commentsOf(repo, first?.number ?? 0);
  expect(first?.createdAt).toBe(world.tracker.bug(1)?.createdAt);
  expect(comment?.createdAt).toBe(world.tracker.commentsOf(1)[1]?.at);
  expect(world.github.creations).toEqual([]);
  expect(await cyclesOn(world, 3)).toEqual([]);
  expect(world.store.links.count('widget')).toMatchObject({ whole: 7, wanting: 0 });
});

test('a second migration writes nothing', async () => {
  const world = filled();
  await migrateOn(world);
  const before = writesOf(world).length;
  expect(await migrateOn(world)).toMatchObject({ imported: 0, parked: 0 });
  expect(writesOf(world).slice(before)).toEqual([]);
});

test('what is private is neither imported nor named', async () => {
  const world = filled();
  await migrateOn(world);
  const all = world.github
    .issues(repo)
    .flatMap(({ number, title, body }) => [
      title,
      body,
      ...world.github.commentsOf(repo, number).map((each) => each.body),
    ]);
  expect(all.join('\n')).not.toMatch(/Bug 7\b|Secret/);
});

test('a limit leaves the rest for the next run', async () => {
  const world = filled();
  expect(await migrateOn(world, { limit: 3 })).toMatchObject({ imported: 3 });
  expect(world.github.issues(repo)).toHaveLength(3);
  expect(await migrateOn(world)).toMatchObject({ imported: 4 });
  expect(world.github.issues(repo)).toHaveLength(7);
});

test('without the right to import nothing is written, and the operator is told what to do', async () => {
  const world = filled();
  world.github.allow(repo, 'bugferry-bot', 'write');
  await expect(migrateOn(world)).rejects.toMatchObject({ kind: expect.stringMatching(/unauthorized|refused/) });
  expect(world.github.issues(repo)).toEqual([]);
});

test('an import that GitHub refuses is parked, and the rest goes on', async () => {
  const world = filled();
  Object.assign(world.github.limits, { refusedImports: 'Bug 3' });
  const report = await migrateOn(world);
  expect(report).toMatchObject({ imported: 6, parked: 1 });
  const [parked] = world.store.outbox.parked('widget');
  expect(parked?.why).toMatch(/could not import/);
  expect(world.github.issues(repo).map(({ title }) => title)).not.toContain('Bug 3');
  expect(await migrateOn(world)).toMatchObject({ imported: 0, parked: 1 });
});

test('who has no part in the repository is left out, and not the bug', async () => {
  const world = filled();
  world.tracker.as('alice').change(1, { assigned_to: 'bob@example.test' });
  world.github.allow(repo, 'octo', null);
  const people = {
    github: new Map([['bob@example.test', 'octo']]),
    tracker: new Map([['octo', 'bob@example.test']]),
    nobody: [],
  };
  const route: Route = { ...oneWay, direction: 'both', assignee: true, people };
  expect(await migrateOn(world, { route })).toMatchObject({ imported: 7, parked: 0 });
  await cyclesOn(world, 3, route);
  expect(world.github.issues(repo)).toHaveLength(7);
  expect(world.tracker.bug(1)?.assigned_to).toBe('bob@example.test');
});

test('imports that overtake each other, and take minutes, end the same', async () => {
  const world = filled();
  Object.assign(world.github.limits, { importDelaysMs: [120_000, 1_000, 30_000, 400_000] });
  expect(await migrateOn(world)).toMatchObject({ imported: 7, parked: 0 });
  expect(
    shown(world)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(['Bug 1', 'Bug 2', 'Bug 3', 'Bug 4', 'Bug 5', 'Bug 6', 'Bug 8']);
  expect(await cyclesOn(world, 3)).toEqual([]);
});

test('what is refused for a while is tried again before the migration ends', async () => {
  const world = filled();
  let count = 0;
  world.faults = (side, cost) => {
    if (side === 'tracker' || cost === 'read') return { kind: 'none' };
    count += 1;
    return count % 3 === 0
      ? { kind: 'limited', status: 429, retryAfterSeconds: 30 }
      : count % 5 === 0
        ? { kind: 'drop', after: count % 2 === 0 }
        : { kind: 'none' };
  };
  expect(await migrateOn(world)).toMatchObject({ parked: 0 });
  world.faults = () => ({ kind: 'none' });
  expect(shown(world).map(({ state }) => state)).toEqual(
    expect.arrayContaining(['completed', 'not_planned', 'duplicate']),
  );
  expect(await cyclesOn(world, 3)).toEqual([]);
});

test('imports that are on their way when the state is lost are waited for, and not made again', async () => {
  const world = filled();
  Object.assign(world.github.limits, { importDelaysMs: [600_000] });
  const direct = importerOn(world);
  const cut = async (): Promise<never> => {
    throw new SideError('refused', 'cut off', { side: 'github' });
  };
  await expect(migrateOn(world, { importer: { ...direct, since: cut } })).rejects.toThrow('cut off');
  expect(world.github.issues(repo)).toEqual([]);
  const forgetful: Stage = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
  expect(await migrateOn(forgetful)).toMatchObject({ imported: 0, parked: 0 });
  expect(shown(world)).toHaveLength(7);
});

test('types and fields of the organisation, which an import cannot carry, are on the issues when it is done', async () => {
  const world = filled();
  const route: Route = {
    ...oneWay,
    labels: [
      { from: 'severity', as: '{value}', both: true, isType: true },
      { from: 'priority', as: '{value}', both: true, field: 'Priority' },
    ],
  };
  world.github.setTypes(repo, ['Normal', 'Major']);
  world.github.setFields(repo, [{ name: 'Priority', kind: 'single_select', options: ['Normal', 'High'] }]);
  world.tracker.as('alice').change(1, { severity: 'major', priority: 'High' });
  world.tracker.as('alice').change(2, { severity: 'normal', priority: 'Low' });
  await migrateOn(world, { route });
  const shown = () => world.github.issues(repo).map(({ type, fields }) => [type, fields]);
  expect(shown().slice(0, 2)).toEqual([
    ['Major', { Priority: 'High' }],
    ['Normal', {}],
  ]);
  const before = writesOf(world).length;
  expect(await migrateOn(world, { route })).toMatchObject({ imported: 0 });
  // GraphQL reads the fields of the repository.
  expect(writesOf(world).slice(before)).toEqual(['POST /graphql']);
});

test('types and fields that follow an import are counted in the forecast, as they are then asked for', async () => {
  const world = filled();
  const labels: Route['labels'] = [
    { from: 'severity', as: '{value}', both: false, isType: true },
    { from: 'priority', as: '{value}', both: false, field: 'Priority' },
  ];
  world.github.setTypes(repo, ['Normal']);
  world.github.setFields(repo, [{ name: 'Priority', kind: 'single_select', options: ['---'] }]);
  const importer = importerOn(world);
  const forecastOf = (rules: Route['labels']) => {
    const context = contextOn(world, { ...oneWay, labels: rules }, { limits: testLimits });
    return forecast({ context, importer, numbers: 'free', limit: null, tell: () => {} }, importer, 0);
  };
  const [plain, typed] = [await forecastOf([]), await forecastOf(labels)];
  expect([plain.types, plain.fields, typed.types, typed.fields]).toEqual([0, 0, 7, 7]);
  const [less, more] = [plain.work.import, typed.work.import];
  expect([more.reads - less.reads, more.writes - less.writes]).toEqual([21, 14]);
  expect(typed.work.api).toEqual(plain.work.api);
  const before = world.github.requests.length;
  await migrateOn(world, { route: { ...oneWay, labels } });
  const asked = world.github.requests
    .slice(before)
    .filter(({ path }) => /\/issues\/\d+(?:\/issue-field-values)?$/u.test(path));
  expect(asked.filter(({ method }) => method !== 'GET')).toHaveLength(14);
});

/** A bug, and issues of people: one is closed, and one names nothing. Each has a comment. */
function withIssues(): Stage {
  const world = importStage();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  const mona = world.github.as('mona');
  for (const title of ['It hangs', 'It leaks', 'It is slow'])
    mona.comment(repo, mona.open(repo, { title, body: '' }), 'Here, too.');
  mona.close(repo, 1, 'not_planned');
  world.clock.advance(61_000);
  return world;
}

async function mailsOf(route: Route, run = forecast): Promise<readonly [told: number, sent: number, filed: number]> {
  const world = withIssues();
  const [context, importer] = [contextOn(world, route, { limits: testLimits }), importerOn(world)];
  const { mails, filed } = await run({ context, importer, numbers: 'free', limit: null, tell: () => {} }, importer, 0);
  const fresh = withIssues();
  await migrateOn(fresh, { route });
  const sent = fresh.calls.filter(
    ({ side, method }) => side === 'tracker' && ['create', 'update', 'comment'].includes(method),
  ).length;
  return [mails, sent, filed.bugs];
}

test('issues without a bug become bugs, and the forecast counts the mails', async () => {
  const both: Route = { ...oneWay, direction: 'both', pointer: 'with-next-change' };
  expect(await mailsOf(both)).toEqual([6, 6, 3]);
  expect(await mailsOf({ ...both, pointer: 'now' })).toEqual([7, 7, 3]);
  expect(await mailsOf(oneWay)).toEqual([0, 0, 0]);
  const fault = { file: 'migrate/forecast.ts', from: 'mails: pointers + filed.mails', to: 'mails: pointers' };
  const { forecast: planted }: { forecast: typeof forecast } = await import(`${plant(fault)}/migrate/forecast.ts`);
  expect(await mailsOf(both, planted)).not.toEqual([6, 6, 3]);
});

test.each([
  ['to-github', true],
  ['to-github', false],
  ['both', true],
  ['both', false],
] as const)(
  'what follows an import is no edit of people: nothing is said of it, and nothing travels back (%s, both: %s)',
  async (direction, both) => {
    const world = importStage();
    const route: Route = {
      ...oneWay,
      direction,
      labels: [
        { from: 'severity', as: '{value}', both, isType: true },
        { from: 'priority', as: '{value}', both, field: 'Priority' },
        { from: 'keywords', as: '{value}', both, field: 'Keywords' },
      ],
    };
    world.github.setTypes(repo, ['Major']);
    const fields = [
      { name: 'Priority', kind: 'single_select', options: ['High'] },
      { name: 'Keywords', kind: 'multi_select', options: ['crash'] },
    ] as const;
    world.github.setFields(repo, fields);
    const draft = { description: 'It fails.', severity: 'major', priority: 'High', keywords: ['crash'] };
    const bug = world.tracker.as('alice').file({ summary: 'Bug 1', ...draft });
    world.clock.advance(86_400_000);
    await migrateOn(world, { route });
    await cyclesOn(world, 3, route);
    const [issue] = world.github.issues(repo);
    expect(issue).toMatchObject({ type: 'Major', fields: { Priority: 'High', Keywords: ['crash'] } });
    expect(world.github.commentsOf(repo, issue?.number ?? 0)).toEqual([]);
    expect(world.tracker.bug(bug)).toMatchObject({ severity: 'major', priority: 'High', keywords: ['crash'] });
  },
);

import { expect, test } from 'vitest';
import { forecast } from '../../src/migrate/forecast.ts';
import type { Route } from '../../src/model/route.ts';
import { contextOn, repo, type Stage } from '../simulation/stage.ts';
import { testLimits } from '../support/routes.ts';
import { verified } from '../verify/mirror.ts';
import { cyclesOn, importerOn, importStage, migrateOn, oneWay } from './bench.ts';

/** Twelve bugs, of which 4 is private, 7 deleted and 9 of another product. */
function filled(): Stage {
  const world = importStage();
  world.tracker.addProduct('Gizmo');
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= 12; index += 1) {
    const bug = alice.file({
      summary: `Trouble ${index}`,
      description: `See bug ${13 - index}.`,
      ...(index === 9 ? { product: 'Gizmo' } : {}),
    });
    alice.comment(bug, `Comment on ${index}`);
  }
  world.tracker.hide(4);
  world.tracker.remove(7);
  world.clock.advance(86_400_000);
  return world;
}

const titles = ({ github }: Stage) =>
  github.issues(repo).map(({ number, title, state }) => `${number} ${title}${state === 'closed' ? ', closed' : ''}`);

const all = [
  ...[
    '1 Trouble 1',
    '2 Trouble 2',
    '3 Trouble 3',
    '4 Number 4 is not used, closed',
    '5 Trouble 5',
    '6 Trouble 6',
    '7 Number 7 is not used, closed',
    '8 Trouble 8',
  ],
  ...['9 Number 9 is not used, closed', '10 Trouble 10', '11 Trouble 11', '12 Trouble 12'],
];

test('every mirrored bug has the issue of its number, and closed issues hold the others', async () => {
  const world = filled();
  expect(await migrateOn(world, { numbers: 'keep' })).toEqual({
    imported: 9,
    placeholders: 3,
    parked: 0,
    stopped: null,
  });
  expect(titles(world)).toEqual(all);
  expect(await cyclesOn(world, 3)).toEqual([]);
  expect(await migrateOn(world, { numbers: 'keep' })).toMatchObject({ imported: 0, placeholders: 0, stopped: null });
  expect(titles(world)).toEqual(all);
});

test('references lead to the issue of the number from the beginning', async () => {
  const world = filled();
  await migrateOn(world, { numbers: 'keep' });
  const bodyOf = (number: number) => world.github.issue(repo, number)?.body;
  expect(bodyOf(1)).toContain('[bug 12](https://github.com/acme/widget/issues/12)');
  expect(bodyOf(12)).toContain('[bug 1](https://github.com/acme/widget/issues/1)');
  expect(bodyOf(6)).not.toContain('issues/7');
});

test('nothing is said of why a number is not used', async () => {
  const world = filled();
  await migrateOn(world, { numbers: 'keep' });
  const said = [4, 7, 9].map((number) => world.github.issue(repo, number)?.body.replaceAll(/\d+/gu, 'N'));
  expect(new Set(said).size).toBe(1);
});

test('a bug that GitHub refuses in the middle keeps its number, and shifts no other', async () => {
  const world = filled();
  Object.assign(world.github.limits, { refusedImports: 'Trouble 5' });
  const events: { kind: string; about?: string }[] = [];
  expect(await migrateOn(world, { numbers: 'keep', events: events as never })).toMatchObject({ stopped: null });
  expect(events).toContainEqual(expect.objectContaining({ kind: 'parked', about: 'bug 5' }));
  expect(titles(world).map((title) => title.split(' ')[0])).toEqual(all.map((title) => title.split(' ')[0]));
  for (const [index, title] of titles(world).entries()) if (index !== 4) expect(title).toBe(all[index]);
  expect(world.github.issue(repo, 5)?.body).toContain('See [bug 8]');
  await cyclesOn(world, 3);
  expect(world.github.commentsOf(repo, 5).map(({ body }) => body)).toEqual([expect.stringContaining('Comment on 5')]);
  expect(world.store.links.count('widget').whole).toBeGreaterThanOrEqual(9);
});

test.each([
  ['an issue', (world: Stage) => world.github.as('mona').open(repo, { title: 'First' })],
  ['a pull request', (world: Stage) => world.github.as('mona').openPull(repo, { title: 'First' })],
])('it does not begin in a repository that has %s', async (_name, open) => {
  const world = filled();
  open(world);
  const before = titles(world);
  expect(await migrateOn(world, { numbers: 'keep' })).toMatchObject({
    imported: 0,
    stopped: expect.stringMatching(/numbers cannot be kept/),
  });
  expect(titles(world)).toEqual(before);
});

test('it stops when somebody else takes a number, and says what to do', async () => {
  const world = filled();
  let polls = 0;
  const direct = importerOn(world);
  const importer = {
    ...direct,
    begin: (draft: Parameters<typeof direct.begin>[0]) => {
      polls += 1;
      if (polls === 6) world.github.as('mona').open(repo, { title: 'Me too' });
      return direct.begin(draft);
    },
  };
  const report = await migrateOn(world, { numbers: 'keep', importer });
  expect(report.stopped).toMatch(/number 6 .* GitHub gave 7/);
  expect(world.github.issues(repo)).toHaveLength(7);
});

test('a limit stops between two numbers, and the next run goes on behind it', async () => {
  const world = filled();
  expect(await migrateOn(world, { numbers: 'keep', limit: 5 })).toMatchObject({ imported: 5 });
  expect(await migrateOn(world, { numbers: 'keep' })).toMatchObject({ imported: 4, stopped: null });
  expect(titles(world)).toEqual(all);
});

test('imports that take long, and answers that get lost, shift nothing', async () => {
  const world = filled();
  Object.assign(world.github.limits, { importDelaysMs: [60_000, 500, 5_000] });
  let count = 0;
  world.faults = (side, cost) => {
    if (side === 'tracker' || cost === 'read') return { kind: 'none' };
    count += 1;
    return count % 4 === 0 ? { kind: 'drop', after: count % 8 === 0 } : { kind: 'none' };
  };
  for (let run = 0; run < 4; run += 1) await migrateOn(world, { numbers: 'keep' });
  expect(titles(world)).toEqual(all);
});

test('of a bug that was hidden or deleted after it was read the number is held, and a comparison says so', async () => {
  const world = filled();
  const route: Route = { ...oneWay, visibilityCheck: 'anonymous' };
  expect(await migrateOn(world, { route, numbers: 'keep', limit: 5 })).toMatchObject({ imported: 5 });
  world.tracker.hide(8);
  world.tracker.remove(10);
  expect(await migrateOn(world, { route, numbers: 'keep' })).toEqual({
    imported: 2,
    placeholders: 4,
    parked: 0,
    stopped: null,
  });
  expect(titles(world).slice(7, 10)).toEqual([
    '8 Bug 8 is not public, closed',
    '9 Number 9 is not used, closed',
    '10 Bug 10 is not public, closed',
  ]);
  const context = contextOn(world, route, { limits: testLimits });
  const report = await verified(context);
  expect(report.pairs.flatMap(({ differences }) => differences)).toEqual([]);
  expect(report.pairs.find(({ bug }) => bug === 10)?.leftOut).toEqual([
    { about: 'bug 10', why: expect.stringContaining('Bug #10 does not exist.') },
  ]);
});

test('a bug whose number is held gets its issue when everybody may see it, with its description', async () => {
  const world = filled();
  await migrateOn(world, { numbers: 'keep' });
  world.tracker.unhide(4);
  await cyclesOn(world, 4);
  expect(world.github.issue(repo, 4)).toMatchObject({ title: 'Trouble 4', state: 'open' });
  expect(world.github.issue(repo, 4)?.body).toMatch(/opened \[bug 4\][\s\S]*bug 9/u);
  expect(world.github.issue(repo, 4)?.body).not.toContain('This number has none');
  expect(await cyclesOn(world, 2)).toEqual([]);
});

test('nobody is told that an issue waits which only holds its number', async () => {
  const world = filled();
  await migrateOn(world, { numbers: 'keep' });
  expect(world.store.findings.ofRoute('widget', 100).skips).toEqual([]);
});

test('a forecast counts what is left of the numbers, and a look or two for each', async () => {
  const world = filled();
  await migrateOn(world, { numbers: 'keep', limit: 5 });
  const importer = importerOn(world);
  const context = contextOn(world, oneWay, { limits: testLimits });
  const left = await forecast({ context, importer, numbers: 'keep', limit: null, tell: () => {} }, importer, 0);
  expect(left).toMatchObject({ bugs: 4, gaps: 2, work: { import: { writes: 6 } } });
  expect(left.work.import.reads).toBeGreaterThanOrEqual(12);
});

test.each(['newest', 'github', 'ask'] as const)(
  'what only held a number takes nothing from its bug, whoever wins conflicts: %s',
  async (conflicts) => {
    const world = importStage();
    const alice = world.tracker.as('alice');
    for (const summary of ['Trouble 1', 'crash at start', 'Trouble 3', 'Trouble 4'])
      alice.file({ summary, description: 'It fails.' });
    alice.change(2, { status: 'RESOLVED', resolution: 'WONTFIX' });
    world.tracker.hide(3);
    Object.assign(world.github.limits, { refusedImports: 'crash' });
    world.clock.advance(86_400_000);
    const route: Route = { ...oneWay, direction: 'both', conflicts };
    const shown = () => world.tracker.bugs().map(({ summary, status }) => `${summary}: ${status}`);
    const before = shown();
    await migrateOn(world, { route, numbers: 'keep' });
    world.tracker.unhide(3);
    await cyclesOn(world, 4, route);
    expect(shown()).toEqual(before);
    const issues = world.github.issues(repo).map(({ title, state }) => `${title}: ${state}`);
    expect(issues).toEqual(['Trouble 1: open', 'crash at start: closed', 'Trouble 3: open', 'Trouble 4: open']);
  },
);

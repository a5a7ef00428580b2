/** Issues that GitHub refuses as a whole and does not say why: the real edge over HTTP. */

import { afterEach, expect, test } from 'vitest';
import { githubReplica } from '../../src/github/replica.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import type { Fault as Trouble } from '../../src/sandbox/server/faults.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { type HttpGithub, httpGithub } from '../github/http-github.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const route: Route = {
  ...widgetRoute,
  labels: [
    { from: 'severity', as: 'severity: {value}', both: true },
    { from: 'keywords', as: 'keyword: {value}', both: true },
  ],
  assignee: true,
  milestones: true,
  people: {
    github: new Map([['alice@example.test', 'mona']]),
    tracker: new Map([['mona', 'alice@example.test']]),
    nobody: [],
  },
};
const draft = {
  summary: 'It fails',
  severity: 'major',
  keywords: ['crash', 'regression'],
  target_milestone: '1.1',
  assigned_to: 'alice@example.test',
};
const labels = ['keyword: crash', 'keyword: regression', 'severity: major'];

let open: HttpGithub | null = null;
afterEach(() => open?.close());

type Refused = Stage['github']['limits']['refusesUnnamed'];
type Turn = typeof cycle;

/** A bug whose issue may not be given something. `lost` is the number of the creation whose answer is lost. */
async function run(
  refused: Refused,
  lost: number | null = null,
  turn: Turn = cycle,
  adapter = githubReplica,
): Promise<Stage> {
  const world = stage();
  world.github.limits.refusesUnnamed = refused;
  let creations = 0;
  const faults = (_side: unknown, cost: string): Trouble => {
    if (cost === 'create') creations += 1;
    return cost === 'create' && creations === lost ? { kind: 'drop', after: true } : { kind: 'none' };
  };
  const github = await httpGithub({
    world: world.github,
    now: world.clock.now,
    login: 'bugferry-bot',
    faults,
    adapter,
  });
  open = github;
  const context: Context = { ...contextOn(world, route, { limits: testLimits }), github: github.replica };
  world.tracker.as('alice').file(draft);
  for (let minute = 0; minute < 12; minute += 1) {
    world.clock.advance(61_000);
    await turn(context, { isForced: false });
  }
  return world;
}

const shown = ({ github }: Stage) =>
  github
    .issues(repo)
    .map((issue) => ({ labels: [...issue.labels].sort(), assignees: issue.assignees, milestone: issue.milestone }));
const bugOf = ({ tracker }: Stage) => {
  const { severity, keywords, target_milestone: milestone, assigned_to: assignee } = tracker.bug(1) ?? {};
  return {
    summary: 'It fails',
    severity,
    keywords: [...(keywords ?? [])].sort(),
    target_milestone: milestone,
    assigned_to: assignee,
  };
};
const parked = ({ store }: Stage) =>
  store.outbox
    .parked('widget')
    .map(({ operation, why }) => [Object.keys('target' in operation ? operation.target : {}), why]);

const whole = { labels, assignees: ['mona'], milestone: '1.1' };

test.each<[NonNullable<Refused>, object, readonly string[]]>([
  ['milestone', { milestone: null }, ['milestone']],
  ['assignees', { assignees: [] }, ['assignee']],
  ['labels', { labels: [] }, ['severity', 'keywords']],
])('are opened all the same, with all but what is refused, and that is named: %s', async (refused, missing, names) => {
  const world = await run(refused);
  expect(shown(world)).toEqual([{ ...whole, ...missing }]);
  expect(parked(world)).toEqual([[names, expect.stringContaining('Something of this is not allowed here')]]);
  expect(bugOf(world)).toEqual(draft);
});

test('are opened once where the answer to the second attempt is lost, and take nothing from the bug', async () => {
  const world = await run('milestone', 2);
  expect(shown(world)).toEqual([{ ...whole, milestone: null }]);
  expect(bugOf(world)).toEqual(draft);
});

test('cost nothing more where nothing is refused', async () => {
  const world = await run(null);
  expect(shown(world)).toEqual([whole]);
  expect(
    world.github.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/issues')),
  ).toHaveLength(1);
});

test.each<[string, Fault, number | null]>([
  [
    'it is not tried with less',
    { file: 'sync/perform/operations/create.ts', from: 'whole.isUnexplained === true', to: 'whole === null' },
    null,
  ],
  [
    'all counts as written',
    {
      file: 'rules/links/placeholder.ts',
      from: 'target: inText(create.target), source: inText(create.source)',
      to: '...{}',
    },
    2,
  ],
  [
    'what is in doubt is the whole',
    { file: 'sync/perform/operations/create.ts', from: '{ operation: sent }', to: '{}' },
    2,
  ],
  [
    'the edge does not say that GitHub gave no reason',
    {
      file: 'github/writing/write.ts',
      from: 'existing === null && isUnexplained(current, faults)',
      to: 'existing === undefined',
    },
    null,
  ],
  [
    'the rest is set as a whole',
    {
      file: 'sync/perform/operations/update.ts',
      from: "whole.kind !== 'refused' || parts.length < 2",
      to: 'parts.length > 0',
    },
    null,
  ],
])('a planted fault is caught: %s', async (_name, fault, lost) => {
  const folder = plant(fault);
  const { cycle: turn }: { cycle: Turn } = await import(`${folder}/sync/cycle.ts`);
  const edge = (await import(`${folder}/github/replica.ts`)) as typeof import('../../src/github/replica.ts');
  const world = await run('milestone', lost, turn, edge.githubReplica);
  expect([shown(world), bugOf(world)]).not.toEqual([[{ ...whole, milestone: null }], draft]);
});

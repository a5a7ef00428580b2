/**
 * I12, the lens: for every status, resolution, view, workflow and map
 *
 *   GetPut  putting back the view that was read asks for no step
 *   PutGet  after the steps, the view that is read is the one that was put, and the tracker refuses none of the steps
 *
 * with the one documented exception: GitHub may say `duplicate` without saying of what. Then the bug is closed as not
 * planned, and the plan says so (`view`). Planted faults: the table at the end.
 */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bugId } from '../../src/model/ids.ts';
import type { Bug } from '../../src/model/item.ts';
import type { BugPatch } from '../../src/model/plan/draft.ts';
import type { StatusMap, Vocabulary } from '../../src/model/route.ts';
import { type Fault, plant } from '../support/plant.ts';
import { widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';
import { equal, hold } from './hold.ts';
import { richMap } from './plan-context.ts';
import { isOpen, person, workflow as stock } from './world.ts';

type Status = typeof import('../../src/rules/fields/status.ts');

const maps: Readonly<Record<string, StatusMap>> = { simple: widgetRoute.status, rich: richMap };
const workflows: Readonly<Record<string, NonNullable<Vocabulary['workflow']>>> = {
  stock,
  // The short way from UNCONFIRMED passes a closed status, for which nobody chose a resolution.
  'through closed': { ...stock, UNCONFIRMED: ['RESOLVED'], VERIFIED: ['CONFIRMED'] },
  'a long way': {
    UNCONFIRMED: ['CONFIRMED'],
    CONFIRMED: ['IN_PROGRESS'],
    IN_PROGRESS: ['RESOLVED'],
    RESOLVED: ['CONFIRMED', 'VERIFIED'],
    VERIFIED: ['UNCONFIRMED'],
  },
};
const statuses = Object.keys(stock);
const resolutions = ['FIXED', 'WONTFIX', 'INVALID', 'WORKSFORME', 'DUPLICATE'];
const other = bugId(5);

const bugs = statuses.flatMap((status) =>
  (isOpen(status) ? [''] : resolutions).map((resolution) => bugWith(status, resolution)),
);
const cases = Object.keys(maps).flatMap((map) => Object.keys(workflows).map((workflow) => ({ map, workflow })));

describe('the status lens', async () => {
  const status = await load();
  test.each(cases)('obeys GetPut and PutGet with the $map map and the $workflow workflow', ({ map, workflow }) => {
    let puts = 0;
    for (const bug of bugs) puts += everyPut(status, maps[map]!, workflows[workflow]!, bug);
    expect(puts).toBeGreaterThan(bugs.length * 2);
  });

  test('tries the direct way where the tracker does not report its workflow', () => {
    const bug = bugWith('RESOLVED', 'FIXED');
    expect(status.statusSteps(richMap, { values: {}, workflow: null }, bug, 'open: status: in progress', null)).toEqual(
      {
        kind: 'steps',
        steps: [{ status: 'IN_PROGRESS' }],
        view: 'open: status: in progress',
      },
    );
  });

  test('passes through an open status where the workflow has no direct way', () => {
    const steps = status.statusSteps(
      richMap,
      { values: {}, workflow: stock },
      bugWith('VERIFIED', 'FIXED'),
      'open: status: in progress',
      null,
    );
    expect(steps).toMatchObject({ steps: [{ status: 'CONFIRMED' }, { status: 'IN_PROGRESS' }] });
  });

  test('says what is missing when no tracker status shows as the view', () => {
    const steps = status.statusSteps(
      widgetRoute.status,
      { values: {}, workflow: stock },
      bugWith('CONFIRMED', ''),
      'open: status: waiting',
      null,
    );
    expect(steps).toEqual({ kind: 'impossible', why: 'no tracker status shows on GitHub as "open: status: waiting"' });
  });
});

const faults: Readonly<Record<string, Fault>> = {
  'what fits is written all the same': fault(
    'if (statusView(map, bug.status, bug.resolution) === view) return steps([]);',
    '',
  ),
  'a verified bug is resolved again': fault(
    "if (bug.resolution !== '' && statusView",
    "if (bug.resolution === 'nothing' && statusView",
  ),
  'a closed status is passed': fault('if (mayPass(next)) queue.push(next);', 'queue.push(next);'),
  'a bug is closed without a resolution': fault(
    '(hop === status ? { status, resolution } : { status: hop })',
    '({ status: hop })',
  ),
  'a bug is reopened as anything open': fault(
    "if (statusView(map, map.reopened, '') === view) return map.reopened;",
    '',
  ),
  'a bug becomes its own duplicate': fault(' && duplicateOf !== bug.id', ''),
  'a duplicate of nobody knows what counts as put': fault(
    'const reached = statusView(map, status, resolution) ?? view;',
    'const reached = view;',
  ),
  'completed is not planned': fault(
    "view === 'completed' ? map.completed : map.notPlanned",
    "view === 'completed' ? map.notPlanned : map.completed",
  ),
  'the star hides a resolution': fault("shown[resolution] ?? shown['*']", "shown['*'] ?? shown[resolution]"),
  'a label is not part of the view': fault('view.label === null ? view.state', 'view.label !== undefined ? view.state'),
  'the way is walked backwards': fault('path.unshift(status)', 'path.push(status)'),
};

describe('a planted fault of the lens is caught', () => {
  test.each(sample(Object.entries(faults)))('%s', async (_name, planted) => {
    const status = await load(plant(planted));
    expect(() => {
      for (const { map, workflow } of cases)
        for (const bug of bugs) everyPut(status, maps[map]!, workflows[workflow]!, bug);
    }).toThrow(/GetPut|PutGet|refuses|keeps|reopened/u);
  });
});

/** Puts every view into one bug. Returns how many could be put. */
function everyPut(status: Status, map: StatusMap, workflow: NonNullable<Vocabulary['workflow']>, bug: Bug): number {
  const views = [
    'open',
    ...status.statusLabels(map).map((label) => `open: ${label}`),
    'completed',
    'not_planned',
    'duplicate',
  ];
  const seen = expected(map, bug);
  const isRead = status.statusView(map, bug.status, bug.resolution) === seen;
  hold(isRead, `GetPut: ${bug.status} ${bug.resolution} should read ${seen}`);
  let puts = 0;
  for (const view of views) {
    for (const duplicateOf of [null, other, bug.id]) puts += put(status, map, workflow, bug, view, duplicateOf) ? 1 : 0;
  }
  return puts;
}

function put(
  status: Status,
  map: StatusMap,
  workflow: NonNullable<Vocabulary['workflow']>,
  bug: Bug,
  view: string,
  duplicateOf: Bug['id'] | null,
): boolean {
  const found = status.statusSteps(map, { values: {}, workflow }, bug, view, duplicateOf);
  const seen = expected(map, bug);
  const say = `${bug.status} ${bug.resolution} put as ${view} (${JSON.stringify(found)})`;
  if (seen === view) hold(found.kind === 'steps' && found.steps.length === 0, `GetPut: ${say}`);
  if (found.kind === 'impossible') {
    hold(!isReachable(map, workflow, bug, view), `PutGet: there is a way for ${say}`);
    return false;
  }
  const after = found.steps.reduce((now, step) => apply(workflow, now, step, say), bug);
  const isExcused = view === 'duplicate' && (duplicateOf === null || duplicateOf === bug.id);
  hold(
    expected(map, after) === found.view && (found.view === view || isExcused),
    `PutGet: ${say} reads ${expected(map, after)}`,
  );
  const again = status.statusSteps(map, { values: {}, workflow }, after, found.view, duplicateOf);
  hold(again.kind === 'steps' && again.steps.length === 0, `PutGet: ${say} is put twice`);
  checkGentle(map, bug, after, view, say);
  return true;
}

/**
 * What PutGet leaves open: a closed bug keeps its status where that fits, and a reopened one gets the status that the
 * route names.
 */
function checkGentle(map: StatusMap, bug: Bug, after: Bug, view: string, say: string): void {
  const [, resolution] = view === 'completed' ? map.completed : map.notPlanned;
  const fits = !isOpen(bug.status) && expected(map, { ...bug, resolution }) === view;
  hold(!fits || after.status === bug.status, `a closed bug keeps its status: ${say} is ${after.status}`);
  hold(
    view !== 'open' || expected(map, bug) === 'open' || after.status === map.reopened,
    `reopened otherwise: ${say} is ${after.status}`,
  );
}

/** What a strict tracker makes of one PUT. */
function apply(workflow: NonNullable<Vocabulary['workflow']>, bug: Bug, patch: BugPatch, say: string): Bug {
  if (patch.dupeOf !== undefined) {
    hold(patch.dupeOf !== bug.id, `the tracker refuses a duplicate of itself: ${say}`);
    return {
      ...bug,
      status: isOpen(bug.status) ? 'RESOLVED' : bug.status,
      resolution: 'DUPLICATE',
      dupeOf: patch.dupeOf,
    };
  }
  const status = patch.status ?? bug.status;
  hold(
    status === bug.status || (workflow[bug.status] ?? []).includes(status),
    `the tracker refuses ${bug.status} to ${status}: ${say}`,
  );
  const resolution = isOpen(status) ? '' : (patch.resolution ?? bug.resolution);
  hold(isOpen(status) || resolution !== '', `the tracker refuses ${status} without a resolution: ${say}`);
  return { ...bug, status, resolution, dupeOf: null };
}

/** Whether open statuses lead there, by looking everywhere. */
function isReachable(map: StatusMap, workflow: NonNullable<Vocabulary['workflow']>, bug: Bug, view: string): boolean {
  const goals =
    view === 'completed' ? [map.completed[0]] : view.startsWith('open') ? openGoals(map, view) : [map.notPlanned[0]];
  const seen = new Set([bug.status]);
  for (const status of seen) {
    if (status !== bug.status && !isOpen(status)) continue;
    for (const next of workflow[status] ?? []) seen.add(next);
  }
  return goals.some((goal) => goal !== bug.status && seen.has(goal));
}

const openGoals = (map: StatusMap, view: string): readonly string[] => {
  const showing = statuses.filter((status) => isOpen(status) && expected(map, bugWith(status, '')) === view);
  return showing.includes(map.reopened) ? [map.reopened] : showing.slice(0, 1);
};

/** How a bug has to look, in other words than the maps. */
function expected(map: StatusMap, { status, resolution }: Pick<Bug, 'status' | 'resolution'>): string {
  if (status === 'IN_PROGRESS') return 'open: status: in progress';
  if (status === 'UNCONFIRMED' && map === richMap) return 'open: status: new';
  if (isOpen(status)) return 'open';
  if (resolution === 'DUPLICATE') return 'duplicate';
  return resolution === 'FIXED' || (status === 'VERIFIED' && map === richMap) ? 'completed' : 'not_planned';
}

function bugWith(status: string, resolution: string): Bug {
  const none = {
    values: {},
    keywords: [],
    assignee: null,
    milestone: null,
    seeAlso: [],
    isPrivate: false,
    createdAt: 0,
    changedAt: 0,
  };
  const dupeOf = resolution === 'DUPLICATE' ? bugId(9) : null;
  const creator = person('bob@example.test');
  return {
    kind: 'bug',
    id: bugId(1),
    url: '',
    product: 'Widget',
    summary: 'Crash',
    status,
    resolution,
    dupeOf,
    creator,
    ...none,
  };
}

function fault(from: string, to: string): Fault {
  return { file: 'rules/fields/status.ts', from, to };
}

async function load(folder = join(import.meta.dirname, '../../src')): Promise<Status> {
  return (await import(join(folder, 'rules/fields/status.ts'))) as Status;
}

test('the table of bugs holds every closed status with every resolution', () => {
  expect(equal(bugs.length, 3 + 2 * resolutions.length)).toBe(true);
});

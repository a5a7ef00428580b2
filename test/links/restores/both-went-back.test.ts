import { describe, expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { adoptState } from '../../../src/sync/adopt.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { saidNothing } from '../../simulation/restores/crowd.ts';
import { dumpOf, loadDump } from '../../simulation/restores/tracker-dump.ts';
import { contextOn, repo, type Stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import { type World, worldOf } from './world.ts';

/**
 * The tracker is as it was in its dump, and so is the state, or it is lost: of what people did on the tracker since,
 * only GitHub knows, where our own account wrote it. Nobody undoes that without a word.
 */

const people = new Map([
  ['alice@example.test', 'mona'],
  ['bob@example.test', 'hubot'],
]);
const route: Route = {
  ...widgetRoute,
  assignee: true,
  milestones: true,
  dependencies: true,
  visibilityCheck: 'anonymous',
  people: { github: people, tracker: new Map([...people].map(([login, name]) => [name, login])), nobody: [] },
};

const ways = ['told', 'lost', 'adopted', 'silent'] as const;
type Way = (typeof ways)[number];

interface Deeds {
  /** What people did long before the backups, once both sides agreed. */
  readonly before?: (world: World) => void;
  /** What they did after the backups, while the bridge ran. */
  readonly since: (world: World) => void;
  /** What they do once everything is back. */
  readonly meanwhile?: (world: World) => void;
  /** How long after `before` the backups were made. */
  readonly ageMs?: number;
  /** The tracker does not go back. */
  readonly isTrackerSpared?: boolean;
  /** A person lets go of what is gone. */
  readonly letsGo?: boolean;
}

async function wentBack(way: Way, deeds: Deeds, of: Route = route): Promise<World> {
  const world = worldOf([of]);
  for (const summary of ['first', 'second', 'third']) world.alice.file({ summary, description: 'It fails.' });
  await world.passes();
  deeds.before?.(world);
  await world.passes();
  world.clock.advance(deeds.ageMs ?? 7_200_000);
  const said = saidNothing();
  const [dump, copy] = [dumpOf(world.tracker, said), world.states.copy()];
  world.clock.advance(600_000);
  deeds.since(world);
  await world.passes();
  world.clock.advance(3_600_000);
  if (deeds.isTrackerSpared !== true) loadDump(world.tracker, dump, said);
  world.states.putBack(way === 'told' || way === 'silent' ? copy : null, way === 'told' ? 'told' : 'silent');
  world.clock.advance(60_000);
  deeds.meanwhile?.(world);
  if (way === 'adopted' && deeds.letsGo !== true) await adoptState(contextOn(world.stage, of, { limits: testLimits }));
  if (deeds.letsGo === true) await cycle(contextOn(world.stage, of, { limits: testLimits }), { isForced: true });
  await world.passes();
  await sweep(contextOn(world.stage, of, { limits: testLimits }), { isForced: false });
  await world.passes();
  return world;
}

const shown = ({ tracker, github }: Stage | World, bug = 1) => {
  const [there, issue] = [tracker.bug(bug), github.issue(repo, bug)];
  return {
    title: [there?.summary, issue?.title],
    status: [there?.status, there?.resolution, issue?.state],
    severity: [there?.severity, issue?.labels.filter((label) => label.startsWith('severity')).join()],
    keywords: [there?.keywords.join(), issue?.labels.filter((label) => ['crash', 'perf'].includes(label)).join()],
    milestone: [there?.target_milestone, issue?.milestone],
    assignee: [there?.assigned_to, issue?.assignees.join()],
  };
};
type Shown = ReturnType<typeof shown>;
const asFiled: Shown = {
  title: ['first', 'first'],
  status: ['CONFIRMED', '', 'open'],
  severity: ['normal', 'severity: normal'],
  keywords: ['', ''],
  milestone: ['---', null],
  assignee: ['alice@example.test', 'mona'],
};
const asked = ({ store }: World): readonly string[] =>
  store.findings.ofRoute('widget', 9).conflicts.map(({ field }) => field);

const admin = ({ tracker }: World) => tracker.as('admin');

const edits: Readonly<Record<string, Deeds & { readonly expected: Partial<Shown> }>> = {
  'a title': {
    since: ({ alice }) => alice.change(1, { summary: 'Another' }),
    expected: { title: ['Another', 'Another'] },
  },
  'a closing': {
    since: ({ alice }) => alice.change(1, { status: 'RESOLVED', resolution: 'FIXED' }),
    expected: { status: ['RESOLVED', 'FIXED', 'closed'] },
  },
  'a severity': {
    since: ({ alice }) => alice.change(1, { severity: 'major' }),
    expected: { severity: ['major', 'severity: major'] },
  },
  'a keyword': {
    since: ({ alice }) => alice.change(1, { keywords: { add: ['crash'] } }),
    expected: { keywords: ['crash', 'crash'] },
  },
  'a keyword that was taken off': {
    before: ({ alice }) => alice.change(1, { keywords: { add: ['crash'] } }),
    since: ({ alice }) => alice.change(1, { keywords: { remove: ['crash'] } }),
    expected: { keywords: ['', ''] },
  },
  'a milestone': {
    since: ({ alice }) => alice.change(1, { target_milestone: '1.1' }),
    expected: { milestone: ['1.1', '1.1'] },
  },
  'a milestone that was taken off': {
    before: ({ alice }) => alice.change(1, { target_milestone: '1.1' }),
    since: ({ alice }) => alice.change(1, { target_milestone: '---' }),
    expected: { milestone: ['---', null] },
  },
  'an assignee': {
    since: (world) => admin(world).change(1, { assigned_to: 'bob@example.test' }),
    expected: { assignee: ['bob@example.test', 'hubot'] },
  },
  'a title that the bridge had set before': {
    before: ({ mona }) => mona.edit(repo, 1, { title: 'Of Mona' }),
    since: ({ alice }) => alice.change(1, { summary: 'Another' }),
    expected: { title: ['Another', 'Another'] },
  },
  'a title that the bug had once had': {
    before: ({ alice }) => alice.change(1, { summary: 'Of old' }),
    since: ({ alice }) => alice.change(1, { summary: 'first' }),
    expected: { title: ['first', 'first'] },
  },
};

describe.each(ways)('what people edited on the tracker since stands: %s', (way) => {
  const isWhole = way === 'told' || way === 'lost';
  test.each(Object.entries(edits).slice(0, isWhole ? undefined : 2))('%s', async (_what, { expected, ...deeds }) => {
    const world = await wentBack(way, deeds);
    expect([asked(world), shown(world)]).toEqual([[], { ...asFiled, ...expected }]);
  });

  test('and gives way to what they edit after that', async () => {
    const world = await wentBack(way, {
      since: ({ alice }) => alice.change(1, { summary: 'Another', severity: 'major' }),
      meanwhile: ({ alice }) => alice.change(1, { summary: 'The last' }),
    });
    expect(shown(world)).toMatchObject({ title: ['The last', 'The last'], severity: ['major', 'severity: major'] });
  });
});

const openedByMona: Deeds['before'] = ({ mona }) => void mona.open(repo, { title: 'Of people', body: 'Steps' });
const hide =
  (bug: number): Deeds['since'] =>
  (world) =>
    admin(world).change(bug, { groups: { add: ['security'] } });

describe.each(['told', 'lost'] as const)('what the bridge took from an issue is no edit: %s', (way) => {
  const expected: Shown = { ...asFiled, severity: ['major', 'severity: major'], milestone: ['1.1', '1.1'] };
  const before: Deeds['before'] = ({ alice }) => alice.change(1, { severity: 'major', target_milestone: '1.1' });

  test.each([true, false])('of a bug that is public again, and the tracker is spared: %s', async (isTrackerSpared) => {
    const world = await wentBack(way, {
      before,
      since: hide(1),
      meanwhile: (all) => {
        if (isTrackerSpared) admin(all).change(1, { groups: { remove: ['security'] } });
      },
      isTrackerSpared,
    });
    expect([asked(world), shown(world)]).toEqual([[], expected]);
    expect(world.github.issue(repo, 1)).toMatchObject({ isLocked: false });
  });

  test('although another bug lost an edit', async () => {
    const world = await wentBack(way, {
      before,
      since: (all) => {
        hide(1)(all);
        all.alice.change(2, { summary: 'Another' });
      },
    });
    expect([asked(world), shown(world)]).toEqual([[], expected]);
    expect(shown(world, 2).title).toEqual(['Another', 'Another']);
  });

  test('although the tracker lost a bug, of which a person lets go', async () => {
    const world = await wentBack(way, {
      before,
      since: (all) => {
        hide(1)(all);
        all.alice.change(2, { summary: 'Another' });
        all.alice.file({ summary: 'lost', description: 'It fails.' });
      },
      meanwhile: (all) => void all.alice.file({ summary: 'new', description: 'It works.' }),
      letsGo: true,
    });
    expect([asked(world), shown(world)]).toEqual([[], expected]);
    expect(shown(world, 2).title).toEqual(['Another', 'Another']);
  });

  test('of an issue that people opened', async () => {
    const world = await wentBack(way, {
      before: openedByMona,
      since: hide(4),
    });
    expect([asked(world), shown(world, 4)]).toMatchObject([
      [],
      {
        title: ['Of people', 'Of people'],
        status: ['CONFIRMED', '', 'open'],
        severity: ['normal', 'severity: normal'],
      },
    ]);
  });
});

describe.each(['told', 'lost'] as const)('a person is asked: %s', (way) => {
  test.each<[string, Deeds & { readonly field: string }]>([
    [
      'where the bug showed the value just before',
      {
        before: ({ alice, clock }) => {
          alice.change(1, { summary: 'Of old' });
          clock.advance(60_000);
          alice.change(1, { summary: 'first' });
        },
        since: ({ alice }) => alice.change(1, { summary: 'Of old' }),
        ageMs: 600_000,
        field: 'title',
      },
    ],
    [
      'about an issue that was opened again',
      {
        before: ({ alice }) => alice.change(1, { status: 'RESOLVED', resolution: 'FIXED' }),
        since: ({ alice }) => alice.change(1, { status: 'CONFIRMED' }),
        field: 'status',
      },
    ],
  ])('%s', async (_what, { field, ...deeds }) => {
    const world = await wentBack(way, deeds);
    expect(asked(world)).toEqual([field]);
  });

  test('about a closing, where each issue is locked, so that a withdrawal does not show', async () => {
    const since: Deeds['since'] = ({ alice }) => alice.change(1, { status: 'RESOLVED', resolution: 'FIXED' });
    expect(asked(await wentBack(way, { since }, { ...route, visitors: 'lock' }))).toEqual(['status']);
  });
});

test.each<[Way, boolean, readonly string[]]>([
  ['told', false, []],
  ['told', true, ['dependsOn']],
  ['lost', false, ['dependsOn']],
  ['lost', true, ['dependsOn']],
])('a relation that was taken off does not come back, %s, and a bug is let go: %s', async (way, letsGo, expected) => {
  const file = ({ alice }: World) => void alice.file({ summary: 'new', description: 'It works.' });
  const world = await wentBack(way, {
    before: ({ alice }) => alice.change(1, { depends_on: { add: [2] } }),
    since: (all) => {
      all.alice.change(1, { depends_on: { remove: [2] } });
      file(all);
    },
    meanwhile: (all) => (letsGo ? file(all) : undefined),
    letsGo,
  });
  const { blockedBy } = world.github.state.repos.get(repo)?.issues.get(1) ?? { blockedBy: null };
  expect([asked(world), blockedBy]).toEqual([expected, []]);
});

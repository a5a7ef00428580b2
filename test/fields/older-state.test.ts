import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bugId, linkId } from '../../src/model/ids.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { backupState, restoreState } from '../../src/store/backup.ts';
import { openStore } from '../../src/store/open.ts';
import { adoptState } from '../../src/sync/adopt.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { decide } from '../../src/sync/decide-by-hand.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

/**
 * I3: a state that is older than the world takes no write of the bridge's own for an edit: what people did last stays.
 */

const pair = (tracker: string, github: string) => [tracker, github] as const;
const people = new Map([pair('alice@example.test', 'mona'), pair('bob@example.test', 'hubot')]);
const route: Route = {
  ...widgetRoute,
  assignee: true,
  milestones: true,
  dependencies: true,
  people: { github: people, tracker: new Map([...people].map(([tracker, github]) => [github, tracker])), nobody: [] },
};

let folder: string;
let world: Stage;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-older-'));
  const made = stage({ listLagMs: 0 });
  world = { ...made, store: opened(made) };
  for (const summary of ['first', 'second', 'third'])
    world.tracker.as('alice').file({ summary, description: 'It fails.' });
  await turns(4);
});
afterEach(() => {
  world.store.close();
  rmSync(folder, { recursive: true, force: true });
});

const stateFile = () => join(folder, 'bugferry.db');
const opened = ({ clock }: Pick<Stage, 'clock'>) => openStore(stateFile(), { mode: 'write', now: clock.now, scrub });

async function turns(count: number, of: Route = route): Promise<readonly string[]> {
  const context = contextOn(world, of, { limits: testLimits });
  const done: string[] = [];
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    const { operations } = await cycle(context, { isForced: false });
    done.push(...operations.map(({ kind, on, about }) => `${kind} ${on} ${about}`));
  }
  return done;
}

const backup = (): Promise<unknown> => backupState(stateFile(), join(folder, 'backup.db'));

async function restore(): Promise<void> {
  world.store.close();
  await restoreState(stateFile(), join(folder, 'backup.db'), world.clock.now());
  world = { ...world, store: opened(world) };
}

/** As the volume of a lost host comes back: nobody says so. */
function putBack(): void {
  world.store.close();
  for (const rest of ['-wal', '-shm']) rmSync(`${stateFile()}${rest}`, { force: true });
  copyFileSync(join(folder, 'backup.db'), stateFile());
  world = { ...world, store: opened(world) };
}

function lose(): void {
  world.store.close();
  for (const rest of ['', '-wal', '-shm']) rmSync(`${stateFile()}${rest}`, { force: true });
  world = { ...world, store: opened(world) };
}

const later = (): void => world.clock.advance(5_000);
const alice = () => world.tracker.as('alice');
const admin = () => world.tracker.as('admin');
const mona = () => world.github.as('mona');
const issueOf = (title: string): number =>
  world.github.issues(repo).find((issue) => issue.title === title)?.number ?? 0;
const shown = (bug = 1, issue = 1) => ({ bug: world.tracker.bug(bug), issue: world.github.issue(repo, issue) });
const open = () => world.store.findings.ofRoute('widget', 9).conflicts;

interface Member {
  /** What somebody does before the bridge copies it. */
  readonly first: () => void;
  /** What people do then, while the bridge is down. */
  readonly afterwards: () => void;
  readonly expected: () => void;
}

const members: Readonly<Record<string, Member>> = {
  'a bug that was reopened': {
    first: () => alice().change(1, { status: 'RESOLVED', resolution: 'FIXED' }),
    afterwards: () => alice().change(1, { status: 'CONFIRMED' }),
    expected: () => expect([shown().bug?.status, shown().issue?.state]).toEqual(['CONFIRMED', 'open']),
  },
  'an issue that was reopened': {
    first: () => mona().close(repo, 1, 'completed'),
    afterwards: () => mona().reopen(repo, 1),
    expected: () => expect([shown().bug?.status, shown().issue?.state]).toEqual(['CONFIRMED', 'open']),
  },
  'a title that was changed, and changed back': {
    first: () => alice().change(1, { summary: 'A' }),
    afterwards: () => alice().change(1, { summary: 'first' }),
    expected: () => expect([shown().bug?.summary, shown().issue?.title]).toEqual(['first', 'first']),
  },
  'a title that was changed twice on GitHub': {
    first: () => mona().edit(repo, 1, { title: 'A' }),
    afterwards: () => mona().edit(repo, 1, { title: 'B' }),
    expected: () => expect([shown().bug?.summary, shown().issue?.title]).toEqual(['B', 'B']),
  },
  'a severity': {
    first: () => alice().change(1, { severity: 'critical' }),
    afterwards: () => alice().change(1, { severity: 'normal' }),
    expected: () =>
      expect([shown().bug?.severity, shown().issue?.labels.includes('severity: normal')]).toEqual(['normal', true]),
  },
  'an assignee': {
    first: () => admin().change(1, { assigned_to: 'bob@example.test' }),
    afterwards: () => admin().change(1, { assigned_to: 'alice@example.test' }),
    expected: () => expect(shown().issue?.assignees).toEqual(['mona']),
  },
  'an assignee on GitHub': {
    first: () => {
      mona().unassign(repo, 1, 'mona');
      mona().assign(repo, 1, 'hubot');
    },
    afterwards: () => {
      mona().unassign(repo, 1, 'hubot');
      mona().assign(repo, 1, 'mona');
    },
    expected: () => expect(world.tracker.bug(1)?.assigned_to).toBe('alice@example.test'),
  },
  'a milestone': {
    first: () => alice().change(1, { target_milestone: '1.1' }),
    afterwards: () => alice().change(1, { target_milestone: '---' }),
    expected: () => expect([shown().bug?.target_milestone, shown().issue?.milestone]).toEqual(['---', null]),
  },
  'a milestone on GitHub': {
    first: () => mona().milestone(repo, 1, '1.1'),
    afterwards: () => mona().milestone(repo, 1, null),
    expected: () => expect([shown().bug?.target_milestone, shown().issue?.milestone]).toEqual(['---', null]),
  },
  'a keyword that was taken away again': {
    first: () => alice().change(1, { keywords: { add: ['crash'] } }),
    afterwards: () => alice().change(1, { keywords: { remove: ['crash'] } }),
    expected: () => expect([shown().bug?.keywords, shown().issue?.labels.includes('crash')]).toEqual([[], false]),
  },
  'a label that was taken away again': {
    first: () => mona().label(repo, 1, 'crash'),
    afterwards: () => mona().unlabel(repo, 1, 'crash'),
    expected: () => expect([shown().bug?.keywords, shown().issue?.labels.includes('crash')]).toEqual([[], false]),
  },
};

async function told({ first, afterwards }: Member): Promise<void> {
  first();
  later();
  await turns(3);
  afterwards();
  later();
  alice().comment(1, 'A comment that makes the bug newer');
  mona().comment(repo, 1, 'And one that makes the issue newer');
}

describe.each(Object.entries(members))('%s', (_name, member) => {
  test('stays after a restore', async () => {
    await backup();
    await told(member);
    await restore();
    await turns(4);
    member.expected();
    expect(open()).toEqual([]);
  });

  test('stays where the state was put back without a word', async () => {
    await backup();
    await told(member);
    putBack();
    await turns(4);
    member.expected();
    expect(open()).toEqual([]);
  });

  test('stays where the state was lost', async () => {
    await told(member);
    lose();
    await turns(4);
    member.expected();
  });
});

test('a dependency, of which GitHub tells no event, is left to a person', async () => {
  await backup();
  await told({ ...dependency, expected: () => undefined });
  await restore();
  await turns(4);
  expect(open()).toMatchObject([{ field: 'dependsOn', tracker: [], github: ['2'], kept: null }]);
  const { id } = world.store.links.byBug(bugId(1)) ?? { id: linkId(0) };
  const context = contextOn(world, route, { limits: testLimits });
  expect(decide(context, { link: id, field: 'dependsOn', keep: 'tracker', tracker: [], github: ['2'] })).toBeNull();
  await turns(3);
  expect([shown().bug?.depends_on, shown().issue?.blockedBy, open()]).toEqual([[], [], []]);
});

describe.each(['told', 'silent'] as const)('a dependency of an older state (%s)', (way) => {
  const on = (): void => alice().change(1, { depends_on: { add: [2] } });
  const off = (): void => alice().change(1, { depends_on: { remove: [2] } });
  const [gOn, gOff] = [() => mona().block(repo, 1, 2), () => mona().unblock(repo, 1, 2)];

  test.each([
    ['unblocked on GitHub after the tracker had it', null, on, gOff, ['2'], []],
    ['blocked on GitHub after the tracker took it off', on, off, gOn, [], ['2']],
    ['blocked on GitHub after GitHub had no more of it', gOn, gOff, on, ['2'], []],
    ['taken off on the tracker after GitHub had it', null, gOn, off, [], ['2']],
  ])('that people %s stays as they left it, and a person is asked', async (_what, before, since, then, ...values) => {
    before?.();
    later();
    await turns(3);
    await backup();
    since();
    mona().comment(repo, 3, 'What our account copies shows that the state is older.');
    later();
    await turns(3);
    world.clock.advance(61_000);
    then();
    later();
    await (way === 'told' ? restore() : putBack());
    await turns(4);
    const [tracker, github] = values;
    expect(open()).toMatchObject([{ field: 'dependsOn', tracker, github, kept: null }]);
    expect([shown().bug?.depends_on, shown().issue?.blockedBy].map((each) => each?.map(String))).toEqual(values);
  });

  test.each([
    ['the tracker', on, () => shown().issue?.blockedBy],
    ['GitHub', gOn, () => shown().bug?.depends_on],
  ])('that people set last on %s travels, although the other side was edited before', async (_side, set, arrived) => {
    await backup();
    alice().change(1, { summary: 'renamed' });
    mona().label(repo, 1, 'status: in progress');
    later();
    await turns(3);
    world.clock.advance(61_000);
    set();
    later();
    await (way === 'told' ? restore() : putBack());
    await turns(4);
    expect([arrived(), open()]).toEqual([[2], []]);
  });
});

const dependency = {
  first: () => alice().change(1, { depends_on: { add: [2] } }),
  afterwards: () => alice().change(1, { depends_on: { remove: [2] } }),
};

test('an edit on one side only travels, and nobody is asked', async () => {
  const asking: Route = { ...route, conflicts: 'ask' };
  alice().change(1, { summary: 'before the backup' });
  await turns(3, asking);
  await backup();
  mona().edit(repo, 1, { title: 'renamed after it' });
  alice().change(2, { status: 'RESOLVED', resolution: 'FIXED' });
  later();
  await restore();
  await turns(3, asking);
  expect([shown().bug?.summary, shown(2, 2).issue?.state, open()]).toEqual(['renamed after it', 'closed', []]);
});

test.each([
  ['newest', 'by mona'],
  ['tracker', 'by alice'],
  ['ask', 'by alice'],
] as const)('what people changed on both sides is a conflict, conflicts: %s', async (conflicts, summary) => {
  const of: Route = { ...route, conflicts };
  await backup();
  alice().change(1, { summary: 'by alice' });
  later();
  mona().edit(repo, 1, { title: 'by mona' });
  later();
  alice().comment(1, 'A comment that makes the bug newer');
  await restore();
  await turns(3, of);
  expect(shown().bug?.summary).toBe(summary);
  expect(open().map(({ kept }) => kept)).toEqual(conflicts === 'ask' ? [null] : []);
});

test.each([
  ['before', 'by alice', []],
  ['after', 'first', [null]],
] as const)(
  'who gives a title back as it was %s another is given asks a person only then',
  async (when, title, kept) => {
    const asking: Route = { ...route, conflicts: 'ask' };
    await backup();
    const giveBack = () => {
      mona().edit(repo, 1, { title: 'for a moment' });
      later();
      mona().edit(repo, 1, { title: 'first' });
      later();
    };
    if (when === 'before') giveBack();
    alice().change(1, { summary: 'by alice' });
    later();
    if (when === 'after') giveBack();
    await restore();
    await turns(3, asking);
    expect(shown().issue?.title).toBe(title);
    expect(open().map((each) => each.kept)).toEqual(kept);
  },
);

const relabel = (...labels: readonly string[]) => {
  for (const each of shown().issue?.labels ?? []) if (each.startsWith('severity')) mona().unlabel(repo, 1, each);
  for (const each of labels) mona().label(repo, 1, each);
  later();
};
const rate = (...values: readonly string[]) => {
  for (const severity of values) {
    alice().change(1, { severity });
    later();
  }
};
const handOver = (from: string, to: string) => {
  mona().unassign(repo, 1, from);
  mona().assign(repo, 1, to);
  later();
};
const entitle = (...titles: readonly string[]) => {
  for (const title of titles) {
    mona().edit(repo, 1, { title });
    later();
  }
};

test.each(['blocker', 'trivial'])(
  'a label that people add while the bridge is down counts, unknown pair: %s',
  async (to) => {
    await backup();
    mona().open(repo, { title: 'since the backup' });
    await turns(4);
    const issue = issueOf('since the backup');
    mona().label(repo, issue, `severity: ${to}`);
    later();
    await restore();
    await turns(4);
    expect(world.tracker.bugs().find(({ summary }) => summary === 'since the backup')?.severity).toBe(to);
    expect(world.github.issue(repo, issue)?.labels.filter((each) => each.startsWith('severity'))).toEqual([
      `severity: ${to}`,
    ]);
  },
);

test.each<[string, Route['conflicts'], () => void, () => void]>([
  [
    'severity of a bug',
    'github',
    () => {
      relabel();
      relabel('severity: normal');
      rate('minor');
    },
    () => expect(shown().bug?.severity).toBe('minor'),
  ],
  [
    'title of a bug',
    'github',
    () => {
      entitle('for a moment', 'first');
      alice().change(1, { summary: 'by alice' });
    },
    () => expect(shown().issue?.title).toBe('by alice'),
  ],
  [
    'severity of an issue',
    'tracker',
    () => {
      rate('minor', 'normal');
      relabel('severity: minor');
    },
    () => expect(shown().bug?.severity).toBe('minor'),
  ],
  [
    'severity of an issue, and asks nobody,',
    'ask',
    () => {
      rate('minor', 'normal');
      relabel('severity: minor');
    },
    () => expect(shown().bug?.severity).toBe('minor'),
  ],
  [
    'title of an issue, which had it before',
    'tracker',
    () => {
      alice().change(1, { summary: 'second thought' });
      later();
      entitle('second thought', 'third thought');
    },
    () => expect(shown().bug?.summary).toBe('third thought'),
  ],
  [
    'status of a bug',
    'github',
    () => {
      mona().close(repo, 1, 'completed');
      mona().reopen(repo, 1);
      later();
      alice().change(1, { status: 'RESOLVED', resolution: 'FIXED' });
    },
    () => expect(shown().issue?.state).toBe('closed'),
  ],
  [
    'resolution of a bug',
    'github',
    () => {
      mona().close(repo, 1, 'completed');
      later();
      alice().change(1, { status: 'RESOLVED', resolution: 'FIXED' });
      later();
      alice().change(1, { status: 'VERIFIED' });
      later();
      alice().change(1, { resolution: 'WONTFIX' });
    },
    () => expect(shown().issue?.stateReason).toBe('not_planned'),
  ],
  [
    'status of an issue',
    'tracker',
    () => {
      mona().close(repo, 1, 'completed');
      later();
      alice().change(1, { status: 'RESOLVED', resolution: 'FIXED' });
      later();
      mona().reopen(repo, 1);
    },
    () => expect(shown().bug?.status).toBe('CONFIRMED'),
  ],
  [
    'assignee of a bug',
    'github',
    () => {
      handOver('mona', 'hubot');
      admin().change(1, { assigned_to: 'bob@example.test' });
      later();
      admin().change(1, { assigned_to: 'alice@example.test' });
    },
    () => expect(shown().issue?.assignees).toEqual(['mona']),
  ],
  [
    'assignee of an issue',
    'tracker',
    () => {
      handOver('mona', 'hubot');
      admin().change(1, { assigned_to: 'bob@example.test' });
      later();
      handOver('hubot', 'mona');
    },
    () => expect(shown().bug?.assigned_to).toBe('alice@example.test'),
  ],
])('after a lost state, who changes the %s that both sides show wins (%s)', async (_what, conflicts, act, expected) => {
  const of: Route = { ...route, conflicts };
  act();
  lose();
  await turns(6, of);
  expected();
  expect(open()).toEqual([]);
  expect(shown().issue?.labels.filter((label) => label.startsWith('severity'))).toEqual([
    `severity: ${shown().bug?.severity}`,
  ]);
});

test('a second restore asks once more, and a process that dies in between changes nothing', async () => {
  await backup();
  mona().edit(repo, 1, { title: 'A' });
  later();
  await turns(3);
  mona().edit(repo, 1, { title: 'B' });
  later();
  alice().comment(1, 'A comment that makes the bug newer');
  await restore();
  world.between = (_side, method, when) => {
    if (method === 'lastActors' && when === 'before')
      throw Object.assign(new Error('The process died'), { name: 'AbortError' });
  };
  await expect(turns(1)).rejects.toThrow('died');
  world.between = () => undefined;
  await restore();
  await turns(4);
  expect([shown().bug?.summary, shown().issue?.title, open()]).toEqual(['B', 'B', []]);
});

test('what nobody can tell is left to a person, whatever the route says, and the decision counts', async () => {
  const of: Route = { ...route, conflicts: 'tracker' };
  await backup();
  alice().change(1, { summary: 'A' });
  later();
  await turns(3, of);
  mona().edit(repo, 1, { title: 'B' });
  later();
  await restore();
  const context = contextOn(world, of, { limits: testLimits });
  const silent = {
    ...context,
    github: { ...context.github, lastActors: async () => null },
    tracker: { ...context.tracker, history: refused },
  };
  world.clock.advance(61_000);
  await cycle(silent, { isForced: false });
  await turns(2, of);
  expect(open()).toMatchObject([{ field: 'title', tracker: 'A', github: 'B', kept: null }]);
  expect([shown().bug?.summary, shown().issue?.title]).toEqual(['A', 'B']);
  const link = world.store.links.byBug(bugId(1));
  if (link === null) throw new Error('The pair is gone');
  expect(decide(context, { link: link.id, field: 'title', keep: 'github', tracker: 'A', github: 'B' })).toBeNull();
  await turns(3, of);
  expect([shown().bug?.summary, shown().issue?.title, open()]).toEqual(['B', 'B', []]);
});

const refused = () => Promise.reject(new SideError('refused', 'no history for you', { side: 'tracker' }));

test('a state that was put back without a word is noticed by an issue that it does not know', async () => {
  await backup();
  alice().change(1, { summary: 'A' });
  alice().file({ summary: 'made after the backup', description: 'It fails.' });
  later();
  await turns(3);
  alice().change(1, { summary: 'first' });
  later();
  mona().comment(repo, 1, 'A comment that makes the issue newer');
  putBack();
  await turns(4);
  expect([shown().bug?.summary, shown().issue?.title]).toEqual(['first', 'first']);
  expect(world.github.issues(repo).filter(({ title }) => title === 'made after the backup')).toHaveLength(1);
});

test('what somebody else does by our account is no such sign, where nobody changed the other side', async () => {
  await backup();
  alice().comment(1, 'A comment that makes the bug newer');
  world.github.as(bot).close(repo, 1, 'completed');
  putBack();
  await turns(3);
  expect([shown().bug?.status, shown().issue?.state]).toEqual(['RESOLVED', 'closed']);
});

test('a pair costs no question once both sides agree, nor where a state is as old as the world', async () => {
  const asked = () => world.calls.filter(({ method }) => method === 'lastActors').length;
  alice().change(1, { summary: 'A' });
  await turns(3);
  expect(asked()).toBe(0);
  await backup();
  await restore();
  await turns(12);
  alice().change(1, { summary: 'B' });
  mona().edit(repo, 2, { title: 'C' });
  await turns(3);
  expect([asked(), shown().issue?.title, shown(2, 2).bug?.summary]).toEqual([0, 'B', 'C']);
});

test('a process that dies between a creation and its record is no such sign', async () => {
  alice().file({ summary: 'fourth', description: 'It fails.' });
  world.between = (_side, method, when) => {
    if (method === 'create' && when === 'after')
      throw Object.assign(new Error('The process died'), { name: 'AbortError' });
  };
  await expect(turns(1)).rejects.toThrow('died');
  world.between = () => undefined;
  mona().edit(repo, issueOf('fourth'), { title: 'renamed at once' });
  await turns(4);
  expect([shown(4, 4).bug?.summary, world.calls.some(({ method }) => method === 'lastActors')]).toEqual([
    'renamed at once',
    false,
  ]);
});

describe.each(['tracker', 'github'] as const)(
  'conflicts: %s decides nothing where only one side was edited',
  (conflicts) => {
    const of: Route = { ...route, conflicts };
    const members: Readonly<Record<string, readonly [first: () => void, then: () => void, expected: string]>> = {
      'after a title of the tracker, GitHub': [
        () => alice().change(1, { summary: 'A' }),
        () => mona().edit(repo, 1, { title: 'B' }),
        'B',
      ],
      'after a title of GitHub, the tracker': [
        () => mona().edit(repo, 1, { title: 'A' }),
        () => alice().change(1, { summary: 'B' }),
        'B',
      ],
      'once and again, the tracker': [
        () => alice().change(1, { summary: 'A' }),
        () => alice().change(1, { summary: 'B' }),
        'B',
      ],
    };
    const titles = () => [shown().bug?.summary, shown().issue?.title, open()];

    describe.each(Object.entries(members))('%s', (_name, [first, then, expected]) => {
      test.each(['before', 'after'])('%s the restore', async (when) => {
        await backup();
        first();
        later();
        await turns(3, of);
        if (when === 'before') then();
        later();
        await restore();
        await turns(3, of);
        if (when === 'after') then();
        later();
        await turns(3, of);
        expect(titles()).toEqual([expected, expected, []]);
      });

      test('after the state was lost', async () => {
        first();
        later();
        await turns(3, of);
        lose();
        await turns(3, of);
        then();
        later();
        await turns(3, of);
        expect(titles()).toEqual([expected, expected, []]);
      });
    });
  },
);

test('a backup from the middle of a conflict does not take its two values for agreed, whichever side has which', async () => {
  const of: Route = { ...route, conflicts: 'ask' };
  await backup();
  alice().change(1, { summary: 'A' });
  later();
  mona().edit(repo, 1, { title: 'B' });
  later();
  await restore();
  await turns(2, of);
  rmSync(join(folder, 'backup.db'));
  await backup();
  alice().change(1, { summary: 'B' });
  later();
  mona().edit(repo, 1, { title: 'A' });
  later();
  await restore();
  await turns(3, of);
  expect(open()).toMatchObject([{ field: 'title', tracker: 'B', github: 'A', kept: null }]);
});

test('what an adoption found that died goes on in the next cycles', async () => {
  alice().change(1, { summary: 'A' });
  later();
  lose();
  const dies = Object.assign(new Error('The process died'), { name: 'AbortError' });
  let isFound = false;
  world.between = (_side, method, when) => {
    isFound ||= method === 'lastActors';
    if (isFound && method === 'changes' && when === 'before') throw dies;
  };
  const run = async () => {
    for (;;) await adoptState(contextOn(world, route, { limits: testLimits }));
  };
  await expect(run()).rejects.toThrow('died');
  world.between = () => undefined;
  await turns(3);
  expect(shown().issue?.title).toBe('A');
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import type { Cost } from '../../src/model/runtime.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, dyingCycle, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/**
 * I3: what a bug is told of pull requests and pushes, where the tracker answers a write as done and stores nothing of
 * it, as Harmony and BMO do at times.
 */
const told: Route = {
  ...widgetRoute,
  visibilityCheck: 'anonymous',
  pulls: ['bug {bug}'],
  commits: { branch: null, patterns: ['bug {bug}'] },
};
const limits = { ...testLimits, attempts: 3 };
let world: Stage;

beforeEach(() => {
  world = stage({ version: 'harmony' });
});

type Turn = typeof cycle;

const mona = () => world.github.as('mona');
const route = (): Route => routeOn(world.tracker.state.version, told);
const context = (user = 'bridge-insider'): Context => contextOn(world, route(), { limits, user });

async function turns(run: Turn = cycle, count = 6, on = context): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await run(on(), { isForced: false });
  }
}

/** A bug and its issue, at rest. */
async function begin(run: Turn = cycle): Promise<number> {
  const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await turns(run, 5);
  // So long ago that no list of changes repeats it.
  world.clock.advance(3_600_000);
  await turns(run, 1);
  return bug;
}

const open = (bug: number, title = 'A fix'): number => mona().openPull(repo, { title, body: `Bug ${bug}` });
const address = (pull: number): string => `https://github.com/${repo}/pull/${pull}`;
const shown = (): readonly unknown[] =>
  [...world.tracker.state.attachments.values()].map((each) => [each.summary, each.isObsolete]);
/** What the bridge said, in one word each. */
const said = (bug: number): readonly string[] =>
  world.tracker
    .commentsOf(bug)
    .flatMap(
      ({ text }) => / (opened|merged|closed|names)(?: a pull request| this bug)? \(\S+\)[:.]$/mu.exec(text)?.[1] ?? [],
    );
/** How often each of these was asked of the tracker since. */
function countFromNow(): (...methods: readonly string[]) => readonly number[] {
  const from = world.calls.length;
  const isOf = (call: Stage['calls'][number], name: string): boolean => call.side === 'tracker' && call.method === name;
  return (...methods) => methods.map((name) => world.calls.slice(from).filter((call) => isOf(call, name)).length);
}

/** The next so many writes of this cost are answered and lost. */
function lose(cost: Cost, times = 1): void {
  let left = times;
  world.faults = (side, each) =>
    side === 'tracker' && each === cost && left-- > 0 ? { kind: 'lost' } : { kind: 'none' };
}

/**
 * The opening of a pull request is lost; then its end. What is said, what its attachment shows, and whether See Also
 * has it.
 */
async function losesOpening(version: TrackerVersion, run: Turn = cycle): Promise<readonly unknown[]> {
  world = stage({ version });
  const bug = await begin(run);
  const pull = open(bug);
  lose(version === 'harmony' ? 'create' : 'edit');
  await turns(run);
  return [said(bug), shown(), world.tracker.bug(bug)?.see_also.includes(address(pull))];
}

async function losesEnd(version: TrackerVersion, run: Turn = cycle): Promise<readonly unknown[]> {
  world = stage({ version });
  const bug = await begin(run);
  const pull = open(bug);
  await turns(run);
  mona().close(repo, pull);
  lose(version === 'harmony' ? 'edit' : 'create');
  await turns(run);
  return [said(bug), shown()];
}

/**
 * A closing that names the fix is lost, and the issue is opened again before that is found: no other closing names it.
 */
async function losesFix(run: Turn = cycle): Promise<readonly unknown[]> {
  const bug = await begin(run);
  const issue = world.github.issues(repo)[0]?.number ?? 0;
  const pull = mona().openPull(repo, { title: 'A fix', body: `Bug ${bug}, fixes #${issue}` });
  await turns(run);
  mona().merge(repo, pull);
  lose('edit');
  await turns(run, 1);
  mona().reopen(repo, issue);
  await turns(run);
  return [said(bug), world.tracker.bug(bug)?.status];
}

async function losesPush(run: Turn = cycle): Promise<readonly string[]> {
  const bug = await begin(run);
  mona().push(repo, `Bug ${bug}: free the worker`);
  lose('create');
  await turns(run);
  return said(bug);
}

/** A pull request gets these titles, one in each cycle, and the tracker loses as many. */
async function losesTitles(titles: readonly string[], run: Turn = cycle): Promise<readonly unknown[]> {
  const bug = await begin(run);
  const pull = open(bug);
  await turns(run);
  lose('edit', titles.length);
  for (const title of titles) {
    mona().edit(repo, pull, { title });
    // Sooner than it is looked for.
    world.clock.advance(4_000);
    await run(context(), { isForced: false });
  }
  await turns(run);
  return [said(bug), shown()];
}

/**
 * The end of a pull request is lost, with a new title; and then the title alone, as it is opened again before the first
 * is found.
 */
async function losesTwice(run: Turn = cycle): Promise<readonly unknown[]> {
  const bug = await begin(run);
  const pull = open(bug);
  await turns(run);
  mona().edit(repo, pull, { title: 'Free' });
  mona().close(repo, pull);
  lose('edit', 2);
  await turns(run, 1);
  mona().reopen(repo, pull);
  await turns(run);
  return [said(bug), shown()];
}

/** A pull request gets another title, and then somebody on the tracker gives the attachment a third one. */
async function retitledByHand(run: Turn = cycle): Promise<readonly unknown[]> {
  const bug = await begin(run);
  const pull = open(bug);
  await turns(run);
  mona().edit(repo, pull, { title: 'Free the worker' });
  await turns(run, 1);
  world.tracker.as('alice').changeAttachment(1, { summary: 'Hands off' });
  await turns(run);
  return shown();
}

/** What the tracker lists of attachments cannot be read for so many minutes after a new title was lost. */
async function unlisted(minutes: number, run: Turn = cycle): Promise<readonly unknown[]> {
  const bug = await begin(run);
  const pull = open(bug);
  await turns(run);
  mona().edit(repo, pull, { title: 'Free the worker' });
  lose('edit');
  const without = (): Context => {
    const whole = context();
    return { ...whole, tracker: { ...whole.tracker, shownPulls: async () => new Map() } };
  };
  await turns(run, minutes, without);
  await turns(run);
  return shown();
}

/** Threads come from a database that does not have the news for so many cycles. */
async function lags(cycles: number, run: Turn = cycle): Promise<readonly string[]> {
  const bug = await begin(run);
  const old = world.tracker.commentsOf(bug).length;
  open(bug);
  const behind = (): Context => {
    const whole = context();
    const threads: Context['tracker']['threads'] = async (asks) =>
      (await whole.tracker.threads(asks)).map((thread) => ({ ...thread, comments: thread.comments.slice(0, old) }));
    return { ...whole, tracker: { ...whole.tracker, threads } };
  };
  await turns(run, cycles, behind);
  await turns(run);
  return said(bug);
}

const stands = [['opened'], [['A fix', false]], false];
const retitled = [['opened'], [['Free the worker', false]]];

describe('what the tracker loses of a pull request is written again, once:', () => {
  test('its attachment', async () => {
    expect(await losesOpening('harmony')).toEqual(stands);
    expect(world.store.receipts.ofRoute('widget')).toEqual([]);
    const settled = world.store.ledger.latest('widget', 100).filter(({ kind }) => kind === 'settle');
    expect(settled.map(({ outcome, detail }) => [outcome, detail['operation']])).toEqual([['had not arrived', 'pull']]);
  });

  test('its address in See Also', async () => {
    expect(await losesOpening('5.2')).toEqual([['opened'], [], true]);
  });

  test.each<readonly [TrackerVersion, readonly unknown[]]>([
    ['harmony', [['A fix', true]]],
    ['5.2', []],
  ])('its end, on %s', async (version, attachments) => {
    expect(await losesEnd(version)).toEqual([['opened', 'closed'], attachments]);
  });

  test('its title, of which several may be lost in a row', async () => {
    expect(await losesTitles(['Free the worker'])).toEqual(retitled);
    world = stage({ version: 'harmony' });
    expect(await losesTitles(['Free', 'Free the', 'Free the worker'])).toEqual(retitled);
  });

  test('its title, which was lost with its end, although it is open again before that is found', async () => {
    expect(await losesTwice()).toEqual([['opened'], [['Free', false]]]);
  });

  test('its opening, also if the bridge dies before it hears the answer', async () => {
    const bug = await begin();
    open(bug);
    lose('create');
    await dyingCycle(world, cycle, {
      route: route(),
      limits,
      user: 'bridge-insider',
      method: 'attachPull',
      moment: 'after',
    });
    await turns();
    expect([said(bug), shown()]).toEqual([['opened'], [['A fix', false]]]);
  });

  test('its merge, if the closing that told of it was lost and comes no more', async () => {
    expect(await losesFix()).toEqual([['opened', 'merged'], 'CONFIRMED']);
  });

  test('and so is what was lost of a push', async () => {
    expect(await losesPush()).toEqual(['names']);
  });

  test('once its bug, which was hidden meanwhile, is public again', async () => {
    world = stage({ version: 'harmony', hasGroupExtension: true });
    const bug = await begin();
    open(bug);
    lose('create');
    await turns(cycle, 1);
    world.tracker.hide(bug);
    await turns();
    world.tracker.unhide(bug);
    await turns(cycle, 8);
    expect([said(bug), shown()]).toEqual([['opened'], [['A fix', false]]]);
  });
});

describe('what the tracker loses again and again is parked with the reason:', () => {
  test.each<readonly [string, Cost, (pull: number) => unknown, string]>([
    ['news', 'create', () => mona().push(repo, 'Bug 1: step'), 'the news of a push'],
    ['the end', 'edit', (pull) => mona().close(repo, pull), 'the news of pull request 2'],
    ['a title', 'edit', (pull) => mona().edit(repo, pull, { title: 'Free' }), 'the attachment of pull request 2'],
  ])('%s', async (_what, cost, act, words) => {
    const pull = open(await begin());
    await turns();
    act(pull);
    lose(cost, Number.MAX_SAFE_INTEGER);
    await turns(cycle, 20);
    expect(world.store.outbox.parked('widget').map(({ why }) => why)).toEqual([
      `the tracker reported 3 times that it had stored ${words}, but never showed it`,
    ]);
    world.faults = noFaults;
  });
});

describe('nothing is written twice', () => {
  test('if people change the attachment after us', async () => {
    expect(await retitledByHand()).toEqual([['Hands off', false]]);
  });

  test('while threads lag behind', async () => {
    expect(await lags(2)).toEqual(['opened']);
  });

  test.each(['bridge', 'bridge-insider'])(
    'if somebody makes the comment private before it was seen (%s)',
    async (user) => {
      const bug = await begin();
      mona().push(repo, `Bug ${bug}: step`);
      await turns(cycle, 1, () => context(user));
      const comment = world.tracker.commentsOf(bug).at(-1)?.id ?? 0;
      world.tracker.as('bridge-insider').change(bug, { comment_is_private: { [comment]: true } });
      await turns(cycle, 6, () => context(user));
      expect([said(bug), world.store.receipts.ofRoute('widget')]).toEqual([['names'], []]);
    },
  );

  test('if somebody makes the comment of an attachment private, as long as our account is shown it', async () => {
    const bug = await begin();
    open(bug);
    await turns(cycle, 1);
    const comment = world.tracker.commentsOf(bug).at(-1)?.id ?? 0;
    world.tracker.as('bridge-insider').change(bug, { comment_is_private: { [comment]: true } });
    await turns();
    expect([said(bug), shown(), world.store.receipts.ofRoute('widget')]).toEqual([['opened'], [['A fix', false]], []]);
  });

  test.each([
    ['minutes, and then written', 4, [['Free the worker', false]]],
    ['hours, in which the tracker is believed in the end', 130, [['A fix', false]]],
  ])('while the attachments of a bug cannot be listed: it waits %s', async (_what, minutes, right) => {
    expect(await unlisted(minutes)).toEqual(right);
  });
});

/**
 * How often the tracker is written to and read for news of a pull request that are stored: its opening, and then its
 * end and a push.
 */
async function costs(run: Turn = cycle): Promise<readonly number[]> {
  const pull = open(await begin(run));
  const asked = countFromNow();
  await turns(run);
  mona().merge(repo, pull);
  mona().push(repo, 'Bug 1: step');
  await turns(run);
  return asked('attachPull', 'changePull', 'comment', ...looks);
}

const looks = ['threads', 'commentAt', 'probe', 'shownPulls'] as const;

/** The thread is read once after the opening, and once after the two others, as the bug had changed. */
const fewest = [1, 1, 1, 2, 0, 0, 0];

describe('what was stored costs', () => {
  test('no request for news, which their thread shows', async () => {
    expect(await costs()).toEqual(fewest);
    expect(world.store.receipts.ofRoute('widget')).toEqual([]);
  });

  test('one request for the new titles of all attachments', async () => {
    const bugs = [await begin(), await begin()];
    const pulls = bugs.map((bug) => open(bug));
    await turns();
    const asked = countFromNow();
    for (const pull of pulls) mona().edit(repo, pull, { title: 'Free the worker' });
    await turns();
    expect(asked('changePull', ...looks)).toEqual([2, 1, 0, 0, 1]);
  });
});

type Play = (run: Turn) => Promise<unknown>;
const forgetting = 'if (reported.remark !== undefined) forgetNews(context, id, reported.remark);';

const faults: readonly (readonly [name: string, Fault, Play, right: unknown])[] = [
  [
    'news that were lost count as told',
    { file: 'sync/settle/lose.ts', from: forgetting, to: '' },
    losesPush,
    ['names'],
  ],
  [
    'what a lost closing told counts as told',
    {
      file: 'sync/settle/lose.ts',
      from: 'if (isOfFix(reported)) forgetFixed(context, id);',
      to: '',
    },
    losesFix,
    [['opened', 'merged'], 'CONFIRMED'],
  ],
  [
    'the lost comment counts as said',
    {
      file: 'sync/settle/lose.ts',
      from: 'const { remark: _unsaid, ...own } = commentLink;',
      to: 'const own = commentLink;',
    },
    losesPush,
    ['names'],
  ],
  [
    'the attachment counts as brought up to date by what was lost',
    { file: 'sync/settle/confirm-pulls.ts', from: 'told, shown: null }', to: 'told }' },
    losesTwice,
    [['opened'], [['Free', false]]],
  ],
  [
    'the answer is not kept',
    {
      file: 'sync/perform/operations/pull.ts',
      from: 'keepNews(context, operation, remark, comment ?? sentAt);',
      to: '',
    },
    (run) => losesEnd('harmony', run),
    [['opened', 'closed'], [['A fix', true]]],
  ],
  [
    'an attachment that shows what it showed counts as changed',
    { file: 'sync/settle/confirm-pulls.ts', from: 'replaced.some((before) => isSameLook(now, before))', to: 'false' },
    (run) => losesTitles(['Free the worker'], run),
    retitled,
  ],
  [
    'only the last of several titles counts',
    { file: 'kernel/outbox.ts', from: '...(earlier?.replaced ?? []), ...(was', to: '...(was' },
    (run) => losesTitles(['Free', 'Free the worker'], run),
    retitled,
  ],
  [
    'what people change counts as lost',
    { file: 'sync/settle/confirm-pulls.ts', from: '(replaced.length === 0 ||', to: '(replaced.length >= 0 ||' },
    retitledByHand,
    [['Hands off', false]],
  ],
  [
    'a comment without an id is never seen',
    {
      file: 'sync/observe/observe-thread.ts',
      from: 'id === null) return comments.some(',
      to: 'id === null) return [].some(',
    },
    costs,
    fewest,
  ],
  [
    'attachments that cannot be listed count as stored',
    {
      file: 'sync/settle/confirm-pulls.ts',
      from: 'all === undefined && clock.now()',
      to: 'all === null && clock.now()',
    },
    (run) => unlisted(4, run),
    [['Free the worker', false]],
  ],
];

test.each(sample(faults, 3))('a planted fault is caught: %s', async (_name, fault, play, right) => {
  expect(await play(cycle)).toEqual(right);
  world = stage({ version: 'harmony' });
  const { cycle: faulty }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
  expect(await play(faulty)).not.toEqual(right);
});

/**
 * I4 and I15: what people do to an issue within one cycle is one request, and so one e-mail, where the tracker can take
 * it; and nothing is said twice.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import { totalsOf } from '../../src/explain/plan-totals.ts';
import { writers } from '../../src/kernel/backoff.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Comment } from '../../src/model/item.ts';
import { type Outcome, SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { previewOf } from '../../src/sync/preview.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

type Turn = typeof cycle;
type Alter = (context: Context) => Context;

const route: Route = { ...widgetRoute, pointer: 'with-next-change' };
let [world, issue, on]: [Stage, number, Route] = [stage(), 0, route];
beforeEach(() => begin());

const asIs: Alter = (context) => context;
const mona = () => world.github.as('mona');
const context = (): Context => contextOn(world, on, { limits: testLimits });

async function turns(count = 6, run: Turn = cycle, alter = asIs): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await run(alter(context()), { isForced: false });
  }
}

/** Bug 1 and its issue, at rest. */
async function begin(options: Parameters<typeof stage>[0] = {}, run: Turn = cycle): Promise<void> {
  world = stage(options);
  on = routeOn(options.version ?? '5.2', route);
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await turns(4, run);
  issue = world.github.issues(repo)[0]?.number ?? 0;
}

/** What the tracker was asked to write since. */
async function written(
  act: () => void,
  run: Turn = cycle,
  alter = asIs,
): Promise<readonly (readonly [method: string, what: unknown])[]> {
  const before = world.calls.length;
  act();
  await turns(6, run, alter);
  const writes = world.calls
    .slice(before)
    .filter(({ side, method }) => side === 'tracker' && ['update', 'comment'].includes(method));
  return writes.map(({ method, args }) => [method, args[1]]);
}

const heard = (): readonly string[] =>
  world.tracker
    .commentsOf(1)
    .slice(1)
    .map(({ text }) => text.split('\n').at(-1) ?? '');
const bug = () => world.tracker.bug(1);
const saying = (words: string) => expect.stringContaining(words);
const isAtRest = (): boolean => Object.values(world.store.outbox.count('widget')).every((count) => count === 0);

function speakAndRename(): void {
  mona().comment(repo, issue, 'Look at this.');
  mona().edit(repo, issue, { title: 'It fails at noon' });
}

function speakAndClose(): void {
  mona().comment(repo, issue, 'Works for me.');
  mona().close(repo, issue, 'not_planned');
}

describe('one request carries', () => {
  test('a comment and a change of fields, with the address of the issue', async () => {
    expect(await written(speakAndRename)).toEqual([
      [
        'update',
        { summary: 'It fails at noon', seeAlso: saying(`/issues/${issue}`), comment: saying('Look at this.') },
      ],
    ]);
    expect([heard(), bug()?.summary, isAtRest()]).toEqual([['Look at this.'], 'It fails at noon', true]);
  });

  test('a closing with the words that give the reason', async () => {
    expect(await written(speakAndClose)).toEqual([
      ['update', expect.objectContaining({ resolution: 'WONTFIX', comment: saying('Works for me.') })],
    ]);
    expect([heard(), bug()?.status]).toEqual([['Works for me.'], 'RESOLVED']);
  });

  test('nothing that comes back, and a later edit of the comment is reported', async () => {
    await written(speakAndRename);
    expect(world.github.commentsOf(repo, issue)).toHaveLength(1);
    const [said] = world.github.commentsOf(repo, issue);
    await written(() => mona().editComment(repo, said?.id ?? 0, 'Look at that.'));
    expect(heard()).toEqual(['Look at this.', expect.stringContaining('that')]);
  });

  test('the last of several comments, in their order', async () => {
    const writes = await written(() => {
      mona().comment(repo, issue, 'One.');
      world.clock.advance(1000);
      mona().comment(repo, issue, 'Two.');
      world.clock.advance(1000);
      speakAndClose();
    });
    expect(writes.map(([method]) => method)).toEqual(['comment', 'comment', 'update']);
    expect(heard()).toEqual(['One.', 'Two.', 'Works for me.']);
  });

  test.each<[TrackerVersion, boolean | undefined]>([
    ['5.0', undefined],
    ['5.3', true],
    ['harmony', undefined],
  ])('Markdown as the tracker %s takes it', async (version, isMarkdown) => {
    await begin({ version });
    await written(speakAndRename);
    expect([heard(), world.tracker.commentsOf(1)[1]?.isMarkdown]).toEqual([['Look at this.'], isMarkdown]);
  });
});

const counted: readonly (readonly [name: string, act: () => void, mails: number])[] = [
  ['a comment and a closing', speakAndClose, 1],
  ['a comment and a new title', speakAndRename, 1],
  ['a closing that says what fixed the bug', () => fix(), 1],
  ['a comment and such a closing', speakAndFix, 2],
  ['an issue with a comment that is closed already', openAndClose, 2],
];

describe('a plan counts as many mails as are sent for', () => {
  test.each(counted)('%s', async (_name, act, mails) => {
    act();
    expect(await plannedAndSent()).toEqual([mails, mails]);
  });

  test('a change through two steps of the workflow', async () => {
    await closeAndBegin();
    expect(await plannedAndSent()).toEqual([2, 2]);
    expect(bug()?.status).toBe('IN_PROGRESS');
  });

  test.each<[string, Fault, () => Promise<void> | void]>([
    [
      'what fixed a bug is not asked for',
      {
        file: 'sync/preview.ts',
        from: "if (await spareAsync(context, workOn(context, link, 'write'), joins)) count += 1;",
        to: 'count += 1;',
      },
      speakAndFix,
    ],
    [
      'a change is one request, whatever its steps',
      { file: 'explain/plan-totals.ts', from: 'operation.via.length + 1', to: '1' },
      closeAndBegin,
    ],
  ])('or a planted fault is caught: %s', async (_name, fault, act) => {
    await act();
    const src = plant(fault);
    const { totalsOf: totals }: { totalsOf: typeof totalsOf } = await import(`${src}/explain/plan-totals.ts`);
    const { previewOf: preview }: { previewOf: typeof previewOf } = await import(`${src}/sync/preview.ts`);
    const [planned, sent] = await plannedAndSent(preview, totals);
    expect(planned).not.toBe(sent);
  });
});

/** How many mails the plan counts, and how many the tracker then sends, one for each request that writes. */
async function plannedAndSent(
  preview = previewOf,
  totals = totalsOf,
): Promise<readonly [planned: number, sent: number]> {
  world.clock.advance(61_000);
  const { wanted, joined } = await preview(context());
  const { mails } = totals({ wanted, joined, left: nothingLeft }, pace, 0);
  const before = world.calls.length;
  await turns();
  const isSent = ({ side, method }: Stage['calls'][number]) =>
    side === 'tracker' && ['create', 'update', 'comment'].includes(method);
  return [mails, world.calls.slice(before).filter(isSent).length];
}

const nothingLeft = { creations: 0, others: 0, isLeast: false };

const pace = {
  pointsPerMinute: 900,
  pauseBetweenWritesMs: 1000,
  createsPerMinute: 15,
  createsPerHour: 120,
  trackerRequestsPerSecond: 1,
  creations: [],
};

function fix(): void {
  mona().merge(repo, mona().openPull(repo, { title: 'A fix', body: `Fixes #${issue}` }));
}

function speakAndFix(): void {
  mona().comment(repo, issue, 'Please test it.');
  fix();
}

function openAndClose(): void {
  const second = mona().open(repo, { title: 'It hangs', body: 'Always.' });
  mona().comment(repo, second, 'Works for me.');
  mona().close(repo, second, 'not_planned');
}

/** A closed issue that somebody takes up again: the way of its bug to that status leads through another one. */
async function closeAndBegin(): Promise<void> {
  mona().close(repo, issue);
  await turns();
  mona().reopen(repo, issue);
  mona().label(repo, issue, 'status: in progress');
}

test('a comment that the tracker spells its own way is known at once', async () => {
  expect(await spelled()).toEqual([]);
});

/** What is in doubt after a comment some words of which the tracker changes below the first line. */
async function spelled(run: Turn = cycle): Promise<readonly string[]> {
  const spelling: Alter = withComments((comment) => ({ ...comment, text: comment.text.replace('Look at', 'LOOK AT') }));
  speakAndRename();
  await turns(1, run, spelling);
  return inDoubt();
}

const inDoubt = (): readonly string[] => world.store.outbox.sent('widget').map(({ operation }) => operation.kind);

describe('two requests are made', () => {
  test('if the tracker refuses the change: the comment is not lost', async () => {
    expect(await refusedChange()).toEqual(['Look at this.']);
    expect(bug()?.summary).toBe('It fails');
  });

  test('if the tracker refuses the comment: the change is not lost', async () => {
    await written(speakAndRename, cycle, (context) => ({
      ...context,
      tracker: {
        ...context.tracker,
        comment: async () => refused,
        update: async (seen, patch): Promise<Awaited<ReturnType<Context['tracker']['update']>>> =>
          patch.comment === undefined ? context.tracker.update(seen, patch) : refused,
      },
    }));
    expect([heard(), bug()?.summary]).toEqual([[], 'It fails at noon']);
    await turns();
    expect(world.store.outbox.parked('widget')).toHaveLength(1);
  });

  test('if what closed the issue has a comment of its own', async () => {
    expect(await fixedAndSaid()).toEqual(['Please test it.', expect.stringContaining('Fixed by')]);
  });

  test('if the bug is closed as a duplicate, as the tracker adds a sentence', async () => {
    expect(await duplicated()).toEqual(['Seen before.', expect.stringContaining('has been marked as a duplicate')]);
  });

  test('if a plain text would be read as Markdown', async () => {
    expect(await plainReport()).toEqual(['comment', 'update']);
  });
});

const refused = { kind: 'refused', why: 'You are not allowed to do that' } as const satisfies Outcome<never>;

async function refusedChange(run: Turn = cycle): Promise<readonly string[]> {
  const withoutTitles: Alter = (context) => ({
    ...context,
    tracker: {
      ...context.tracker,
      update: async (seen, patch): Promise<Awaited<ReturnType<Context['tracker']['update']>>> =>
        patch.summary === undefined ? context.tracker.update(seen, patch) : refused,
    },
  });
  await written(speakAndRename, run, withoutTitles);
  return heard();
}

async function fixedAndSaid(run: Turn = cycle): Promise<readonly string[]> {
  await written(speakAndFix, run);
  return heard();
}

async function plainReport(run: Turn = cycle): Promise<readonly string[]> {
  await begin({ version: 'harmony', hasMarkdown: true }, run);
  mona().comment(repo, issue, 'Look at this.');
  await turns(6, run);
  const [said] = world.github.commentsOf(repo, issue);
  const writes = await written(() => {
    mona().editComment(repo, said?.id ?? 0, 'Look at that.');
    mona().edit(repo, issue, { title: 'It fails at noon' });
  }, run);
  return writes.map(([method]) => method);
}

async function duplicated(run: Turn = cycle): Promise<readonly string[]> {
  world.tracker.as('alice').file({ summary: 'The first', description: 'Of them.' });
  await turns(4, run);
  const first = world.github.issues(repo).find(({ title }) => title === 'The first')?.number ?? 0;
  await written(() => {
    mona().comment(repo, issue, 'Seen before.');
    mona().close(repo, issue, 'duplicate', first);
  }, run);
  return heard();
}

describe('it is said once', () => {
  test.each([
    ['update', 'before'],
    ['update', 'after'],
    ['threads', 'before'],
    ['threads', 'after'],
  ] as const)('if the bridge dies at %s, %s it', async (method, moment) => {
    expect(await dies(method, moment)).toEqual(['Look at this.']);
    expect([bug()?.summary, isAtRest()]).toEqual(['It fails at noon', true]);
  });

  test('and what the process that died did not see shows within seconds', async () => {
    expect(await shownAfterDeath()).toEqual(['comment', 'nothing']);
    expect(heard()).toEqual(['Look at this.']);
  });

  test('and a value that the tracker goes on losing is given up', async () => {
    expect(await losing()).toEqual(['update']);
  });

  test.each([true, false])('if the answer is lost (took effect: %s)', async (after) => {
    let left = 1;
    world.faults = (side, cost) =>
      side === 'tracker' && cost === 'edit' && left-- > 0 ? { kind: 'drop', after } : { kind: 'none' };
    await written(speakAndRename);
    expect([heard(), bug()?.summary, isAtRest()]).toEqual([['Look at this.'], 'It fails at noon', true]);
  });

  test('if the tracker answers and stores nothing', async () => {
    let left = 1;
    world.faults = (side, cost) =>
      side === 'tracker' && cost === 'edit' && left-- > 0 ? { kind: 'lost' } : { kind: 'none' };
    await written(speakAndRename);
    world.faults = noFaults;
    await turns(12);
    expect([heard(), bug()?.summary, isAtRest()]).toEqual([['Look at this.'], 'It fails at noon', true]);
  });

  test.each([1, 60, 115])('if the thread shows it %s seconds late', async (late) => {
    expect(await showsLate(late * 1000)).toEqual(['Look at this.']);
    expect(isAtRest()).toBe(true);
  });

  test('and GitHub is not read anew for it', async () => {
    expect(await rereadFor(90_000)).toEqual([]);
  });

  test('and no more for as long as the tracker asks to wait', async () => {
    expect(await askedToWait()).toEqual(['as many as are under way']);
  });

  test('if the thread cannot be read after it', async () => {
    let left = 1;
    world.faults = (side, cost) =>
      side === 'tracker' && cost === 'read' && world.calls.at(-1)?.method === 'threads' && left-- > 0
        ? { kind: 'status', status: 503, isHtml: true, after: false }
        : { kind: 'none' };
    await written(speakAndRename);
    expect([heard(), isAtRest()]).toEqual([['Look at this.'], true]);
  });
});

/** The process dies at the first such call after the request. */
async function dies(method: string, moment: 'before' | 'after', run: Turn = cycle): Promise<readonly string[]> {
  await die(method, moment, run);
  await turns(8, run);
  return heard();
}

async function die(method: string, moment: 'before' | 'after', run: Turn): Promise<void> {
  speakAndRename();
  const { promise: death, resolve } = Promise.withResolvers<void>();
  let [isDead, isSent] = [false, false];
  world.between = (side, name, when) => {
    if (side !== 'tracker') return;
    isSent ||= name === 'update';
    if (!isSent || name !== method || when !== moment) return;
    isDead = true;
    resolve();
  };
  world.clock.advance(61_000);
  const dying = contextOn(world, on, { limits: testLimits, isDead: () => isDead });
  await Promise.race([run(dying, { isForced: false }), death]);
  expect(isDead).toBe(true);
  world.between = () => undefined;
  inheritDoubts(context());
}

/** What is in doubt after a process died before it read the thread, and what still is after a cycle a second later. */
async function shownAfterDeath(run: Turn = cycle): Promise<readonly string[]> {
  await die('threads', 'before', run);
  const before = inDoubt();
  world.clock.advance(1000);
  await run(context(), { isForced: false });
  return [before, inDoubt()].map((kinds) => kinds.join() || 'nothing');
}

/** What becomes of a title that the tracker answers and never stores, while people go on talking. */
async function losing(run: Turn = cycle): Promise<readonly string[]> {
  const few: Alter = (context) => ({ ...context, limits: { ...testLimits, attempts: 2 } });
  world.faults = (side, cost) => ({ kind: side === 'tracker' && cost === 'edit' ? 'lost' : 'none' });
  mona().edit(repo, issue, { title: 'It fails at noon' });
  for (let index = 0; index < 8; index += 1) {
    mona().comment(repo, issue, `Still nothing, ${index}.`);
    await turns(1, run, few);
  }
  return world.store.outbox.parked('widget').map(({ operation }) => operation.kind);
}

/** Threads show comments only after so many milliseconds, as those of a lagging database do. */
async function showsLate(lateMs: number, run: Turn = cycle): Promise<readonly string[]> {
  await written(speakAndRename, run, lagging(lateMs));
  await turns(6, run, lagging(lateMs));
  return heard();
}

/** The readings of GitHub's lists from their beginning while such a comment is in doubt. */
async function rereadFor(lateMs: number, run: Turn = cycle): Promise<readonly string[]> {
  const before = world.calls.length;
  await showsLate(lateMs, run);
  return world.calls
    .slice(before)
    .flatMap(({ side, method, args }) =>
      side === 'github' && method === 'changes' && args[0] === null ? [method] : [],
    );
}

const lagging = (lateMs: number): Alter =>
  withComments((comment) => (comment.createdAt + lateMs <= world.clock.now() ? comment : null));

/** Threads show each comment as it becomes by this; without those that become null. */
const withComments =
  (change: (comment: Comment) => Comment | null): Alter =>
  (context) => ({
    ...context,
    tracker: {
      ...context.tracker,
      threads: async (asks) =>
        (await context.tracker.threads(asks)).map((thread) => ({
          ...thread,
          comments: thread.comments.flatMap((each) => change(each) ?? []),
        })),
    },
  });

/** How many requests leave where five bugs have news, and the thread of the first is refused with a wait. */
async function askedToWait(run: Turn = cycle, Trouble = SideError): Promise<readonly string[]> {
  for (const summary of ['Two', 'Three', 'Four', 'Five'])
    world.tracker.as('alice').file({ summary, description: 'Always.' });
  await turns(4, run);
  for (const { number, title } of world.github.issues(repo)) {
    mona().comment(repo, number, 'Look at this.');
    mona().edit(repo, number, { title: `${title} at noon` });
  }
  const before = world.calls.length;
  let left = 1;
  const waiting: Alter = (context) => ({
    ...context,
    tracker: {
      ...context.tracker,
      async threads(asks) {
        const isAfter = world.calls.slice(before).some(({ side, method }) => side === 'tracker' && method === 'update');
        if (!isAfter || left-- <= 0) return context.tracker.threads(asks);
        throw new Trouble('later', 'Too many requests', { side: 'tracker', at: world.clock.now() + 3_600_000 });
      },
    },
  });
  await turns(2, run, waiting);
  const sent = world.calls.slice(before).filter(({ side, method }) => side === 'tracker' && method === 'update').length;
  return [sent <= writers ? 'as many as are under way' : 'more'];
}

/** `Trouble` is the error that the code which runs knows. */
type Probe = (run: Turn, Trouble: typeof SideError) => Promise<readonly string[]>;
const faults: readonly (Fault & { readonly name: string; readonly play: Probe })[] = [
  {
    name: 'a plain text is read as Markdown',
    file: 'sync/perform/perform-joined.ts',
    from: 'if (!isMarkdown && context.session.vocabulary.readsAllMarkdown === true) return false;',
    to: '',
    play: plainReport,
  },
  {
    name: 'a comment goes with a closing as duplicate',
    file: 'rules/limits/brake-and-budget.ts',
    from: '(next.target.status === undefined || next.duplicateOf === null)',
    to: 'true',
    play: duplicated,
  },
  {
    name: 'what fixed a bug is not said, as a person said something',
    file: 'sync/perform/perform-joined.ts',
    from: 'return !isClosing(update) || (await fixedBy(context, rows[1], link)) === null;',
    to: 'return true;',
    play: fixedAndSaid,
  },
  {
    name: 'a comment that a lagging thread lacks is written again at once',
    file: 'sync/perform/perform-joined.ts',
    from: 'notBeforeAt: clock.now() + limits.settleMs + graceMs',
    to: "state: 'planned'",
    play: (run) => showsLate(90_000, run),
  },
  {
    name: 'the first thread that lacks a comment counts',
    file: 'sync/settle/settle.ts',
    from: 'isTooEarly(context, row) || ',
    to: '',
    play: (run) => showsLate(90_000, run),
  },
  {
    name: 'a comment that shows rests as long as one that does not',
    file: 'sync/settle/settle.ts',
    from: ' || isToShow(row)',
    to: '',
    play: shownAfterDeath,
  },
  {
    name: 'stored fields are in doubt until the thread is read',
    file: 'sync/perform/perform-joined.ts',
    from: 'recordFields(context, pair, outcome);\n  const shown = await shownOn(context, link, words.text, sentAt);',
    to: 'const shown = await shownOn(context, link, words.text, sentAt);\n  recordFields(context, pair, outcome);',
    play: shownAfterDeath,
  },
  {
    name: 'a comment in doubt counts as an import',
    file: 'sync/settle/find-made.ts',
    from: "operation.kind === 'create' && state === 'sent'",
    to: "state === 'sent'",
    play: (run) => rereadFor(90_000, run),
  },
  {
    name: 'a joined comment is known by its whole text',
    file: 'sync/perform/perform-joined.ts',
    from: 'firstLine(shown) === firstLine(text)',
    to: 'shown === text',
    play: spelled,
  },
  {
    name: 'a wait that the tracker asks for is forgotten',
    file: 'sync/perform/perform-joined.ts',
    from: 'keepBackoff({ ...context, name: route.name }, failure);\n    return null;',
    to: 'return null;',
    play: askedToWait,
  },
  {
    name: 'what the tracker goes on losing is joined for ever',
    file: 'sync/perform/perform-joined.ts',
    from: 'attempts > 0 || (receiptOf(store, link).vain[key] ?? 0) > 0',
    to: 'attempts > 0',
    play: losing,
  },
];

describe('a planted fault is caught:', () => {
  test.each(sample(faults))('$name', async ({ play, name: _name, ...fault }) => {
    const right = await play(cycle, SideError);
    await begin();
    const src = plant(fault);
    const { cycle: planted }: { cycle: Turn } = await import(`${src}/sync/cycle.ts`);
    const { SideError: Trouble }: { SideError: typeof SideError } = await import(`${src}/model/outcome.ts`);
    expect(await play(planted, Trouble)).not.toEqual(right);
  });
});

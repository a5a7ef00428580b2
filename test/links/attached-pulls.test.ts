import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { verify } from '../../src/verify/verify.ts';
import { contextOn, dyingCycle, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { branchRule, routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/**
 * On a tracker that has a type for pull requests, each stands at its bug as one attachment, which follows it (I4), and
 * is no file of anyone (I2).
 */
const told: Route = { ...widgetRoute, visibilityCheck: 'anonymous', pulls: ['bug {bug}'], attachments: branchRule };
let world: Stage;

beforeEach(() => {
  world = stage({ version: 'harmony' });
});

type Turn = typeof cycle;

const mona = () => world.github.as('mona');
const how = { limits: testLimits, user: 'bridge-insider' } as const;
const route = (): Route => routeOn(world.tracker.state.version, told);
const context = (): Context => contextOn(world, route(), how);

async function turns(run: Turn = cycle, count = 4, on = context): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await run(on(), { isForced: false });
  }
}

/** A pair, at rest. */
async function begin(run: Turn = cycle): Promise<{ readonly bug: number; readonly issue: number }> {
  const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await turns(run, 5);
  return { bug, issue: world.github.issues(repo)[0]?.number ?? 0 };
}

const open = (body: string, title = 'A fix'): number => mona().openPull(repo, { title, body });
const address = (pull: number): string => `https://github.com/${repo}/pull/${pull}`;
const attachments = () => [...world.tracker.state.attachments.values()];
const shown = (): readonly unknown[] => attachments().map(({ summary, isObsolete }) => [summary, isObsolete]);
/** What the bridge said of pull requests, in one word each. */
const said = (bug: number): readonly string[] =>
  world.tracker
    .commentsOf(bug)
    .flatMap(({ text }) => / (opened|merged|closed)(?: a pull request)? \(\S+\)[:.]$/mu.exec(text)?.[1] ?? []);
/** The calls that write to a side. */
const writesTo = (side: string): readonly string[] =>
  world.calls.flatMap((call) =>
    call.side === side && /^(?:create|update|comment|rewrite|attach|attachPull|changePull|put)$/u.test(call.method)
      ? call.method
      : [],
  );

/** A pull request that was told of, and the writes to the tracker until then. */
async function tells(run: Turn = cycle) {
  const { bug, issue } = await begin(run);
  const pull = open(`Bug ${bug}`, 'Free the worker');
  await turns(run);
  return { bug, issue, pull };
}

describe('a bug that a pull request names', () => {
  test('has it as an attachment, with one write and one comment, and not in See Also', async () => {
    const { bug } = await begin();
    const before = [writesTo('tracker').length, writesTo('github').length];
    const pull = open(`Bug ${bug}`, 'Free the worker');
    await turns();
    expect(attachments()).toMatchObject([
      {
        bug,
        summary: 'Free the worker',
        contentType: 'text/x-github-pull-request',
        isPatch: false,
        isPrivate: false,
        isObsolete: false,
      },
    ]);
    expect(Buffer.from(attachments()[0]?.content ?? '', 'base64').toString()).toBe(address(pull));
    expect(world.tracker.commentsOf(bug).at(-1)?.text).toBe(
      `Created attachment 1\nFree the worker\n\nGitHub user mona opened a pull request (${address(pull)}).`,
    );
    expect(world.tracker.bug(bug)?.see_also).not.toContain(address(pull));
    expect([writesTo('tracker').slice(before[0]), writesTo('github').length]).toEqual([['attachPull'], before[1]]);
  });

  test('shows its title as it is now, without a comment, and says so with the same write when it is merged', async () => {
    const { bug, pull } = await tells();
    mona().edit(repo, pull, { title: 'Free the worker early' });
    await turns();
    expect([shown(), said(bug)]).toEqual([[['Free the worker early', false]], ['opened']]);
    mona().edit(repo, pull, { title: 'Free it' });
    mona().merge(repo, pull);
    await turns(cycle, 6);
    expect([shown(), said(bug)]).toEqual([[['Free it', false]], ['opened', 'merged']]);
    expect(writesTo('tracker').slice(-3)).toEqual(['attachPull', 'changePull', 'changePull']);
    expect(world.github.commentsOf(repo, 1)).toEqual([]);
  });

  test('has it as obsolete while it is closed, and is told so once', async () => {
    const { bug, pull } = await tells();
    const seen: unknown[] = [];
    for (const act of ['close', 'reopen', 'close'] as const) {
      mona()[act](repo, pull);
      await turns();
      seen.push(...shown());
    }
    expect(seen).toEqual([
      ['Free the worker', true],
      ['Free the worker', false],
      ['Free the worker', true],
    ]);
    expect(said(bug)).toEqual(['opened', 'closed']);
    expect(writesTo('tracker').slice(-3)).toEqual(['changePull', 'changePull', 'changePull']);
  });

  test('has one that was opened and merged between two polls, with the comment that says so, and follows it', async () => {
    expect(await mergesAtOnce()).toEqual([['merged'], [['Free it', false]]]);
    expect(writesTo('tracker').slice(-2)).toEqual(['attachPull', 'changePull']);
    expect(world.github.commentsOf(repo, 1)).toEqual([]);
  });

  test.each([true, false])(
    'has one that was merged at once just once if the answer is lost (took effect: %s)',
    async (after) => {
      loseOne('create', after);
      expect(await mergesAtOnce()).toEqual([['merged'], [['Free it', false]]]);
    },
  );

  test('says what fixed it in the closing, and nothing more of the attachment', async () => {
    const { bug, issue } = await begin();
    const pull = open(`Fixes #${issue}`);
    await turns();
    mona().merge(repo, pull);
    await turns(cycle, 6);
    expect([world.tracker.bug(bug)?.status, said(bug), shown()]).toEqual(['RESOLVED', ['opened'], [['A fix', false]]]);
    expect(writesTo('tracker').slice(-2)).toEqual(['attachPull', 'update']);
  });

  test('lets nothing of it cross, and verify finds both sides equal', async () => {
    expect(await crosses()).toEqual([[], 0]);
    expect(await differences()).toEqual([]);
  });

  test('has people who comment on the attachment, and what they say crosses', async () => {
    const { bug } = await tells();
    world.tracker.as('alice').changeAttachment(1, { comment: 'Works for me.' });
    await turns();
    expect(world.tracker.commentsOf(bug).at(-1)?.text).toBe(
      'Comment on attachment 1\nFree the worker\n\nWorks for me.',
    );
    const [copy, ...others] = world.github.commentsOf(repo, 1).map(({ body }) => body);
    expect(others).toEqual([]);
    expect(copy).toMatch(
      /On attachment 1, \[pull-request-2\.txt\]\(<https:\/\/bugs\.example\.test\/attachment\.cgi\?id=1>\):\s+Works for me\./u,
    );
  });

  test('has it in See Also if somebody attached it before', async () => {
    const { bug } = await begin();
    const pull = open('A fix of something.');
    const theirs = { bytes: Buffer.from(`${address(pull)}/\n`), content_type: 'text/plain', summary: 'See there' };
    world.tracker.as('carol').attach(bug, theirs);
    mona().edit(repo, pull, { body: `Bug ${bug}` });
    await turns();
    mona().close(repo, pull);
    await turns();
    expect([shown(), world.tracker.bug(bug)?.see_also.includes(address(pull))]).toEqual([[['See there', false]], true]);
    expect(said(bug)).toEqual(['opened', 'closed']);
  });

  test('hears of it in a comment if the attachment is no longer ours to change', async () => {
    const { bug, pull } = await tells();
    world.tracker.state.attachments.delete(1);
    mona().edit(repo, pull, { title: 'Another title' });
    await turns();
    mona().close(repo, pull);
    await turns(cycle, 8);
    expect([said(bug), writesTo('tracker').slice(-3)]).toEqual([
      ['opened', 'closed'],
      ['changePull', 'changePull', 'comment'],
    ]);
  });

  test.each(['before', 'after'] as const)('has one attachment if the bridge dies %s the write', async (moment) => {
    expect(await diesAt(moment)).toEqual([['opened'], [['A fix', false]]]);
  });

  test.each([true, false])('has one attachment if the answer is lost (took effect: %s)', async (after) => {
    expect(await losesAnswer(after)).toEqual([['opened'], [['A fix', false]]]);
  });

  test.each([true, false])('is told once that it was closed if the answer is lost (took effect: %s)', async (after) => {
    const { bug, pull } = await tells();
    mona().close(repo, pull);
    loseOne('edit', after);
    await turns(cycle, 8);
    expect([said(bug), shown()]).toEqual([['opened', 'closed'], [['Free the worker', true]]]);
  });

  test('has the new title although the tracker lost the change that it reported', async () => {
    expect(await losesTitle()).toEqual([['Free it', false]]);
  });

  test('has one attachment after the database was lost, which still follows', async () => {
    const { bug, pull } = await tells();
    const { store } = stage();
    const onNew = (): Context => contextOn({ ...world, store }, route(), how);
    await turns(cycle, 5, onNew);
    mona().edit(repo, pull, { title: 'Another title' });
    mona().close(repo, pull);
    await turns(cycle, 5, onNew);
    expect([said(bug), shown()]).toEqual([['opened', 'closed'], [['Another title', true]]]);
  });

  test.each(['5.0', '5.2', '5.3'] satisfies TrackerVersion[])(
    'has it in See Also on a %s, which shows such a file as a text',
    async (version) => {
      world = stage({ version });
      const { bug, pull } = await tells();
      mona().close(repo, pull);
      await turns();
      expect([world.tracker.bug(bug)?.see_also.includes(address(pull)), attachments(), said(bug)]).toEqual([
        true,
        [],
        ['opened', 'closed'],
      ]);
    },
  );
});

async function differences(check = verify): Promise<readonly string[]> {
  const report = await check(context(), { sample: null, tell: () => undefined, signal: new AbortController().signal });
  return report.pairs.flatMap((pair) => pair.differences.map(({ about, words }) => `${about} ${words}`));
}

/** What comes to GitHub of a pull request that was opened and closed, beside the issue. */
async function crosses(run: Turn = cycle): Promise<readonly unknown[]> {
  const { pull } = await tells(run);
  mona().close(repo, pull);
  await turns(run, 6);
  return [writesTo('github').slice(1), world.github.commentsOf(repo, 1).length];
}

/** What its attachment shows after each of these. */
async function follows(run: Turn = cycle): Promise<readonly unknown[]> {
  const { pull } = await tells(run);
  mona().edit(repo, pull, { title: 'Free it' });
  await turns(run);
  const retitled = shown();
  mona().merge(repo, pull);
  await turns(run, 6);
  return [retitled, shown()];
}

function loseOne(of: 'create' | 'edit', after: boolean): void {
  let left = 1;
  world.faults = (side, cost) =>
    side === 'tracker' && cost === of && left-- > 0 ? { kind: 'drop', after } : { kind: 'none' };
}

/** What the attachment shows after the tracker answered a new title as done, and stored nothing. */
async function losesTitle(run: Turn = cycle): Promise<readonly unknown[]> {
  const { pull } = await tells(run);
  mona().edit(repo, pull, { title: 'Free it' });
  let left = 1;
  world.faults = (side, cost) =>
    side === 'tracker' && cost === 'edit' && left-- > 0 ? { kind: 'lost' } : { kind: 'none' };
  await turns(run, 8);
  return shown();
}

async function losesAnswer(after: boolean, run: Turn = cycle): Promise<readonly unknown[]> {
  const { bug } = await begin(run);
  open(`Bug ${bug}`);
  loseOne('create', after);
  await turns(run, 8);
  return [said(bug), shown()];
}

/** A pull request is merged before anybody hears of it, and gets another title later. */
async function mergesAtOnce(run: Turn = cycle): Promise<readonly unknown[]> {
  const { bug } = await begin(run);
  const pull = open(`Bug ${bug}`);
  mona().merge(repo, pull);
  await turns(run, 8);
  mona().edit(repo, pull, { title: 'Free it' });
  await turns(run);
  return [said(bug), shown()];
}

async function diesAt(moment: 'before' | 'after', run: Turn = cycle): Promise<readonly unknown[]> {
  const { bug } = await begin(run);
  open(`Bug ${bug}`);
  await dyingCycle(world, run, { route: route(), ...how, method: 'attachPull', moment });
  await turns(run, 8);
  return [said(bug), shown()];
}

const once = [['opened'], [['A fix', false]]];

const faults: readonly (Fault & {
  readonly name: string;
  readonly play: (run: Turn) => Promise<unknown>;
  readonly right: unknown;
})[] = [
  {
    name: 'the attachment is taken for a file of a person',
    file: 'rules/attachments/observe.ts',
    from: 'isPull(attachment, own) ? { reason: null } : whyLeft(route, attachment)',
    to: 'whyLeft(route, attachment)',
    play: crosses,
    right: [[], 0],
  },
  {
    name: 'the comment of the attachment is taken for that of a person',
    file: 'rules/comments/provenance.ts',
    from: 'parseTrackerMarker(comment.text) ?? pullBelowHeading(comment.text)',
    to: 'parseTrackerMarker(comment.text)',
    play: (run) => losesAnswer(true, run),
    right: once,
  },
  {
    name: 'a new title is not seen',
    file: 'rules/links/pulls.ts',
    from: 'known?.state !== state || shown !== null',
    to: 'known?.state !== state',
    play: follows,
    right: [[['Free it', false]], [['Free it', false]]],
  },
  {
    name: 'the attachment stays as it was',
    file: 'rules/links/pulls.ts',
    from: 'attachmentOf(commentLinks, pull) !== null && !isShown(pull)',
    to: 'false',
    play: follows,
    right: [[['Free it', false]], [['Free it', false]]],
  },
  {
    name: 'a change that the tracker lost counts as stored',
    file: 'sync/settle/confirm-pulls.ts',
    from: 'replaced.some((before) => isSameLook(now, before))',
    to: 'false',
    play: losesTitle,
    right: [['Free it', false]],
  },
  {
    name: 'the attachment of one that was merged at once is not known again',
    file: 'rules/links/pulls.ts',
    from: "[pullRemark('open', url), pullRemark('merged', url)]",
    to: "[pullRemark('open', url)]",
    play: mergesAtOnce,
    right: [['merged'], [['Free it', false]]],
  },
  {
    name: 'what was merged counts as given up',
    file: 'rules/links/pulls.ts',
    from: "isObsolete: state === 'closed'",
    to: "isObsolete: state !== 'open'",
    play: follows,
    right: [[['Free it', false]], [['Free it', false]]],
  },
];

describe('a planted fault is caught:', () => {
  test.each(sample(faults, 3))('$name', async ({ play, right, ...fault }) => {
    expect(await play(cycle)).toEqual(right);
    world = stage({ version: 'harmony' });
    const { cycle: planted }: { cycle: Turn } = await import(`${plant(fault)}/sync/cycle.ts`);
    expect(await play(planted)).not.toEqual(right);
  });

  test('verify takes the comment of the attachment for that of a person', async () => {
    await tells();
    const fault: Fault = { file: 'verify/compare/copies.ts', from: 'pullBelowHeading(text) !== null ||', to: '' };
    const { verify: planted }: { verify: typeof verify } = await import(`${plant(fault)}/verify/verify.ts`);
    expect(await differences(planted)).not.toEqual([]);
  });
});

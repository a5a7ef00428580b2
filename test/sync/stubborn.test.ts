import { describe, expect, test } from 'vitest';
import { statusOf } from '../../src/explain/route-status.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** One thing that fails for ever: neither does it double anything, nor does it stand in the way of others. */
const route: Route = { ...widgetRoute, attachments: branchRule };
const bytes = new TextEncoder().encode('hello');
const notYet = { kind: 'later', at: null, wholeSide: false, why: 'not yet' } as const;
const minuteMs = 60_000;

type Bent = (context: Context) => Context;
const straight: Bent = (context) => context;

async function turn(world: Stage, ms: number, bent: Bent = straight, on: Route = route): Promise<void> {
  world.clock.advance(ms);
  await cycle(bent(contextOn(world, on, { limits: testLimits })), { isForced: false });
}

async function turns(world: Stage, count: number, bent: Bent = straight, ms = minuteMs): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn(world, ms, bent);
}

const withContext =
  (attachmentClient: Partial<NonNullable<Context['files']>['attachmentClient']>): Bent =>
  (context) =>
    context.files === null
      ? context
      : {
          ...context,
          files: { ...context.files, attachmentClient: { ...context.files.attachmentClient, ...attachmentClient } },
        };

function filed(): { readonly world: Stage; readonly alice: ReturnType<Stage['tracker']['as']> } {
  const world = stage();
  const alice = world.tracker.as('alice');
  alice.file({ summary: 'It fails', description: 'Always.' });
  return { world, alice };
}

const said = (world: Stage): readonly string[] =>
  world.github.commentsOf(repo, 1).flatMap(({ body }) => /said \d/u.exec(body)?.[0] ?? []);

const noAnswer = { kind: 'unknown', why: 'no answer' } as const;

/** GitHub never takes the first of two comments. */
const withoutFirst =
  (answer: typeof notYet | typeof noAnswer): Bent =>
  (context) => {
    const comment: Context['github']['comment'] = (...args) =>
      JSON.stringify(args).includes('said 1') ? Promise.resolve(answer) : context.github.comment(...args);
    return { ...context, github: { ...context.github, comment } };
  };

function sayTwo(world: Stage, alice: ReturnType<Stage['tracker']['as']>): void {
  alice.comment(1, 'said 1');
  world.clock.advance(2_000);
  alice.comment(1, 'said 2');
}

test('a write that GitHub does not take is named at once, with the reason', async () => {
  const { world, alice } = filed();
  await turns(world, 3);
  sayTwo(world, alice);
  await turns(world, 2, withoutFirst(notYet));
  const told = () => statusOf(world.store, route, { tracker: [], github: [] }, world.clock.now());
  expect(told()).toMatchObject({
    putOff: [{ about: 'bug 1 = acme/widget#1', why: 'not yet' }],
    verdict: { facts: expect.stringContaining('A write to bug 1 = acme/widget#1 waits: not yet.') },
  });
  await turns(world, 90);
  expect(told()).toMatchObject({ putOff: [], standing: 'in step' });
});

/** Days with a cycle every quarter of an hour and a sweep each, in which GitHub does not take the first comment. */
async function afterDays(
  days: number,
  turnOf: typeof cycle = cycle,
  answer: typeof notYet | typeof noAnswer = notYet,
  sweepOf: typeof sweep | null = sweep,
): Promise<Stage> {
  const { world, alice } = filed();
  await turns(world, 3);
  sayTwo(world, alice);
  const bent = () => withoutFirst(answer)(contextOn(world, route, { limits: testLimits }));
  for (let quarter = 0; quarter < days * 96; quarter += 1) {
    world.clock.advance(15 * minuteMs);
    if (quarter % 96 === 90) await sweepOf?.(bent(), { isForced: false });
    await turnOf(bent(), { isForced: false });
  }
  return world;
}

const unswept = 'nobody looks when the place is lost';

const parkedWords = (world: Stage): readonly (string | null)[] =>
  statusOf(world.store, route, { tracker: [], github: [] }, world.clock.now()).parked.map(({ why }) => why);

describe('what fails for ever', () => {
  test('as a list of files does not have the file attached again', async () => {
    const { world } = filed();
    await turns(world, 4);
    const mona = world.github.as('mona');
    mona.comment(repo, 1, mona.upload({ name: 'shot.png', type: 'image/png', bytes }));
    const silent = withContext({ list: async () => new Map() });
    await turns(world, 10, silent);
    await sweep(silent(contextOn(world, route, { limits: testLimits })), { isForced: false });
    await turns(world, 10, silent);
    expect(world.tracker.state.attachments.size).toBe(1);
  });

  test('as the content of a file holds up the comments behind it for some hours, and not for good', async () => {
    const { world, alice } = filed();
    const broken = withContext({ content: async () => notYet });
    await turns(world, 4, broken);
    alice.attach(1, { bytes, file_name: 'a.txt', summary: 'a', content_type: 'text/plain', comment: 'said 1' });
    world.clock.advance(2_000);
    alice.comment(1, 'said 2');
    await turns(world, 4, broken);
    expect(said(world)).toEqual([]);
    await turns(world, 14, broken, 15 * minuteMs);
    expect(said(world)).toEqual(['said 1', 'said 2']);
  });

  test('as files that do not answer holds up nothing else of their pair', async () => {
    const { world } = filed();
    await turns(world, 4);
    const mona = world.github.as('mona');
    const bent: Bent = (context) =>
      context.files === null
        ? context
        : { ...context, files: { ...context.files, linked: { fetch: async () => notYet } } };
    for (const name of ['a', 'b', 'c', 'd'])
      mona.comment(repo, 1, `See ${mona.upload({ name: `${name}.png`, type: 'image/png', bytes })}`);
    await turns(world, 2, bent);
    mona.comment(repo, 1, 'said 1');
    mona.edit(repo, 1, { title: 'It fails on Mondays' });
    await turns(world, 2, bent);
    expect(world.tracker.commentsOf(1).some(({ text }) => text.includes('said 1'))).toBe(true);
    expect(world.tracker.bug(1)?.summary).toBe('It fails on Mondays');
    await turns(world, 12, bent, 15 * minuteMs);
    expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 4 });
  });

  test('as a comment is not overtaken in the moment in which it is parked', async () => {
    const { world, alice } = filed();
    await turns(world, 3);
    sayTwo(world, alice);
    await turns(world, 60, withoutFirst(notYet), 4 * minuteMs);
    expect(world.store.outbox.parked('widget')).toHaveLength(1);
    expect(said(world)).toEqual([]);
  });

  test.each([['later', notYet] as const, ['no answer', noAnswer] as const])(
    'as a comment (%s) lets those behind it go on after two days, and is still tried once in each sweep',
    async (_what, answer) => {
      const world = await afterDays(4, cycle, answer);
      expect(said(world)).toEqual(['said 2']);
      expect(parkedWords(world)).toEqual([expect.stringContaining('later comments no longer wait for it')]);
      await sweep(contextOn(world, route, { limits: testLimits }), { isForced: false });
      await turns(world, 4);
      expect(said(world)).toEqual(['said 2', 'said 1']);
      expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 0 });
    },
  );

  test('as a comment lets those behind it go on also when no sweep succeeds', async () => {
    expect(said(await afterDays(3, cycle, notYet, null))).toEqual(['said 2']);
  });

  test('as a comment says until when those behind it wait', async () => {
    const world = await afterDays(1);
    expect(said(world)).toEqual([]);
    expect(parkedWords(world)).toEqual([
      expect.stringMatching(/^not yet \(put off for .*\); later comments wait for it until 2026-01-07 .* UTC$/u),
    ]);
  });

  test.each(
    sample<readonly [string, Fault]>(
      [
        [
          'each sweep counts from zero',
          {
            file: 'sync/commands.ts',
            from: 'tryAgain(context, row, row.waitingSince)',
            to: 'tryAgain(context, row, null)',
          },
        ],
        [
          'a place is kept for good',
          {
            file: 'rules/limits/backoff.ts',
            from: 'return until > now ? until : null;',
            to: 'return Math.max(until, now + 1e9);',
          },
        ],
        [
          unswept,
          {
            file: 'sync/observe/select.ts',
            from: 'row.notBeforeAt !== null && row.notBeforeAt <= now',
            to: 'row.notBeforeAt !== null && row.notBeforeAt < 0',
          },
        ],
      ],
      1,
    ),
  )('a planted fault is caught: %s', async (name, fault) => {
    const folder = plant(fault);
    const { cycle: turnOf }: { cycle: typeof cycle } = await import(`${folder}/sync/cycle.ts`);
    const { sweep: sweepOf }: { sweep: typeof sweep } = await import(`${folder}/sync/sweep.ts`);
    const world = await afterDays(4, turnOf, notYet, name === unswept ? null : sweepOf);
    expect(said(world)).toEqual([]);
  });

  test('as one step of a withdrawal keeps nothing else standing', async () => {
    const { world, alice } = filed();
    await turns(world, 3);
    for (const count of [1, 2, 3]) {
      alice.comment(1, `said ${count}`);
      world.clock.advance(2_000);
    }
    await turns(world, 3);
    expect(said(world)).toHaveLength(3);
    const first = world.github.commentsOf(repo, 1)[0]?.id;
    const broken: Bent = (context) => {
      const erase: Context['github']['erase'] = (...args) =>
        JSON.stringify(args).includes(String(first)) ? Promise.resolve(notYet) : context.github.erase(...args);
      return { ...context, github: { ...context.github, erase } };
    };
    alice.change(1, { groups: { add: ['security'] } });
    await sweep(broken(contextOn(world, route, { limits: testLimits })), { isForced: true });
    await turns(world, 3, broken);
    expect(said(world)).toEqual(['said 1']);
  });
});

/** Comments are named in plans and written when they are sent: by one function, which printed plans show too. */

import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { performOne } from '../../src/sync/perform/operations/performing.ts';
import { previewOf } from '../../src/sync/preview.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

type Cycle = typeof cycle;

const route: Route = { ...widgetRoute, deletions: 'note' };
const contextOf = (world: Stage) => contextOn(world, route, { limits: { ...testLimits, brakeShare: 1 } });

async function run(world: Stage, count: number, turn: Cycle = cycle): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await turn(contextOf(world), { isForced: false });
  }
}

/** Three parts on GitHub, and two on the tracker. */
const long = `It begins\n\n${'*'.repeat(52_000)}\n\nIt ends`;
const wide = `It begins\n\n${'🐛'.repeat(10_000)}\n\nIt ends`;

/** A pair from each side, and news of every sort that becomes a text. */
async function withNews(): Promise<Stage> {
  const world = stage();
  const [alice, mona] = [world.tracker.as('alice'), world.github.as('mona')];
  const bug = alice.file({ summary: 'One', description: 'It fails.' });
  alice.comment(bug, 'As in bug 3.');
  const issue = mona.open(repo, { title: 'Two', body: 'It fails, too.' });
  const edited = mona.comment(repo, issue, 'I saw it on Monday, early.');
  const deleted = mona.comment(repo, issue, 'Never mind.');
  await run(world, 4);
  alice.file({ summary: 'Three' });
  await run(world, 3);
  await sweep(contextOf(world), { isForced: true });
  alice.comment(bug, 'New.');
  alice.comment(bug, long);
  mona.comment(repo, issue, wide);
  mona.editComment(repo, edited, 'I saw it on Tuesday, early.');
  mona.deleteComment(repo, deleted);
  const [, mirror = 0] = world.github.issues(repo).map(({ number }) => number);
  mona.label(repo, mirror, 'component: Nowhere');
  world.clock.advance(61_000);
  return world;
}

const textsSince = ({ calls }: Stage, from: number): readonly unknown[] =>
  calls
    .slice(from)
    .flatMap(({ method, args }) => (method === 'comment' ? [args[1]] : method === 'rewrite' ? [args[2]] : []));

async function printedAndSent(turn: Cycle = cycle) {
  const world = await withNews();
  const { operations } = await previewOf(contextOf(world));
  const from = world.calls.length;
  await turn(contextOf(world), { isForced: false });
  const words = operations.filter(({ kind }) => ['comment', 'rewrite', 'remark'].includes(kind));
  const printed = words.map(({ text }) => text).sort();
  // Who edited is asked when a report is sent: a plan costs no such request.
  const sent = textsSince(world, from).map((text) => String(text).replace('user mona edited', 'user somebody edited'));
  return { kinds: words.map(({ kind }) => kind).sort(), printed, sent: sent.toSorted() };
}

describe('a printed plan', () => {
  test('shows the texts that are sent', async () => {
    const { kinds, printed, sent } = await printedAndSent();
    expect(kinds).toEqual([...Array<string>(8).fill('comment'), 'remark', 'rewrite']);
    expect(sent).toEqual(printed);
    const said = [
      'As in [bug 3]',
      'New.',
      'It begins',
      'part 2 of 3',
      'part 2 of 2',
      'It ends',
      '[-…-]{+Tuesday+}',
      'Its copy on this bug',
      'removed again',
    ];
    for (const each of said) expect(printed.filter((text) => text?.includes(each))).not.toEqual([]);
  });

  test('a planted fault is caught: something else is sent', async () => {
    const fault = {
      file: 'sync/perform/operations/comment.ts',
      from: 'comment(ref, text, isMarkdown)',
      to: 'comment(ref, text.trim() + " ", isMarkdown)',
    };
    const { cycle: turn }: { readonly cycle: Cycle } = await import(`${plant(fault)}/sync/cycle.ts`);
    const { printed, sent } = await printedAndSent(turn);
    expect(sent).not.toEqual(printed);
  });
});

test('no text is kept before it is sent', async () => {
  const world = await withNews();
  await previewOf(contextOf(world));
  const rows = world.store.outbox.due('widget', world.clock.now());
  expect(rows.length).toBeGreaterThan(9);
  expect(rows.filter(({ operation }) => JSON.stringify(operation).includes('It begins'))).toEqual([]);
});

/** Sends what was planned for another revision of its text. */
async function sendOld(send: typeof performOne) {
  const world = await withNews();
  await previewOf(contextOf(world));
  const [row] = world.store.outbox
    .due('widget', world.clock.now())
    .filter(({ operation }) => operation.kind === 'comment');
  if (row?.operation.kind !== 'comment') throw new Error('No comment is planned');
  const from = world.calls.length;
  const performed = await send(contextOf(world), {
    ...row,
    operation: { ...row.operation, digest: 'of an older text' },
  });
  return { performed, sent: textsSince(world, from), state: world.store.outbox.get(row.operation.key)?.state };
}

describe('what has changed since it was planned', () => {
  test('is planned anew, and what was said after it waits', async () => {
    const { performed, sent, state } = await sendOld(performOne);
    expect(performed).toMatchObject({ result: { kind: 'stale' }, isBlocking: true, wantsPlan: true });
    expect(sent).toEqual([]);
    expect(state).toBe('planned');
  });

  test('a planted fault is caught: it is sent as it is', async () => {
    const fault = {
      file: 'rules/comments/render.ts',
      from: 'written?.digest === operation.digest && ',
      to: 'written !== null && ',
    };
    const planted: { readonly performOne: typeof performOne } = await import(
      `${plant(fault)}/sync/perform/operations/performing.ts`
    );
    expect((await sendOld(planted.performOne)).sent).toHaveLength(1);
  });
});

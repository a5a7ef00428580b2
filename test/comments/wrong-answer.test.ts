import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { issueNumber, type LinkId, type Side } from '../../src/model/ids.ts';
import type { Comment, Item } from '../../src/model/item.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** I3 and I4: a creation whose answer shows another item that has its pair, whether the new one was made or not. */

type Change = (context: Context) => Context;
type Write = (...args: readonly never[]) => Promise<Outcome<Item | Comment>>;

/** Answers the first write of the kind with something else. */
function liar(side: Side, method: 'create' | 'comment', isMade: boolean, item: Item | Comment | null | undefined) {
  const told = { lies: 0 };
  const lying = (context: Context): Context => {
    const write: Write = async (...args) => {
      const real = (context[side][method] as Write).bind(context[side]);
      if (told.lies === 1) return real(...args);
      told.lies += 1;
      if (isMade) await real(...args);
      return { kind: 'applied', item: item as Item };
    };
    return { ...context, [side]: { ...context[side], [method]: write } };
  };
  return { told, lying };
}

async function turns(world: Stage, count: number, change: Change = (same) => same, route = widgetRoute) {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(change(contextOn(world, route, { limits: testLimits })), { isForced: false });
  }
}

const titles = ({ github }: Stage) => github.issues(repo).map(({ title }) => title);
const summaries = ({ tracker }: Stage) => tracker.bugs().map(({ summary }) => summary);

describe.each([
  ['was made', true],
  ['was not made', false],
])('an answer with the number of another pair, while the new item %s', (_what, isMade) => {
  test.each([
    ['an issue', 'github'],
    ['a bug', 'tracker'],
  ] as const)('leaves that pair, and makes %s once', async (_item, side) => {
    const world = stage();
    world.tracker.as('alice').file({ summary: 'first', description: 'It fails.' });
    await turns(world, 3);
    if (side === 'github') world.tracker.as('alice').file({ summary: 'second', description: 'It fails.' });
    else world.github.as('mona').open(repo, { title: 'second', body: 'It fails.' });
    const pair = world.store.links.byIssue(repo, issueNumber(1));
    const { told, lying } = liar(side, 'create', isMade, pair?.[side]);
    await turns(world, 2, lying);
    expect(told.lies).toBe(1);
    await turns(world, 70);
    expect([titles(world), summaries(world)]).toEqual([
      ['first', 'second'],
      ['first', 'second'],
    ]);
    expect(world.store.links.byIssue(repo, issueNumber(1))).toMatchObject({ bug: 1, state: 'live' });
    expect(world.store.links.byIssue(repo, issueNumber(2))).toMatchObject({ bug: 2, state: 'live' });
  });

  test.each(['github', 'tracker'] as const)('leaves a comment of people, and is written once: on %s', async (side) => {
    const world = stage();
    const [alice, mona] = [world.tracker.as('alice'), world.github.as('mona')];
    alice.file({ summary: 'first', description: 'It fails.' });
    await turns(world, 3);
    alice.comment(1, 'Alice was first.');
    mona.comment(repo, 1, 'Mona was first.');
    await turns(world, 3);
    const asked = [{ ref: 1, sinceAt: null }];
    const [thread] = await contextOn(world, widgetRoute, { limits: testLimits })[side].threads(asked);
    const theirs = thread?.comments.find(
      ({ text }) => text === (side === 'github' ? 'Mona was first.' : 'Alice was first.'),
    );
    if (side === 'github') alice.comment(1, 'Said now.');
    else mona.comment(repo, 1, 'Said now.');
    const { told, lying } = liar(side, 'comment', isMade, theirs);
    await turns(world, 2, lying);
    expect(told.lies).toBe(1);
    await turns(world, 70);
    const said = [
      world.tracker.commentsOf(1).map(({ text }) => text),
      world.github.commentsOf(repo, 1).map(({ body }) => body),
    ];
    for (const words of ['Alice was first.', 'Mona was first.', 'Said now.'])
      expect(said.map((texts) => [words, texts.filter((text) => text.includes(words)).length])).toEqual([
        [words, 1],
        [words, 1],
      ]);
  });
});

/** Answers each comment with another number until `told` says so often enough. */
function misnaming(id: number) {
  const told = { lies: 0 };
  const lying: Change = (context) => {
    const { tracker } = context;
    const comment: typeof tracker.comment = async (...args) => {
      const outcome = await tracker.comment(...args);
      if (outcome.kind !== 'applied') return outcome;
      told.lies += 1;
      return { kind: 'applied', item: { ...outcome.item, id } };
    };
    return { ...context, tracker: { ...tracker, comment } };
  };
  return { told, lying };
}

const long = `${'A line of the text.\n'.repeat(3_200)}The end.`;

/**
 * Harmony answers with the number of whatever it stored last, which is no comment where a person changed the bug in the
 * same moment.
 */
describe.each([
  ['a comment of another bug', 2, 1],
  ['a comment of a hidden bug', 3, 1],
  ['a private comment', 4, 1],
  ['no comment', 900, 1],
  // An answer that names what is known is in doubt first.
  ['the description', 1, 2],
  ['another comment', 5, 2],
])('a comment that the tracker stores, and calls by the number of %s,', (_what, id, cycles) => {
  test.each<readonly [string, (mona: ReturnType<Stage['github']['as']>, said: number) => void, RegExp, number]>([
    ['a copy', (mona) => mona.comment(repo, 1, 'Said now.'), /^GitHub user mona wrote .*\n\nSaid now\.$/u, 1],
    ['a long text', (mona) => mona.comment(repo, 1, long), /^GitHub user mona wrote .*, (?:part|revision) /u, 2],
    ['an edit', (mona, said) => mona.editComment(repo, said, 'Said otherwise.'), /^GitHub user mona edited /u, 1],
    ['a deletion', (mona, said) => mona.deleteComment(repo, said), /deleted/u, 1],
  ])('is written once: %s', async (_kind, act, words, times) => {
    const world = stage();
    const [alice, mona] = [world.tracker.as('alice'), world.github.as('mona')];
    for (const summary of ['first', 'second', 'third']) alice.file({ summary, description: 'It fails.' });
    alice.change(3, { groups: { add: ['security'] } });
    alice.comment(2, 'In private.', { isPrivate: true });
    const route = { ...widgetRoute, deletions: 'note' } as const;
    await turns(world, 3, undefined, route);
    const said = mona.comment(repo, 1, 'Said before.');
    await turns(world, 4, undefined, route);
    act(mona, said);
    const { told, lying } = misnaming(id);
    await turns(world, 1, lying, route);
    expect(told.lies).toBeGreaterThan(0);
    await turns(world, cycles, undefined, route);
    const open = world.store.receipts.ofRoute(route.name);
    await turns(world, 8, undefined, route);
    const texts = world.tracker.commentsOf(1).map(({ text }) => text);
    expect(
      texts.filter((text) => words.test(text)),
      texts.map((text) => text.slice(0, 200)).join('\n'),
    ).toHaveLength(times);
    expect(open).toEqual([]);
    const copies = world.store.commentLinks
      .ofLink(1 as LinkId)
      .flatMap(({ origin, copy }) => (origin === 'github' ? (copy?.id ?? []) : []));
    const ours = world.tracker.commentsOf(1).filter((each) => each.text.startsWith('GitHub user mona wrote'));
    expect(copies.toSorted()).toEqual(ours.map((each) => each.id).toSorted());
    expect(world.store.unknownWrites.ofRoute(route.name)).toEqual([]);
  });
});

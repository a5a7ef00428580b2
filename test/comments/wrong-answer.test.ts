import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { issueNumber, type Side } from '../../src/model/ids.ts';
import type { Comment, Item } from '../../src/model/item.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** I3 and I4: a creation whose answer shows another item that has its pair, whether the new one was made or not. */

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

async function turns(world: Stage, count: number, change: (context: Context) => Context = (same) => same) {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(change(contextOn(world, widgetRoute, { limits: testLimits })), { isForced: false });
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

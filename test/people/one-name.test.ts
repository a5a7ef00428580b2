import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { gate } from '../../src/rules/privacy/gate.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** One person has one name in one thread, and never one that the anonymous reader is not shown. */

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };

interface Thread {
  readonly world: Stage;
  /** Who wrote, as the issue and its comments say it. */
  readonly names: readonly string[];
}

/** Alice files a bug; she and Bob write on it. Readers without an account are shown her name as `shown`. */
async function threadOf(loop: typeof cycle, shown = 'Alice Anderson'): Promise<Thread> {
  const world = stage();
  const [alice, bob] = [world.tracker.as('alice'), world.tracker.as('bob')];
  const bug = alice.file({ summary: 'It fails', description: 'Always.' });
  alice.comment(bug, 'On Mondays.');
  bob.comment(bug, 'Here, too.');
  alice.comment(bug, 'And at night.');
  for (let turns = 0; turns < 3; turns += 1) {
    world.clock.advance(120_000);
    const context = contextOn(world, route, { limits: testLimits });
    const { anonymousReader } = context;
    if (anonymousReader === null) throw new Error('The route checks visibility.');
    const bugs: typeof anonymousReader.bugs = async (ids) =>
      new Map(
        [...(await anonymousReader.bugs(ids))].map(([id, each]) => [
          id,
          each && { ...each, creator: { ...each.creator, name: shown } },
        ]),
      );
    const reader = new Proxy(anonymousReader, {
      get: (target, name) => (name === 'bugs' ? bugs : Reflect.get(target, name)),
    });
    await loop({ ...context, anonymousReader: reader }, { isForced: false });
  }
  const [issue] = world.github.issues(repo);
  const texts = [issue?.body ?? '', ...world.github.commentsOf(repo, issue?.number ?? 0).map(({ body }) => body)];
  return { world, names: texts.map((text) => /^\*\*(.+?)\*\*/u.exec(text)?.[1] ?? '') };
}

describe('in one thread', () => {
  test('who filed the bug has the real name over each comment', async () => {
    expect((await threadOf(cycle)).names).toEqual(['Alice Anderson', 'Alice Anderson', 'bob', 'Alice Anderson']);
  });

  test('a name that readers without an account are not shown stands nowhere', async () => {
    expect((await threadOf(cycle, 'alice')).names).toEqual(['alice', 'alice', 'bob', 'alice']);
  });

  test('until they were asked, nobody has a real name', async () => {
    const { world } = await threadOf(cycle);
    const [link] = world.store.links.after('widget', null, 1);
    if (!link?.visibility) throw new Error('The bug was not checked.');
    const { creator: _name, ...visibility } = link.visibility;
    const input = {
      link: { ...link, visibility },
      commentLinks: [],
      attachmentLinks: [],
      targets: [],
      neighbours: [],
      duplicateOf: null,
      refused: {},
    };
    expect(gate(route, input)).toMatchObject({
      kind: 'open',
      input: { link: { tracker: { creator: { name: 'alice' } } } },
    });
  });
});

const faults = [
  [
    'comments bear another name',
    {
      file: 'rules/comments/copy.ts',
      from: 'return bug !== null && isLogin(author.login, bug.creator.login) ? bug.creator : author;',
      to: 'return author;',
    },
  ],
  [
    'the name that our own account sees',
    { file: 'rules/privacy/gate.ts', from: 'name: visible.creator || shortName(creator)', to: 'name: creator.name' },
  ],
] as const;

test.each(sample(faults, 2))('a planted fault is caught: %s', async (_name, fault) => {
  const { cycle: loop } = (await import(`${plant(fault)}/sync/cycle.ts`)) as { readonly cycle: typeof cycle };
  const named = await threadOf(loop);
  const unnamed = await threadOf(loop, 'alice');
  expect([
    new Set(named.names).size,
    new Set(unnamed.names).size,
    unnamed.names.includes('Alice Anderson'),
  ]).not.toEqual([2, 2, false]);
});

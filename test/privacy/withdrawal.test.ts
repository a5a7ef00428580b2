/** What holds up a reading, or loses the memory, holds up no withdrawal (I9). */

import { describe, expect, test } from 'vitest';
import type { Side } from '../../src/model/ids.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

const checking: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const contextFor = (world: Stage, user: string, isBlind = false) =>
  contextOn(world, checking, { limits: { ...testLimits, brakeShare: 1 }, user, isBlind: () => isBlind });

/** Cycles that may fail. */
async function cycles(world: Stage, count: number, user = 'bridge-insider', isBlind = false): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(contextFor(world, user, isBlind), { isForced: false }).catch(onlySides);
  }
}

async function sweepOnce(world: Stage): Promise<void> {
  world.clock.advance(61_000);
  await sweep(contextFor(world, 'bridge-insider', true), { isForced: false }).catch(onlySides);
}

function onlySides(failure: unknown): void {
  if (!(failure instanceof SideError)) throw failure;
}

/** Everything that people can read on GitHub. */
const readable = (world: Stage): string =>
  JSON.stringify(
    world.github
      .issues(repo)
      .map(({ number, title, body }) => [title, body, world.github.commentsOf(repo, number).map((each) => each.body)]),
  );

async function mirrored(user = 'bridge-insider'): Promise<{ world: Stage; bug: number }> {
  const world = stage();
  const bug = world.tracker.as('alice').file({ summary: 'Canary title', description: 'Canary description' });
  world.tracker.as('alice').comment(bug, 'Canary comment');
  await cycles(world, 4, user);
  expect(readable(world)).toContain('Canary comment');
  return { world, bug };
}

const hide = (world: Stage, bug: number): void =>
  void world.tracker.as('alice').change(bug, { groups: { add: ['security'] } });

interface Failing {
  readonly side: Side;
  readonly methods: readonly string[];
  readonly kind?: SideError['kind'];
  readonly at?: number;
}

/** From now on these calls fail. */
function fail(world: Stage, { side, methods, kind = 'later', at }: Failing): void {
  world.between = (on, method, when) => {
    if (when === 'before' && on === side && methods.includes(method))
      throw new SideError(kind, 'It is out of order', { side, ...(at === undefined ? {} : { at }) });
  };
}

describe('a withdrawal does not wait until everything can be read', () => {
  test.each<[string, Failing]>([
    ['the changes of GitHub', { side: 'github', methods: ['changes'] }],
    ['what an anonymous reader sees', { side: 'tracker', methods: ['bugs'] }],
    [
      'what an anonymous reader sees if the tracker requires a login',
      { side: 'tracker', methods: ['bugs'], kind: 'unauthorized' },
    ],
    ['the comments of some bug', { side: 'tracker', methods: ['threads'], kind: 'refused' }],
  ])('%s', async (_what, failing) => {
    const { world, bug } = await mirrored();
    fail(world, failing);
    world.tracker.as('alice').file({ summary: 'Another bug', description: 'Text' });
    hide(world, bug);
    await cycles(world, 1);
    expect(readable(world)).not.toContain('Canary');
  });

  test('the tracker, which is down when a withdrawal that failed is tried again', async () => {
    const { world, bug } = await mirrored();
    hide(world, bug);
    fail(world, { side: 'github', methods: ['update', 'erase', 'lock'] });
    await cycles(world, 2);
    expect(readable(world)).toContain('Canary');
    fail(world, { side: 'tracker', methods: ['changes', 'probe', 'threads', 'bugs'] });
    await cycles(world, 1);
    expect(readable(world)).not.toContain('Canary');
  });

  test('all of GitHub, which the sweep reads', async () => {
    const { world } = await mirrored();
    fail(world, { side: 'github', methods: ['list'] });
    await sweepOnce(world);
    await cycles(world, 1, 'bridge-insider', true);
    expect(readable(world)).not.toContain('Canary');
  });
});

test.each<[string, Pick<Failing, 'kind' | 'at'>]>([
  ['has asked for a pause', { kind: 'later', at: Date.UTC(2030, 0, 1) }],
  ['refuses our credentials', { kind: 'unauthorized' }],
])('a GitHub that %s is left alone', async (_what, failing) => {
  const { world, bug } = await mirrored();
  fail(world, { side: 'github', methods: ['changes'], ...failing });
  hide(world, bug);
  const before = world.calls.filter(({ side }) => side === 'github').length;
  await cycles(world, 1);
  expect(world.calls.filter(({ side }) => side === 'github').length).toBe(before);
});

const withoutMemory = (world: Stage): Stage => ({
  ...world,
  store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }),
});

describe.each(['bridge', 'bridge-insider'])('a bug that was hidden while the database was lost, for %s', (user) => {
  test('is withdrawn, and asked for once', async () => {
    const { world, bug } = await mirrored(user);
    hide(world, bug);
    const after = withoutMemory(world);
    await cycles(after, 3, user);
    expect(readable(after)).not.toContain('Canary');
    const asked = () => world.calls.filter(({ method }) => method === 'probe').length;
    const before = asked();
    await cycles(after, 3, user);
    expect(asked()).toBe(before);
  });

  test('comes back as it was, in the words of those who wrote it', async () => {
    const { world, bug } = await mirrored(user);
    const before = readable(world);
    hide(world, bug);
    const after = withoutMemory(world);
    await cycles(after, 3, user);
    world.tracker.as('alice').change(bug, { groups: { remove: ['security'] } });
    await cycles(after, 6, user);
    expect(readable(after)).toBe(before);
    expect([world.github.issues(repo).length, world.tracker.bugs().length]).toEqual([1, 1]);
    expect(world.tracker.bug(bug)?.summary).toBe('Canary title');
  });
});

describe('an issue that people opened, whose bug was hidden while the database was lost', () => {
  const lost = async (user: string): Promise<{ before: Stage; bug: number; words: string }> => {
    const before = stage();
    before.github.as('mona').open(repo, { title: 'It crashes', body: 'When I click.' });
    await cycles(before, 3, user);
    const bug = before.tracker.bugs().at(-1)?.id ?? 0;
    before.tracker.as('alice').comment(bug, 'Canary comment');
    before.tracker.as('alice').change(bug, { summary: 'Canary title' });
    await cycles(before, 3, user);
    const words = readable(before);
    expect(words).toContain('Canary comment');
    hide(before, bug);
    return { before, bug, words };
  };
  const keepsWords = (world: Stage): void => {
    expect(readable(world)).not.toContain('Canary');
    const [issue] = world.github.issues(repo);
    expect([issue?.body, issue?.state, issue?.isLocked]).toEqual([
      expect.stringMatching(/^When I click\.\n\n---/u),
      'open',
      true,
    ]);
    expect([world.github.issues(repo).length, world.tracker.bugs().length]).toEqual([1, 1]);
  };

  test.each(['bridge', 'bridge-insider'])(
    'keeps their words and nothing of the tracker, until it is public again, for %s',
    async (user) => {
      const { before, bug, words } = await lost(user);
      const world = withoutMemory(before);
      await cycles(world, 4, user);
      keepsWords(world);
      world.tracker.as('alice').change(bug, { groups: { remove: ['security'] } });
      await cycles(world, 6, user);
      expect(readable(world)).toBe(words);
      expect(world.tracker.commentsOf(bug).length).toBe(2);
    },
  );

  test('keeps them also where the database is lost once more', async () => {
    const { before } = await lost('bridge-insider');
    const once = withoutMemory(before);
    await cycles(once, 4);
    const twice = withoutMemory(once);
    await cycles(twice, 4);
    keepsWords(twice);
  });

  test('keeps them when the reading fails before it is withdrawn', async () => {
    const { before } = await lost('bridge-insider');
    const world = withoutMemory(before);
    world.tracker.as('alice').file({ summary: 'Another bug', description: 'Text' });
    fail(world, { side: 'tracker', methods: ['threads'] });
    await cycles(world, 3);
    const [issue] = world.github.issues(repo);
    expect([issue?.title, issue?.body, issue?.state]).toEqual([
      'Bug 1 is not public',
      expect.stringMatching(/^When I click\.\n\n---/u),
      'open',
    ]);
  });
});

/**
 * Bugs that move between two routed products of one tracker, which have a repository each unless a test says otherwise.
 */

import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { bugId, issueNumber } from '../../src/model/ids.ts';
import { isExposed } from '../../src/model/reports/audit.ts';
import type { Difference } from '../../src/model/reports/verification.ts';
import type { Limits, Route } from '../../src/model/route.ts';
import { unwatched } from '../../src/model/runtime.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { lookTurns } from '../../src/sync/observe/recheck-mirrored.ts';
import { inheritDoubts } from '../../src/sync/settle/settle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { audit } from '../../src/sync/withdraw/list-published.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { differencesOn } from '../verify/mirror.ts';

const other = 'acme/gadget';
const toGadget = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };
const toWidget = { product: 'Widget', component: 'Core', version: 'unspecified', target_milestone: '---' };

const checking: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const gadget = (from: Route): Route => ({
  ...from,
  name: 'gadget',
  repo: 'gadget',
  selection: { ...from.selection, product: 'Gadget' },
  create: { ...from.create, component: 'Firmware', version: 'A1' },
  labels: [
    { from: 'component', as: 'part: {value}', both: false },
    { from: 'severity', as: 'how bad: {value}', both: true },
  ],
});

interface Options {
  readonly routes?: readonly Route[];
  readonly limits?: Partial<Limits>;
  /** Our account on the tracker. */
  readonly user?: string;
}

interface World {
  readonly stage: Stage;
  /** A pass over all routes, in a new process. */
  pass(routes?: readonly Route[]): Promise<void>;
  passes(count: number): Promise<void>;
  /** Until nothing waits, or the passes are used up. */
  settled(most?: number): Promise<number>;
  sweepAll(): Promise<void>;
  isInStep(): boolean;
  /** What `verify` finds. */
  differences(): Promise<readonly Difference[]>;
  /** The state is gone, and the next pass begins with an empty one. */
  lose(): void;
}

const alice = ({ stage: { tracker } }: World) => tracker.as('alice');
const bob = ({ stage: { github } }: World) => github.as('mona');
const issuesOf = ({ stage: { github } }: World, of = other) => github.issues(of);
const old = ({ stage: { github } }: World, number = 1) => github.issue(repo, number);
const textsOf = ({ stage: { github } }: World, of: string, number: number): readonly string[] =>
  github.commentsOf(of, number).map(({ body }) => body);
const onBug = ({ stage: { tracker } }: World, bug = 1): readonly string[] =>
  tracker.commentsOf(bug).map(({ text }) => text);

function worldOf({ routes = [checking, gadget(checking)], limits = {}, user = 'bridge' }: Options = {}): World {
  let world = stage();
  world.github.addRepo(other, { permissions: { [bot]: 'write', mona: 'admin', hubot: 'write' } });
  const all = { ...testLimits, settleMs: 1_000, ...limits };
  const contextsOf = (among: readonly Route[]): readonly Context[] => {
    const turns = lookTurns(among);
    return among.map((route) => ({ ...contextOn(world, route, { limits: all, user }), lookTurns: turns }));
  };
  const isInStep = (): boolean =>
    routes.every(({ name }) => {
      const rows = [...world.store.outbox.eachSent(name), ...world.store.outbox.parked(name)];
      return world.store.links.count(name).wanting === 0 && rows.length === 0;
    });
  const pass = async (among = routes) => {
    world.clock.advance(61_000);
    for (const context of contextsOf(among)) {
      inheritDoubts(context);
      await cycle(context, { isForced: false });
    }
  };
  const self: World = {
    get stage() {
      return world;
    },
    pass,
    isInStep,
    lose() {
      world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    },
    async passes(count) {
      for (let index = 0; index < count; index += 1) await pass();
    },
    async settled(most = 9) {
      for (let count = 1; count <= most; count += 1) {
        await pass();
        if (isInStep()) return count;
      }
      return Number.POSITIVE_INFINITY;
    },
    differences: () => differencesOn(contextsOf(routes)),
    async sweepAll() {
      world.clock.advance(61_000);
      for (const context of contextsOf(routes)) await sweep(context, { isForced: false });
    },
  };
  return self;
}

/** A bug of Widget with a comment, and a comment by a person on its issue. */
async function talkedAbout(options: Options = {}): Promise<World> {
  const world = worldOf(options);
  alice(world).file({ summary: 'It fails', description: 'Every night.' });
  await world.settled();
  alice(world).comment(1, 'Still fails.');
  bob(world).comment(repo, 1, 'I see it, too.');
  await world.settled();
  return world;
}

const exposed = async ({ stage: { store } }: World, route = checking): Promise<number> => {
  let count = 0;
  for await (const pair of audit({ route, store, watch: unwatched, against: null })) if (isExposed(pair)) count += 1;
  return count;
};

/** Product Gadget has no groups that people could put a bug into. Its time moves on, as after any change. */
function hide({ stage: { tracker, clock } }: World, isHidden: boolean): void {
  const bug = tracker.state.bugs.get(1);
  if (bug !== undefined) tracker.state.bugs.set(1, { ...bug, groups: isHidden ? ['security'] : [] });
  clock.advance(2_000);
  tracker.as('admin').change(1, { whiteboard: isHidden ? 'hidden' : 'shown' });
}

function hideComment({ stage: { tracker } }: World, words = 'Still fails.'): void {
  const said = tracker.commentsOf(1).find(({ text }) => text === words);
  tracker.as('admin').change(1, { comment_is_private: { [said?.id ?? 0]: true } });
}

/** The thread goes on in the other repository, and the old issue says where. */
function goesOn(world: World, number = 1): void {
  const [issue, ...more] = issuesOf(world);
  expect(more).toEqual([]);
  expect(issue).toMatchObject({ number, title: 'It fails', state: 'open' });
  const texts = textsOf(world, other, number);
  expect(texts.filter((text) => text.includes('Still fails.'))).toHaveLength(1);
  expect(texts.filter((text) => text.includes('I see it, too.'))).toHaveLength(1);
  expect(old(world)).toMatchObject({ title: 'It fails', state: 'closed', stateReason: 'not_planned', isLocked: false });
  expect(old(world)?.body).toContain(`in [${other}#${number}](https://github.com/${other}/issues/${number})`);
  expect(old(world)?.body).toContain('Every night.');
  expect(textsOf(world, repo, 1).filter((text) => text.includes('Still fails.'))).toHaveLength(1);
  expect(textsOf(world, repo, 1)).toContain('I see it, too.');
  expect(`${old(world)?.title} ${old(world)?.body}`).not.toMatch(/not public/u);
}

/** New comments cross in both directions, once. */
async function crosses(world: World, of: string, number: number): Promise<void> {
  alice(world).comment(1, 'Said on the tracker.');
  bob(world).comment(of, number, 'Said on GitHub.');
  await world.settled();
  expect(textsOf(world, of, number).filter((text) => text.includes('Said on the tracker.'))).toHaveLength(1);
  expect(onBug(world).filter((text) => text.includes('Said on GitHub.'))).toHaveLength(1);
}

describe('a public bug that moves to another routed product', () => {
  test('goes on in an issue of the other route, and the old one says where', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.pass();
    expect(world.isInStep()).toBe(false);
    expect(await world.settled()).toBeLessThan(4);
    goesOn(world);
    await crosses(world, other, 1);
    expect(onBug(world).filter((text) => text.includes('I see it, too.'))).toHaveLength(1);
    const writes = world.stage.calls.length;
    await world.passes(2);
    expect(
      world.stage.calls.slice(writes).filter(({ method }) => /^(?:create|update|comment|lock|erase)$/u.test(method)),
    ).toEqual([]);
  });

  test('also after a full comparison, which finds nothing to do, as verify does', async () => {
    const world = await talkedAbout();
    alice(world).file({ summary: 'Like it', description: 'See bug 1.' });
    await world.settled();
    alice(world).change(1, toGadget);
    await world.settled();
    await world.sweepAll();
    await world.settled();
    goesOn(world);
    expect(await world.differences()).toEqual([]);
    expect(await exposed(world)).toBe(0);
    expect(await exposed(world, gadget(checking))).toBe(0);
  });

  test('also if it is the other route that runs first', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    for (let count = 0; count < 6; count += 1) await world.pass([gadget(checking), checking]);
    goesOn(world);
    expect(world.isInStep()).toBe(true);
  });

  test('also without a check of visibility', async () => {
    const world = await talkedAbout({ routes: [widgetRoute, gadget(widgetRoute)] });
    alice(world).change(1, toGadget);
    await world.settled();
    goesOn(world);
  });

  test('also if it began on GitHub: the words of people stay, and the bug gets no second issue', async () => {
    const world = worldOf();
    bob(world).open(repo, { title: 'It fails', body: 'Every night.' });
    await world.settled();
    alice(world).comment(1, 'Still fails.');
    bob(world).comment(repo, 1, 'I see it, too.');
    await world.settled();
    alice(world).change(1, toGadget);
    await world.settled();
    goesOn(world);
    expect(issuesOf(world, repo)).toHaveLength(1);
    expect(world.stage.tracker.bugs()).toHaveLength(1);
    await crosses(world, other, 1);
  });

  test('brings along what was written on both sides meanwhile', async () => {
    const world = await talkedAbout();
    alice(world).comment(1, 'Last word here.');
    bob(world).comment(repo, 1, 'Mine as well.');
    bob(world).edit(repo, 1, { title: 'It fails often' });
    alice(world).change(1, toGadget);
    await world.settled();
    const texts = textsOf(world, other, 1);
    for (const words of ['Last word here.', 'Mine as well.'])
      expect(texts.filter((text) => text.includes(words))).toHaveLength(1);
    expect(onBug(world).filter((text) => text.includes('Mine as well.'))).toHaveLength(1);
    expect(issuesOf(world).map(({ title }) => title)).toEqual(['It fails often']);
  });

  test.each([1, 2])('brings along what people wrote before pass %i could tell them', async (count) => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    for (let done = 0; done < count; done += 1) await world.pass([checking]);
    const isSaid = old(world)?.body.includes('moved to product');
    bob(world).comment(repo, 1, 'As it leaves.');
    await world.settled();
    expect(isSaid).toBe(true);
    const found = [onBug(world), textsOf(world, other, 1)].map(
      (texts) => texts.filter((text) => text.includes('As it leaves.')).length,
    );
    expect(found).toEqual(count === 1 ? [1, 1] : [0, 0]);
  });

  test.each(['before it is mirrored', 'before it moves', 'after that'])(
    'says nothing of privacy if only its description is private, since %s',
    async (since) => {
      const world = worldOf();
      alice(world).file({ summary: 'It fails', description: 'Every night.' });
      if (since === 'before it is mirrored') hideComment(world, 'Every night.');
      await world.settled();
      if (since === 'before it moves') hideComment(world, 'Every night.');
      await world.settled();
      alice(world).change(1, toGadget);
      await world.settled();
      if (since === 'after that') hideComment(world, 'Every night.');
      await world.settled();
      expect(old(world)?.body).toContain('moved to product');
      expect(old(world)?.body).not.toContain('Every night.');
      expect([old(world), ...issuesOf(world)].map((issue) => issue?.title)).not.toContain('Bug 1 is not public');
    },
  );

  test('brings along what people wrote on the issue before it says so, to and fro within a minute', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.pass([checking]);
    alice(world).change(1, toWidget);
    await world.pass([checking]);
    expect(old(world)?.body).not.toContain('moved to product');
    bob(world).comment(repo, 1, 'Between the two.');
    alice(world).change(1, toGadget);
    for (let count = 0; count < 3; count += 1) await world.pass([gadget(checking), checking]);
    await world.settled();
    for (const texts of [onBug(world), textsOf(world, other, 1)])
      expect(texts.filter((text) => text.includes('Between the two.'))).toHaveLength(1);
  });

  /** The title that people gave the issue between our reading and our write, in which it says that its bug moved. */
  async function titledAsItLeaves(when: 'before' | 'after'): Promise<World> {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    let isTitled = false;
    world.stage.between = (side, method, moment) => {
      const isSaid = old(world)?.body.includes('moved to product') === true;
      if (isTitled || side !== 'github' || method !== 'update' || moment !== when) return;
      if (isSaid !== (when === 'after')) return;
      isTitled = true;
      bob(world).edit(repo, 1, { title: 'It fails often' });
    };
    await world.pass([checking]);
    expect([isTitled, old(world)?.body.includes('moved to product')]).toEqual([true, true]);
    return world;
  }

  test.each(['before', 'after'] as const)(
    'takes along the title that people gave the issue right %s it says so',
    async (when) => {
      const world = await titledAsItLeaves(when);
      await world.settled();
      expect(world.stage.tracker.bug(1)?.summary).toBe('It fails often');
      expect(issuesOf(world).map(({ title }) => title)).toEqual(['It fails often']);
      expect(world.isInStep()).toBe(true);
    },
  );

  test.each(['before', 'after'] as const)(
    'comes back at once with the title that people gave the issue right %s it said so',
    async (when) => {
      const world = await titledAsItLeaves(when);
      alice(world).change(1, toWidget);
      await world.settled();
      expect([world.stage.tracker.bug(1)?.summary, old(world)?.title]).toEqual(['It fails often', 'It fails often']);
      expect(world.isInStep()).toBe(true);
    },
  );

  test('comes back with its own title to an issue that people titled while it was away', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.settled();
    bob(world).edit(repo, 1, { title: 'The old place' });
    alice(world).change(1, { summary: 'The new place' });
    await world.settled();
    alice(world).change(1, toWidget);
    await world.settled();
    expect([world.stage.tracker.bug(1)?.summary, old(world)?.title]).toEqual(['The new place', 'The new place']);
  });

  test('comes back before its new issue is opened: nobody reads that it is not public', async () => {
    const world = await talkedAbout();
    const [here, there] = [checking, gadget(checking)];
    alice(world).change(1, toGadget);
    for (let count = 0; count < 3; count += 1) await world.pass([here]);
    world.stage.store.pauses.save('gadget', { at: 0, why: null });
    await world.pass([there]);
    alice(world).change(1, toWidget);
    world.stage.store.pauses.remove('gadget');
    for (let count = 0; count < 3; count += 1) {
      await world.pass([there]);
      await world.pass([here]);
      expect(old(world)?.title).toBe('It fails');
    }
    await world.settled();
    expect(old(world)).toMatchObject({ state: 'open', title: 'It fails', isLocked: false });
    expect(issuesOf(world)).toEqual([]);
    await crosses(world, repo, 1);
  });

  test('has the labels of its new route', async () => {
    const world = await talkedAbout();
    alice(world).change(1, { ...toGadget, severity: 'major' });
    await world.settled();
    expect(issuesOf(world)[0]?.labels.toSorted()).toEqual(['how bad: major', 'part: Firmware']);
  });

  test('comes back to its old issue, and leaves again', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.settled();
    bob(world).comment(other, 1, 'In the other house.');
    await world.settled();
    alice(world).change(1, toWidget);
    await world.settled();
    expect(old(world)).toMatchObject({ state: 'open', title: 'It fails' });
    expect(old(world)?.body).not.toContain('moved');
    expect(issuesOf(world)).toMatchObject([{ state: 'closed' }]);
    expect(issuesOf(world)[0]?.body).toContain(`in [${repo}#1]`);
    expect(textsOf(world, repo, 1).filter((text) => text.includes('In the other house.'))).toHaveLength(1);
    await crosses(world, repo, 1);
    alice(world).change(1, toGadget);
    await world.settled();
    goesOn(world);
    expect(issuesOf(world, repo)).toHaveLength(1);
  });

  test('keeps its issue if it comes back before anybody noticed', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.pass([checking]);
    alice(world).change(1, toWidget);
    await world.settled();
    expect(old(world)).toMatchObject({ state: 'open', title: 'It fails' });
    expect(issuesOf(world)).toEqual([]);
    await crosses(world, repo, 1);
  });

  test('only changes its route if both routes share a repository', async () => {
    const shared = { ...gadget(checking), repo: 'widget', label: 'gadget' };
    const world = await talkedAbout({ routes: [{ ...checking, label: 'widget' }, shared] });
    alice(world).change(1, toGadget);
    await world.settled();
    expect(issuesOf(world, repo)).toMatchObject([{ state: 'open', title: 'It fails', isLocked: false }]);
    expect(old(world)?.body).not.toContain('moved');
    expect(old(world)?.labels).toContain('part: Firmware');
    await crosses(world, repo, 1);
  });

  test('moves with others, more than the brake allows', async () => {
    const world = worldOf({ limits: { brakeShare: 0.1 } });
    for (const summary of ['One', 'Two', 'Three', 'Four']) alice(world).file({ summary });
    await world.settled();
    for (const bug of [1, 2, 3]) alice(world).change(bug, toGadget);
    await world.settled(12);
    expect(issuesOf(world).map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
    expect(issuesOf(world, repo).map(({ state }) => state)).toEqual(['closed', 'closed', 'closed', 'open']);
  });

  test('rests while one of the routes is paused', async () => {
    const world = await talkedAbout();
    world.stage.store.pauses.save('widget', { at: 0, why: null });
    alice(world).change(1, toGadget);
    await world.passes(3);
    expect(old(world)).toMatchObject({ state: 'open', isLocked: false });
    expect(world.isInStep()).toBe(false);
    world.stage.store.pauses.remove('widget');
    await world.settled();
    goesOn(world);
  });

  test.each(['to-github', 'both'] as const)('goes from a one-way route to one that goes %s', async (direction) => {
    const one: Route = { ...checking, direction: 'to-github' };
    const world = worldOf({ routes: [one, { ...gadget(checking), direction }] });
    alice(world).file({ summary: 'It fails' });
    await world.settled();
    alice(world).change(1, toGadget);
    await world.settled();
    expect(issuesOf(world)).toMatchObject([{ title: 'It fails', state: 'open' }]);
    expect(old(world)).toMatchObject({ state: 'closed', isLocked: false });
  });
});

describe('a public bug that moves to a product that no route takes', () => {
  const alone = { routes: [checking] };

  test('leaves an issue that says so, with all that stood there', async () => {
    const world = await talkedAbout(alone);
    alice(world).change(1, toGadget);
    await world.settled();
    expect(old(world)).toMatchObject({
      title: 'It fails',
      state: 'closed',
      stateReason: 'not_planned',
      isLocked: false,
    });
    expect(old(world)?.body).toContain('moved to product Gadget, and goes on there.');
    expect(old(world)?.body).not.toContain('not public');
    expect(textsOf(world, repo, 1)).toHaveLength(2);
    await world.sweepAll();
    await world.settled();
    expect(await exposed(world)).toBe(0);
    expect(old(world)).toMatchObject({ title: 'It fails', state: 'closed' });
  });

  test('is withdrawn once it is no longer public', async () => {
    const world = await talkedAbout(alone);
    alice(world).change(1, toGadget);
    await world.settled();
    hide(world, true);
    await world.settled();
    expect(old(world)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
    expect(textsOf(world, repo, 1)).toEqual(['I see it, too.']);
    expect(await exposed(world)).toBe(0);
  });

  test('is withdrawn at once if that product is not public', async () => {
    const world = await talkedAbout(alone);
    world.stage.tracker
      .as('admin')
      .change(1, { product: 'Secret', component: 'Vault', version: 'unspecified', target_milestone: '---' });
    await world.pass();
    expect(old(world)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
    expect(old(world)?.body).not.toContain('Secret');
  });

  test('comes back to its issue', async () => {
    const world = await talkedAbout(alone);
    alice(world).change(1, toGadget);
    await world.settled();
    alice(world).change(1, toWidget);
    await world.settled();
    expect(old(world)).toMatchObject({ state: 'open', title: 'It fails' });
    expect(old(world)?.body).not.toContain('moved');
    await crosses(world, repo, 1);
  });

  test('is taken by a route that is added later', async () => {
    const both = [checking, gadget(checking)];
    const world = await talkedAbout({ routes: both });
    alice(world).change(1, toGadget);
    for (let count = 0; count < 4; count += 1) await world.pass([checking]);
    expect(old(world)).toMatchObject({ state: 'closed' });
    await world.settled();
    goesOn(world);
  });
});

describe('what is hidden of a bug that moved', () => {
  test('goes from the old issue, too', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.settled();
    hide(world, true);
    await world.settled();
    expect(old(world)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
    expect(old(world)?.body).not.toContain('Every night.');
    expect(textsOf(world, repo, 1)).toEqual(['I see it, too.']);
    expect(issuesOf(world)).toMatchObject([{ title: 'Bug 1 is not public', isLocked: true }]);
    expect(await exposed(world)).toBe(0);
  });

  test.each<[string, readonly Route[]]>([
    ['the route of the old issue', [checking, gadget(checking)]],
    ['the route of the new issue', [gadget(checking), checking]],
  ])('goes from the old issue if the state was lost since, and %s runs first', async (_which, routes) => {
    const world = await talkedAbout({ routes });
    alice(world).change(1, toGadget);
    await world.settled();
    world.lose();
    await world.settled();
    expect(old(world)).toMatchObject({ title: 'It fails', state: 'closed' });
    expect(issuesOf(world)).toMatchObject([{ title: 'It fails', state: 'open' }]);
    await crosses(world, other, 1);
    hide(world, true);
    await world.settled();
    expect(old(world)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
    expect(textsOf(world, repo, 1)).toEqual(['I see it, too.']);
    expect(issuesOf(world)).toMatchObject([{ title: 'Bug 1 is not public', isLocked: true }]);
    expect(await exposed(world)).toBe(0);
  });

  test('goes from the old issue if it was hidden while the state was lost', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.settled();
    world.lose();
    hide(world, true);
    await world.settled();
    expect(old(world)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
    expect(textsOf(world, repo, 1)).toEqual(['I see it, too.']);
    expect(issuesOf(world)).toMatchObject([{ title: 'Bug 1 is not public', isLocked: true }]);
  });

  test('goes from an issue whose bug no route takes if the state was lost since', async () => {
    const world = await talkedAbout({ routes: [checking] });
    alice(world).change(1, toGadget);
    await world.settled();
    world.lose();
    await world.settled();
    expect(old(world)).toMatchObject({ title: 'It fails', state: 'closed' });
    hide(world, true);
    await world.settled();
    expect(old(world)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
    expect(textsOf(world, repo, 1)).toEqual(['I see it, too.']);
  });

  test('goes from an issue that lost the label of its route, if the state was lost since', async () => {
    const labelled: Route = { ...checking, label: 'upstream' };
    const world = await talkedAbout({ routes: [labelled] });
    world.lose();
    bob(world).unlabel(repo, 1, 'upstream');
    hide(world, true);
    await world.settled();
    expect(old(world)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
  });

  test('and says where the bug is once it is public again', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.settled();
    hide(world, true);
    await world.settled();
    hide(world, false);
    await world.sweepAll();
    await world.settled();
    expect(issuesOf(world)).toMatchObject([{ title: 'It fails', isLocked: false }]);
    expect(old(world)).toMatchObject({ title: 'Bug 1 moved to another product', state: 'closed', isLocked: false });
    expect(old(world)?.body).toContain(`in [${other}#1]`);
  });

  test('is gone from the old issue if it is a single comment', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    await world.settled();
    hideComment(world);
    await world.settled();
    await world.sweepAll();
    await world.settled();
    for (const at of [repo, other])
      expect(textsOf(world, at, 1).filter((text) => text.includes('Still fails.'))).toEqual([]);
  });

  test.each(['bridge', 'bridge-insider'])('is gone if a comment was hidden as the bug moved, for %s', async (user) => {
    const world = await talkedAbout({ user, routes: [gadget(checking), checking] });
    alice(world).change(1, toGadget);
    await world.pass([checking]);
    hideComment(world);
    await world.settled();
    for (const at of [repo, other])
      expect(textsOf(world, at, 1).filter((text) => text.includes('Still fails.'))).toEqual([]);
    expect(textsOf(world, repo, 1)).toEqual(['I see it, too.']);
  });

  test.each([
    ['first', [gadget(checking), checking]],
    ['last', [checking, gadget(checking)]],
  ] as const)('is gone if a comment was hidden while the state was lost, and its route runs %s', async (_w, routes) => {
    const world = await talkedAbout({ routes });
    alice(world).change(1, toGadget);
    await world.settled();
    world.lose();
    hideComment(world);
    await world.settled();
    for (const at of [repo, other])
      expect(textsOf(world, at, 1).filter((text) => text.includes('Still fails.'))).toEqual([]);
  });

  test.each([false, true])('is gone if the old issue was transferred after its bug (%s)', async (isAtOnce) => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    if (isAtOnce) await world.pass();
    else await world.settled();
    bob(world).transfer(repo, 1, other);
    await world.settled();
    hideComment(world);
    await world.settled();
    const texts = issuesOf(world).flatMap(({ number }) => textsOf(world, other, number));
    expect(texts.filter((text) => text.includes('Still fails.'))).toEqual([]);
    hide(world, true);
    await world.settled();
    expect(JSON.stringify([issuesOf(world), texts])).not.toContain('Every night.');
  });

  test('is gone if a comment is hidden in a product that no route takes', async () => {
    const world = await talkedAbout({ routes: [checking] });
    alice(world).change(1, toGadget);
    await world.settled();
    hideComment(world);
    await world.settled();
    await world.sweepAll();
    await world.settled();
    expect(textsOf(world, repo, 1).filter((text) => text.includes('Still fails.'))).toEqual([]);
  });

  test.each(['bridge', 'bridge-insider'])('is gone if a file was hidden as the bug moved, for %s', async (user) => {
    const filed: Route = { ...checking, attachments: branchRule };
    const there: Route = { ...gadget(filed), attachments: { ...branchRule, repo: 'gadget' } };
    const world = await talkedAbout({ user, routes: [there, filed] });
    const files = () => [repo, other].flatMap((at) => [...world.stage.github.files(at, 'attachments').keys()]);
    alice(world).attach(1, { bytes: new Uint8Array([1]), file_name: 'public.log', summary: 'x' });
    alice(world).attach(1, { bytes: new Uint8Array([2]), file_name: 'canary.log', summary: 'The canary.' });
    await world.settled();
    expect(files()).toHaveLength(2);
    alice(world).change(1, toGadget);
    await world.pass([filed]);
    world.stage.tracker.as('admin').changeAttachment(2, { is_private: true });
    await world.settled();
    expect(files().map((path) => path.split('/').at(-1))).toEqual(['1-public.log', '1-public.log']);
    expect([repo, other].flatMap((at) => textsOf(world, at, 1)).join()).not.toContain('anary');
  });

  test('is named by no other bug if a file was hidden where no route takes its bug', async () => {
    const filed: Route = { ...checking, attachments: branchRule };
    const world = await talkedAbout({ routes: [filed] });
    alice(world).attach(1, { bytes: new Uint8Array([1]), file_name: 'canary.log', summary: 'x' });
    await world.settled();
    const mention = async (): Promise<string> => {
      alice(world).file({ summary: 'It fails, too', description: 'See attachment 1.' });
      await world.settled();
      return issuesOf(world, repo).at(-1)?.body ?? '';
    };
    expect(await mention()).toContain('canary.log');
    alice(world).change(1, toGadget);
    await world.settled();
    world.stage.tracker.as('admin').changeAttachment(1, { is_private: true });
    const body = await mention();
    expect(body).toContain('attachment 1');
    expect(body).not.toContain('canary');
  });

  test('is published nowhere if the bug became private as it moved', async () => {
    const world = await talkedAbout();
    alice(world).change(1, toGadget);
    hide(world, true);
    await world.settled();
    expect(issuesOf(world)).toEqual([]);
    expect(old(world)).toMatchObject({ title: 'Bug 1 is not public', isLocked: true });
  });
});

test.each(['both', 'to-tracker'] as const)(
  'the line of a move under an issue means nothing if people wrote it, on a route that goes %s',
  async (direction) => {
    const world = worldOf({ routes: [{ ...checking, direction }] });
    bob(world).open(repo, { title: 'It fails' });
    await world.settled();
    bob(world).edit(repo, 1, { body: 'Mine\n\n<!-- bugferry:1 acme bug=1 moved -->' });
    await world.settled();
    expect(old(world)).toMatchObject({ state: 'open', title: 'It fails', isLocked: false });
    expect(world.isInStep()).toBe(true);
    const updates = world.stage.calls.filter(({ side, method }) => side === 'github' && method === 'update');
    expect(updates.length).toBeLessThan(direction === 'both' ? 4 : 1);
  },
);

describe('a bug that moves before the bridge learned its number', () => {
  /** The bridge filed a bug from an issue, and the answer was lost. */
  async function filedUnheard(options: Options = {}): Promise<World> {
    const world = worldOf(options);
    await world.settled();
    bob(world).open(repo, { title: 'It fails', body: 'Every night.' });
    let isFiled = false;
    world.stage.faults = (side, cost) => {
      if (side !== 'tracker' || cost === 'read' || isFiled) return { kind: 'none' };
      isFiled = true;
      return { kind: 'drop', after: true };
    };
    await world.pass();
    expect(world.stage.tracker.bugs().map(({ id }) => id)).toEqual([1]);
    expect(world.stage.store.links.byBug(bugId(1))).toBeNull();
    return world;
  }

  /** Its issue says where it goes on, and nothing exists twice. */
  async function goesOnOnce(world: World): Promise<void> {
    await world.settled(14);
    expect(world.isInStep()).toBe(true);
    expect(world.stage.tracker.bugs().map(({ id }) => id)).toEqual([1]);
    expect(issuesOf(world, repo).map(({ number }) => number)).toEqual([1]);
    expect(issuesOf(world)).toMatchObject([{ title: 'It fails', state: 'open' }]);
    expect(issuesOf(world)[0]?.body).toContain('Every night.');
    expect(old(world)).toMatchObject({ state: 'closed', stateReason: 'not_planned' });
    expect(old(world)?.body).toContain(`in [${other}#1](https://github.com/${other}/issues/1)`);
    await crosses(world, other, 1);
  }

  const [here, there] = [checking, gadget(checking)];

  test.each([
    ['its own route looks for it', [here, there]],
    ['the other route reads it first', [there, here]],
  ])('is not filed again: %s', async (_who, order) => {
    const world = await filedUnheard();
    alice(world).change(1, toGadget);
    for (let count = 0; count < 3; count += 1) await world.pass(order);
    await goesOnOnce(world);
  });

  test('is not filed again if the other route alone runs for a while', async () => {
    const world = await filedUnheard();
    alice(world).change(1, toGadget);
    for (let count = 0; count < 3; count += 1) await world.pass([there]);
    expect(issuesOf(world)).toEqual([]);
    await goesOnOnce(world);
  });

  test('is not filed again if people took its issue out of See Also', async () => {
    const world = await filedUnheard();
    alice(world).change(1, { ...toGadget, see_also: { remove: [`https://github.com/${repo}/issues/1`] } });
    await goesOnOnce(world);
  });

  test('is not filed again if the process died as it was filed', async () => {
    const world = worldOf();
    await world.settled();
    bob(world).open(repo, { title: 'It fails', body: 'Every night.' });
    world.stage.between = (side, method, when) => {
      if (side === 'tracker' && method === 'create' && when === 'after')
        throw Object.assign(new Error('died'), { name: 'AbortError' });
    };
    await expect(world.pass()).rejects.toThrow('died');
    world.stage.between = () => undefined;
    alice(world).change(1, toGadget);
    await goesOnOnce(world);
  });

  test('comes back, and is not filed again', async () => {
    const world = await filedUnheard();
    alice(world).change(1, toGadget);
    await world.pass([there]);
    alice(world).change(1, toWidget);
    await world.settled();
    expect(world.stage.tracker.bugs()).toHaveLength(1);
    expect([issuesOf(world), issuesOf(world, repo)]).toMatchObject([[], [{ number: 1, state: 'open' }]]);
    await crosses(world, repo, 1);
  });

  test('is not filed again in a product that no route takes', async () => {
    const world = await filedUnheard({ routes: [here] });
    alice(world).change(1, toGadget);
    await world.settled();
    expect(world.stage.tracker.bugs()).toHaveLength(1);
    expect(old(world)).toMatchObject({ title: 'It fails', state: 'closed', stateReason: 'not_planned' });
  });

  test('keeps its issue if both routes share a repository', async () => {
    const world = await filedUnheard({ routes: [here, { ...there, repo: 'widget' }] });
    alice(world).change(1, toGadget);
    for (let count = 0; count < 3; count += 1) await world.pass([{ ...there, repo: 'widget' }, here]);
    await world.settled();
    expect(world.stage.tracker.bugs()).toHaveLength(1);
    expect(issuesOf(world, repo)).toMatchObject([{ number: 1, state: 'open' }]);
    await crosses(world, repo, 1);
  });

  test('is no counterpart if others wrote its description', async () => {
    const world = worldOf();
    bob(world).open(repo, { title: 'It fails', body: 'Every night.' });
    await world.settled();
    const text = `GitHub user mona wrote (https://github.com/${repo}/issues/2):`;
    bob(world).open(repo, { title: 'It is slow', body: 'Every day.' });
    alice(world).file({ summary: 'Mine', description: `${text}\n\nNot at all.`, ...toGadget });
    await world.pass([there, here]);
    await world.settled();
    expect(issuesOf(world)).toMatchObject([{ title: 'Mine', state: 'open' }]);
    expect(world.stage.tracker.bugs()).toHaveLength(3);
  });
});

describe('a process that dies', () => {
  /** Every third of the calls that a move makes, of either side. */
  test.each(['before', 'after'] as const)('%s a call of a move loses and doubles nothing', async (moment) => {
    let deaths = 0;
    for (let at = moment === 'before' ? 0 : 1; ; at += 3) {
      const world = await talkedAbout();
      bob(world).comment(repo, 1, 'One more.');
      alice(world).change(1, toGadget);
      let count = 0;
      world.stage.between = (_side, _method, when) => {
        if (when === moment && count++ === at) throw Object.assign(new Error('died'), { name: 'AbortError' });
      };
      let died = false;
      for (let turn = 0; turn < 3 && !died; turn += 1)
        await world.pass().catch(() => {
          died = true;
        });
      world.stage.between = () => undefined;
      if (!died) break;
      deaths += 1;
      await world.settled(14);
      goesOn(world);
      for (const text of [...textsOf(world, other, 1), ...onBug(world)].filter((each) => each.includes('One more.')))
        expect(text).toContain('GitHub user mona wrote');
      expect(textsOf(world, other, 1).filter((each) => each.includes('One more.'))).toHaveLength(1);
      expect(onBug(world).filter((each) => each.includes('One more.'))).toHaveLength(1);
    }
    expect(deaths).toBeGreaterThan(10);
  });
});

test('the new link and the old one each know what became of them', async () => {
  const world = await talkedAbout();
  alice(world).change(1, toGadget);
  await world.settled();
  const { links } = world.stage.store;
  expect(links.byBug(bugId(1))).toMatchObject({ route: 'gadget', repo: other, issue: 1, state: 'live' });
  expect(links.byIssue(repo, issueNumber(1))).toMatchObject({
    bug: null,
    state: 'frozen',
    reason: 'bug 1 moved to product Gadget, which route gadget takes',
  });
});

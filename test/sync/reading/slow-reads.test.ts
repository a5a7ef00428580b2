/** I11: items on which a side fails slowly hold up no cycle for long, and all others are read in their turn. */

import { expect, test } from 'vitest';
import type { Side } from '../../../src/model/ids.ts';
import { SideError } from '../../../src/model/outcome.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { keptInMemory } from '../../support/edges.ts';
import { branchRule, testLimits, widgetRoute } from '../../support/routes.ts';

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous', attachments: branchRule };
const limits = { ...testLimits, writesPerCycle: 500 };
const slowCount = 40;

interface House {
  readonly world: Stage;
  /** Each request that this matches takes so long, and is answered only then, or never. */
  isSlow: (side: Side, address: URL, isAnonymous: boolean) => boolean;
  takesMs: number;
  isAnswered: boolean;
  /** One cycle of the same process. Returns how many minutes it took. */
  next(): Promise<number>;
  /** One cycle of a new process. */
  anew(): Promise<number>;
}

function house(): House {
  const world = stage();
  const { tracker, github } = world.servers;
  const slowly =
    (side: Side, send: typeof fetch): typeof fetch =>
    async (input, init) => {
      const isAnonymous = !JSON.stringify([...new Headers(init?.headers)]).includes('api');
      if (!found.isSlow(side, new URL(String(input)), isAnonymous)) return send(input, init);
      world.clock.advance(found.takesMs);
      if (found.isAnswered) return send(input, init);
      throw Object.assign(new Error('The operation was aborted due to timeout'), { name: 'TimeoutError' });
    };
  Object.assign(world.servers, { tracker: slowly('tracker', tracker), github: slowly('github', github) });
  const context = contextOn(world, route, { limits });
  const kept = keptInMemory();
  const found: House = {
    world,
    isSlow: () => false,
    takesMs: 60_000,
    isAnswered: false,
    next: () => minutesOf(context),
    anew: () => minutesOf(contextOn(world, route, { limits, edges: { kept } })),
  };
  async function minutesOf(on: typeof context): Promise<number> {
    world.clock.advance(61_000);
    const beganAt = world.clock.now();
    await cycle(on, { isForced: true });
    return (world.clock.now() - beganAt) / 60_000;
  }
  return found;
}

/** @param maker who files the first bugs; alice files the last one */
async function mirrored(maker = 'alice'): Promise<House> {
  const found = house();
  const { tracker, github } = found.world;
  for (let at = 1; at <= slowCount + 1; at += 1)
    tracker.as(at <= slowCount ? maker : 'alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let at = 0; at < 6; at += 1) await found.next();
  expect(github.issues(repo)).toHaveLength(slowCount + 1);
  return found;
}

const ofSide = (failure: unknown): void => {
  expect(failure).toBeInstanceOf(SideError);
};

/** Whether a request reads this part of any of these bugs. */
const isAbout =
  (part: string, isPoison = (id: number) => id <= slowCount) =>
  ({ pathname, searchParams }: URL): boolean => {
    const [, first] = new RegExp(`/bug/(\\d+)/${part}`, 'u').exec(pathname) ?? [];
    const ids = [...(first === undefined ? [] : [first]), ...searchParams.getAll('ids')].map(Number);
    return first !== undefined && ids.some(isPoison);
  };

/** Whether a search may find any of the first bugs by their numbers. */
const isSearch = ({ pathname, searchParams }: URL): boolean =>
  pathname.endsWith('/bug') &&
  (searchParams.get('include_fields') ?? '').includes('summary') &&
  searchParams.getAll('id').some((ids) => ids.split(',').some((id) => Number(id) <= slowCount));

const titleOfLast = (world: Stage): string =>
  world.github.issues(repo).find(({ number }) => number === slowCount + 1)?.title ?? '';

/** How long a cycle may take in all, in minutes, and how many cycles may pass. */
const [minutesMax, cyclesMax] = [5, 60];

async function untilCrossed({ next }: House, isDone: () => boolean): Promise<readonly number[]> {
  const minutes: number[] = [];
  while (!isDone() && minutes.length < cyclesMax) minutes.push(await next());
  expect([isDone(), minutes]).toEqual([true, minutes]);
  return minutes;
}

const parts: readonly (readonly [string, string, boolean])[] = [
  ['no comments', 'comment', true],
  ['no attachments', 'attachment', true],
  ['readers without an account no comments', 'comment', false],
  ['readers without an account nothing', '', false],
];

test.each(parts)('40 bugs of which the tracker answers %s', async (_name, part, isToAccount) => {
  const found = await mirrored();
  const { world } = found;
  found.isSlow = (side, address, isAnonymous) =>
    side === 'tracker' && (isToAccount || isAnonymous) && (part === '' ? isSearch(address) : isAbout(part)(address));
  for (let at = 1; at <= slowCount + 1; at += 1) {
    world.tracker.as('alice').change(at, { summary: `Pot ${at}` });
    world.tracker.as('alice').comment(at, `So hot, ${at}.`);
  }
  const minutes = await untilCrossed(found, () => titleOfLast(world) === `Pot ${slowCount + 1}`);
  expect(Math.max(...minutes)).toBeLessThan(minutesMax);
});

test.each(parts)(
  '40 bugs of one person of which the tracker answers %s: others wait little',
  async (_name, part, isToAccount) => {
    const found = await mirrored('bob');
    const { world } = found;
    found.isSlow = (side, address, isAnonymous) =>
      side === 'tracker' && (isToAccount || isAnonymous) && (part === '' ? isSearch(address) : isAbout(part)(address));
    for (let at = 1; at <= slowCount + 1; at += 1) world.tracker.as('admin').change(at, { summary: `Pot ${at}` });
    const minutes = [...(await untilCrossed(found, () => titleOfLast(world) === `Pot ${slowCount + 1}`))];
    expect(minutes.length).toBeLessThan(4);
    world.tracker.as('alice').change(slowCount + 1, { summary: 'Lid' });
    minutes.push(...(await untilCrossed(found, () => titleOfLast(world) === 'Lid')));
    expect(minutes.length).toBeLessThan(5);
    expect(Math.max(...minutes)).toBeLessThan(minutesMax);
  },
);

test('40 bugs of which the tracker answers comments only after a minute: all cross', async () => {
  const found = await mirrored();
  const { tracker, github } = found.world;
  found.isSlow = (side, address) => side === 'tracker' && isAbout('comment')(address);
  found.isAnswered = true;
  for (let at = 1; at <= slowCount + 1; at += 1) tracker.as('alice').comment(at, `So hot, ${at}.`);
  const last = () => github.commentsOf(repo, slowCount + 1).length === 1;
  const minutes = await untilCrossed(found, last);
  expect(Math.max(...minutes)).toBeLessThan(minutesMax);
});

test('what is hidden meanwhile is withdrawn in the next cycle', async () => {
  const found = await mirrored();
  const { world } = found;
  found.isSlow = (side, address) => side === 'tracker' && isAbout('comment')(address);
  for (let at = 1; at <= slowCount + 1; at += 1) world.tracker.as('alice').change(at, { summary: `Pot ${at}` });
  await found.next();
  world.tracker.as('admin').change(slowCount + 1, { groups: { add: ['security'] } });
  expect(await found.next()).toBeLessThan(minutesMax);
  expect(titleOfLast(world)).toBe(`Bug ${slowCount + 1} is not public`);
});

test.each([60_000, 0])(
  'hidden bugs are withdrawn while the tracker fails on ten others after %i ms',
  async (takesMs) => {
    const found = await mirrored();
    const { world } = found;
    found.takesMs = takesMs;
    found.isSlow = (side, { pathname }) =>
      side === 'tracker' && Number(/\/bug\/(\d+)$/u.exec(pathname)?.[1] ?? 99) <= 10;
    for (let bug = 1; bug <= 20; bug += 1) world.tracker.as('admin').change(bug, { groups: { add: ['security'] } });
    const isHidden = (bug: number): boolean =>
      world.github.issues(repo).some(({ title }) => title === `Bug ${bug} is not public`);
    await found.next().catch(ofSide);
    const hidden = () => Array.from({ length: 10 }, (_none, at) => at + 11).every(isHidden);
    const minutes = await untilCrossed(found, hidden);
    expect(Math.max(...minutes)).toBeLessThan(minutesMax);
    expect(minutes.length).toBeLessThan(15);
  },
);

test('each process knows nothing but the state, and yet all cross', async () => {
  const found = await mirrored();
  const { world } = found;
  found.isSlow = (side, address) => side === 'tracker' && isAbout('comment', (id) => id <= 10)(address);
  for (let at = 1; at <= slowCount + 1; at += 1) world.tracker.as('alice').change(at, { summary: `Pot ${at}` });
  const minutes = await untilCrossed(
    { ...found, next: found.anew },
    () => titleOfLast(world) === `Pot ${slowCount + 1}`,
  );
  expect(Math.max(...minutes)).toBeLessThan(minutesMax);
});

test('40 issues of which GitHub answers no comments', async () => {
  const found = await mirrored();
  const { world } = found;
  const mona = world.github.as('mona');
  const said = new Map<number, number>();
  for (let at = 1; at <= slowCount + 1; at += 1) said.set(at, mona.comment(repo, at, 'Hot.'));
  await found.next();
  found.isSlow = (side, { pathname }) => {
    const [, issue] = /\/issues\/(\d+)\/comments$/u.exec(pathname) ?? [];
    return side === 'github' && issue !== undefined && Number(issue) <= slowCount;
  };
  for (const [issue, comment] of said) {
    mona.deleteComment(repo, comment);
    mona.edit(repo, issue, { title: `Pot ${issue}` });
  }
  const last = (): string => world.tracker.bug(slowCount + 1)?.summary ?? '';
  const minutes = await untilCrossed(found, () => last() === `Pot ${slowCount + 1}`);
  expect(Math.max(...minutes)).toBeLessThan(minutesMax);
});

test('issues whose comments took long before come after those of another one', async () => {
  const found = await mirrored();
  const { world } = found;
  const mona = world.github.as('mona');
  const said = new Map<number, number>();
  for (const round of [1, 2]) {
    for (let at = 1; at <= slowCount + 1; at += 1) said.set(at, mona.comment(repo, at, 'Hot.'));
    await found.next();
    Object.assign(found, { takesMs: 30_000, isAnswered: true });
    found.isSlow = (side, { pathname }) =>
      side === 'github' && Number(/\/issues\/(\d+)\/comments$/u.exec(pathname)?.[1] ?? 99) <= slowCount;
    for (const comment of said.values()) mona.deleteComment(repo, comment);
    mona.edit(repo, slowCount + 1, { title: `Pot ${round}` });
    const last = (): boolean => world.tracker.bug(slowCount + 1)?.summary === `Pot ${round}`;
    const minutes = await untilCrossed(found, last);
    if (round === 2) expect(minutes.length).toBeLessThan(3);
    for (let at = 0; at < 25; at += 1) await found.next();
  }
});

test.each([
  ['comment', true, 'next'],
  ['attachment', true, 'next'],
  ['comment', true, 'anew'],
  ['attachment', true, 'anew'],
  ['comment', false, 'anew'],
] as const)(
  'the tracker fails at once on the %s of all changed bugs but the one between them (account: %s, process: %s)',
  async (part, isToAccount, process) => {
    const found = await mirrored();
    const { tracker, github } = found.world;
    found.takesMs = 0;
    found.isSlow = (side, address, isAnonymous) =>
      side === 'tracker' && isAnonymous !== isToAccount && isAbout(part, (id) => id !== 2)(address);
    for (let at = 1; at <= slowCount; at += 1) tracker.as('alice').change(at, { summary: `Pot ${at}` });
    for (let at = 0; at < 8; at += 1) await found[process]().catch(ofSide);
    expect(github.issues(repo).find(({ number }) => number === 2)?.title).toBe('Pot 2');
  },
);

test('lists of the tracker fail at once on all bugs but the last one: it crosses, also in new processes', async () => {
  const found = await mirrored();
  const { tracker } = found.world;
  found.takesMs = 0;
  const isList = ({ pathname, searchParams }: URL): boolean =>
    pathname.endsWith('/bug') && searchParams.get('include_fields') !== 'id';
  found.isSlow = (side, address) =>
    side === 'tracker' && isList(address) && searchedFor(address) !== String(slowCount + 1);
  for (let at = 1; at <= slowCount + 1; at += 1) tracker.as('alice').change(at, { summary: `Pot ${at}` });
  for (let at = 0; at < 8; at += 1) await found.anew().catch(ofSide);
  expect(titleOfLast(found.world)).toBe(`Pot ${slowCount + 1}`);
});

const searchedFor = ({ searchParams }: URL): string => searchParams.getAll('id').join(',');

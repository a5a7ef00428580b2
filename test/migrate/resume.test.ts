/**
 * A migration that died among its imports goes on from what it kept of them, and does not read all of GitHub for that.
 */

import { expect, test } from 'vitest';
import { marginMs } from '../../src/kernel/backoff.ts';
import type { Importer } from '../../src/model/migration.ts';
import { repo, type Stage } from '../simulation/stage.ts';
import { some } from '../tiers/depth.ts';
import { cyclesOn, importerOn, importStage, migrateOn, oneWay } from './bench.ts';

/** More than may be in flight: GitHub is asked for the first fifty before the next are sent. */
const bugs = 70;
const people = {
  github: new Map([['bob@example.test', 'octo']]),
  tracker: new Map([['octo', 'bob@example.test']]),
  nobody: [],
};
const route = { ...oneWay, assignee: true, people };

const quick = [20];

/** Each bug names the first one, and bug 50 belongs to somebody who has no part in the repository. */
function filled(importDelaysMs: readonly number[]): Stage {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= bugs; index += 1)
    alice.file({ summary: `Trouble ${index}`, description: 'Like bug 1.' });
  alice.change(50, { assigned_to: 'bob@example.test' });
  world.github.allow(repo, 'octo', null);
  Object.assign(world.github.limits, { importDelaysMs });
  world.clock.advance(86_400_000);
  return world;
}

const never = new Promise<never>(() => undefined);

/**
 * A migration that dies at its `nth` import. It pauses after its 15th.
 * @returns when it sent the 51st, and so knew what became of the first
 */
async function dieAt(world: Stage, nth: number, when: Death['when']): Promise<number> {
  const direct = importerOn(world);
  let [begun, laterAt] = [0, 0];
  let died = (): void => undefined;
  const death = new Promise<void>((resolve) => {
    died = resolve;
  });
  const importer: Importer = {
    ...direct,
    async begin(draft) {
      begun += 1;
      if (begun === 15) world.clock.advance(600_000);
      if (begun === 51) laterAt = world.clock.now();
      if (begun < nth || when === 'answered') return direct.begin(draft);
      if (when === 'after') await direct.begin(draft);
      died();
      return never;
    },
    since(at) {
      if (when !== 'answered' || begun < nth) return direct.since(at);
      died();
      return never;
    },
  };
  await Promise.race([death, migrateOn(world, { route, importer })]);
  return laterAt;
}

interface Death {
  readonly nth: number;
  /** Before GitHub has the import, before its answer is there, or once all that were sent are answered. */
  readonly when: 'before' | 'after' | 'answered';
  readonly importDelaysMs: readonly number[];
  /** Whether GitHub's list lacks all that was imported before. */
  readonly isListEmpty?: boolean;
  /** How late GitHub's list is. */
  readonly lateMs?: number;
}

const instant = [0];
const slow = [2_000, 900_000, 40_000];
const deaths: readonly Death[] = [
  { nth: 65, when: 'before', importDelaysMs: quick },
  { nth: 65, when: 'after', importDelaysMs: quick },
  { nth: 30, when: 'before', importDelaysMs: slow },
  { nth: 30, when: 'after', importDelaysMs: slow },
  { nth: 21, when: 'before', importDelaysMs: slow },
  { nth: 71, when: 'after', importDelaysMs: slow },
  { nth: 50, when: 'answered', importDelaysMs: slow },
  // Bug 50 once more, without its assignee.
  { nth: 51, when: 'after', importDelaysMs: instant },
  { nth: 51, when: 'after', importDelaysMs: instant, lateMs: 5_000 },
];

const pagesSince = (world: Stage, before: number): number =>
  world.calls.slice(before).filter(({ side, method }) => side === 'github' && method === 'list').length;

let calm: Promise<number> | null = null;

/** How many pages are read once all bugs are there, by a migration that does not die. */
function pagesOfCalm(): Promise<number> {
  calm ??= pagesWithoutDeath();
  return calm;
}

async function pagesWithoutDeath(): Promise<number> {
  const world = filled(quick);
  const direct = importerOn(world);
  let before = 0;
  await migrateOn(world, {
    route,
    importer: {
      ...direct,
      begin(draft) {
        before = world.calls.length;
        return direct.begin(draft);
      },
    },
  });
  return pagesSince(world, before);
}

/** What is wrong after a death, if something is. */
async function whatBreaks({
  nth,
  when,
  importDelaysMs,
  isListEmpty = false,
  lateMs = 0,
}: Death): Promise<string | null> {
  const world = filled(importDelaysMs);
  const laterAt = await dieAt(world, nth, when);
  const direct = importerOn(world);
  const before = world.calls.length;
  const asked: { sinceAt: number; pages: number; probes: number } = {
    sinceAt: Number.POSITIVE_INFINITY,
    pages: 0,
    probes: 0,
  };
  const drafts: string[] = [];
  const importer: Importer = {
    ...direct,
    begin(draft) {
      if (drafts.length === 0) {
        asked.pages = pagesSince(world, before);
        asked.probes = world.calls
          .slice(before)
          .filter(({ side, method }) => side === 'github' && method === 'probe').length;
      }
      drafts.push(draft.body);
      return direct.begin(draft);
    },
    async since(at) {
      if (drafts.length === 0) asked.sinceAt = Math.min(asked.sinceAt, at);
      const jobs = await direct.since(at);
      return isListEmpty && drafts.length === 0
        ? []
        : jobs.filter(({ createdAt }) => createdAt <= world.clock.now() - lateMs);
    },
  };
  await migrateOn(world, { route, importer });
  const titles = world.github.issues(repo).map(({ title }) => title);
  if (titles.length !== bugs || new Set(titles).size !== bugs)
    return `${titles.length} issues, ${new Set(titles).size} of them different`;
  const pages = pagesSince(world, before);
  const pagesNeeded = await pagesOfCalm();
  if (isListEmpty && asked.pages === 0 && drafts.length > 0) return 'it went on without a look';
  if (!isListEmpty && asked.pages > 0) return `${asked.pages} pages of GitHub were read before it went on`;
  if (!isListEmpty && asked.probes > 1) return `${asked.probes} issues were read before it went on`;
  if (!isListEmpty && pages > pagesNeeded) return `${pages} pages of GitHub were read instead of ${pagesNeeded}`;
  if (!isListEmpty && importDelaysMs === quick && nth === 65 && asked.sinceAt < laterAt - marginMs)
    return 'it asked for imports that it knew';
  if (!isListEmpty && !drafts.every((body) => body.includes('/issues/')))
    return `the issue of bug 1 is not known: ${drafts}`;
  const later = await cyclesOn(world, 3, route);
  return later.length === 0 ? null : `left to do: ${later}`;
}

test.each(some(deaths, 3))(
  'it sends each bug once, and reads GitHub once: $nth, $when, $importDelaysMs, late $lateMs',
  async (death) => {
    expect(await whatBreaks(death)).toBeNull();
  },
);

test.each(some(deaths, 3))(
  'it reads all of GitHub if the list of imports lacks what it should show: $nth, $when, $importDelaysMs',
  async (death) => {
    expect(await whatBreaks({ ...death, isListEmpty: true })).toBeNull();
  },
);

test('imports whose answers are lost, one of which took effect, are sent again before GitHub is read', async () => {
  const world = filled(quick);
  const direct = importerOn(world);
  let begun = 0;
  const before = world.calls.length;
  let pagesBefore = 0;
  const importer: Importer = {
    ...direct,
    async begin(draft) {
      begun += 1;
      if (begun === 1) pagesBefore = pagesSince(world, before);
      if (begun === 5) await direct.begin(draft);
      return begun === 5 || begun === 10 ? { kind: 'unknown', why: 'the connection broke' } : direct.begin(draft);
    },
  };
  await migrateOn(world, { route, importer });
  const pages = pagesSince(world, before) - pagesBefore;
  expect(world.github.issues(repo)).toHaveLength(bugs);
  expect(pages).toBeLessThanOrEqual(await pagesOfCalm());
});

import { describe, expect, test } from 'vitest';
import * as realBackoff from '../../src/kernel/backoff.ts';
import type { Context } from '../../src/kernel/context.ts';
import * as real from '../../src/kernel/creation-rate.ts';
import { creationRates } from '../../src/model/duration.ts';
import type { LinkId } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import { openStore } from '../../src/store/open.ts';
import { type Fault, plant } from '../support/plant.ts';
import { widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { perTier, sample } from '../tiers/depth.ts';

/**
 * How fast content is created, on a virtual clock, against a judge that refuses the first creation too many, as GitHub
 * does. Documented are 80 a minute and 500 an hour; people have met 20 and 150, and after a refusal a block of half an
 * hour.
 */
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const documented = { perMinute: 80, perHour: 500, blockMs: 0 };
const met = { perMinute: 20, perHour: 150, blockMs: 30 * minuteMs };

/** From the start of one write to the start of the next, and until an answer arrives. */
const pauseMs = 1_000;
const answerMs = 300;

const { perMinute, perHour } = creationRates;
const github = [
  { windowMs: minuteMs, pointsMax: perMinute.safe, risesTo: perMinute.documented, name: 'creations a minute' },
  { windowMs: hourMs, pointsMax: perHour.safe, risesTo: perHour.documented, name: 'creations an hour' },
];

type Parts = Pick<typeof real, 'learnRate'> & Pick<typeof realBackoff, 'heldUntil' | 'backOffIfAsked' | 'endBackoff'>;

interface Judge {
  readonly perMinute: number;
  readonly perHour: number;
  /** How long everything is refused after a refusal, which says nothing of it. */
  readonly blockMs: number;
}

interface Course {
  readonly hours: number;
  /** When each creation was refused, in hours. */
  readonly refusedAt: readonly number[];
}

const creation = { kind: 'create', on: 'github', link: 1 as LinkId, key: 'create' } as unknown as Operation;

/**
 * So many creations in a row, each as soon as it may leave, with a cycle each minute. Of the first `slow` there is one
 * each six seconds.
 */
function course(
  creations: number,
  judge: (atHours: number) => Judge,
  parts: Parts = { ...real, ...realBackoff },
  slow = 0,
): Course {
  let now = Date.UTC(2026, 0, 5, 8);
  const beganAt = now;
  const clock = { now: () => now, sleep: async () => undefined };
  const store = openStore(':memory:', { mode: 'write', now: clock.now, scrub });
  const context = {
    store,
    clock,
    allowances: { tracker: [], github },
    route: widgetRoute,
    tell: () => undefined,
  } as unknown as Context;
  const taken: number[] = [];
  const refusedAt: number[] = [];
  let blockedUntil = 0;
  const within = (windowMs: number, at: number) => {
    const first = taken.findLastIndex((each) => each <= at - windowMs);
    return taken.length - 1 - first;
  };
  while (taken.length < creations) {
    const held = parts.heldUntil(context, creation);
    if (held !== null) {
      now = beganAt + (Math.floor((now - beganAt) / minuteMs) + 1) * minuteMs;
      continue;
    }
    store.budgets.spend('github', 'create', { at: now, points: 1 });
    // It waits for its turn: up to four are on their way at once.
    now += pauseMs;
    const limits = judge((now - beganAt) / hourMs);
    const arrivesAt = now + 3 * (taken.length % 2) * pauseMs;
    const isRefused =
      now < blockedUntil ||
      within(minuteMs, arrivesAt) >= limits.perMinute ||
      within(hourMs, arrivesAt) >= limits.perHour;
    now += taken.length < slow ? 5_000 : answerMs;
    if (isRefused) {
      refusedAt.push((now - beganAt) / hourMs);
      blockedUntil = Math.max(blockedUntil, now + limits.blockMs);
      const outcome = { kind: 'later', at: now + minuteMs, wholeSide: true, isTooFast: true, why: 'too fast' } as const;
      parts.backOffIfAsked({ ...context, name: 'widget' }, 'github', outcome);
      parts.learnRate(context, creation, outcome);
    } else {
      taken.push(arrivesAt);
      taken.sort((one, other) => one - other);
      parts.endBackoff(context, 'github');
      parts.learnRate(context, creation, null);
    }
  }
  store.close();
  return { hours: (now - beganAt) / hourMs, refusedAt };
}

/** What the limit itself requires: full hours, and the rest of the last by the minute. */
const leastHours = (creations: number, { perHour: hour, perMinute: minute }: Judge): number =>
  Math.floor((creations - 1) / hour) + (((creations - 1) % hour) + 1) / minute / 60;

const bugs = perTier({ check: 700, test: 700, deep: 10_000 });
/** The start is slow, which weighs more the shorter the run. */
const mostTimes = perTier({ check: 2.2, test: 2.2, deep: 1.1 });

test('what GitHub documents is used: nothing is refused, and a first run takes little longer than it must', () => {
  const { hours, refusedAt } = course(bugs, () => documented);
  expect(refusedAt).toEqual([]);
  expect(hours).toBeLessThan(mostTimes * leastHours(bugs, documented));
});

const lower = { ...met, blockMs: 0 };

test('a lower limit is met once for each window, remembered, and used', () => {
  const { hours, refusedAt } = course(700, () => lower);
  expect(refusedAt.length).toBeLessThanOrEqual(2);
  expect(hours).toBeLessThan(1.4 * leastHours(700, lower));
});

test('while an account is blocked, it is asked ever more rarely, and that teaches nothing', () => {
  const { hours, refusedAt } = course(400, () => met);
  const [first = 0] = refusedAt;
  expect(refusedAt.filter((at) => at < first + 0.6).length).toBeLessThanOrEqual(6);
  expect(hours).toBeLessThan(2 * leastHours(400, met));
});

test('a limit that falls is followed within a few refusals', () => {
  const { refusedAt } = course(900, (atHours) => (atHours < 1 ? documented : lower));
  expect(refusedAt.length).toBeLessThanOrEqual(8);
});

/** Far below the rate that the bridge begins with, within a minute or within an hour. */
const lowest = [
  { ...documented, perMinute: 5 },
  { ...documented, perHour: 50 },
];
const isLearnt = (parts: Parts): boolean =>
  lowest.every((judge) => course(300, () => judge, parts).refusedAt.length <= 8);

test('a limit far below the first rate is learnt, too', () => expect(isLearnt({ ...real, ...realBackoff })).toBe(true));

/** Whether others, who have used up the account for an hour, slow nothing down afterwards. */
function isForgiven(parts: Parts): boolean {
  const full = { ...documented, perHour: 5 };
  const { hours } = course(700, (atHours) => (atHours < 1 ? full : documented), parts);
  return hours < 1 + 2 * leastHours(700, documented);
}

test('an account that others have used up for an hour slows nothing down afterwards', () =>
  expect(isForgiven({ ...real, ...realBackoff })).toBe(true));

const faults: readonly (readonly [string, Fault, (parts: Parts) => boolean])[] = [
  [
    'a rate that never rises',
    { file: 'kernel/creation-rate.ts', from: 'found.allowedMax * 2', to: 'found.allowedMax * 1' },
    (parts) => course(700, () => documented, parts).hours < 2.2 * leastHours(700, documented),
  ],
  [
    'a refusal that is forgotten at once',
    { file: 'kernel/creation-rate.ts', from: 'found.forgottenAt > now', to: 'found.forgottenAt < now' },
    (parts) => course(700, () => lower, parts).refusedAt.length <= 2,
  ],
  [
    'two windows that are tried at once',
    {
      file: 'kernel/creation-rate.ts',
      from: 'const isHeld = rates.some(',
      to: 'const isHeld = now < 0 && rates.some(',
    },
    (parts) =>
      course(700, () => ({ ...documented, perMinute: 20 }), parts, 120).hours < 2.6 * leastHours(700, documented),
  ],
  [
    'windows as short as those of GitHub',
    { file: 'kernel/creation-rate.ts', from: 'waitMs = 10_000', to: 'waitMs = 0' },
    (parts) => course(1_500, () => documented, parts).refusedAt.length === 0,
  ],
  [
    'refusals of a block that count as limits',
    {
      file: 'kernel/creation-rate.ts',
      from: 'found.refusedAt === null || found.passedAt > found.refusedAt',
      to: 'found.passedAt >= 0',
    },
    (parts) =>
      course(700, () => ({ ...met, perMinute: 40, perHour: 500 }), parts).hours < 3 * leastHours(700, documented),
  ],
  [
    'a low refusal that teaches nothing',
    {
      file: 'kernel/creation-rate.ts',
      from: 'culprit.count <= tooFew',
      to: 'culprit.count < culprit.rule.pointsMax * tellingShare',
    },
    isLearnt,
  ],
  [
    'a low refusal that slows down for long',
    {
      file: 'kernel/creation-rate.ts',
      from: 'found.allowedMax >= pointsMax) return',
      to: 'found.allowedMax >= 0) return',
    },
    isForgiven,
  ],
  [
    'the very number that was refused',
    { file: 'kernel/creation-rate.ts', from: 'safeShare = 0.9', to: 'safeShare = 1.2' },
    (parts) => course(700, () => lower, parts).refusedAt.length <= 2,
  ],
];

describe('is found out:', () => {
  test.each(sample(faults))('%s', async (_name, fault, holds) => {
    expect(holds({ ...real, ...realBackoff })).toBe(true);
    const source = plant(fault);
    const rate = (await import(`${source}/kernel/creation-rate.ts`)) as typeof real;
    const pause = (await import(`${source}/kernel/backoff.ts`)) as typeof realBackoff;
    expect(holds({ ...rate, ...pause })).toBe(false);
  });
});

test('a clock that was ahead for a while holds nothing up, and the rate rises as ever', () => {
  const trueAt = Date.UTC(2026, 0, 5, 8);
  let now = trueAt + 10 * 24 * hourMs;
  const clock = { now: () => now, sleep: async () => undefined };
  const store = openStore(':memory:', { mode: 'write', now: clock.now, scrub });
  const context = {
    store,
    clock,
    allowances: { tracker: [], github },
    route: widgetRoute,
    tell: () => undefined,
  } as unknown as Context;
  const create = (): void => {
    store.budgets.spend('github', 'create', { at: now, points: 1 });
    now += pauseMs + answerMs;
    real.learnRate(context, creation, null);
  };
  for (let count = 0; count < perMinute.safe; count += 1) create();
  now = trueAt;
  let made = 0;
  while (now < trueAt + 2 * hourMs) {
    if (realBackoff.heldUntil(context, creation) === null) {
      create();
      made += 1;
    } else now += minuteMs;
  }
  expect(made).toBeGreaterThan(2 * perHour.safe);
});

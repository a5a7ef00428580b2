import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openStore } from '../../src/store/open.ts';
import * as real from '../../src/wire/greeting.ts';
import { type Fault, plant } from '../support/plant.ts';
import { scrub } from '../support/scrub.ts';
import { sample } from '../tiers/depth.ts';

/** How long a greeting is used, and by whom. */
type Part = Pick<typeof real, 'greetingsOf' | 'shared' | 'unlessLookedAt'>;

const hourMs = 3_600_000;

function stage({ greetingsOf }: Part) {
  const clock = { at: Date.UTC(2026, 0, 5, 8), now: () => clock.at, sleep: async () => undefined };
  const { greetings, ...rest } = openStore(':memory:', { mode: 'write', now: clock.now, scrub });
  const configOf = (token: string) =>
    ({
      tracker: { url: 'https://bugs.example.test', apiKey: 'key', login: null, auth: 'auto' },
      github: { url: 'https://api.github.com', credential: { kind: 'token', token } },
    }) as unknown as Config;
  const open = (token = 'one', sinceAt = 0, isKept = true) =>
    greetingsOf(configOf(token), { greetings, ...rest }, { clock, isKept, sinceAt, warn: () => undefined })();
  return { clock, greetings, open };
}

/** Whether a running daemon asks again, after something happened to what it was told. */
const asksAgainAfter =
  (happens: (of: ReturnType<typeof stage>) => void) =>
  (part: Part): unknown => {
    const of = stage(part);
    const greeting = of.open();
    greeting.tracker.keep('tracker', '5.2');
    greeting.github.keep('account', 'bot');
    if (greeting.tracker.recent('tracker') === null || greeting.github.recent('account') === null) return 'not kept';
    happens(of);
    return greeting.isOutdated() ? null : 'not asked again';
  };

const refused = asksAgainAfter(({ greetings }) => greetings.clear());
const endless = asksAgainAfter(({ clock }) => {
  clock.at += 26 * hourMs;
});
const idle = (part: Part): unknown =>
  asksAgainAfter(({ clock }) => {
    clock.at += 24 * hourMs;
  })(part) === null
    ? 'asked again'
    : null;

const old = (part: Part): unknown => {
  const { clock, open } = stage(part);
  open().github.keep('account', 'bot');
  clock.at += 25 * hourMs;
  return open().github.recent('account');
};

const strange = (part: Part): unknown => {
  const { open } = stage(part);
  open().github.keep('account', 'bot');
  return open('another').github.recent('account') ?? open('another').github.last('account');
};

const renewed = (part: Part): unknown => {
  const { clock, open } = stage(part);
  const greeting = open();
  greeting.tracker.keep('tracker', '5.2');
  clock.at += hourMs;
  greeting.renew();
  return greeting.tracker.recent('tracker');
};

const asAnswered = async ({ shared }: Part): Promise<unknown> => {
  const clock = { at: 0, now: () => clock.at, sleep: async () => undefined };
  const ask = shared<boolean>(clock);
  await ask(async () => true);
  clock.at += 61_000;
  return (await ask(async () => false)) ? 'kept' : null;
};

/** A start beside an unchanged mirror asks again, on this side. */
const forgotten =
  (side: 'tracker' | 'github') =>
  (part: Part): unknown => {
    const { open } = stage(part);
    open()[side].keep('account', 'bot');
    return open()[side].recent('account') === null ? 'asked again' : null;
  };

/**
 * A repository that never changes is asked about at each greeting, and what it answered first stays in the state as it
 * was.
 */
const unchanged = (part: Part): unknown => {
  const { clock, open } = stage(part);
  const { github, isOutdated } = open();
  github.keep('repository', 'etag');
  clock.at += 26 * hourMs;
  return github.last('repository') !== null && isOutdated() ? 'asked in each cycle' : null;
};

/**
 * What is only asked when it is needed, such as whether the tracker knows pull requests, is not asked by a greeting.
 */
const seldom = (part: Part): unknown => {
  const { greetings, open } = stage(part);
  const { tracker, begin, isOutdated } = open();
  tracker.recent('pull requests');
  tracker.keep('pull requests', true);
  greetings.clear();
  if (!isOutdated()) return 'not asked again';
  begin();
  return isOutdated() ? 'asked in each cycle' : null;
};

/** Whether the tracker is asked who may read, after it said that everybody may. */
const isAsked =
  ({ days, isLookedAt }: { readonly days: number; readonly isLookedAt: boolean }) =>
  async (part: Part): Promise<unknown> => {
    const { clock, open } = stage(part);
    await part.unlessLookedAt(open().tracker, false, async () => true);
    clock.at += days * 24 * hourMs;
    return (await part.unlessLookedAt(open().tracker, isLookedAt, async () => false)) ? 'not asked' : null;
  };

/** What is nobody's to read stays a question, at each start. */
const isDenied = async (part: Part): Promise<unknown> => {
  const { open } = stage(part);
  await part.unlessLookedAt(open().tracker, true, async () => false);
  return (await part.unlessLookedAt(open().tracker, true, async () => false)) ? 'believed' : null;
};

const unseen = isAsked({ days: 0, isLookedAt: false });
const longAgo = isAsked({ days: 1.1, isLookedAt: true });

describe('whether the tracker shows anything to everybody', () => {
  test('is not asked where a look sees it', async () => {
    expect(await isAsked({ days: 0, isLookedAt: true })(real)).toBe('not asked');
  });

  test.each([
    ['where no look sees it', unseen],
    ['a day later', longAgo],
    ['after it did not', isDenied],
  ])('is asked %s', async (_name, found) => expect(await found(real)).toBeNull());
});

describe('a greeting', () => {
  test('is used for a day with the same account', () => {
    const { clock, open } = stage(real);
    open().github.keep('account', { login: null });
    clock.at += 23 * hourMs;
    expect(open().github.recent('account')).toEqual({ login: null });
    expect(open().tracker.recent('account')).toBeNull();
    expect(open('one', clock.at).github.recent('account')).toBeNull();
  });

  test('is not kept in a state that is only read', () => {
    const { open } = stage(real);
    open('one', 0, false).github.keep('account', 'bot');
    expect(open().github.recent('account')).toBeNull();
    expect(open('one', 0, false).isOutdated()).toBe(false);
  });

  test.each([
    ['asks again after a refusal', refused],
    ['asks again later than the daily comparison would have', endless],
    ['leaves it to the daily comparison until then', idle],
    ['goes by a repository that has not changed for long', unchanged],
    ['asks no more often for what it seldom needs', seldom],
  ])('of a running daemon: it %s', (_name, found) => expect(found(real)).toBeNull());

  test.each([
    ['a day later', old],
    ['with another token', strange],
    ['after a renewal', renewed],
    ['of all routes, a minute later', asAnswered],
  ])('is asked anew %s', async (_name, found) => expect(await found(real)).toBeNull());
});

const inGreeting = (from: string, to: string): Fault => ({ file: 'wire/greeting.ts', from, to });

const faults: readonly (readonly [string, Fault, (part: Part) => unknown])[] = [
  ['a tracker that every start greets', inGreeting('if (isKept)', 'if (!isKept)'), forgotten('tracker')],
  [
    'sides whose greetings are mixed up',
    inGreeting('answerTo(name, Math.max(', 'answerTo(side, Math.max('),
    forgotten('github'),
  ],
  ['greetings that never age', inGreeting('Math.max(sinceAt, clock.now() - ageMax)', 'sinceAt'), old],
  ['greetings of another account', inGreeting('stored?.by !== accounts[side] || ', ''), strange],
  [
    'a daemon that never asks again',
    inGreeting('isOutdated: () => isKept &&', 'isOutdated: () => !isKept &&'),
    refused,
  ],
  ['a daemon that believes what was told for ever', inGreeting('clock.now() - oldForDaemonMs', '1'), endless],
  [
    'a daemon that asks before each daily comparison',
    inGreeting('oldForDaemonMs = 25 *', 'oldForDaemonMs = 23 *'),
    idle,
  ],
  [
    'a daemon that greets for ever for what no greeting asks',
    inGreeting('begin: () => used.clear()', 'begin: () => undefined'),
    seldom,
  ],
  [
    'a repository that makes each cycle greet once it is old',
    inGreeting(
      'last: <T>(name: string) => answerTo(',
      'last: <T>(name: string) => used.add(side.concat(": ", name)) && answerTo(',
    ),
    unchanged,
  ],
  [
    'readers without an account of whom nothing is asked or seen',
    inGreeting('wasServed && isLookedAt', 'wasServed'),
    unseen,
  ],
  ['a look that is trusted without a question before', inGreeting('wasServed && isLookedAt', 'isLookedAt'), longAgo],
  ['a denial that counts as an answer', inGreeting('if (isServed) kept', 'kept'), isDenied],
  ['a renewal without effect', inGreeting('ageMax = justNowMs', 'ageMax = oldMs'), renewed],
  [
    'an answer about the public that is shared for an hour',
    inGreeting('sharedMs = 60_000', 'sharedMs = 3_600_000'),
    asAnswered,
  ],
];

describe('is found out:', () => {
  test.each(sample(faults))('%s', async (_name, fault, found) => {
    const source = plant(fault);
    expect(await found((await import(`${source}/wire/greeting.ts`)) as Part)).not.toBeNull();
  });
});

import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { sideInWords, timeInWords } from '../explain/words.ts';
import type { Side } from '../model/ids.ts';
import type { Clock } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import type { Kept, Retirement } from '../model/survey.ts';

/**
 * A greeting expires after this time. A daemon's daily sweep renews greetings too, and may start a little later each
 * day.
 */
const oldMs = 24 * 3_600_000;
const oldForDaemonMs = 25 * 3_600_000;

/** Even after a renewal, routes that share a side share answers of this age. */
const justNowMs = 600_000;

/** Greetings stored in another format are ignored. */
const form = 2;

/** The stored answers of both sides, as one route uses them. */
interface RouteGreetings {
  readonly tracker: Kept;
  readonly github: Kept;
  /** False if the state may only be read. */
  readonly isKept: boolean;
  /** From now on, only answers of the last ten minutes are reused. */
  renew(): void;
  /** To be called before each greeting. */
  begin(): void;
  /** Whether an answer that this route has used since its greeting has expired, or a refusal has removed it. */
  isOutdated(): boolean;
}

/** How a route greets the sides. */
export interface Greeter {
  announced(retirement: Retirement | null): void;
  readonly greeting: RouteGreetings;
  served(ask: () => Promise<boolean>): Promise<boolean>;
}

interface Stored {
  /** A digest of the account that received the answer. */
  readonly by: string;
  readonly told: unknown;
}

interface GreetingOptions {
  readonly clock: Clock;
  /** False if the state may not be written. */
  readonly isKept: boolean;
  /** Earlier answers are ignored. Epoch milliseconds. */
  readonly sinceAt: number;
  readonly warn: (message: string) => void;
}

/**
 * The greetings that a bridge stores in its state. Each belongs to an address and an account; a digest identifies both.
 */
export function greetingsOf(
  config: Config,
  { greetings }: Store,
  { clock, isKept, sinceAt, warn }: GreetingOptions,
): () => RouteGreetings {
  const { tracker, github } = config;
  const accounts: Readonly<Record<Side, string>> = {
    tracker: digestOf([tracker.url, tracker.apiKey, tracker.login, tracker.auth]),
    github: digestOf([github.url, github.credential]),
  };
  return () => {
    let ageMax = oldMs;
    /** Answers that were reused until they expire. Facts that every start revalidates never expire. */
    const used = new Set<string>();
    const unknown = new Set<string>();
    const keptOn = (side: Side): Kept => {
      const answerTo = (name: string, leastAt: number): Stored['told'] => {
        const found = greetings.get(`${side}: ${name}`);
        const stored = found === null ? null : (found.content as Stored);
        return found === null || stored?.by !== accounts[side] || found.at < leastAt || found.at > clock.now()
          ? null
          : stored.told;
      };
      return {
        recent<T>(name: string) {
          const found = answerTo(name, Math.max(sinceAt, clock.now() - ageMax)) as T | null;
          // An answer that was never stored has not expired.
          if (found === null) unknown.add(`${side}: ${name}`);
          else used.add(`${side}: ${name}`);
          return found;
        },
        last: <T>(name: string) => answerTo(name, sinceAt) as T | null,
        since: <T>(name: string, at: number) => answerTo(name, at) as T | null,
        unanswered(name, failure) {
          const at = timeInWords(greetings.toldAt(`${side}: ${name}`) ?? 0);
          const what = `${sideInWords(side)} does not answer a question that the bridge asks once a day ("${name}")`;
          const why = failure instanceof Error ? `: ${failure.message}` : '';
          warn(`${what}${why}. Its answer of ${at} holds until it does.`);
        },
        keep(name, content) {
          if (unknown.delete(`${side}: ${name}`)) used.add(`${side}: ${name}`);
          if (isKept)
            greetings.save(`${side}: ${name}`, {
              at: clock.now(),
              content: { by: accounts[side], told: content } satisfies Stored,
            });
        },
      };
    };
    return {
      tracker: keptOn('tracker'),
      github: keptOn('github'),
      isKept,
      renew() {
        ageMax = justNowMs;
      },
      begin: () => used.clear(),
      isOutdated: () =>
        isKept && [...used].some((name) => (greetings.toldAt(name) ?? 0) < clock.now() - oldForDaemonMs),
    };
  };
}

const digestOf = (account: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([form, account]))
    .digest('hex');

/**
 * Whether the tracker serves readers without an account. Every start asks, unless the cycle reads mirrored bugs as such
 * a reader anyway: a tracker that no longer serves anonymous readers refuses that request, and so stops the cycle.
 */
export async function unlessLookedAt(kept: Kept, isLookedAt: boolean, ask: () => Promise<boolean>): Promise<boolean> {
  const wasServed = kept.recent<true>('readers without an account') !== null;
  if (wasServed && isLookedAt) return true;
  const isServed = await ask();
  if (isServed) kept.keep('readers without an account', true);
  return isServed;
}

/** Routes start one after the other; within this time they share answers that concern all of them. */
const sharedMs = 60_000;

/** A question that is the same for every route. Failures are not shared, and answers are not stored. */
export function shared<T>(clock: Clock): (ask: () => Promise<T>) => Promise<T> {
  let last: { readonly at: number; readonly answer: T } | null = null;
  return async (ask) => {
    const at = clock.now();
    if (last !== null && at - last.at < sharedMs && at >= last.at) return last.answer;
    last = { at, answer: await ask() };
    return last.answer;
  };
}

import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Side } from '../model/ids.ts';
import type { Clock } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import type { Kept, Retirement } from '../model/survey.ts';

/**
 * Older than this, a greeting is asked anew. The daily sweep of a daemon asks anew as well, and may begin somewhat
 * later each day.
 */
const oldMs = 24 * 3_600_000;
const oldForDaemonMs = 25 * 3_600_000;

/** When everything is to be asked anew, routes of the same sides still share what one of them was just told. */
const justNowMs = 600_000;

/** Kept greetings of another form are not read. */
const form = 1;

/** What is kept of a side for one route. */
export interface RouteGreetings {
  readonly tracker: Kept;
  readonly github: Kept;
  /** False if the state may only be read. */
  readonly isKept: boolean;
  /** From now on, only what was told a moment ago goes without asking. */
  renew(): void;
  /** Call it before each greeting. */
  begin(): void;
  /**
   * Whether something that this route goes by since its greeting is not kept any more, because of a refusal, or is old.
   */
  isOutdated(): boolean;
}

/** What one route does when it greets the sides. */
export interface Greeter {
  announced(retirement: Retirement | null): void;
  readonly greeting: RouteGreetings;
  served(ask: () => Promise<boolean>): Promise<boolean>;
}

interface Stored {
  readonly by: string;
  readonly told: unknown;
}

/**
 * The greetings that a bridge keeps in its state. They belong to an address and an account, of which a digest tells
 * another.
 * @param isKept false if the state may not be written
 * @param sinceAt what was told before is asked anew. Epoch milliseconds
 */
export function greetingsOf(
  config: Config,
  { greetings }: Store,
  { clock, isKept, sinceAt }: { readonly clock: Clock; readonly isKept: boolean; readonly sinceAt: number },
): () => RouteGreetings {
  const { tracker, github } = config;
  const accounts: Readonly<Record<Side, string>> = {
    tracker: digestOf([tracker.url, tracker.apiKey, tracker.login, tracker.auth]),
    github: digestOf([github.url, github.credential]),
  };
  return () => {
    let ageMax = oldMs;
    /**
     * What goes without asking for as long as it is young. What is asked about each time, such as the repository, may
     * be as old as it likes.
     */
    const used = new Set<string>();
    const unknown = new Set<string>();
    const keptOn = (side: Side): Kept => {
      const told = (name: string, leastAt: number): Stored['told'] => {
        const found = greetings.get(`${side}: ${name}`);
        const stored = found === null ? null : (found.content as Stored);
        return found === null || stored?.by !== accounts[side] || found.at < leastAt || found.at > clock.now()
          ? null
          : stored.told;
      };
      return {
        recent<T>(name: string) {
          const found = told(name, Math.max(sinceAt, clock.now() - ageMax)) as T | null;
          // An answer that was never kept is not missing.
          if (found === null) unknown.add(`${side}: ${name}`);
          else used.add(`${side}: ${name}`);
          return found;
        },
        last: <T>(name: string) => told(name, 0) as T | null,
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
 * Whether the tracker shows anything to readers without an account. That is asked at every start, unless the cycle
 * looks at mirrored bugs as such a reader: a tracker that shows them nothing any more refuses the look, and with it the
 * cycle.
 */
export async function unlessLookedAt(kept: Kept, isLookedAt: boolean, ask: () => Promise<boolean>): Promise<boolean> {
  const wasServed = kept.recent<true>('readers without an account') !== null;
  if (wasServed && isLookedAt) return true;
  const isServed = await ask();
  if (isServed) kept.keep('readers without an account', true);
  return isServed;
}

/** For how long routes share an answer that concerns all of them: they begin one after the other. */
const sharedMs = 60_000;

/**
 * A question to the tracker that is the same for every route. Only an answer is shared, and never kept in the state.
 */
export function shared<T>(clock: Clock): (ask: () => Promise<T>) => Promise<T> {
  let last: { readonly at: number; readonly answer: T } | null = null;
  return async (ask) => {
    const at = clock.now();
    if (last !== null && at - last.at < sharedMs && at >= last.at) return last.answer;
    last = { at, answer: await ask() };
    return last.answer;
  };
}

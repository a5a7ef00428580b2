import { createHash, timingSafeEqual } from 'node:crypto';
import { HTTPException } from 'hono/http-exception';
import type { Clock } from '../model/runtime.ts';

/** Wrong tokens are answered one at a time, each after this delay. */
const answerMs = 1_000;
/** With this many answers due, further wrong tokens are answered at once. */
const waitingMax = 20;
/** The log gets at most one line in this time, with a count. */
const lineMs = 60_000;

/**
 * Compares the tokens of clients with ours. It accepts a right token at once, also beside a flood of wrong ones: nobody
 * may lock out the operator. What stops guessing is the length of the token.
 */
export function guardToken(
  token: string,
  { now, sleep }: Clock,
  warned: (words: string) => void,
): (shown: string) => Promise<boolean> {
  let [waiting, wrong, lineAt] = [0, 0, Number.NEGATIVE_INFINITY];
  let turn: Promise<unknown> = Promise.resolve();
  const tell = (): void => {
    wrong += 1;
    if (now() - lineAt < lineMs) return;
    warned(wrong === 1 ? 'a request had a wrong token' : `${wrong} requests had a wrong token`);
    [wrong, lineAt] = [0, now()];
  };
  return async (shown) => {
    if (isSameSecret(shown, token)) return true;
    tell();
    if (waiting >= waitingMax) throw new HTTPException(429, { message: 'Too many wrong tokens; wait a minute.\n' });
    waiting += 1;
    // Nobody waits for the delay once the bridge stops.
    turn = turn.then(() => sleep(answerMs).catch(() => undefined));
    await turn;
    waiting -= 1;
    return false;
  };
}

/** Whether two secrets are equal, compared in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

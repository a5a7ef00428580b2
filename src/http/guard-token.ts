import { createHash, timingSafeEqual } from 'node:crypto';
import { HTTPException } from 'hono/http-exception';
import type { Clock } from '../model/runtime.ts';

/** Wrong tokens are answered one after the other, each after this time. */
const answerMs = 1_000;
/** When this many answers are due, nothing is compared any more: otherwise many guesses at once would not be slower. */
const waitingMax = 20;
/** The log gets one line in this time, with a number. */
const lineMs = 60_000;

/**
 * Compares what clients send with the token. A right one is accepted at once, unless a flood of wrong ones is being
 * answered.
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
    if (waiting >= waitingMax) {
      tell();
      throw new HTTPException(429, { message: 'Too many wrong tokens; wait a minute.\n' });
    }
    if (isSameSecret(shown, token)) return true;
    tell();
    waiting += 1;
    // When the bridge stops, nobody waits.
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

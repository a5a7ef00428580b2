import type { Clock } from '../model/runtime.ts';

/** `setTimeout` fires at once for longer delays, so a longer sleep is split. */
const timerMaxMs = 2_147_483_647;

/**
 * The machine's clock. When `signal` aborts, the current sleep and every later one rejects with the signal's reason.
 * It does not just return early: a caller that sleeps until something has happened would continue too soon.
 */
export function systemClock(signal: AbortSignal): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms) {
      for (let leftMs = ms; ; leftMs -= timerMaxMs) {
        await wait(Math.min(leftMs, timerMaxMs), signal);
        if (leftMs <= timerMaxMs) return;
      }
    },
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Numbers in [0, 1), to spread retries. */
export const systemRandom = (): number => Math.random();

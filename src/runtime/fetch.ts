import { lookup } from 'node:dns/promises';
import type { Fetch } from '../model/runtime.ts';

/** Reports the status of every answer, or null for a request without one. */
export function countedFetch(send: Fetch, answered: (status: number | null) => void): Fetch {
  return async (address, init) => {
    try {
      const response = await send(address, init);
      answered(response.status);
      return response;
    } catch (failure) {
      answered(null);
      throw failure;
    }
  };
}

/** How often a request is sent in total. */
const sendsMax = 3;

type Asking<T> = (...request: Parameters<Fetch>) => Promise<T>;

/**
 * `fetch` that repeats a GET at once over another connection if its connection was lost before the answer was there.
 * Servers close idle connections, and a busy program notices that only when it loses a request. Whether a write arrived
 * is unknown, so a write is sent once.
 */
export function steadyFetch<T>(send: Asking<T>): Asking<T> {
  return async (address, init) => {
    for (let sends = 1; ; sends += 1) {
      try {
        return await send(address, init);
      } catch (failure) {
        if (sends >= sendsMax || (init?.method ?? 'GET') !== 'GET' || init?.signal?.aborted || !isLost(failure))
          throw failure;
        // Gives the runtime time to notice other closed connections.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
}

/**
 * The error codes of a lost connection. A connection that was never made means that the server is down, and a retry
 * does not help.
 */
const lostCodes = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'UND_ERR_SOCKET']);

function isLost(failure: unknown): boolean {
  for (let cause = failure, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if ('code' in cause && typeof cause.code === 'string' && lostCodes.has(cause.code)) return true;
  }
  return false;
}

/** All addresses of a host, from the system's resolver. */
export async function addressesOf(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

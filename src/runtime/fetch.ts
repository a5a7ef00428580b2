import { lookup } from 'node:dns/promises';

/** `fetch` that tells the status of every answer, and null for every request that got none. */
export function countedFetch(answered: (status: number | null) => void): typeof fetch {
  return async (address, init) => {
    try {
      const response = await fetch(address, init);
      answered(response.status);
      return response;
    } catch (failure) {
      answered(null);
      throw failure;
    }
  };
}

/** How often one question is sent, the first time included. */
const sendsMax = 3;

/**
 * `fetch` that sends a GET again at once, over another connection, when the one that it used was lost before an answer came. Servers close
 * connections that nobody uses, and a program that was busy with something else learns of it only by losing a request. Of anything that
 * may write it must not be guessed whether it arrived, so that is sent once.
 */
export function steadyFetch(send: typeof fetch): typeof fetch {
  return async (address, init) => {
    for (let sends = 1; ; sends += 1) {
      try {
        return await send(address, init);
      } catch (failure) {
        if (sends >= sendsMax || (init?.method ?? 'GET') !== 'GET' || init?.signal?.aborted || !isLost(failure)) throw failure;
        // Closed connections that are still waiting to be noticed are noticed meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
}

/** What a connection that was there says when it is gone. One that never came about is a server that is down, and asking again no help. */
const lostCodes = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'UND_ERR_SOCKET']);

function isLost(failure: unknown): boolean {
  for (let cause = failure, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if ('code' in cause && typeof cause.code === 'string' && lostCodes.has(cause.code)) return true;
  }
  return false;
}

/** All addresses of a host, as the system knows them. */
export async function addressesOf(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

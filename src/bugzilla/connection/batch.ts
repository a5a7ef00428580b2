/**
 * Asking about many bugs in few requests. One bug that cannot be read fails the whole request, so a batch that fails is halved
 * until that bug stands alone; it is then left out, with the reason, and everything around it arrives.
 */

import { isPoison, isUnreachable, type TrackerError } from './errors.ts';

export interface Batch<Ask, Part> {
  /** Whether these can share one request. A single one always can. */
  readonly fits: (asks: readonly Ask[]) => boolean;
  /** One request. What it throws about a single bug costs that bug alone; everything else is thrown on. */
  readonly request: (asks: readonly Ask[]) => Promise<readonly Part[]>;
  readonly leaveOut: (ask: Ask, failure: TrackerError) => void;
}

/** The answers to all asks but those left out, in their order. Throws `TrackerError` for what is not about single bugs. */
export async function readInBatches<Ask, Part>(batch: Batch<Ask, Part>, asks: readonly Ask[]): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const group of groups(batch, asks)) parts.push(...(await halved(batch, group, { isAnswered: false, failures: 0 })));
  return parts;
}

/** Apache refuses an address above about 8190 bytes; the path, the key and what else a query holds need some of it. */
export const queryBytesMax = 7000;

function groups<Ask, Part>({ fits }: Batch<Ask, Part>, asks: readonly Ask[]): readonly (readonly Ask[])[] {
  const parts: Ask[][] = [];
  for (const ask of asks) {
    const part = parts.at(-1);
    if (part !== undefined && fits([...part, ask])) part.push(ask);
    else parts.push([ask]);
  }
  return parts;
}

/** What one group has come to so far. */
interface Progress {
  isAnswered: boolean;
  /** Bugs that stood alone and on which the tracker failed inside. */
  failures: number;
}

/** A tracker that fails on this many single bugs before it answers about any is ill altogether, and is left in peace. */
const failuresMax = 3;

async function halved<Ask, Part>(batch: Batch<Ask, Part>, asks: readonly Ask[], progress: Progress): Promise<readonly Part[]> {
  try {
    const parts = await batch.request(asks);
    progress.isAnswered = true;
    return parts;
  } catch (failure) {
    if (!isUnreachable(failure) && !isPoison(failure)) throw failure;
    const [first] = asks;
    if (asks.length === 1 && first !== undefined) return alone(batch, first, failure, progress);
  }
  const middle = Math.ceil(asks.length / 2);
  const before = await halved(batch, asks.slice(0, middle), progress);
  return [...before, ...(await halved(batch, asks.slice(middle), progress))];
}

/** That a bug is hidden or missing is certain; an inner failure may have been a bad moment and is tried once more. */
async function alone<Ask, Part>(batch: Batch<Ask, Part>, ask: Ask, failure: TrackerError, progress: Progress): Promise<readonly Part[]> {
  if (isUnreachable(failure)) {
    batch.leaveOut(ask, failure);
    return [];
  }
  try {
    const parts = await batch.request([ask]);
    progress.isAnswered = true;
    return parts;
  } catch (again) {
    if (!isUnreachable(again) && !isPoison(again)) throw again;
    progress.failures += isPoison(again) ? 1 : 0;
    if (!progress.isAnswered && progress.failures >= failuresMax) throw again;
    batch.leaveOut(ask, again);
    return [];
  }
}

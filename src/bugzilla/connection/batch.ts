/**
 * Reads many bugs in few requests. One unreadable bug fails the whole request, so a failing batch is halved until that bug is isolated;
 * it is then left out, with the reason, and all others arrive.
 */

import { isPoison, isUnreachable, type TrackerError } from './errors.ts';

export interface Batch<Ask, Part> {
  /** Whether these can share one request. A single one always can. */
  readonly fits: (asks: readonly Ask[]) => boolean;
  /** One request. An error about a single bug excludes only that bug; all others are rethrown. */
  readonly request: (asks: readonly Ask[]) => Promise<readonly Part[]>;
  readonly leaveOut: (ask: Ask, failure: TrackerError) => void;
}

/** The answers in request order, without those left out. Throws `TrackerError` for errors that are not about single bugs. */
export async function readInBatches<Ask, Part>(batch: Batch<Ask, Part>, asks: readonly Ask[]): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const group of groups(batch, asks)) parts.push(...(await halved(batch, group, { isAnswered: false, failures: 0 })));
  return parts;
}

/** Apache refuses addresses above about 8190 bytes; the path, the key and other parameters need some of it. */
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

/** The results of one group so far. */
interface Progress {
  isAnswered: boolean;
  /** Isolated bugs on which the tracker failed internally. */
  failures: number;
}

/** A tracker that fails on this many single bugs before it answers about any has a general problem; we stop. */
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

/** Hidden and missing are certain; an internal failure may be temporary and is tried once more. */
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

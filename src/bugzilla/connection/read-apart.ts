/**
 * Reads many bugs in few requests, around those on which the tracker fails.
 *
 * One unreadable bug fails the whole request: with an error, a page, a truncated answer or none. A failing batch is
 * halved until that bug is isolated; the bug is then left out, with the reason, and all others arrive. First, a request
 * for another bug must show that the tracker answers at all: a tracker in trouble gets few requests and loses no bug.
 */

import { countIn, type InTime, type KeptCount } from '../../model/runtime.ts';
import { type Kept, nothingKept } from '../../model/survey.ts';
import { ofTracker } from './asked-at-one.ts';
import type { TrackerClient } from './client.ts';
import { isPoison, isUnreachable, mayBeOfOne, TrackerError } from './errors.ts';
import { otherBugs } from './other-bugs.ts';

export interface Batch<Ask, Part> {
  readonly client: TrackerClient;
  /** Whether these can share one request. A single one always can. */
  readonly fits: (asks: readonly Ask[]) => boolean;
  /** One request. */
  readonly request: (asks: readonly Ask[]) => Promise<readonly Part[]>;
  readonly leaveOut: (ask: Ask, failure: TrackerError) => void;
  /** The bug that is asked about. */
  readonly bugOf: (ask: Ask) => number;
  /** The bug that a part of the answer is about; absent if an answer need not say something of each bug. */
  readonly bugIn?: (part: Part) => number;
  /** The same question about another bug. */
  readonly askOf: (bug: number, like: Ask) => Ask;
  /** Bugs that failed before: each is read by a separate request, so that the others do not fail with it. */
  readonly apart?: ReadonlySet<number>;
  readonly found?: Found;
  readonly inTime?: InTime | undefined;
}

/** What such reads have found so far, for the next ones. */
export interface Found {
  /**
   * Bugs of requests that failed slowly: they are read apart, until the tracker answers about them. First those that
   * never were, in the order in which they are wanted; then the others in turn, by these numbers.
   */
  readonly slow: Map<number, number>;
  /** A bug that it answered about lately. */
  good: number | null;
  /** How often in a row it answered about no bug. */
  readonly dark: KeptCount;
}

export const foundIn = (kept: Kept, of: string): Found => ({
  slow: new Map(),
  good: null,
  dark: countIn(kept, `reads without an answer: ${of}`),
});

export const nothingFound = (): Found => foundIn(nothingKept, '');

/**
 * A tracker that answers about no bug so often in a row, while it lists them, fails on each of them: otherwise, whoever
 * makes it fail on all that changed stops everything.
 */
const darknessMax = 3;

/** Whether the tracker counts as out of reach once more, after it has answered about no bug. */
export function isDark(found: Found): boolean {
  if (found.dark.times >= darknessMax) return false;
  found.dark.times += 1;
  return true;
}

interface Progress {
  /** Whether the tracker has answered such a question. */
  isAnswered: boolean;
}

/**
 * The answers in request order, without those left out. Throws `TrackerError` for errors that are not about single
 * bugs.
 */
export async function readInBatches<Ask, Part>(
  batch: Batch<Ask, Part>,
  asks: readonly Ask[],
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const progress = { isAnswered: false };
  for (const group of groups(batch, asks)) parts.push(...(await readInTime(batch, group, progress)));
  return parts;
}

/** Apache refuses addresses above about 8190 bytes; the path, the key and other parameters need some of it. */
export const queryBytesMax = 7000;

/** Those apart come last: until then, others have shown that the tracker answers. */
function groups<Ask, Part>(batch: Batch<Ask, Part>, asks: readonly Ask[]): readonly (readonly Ask[])[] {
  const { fits } = batch;
  const isApart = (ask: Ask): boolean => isReadApart(batch, ask);
  const parts: (readonly Ask[])[] = [];
  for (let rest = asks.filter((ask) => !isApart(ask)); rest.length > 0; ) {
    const count = longest(rest.length, (length) => fits(rest.slice(0, length)));
    parts.push(rest.slice(0, count));
    rest = rest.slice(count);
  }
  const turnOf = (ask: Ask): number => batch.found?.slow.get(batch.bugOf(ask)) ?? 0;
  const apart = asks.filter(isApart).toSorted((one, other) => turnOf(one) - turnOf(other));
  return [...parts, ...apart.map((ask) => [ask])];
}

const isReadApart = <Ask, Part>({ bugOf, apart, found }: Batch<Ask, Part>, ask: Ask): boolean =>
  apart?.has(bugOf(ask)) === true || found?.slow.has(bugOf(ask)) === true;

/** The greatest length that fits, of 1 to `most`. Few lengths are tried, as each costs what all its parts cost. */
function longest(most: number, fits: (length: number) => boolean): number {
  let [low, high] = [1, most];
  let isDoubling = true;
  while (low < high) {
    const length = isDoubling ? Math.min(high, low * 2) : Math.ceil((low + high) / 2);
    const isFitting = fits(length);
    isDoubling &&= isFitting;
    if (isFitting) low = length;
    else high = length - 1;
  }
  return low;
}

async function readInTime<Ask, Part>(
  batch: Batch<Ask, Part>,
  asks: readonly Ask[],
  progress: Progress,
): Promise<readonly Part[]> {
  const { inTime, bugOf } = batch;
  if (!inTime?.isOut()) return halved(batch, asks, progress);
  for (const ask of asks) inTime.late(bugOf(ask));
  return [];
}

async function halved<Ask, Part>(
  batch: Batch<Ask, Part>,
  asks: readonly Ask[],
  progress: Progress,
): Promise<readonly Part[]> {
  const [first] = asks;
  const spentMs = batch.inTime?.spentMs();
  try {
    const parts = await askFor(batch, asks);
    progress.isAnswered = true;
    return [...parts, ...(await readUntold(batch, asks, parts, progress))];
  } catch (failure) {
    if (first === undefined || !mayBeOfOne(failure)) throw failure;
    const isSlow = batch.inTime?.spentMs() !== spentMs;
    if (isSlow) noteSlow(batch, asks);
    if (isSlow && asks.length > 1) return untilSlow(batch, asks, progress);
    if (asks.length === 1) return alone(batch, first, failure, progress);
    if (isPoison(failure) && !progress.isAnswered) await assertAnswering(batch, asks, failure, progress);
  }
  const middle = Math.ceil(asks.length / 2);
  const before = await readInTime(batch, asks.slice(0, middle), progress);
  return [...before, ...(await readInTime(batch, asks.slice(middle), progress))];
}

/** That an answer says nothing of a bug is no news of it: it is asked for alone, and then counts as one that fails. */
async function readUntold<Ask, Part>(
  batch: Batch<Ask, Part>,
  asks: readonly Ask[],
  parts: readonly Part[],
  progress: Progress,
): Promise<readonly Part[]> {
  const { bugIn, bugOf, leaveOut } = batch;
  if (bugIn === undefined) return [];
  const told = new Set(parts.map(bugIn));
  const found: Part[] = [];
  for (const ask of asks.filter((each) => !told.has(bugOf(each)))) {
    if (asks.length > 1) found.push(...(await readInTime(batch, [ask], progress)));
    else leaveOut(ask, new TrackerError('unknown-outcome', `The answer about bug ${bugOf(ask)} does not contain it`));
  }
  return found;
}

function noteSlow<Ask, Part>({ found, bugOf }: Batch<Ask, Part>, asks: readonly Ask[]): void {
  const last = Math.max(0, ...(found?.slow.values() ?? []));
  for (const bug of asks.map(bugOf)) found?.slow.set(bug, asks.length === 1 ? last + 1 : (found.slow.get(bug) ?? 0));
}

/**
 * One by one, and one that is slow whatever time is left: it is known then, also to a process that begins with nothing
 * but the state.
 */
async function untilSlow<Ask, Part>(
  batch: Batch<Ask, Part>,
  asks: readonly Ask[],
  progress: Progress,
): Promise<readonly Part[]> {
  const spentMs = batch.inTime?.spentMs();
  const parts: Part[] = [];
  for (const ask of asks) {
    const isFound = batch.inTime?.spentMs() !== spentMs;
    parts.push(...(await (isFound ? readInTime : halved)(batch, [ask], progress)));
  }
  return parts;
}

async function askFor<Ask, Part>(batch: Batch<Ask, Part>, asks: readonly Ask[]): Promise<readonly Part[]> {
  const { inTime, found, bugOf } = batch;
  const [first, ...others] = asks;
  const alone = first === undefined || others.length > 0 ? undefined : bugOf(first);
  const parts = await (inTime?.during(() => batch.request(asks), alone) ?? batch.request(asks));
  for (const each of asks) found?.slow.delete(bugOf(each));
  if (found !== undefined && first !== undefined) {
    found.good = bugOf(first);
    found.dark.times = 0;
  }
  return parts;
}

/**
 * Hidden and missing are certain; an internal failure may be temporary and is tried once more, unless the bug is known
 * for it.
 */
async function alone<Ask, Part>(
  batch: Batch<Ask, Part>,
  ask: Ask,
  failure: TrackerError,
  progress: Progress,
): Promise<readonly Part[]> {
  const isKnown = progress.isAnswered && isReadApart(batch, ask);
  if (isUnreachable(failure) || isKnown || batch.inTime?.isOut()) {
    batch.leaveOut(ask, failure);
    return [];
  }
  try {
    const parts = await askFor(batch, [ask]);
    progress.isAnswered = true;
    return [...parts, ...(await readUntold(batch, [ask], parts, progress))];
  } catch (again) {
    if (!mayBeOfOne(again)) throw again;
    if (isPoison(again) && !progress.isAnswered) await assertAnswering(batch, [ask], again, progress);
    batch.leaveOut(ask, again);
    return [];
  }
}

/** How many other bugs are asked for in that check until one is answered about. */
const triedMax = 3;

/**
 * Throws the failure unless the tracker answers the same question about a single bug: one that it answered about
 * before, one of these, or another. A tracker that has no other bug has answered by listing it. If each try takes long,
 * nobody can say, and nothing more is asked: the next try takes another bug.
 */
async function assertAnswering<Ask, Part>(
  batch: Batch<Ask, Part>,
  asks: readonly Ask[],
  failure: TrackerError,
  progress: Progress,
): Promise<void> {
  const [like] = asks;
  if (like === undefined) throw failure;
  const isAnswered = async (ask: Ask): Promise<boolean> => {
    try {
      await askFor(batch, [ask]);
      progress.isAnswered = true;
    } catch (again) {
      if (!mayBeOfOne(again)) throw again;
    }
    return progress.isAnswered;
  };
  const { found, inTime } = batch;
  const good = found === undefined || found.good === null ? [] : [batch.askOf(found.good, like)];
  const isFew = asks.length <= triedMax;
  const first = isFew ? good : [...good, asks[Math.floor(asks.length / 2)] ?? like, asks.at(-1) ?? like].slice(0, 2);
  const isShown = async (tried: readonly Ask[]): Promise<boolean> => {
    for (const each of tried) if (inTime?.isOut() || (await isAnswered(each))) return true;
    return inTime?.isOut() === true;
  };
  if (await isShown(first)) return;
  const listed = await otherBugs(batch.client, new Set(asks.map(batch.bugOf)));
  if (listed === null) throw ofTracker(failure);
  const others = listed.slice(-triedMax).map((bug) => batch.askOf(bug, like));
  const own = isFew && asks.length > 1 ? asks.toReversed() : [];
  if (await isShown([...others, ...own])) return;
  if (first.length + others.length + own.length === 0) return;
  if (found === undefined || isDark(found)) throw ofTracker(failure);
  progress.isAnswered = true;
}

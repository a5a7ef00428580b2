/**
 * Loaded before the program (`--import`): its clock and its timers are virtual. While a request is under way, or
 * anything is computed, no time passes; once the program only waits, the clock jumps to the moment that it waits for.
 * So a day takes as long as its work, and its pauses, its pace and its schedule are those of the real program. Each
 * request tells the sandboxes the time.
 */

import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import { performance as realPerformance } from 'node:perf_hooks';
import { clockHeader, nowVariable } from './agreed.ts';

/** How often the event loop turns without a request or a new timer before the program counts as waiting. */
const quietTurns = 6;

interface Timer {
  readonly run: () => void;
  readonly everyMs: number | null;
  at: number;
  isHeld: boolean;
  /** For timers that are due at the same moment. */
  order: number;
}

const RealDate = Date;
const turn = setImmediate;
const { request } = http;

let now = Number(process.env[nowVariable] ?? RealDate.now());
let count = 0;
let underWay = 0;
let isTurning = false;
let quiet = 0;
const timers = new Map<number, Timer>();

function arm(): void {
  quiet = 0;
  if (isTurning || underWay > 0) return;
  isTurning = true;
  turn(goOn);
}

function goOn(): void {
  isTurning = false;
  if (underWay > 0) return;
  // Nobody waits who would keep the program alive.
  if (![...timers.values()].some(({ isHeld }) => isHeld)) return;
  quiet += 1;
  if (quiet > quietTurns) {
    quiet = 0;
    fireNext();
  }
  isTurning = true;
  turn(goOn);
}

function fireNext(): void {
  let next: readonly [number, Timer] | null = null;
  for (const each of timers) {
    const [, timer] = each;
    if (next === null || timer.at < next[1].at || (timer.at === next[1].at && timer.order < next[1].order)) next = each;
  }
  if (next === null) return;
  const [id, timer] = next;
  now = Math.max(now, timer.at);
  if (timer.everyMs === null) timers.delete(id);
  else Object.assign(timer, { at: now + Math.max(1, timer.everyMs), order: ++count });
  timer.run();
}

/** What `setTimeout` answers: the members of a timer that programs use. */
function handleOf(id: number, timer: Timer) {
  const handle = {
    ref() {
      timer.isHeld = true;
      arm();
      return handle;
    },
    unref() {
      timer.isHeld = false;
      return handle;
    },
    hasRef: () => timer.isHeld,
    refresh: () => handle,
    close: () => void timers.delete(id),
    [Symbol.toPrimitive]: () => id,
  };
  return handle;
}

const starting =
  (isAgain: boolean) =>
  (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const waitMs = Number.isFinite(ms) ? Math.max(1, ms) : 1;
    const id = ++count;
    const timer: Timer = {
      run: () => run(...args),
      everyMs: isAgain ? waitMs : null,
      at: now + waitMs,
      isHeld: true,
      order: id,
    };
    timers.set(id, timer);
    arm();
    return handleOf(id, timer);
  };

const stopping = (handle: unknown): void => {
  if (handle !== undefined && handle !== null) timers.delete(Number(handle));
};

class VirtualDate extends RealDate {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [now] : args) as [number]));
  }
  static override now(): number {
    return now;
  }
}

function ended(): void {
  underWay -= 1;
  arm();
}

/** The program's own client asks with this; a request is under way until its answer is there as a whole. */
http.request = ((url: URL, options: RequestOptions, answered: (answer: IncomingMessage) => void) => {
  underWay += 1;
  const asked = request(url, { ...options, headers: { ...options.headers, [clockHeader]: String(now) } }, answered);
  return asked.once('close', ended);
}) as typeof request;

Object.assign(globalThis, {
  Date: VirtualDate,
  setTimeout: starting(false),
  setInterval: starting(true),
  clearTimeout: stopping,
  clearInterval: stopping,
});
Object.defineProperty(realPerformance, 'now', { value: () => now - Number(process.env[nowVariable] ?? 0) });

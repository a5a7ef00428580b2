import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { readFileSync, rmSync } from 'node:fs';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Watch, WatchedWork } from '../model/runtime.ts';

export interface WatchdogOptions {
  /** Where it notes the item on which the process was blocked. */
  readonly file: string;
  /** How much processor time may pass without a turn of the event loop, or of the work on another item. */
  readonly limitMs: number;
}

export interface Watchdog extends Watch {
  /** The item on which a process before this one was blocked; null if there is none. */
  blocked(): WatchedWork | null;
  forgetBlocked(): void;
  close(): void;
}

const textMax = 4_096;
const turnMs = 250;

/**
 * Watches the calling thread from another one, from the first work on until it is closed: commands that do no work have
 * no such thread.
 */
export function openWatchdog({ file, limitMs }: WatchdogOptions): Watchdog {
  const shared = new SharedArrayBuffer(8 + textMax);
  const [turns, length] = [new Int32Array(shared, 0, 1), new Int32Array(shared, 4, 1)];
  const text = new Uint8Array(shared, 8);
  const encoder = new TextEncoder();
  let [spelled, size]: [WatchedWork | undefined, number] = [undefined, 0];
  const { during, unhook } = watchWith((work) => {
    // The same work comes again and again, between requests.
    if (work !== undefined && work !== spelled)
      [spelled, size] = [work, encoder.encodeInto(JSON.stringify(work), text).written];
    Atomics.store(length, 0, work === undefined ? 0 : size);
    Atomics.add(turns, 0, 1);
  });
  let end: (() => void) | null = null;
  const start = (): (() => void) => {
    const here = String(import.meta.url);
    const thread = new Worker(new URL(`watchdog-thread${extname(here)}`, here), {
      workerData: { shared, file, limitMs },
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
      execArgv: [],
    });
    // The bridge also works without that thread: only a step without an end would stay unnoticed.
    thread.on('error', () => {});
    thread.unref();
    const timer = setInterval(() => Atomics.add(turns, 0, 1), turnMs);
    timer.unref();
    return () => {
      clearInterval(timer);
      unhook();
      void thread.terminate();
    };
  };
  return {
    during(work, run) {
      end ??= start();
      return during(work, run);
    },
    blocked: () => blockedIn(file),
    forgetBlocked: () => rmSync(file, { force: true }),
    close() {
      // A request that was under way may be answered after this, and its step begins the watch again.
      end?.();
      end = null;
    },
  };
}

/** Calls `note` whenever other work goes on: when it begins, and when it goes on after it waited for an answer. */
export function watchWith(note: (work: WatchedWork | undefined) => void): Watch & { readonly unhook: () => void } {
  const current = new AsyncLocalStorage<WatchedWork>();
  let noted: WatchedWork | undefined;
  const goOn = (work: WatchedWork | undefined): void => {
    if (work !== noted) note(work);
    noted = work;
  };
  const hook = createHook({ before: () => goOn(current.getStore()) });
  return {
    during<T>(work: WatchedWork, run: () => T): T {
      hook.enable();
      const outer = current.getStore();
      goOn(work);
      try {
        return current.run(work, run);
      } finally {
        goOn(outer);
      }
    },
    unhook: () => hook.disable(),
  };
}

function blockedIn(file: string): WatchedWork | null {
  try {
    const noted: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isWork(noted) ? noted : null;
  } catch {
    return null;
  }
}

function isWork(noted: unknown): noted is WatchedWork {
  const { route, side, ref, comment = 0, stage, of, row = '', name = '' } = Object(noted);
  return (
    typeof route === 'string' &&
    Number.isSafeInteger(ref) &&
    Number.isSafeInteger(comment) &&
    ['tracker', 'github'].includes(side) &&
    ['read', 'plan', 'write', 'withdraw'].includes(stage) &&
    ['item', 'thread', 'link'].includes(of) &&
    typeof row === 'string' &&
    typeof name === 'string'
  );
}

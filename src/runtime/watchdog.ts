import { AsyncLocalStorage } from 'node:async_hooks';
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
  const current = new AsyncLocalStorage<WatchedWork>();
  let named: WatchedWork | undefined;
  let [spelled, size]: [WatchedWork | undefined, number] = [undefined, 0];
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
      void thread.terminate();
    };
  };
  const name = (work: WatchedWork | undefined): void => {
    named = work;
    // The same work comes again and again, between requests.
    if (work !== undefined && work !== spelled)
      [spelled, size] = [work, encoder.encodeInto(JSON.stringify(work), text).written];
    Atomics.store(length, 0, work === undefined ? 0 : size);
    Atomics.add(turns, 0, 1);
  };
  const during = <T>(work: WatchedWork, run: () => T): T => {
    end ??= start();
    const outer = named;
    name(work);
    try {
      return run();
    } finally {
      name(outer);
    }
  };
  return {
    during,
    while: (work, run) => current.run(work, () => during(work, run)),
    record(run) {
      const work = named ?? current.getStore();
      return work === undefined ? run() : during(work, run);
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

function blockedIn(file: string): WatchedWork | null {
  try {
    const noted: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isWork(noted) ? noted : null;
  } catch {
    return null;
  }
}

function isWork(noted: unknown): noted is WatchedWork {
  const { route, side, ref, stage, of } = Object(noted);
  return (
    typeof route === 'string' &&
    Number.isSafeInteger(ref) &&
    ['tracker', 'github'].includes(side) &&
    ['read', 'plan', 'write', 'withdraw'].includes(stage) &&
    ['item', 'thread', 'link'].includes(of)
  );
}

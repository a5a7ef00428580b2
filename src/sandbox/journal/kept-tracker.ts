import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../model/runtime.ts';
import { freePort } from '../server/free-port.ts';
import type { TrackerVersion } from '../tracker/installation/versions.ts';
import { errorAnswer } from '../tracker/server/call.ts';
import { internalFailure } from '../tracker/server/errors.ts';
import { serveTracker } from '../tracker/server/server.ts';
import { loadTrackerWorld } from '../tracker/world/load.ts';
import type { TrackerState, User } from '../tracker/world/state.ts';
import { createTrackerWorld, type TrackerWorld } from '../tracker/world/world.ts';
import { type Journal, openJournal } from './journal.ts';
import { saying } from './kept-rows.ts';

export interface KeptTrackerOptions {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** 0 takes a free one. */
  readonly port: number;
  /** The data folder; null keeps the data in memory only. */
  readonly folder: string | null;
  /** Whether a new tracker starts without bugs, instead of with the real content. */
  readonly isEmpty: boolean;
  /** The version of Bugzilla that a new tracker plays; existing data stays with its own. */
  readonly version: TrackerVersion;
  /** Makes this process the only writer of the file, and returns the release. Throws if there is another writer. */
  readonly lock: (file: string) => () => void;
}

/** A sandbox tracker on its own, as a server. */
export interface KeptTracker {
  readonly url: string;
  /** The data file; null for memory only. */
  readonly file: string | null;
  /** Whether its content existed before. */
  readonly isResumed: boolean;
  /** The length of the dropped, unfinished last line of the file. */
  readonly droppedBytes: number;
  readonly version: TrackerVersion;
  readonly users: readonly User[];
  readonly bugCount: number;
  /** Rejects if a change could not be kept; send no more requests then. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

/** How long sending the last answer may take. */
const answerMs = 100;

/** Not kept: fields that the options set at each start, and the recent states of lists. */
export const notKept: readonly (keyof TrackerState)[] = ['url', 'now', 'listLagMs', 'takesSeeAlso', 'past'];

/**
 * Starts a tracker on the loopback interface. Throws `DataUnusable`, the errors of `lock`, and system errors about the
 * port.
 */
export async function openKeptTracker({
  clock,
  port,
  folder,
  isEmpty,
  version,
  lock,
}: KeptTrackerOptions): Promise<KeptTracker> {
  // The content has its own dates. If the machine's clock is behind them, the sandbox runs ahead, so that new changes
  // are newest.
  let aheadMs = 0;
  const address = `http://127.0.0.1:${port === 0 ? await freePort() : port}`;
  const world = createTrackerWorld({ now: () => clock.now() + aheadMs, url: address, version });
  const kept = keep(world, folder, lock, () => {
    if (!isEmpty) loadTrackerWorld(world);
  });
  const newestAt = world.bugs().reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0);
  aheadMs = Math.max(0, newestAt + 1000 - clock.now());
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // The rejection follows the answer that reports it. Waiting for it is optional.
  failed.catch(() => {});
  try {
    const served = await serveTracker(world, {
      port: Number(new URL(address).port),
      finish: (answer) =>
        confirmed(world.state, kept.journal, answer, (error) => void clock.sleep(answerMs).then(() => fail(error))),
    });
    return {
      url: served.url,
      file: kept.file,
      isResumed: kept.journal?.isNew === false,
      droppedBytes: kept.journal?.droppedBytes ?? 0,
      version: world.state.version,
      users: world.state.users,
      bugCount: world.state.bugs.size,
      failed,
      async close() {
        await served.close();
        kept.close();
      },
    };
  } catch (error) {
    kept.close();
    throw error;
  }
}

interface Kept {
  readonly file: string | null;
  readonly journal: Journal | null;
  close(): void;
}

function keep(world: TrackerWorld, folder: string | null, lock: KeptTrackerOptions['lock'], fill: () => void): Kept {
  if (folder === null) {
    fill();
    return { file: null, journal: null, close: () => {} };
  }
  const file = join(folder, 'tracker.jsonl');
  saying(`make the folder ${folder}`, () => mkdirSync(folder, { recursive: true }));
  const unlock = saying(`use the folder ${folder}`, () => lock(file));
  try {
    const journal = openJournal({ file, state: world.state, ignored: notKept, fill });
    return {
      file,
      journal,
      close() {
        journal.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The answer, once its changes are kept; else a failure, after which the state in memory is invalid. */
function confirmed(
  state: TrackerState,
  journal: Journal | null,
  answer: Response,
  fail: (error: unknown) => void,
): Response {
  try {
    journal?.write();
    return answer;
  } catch (error) {
    fail(error);
    return errorAnswer(state, internalFailure('The sandbox tracker could not keep this change in its file.'), 500);
  }
}

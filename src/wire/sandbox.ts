/** Builds the sandboxes, for the demo and for development against a tracker. A real bridge does not use them. */

import { systemClock } from '../runtime/clock.ts';
import type { Comparison } from '../sandbox/demo/compare.ts';
import type { DemoStep } from '../sandbox/demo/people.ts';
import type { demoRoutes as DemoRoutes, DemoStage } from '../sandbox/demo/stage.ts';
import { DataUnusable } from '../sandbox/journal/kept-rows.ts';
import type { KeptTracker, KeptTrackerOptions } from '../sandbox/journal/kept-tracker.ts';
import { lockState } from '../store/lock.ts';
import { StateLocked } from '../store/trouble.ts';

export interface Demo {
  readonly stage: DemoStage;
  readonly routes: typeof DemoRoutes;
  readonly steps: readonly DemoStep[];
  /** An empty repository, for a bridge that the user tries. */
  readonly scratchRepo: string;
  /** How many bugs the routes have to mirror at first. */
  publicBugs(): number;
  /** Resolves to true once the empty repository has an issue; to false if `signal` aborts first. */
  firstIssue(signal: AbortSignal): Promise<boolean>;
  compare(): Comparison;
}

/** Two servers in memory, and people who use them. Loaded only on demand. */
export async function openDemo(): Promise<Demo> {
  const [{ openDemoStage, demoRoutes, bridgeLogin }, { fillDemoTracker }, { steps }, { compareWorlds, placesOf }] =
    await Promise.all([
      import('../sandbox/demo/stage.ts'),
      import('../sandbox/demo/bugs.ts'),
      import('../sandbox/demo/people.ts'),
      import('../sandbox/demo/compare.ts'),
    ]);
  const stage = await openDemoStage({
    now: systemClock(new AbortController().signal).now,
    fill: fillDemoTracker,
    webUrl: null,
    installation: { version: 'harmony' },
  });
  const scratchRepo = 'acme/scratch';
  stage.github.addRepo(scratchRepo, { permissions: { [bridgeLogin]: 'write', mona: 'admin' } });
  const products: readonly string[] = demoRoutes.map(({ product }) => product);
  return {
    stage,
    routes: demoRoutes,
    scratchRepo,
    steps: steps(stage, placesOf(stage)),
    publicBugs: () =>
      stage.tracker.bugs().filter(({ product, groups }) => products.includes(product) && groups.length === 0).length,
    compare: () => compareWorlds(stage),
    async firstIssue(signal) {
      const { sleep } = systemClock(signal);
      while (!signal.aborted && stage.github.issues(scratchRepo).length === 0) await sleep(250).catch(() => undefined);
      return !signal.aborted;
    },
  };
}

export type Sandbox = KeptTracker;
export { type TrackerVersion, trackerVersions } from '../sandbox/tracker/installation/versions.ts';

/** The sandbox tracker alone, as a server; see `openKeptTracker`. */
export async function openSandbox(
  options: Pick<KeptTrackerOptions, 'port' | 'folder' | 'isEmpty' | 'version'>,
): Promise<Sandbox> {
  const { openKeptTracker } = await import('../sandbox/journal/kept-tracker.ts');
  return openKeptTracker({ ...options, clock: systemClock(new AbortController().signal), lock: lockData });
}

function lockData(file: string): () => void {
  try {
    return lockState(file);
  } catch (cause) {
    if (!(cause instanceof StateLocked)) throw cause;
    const why = `Another bugferry sandbox keeps its data in ${file}, and two would overwrite each other.`;
    throw new DataUnusable(`${why} Stop it, or give this one its own folder with --data.`, { cause });
  }
}

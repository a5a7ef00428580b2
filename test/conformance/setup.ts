import type { TrackerSettings } from '../../src/sandbox/tracker/installation/settings.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import type { Case } from './case.ts';
import { cases, type Result, runSuite } from './suite.ts';
import { Tracker } from './tracker.ts';

/** An embedded tracker behind its HTTP server, whose clock goes on when the suite waits. */
export interface Setup {
  readonly url: string;
  /** The API key of one of its people, such as `alice`. */
  keyOf(name: string): string;
  /** All bugs that it has, hidden or not. */
  bugs(): readonly { readonly id: number; readonly isOpen: boolean }[];
  run(name: string, otherName: string | null, chosen?: readonly Case[]): Promise<readonly Result[]>;
  close(): Promise<void>;
}

/**
 * @param source where src/ lies; a copy with a fault in it, for tests that must see the suite fail
 * @param settings what this installation has set otherwise than the measured one
 * @param version which one it plays
 */
export async function setUp(
  source = new URL('../../src', import.meta.url).pathname,
  settings: Partial<TrackerSettings> = {},
  version: TrackerVersion = '5.2',
): Promise<Setup> {
  const { createTrackerWorld }: typeof import('../../src/sandbox/tracker/world/world.ts') = await import(
    `${source}/sandbox/tracker/world/world.ts`
  );
  const { serveTracker }: typeof import('../../src/sandbox/tracker/server/server.ts') = await import(
    `${source}/sandbox/tracker/server/server.ts`
  );
  let at = Date.UTC(2026, 10, 21, 12);
  const world = createTrackerWorld({ now: () => at, url: 'http://tracker.invalid', settings, version });
  const { url, close } = await serveTracker(world, { port: 0 });
  const keyOf = (name: string) => world.user(name).apiKey;
  let runs = 0;
  return {
    url,
    close,
    keyOf,
    bugs: () => world.bugs().map(({ id, resolution }) => ({ id, isOpen: resolution === '' })),
    run: (name, otherName, chosen = cases) => {
      runs += 1;
      const tracker = new Tracker({
        url,
        key: keyOf(name),
        run: `run${runs}`,
        pause: async (delayMs) => {
          at += delayMs;
        },
        ...(otherName === null ? {} : { otherKey: keyOf(otherName) }),
      });
      return runSuite(tracker, chosen);
    },
  };
}

import { onTestFinished } from 'vitest';
import { openTracker, type Tracker, type TrackerOptions } from '../../../src/bugzilla/api/tracker.ts';
import { serveTracker } from '../../../src/sandbox/tracker/server/server.ts';
import {
  createTrackerWorld,
  type TrackerWorld,
  type TrackerWorldOptions,
} from '../../../src/sandbox/tracker/world/world.ts';

export const startAt = Date.parse('2026-11-21T10:00:00Z');

export interface Setup {
  readonly world: TrackerWorld;
  readonly url: string;
  /** The client of a user of the sandbox: `alice`, `bob`, `bridge` and so on; null for an anonymous reader. */
  as(name: string | null, options?: Partial<TrackerOptions>): Tracker;
  /** The requests so far, as `GET /bug/1`, without those that check the key. */
  readonly asked: string[];
  /** Lets time pass, in milliseconds. */
  wait(ms: number): void;
}

/** The embedded tracker behind a real HTTP server on the loopback interface, until the running test ends. */
export async function setUp(options: Partial<TrackerWorldOptions> = {}): Promise<Setup> {
  let now = startAt;
  const world = createTrackerWorld({ now: () => now, url: 'http://tracker.invalid', ...options });
  const served = await serveTracker(world, { port: 0 });
  onTestFinished(() => served.close());
  const asked: string[] = [];
  const watched: typeof fetch = (input, init) => {
    const { pathname } = new URL(String(input));
    const path = pathname.replace('/rest', '');
    if (!/^\/(?:whoami|valid_login)$/.test(path)) asked.push(`${init?.method ?? 'GET'} ${path}`);
    return fetch(input, init);
  };
  return {
    world,
    url: served.url,
    asked,
    as: (name, more = {}) => {
      const key = name === null ? {} : { apiKey: world.user(name).apiKey, login: world.user(name).login };
      return openTracker({ url: served.url, fetch: watched, ...key, ...more });
    },
    wait: (ms) => {
      now += ms;
    },
  };
}

import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';

export interface Asking {
  readonly world: TrackerWorld;
  /** Lets a second go by, so that times and changesets are distinct. */
  tick(): void;
  /** Sends a request as a user, or anonymously; returns the status and the body. */
  ask(caller: string | null, method: string, path: string, body?: object): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server said
  readonly body: any;
}

/** An empty tracker behind its HTTP server, at 12:00:00 on the day of the recordings. */
export function askedTracker(): Asking {
  let now = Date.UTC(2026, 10, 21, 12);
  const world = createTrackerWorld({ now: () => now, url: 'http://tracker.invalid' });
  const server = trackerServer(world);
  return {
    world,
    tick: () => {
      now += 1000;
    },
    ask: async (caller, method, path, body) => {
      const key = caller === null ? '' : `${path.includes('?') ? '&' : '?'}api_key=${world.user(caller).apiKey}`;
      const init =
        body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await server.request(`http://tracker.invalid${path}${key}`, { method, ...init });
      return { status: answer.status, body: await answer.json() };
    },
  };
}

import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import {
  createTrackerWorld,
  type TrackerWorld,
  type TrackerWorldOptions,
} from '../../../src/sandbox/tracker/world/world.ts';

export interface Asking {
  readonly method?: string;
  /** Whose API key goes along; nobody's by default. */
  readonly as?: string;
  /** A text goes as it is; everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; null when it is none. */
  readonly body: unknown;
}

export interface Server {
  readonly world: TrackerWorld;
  readonly clock: { now: number };
  ask(path: string, asking?: Asking): Promise<Answered>;
}

/**
 * A tracker with two bugs of bob's, the first of them with a comment of alice's (3), and a client of its HTTP
 * interface.
 */
export function openServer(options: Partial<TrackerWorldOptions> = {}): Server {
  const clock = { now: Date.UTC(2026, 10, 21, 9, 44, 30) };
  const world = createTrackerWorld({ now: () => clock.now, url: 'http://tracker.example.test', ...options });
  for (const summary of ['Widget crashes', 'Menu "File" <wraps> & jumps'])
    world.as('bob').file({ summary, stampedMsAgo: 60_000 });
  world.as('alice').comment(1, 'I see it too.', { stampedMsAgo: 30_000 });
  const server = trackerServer(world);
  const ask = async (path: string, { method = 'GET', as, body, headers = {} }: Asking = {}): Promise<Answered> => {
    const key = as === undefined ? '' : `${path.includes('?') ? '&' : '?'}api_key=${world.user(as).apiKey}`;
    const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
    const type = body === undefined || typeof body === 'string' ? {} : { 'Content-Type': 'application/json' };
    const init = { method, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body: bytes }) };
    const answer = await server.request(`http://tracker.example.test${path}${key}`, init);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: jsonOf(text) };
  };
  return { world, clock, ask };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Everything that the tracker holds and could change, for comparing. */
export const contentOf = ({ world: { state } }: Server): string =>
  JSON.stringify([
    ...[state.bugs, state.comments, state.history, state.attachments].map((rows) => [...rows]),
    state.users,
    state.products,
  ]);

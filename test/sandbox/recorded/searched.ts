import type { TrackerSettings } from '../../../src/sandbox/tracker/installation/settings.ts';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { loadTrackerWorld } from '../../../src/sandbox/tracker/world/load.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';

/** The bugs that a search finds, in their order, or the status and code of the error: `400/108`. */
export type SearchResult = readonly number[] | string;

export interface Searching {
  readonly world: TrackerWorld;
  /** Asks GET /rest/bug for ids, as alice unless somebody else is named; `nobody` has not logged in. */
  find(query: string, caller?: string): Promise<SearchResult>;
  /** The first bug that a search finds, with the fields that the query asks for. */
  show(query: string, caller?: string): Promise<unknown>;
}

export interface SearchedTrackerOptions {
  readonly timeZone?: string;
  readonly settings?: Partial<TrackerSettings>;
  readonly maxSearchResults?: number;
  /** Without the recorded content. */
  readonly isEmpty?: boolean;
}

/** The recorded tracker (57 bugs), at 04:45:02 in New York and 09:45:02 UTC on the day of the recordings. */
export function searchedTracker({ isEmpty = false, ...place }: SearchedTrackerOptions = {}): Searching {
  const world = createTrackerWorld({
    now: () => Date.UTC(2026, 10, 21, 9, 45, 2),
    url: 'http://tracker.example.test',
    ...place,
  });
  if (!isEmpty) loadTrackerWorld(world);
  const server = trackerServer(world);
  const ask = async (
    query: string,
    caller: string,
  ): Promise<{ status: number; body: { bugs?: { id: number }[]; code?: number } }> => {
    const key = caller === 'nobody' ? '' : `&api_key=${world.user(caller).apiKey}`;
    const answer = await server.request(`http://tracker.example.test/rest/bug?${query}${key}`);
    return { status: answer.status, body: (await answer.json()) as { bugs?: { id: number }[]; code?: number } };
  };
  return {
    world,
    find: async (query, caller = 'alice') => {
      const { status, body } = await ask(`include_fields=id&${query}`, caller);
      return body.bugs?.map(({ id }) => id) ?? `${status}/${body.code}`;
    },
    show: async (query, caller = 'alice') => (await ask(query, caller)).body.bugs?.[0],
  };
}

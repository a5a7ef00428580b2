import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';

/** What no reader can do without, whatever it does. */
export interface Floor {
  readonly requests: number;
  readonly bytes: number;
}

export interface Wanted {
  readonly ids: readonly number[];
  /** Only comments and history of this time or later, epoch milliseconds; null for all. */
  readonly since: number | null;
  /** The number of requests that check the key. */
  readonly identifications: number;
}

/** Apache's own limit for the first line of a request. */
const requestLineBytesMax = 8190;
const emptyLine = `GET /rest/bug//history?api_key=${'k'.repeat(40)} HTTP/1.1`;

/**
 * Bodies without what stands around their parts, and the ids, which have to be named for comments, attachments and
 * history each.
 */
export async function floorOf(world: TrackerWorld, { ids, since, identifications }: Wanted): Promise<Floor> {
  const idBytes = '&ids='.length + String(ids.at(-1) ?? 0).length;
  const idsPerLine = Math.floor((requestLineBytesMax - emptyLine.length) / idBytes);
  const pages = Math.ceil(ids.length / world.state.maxSearchResults);
  const lines = Math.ceil(ids.length / idsPerLine);
  const bodies = await bodyBytes(world, ids, since);
  return {
    requests: identifications + pages + kinds.length * lines,
    bytes: bodies + kinds.length * ids.length * idBytes,
  };
}

/** The kinds that are asked for by bug id, with the body of an answer about no bug. */
const kinds = [
  ['comment', '{"bugs":{},"comments":{}}'],
  ['attachment', '{"bugs":{},"attachments":{}}'],
  ['history', '{"bugs":[]}'],
] as const;

/** How many bugs to ask about at once; no tracker of these benchmarks gives fewer. */
const step = 100;

async function bodyBytes(world: TrackerWorld, ids: readonly number[], since: number | null): Promise<number> {
  const app = trackerServer(world);
  const key = `api_key=${world.user('bridge').apiKey}&exclude_fields=data`;
  // The parameter excludes its own second.
  const newer = since === null ? '' : `&new_since=${new Date(since - 1000).toISOString()}`;
  const sizeOf = async (path: string, envelope: string): Promise<number> => {
    const answer = await app.request(path);
    if (answer.status !== 200) throw new Error(`The floor cannot be computed: ${await answer.text()}`);
    return (await answer.arrayBuffer()).byteLength - envelope.length;
  };
  let bytes = 0;
  for (let from = 0; from < ids.length; from += step) {
    const part = ids.slice(from, from + step);
    bytes += await sizeOf(`/rest/bug?id=${part.join(',')}&${key}`, '{"bugs":[]}');
    const named = part.map((id) => `ids=${id}`).join('&');
    for (const [kind, envelope] of kinds)
      bytes += await sizeOf(`/rest/bug/${part[0]}/${kind}?${named}&${key}${newer}`, envelope);
  }
  return bytes;
}

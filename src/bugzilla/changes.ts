import { z } from 'zod';
import type { Bug } from '../model/item.ts';
import type { Changes } from '../model/replica.ts';
import type { TrackerClient } from './client.ts';
import { serverNow } from './clock.ts';
import { changeTimesSchema } from './schema.ts';
import type { Search } from './search.ts';

export interface ChangeSource {
  readonly client: TrackerClient;
  readonly search: Search;
  readonly product: string;
  /** Whether answers are dated by the clock that stamps bugs. */
  readonly isClockKnown: boolean;
}

/** Sorted in after the fact: a bug's time is taken before its change is committed, and replicas of the database lag. */
const overlapMs = 60_000;
/** How far the cursor stays behind the server's clock while nothing happens, as Bugzilla's own advice to pollers has it. */
const lagMs = 5 * 60_000;

const cursorSchema = z.object({ sinceAt: z.number() });
const cursorOf = (sinceAt: number): string => JSON.stringify({ sinceAt });

/** Nothing, and a cursor that stands at this moment, or at the newest change where the moment is not known. */
export async function startHere(source: ChangeSource): Promise<Changes<Bug>> {
  const readAt = source.isClockKnown ? await serverNow(source.client) : await newestChange(source);
  return { items: [], comments: [], readAt, cursor: cursorOf(readAt) };
}

/** A tracker that does not know this order names an older change, from which on only more is read. */
async function newestChange({ client, product }: ChangeSource): Promise<number> {
  const query = { product, order: 'changeddate DESC', limit: 1, include_fields: 'last_change_time' };
  const { body } = await client.read(['bug'], query, changeTimesSchema);
  return body.bugs[0]?.last_change_time ?? 0;
}

/**
 * The cursor moves to the newest change seen, but never past the moment at which the reading began: a bug on an early
 * page may change while later pages are read.
 */
export async function changesSince({ search, client, isClockKnown }: ChangeSource, cursor: string): Promise<Changes<Bug>> {
  const { sinceAt } = cursorSchema.parse(JSON.parse(cursor));
  const items: Bug[] = [];
  let page = await search.page(0, sinceAt - overlapMs);
  const readAt = page.readAt ?? (await serverNow(client));
  items.push(...page.bugs);
  while (page.next !== null) {
    page = await search.page(page.next, sinceAt - overlapMs);
    items.push(...page.bugs);
  }
  const newestAt = items.reduce((newest, bug) => Math.max(newest, bug.changedAt), sinceAt);
  if (isClockKnown) {
    return { items, comments: [], readAt, cursor: cursorOf(Math.max(sinceAt, Math.min(newestAt, readAt), readAt - lagMs)) };
  }
  // A strange clock still tells how long the reading took. It ended after the newest change, so it began at most that much before.
  const tookMs = Math.max(0, (page.readAt ?? readAt) - readAt);
  const knownAt = Math.max(sinceAt, newestAt - tookMs);
  return { items, comments: [], readAt: knownAt, cursor: cursorOf(knownAt) };
}

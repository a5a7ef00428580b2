/**
 * Get Bug, Bug History, Search Bugs, Create Bug and Update Bug: sections 4.1 to 4.5 of the interface. All throw
 * `TrackerError`.
 */

import { trackerTime } from '../connection/answer.ts';
import type { TrackerClient } from '../connection/client.ts';
import { kindOfCode } from '../connection/error-code.ts';
import { TrackerError } from '../connection/errors.ts';
import { createKeyset } from '../connection/read-many.ts';
import { createdSchema } from '../schema.ts';
import { type Bug, bugSchema, bugsSchema, type UpdatedBug, updatedBugsSchema } from './bug.ts';
import { apart, type BugChange, type BugName, inPath, type NewBug } from './bug-change.ts';
import { type BugHistory, historiesIn } from './bug-history.ts';
import {
  criteriaQuery,
  type FieldChoice,
  fieldQuery,
  type Search,
  type SearchCriteria,
  searchQuery,
} from './criteria.ts';

export async function getBug(client: TrackerClient, name: BugName, choice: FieldChoice): Promise<Bug> {
  const { body } = await client.read(['bug', inPath(name)], fieldQuery(choice), bugsSchema);
  const [bug] = body.bugs;
  if (bug !== undefined) return bug;
  const [fault] = body.faults ?? [];
  if (fault === undefined) throw new TrackerError('missing', `The tracker's answer does not contain bug ${name}`);
  const kind = kindOfCode[String(fault.code)] ?? 'missing';
  throw new TrackerError(kind, `The tracker left out bug ${name}: ${fault.message}`, { code: fault.code });
}

/** Reads many bugs by number with a search, which leaves out invisible ones instead of failing. */
export async function getBugs(
  client: TrackerClient,
  ids: readonly number[],
  choice: FieldChoice,
): Promise<readonly Bug[]> {
  const unique = [...new Set(ids)];
  const found = new Map<number, Bug>();
  for (let from = 0; from < unique.length; from += idsPerSearch) {
    const part = unique.slice(from, from + idsPerSearch);
    const seen = found.size;
    for await (const bug of readPages(client, { id: part.join(',') }, { ...choice, pageSize: part.length })) {
      found.set(bug.id, bug);
      if (found.size - seen === part.length) break;
    }
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** At about eight bytes per id, well below the address length that web servers accept. */
const idsPerSearch = 500;

export async function bugHistory(
  client: TrackerClient,
  names: readonly BugName[],
  newSince: number | undefined,
): Promise<readonly BugHistory[]> {
  const bugs = apart(names);
  if (bugs === null) return [];
  const query = { ids: bugs.others, ...(newSince === undefined ? {} : { new_since: trackerTime(newSince) }) };
  return (await client.read(['bug', bugs.first, 'history'], query, historiesIn(client.rows))).body.bugs;
}

export async function searchBugs(client: TrackerClient, search: Search, choice: FieldChoice): Promise<readonly Bug[]> {
  if (search.limit === 0) return searchAll(client, search, choice);
  return (await client.read(['bug'], { ...searchQuery(search), ...fieldQuery(choice) }, bugsSchema)).body.bugs;
}

async function searchAll(client: TrackerClient, search: Search, choice: FieldChoice): Promise<readonly Bug[]> {
  const { limit: _, offset, order, quicksearch, ...criteria } = search;
  if (offset !== undefined || order !== undefined || quicksearch !== undefined) {
    const why = 'A search for all bugs (limit 0) pages by id, and allows no offset, order or quicksearch';
    throw new TrackerError('invalid', `${why}; set a limit, or sort the results`);
  }
  const bugs: Bug[] = [];
  for await (const bug of readBugs(client, criteria, choice)) bugs.push(bug);
  return bugs;
}

export interface LeftOut {
  readonly bug: number;
  /** Why: `missing`, `hidden`, or `unknown-outcome` if the tracker fails on this bug. */
  readonly failure: TrackerError;
}

export interface ReadBugsOptions extends FieldChoice {
  /** Bugs per request, 1000 by default; the tracker may return fewer. */
  readonly pageSize?: number;
  /** Called for each bug that the tracker fails on. */
  readonly onLeftOut?: (leftOut: LeftOut) => void;
}

export function readBugs(
  client: TrackerClient,
  criteria: SearchCriteria,
  options: ReadBugsOptions,
): AsyncGenerator<Bug, void> {
  return readPages(client, criteriaQuery(criteria, 2), options);
}

async function* readPages(client: TrackerClient, criteria: ReturnType<typeof criteriaQuery>, options: ReadBugsOptions) {
  const { pageSize = 1000, onLeftOut = () => {}, ...choice } = options;
  const keyset = createKeyset({
    client,
    bug: bugSchema,
    fields: fieldQuery(choice),
    criteria,
    pageSize,
  });
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof keyset.page>> = await keyset.page(after);
    for (const { id, failure } of page.failed) onLeftOut({ bug: id, failure });
    yield* page.bugs;
    after = page.next;
  }
}

export async function createBug(client: TrackerClient, bug: NewBug): Promise<number> {
  return (await client.create(['bug'], { ...bug, ...aliasOf(bug) }, createdSchema)).body.id;
}

/** Bugs of harmony have one alias: it fails on a list, and does not know the change. A text works on every version. */
function aliasOf({ alias }: Pick<NewBug, 'alias'> | Pick<BugChange, 'alias'>): Pick<NewBug, 'alias'> {
  const whole = typeof alias === 'object' && 'set' in alias ? alias.set : alias;
  const [first, ...others] = Array.isArray(whole) ? whole : [];
  return first === undefined || others.length > 0 ? {} : { alias: first };
}

/**
 * For several bugs, the body contains all and the address one of them: then trackers that combine both and trackers
 * that read only the body change the same bugs.
 */
export async function updateBugs(
  client: TrackerClient,
  names: readonly BugName[],
  change: BugChange,
): Promise<readonly UpdatedBug[]> {
  const bugs = apart(names);
  if (bugs === null) return [];
  const body =
    bugs.others.length === 0 ? { ...change, ...aliasOf(change) } : { ...change, ids: [bugs.first, ...bugs.others] };
  return (await client.edit(['bug', bugs.first], body, updatedBugsSchema)).body.bugs;
}

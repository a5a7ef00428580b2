import { type Bug, openTracker, type Tracker } from '../../src/bugzilla/api/tracker.ts';
import { trackerServer } from '../../src/sandbox/tracker/server/server.ts';
import type { Benchmark, Measured } from './benchmark.ts';
import { serveCounted, type Traffic, trafficBetween } from './support/counted-server.ts';
import { changeSome, type LargeWorld, largeWorld } from './support/large-world.ts';
import { type Floor, floorOf } from './support/read-floor.ts';

const about = `The public client reads all bugs of a tracker, with comments, attachments (without contents) and history,
and then the changes, after one bug in a hundred changed: from a tracker that returns up to 10,000 bugs in one response,
and from one that returns 100. The floor is the least that any reader needs: one check of the key, full pages, URLs of 8
KB full of ids, and the tracker's own texts once.`;

export const read: Benchmark = {
  name: 'read',
  about,
  bugsOnPage: [300],
  onPage: ['requests', 'requestsFloor', 'requestsRatio', 'bytes', 'bytesFloor', 'bytesRatio'],
  run: async ({ bugs, report }) => [
    ...(await readFrom(largeWorld(bugs, 10_000), { suffix: '', report })),
    ...(await readFrom(largeWorld(bugs, 100), { suffix: ', 100 a page', report })),
  ],
};

export interface Reading {
  /** What the names of this tracker's numbers end with. */
  readonly suffix: string;
  readonly report: (progress: string) => void;
}

/** The numbers of a full reading and of one of what changed. Throws when a reading was not whole. */
export async function readFrom(large: LargeWorld, { suffix, report }: Reading): Promise<readonly Measured[]> {
  const { world, ids, wait } = large;
  const tracker = await serveCounted(trackerServer(world).fetch);
  const { apiKey, login } = world.user('bridge');
  const client = openTracker({ url: tracker.url, apiKey, login });
  const measured: Measured[] = [];
  const measure = async (
    name: string,
    wanted: readonly number[],
    since: number | null,
    identifications: number,
  ): Promise<void> => {
    const before = tracker.traffic();
    const found = await readAll(client, since, (progress) => report(`${name}${suffix}: ${progress}`));
    const traffic = trafficBetween(before, tracker.traffic());
    assertWhole(found, whatThereIs(large, wanted, since));
    const floor = await floorOf(world, { ids: wanted, since, identifications });
    measured.push({ name: `${name}${suffix}`, numbers: numbersOf(wanted.length, traffic, floor) });
  };
  try {
    await measure('all', ids, null, 1);
    wait(3_600_000);
    const since = world.now();
    await measure('1 % changed', changeSome(large), since, 0);
    return measured;
  } finally {
    await tracker.close();
  }
}

/** How much was found of each kind. */
interface Amounts {
  readonly bugs: number;
  readonly comments: number;
  readonly attachments: number;
  readonly history: number;
}

async function readAll(client: Tracker, since: number | null, report: (progress: string) => void): Promise<Amounts> {
  const bugs = new Map<number, Bug>();
  const changed = since === null ? {} : { last_change_time: since };
  for await (const bug of client.readBugs({ product: 'Widget', ...changed })) {
    if (bugs.has(bug.id)) throw new Error(`The reader gave bug ${bug.id} twice.`);
    bugs.set(bug.id, bug);
    if (bugs.size % 100 === 0) report(`${bugs.size} bugs`);
  }
  const ids = [...bugs.keys()];
  const options = since === null ? {} : { since };
  const amountOf = (
    kind: string,
    { found, leftOut }: { found: ReadonlyMap<number, readonly unknown[]>; leftOut: readonly unknown[] },
  ) => {
    if (leftOut.length > 0) throw new Error(`The reader left out the ${kind} of ${leftOut.length} bugs.`);
    return [...found.values()].reduce((sum, parts) => sum + parts.length, 0);
  };
  report('comments');
  const comments = amountOf('comments', await client.readComments(ids, options));
  report('attachments');
  const attachments = amountOf('attachments', await client.readAttachments(ids));
  report('history');
  const history = amountOf('history', await client.readHistory(ids, options));
  return { bugs: bugs.size, comments, attachments, history };
}

/**
 * What a reader must have found, taken from the tracker itself. A changeset contains all changes of one person in one
 * second.
 */
function whatThereIs({ world: { state } }: LargeWorld, ids: readonly number[], since: number | null): Amounts {
  const isNew = ({ at }: { readonly at: number }): boolean => since === null || at >= since;
  const wanted = new Set(ids);
  const count = (of: (id: number) => number): number => ids.reduce((sum, id) => sum + of(id), 0);
  return {
    bugs: ids.length,
    comments: count((id) => state.comments.get(id)?.filter(isNew).length ?? 0),
    attachments: [...state.attachments.values()].filter(({ bug }) => wanted.has(bug)).length,
    history: count(
      (id) =>
        new Set(
          state.history
            .get(id)
            ?.filter(isNew)
            .map(({ at, who }) => `${at} ${who}`),
        ).size,
    ),
  };
}

/** Requests that were saved by not reading are no success. */
function assertWhole(found: Amounts, there: Amounts): void {
  const [all, wanted] = [JSON.stringify(found), JSON.stringify(there)];
  if (all !== wanted) throw new Error(`The reading is not whole: found ${all}, and there is ${wanted}.`);
}

const numbersOf = (bugs: number, { requests, bytes }: Traffic, floor: Floor): Measured['numbers'] => ({
  bugs,
  requests,
  requestsPerBug: requests / bugs,
  requestsFloor: floor.requests,
  requestsRatio: requests / floor.requests,
  bytes,
  bytesPerBug: bytes / bugs,
  bytesFloor: floor.bytes,
  bytesRatio: bytes / floor.bytes,
});

import type { Access, AnonymousReader } from '../model/anonymous-reader.ts';
import type { Bug } from '../model/item.ts';
import type { InTime, Lane } from '../model/runtime.ts';
import { type Kept, nothingKept } from '../model/survey.ts';
import { bugzillaAttachments } from './attachments.ts';
import { readThreads } from './changes.ts';
import { reading } from './connection/answer.ts';
import {
  createTrackerClient,
  type Query,
  queryLength,
  type TrackerClient,
  type TrackerClientOptions,
} from './connection/client.ts';
import { isPoison, isUnreachable, TrackerError } from './connection/errors.ts';
import { type Found, foundIn, queryBytesMax, readInBatches } from './connection/read-apart.ts';
import { bugRow, mapping } from './connection/rows.ts';
import { createLook } from './connection/shown-bugs.ts';
import { allCharacters, type CharacterSupport, detailedBug, type Extras, extraFields, read } from './map.ts';
import { sideErrorOf } from './outcome.ts';
import { bugFields, bugIdsSchema, bugsIn } from './schema.ts';

interface BugzillaAnonymousOptions
  extends Pick<TrackerClientOptions, 'url' | 'timeoutMs' | 'now' | 'fetch' | 'rows' | 'lastPause'> {
  /** A separate lane from that of the account, so that neither waits for the other. */
  readonly lane: Lane;
  /** Names of other fields to read, in words and for labels. */
  readonly details?: readonly string[];
  readonly labels?: readonly string[];
  /** The findings of the account's hello. */
  readonly characters?: CharacterSupport;
  readonly kept?: Kept;
  readonly warn: (message: string) => void;
}

const batchSize = 200;

/** The tracker as a reader without an account sees it. */
export function bugzillaAnonymousReader({
  warn,
  details = [],
  labels = [],
  characters = allCharacters(),
  kept = nothingKept,
  ...rest
}: BugzillaAnonymousOptions): AnonymousReader {
  const client = createTrackerClient({ ...rest, apiKey: null, auth: 'auto' });
  const { url } = client;
  const asked = { client, characters, extras: { details, labels }, found: foundIn(kept, 'public bugs') };
  const attachmentClient = bugzillaAttachments({ client, url, characters, kept, of: 'public files', warn });
  // Anonymous answers need no clock: their time is not stored.
  const clock = { isClockKnown: () => false, serverNow: async () => 0 };
  const source = {
    client,
    url,
    warn,
    ...clock,
    markdownUse: () => characters.markdown ?? 'none',
    found: foundIn(kept, 'public comments'),
  };
  const lookAt = createLook(client);
  return {
    isServed: () => isServed(client),
    bugs: (ids, young = new Set(), inTime) =>
      reading(async () => {
        const [failed, unasked] = [new Set<number>(), new Set<number>()];
        const found = await readBugs(asked, ids, { failed, unasked, inTime });
        const isLeft = (id: number): boolean => !found.has(id) && !failed.has(id) && !unasked.has(id);
        const byNumber = await readByNumber(
          asked,
          ids.filter((id) => young.has(id) && isLeft(id)),
        );
        const unclear = (await isEachHidden(client, [...failed])).filter(({ isHidden }) => !isHidden);
        return new Map([
          ...[...unclear.map(({ id }) => id), ...unasked].map((id) => [id, null] as const),
          ...[...found.values(), ...byNumber].map((bug) => [bug.id, bug] as const),
        ]);
      }),
    lookAt: (ask, inTime) => reading(() => lookAt(ask, inTime)),
    access: (bug) => reading(() => access(client, bug)),
    comments: (bugs, inTime) =>
      reading(async () => {
        const threads = await readThreads(
          source,
          bugs.map((ref) => ({ ref, sinceAt: null })),
          inTime,
        );
        return new Map(threads.map(({ ref, comments }) => [ref, comments.filter(({ isPrivate }) => !isPrivate)]));
      }),
    async attachments(bugs, inTime) {
      const found = await attachmentClient.list(bugs, inTime);
      return new Map([...found].map(([bug, files]) => [bug, files.filter(({ isPrivate }) => !isPrivate)]));
    },
    content: (id) => attachmentClient.content(id),
  };
}

interface Asked {
  readonly found: Found;
  readonly client: TrackerClient;
  readonly characters: CharacterSupport;
  readonly extras: Extras;
}

/** Trackers that require a login refuse every search. Source: the parameter `requirelogin`, code 410. */
export async function isServed(client: TrackerClient): Promise<boolean> {
  try {
    await client.read(['bug'], { id: 1, include_fields: 'id' }, bugIdsSchema);
    return true;
  } catch (failure) {
    if (failure instanceof TrackerError && failure.kind === 'credentials') return false;
    throw sideErrorOf(failure);
  }
}

async function access(client: TrackerClient, bug: number): Promise<Access> {
  try {
    await client.read(['bug', bug], { include_fields: 'id' }, bugIdsSchema);
    return 'shown';
  } catch (failure) {
    if (isUnreachable(failure)) return failure.kind;
    throw failure;
  }
}

/** Bugs that are not read: the tracker fails on them, or there is no time. */
interface Left {
  readonly failed: Set<number>;
  readonly unasked: Set<number>;
  readonly inTime: InTime | undefined;
}

/**
 * A search by ids silently drops invisible bugs, and an installation may return fewer bugs than it found. So missing
 * bugs are requested again until an answer is empty: only then are they not visible.
 */
async function readBugs(
  { client, characters, extras, found: before }: Asked,
  ids: readonly number[],
  { failed, unasked, inTime }: Left,
): Promise<ReadonlyMap<number, Bug>> {
  const found = new Map<number, Bug>();
  const query = (part: readonly number[]): Query => ({ id: part, ...fieldsWith(extras) });
  const request = async (part: readonly number[]): Promise<readonly Bug[]> => {
    const { body } = await client.read(['bug'], query(part), bugsIn(client.rows));
    const asked = new Set(part);
    return body.bugs
      .filter(({ id }) => asked.has(id))
      .map((wire) => mapping(client.rows, bugRow(wire), () => read(characters, detailedBug(wire, client.url, extras))));
  };
  const late = (bug: number): void => {
    unasked.add(bug);
    inTime?.late(bug);
  };
  const batch = {
    client,
    found: before,
    inTime: inTime && { ...inTime, late },
    fits: (part: readonly number[]) => part.length <= batchSize && queryLength(query(part)) < queryBytesMax,
    request,
    leaveOut: (bug: number) => void failed.add(bug),
    bugOf: (bug: number) => bug,
    askOf: (bug: number) => bug,
  };
  for (
    let missing = [...new Set(ids)], isNews = true;
    isNews && missing.length > 0;
    missing = missing.filter((id) => !found.has(id) && !failed.has(id) && !unasked.has(id))
  ) {
    const bugs = await readInBatches(batch, missing);
    for (const bug of bugs) found.set(bug.id, bug);
    isNews = bugs.length > 0;
  }
  return found;
}

/** Whether bugs are hidden of which the tracker does not tell the fields. */
async function isEachHidden(
  client: TrackerClient,
  ids: readonly number[],
): Promise<readonly { id: number; isHidden: boolean }[]> {
  const answers: { id: number; isHidden: boolean }[] = [];
  for (const id of ids) {
    const found = await access(client, id).catch((failure: unknown) => {
      if (isPoison(failure)) return 'shown';
      throw failure;
    });
    answers.push({ id, isHidden: found !== 'shown' });
  }
  return answers;
}

/** Reads each bug with a separate request. */
async function readByNumber({ client, characters, extras }: Asked, ids: readonly number[]): Promise<readonly Bug[]> {
  const found: Bug[] = [];
  for (const id of ids) {
    try {
      const { body } = await client.read(['bug', id], fieldsWith(extras), bugsIn(client.rows));
      const wanted = body.bugs.filter((bug) => bug.id === id);
      found.push(
        ...wanted.map((wire) =>
          mapping(client.rows, bugRow(wire), () => read(characters, detailedBug(wire, client.url, extras))),
        ),
      );
    } catch (failure) {
      if (!isUnreachable(failure) && !isPoison(failure)) throw failure;
    }
  }
  return found;
}

const fieldsWith = (extras: Extras): Query => ({ include_fields: [bugFields, ...extraFields(extras)].join(',') });

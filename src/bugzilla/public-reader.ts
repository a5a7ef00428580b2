import {
  type Apart,
  hiddenSince,
  type LeaveOut,
  type ListedBug,
  type ListedField,
  type PublicReader,
  type ReadChange,
  type ReadComment,
  type ReadFile,
  type Thread,
} from '../model/archive/ports.ts';
import { isServed } from './anonymous-reader.ts';
import { type Attachment, getAttachment } from './api/attachment.ts';
import { type Bug, bugSchema, type CustomValue, type UserObject } from './api/bug.ts';
import type { HistoryRecord } from './api/bug-history.ts';
import { type Bulk, readAttachments, readComments, readHistory } from './api/bulk.ts';
import type { Comment } from './api/comment.ts';
import { type Field, readFields, readVersion } from './api/installation.ts';
import { reading } from './connection/answer.ts';
import { createTrackerClient, type TrackerClient, type TrackerClientOptions } from './connection/client.ts';
import { isUnreachable, TrackerError } from './connection/errors.ts';
import { createKeyset, type Keyset, type KeysetPage } from './connection/read-many.ts';
import { keepsBasicOnly, personOf, readText } from './map.ts';
import { type MarkdownUse, markdownUseOf, shownAs } from './markdown.ts';
import { bugIdsSchema } from './schema.ts';

type PublicReaderOptions = Pick<TrackerClientOptions, 'url' | 'timeoutMs' | 'now' | 'fetch' | 'lane'>;

/** Bugs per request. Comments and history cost a tracker more than fields do. */
const pageSize = 500;
const batchSize = 250;
/** How often the end of the list is asked for while bugs come and go. */
const lastTries = 3;

/** The whole tracker without an account: no request has a key, so no answer contains more than everyone may see. */
export function bugzillaPublicReader(options: PublicReaderOptions): PublicReader {
  const counts = { lists: 0, contents: 0 };
  const clientFor = (kind: keyof typeof counts): TrackerClient => {
    const lane: TrackerClientOptions['lane'] = {
      run(cost, request) {
        counts[kind] += 1;
        return options.lane.run(cost, request);
      },
    };
    return createTrackerClient({ ...options, lane, apiKey: null, auth: 'auto', lastPause: () => null });
  };
  const [client, contentClient] = [clientFor('lists'), clientFor('contents')];
  let facts: Promise<Facts> | null = null;
  const known = (): Promise<Facts> => {
    facts ??= readFacts(client);
    return facts;
  };
  const pages = createKeyset({
    client,
    bug: bugSchema,
    fields: {},
    criteria: {},
    pageSize,
    endsEmpty: true,
  });
  return {
    isServed: () => isServed(client),
    bugs: (after, left, apart) =>
      reading(async () => {
        const about = await known();
        const { bugs, failed, next } = await lastTried(client, pages, after);
        for (const { id, failure } of failed) left(id, whyOf(failure));
        const listed = bugs.flatMap((bug): readonly ListedBug[] => {
          const made = apart({ id: bug.id, changedAt: bug.last_change_time ?? null }, () => listedBug(bug, about));
          if (typeof made !== 'string') return [made];
          left(bug.id, made);
          return [];
        });
        return { bugs: listed, next };
      }),
    threads: (bugs, left, apart) => reading(async () => readThreads(client, await known(), bugs, { left, apart })),
    content: (file, bytes) => reading(() => content(contentClient, file, bytes)),
    requests: () => counts,
  };
}

/**
 * A proxy may truncate a list, so the bug with the highest number shows whether this page was the last. If it was not,
 * bugs may have been filed since, and the list must continue; or that bug was shown, and is hidden by now. Throws if
 * the list stays behind.
 */
async function lastTried(client: TrackerClient, pages: Keyset<Bug>, after: number): Promise<KeysetPage<Bug>> {
  const query = { f1: 'bug_id', o1: 'greaterthan', v1: after, order: 'bug_id DESC', limit: 1, include_fields: 'id' };
  let last = after;
  for (let tries = 0; tries < lastTries; tries += 1) {
    const page = await pages.page(after);
    if (page.next !== null) return page;
    const [shown] = (await client.read(['bug'], query, bugIdsSchema)).body.bugs;
    if (shown === undefined || shown.id <= after) return page;
    last = shown.id;
  }
  throw new TrackerError(
    'unknown-outcome',
    `The tracker's list ends at bug ${after}, but the tracker shows bug ${last}`,
  );
}

/** What has to be known of the installation to read its answers. */
interface Facts {
  readonly isBasic: boolean;
  readonly markdown: MarkdownUse;
  readonly customs: ReadonlyMap<string, Field>;
}

async function readFacts(client: TrackerClient): Promise<Facts> {
  const version = (await readVersion(client)) ?? '';
  const fields = (await readFields(client, undefined)) ?? [];
  return {
    isBasic: keepsBasicOnly(version),
    markdown: await markdownUseOf(client, version).catch((failure: unknown) => {
      // Some trackers render a text for their users only; then it stays plain.
      if (failure instanceof TrackerError && failure.kind === 'credentials') return 'none';
      throw failure;
    }),
    customs: new Map(fields.filter(({ name }) => name.startsWith('cf_')).map((field) => [field.name, field])),
  };
}

/** A bug is public only if every one of these answers contains it. */
async function readThreads(
  client: TrackerClient,
  { isBasic, markdown }: Facts,
  ids: readonly number[],
  { left, apart }: { readonly left: LeaveOut; readonly apart: Apart },
): Promise<ReadonlyMap<number, Thread>> {
  const comments = await readComments(client, ids, { batchSize });
  const histories = await readHistory(client, without(comments, ids), { batchSize });
  const attachments = await readAttachments(client, without(histories, without(comments, ids)), { batchSize });
  const bulks: readonly Bulk<unknown>[] = [comments, histories, attachments];
  for (const { bug, failure } of bulks.flatMap(({ leftOut }) => leftOut)) {
    left(bug, whyOf(failure));
  }
  const meant = (text: string): string => readText({ isBasic }, text);
  const threads = new Map<number, Thread>();
  for (const id of ids) {
    const [said, changed, files] = [comments.found.get(id), histories.found.get(id), attachments.found.get(id)];
    if (said === undefined || changed === undefined || files === undefined) continue;
    const thread = apart(id, () => ({
      comments: said.filter(({ is_private }) => !is_private).map((each) => commentOf(each, markdown, meant)),
      changes: changed.flatMap((record) => changesOf(record, meant)),
      files: files.filter(({ is_private }) => is_private === false).map((each) => fileOf(each, meant)),
    }));
    if (typeof thread === 'string') left(id, thread);
    else threads.set(id, thread);
  }
  return threads;
}

/**
 * Each bug that is hidden costs a search for it. One that only fails is asked for further: another answer may say that
 * it is hidden.
 */
const without = ({ leftOut }: Bulk<unknown>, ids: readonly number[]): readonly number[] =>
  ids.filter((id) => !leftOut.some(({ bug, failure }) => bug === id && isUnreachable(failure)));

const whyOf = (failure: TrackerError): string => (isUnreachable(failure) ? hiddenSince : failure.message);

const nameOf = (login: string | undefined): string => personOf(login ?? '', '').name;

function commentOf(comment: Comment, use: MarkdownUse, meant: (text: string) => string): ReadComment {
  const { id, count, creator, creation_time, text, attachment_id, tags = [], is_markdown } = comment;
  return {
    id,
    count,
    author: nameOf(creator),
    at: creation_time,
    ...shownAs(meant(text), is_markdown, use),
    attachment: attachment_id,
    tags,
  };
}

const changesOf = ({ when, who, changes }: HistoryRecord, meant: (text: string) => string): readonly ReadChange[] =>
  changes.map(({ field_name, removed, added, attachment_id }) => ({
    at: when,
    author: nameOf(who),
    field: field_name,
    removed: meant(removed),
    added: meant(added),
    attachment: attachment_id ?? null,
  }));

const fileOf = (file: Attachment, meant: (text: string) => string): ReadFile => ({
  id: file.id,
  name: meant(file.file_name ?? ''),
  summary: meant(file.summary ?? ''),
  type: file.content_type ?? 'application/octet-stream',
  size: file.size ? file.size : null,
  isPatch: file.is_patch ?? false,
  isObsolete: file.is_obsolete ?? false,
  flags: (file.flags ?? []).map(({ name, status }) => `${name}${status}`),
  author: nameOf(file.creator),
  at: file.creation_time ?? 0,
});

async function content(client: TrackerClient, id: number, bytes: number): Promise<Uint8Array | null> {
  try {
    const { data: found, is_private: isPrivate } = await getAttachment(client, id, { data: true });
    if (isPrivate !== false) return null;
    const data = found ?? new Uint8Array();
    if (data.length === bytes || data.length === 0) return data;
    throw new TrackerError(
      'unknown-outcome',
      `The tracker sent ${data.length} bytes of attachment ${id}, which has ${bytes}`,
    );
  } catch (failure) {
    // The tracker itself says so, and no proxy before it.
    const isTold = failure instanceof TrackerError && failure.code !== null;
    if (isTold && (isUnreachable(failure) || failure.kind === 'refused')) return null;
    throw failure;
  }
}

/** Fields that every bug may have, in the order of their display, and how the tracker's pages call them. */
const labels = {
  version: 'Version',
  platform: 'Hardware',
  op_sys: 'Operating system',
  priority: 'Priority',
  severity: 'Severity',
  target_milestone: 'Target milestone',
  keywords: 'Keywords',
  whiteboard: 'Whiteboard',
  deadline: 'Deadline',
  url: 'URL',
} as const;

function listedBug(bug: Bug, { isBasic, customs }: Facts): ListedBug {
  const meant = (text: string): string => readText({ isBasic }, text);
  // Trackers send the values of a bug in any order, another one each time.
  const customNames = Object.keys(bug)
    .filter((name): name is `cf_${string}` => name.startsWith('cf_'))
    .sort();
  const labelOf = (name: string): string => customs.get(name)?.display_name ?? name;
  const namesBugs = (name: `cf_${string}`): boolean =>
    typeof bug[name] === 'number' || customs.get(name)?.type === bugIdType;
  const standard = Object.entries(labels).map(([name, label]) =>
    fieldOf(name, label, bug[name as keyof typeof labels] ?? null, meant),
  );
  return {
    id: bug.id,
    summary: meant(bug.summary ?? ''),
    aliases: bug.alias ?? [],
    product: bug.product ?? '',
    component: bug.component ?? '',
    status: bug.status ?? '',
    resolution: bug.resolution ?? '',
    isOpen: bug.is_open ?? !bug.resolution,
    createdAt: bug.creation_time ?? null,
    changedAt: bug.last_change_time ?? null,
    reporter: detailed(bug.creator, bug.creator_detail),
    assignee: detailed(bug.assigned_to, bug.assigned_to_detail),
    fields: [
      ...standard,
      fieldOf('qa_contact', 'QA contact', detailed(bug.qa_contact, bug.qa_contact_detail), meant),
      fieldOf('flags', 'Flags', flagsOf(bug), meant),
      fieldOf('cc', 'CC', countOf(bug.cc?.length ?? 0), meant),
      ...customNames
        .filter((name) => !namesBugs(name))
        .map((name) => fieldOf(name, labelOf(name), bug[name] ?? null, meant)),
    ].filter(({ values }) => values.length > 0),
    relations: [
      { name: 'depends_on', label: 'Depends on', bugs: bug.depends_on ?? [] },
      { name: 'blocks', label: 'Blocks', bugs: bug.blocks ?? [] },
      ...customNames
        .filter(namesBugs)
        .map((name) => ({ name, label: labelOf(name), bugs: numbersIn(bug[name] ?? null) })),
    ],
    dupeOf: bug.dupe_of ?? null,
    seeAlso: bug.see_also ?? [],
  };
}

/** The kind of a field that holds the number of a bug, as the tracker numbers kinds. */
const bugIdType = 6;

const numbersIn = (value: CustomValue): readonly number[] => (String(value ?? '').match(/\d+/gu) ?? []).map(Number);

function fieldOf(name: string, label: string, value: CustomValue, meant: (text: string) => string): ListedField {
  const texts = value === null ? [] : typeof value === 'object' ? value : [String(value)];
  return { name, label, values: texts.filter((text) => text !== '' && text !== '---').map(meant) };
}

/** A name, with the login where that says more. */
function detailed(login: string | undefined, detail: UserObject | null | undefined): string {
  const [{ name }, short] = [personOf(login ?? '', detail?.real_name ?? ''), nameOf(login)];
  return name === short ? name : `${name} (${short})`;
}

const flagsOf = ({ flags = [] }: Bug): readonly string[] =>
  flags.map(({ name, status, requestee }) => `${name}${status}${requestee ? ` (${nameOf(requestee)})` : ''}`);

const countOf = (people: number): string => (people === 0 ? '' : people === 1 ? '1 person' : `${people} people`);

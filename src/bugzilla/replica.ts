import { bugId } from '../model/ids.ts';
import type { Bug, Comment } from '../model/item.ts';
import type { Outcome, Probe } from '../model/outcome.ts';
import type { BugDraft, BugPatch } from '../model/plan/operation.ts';
import type { Listing, TrackerReplica } from '../model/replica.ts';
import type { Vocabulary } from '../model/route.ts';
import { type Kept, nothingKept } from '../model/survey.ts';
import { readHistory } from './api/bulk.ts';
import { changesSince, createSearch, readThreads, type Search, startHere } from './changes.ts';
import type { Answer } from './connection/answer.ts';
import { reading } from './connection/answer.ts';
import type { TrackerClient } from './connection/client.ts';
import { isNotTold, isUnreachable, TrackerError } from './connection/errors.ts';
import { type Hello, serverNow } from './connection/hello.ts';
import { createLook, returnedAtOnce } from './connection/read-many.ts';
import { commentAt, readBugs, readChanges } from './lookup.ts';
import {
  allCharacters,
  bugUrl,
  type CharacterSupport,
  detailedBug,
  type Extras,
  extraFields,
  keepsBasicOnly,
  kept,
  personOf,
  read,
  written,
} from './map.ts';
import { isMarkdownRefused, type MarkdownUse, markdownUseOf } from './markdown.ts';
import { goneOf, outcomeOf, outcomeOfLook } from './outcome.ts';
import { attachPull, changePull, shownPulls } from './pulls.ts';
import { bugFields, bugsSchema, createdSchema, updatedSchema } from './schema.ts';
import { readVocabulary } from './vocabulary.ts';
import { asFiled, draftBody, isTouched, lostValues, patchBody, updatedBug } from './write.ts';

export interface BugzillaReplicaOptions {
  readonly client: TrackerClient;
  readonly product: string;
  /** The address of the tracker's pages; usually that of the client. */
  readonly url: string;
  /** The number of bugs per request; the tracker may return fewer. */
  readonly pageSize: number;
  /** Names of other fields to read, for the table in the issue. */
  readonly details?: readonly string[];
  /** Names of fields to read for labels: the whiteboard and custom fields. */
  readonly labels?: readonly string[];
  /** Shared with the other clients of this tracker; hello fills it. */
  readonly characters?: CharacterSupport;
  /** What earlier greetings told. */
  readonly kept?: Kept;
  /** Called for bugs that are left out because the tracker fails on them. */
  readonly warn: (message: string) => void;
}

interface Room extends BugzillaReplicaOptions {
  readonly extras: Extras;
  readonly characters: CharacterSupport;
  readonly search: Search;
  /** Our own login, once hello has found it. */
  login: string | null;
  /** False if hello has found that the tracker does not report the clock of its timestamps. */
  isClockKnown: boolean;
  /** The findings of hello. */
  markdown: MarkdownUse;
  atOnce: number;
  version: string;
}

/** One product of a Bugzilla 5.x tracker. */
export function bugzillaReplica(options: BugzillaReplicaOptions): TrackerReplica {
  const extras = { details: options.details ?? [], labels: options.labels ?? [] };
  const characters = options.characters ?? allCharacters();
  const room: Room = {
    ...options,
    extras,
    characters,
    url: options.url.replace(/\/+$/, ''),
    atOnce: 0,
    search: createSearch({ ...options, atOnce: () => room.atOnce, extras, characters }),
    login: null,
    isClockKnown: true,
    markdown: 'none',
    version: '',
  };
  const lookAt = createLook(options.client);
  const source = {
    ...room,
    isClockKnown: () => room.isClockKnown,
    markdownUse: () => room.markdown,
    serverNow: () => serverNow(room.client),
  };
  return {
    side: 'tracker',
    hello: () => reading(() => hello(room)),
    changes: (cursor) => reading(() => (cursor === null ? startHere(room) : changesSince(room, cursor))),
    list: (page) => reading(() => list(room, page)),
    threads: (asks) => reading(() => readThreads(source, asks)),
    probe: (ref) => reading(() => probe(room, ref)),
    vocabulary: () => reading(() => vocabulary(room)),
    bugs: (refs) => reading(() => readBugs(room, refs)),
    lookAt: (ask) => reading(() => lookAt(ask)),
    history: (refs, sinceAt) => reading(() => readChanges(room.client, refs, sinceAt)),
    commentAt: (id) => reading(() => commentAt(room.client, id)),
    attachPull: (ref, pull) => attachPull(room, ref, pull),
    changePull: (attachment, shown, text) => changePull(room, attachment, shown, text),
    shownPulls: (refs) => reading(() => shownPulls(room, refs)),
    create: (draft) => create(room, draft),
    update: (seen, patch) => update(room, seen, patch),
    comment: (ref, text, isMarkdown = false) => comment(room, ref, text, isMarkdown),
  };
}

type Greeting = Hello & { readonly markdown: MarkdownUse; readonly atOnce: number };

/** With a recent greeting, nothing is asked. */
async function hello(room: Room): Promise<{ login: string | null; version: string }> {
  const { login, version, skewMs, markdown, atOnce } = await greet(room);
  room.login = login;
  room.characters.isBasic = keepsBasicOnly(version);
  room.isClockKnown = skewMs !== null;
  room.markdown = markdown;
  room.atOnce = atOnce;
  room.version = version;
  return { login, version };
}

async function greet({ client, kept = nothingKept }: Room): Promise<Greeting> {
  const known = kept.recent<Greeting>('tracker');
  if (known !== null) {
    await client.hello(known);
    return known;
  }
  const found = await client.hello();
  const greeting = {
    ...found,
    markdown: await markdownUseOf(client, found.version),
    atOnce: await returnedAtOnce(client),
  };
  kept.keep('tracker', greeting);
  return greeting;
}

async function vocabulary({ client, product, markdown, kept = nothingKept }: Room): Promise<Vocabulary> {
  const name = `values of ${product}`;
  const known = kept.recent<Vocabulary>(name);
  const values = known ?? (await readVocabulary(client, product));
  if (known === null) kept.keep(name, values);
  return {
    ...values,
    ...(markdown === 'none' ? {} : { takesMarkdown: true }),
    ...(markdown === 'site' ? { readsAllMarkdown: true } : {}),
  };
}

async function list({ search, client }: Room, page: string | null): Promise<Listing<Bug>> {
  const { bugs, failed, next, readAt } = await search.page(page === null ? 0 : Number(page), null);
  return {
    items: bugs,
    failed,
    comments: [],
    readAt: readAt ?? (await serverNow(client)),
    next: next === null ? null : String(next),
  };
}

async function probe(room: Room, ref: number): Promise<Probe<Bug>> {
  try {
    const { body } = await readBug(room, ref);
    return { kind: 'there', item: body };
  } catch (failure) {
    if (!isUnreachable(failure)) throw failure;
    return { kind: 'gone', gone: goneOf(failure.kind, failure.message) };
  }
}

/** If the tracker refuses a see_also, it refuses the whole bug, so the bug is filed without it. */
const seeAlsoRefused = 112;

async function create(room: Room, draft: BugDraft): Promise<Outcome<Bug>> {
  try {
    const created = await room.client.create(
      ['bug'],
      draftBody(written(room.characters, draft), room.markdown),
      createdSchema,
    );
    return await filedBug(room, draft, created);
  } catch (failure) {
    if (!(failure instanceof TrackerError)) throw failure;
    if (isMarkdownRefused(failure) && draft.isMarkdown) {
      const { isMarkdown: _asked, ...plain } = draft;
      return create(room, plain);
    }
    if (failure.code === seeAlsoRefused && draft.seeAlso !== null) return create(room, { ...draft, seeAlso: null });
    return outcomeOf(failure);
  }
}

/**
 * The bug is filed even if it cannot be read back: then the draft stands in for it, without a status until the next
 * poll. But if the tracker does not know the id that it returned, it may have rolled everything back.
 */
async function filedBug(
  room: Room,
  draft: BugDraft,
  { body: { id }, readAt }: Answer<{ id: number }>,
): Promise<Outcome<Bug>> {
  try {
    const { body: found } = await readBug(room, id);
    return { kind: 'applied', item: isTouched(found, draft) ? await untouched(room, found) : found };
  } catch (failure) {
    if (!(failure instanceof TrackerError)) throw failure;
    if (failure.kind === 'missing')
      return { kind: 'unknown', why: `the tracker says that it filed bug ${id}, but shows no such bug` };
    room.warn(`bug ${id} was filed and cannot be read back yet: ${failure.message}`);
    const at = readAt ?? 0;
    const item: Bug = {
      kind: 'bug',
      id: bugId(id),
      url: bugUrl(room.url, id),
      product: draft.product,
      summary: draft.summary,
      status: '',
      resolution: '',
      dupeOf: null,
      values: draft.values,
      keywords: draft.keywords,
      assignee: null,
      milestone: null,
      seeAlso: draft.seeAlso === null ? [] : [draft.seeAlso],
      isPrivate: false,
      creator: personOf(room.login ?? '', ''),
      createdAt: at,
      changedAt: at,
    };
    return { kind: 'applied', item };
  }
}

/** Without a history, the bug counts as read. Throws `TrackerError`. */
async function untouched({ client, characters }: Room, found: Bug): Promise<Bug> {
  try {
    const { found: histories, leftOut } = await readHistory(client, [found.id], {});
    const failure = leftOut[0]?.failure;
    if (failure !== undefined && !isUnreachable(failure)) throw failure;
    const changes = (histories.get(found.id) ?? []).flatMap((record) => record.changes);
    return changes.length === 0 ? found : read(characters, asFiled(kept(characters, found), changes));
  } catch (failure) {
    if (isNotTold(failure)) return found;
    throw failure;
  }
}

/**
 * The tracker detects no collisions: the last writer wins. Only the answer to a write shows what it replaced unseen, so
 * nothing is ever stale here, and lost values are reported.
 */
async function update(room: Room, seen: Bug, patch: BugPatch): Promise<Outcome<Bug>> {
  try {
    const [before, sent] = [kept(room.characters, seen), written(room.characters, patch)];
    const { body } = await room.client.edit(['bug', seen.id], patchBody(sent, room.markdown), updatedSchema);
    const [updated] = body.bugs;
    const changes = updated?.changes ?? {};
    const item = read(room.characters, updatedBug(before, sent, changes, updated?.last_change_time ?? seen.changedAt));
    const lost = lostValues(before, changes);
    return lost.length === 0 ? { kind: 'applied', item } : { kind: 'applied', item, lost };
  } catch (failure) {
    if (isUnreachable(failure) && patch.dupeOf !== undefined) return whichIsGone(room, seen.id, failure);
    return outcomeOf(failure);
  }
}

/** The same codes may mean the written bug or the one it should duplicate: reading it shows which. */
async function whichIsGone(room: Room, ref: number, failure: TrackerError): Promise<Outcome<Bug>> {
  try {
    const found = await probe(room, ref);
    return found.kind === 'gone' ? found : { kind: 'refused', why: failure.message };
  } catch (trouble) {
    return outcomeOfLook(trouble);
  }
}

/**
 * The answer is only an id. The tracker normalises line ends and trims trailing white space. If it refuses Markdown,
 * the text is written as plain text, which is still readable.
 */
async function comment(room: Room, ref: number, text: string, isMarkdown: boolean): Promise<Outcome<Comment>> {
  const style = room.markdown === 'none' ? {} : { is_markdown: isMarkdown };
  try {
    const { body, readAt } = await room.client.create(
      ['bug', ref, 'comment'],
      { comment: text, ...style },
      createdSchema,
    );
    const at = readAt ?? 0;
    return {
      kind: 'applied',
      item: {
        side: 'tracker',
        id: body.id,
        ref,
        count: null,
        url: bugUrl(room.url, ref),
        author: personOf(room.login ?? '', ''),
        text: text.replace(/\r\n?/g, '\n').trimEnd(),
        ...(style.is_markdown ? { isMarkdown: true } : {}),
        isPrivate: false,
        createdAt: at,
        changedAt: at,
      },
    };
  } catch (failure) {
    if (isMarkdown && isMarkdownRefused(failure)) {
      room.markdown = 'none';
      return comment(room, ref, text, false);
    }
    return outcomeOf(failure);
  }
}

async function readBug({ client, url, extras, characters }: Room, ref: number): Promise<Answer<Bug>> {
  const { body, readAt } = await client.read(
    ['bug', ref],
    { include_fields: [bugFields, ...extraFields(extras)].join(',') },
    bugsSchema,
  );
  const found = body.bugs[0];
  if (found === undefined)
    throw new TrackerError('refused', `The tracker answered about bug ${ref} without showing any bug`);
  return { body: read(characters, detailedBug(found, url, extras)), readAt };
}

/** The files of a tracker. Sources: sections 4.7 and 4.8 of the interface. */

import type { Attachment, AttachmentClient, AttachmentDraft } from '../model/attachment.ts';
import { withoutSlash } from '../model/named.ts';
import type { Outcome } from '../model/outcome.ts';
import type { InTime } from '../model/runtime.ts';
import { type Kept, nothingKept } from '../model/survey.ts';
import { createAttachment, getAttachment, type Attachment as WireAttachment } from './api/attachment.ts';
import { readAttachments } from './api/bulk.ts';
import { reading } from './connection/answer.ts';
import type { TrackerClient } from './connection/client.ts';
import { isPoison } from './connection/errors.ts';
import { type Found, foundIn } from './connection/read-apart.ts';
import { attachmentRow, mappedOrNone } from './connection/rows.ts';
import { allCharacters, type CharacterSupport, personOf, readText, writtenText } from './map.ts';
import { outcomeOf, outcomeOfLook } from './outcome.ts';
import { parametersSchema } from './schema.ts';

interface BugzillaAttachmentOptions {
  readonly client: TrackerClient;
  /** The address of the tracker's pages. */
  readonly url: string;
  readonly characters?: CharacterSupport;
  readonly kept?: Kept;
  /** What is kept of it under this name. */
  readonly of?: string;
  readonly warn: (message: string) => void;
}

interface Prepared extends BugzillaAttachmentOptions {
  readonly found: Found;
  readonly characters: CharacterSupport;
}

const batchSize = 50;

export function bugzillaAttachments(options: BugzillaAttachmentOptions): AttachmentClient {
  const prepared: Prepared = {
    ...options,
    url: withoutSlash(options.url),
    characters: options.characters ?? allCharacters(),
    found: foundIn(options.kept ?? nothingKept, options.of ?? 'files'),
  };
  let limit: Promise<number | null> | null = null;
  return {
    list: (bugs, inTime) => list(prepared, bugs, inTime),
    content: (id) => content(prepared, id),
    bytesMax() {
      limit ??= bytesMax(prepared);
      return limit;
    },
    attach: (bug, draft) => attach(prepared, bug, draft),
  };
}

async function list(
  { client, url, characters, warn, found: before }: Prepared,
  bugs: readonly number[],
  inTime: InTime | undefined,
): Promise<ReadonlyMap<number, readonly Attachment[]>> {
  return reading(async () => {
    const { found, leftOut } = await readAttachments(client, bugs, { batchSize, found: before, inTime });
    const failed = [...leftOut];
    const listed = new Map<number, readonly Attachment[]>();
    for (const [bug, files] of found) {
      const mapped = files.flatMap((file) =>
        mappedOrNone(
          client.rows,
          attachmentRow({ ...file, bug_id: bug }),
          () => named(characters, attachmentOf(file, url)),
          (failure) => failed.push({ bug, failure }),
        ),
      );
      if (mapped.length === files.length) listed.set(bug, mapped);
    }
    for (const { bug, failure } of failed) {
      if (isPoison(failure))
        warn(`the files of bug ${bug} are left out, because they cannot be read: ${failure.message}`);
    }
    return listed;
  });
}

async function content({ client }: BugzillaAttachmentOptions, id: number): Promise<Outcome<Uint8Array>> {
  try {
    const { data, size, is_private: isPrivate } = await getAttachment(client, id, { data: true });
    if (isPrivate !== false) return { kind: 'refused', why: `attachment ${id} is private` };
    if (!data) return { kind: 'refused', why: `the content of attachment ${id} was deleted` };
    if (!size || size === data.length) return { kind: 'applied', item: data };
    const why = `the tracker gave ${data.length} of the ${size} bytes of attachment ${id}`;
    return { kind: 'later', at: null, wholeSide: false, why };
  } catch (failure) {
    return outcomeOfLook(failure);
  }
}

/** `maxattachmentsize` is a text, in units of 1024 bytes; trackers that do not report it refuse larger files. */
async function bytesMax({ client }: BugzillaAttachmentOptions): Promise<number | null> {
  try {
    const { body } = await client.read(['parameters'], {}, parametersSchema);
    const size = Number(body.parameters['maxattachmentsize'] ?? Number.NaN);
    return Number.isFinite(size) && size > 0 ? size * 1024 : null;
  } catch {
    return null;
  }
}

/** The answer is only an id; the tracker stores names and contents unchanged. */
async function attach(
  { client, url, characters }: Prepared,
  bug: number,
  draft: AttachmentDraft,
): Promise<Outcome<Attachment>> {
  const { name, summary, type, isPatch, comment, bytes } = draft;
  try {
    const [fileName, about] = [writtenText(characters, name), writtenText(characters, summary)];
    const file = { data: bytes, file_name: fileName, summary: about, content_type: type, is_patch: isPatch, comment };
    const [id] = await createAttachment(client, [bug], file);
    if (id === undefined)
      return { kind: 'unknown', why: `the tracker returned no id for the new attachment on bug ${bug}` };
    const made = {
      id,
      bug,
      name,
      summary,
      type,
      size: bytes.length,
      isPatch,
      isPrivate: false,
      isObsolete: false,
      flags: [],
      createdAt: 0,
    };
    return { kind: 'applied', item: { ...made, author: personOf('', ''), url: attachmentUrl(url, id) } };
  } catch (failure) {
    return outcomeOf(failure);
  }
}

/** Unreported privacy counts as private. Deleted content has no size, or 0. */
function attachmentOf(wire: WireAttachment, url: string): Attachment {
  return {
    id: wire.id,
    bug: wire.bug_id,
    name: wire.file_name ?? '',
    summary: wire.summary ?? '',
    type: wire.content_type ?? 'application/octet-stream',
    size: wire.size ? wire.size : null,
    isPrivate: wire.is_private ?? true,
    isObsolete: wire.is_obsolete ?? false,
    isPatch: wire.is_patch ?? false,
    flags: (wire.flags ?? []).map(({ name, status }) => `${name}${status}`),
    author: personOf(wire.creator ?? '', ''),
    url: attachmentUrl(url, wire.id),
    createdAt: wire.creation_time ?? 0,
  };
}

const named = (characters: CharacterSupport, file: Attachment): Attachment => ({
  ...file,
  name: readText(characters, file.name),
  summary: readText(characters, file.summary),
});

const attachmentUrl = (url: string, id: number): string => `${url}/attachment.cgi?id=${id}`;

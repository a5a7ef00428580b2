/** What Create Attachment (section 4.8), Update Attachment (4.9) and Create Comments (4.11) take. */

import { z } from 'zod';
import type { RowReader } from '../../model/runtime.ts';
import { flag, instant, textOrNothing, tolerant, whole } from '../connection/answer.ts';
import type { Query, TrackerClient } from '../connection/client.ts';
import { TrackerError } from '../connection/errors.ts';
import { attachmentRow, row } from '../connection/rows.ts';
import { type Flag, flagSchema, type UpdatedAttachment, updatedAttachmentsSchema } from './bug.ts';
import { apart, type BugName, type FlagChange, type NewFlag } from './bug-change.ts';

export interface NewAttachment {
  /** The content; a text is sent as UTF-8. Installations limit its size, often to 1000 KB. */
  readonly data: Uint8Array | string;
  /** The tracker removes folders, and cuts after 255 characters. */
  readonly file_name: string;
  readonly summary: string;
  /** Needed unless it is a patch, which is always `text/plain`. */
  readonly content_type?: string;
  /** The text of the comment that the attachment brings along. */
  readonly comment?: string;
  readonly is_patch?: boolean;
  /** True restricts it to the insidergroup. */
  readonly is_private?: boolean;
  readonly flags?: readonly NewFlag[];
}

/** The content itself cannot be changed. The tracker refuses unknown fields. */
export interface AttachmentChange {
  readonly file_name?: string;
  readonly summary?: string;
  /** Is added to the bug. */
  readonly comment?: string;
  readonly content_type?: string;
  readonly is_patch?: boolean;
  readonly is_private?: boolean;
  readonly is_obsolete?: boolean;
  readonly flags?: readonly FlagChange[];
}

export interface NewComment {
  /** At most 65535 characters, and not only white space. */
  readonly comment: string;
  readonly is_private?: boolean;
  /** Bugzilla 5.1 and later; refused (140) if the account or the installation has it turned off. */
  readonly is_markdown?: boolean;
  /** Hours; ignored outside the time-tracking group. */
  readonly work_time?: number;
}

export interface TagChange {
  /** 3 to 24 characters each: letters, digits, `_`, `.` and `-`. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** Attachment (section 2.5) and the answers of Get, Create and Update Attachment (4.7 to 4.9). */

/** Only the two ids are certain; see `Bug` for what absence means. */
export interface Attachment {
  readonly id: number;
  readonly bug_id: number;
  /** The content; absent if not requested, null if deleted. */
  readonly data?: Uint8Array | null;
  /** Bytes; null (or 0) when the content was deleted. */
  readonly size?: number | null;
  /** Epoch milliseconds. */
  readonly creation_time?: number;
  /** Epoch milliseconds. Deleting the content and comments on the attachment do not move it. */
  readonly last_change_time?: number;
  readonly file_name?: string;
  readonly summary?: string;
  readonly content_type?: string;
  readonly is_private?: boolean;
  readonly is_obsolete?: boolean;
  readonly is_patch?: boolean;
  readonly creator?: string;
  readonly flags?: readonly Flag[];
}

/** Some versions return an empty text for deleted content; an attachment cannot be empty. */
const content = z
  .string()
  .nullable()
  .transform((base64) => (base64 ? new Uint8Array(Buffer.from(base64, 'base64')) : null));

const text = textOrNothing.exactOptional();

const attachmentFields = z.object({
  id: whole,
  bug_id: whole,
  data: content.exactOptional(),
  size: whole.nullable().exactOptional(),
  creation_time: instant.exactOptional(),
  last_change_time: instant.exactOptional(),
  file_name: text,
  summary: text,
  content_type: text,
  is_private: flag.exactOptional(),
  is_obsolete: flag.exactOptional(),
  is_patch: flag.exactOptional(),
  creator: text,
  flags: z.array(flagSchema).exactOptional(),
});

const attachmentSchema: z.ZodType<Attachment> = tolerant(attachmentFields);

export function attachmentsIn(rows: RowReader) {
  const attachment = row(rows, attachmentSchema, attachmentRow);
  return z.object({
    bugs: z.record(z.string(), z.array(attachment)).default({}),
    attachments: z.record(z.string(), attachment).default({}),
  });
}

const id = whole.refine((value) => value > 0, 'not an id');

/** `{"ids":["12"]}` on 5.x, `{"attachments":{"12":{}}}` on harmony and BMO. */
export const createdAttachmentsSchema = z.union([
  z.object({ ids: z.array(id).min(1) }).transform(({ ids }) => ids),
  z
    .object({ attachments: z.record(z.string().regex(/^[1-9]\d*$/), z.unknown()) })
    .transform(({ attachments }) => Object.keys(attachments).map(Number)),
]);

/** Get, Create and Update Attachment: sections 4.7 to 4.9 of the interface. All throw `TrackerError`. */

export interface AttachmentChoice {
  /** Whether to include the content. */
  readonly data?: boolean;
}

/** The content is a third larger on the wire and rarely needed for a whole list. */
export const contentQuery = (isWanted: boolean): Query => (isWanted ? {} : { exclude_fields: 'data' });

/** By bug id, even if a bug was requested by its alias. */
export async function getAttachments(
  client: TrackerClient,
  names: readonly BugName[],
  { data = false }: AttachmentChoice,
): Promise<ReadonlyMap<number, readonly Attachment[]>> {
  const bugs = apart(names);
  if (bugs === null) return new Map();
  const query = { ids: bugs.others, ...contentQuery(data) };
  const { body } = await client.read(['bug', bugs.first, 'attachment'], query, attachmentsIn(client.rows));
  return new Map(Object.entries(body.bugs).map(([bug, attachments]) => [Number(bug), attachments]));
}

/** For a missing attachment, the tracker answers with success and no content. */
export async function getAttachment(
  client: TrackerClient,
  id: number,
  { data = true }: AttachmentChoice,
): Promise<Attachment> {
  const { body } = await client.read(['bug', 'attachment', id], contentQuery(data), attachmentsIn(client.rows));
  const attachment = body.attachments[String(id)];
  if (attachment === undefined) throw new TrackerError('missing', `There is no attachment ${id} on the tracker`);
  return attachment;
}

/** Creates one attachment on each of these bugs; returns their ids. */
export async function createAttachment(
  client: TrackerClient,
  names: readonly BugName[],
  { data, ...attachment }: NewAttachment,
): Promise<readonly number[]> {
  const bugs = apart(names);
  if (bugs === null) return [];
  const body = { ...attachment, data: Buffer.from(data).toString('base64'), ids: [bugs.first, ...bugs.others] };
  return (await client.create(['bug', bugs.first, 'attachment'], body, createdAttachmentsSchema)).body;
}

export async function updateAttachments(
  client: TrackerClient,
  ids: readonly number[],
  change: AttachmentChange,
): Promise<readonly UpdatedAttachment[]> {
  const attachments = apart(ids);
  if (attachments === null) return [];
  const { first, others } = attachments;
  const body = others.length === 0 ? { ...change } : { ...change, ids: [first, ...others] };
  return (await client.edit(['bug', 'attachment', first], body, updatedAttachmentsSchema)).body.attachments;
}

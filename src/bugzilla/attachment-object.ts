/** Attachment (section 2.5) and the answers of Get, Create and Update Attachment (4.7 to 4.9). */
import { z } from 'zod';
import { type Flag, flagSchema } from './bug-object.ts';
import { instant } from './time.ts';
import { flag, textOrNothing, tolerant, whole } from './value.ts';

/** Only the two ids are certain; see `Bug` for what absence means. */
export interface Attachment {
  readonly id: number;
  readonly bug_id: number;
  /** The content; absent when it was not asked for, null when it was deleted. */
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

/** An empty text is what some versions give for a deleted content; an attachment cannot be empty. */
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

export const attachmentsSchema = z.object({
  bugs: z.record(z.string(), z.array(attachmentSchema)).default({}),
  attachments: z.record(z.string(), attachmentSchema).default({}),
});

const id = whole.refine((value) => value > 0, 'not an id');

/** `{"ids":["12"]}` on 5.x, `{"attachments":{"12":{}}}` on harmony and BMO. */
export const createdAttachmentsSchema = z.union([
  z.object({ ids: z.array(id).min(1) }).transform(({ ids }) => ids),
  z
    .object({ attachments: z.record(z.string().regex(/^[1-9]\d*$/), z.unknown()) })
    .transform(({ attachments }) => Object.keys(attachments).map(Number)),
]);

/** The answers of Create Bug, Create Comments, Update Bug and Update Attachment. */
import { z } from 'zod';
import { instant } from './time.ts';
import { list, textOrNothing, whole } from './value.ts';

/** What was there before and is no more, and what is there now; lists are joined by comma and space. */
export interface FieldChange {
  readonly removed: string;
  readonly added: string;
}

/** Section 4.5. */
export interface UpdatedBug {
  readonly id: number;
  readonly alias: readonly string[];
  /** Of this update, or of the one before when nothing changed. Epoch milliseconds; null when the tracker does not tell. */
  readonly last_change_time: number | null;
  /** By field name; empty when nothing changed. `comment`, `comment_is_private` and `work_time` never show. */
  readonly changes: Readonly<Record<string, FieldChange>>;
}

/** Section 4.9. */
export interface UpdatedAttachment {
  readonly id: number;
  readonly last_change_time: number | null;
  /** Booleans show as `0` and `1`. */
  readonly changes: Readonly<Record<string, FieldChange>>;
}

const fieldChange = z.object({ removed: textOrNothing.default(''), added: textOrNothing.default('') });
const changed = {
  id: whole,
  last_change_time: instant.nullish().transform((at) => at ?? null),
  changes: z
    .record(z.string(), fieldChange)
    .nullish()
    .transform((changes) => changes ?? {}),
};

const updatedBug: z.ZodType<UpdatedBug> = z.object({ ...changed, alias: list.default([]) });
const updatedAttachment: z.ZodType<UpdatedAttachment> = z.object(changed);

export const updatedBugsSchema = z.object({ bugs: z.array(updatedBug).min(1) });
export const updatedAttachmentsSchema = z.object({ attachments: z.array(updatedAttachment).min(1) });

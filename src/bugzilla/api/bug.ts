/** Bug, User object and Flag object (sections 2.1 to 2.3 of the interface), as the public client shows them. */

import { z } from 'zod';
import { flag, hours, instant, list, one, textOrNothing, tolerant, whole, wholes } from '../connection/answer.ts';
import { trackerCode } from '../connection/errors.ts';

/** Section 2.2. Values hidden from anonymous readers are absent. */
export interface UserObject {
  readonly id?: number;
  readonly real_name?: string;
  /** The login. */
  readonly name?: string;
  readonly email?: string;
}

/** Section 2.3: a flag that is set on a bug or on an attachment. */
export interface Flag {
  readonly id: number;
  readonly name: string;
  readonly type_id?: number;
  /** Epoch milliseconds. */
  readonly creation_date?: number;
  /** Epoch milliseconds. */
  readonly modification_date?: number;
  /** `?`, `+` or `-`. */
  readonly status: string;
  /** Who created or last changed it. */
  readonly setter?: string;
  /** The requestee; absent if none. */
  readonly requestee?: string;
}

/**
 * The value of a custom field: most are texts, bug ids are numbers, multiple selections are lists, times are ISO texts
 * in UTC.
 */
export type CustomValue = string | number | boolean | readonly string[] | null;

/**
 * Section 2.1. Only the id is certain: values that the installation does not have, the account may not see or the
 * caller did not request are absent, which is not the same as null or empty. Times are epoch milliseconds, hours are
 * numbers.
 */
export interface Bug {
  readonly id: number;
  /** Empty when it has none. */
  readonly alias?: readonly string[];
  readonly assigned_to?: string;
  readonly assigned_to_detail?: UserObject;
  readonly blocks?: readonly number[];
  readonly depends_on?: readonly number[];
  readonly cc?: readonly string[];
  readonly cc_detail?: readonly UserObject[];
  readonly classification?: string;
  readonly component?: string;
  readonly product?: string;
  readonly version?: string;
  /** Epoch milliseconds. */
  readonly creation_time?: number;
  /** Epoch milliseconds. Comment tags, renamed people and votes do not move it. */
  readonly last_change_time?: number;
  readonly creator?: string;
  readonly creator_detail?: UserObject;
  /** `YYYY-MM-DD`. */
  readonly deadline?: string | null;
  readonly dupe_of?: number | null;
  readonly flags?: readonly Flag[];
  readonly groups?: readonly string[];
  readonly is_cc_accessible?: boolean;
  readonly is_creator_accessible?: boolean;
  readonly is_confirmed?: boolean;
  readonly is_open?: boolean;
  readonly keywords?: readonly string[];
  readonly op_sys?: string;
  readonly platform?: string;
  readonly priority?: string;
  readonly severity?: string;
  /** Empty when there is none. */
  readonly qa_contact?: string;
  readonly qa_contact_detail?: UserObject | null;
  /** Empty while the bug is open. */
  readonly resolution?: string;
  readonly see_also?: readonly string[];
  readonly status?: string;
  readonly summary?: string;
  readonly target_milestone?: string;
  readonly url?: string;
  readonly whiteboard?: string;
  /**
   * For the tracker's own pages; not in searches, and not for anonymous readers. It protects from nothing here: the
   * last writer wins.
   */
  readonly update_token?: string;
  /** Hours; shown to the time-tracking group only. */
  readonly actual_time?: number;
  /** Hours; shown to the time-tracking group only. */
  readonly estimated_time?: number;
  /** Hours; shown to the time-tracking group only. */
  readonly remaining_time?: number;
  /** The caller's own tags; only when asked for. */
  readonly tags?: readonly string[];
  readonly [custom: `cf_${string}`]: CustomValue;
}

const text = textOrNothing.exactOptional();
const userObject = z.object({ id: whole.exactOptional(), real_name: text, name: text, email: text });

export const flagSchema: z.ZodType<Flag> = z.object({
  id: whole,
  name: z.string(),
  type_id: whole.exactOptional(),
  creation_date: instant.exactOptional(),
  modification_date: instant.exactOptional(),
  status: z.string(),
  setter: text,
  requestee: one.exactOptional(),
});

const bugFields = z.object({
  id: whole,
  alias: list.exactOptional(),
  assigned_to: text,
  assigned_to_detail: userObject.exactOptional(),
  blocks: wholes.exactOptional(),
  depends_on: wholes.exactOptional(),
  cc: list.exactOptional(),
  cc_detail: z.array(userObject).exactOptional(),
  classification: text,
  component: text,
  product: text,
  version: text,
  creation_time: instant.exactOptional(),
  last_change_time: instant.exactOptional(),
  creator: text,
  creator_detail: userObject.exactOptional(),
  deadline: z.string().nullable().exactOptional(),
  dupe_of: whole.nullable().exactOptional(),
  flags: z.array(flagSchema).exactOptional(),
  groups: list.exactOptional(),
  is_cc_accessible: flag.exactOptional(),
  is_creator_accessible: flag.exactOptional(),
  is_confirmed: flag.exactOptional(),
  is_open: flag.exactOptional(),
  keywords: list.exactOptional(),
  op_sys: text,
  platform: text,
  priority: text,
  severity: text,
  qa_contact: text,
  qa_contact_detail: userObject.nullable().exactOptional(),
  resolution: text,
  see_also: list.exactOptional(),
  status: text,
  summary: text,
  target_milestone: text,
  url: text,
  whiteboard: text,
  update_token: one.exactOptional(),
  actual_time: hours.exactOptional(),
  estimated_time: hours.exactOptional(),
  remaining_time: hours.exactOptional(),
  tags: list.exactOptional(),
});

const customValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

/** Custom fields are kept unchanged; values of unknown form are dropped. */
const customFields = z.unknown().transform((bug): Readonly<Record<`cf_${string}`, CustomValue>> => {
  const customs = Object.entries(Object(bug)).flatMap(([name, value]) => {
    const parsed = name.startsWith('cf_') ? customValue.safeParse(value) : null;
    return parsed?.success ? [[name, parsed.data] as const] : [];
  });
  return Object.fromEntries(customs);
});

/** Other additions of an installation are not part of the interface and are dropped. */
export const bugSchema: z.ZodType<Bug> = z.intersection(tolerant(bugFields), customFields);

/** A bug that a read leaves out, and why. */
export interface BugFault {
  readonly id: string;
  readonly code: number | null;
  readonly message: string;
}

const faultSchema = z
  .object({ id: z.union([z.string(), z.number()]), faultCode: z.unknown(), faultString: z.string().nullish() })
  .transform(
    ({ id, faultCode, faultString }): BugFault => ({
      id: String(id),
      code: trackerCode(faultCode),
      message: faultString ?? '',
    }),
  );

/** Section 4.1. `faults` is part of a read, and never of a search. */
export const bugsSchema = z.object({ bugs: z.array(bugSchema), faults: z.array(faultSchema).nullish() });

/** The answers of Create Bug, Create Comments, Update Bug and Update Attachment. */

/** The removed and the added values; lists are joined by comma and space. */
export interface FieldChange {
  readonly removed: string;
  readonly added: string;
}

/** Section 4.5. */
export interface UpdatedBug {
  readonly id: number;
  readonly alias: readonly string[];
  /** Of this update, or of the last one if nothing changed. Epoch milliseconds; null if not reported. */
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

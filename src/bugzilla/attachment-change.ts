/** What Create Attachment (section 4.8), Update Attachment (4.9) and Create Comments (4.11) take. */
import type { FlagChange, NewFlag } from './bug-change.ts';

export interface NewAttachment {
  /** The content; a text is sent as UTF-8. Installations limit its size, often to 1000 KB. */
  readonly data: Uint8Array | string;
  /** The tracker cuts folders off, and what is over 255 characters. */
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

/** The content itself cannot be changed. Fields that this does not name are refused by the tracker. */
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
  /** Bugzilla 5.1 and later; refused (140) where the account or the installation does without. */
  readonly is_markdown?: boolean;
  /** Hours; ignored outside the time-tracking group. */
  readonly work_time?: number;
}

export interface TagChange {
  /** 3 to 24 characters each: letters, digits, `_`, `.` and `-`. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

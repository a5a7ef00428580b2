import { orderedFlags } from '../attachments/flags.ts';
import { keptText } from '../installation/characters.ts';
import type { TrackerAttachment, TrackerFlag, TrackerState } from './state.ts';

/** An attachment as the REST interface shows it to an insider. */
export interface WireAttachment {
  readonly id: number;
  readonly bug_id: number;
  readonly creator: string;
  readonly file_name: string;
  readonly summary: string;
  readonly content_type: string;
  readonly is_patch: number;
  readonly is_private: number;
  readonly is_obsolete: number;
  /** In base64; null if an administrator has deleted it, and, with `data_omitted`, if it was too long to record. */
  readonly data: string | null;
  readonly data_omitted?: boolean;
  readonly size: number | null;
  readonly flags: readonly WireFlag[];
  readonly creation_time: string;
  readonly last_change_time: string;
}

export interface WireFlag {
  readonly id: number;
  readonly type_id: number;
  readonly status: string;
  readonly setter: string;
  readonly requestee?: string;
  readonly creation_date: string;
  readonly modification_date: string;
}

export const attachmentRow = (state: TrackerState, attachment: WireAttachment): TrackerAttachment => ({
  id: attachment.id,
  bug: attachment.bug_id,
  creator: attachment.creator,
  fileName: keptText(state, attachment.file_name),
  summary: keptText(state, attachment.summary),
  contentType: attachment.content_type,
  isPatch: attachment.is_patch === 1,
  isPrivate: attachment.is_private === 1,
  isObsolete: attachment.is_obsolete === 1,
  content: attachment.data_omitted === true ? zeros(attachment.size ?? 0) : attachment.data,
  size: attachment.size ?? 0,
  flags: orderedFlags(attachment.flags.map(flagRow)),
  createdAt: Date.parse(attachment.creation_time),
  changedAt: Date.parse(attachment.last_change_time),
});

export const flagRow = (flag: WireFlag): TrackerFlag => ({
  id: flag.id,
  type: flag.type_id,
  status: flag.status === '+' ? '+' : flag.status === '-' ? '-' : '?',
  setter: flag.setter,
  requestee: flag.requestee ?? null,
  createdAt: Date.parse(flag.creation_date),
  changedAt: Date.parse(flag.modification_date),
});

/** That many zero bytes, in base64, in place of content that is missing. */
const zeros = (size: number): string => `${'AAAA'.repeat(Math.floor(size / 3))}${['', 'AA==', 'AAA='][size % 3] ?? ''}`;

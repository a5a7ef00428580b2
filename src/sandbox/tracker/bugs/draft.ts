import type { AttachmentDraft } from '../attachments/rows.ts';
import type { TrackerBug, TrackerState, User } from '../world/state.ts';

/**
 * One write, prepared on copies and committed as a whole or not at all. Each copy is compared with its original row, so
 * a write without changes leaves no trace and no new time.
 */
export interface Edit {
  readonly state: TrackerState;
  readonly user: User;
  /** The time stamp of all its changes. */
  readonly at: number;
  readonly drafts: Map<number, Draft>;
  readonly comments: DraftComment[];
  /** New and changed attachments, by id. */
  readonly attachments: Map<number, AttachmentDraft>;
  /** New bugs as filed, before their flags were set: the history reports flags as a change. */
  readonly filed: Map<number, TrackerBug>;
  /** Comments that become private or public, by id. */
  readonly privacy: Map<number, boolean>;
  /** Values as the write spelled them, by `BUG.FIELD`, if they are kept in another form. */
  readonly spelled: Map<string, string>;
}

export type Draft = { -readonly [Field in keyof TrackerBug]: TrackerBug[Field] };

export interface DraftComment {
  readonly bug: number;
  text: string;
  readonly isPrivate: boolean;
  readonly isMarkdown?: boolean;
  /** Hours worked that it reports, if any. */
  workTime?: number;
  /** The attachment of the comment, if it has one. */
  readonly on?: { readonly attachment: number; readonly event: 'created' | 'updated' };
}

import type { AttachmentDraft } from '../attachments/rows.ts';
import type { TrackerBug, TrackerState, User } from '../world/state.ts';

/**
 * One write, prepared on copies and committed as a whole or not at all. What changed is found by comparing each copy with the row
 * it came from, so that a write that changes nothing leaves no trace and no new time.
 */
export interface Edit {
  readonly state: TrackerState;
  readonly user: User;
  /** The time stamp of everything it does. */
  readonly at: number;
  readonly drafts: Map<number, Draft>;
  readonly comments: DraftComment[];
  /** Attachments that come or change, by id. */
  readonly attachments: Map<number, AttachmentDraft>;
  /** New bugs as they were filed, before their flags were set: what the flags bring is told by the history. */
  readonly filed: Map<number, TrackerBug>;
  /** Comments that become private or public, by id. */
  readonly privacy: Map<number, boolean>;
  /** Values as the write spelled them, by `BUG.FIELD`, where they are kept in a form of their own. */
  readonly spelled: Map<string, string>;
}

export type Draft = { -readonly [Field in keyof TrackerBug]: TrackerBug[Field] };

export interface DraftComment {
  readonly bug: number;
  text: string;
  readonly isPrivate: boolean;
  readonly isMarkdown?: boolean;
  /** Hours worked that it tells of, if it does. */
  workTime?: number;
  /** The attachment that the comment belongs to, if it belongs to one. */
  readonly on?: { readonly attachment: number; readonly event: 'created' | 'updated' };
}

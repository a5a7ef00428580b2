import type { BugId } from '../ids.ts';
import type { BugValues, CloseReason, CustomValues, FieldValues } from '../item.ts';
import type { FurtherValues } from '../route.ts';

/** A bug to file. */
export interface BugDraft {
  readonly product: string;
  readonly summary: string;
  readonly description: string;
  /** The description is Markdown, for a tracker that takes it. */
  readonly isMarkdown?: true;
  readonly values: BugValues;
  /** The route's values for every new bug; the other properties of the draft override them. */
  readonly further?: FurtherValues;
  readonly keywords: readonly string[];
  readonly whiteboard?: string;
  readonly customs?: CustomValues;
  /** A login; if absent, the tracker chooses. */
  readonly assignee?: string;
  /** If absent, the tracker chooses. */
  readonly milestone?: string;
  /** The issue's URL, by which the bug is found again; null if the tracker does not accept it in See Also. */
  readonly seeAlso: string | null;
}

/** One PUT. Absent means unchanged. */
export interface BugPatch {
  readonly summary?: string;
  readonly status?: string;
  readonly resolution?: string;
  readonly dupeOf?: BugId;
  readonly values?: BugValues;
  readonly keywords?: SetPatch;
  /** The whole whiteboard, although only its tags change. */
  readonly whiteboard?: string;
  readonly customs?: CustomValues;
  /** A login; null resets to the default assignee of the component. */
  readonly assignee?: string | null;
  readonly milestone?: string;
  readonly dependsOn?: SetPatch;
  /** A URL to add. */
  readonly seeAlso?: string;
  /** A comment in the same request, and so in the same e-mail; it may be Markdown, for a tracker that takes it. */
  readonly comment?: string;
  readonly isMarkdown?: true;
}

/** An issue to open. */
export interface IssueDraft {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly assignees?: readonly string[];
  /** A title. */
  readonly milestone?: string;
  /** The name of a type; left out if the organisation does not have it. */
  readonly type?: string;
  /** By name; fields and options that the organisation does not have are left out. */
  readonly fields?: FieldValues;
}

/** One PATCH, except where noted. Absent means unchanged. */
export interface IssuePatch {
  readonly title?: string;
  readonly state?: 'open' | 'closed';
  /** Goes with `state: 'closed'`. */
  readonly reason?: CloseReason;
  /** The database id of the issue that this one duplicates. */
  readonly duplicateOfId?: number;
  readonly labels?: SetPatch;
  readonly assignees?: SetPatch;
  /** A title, created if the repository does not have it; null removes the milestone. */
  readonly milestone?: string | null;
  /** The name of a type, null for none; left out if the organisation does not have it. */
  readonly type?: string | null;
  /**
   * The organisation's fields that change, by name; null clears one. Those that it does not have are left out. Sent
   * apart from the PATCH.
   */
  readonly fields?: Readonly<Record<string, string | readonly string[] | null>>;
  /** The whole new body; `stale` when the body is no longer as seen. */
  readonly body?: string;
  /**
   * A passage of the body to replace at its last occurrence; `stale` when the body lacks it, or differs and it is only
   * added to.
   */
  readonly passage?: { readonly was: string; readonly becomes: string };
  /**
   * Adds or removes one issue that blocks this one, by its database id. It is not part of the PATCH, so it is sent
   * alone.
   */
  readonly blocker?: BlockerPatch;
  /** Text to append to the body once, after an empty line if there is a body. */
  readonly footer?: string;
}

export interface BlockerPatch {
  readonly change: 'add' | 'remove';
  readonly issueId: number;
}

export interface SetPatch {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

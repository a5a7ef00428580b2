import type { BugId, IssueNumber, Side } from './ids.ts';

/** Who wrote something. `name` is for showing and is never an e-mail address. */
export interface Person {
  readonly login: string;
  readonly name: string;
  /** Only where the side says that it is a program. */
  readonly isBot?: true;
}

/** The single-valued bug fields that a route may show as labels. */
export const bugValueNames = ['component', 'severity', 'priority', 'platform', 'op_sys', 'version'] as const;
export type BugValueName = (typeof bugValueNames)[number];
export type BugValues = Readonly<Partial<Record<BugValueName, string>>>;

/** A field that an installation has added for itself. */
export type CustomName = `cf_${string}`;
/** Values of custom fields that are chosen from a list: one, or a list where several may be chosen. */
export type CustomValues = Readonly<Record<CustomName, string | readonly string[]>>;

/** Values of an organisation's issue fields, by the field's name: a text, a number as text, a date, an option, or a list of options. */
export type FieldValues = Readonly<Record<string, string | readonly string[]>>;

/** A bug as the tracker shows it to the bridge's account. All times are epoch milliseconds. */
export interface Bug {
  readonly kind: 'bug';
  readonly id: BugId;
  /** The page that people open. */
  readonly url: string;
  readonly product: string;
  readonly summary: string;
  readonly status: string;
  /** Empty while the bug is open. */
  readonly resolution: string;
  readonly dupeOf: BugId | null;
  /** A name that is absent was not shown to us, which is not the same as empty. */
  readonly values: BugValues;
  readonly keywords: readonly string[];
  /** Free text, in which people write tags as `[tag]`; absent when no label shows them, or it was not shown. */
  readonly whiteboard?: string;
  /** The custom fields that labels show, as far as they were shown. */
  readonly customs?: CustomValues;
  /** Null when it was not shown; a bug always has one. */
  readonly assignee: Person | null;
  /** The target milestone; null when it was not shown, `---` or empty for none. */
  readonly milestone: string | null;
  readonly seeAlso: readonly string[];
  /** The bugs that this one waits for, also those that only some may see; absent when it was not shown. */
  readonly dependsOn?: readonly BugId[];
  /** Further fields that the route shows in a table, by name, in words for people: nobody's address, and of many people the number. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** True when the bug is in any group. */
  readonly isPrivate: boolean;
  readonly creator: Person;
  readonly createdAt: number;
  readonly changedAt: number;
}

export type CloseReason = 'completed' | 'not_planned' | 'duplicate';

/** An issue as GitHub shows it. Pull requests are never turned into one of these. */
export interface Issue {
  readonly kind: 'issue';
  readonly number: IssueNumber;
  /** The database id, which relations such as "duplicate of" are written with. */
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  /** Null on an open issue; a closed one without a reason counts as completed. */
  readonly reason: CloseReason | null;
  readonly labels: readonly string[];
  /** Logins. */
  readonly assignees: readonly string[];
  /** A title; null for none. */
  readonly milestone: string | null;
  /** The name of its type, null for none; absent where GitHub does not tell of types. */
  readonly type?: string | null;
  /** What its organisation's fields hold, without those that are empty; absent where GitHub does not tell of fields. */
  readonly fields?: FieldValues;
  readonly author: Person;
  readonly commentCount: number;
  /** Only people who may write to the repository can comment on a locked issue. */
  readonly isLocked: boolean;
  /** How many issues block this one, those of other repositories too; absent where GitHub does not tell. */
  readonly blockerCount?: number;
  /** The issues of the same repository that block this one; absent where the route does not ask or GitHub does not tell. */
  readonly blockedBy?: readonly IssueNumber[];
  readonly createdAt: number;
  readonly changedAt: number;
}

export type Item = Bug | Issue;

/** The number an item is known by on its own side. */
export const refOf = (item: Item): number => (item.kind === 'bug' ? item.id : item.number);
export const sideOf = (item: Item): Side => (item.kind === 'bug' ? 'tracker' : 'github');

/** Why a comment is folded away, so that a reader has to ask for it: GitHub's reasons, as its answers spell them. */
export type MinimizeReason = 'spam' | 'abuse' | 'off-topic' | 'outdated' | 'duplicate' | 'resolved';

/** A comment on either side. A bug's description is its comment with `count` 0. */
export interface Comment {
  readonly side: Side;
  readonly id: number;
  /** The bug or issue it stands on. */
  readonly ref: number;
  /** Position within the bug, for the words "comment 3"; null on GitHub. */
  readonly count: number | null;
  readonly url: string;
  readonly author: Person;
  readonly text: string;
  /** On the tracker: its text is Markdown, as all texts of GitHub are. */
  readonly isMarkdown?: true;
  readonly isPrivate: boolean;
  /** What people tagged it with; absent on GitHub, and where the tracker does not tell. */
  readonly tags?: readonly string[];
  /** Why it is folded away on GitHub, null when it is not; absent on trackers, and where GitHub does not tell. */
  readonly minimize?: string | null;
  readonly createdAt: number;
  readonly changedAt: number;
}

/**
 * What both sides can express, as comparable values:
 *
 *   title     the canonical summary
 *   status    a view (see fields/status.ts), such as `open`, `open: status: in progress`, `completed`
 *   component, severity ...   the tracker's value; null when GitHub shows none
 *   keywords  the tracker's names, sorted
 *   whiteboard  the tags in it, sorted
 *   cf_...    a custom field: the chosen value, null for none; or the chosen values, sorted
 *   assignee  the GitHub login of somebody whom the route's people name; null is nobody
 *   milestone the tracker's name; null is none
 *   dependsOn ids of bugs that both sides can name, as text
 *   table     the folded table of the issue as Markdown, which is the tracker's alone; null is none
 *
 * A field that is absent takes no part: the route does not map it, or the side does not show it.
 */
export const fieldNames = [
  'title',
  'status',
  ...bugValueNames,
  'keywords',
  'whiteboard',
  'assignee',
  'milestone',
  'dependsOn',
  'table',
] as const;
export type FieldName = (typeof fieldNames)[number] | CustomName;

export type Value = string | null | readonly string[];
export type Fields = Readonly<Partial<Record<FieldName, Value>>>;

import type { BugId, IssueNumber, Side } from './ids.ts';

/** The author of something. `name` is for display and is never an e-mail address. */
export interface Person {
  readonly login: string;
  readonly name: string;
  /** The side's own number of the account, where it shows one; a login may change, and be given to others. */
  readonly id?: number;
  /** Present only if the side says that the account is a bot. */
  readonly isBot?: true;
}

/** The name of a person of whom only the login is known, which may be an e-mail address. */
export const shortName = ({ login }: Pick<Person, 'login'>): string => login.split('@', 1)[0] ?? '';

/** Stamps of both sides have whole seconds: something may be so much later than its stamp. */
export const stampMs = 1_000;

/** The single-valued bug fields that a route may show as labels. */
export const bugValueNames = ['component', 'severity', 'priority', 'platform', 'op_sys', 'version'] as const;
export type BugValueName = (typeof bugValueNames)[number];
export type BugValues = Readonly<Partial<Record<BugValueName, string>>>;

/** A custom field of an installation, or the deadline: like these, it is read only for a rule that shows it. */
export type CustomName = `cf_${string}` | 'deadline';
/** Their values: one of a list, a list where several may be chosen, a whole number, or a day; empty for none. */
export type CustomValues = Readonly<Record<`cf_${string}`, string | readonly string[]>> & {
  readonly deadline?: string | readonly string[];
};

/**
 * Values of an organisation's issue fields, by the field's name: a text, a number as text, a date, an option, or a list
 * of options.
 */
export type FieldValues = Readonly<Record<string, string | readonly string[]>>;

/** A bug as the tracker shows it to the bridge's account. All times are epoch milliseconds. */
export interface Bug {
  readonly kind: 'bug';
  readonly id: BugId;
  /** The bug's page. */
  readonly url: string;
  readonly product: string;
  readonly summary: string;
  readonly status: string;
  /** Empty while the bug is open. */
  readonly resolution: string;
  readonly dupeOf: BugId | null;
  /** An absent name was not shown to us, which is not the same as empty. */
  readonly values: BugValues;
  readonly keywords: readonly string[];
  /** Free text with tags such as `[tag]`; absent when no label rule uses it, or when it was not shown. */
  readonly whiteboard?: string;
  /** The custom fields that label rules use, as far as they were shown. */
  readonly customs?: CustomValues;
  /** Null when not shown; a bug always has one. */
  readonly assignee: Person | null;
  /** The target milestone; null when not shown, `---` or empty for none. */
  readonly milestone: string | null;
  readonly seeAlso: readonly string[];
  /** The bugs that block this one, including restricted ones; absent when not shown. */
  readonly dependsOn?: readonly BugId[];
  /**
   * Further fields that the route shows in a table, by name, as text for people: no e-mail addresses, and long lists of
   * people as a count.
   */
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
  /** The database id, needed to write relations such as "duplicate of". */
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
  /** The name of its type, null for none; absent if GitHub does not report types. */
  readonly type?: string | null;
  /** Values of the organisation's issue fields, without empty ones; absent if GitHub does not report fields. */
  readonly fields?: FieldValues;
  readonly author: Person;
  readonly commentCount: number;
  /** Only people who may write to the repository can comment on a locked issue. */
  readonly isLocked: boolean;
  /** How many people liked it with a thumbs up; absent for none, and if GitHub does not say. */
  readonly thumbsUp?: number;
  /** How many issues block this one, including those of other repositories; absent if GitHub does not say. */
  readonly blockerCount?: number;
  /** The issues of the same repository that block this one; absent if the route does not ask or GitHub does not say. */
  readonly blockedBy?: readonly IssueNumber[];
  readonly createdAt: number;
  readonly changedAt: number;
  /** When it was closed; absent on an open issue, and if GitHub does not say. */
  readonly closedAt?: number;
}

export type Item = Bug | Issue;

/** The item's number on its own side. */
export const refOf = (item: Item): number => (item.kind === 'bug' ? item.id : item.number);
export const sideOf = (item: Item): Side => (item.kind === 'bug' ? 'tracker' : 'github');

/** Why a comment is minimized, that is, hidden behind a click: GitHub's reasons, as its answers spell them. */
export type MinimizeReason = 'spam' | 'abuse' | 'off-topic' | 'outdated' | 'duplicate' | 'resolved';

/** A comment on either side. A bug's description is its comment with `count` 0. */
export interface Comment {
  readonly side: Side;
  readonly id: number;
  /** The bug or issue it belongs to. */
  readonly ref: number;
  /** Position within the bug, as in "comment 3"; null on GitHub. */
  readonly count: number | null;
  readonly url: string;
  readonly author: Person;
  readonly text: string;
  /**
   * What our account wrote before people edited it. Only on GitHub, and only where `text` does not show any more what
   * the comment is.
   */
  readonly firstText?: string;
  /** The tracker's text is Markdown. Never set for GitHub, where every text is. */
  readonly isMarkdown?: true;
  readonly isPrivate: boolean;
  /** Its tags; absent on GitHub, and if the tracker does not report them. */
  readonly tags?: readonly string[];
  /** Why it is minimized on GitHub, null when it is not; absent on trackers, and if GitHub does not say. */
  readonly minimize?: string | null;
  readonly createdAt: number;
  readonly changedAt: number;
}

/**
 * What both sides can express, as comparable values:
 *
 *   title     the canonical summary
 *   status    a view (see rules/fields/status.ts), such as `open`, `open: status: in progress`, `completed`
 *   component, severity ...   the tracker's value; null when GitHub shows none
 *   keywords  the tracker's names, sorted
 *   whiteboard  the tags in it, sorted
 *   cf_...    a custom field: the chosen value, null for none; or the chosen values, sorted
 *   assignee  the GitHub login of a user listed in the route's `people`; null means unassigned
 *   milestone the tracker's name; null means none
 *   dependsOn ids of bugs that both sides can name, as text
 *   table     the collapsed table in the issue, as Markdown; only the tracker changes it; null means none
 *
 * An absent field is not compared: the route does not map it, or the side does not show it.
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

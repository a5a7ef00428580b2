import type { TrackerSettings } from '../installation/settings.ts';

/**
 * What the sandbox tracker holds. Rows are never changed in place: an edit puts a new row in the place of the old
 * one (see edit.ts), so that a row once read is a snapshot. Fields carry the names of the REST interface; times are
 * epoch milliseconds at whole seconds.
 */
export interface User {
  readonly id: number;
  /** An e-mail address, as on real trackers. */
  readonly login: string;
  readonly realName: string;
  readonly groups: readonly string[];
  readonly password: string;
  readonly apiKey: string;
  /** Keys that the account's owner has taken back. */
  readonly revokedKeys: readonly string[];
  /** Why the account may not be used; null while it may. */
  readonly disabledText: string | null;
}

export interface Component {
  readonly name: string;
  readonly description: string;
  readonly assignee: string;
  /** Empty when there is none. */
  readonly qaContact: string;
}

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly hasUnconfirmed: boolean;
  readonly components: readonly Component[];
  readonly versions: readonly string[];
  readonly milestones: readonly string[];
  /** Every bug of the product is in these groups. */
  readonly mandatoryGroups: readonly string[];
  /** A bug of the product may be put into these groups. */
  readonly optionalGroups: readonly string[];
  /** Takes no new bugs. */
  readonly isClosed?: boolean;
}

export interface Keyword {
  readonly name: string;
  readonly description: string;
}

export interface TrackerFlag {
  readonly id: number;
  /** Number of its kind, see flag-types.ts. */
  readonly type: number;
  readonly status: '?' | '+' | '-';
  /** Login of who set it; a request that is passed on keeps who asked. */
  readonly setter: string;
  /** Login of who is asked; null when nobody is. */
  readonly requestee: string | null;
  readonly createdAt: number;
  readonly changedAt: number;
}

export interface TrackerAttachment {
  readonly id: number;
  readonly bug: number;
  readonly creator: string;
  readonly fileName: string;
  readonly summary: string;
  readonly contentType: string;
  readonly isPatch: boolean;
  readonly isPrivate: boolean;
  readonly isObsolete: boolean;
  /** In base64; null when an administrator has deleted it. */
  readonly content: string | null;
  /** Bytes. */
  readonly size: number;
  readonly flags: readonly TrackerFlag[];
  readonly createdAt: number;
  readonly changedAt: number;
}

/** A field that only this installation has. What values look like is told in custom-fields.ts. */
export interface CustomField {
  /** Begins with `cf_`. */
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'textarea' | 'select' | 'multi' | 'datetime' | 'date' | 'bug';
  /** What can be chosen; empty for kinds without a choice. */
  readonly values: readonly string[];
  /** Whether the tracker refuses a bug on which it says nothing. */
  readonly isMandatory?: true;
}

export interface TrackerBug {
  readonly id: number;
  readonly alias: readonly string[];
  readonly product: string;
  readonly component: string;
  readonly version: string;
  readonly target_milestone: string;
  readonly summary: string;
  readonly status: string;
  readonly resolution: string;
  readonly dupe_of: number | null;
  readonly is_confirmed: boolean;
  readonly severity: string;
  readonly priority: string;
  readonly platform: string;
  readonly op_sys: string;
  readonly creator: string;
  readonly assigned_to: string;
  readonly qa_contact: string;
  readonly cc: readonly string[];
  readonly keywords: readonly string[];
  readonly see_also: readonly string[];
  readonly depends_on: readonly number[];
  readonly blocks: readonly number[];
  readonly groups: readonly string[];
  readonly url: string;
  readonly whiteboard: string;
  /** `YYYY-MM-DD`. */
  readonly deadline: string | null;
  readonly is_cc_accessible: boolean;
  readonly is_creator_accessible: boolean;
  readonly flags: readonly TrackerFlag[];
  /** Custom fields by name. */
  readonly custom: Readonly<Record<string, unknown>>;
  /** Where bugs have one, as on harmony. */
  readonly type?: string;
  /** Hours, shown to the time-tracking group only. */
  readonly hours: { readonly actual: number; readonly estimated: number; readonly remaining: number };
  readonly createdAt: number;
  readonly changedAt: number;
}

export interface TrackerComment {
  readonly id: number;
  readonly bug: number;
  readonly creator: string;
  readonly at: number;
  readonly isPrivate: boolean;
  /** What was written. A comment on an attachment is shown with a heading before it, see comment-text.ts. */
  readonly text: string;
  readonly isMarkdown?: true;
  readonly attachment: number | null;
  /** How the comment belongs to its attachment: it came with it, or was made on it later; null without an attachment. */
  readonly attachmentEvent: 'created' | 'updated' | null;
  /** Hours worked that it tells of. */
  readonly workTime: number;
  readonly tags: readonly string[];
}

/** One changed field. Rows of one person in one second are shown as one entry. */
export interface HistoryRow {
  readonly at: number;
  readonly who: string;
  readonly field: string;
  readonly removed: string;
  readonly added: string;
  readonly attachment: number | null;
  /** The comment that became private or public. */
  readonly comment?: number;
}

/** A notification: who was told of what. On a real tracker each is a mail to everyone that it names. */
export interface TrackerEvent {
  readonly id: number;
  readonly at: number;
  readonly bug: number;
  /** Who did it. */
  readonly who: string;
  readonly kind: 'filed' | 'changed' | 'commented';
  /** The fields that changed; empty for other kinds. */
  readonly fields: readonly string[];
  /** The comment that was written; null for other kinds. */
  readonly comment: number | null;
  /** Logins, in alphabetical order. */
  readonly recipients: readonly string[];
}

/** How a bug stood in the lists until it was changed, for lists that lag behind. */
export interface PastRow {
  readonly id: number;
  readonly bug: TrackerBug | null;
  readonly until: number;
}

/** What `GET /rest/login` gives out. */
export interface LoginToken {
  readonly user: number;
  /** The only address that may use it; null when it may come from anywhere. */
  readonly address: string | null;
  readonly usedAt: number;
}

/** A wrong password. */
export interface LoginFailure {
  readonly user: number;
  readonly address: string;
  readonly at: number;
}

/**
 * How an installation has to do with Markdown: not at all, as the measured one; each comment says whether it is such, as in 5.3; or it reads
 * all texts so and says it of none, as harmony and BMO do.
 */
export type TrackerMarkdown = 'none' | 'comment' | 'site';

/** As what a JSON body is read, whatever charset its type names: rightly, or byte by byte, as 5.3.3 does. Measured. */
export type TrackerBodies = 'utf-8' | 'latin-1';

/** What an installation tells to a key: versions differ in it. */
export interface TrackerTells {
  /** Whose key it is, by GET /whoami. */
  readonly account: boolean;
  /** Its parameters, by GET /parameters. */
  readonly parameters: boolean;
}

export interface TrackerState {
  /** Without a slash at the end. */
  readonly url: string;
  readonly now: () => number;
  /** IANA name of the server's own zone, in which times without a zone are taken, and charts and history count. */
  timeZone: string;
  readonly listLagMs: number;
  /** Longer lists are cut without a word. */
  maxSearchResults: number;
  /** See `TrackerWorldOptions`. */
  readonly markdown: TrackerMarkdown;
  readonly bodies: TrackerBodies;
  /** Where the pages for people lead for a URL in see_also. */
  readonly pageLink: (url: string) => string;
  settings: TrackerSettings;
  /** When the installation itself (its products, users, parameters ...) was last changed. */
  auditedAt: number;
  readonly users: User[];
  /** By token. */
  readonly tokens: Map<string, LoginToken>;
  loginFailures: readonly LoginFailure[];
  readonly products: Product[];
  readonly keywords: readonly Keyword[];
  readonly customFields: readonly CustomField[];
  /** The types that bugs may have, one of which every new bug has to say, as on harmony; none where they have none. */
  readonly bugTypes: readonly string[];
  /** What it tells of itself; the measured one has no whoami. */
  tells: TrackerTells;
  /** Whether bugs without a description are refused. */
  needsDescription: boolean;
  readonly bugs: Map<number, TrackerBug>;
  /** By bug, ordered by time and then id. */
  readonly comments: Map<number, readonly TrackerComment[]>;
  readonly history: Map<number, readonly HistoryRow[]>;
  /** By id, in the order in which they happened. */
  readonly events: Map<number, TrackerEvent>;
  /** By their own id. */
  readonly attachments: Map<number, TrackerAttachment>;
  past: readonly PastRow[];
  nextBug: number;
  nextComment: number;
  nextEvent: number;
  nextAttachment: number;
  nextFlag: number;
  nextToken: number;
}

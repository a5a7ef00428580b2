import type { TrackerSettings } from '../installation/settings.ts';
import type { TrackerVersion } from '../installation/versions.ts';

/**
 * The data of the sandbox tracker. Rows are never changed in place: an edit replaces them (see edit.ts), so a row that
 * you have read is a snapshot. Fields carry the names of the REST interface; times are epoch milliseconds at whole
 * seconds.
 */
export interface User {
  readonly id: number;
  /** An e-mail address, as on real trackers. */
  readonly login: string;
  readonly realName: string;
  readonly groups: readonly string[];
  readonly password: string;
  readonly apiKey: string;
  /** Keys that the account's owner has revoked. */
  readonly revokedKeys: readonly string[];
  /** Why the account is disabled; null if it is not. */
  readonly disabledText: string | null;
}

/** A component, version or milestone. Each of these kinds is numbered across products, in the order of creation. */
export interface Part {
  readonly id: number;
  readonly name: string;
}

export interface Milestone extends Part {
  readonly sortKey: number;
}

export interface Component extends Part {
  readonly description: string;
  readonly assignee: string;
  /** Empty if there is none. */
  readonly qaContact: string;
}

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly hasUnconfirmed: boolean;
  readonly components: readonly Component[];
  readonly versions: readonly Part[];
  /** The first one is the default. */
  readonly milestones: readonly Milestone[];
  /** Every bug of the product is in these groups. */
  readonly mandatoryGroups: readonly string[];
  /** A bug of the product may be put into these groups. */
  readonly optionalGroups: readonly string[];
  /** Of these, those that a new bug of a member is in unless it names groups; none if absent. */
  readonly defaultGroups?: readonly string[];
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
  /** The login that set it. A request that is passed on keeps the login that asked first. */
  readonly setter: string;
  /** The login that is asked; null if the flag asks no one. */
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
  /** In base64; null if an administrator has deleted it. */
  readonly content: string | null;
  /** Bytes. */
  readonly size: number;
  readonly flags: readonly TrackerFlag[];
  readonly createdAt: number;
  readonly changedAt: number;
}

/** A field that only this installation has. custom-fields.ts describes the values. */
export interface CustomField {
  /** Begins with `cf_`. */
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'textarea' | 'select' | 'multi' | 'datetime' | 'date' | 'bug' | 'integer';
  /** The values to choose from; empty for other kinds. */
  readonly values: readonly string[];
  /** Whether the tracker refuses a bug without a value. */
  readonly isMandatory?: true;
  /** Whether only a new bug can be given a value: nobody here has the right to change it. */
  readonly isFixed?: true;
  /** Whether bugs of these products keep their value to themselves. */
  readonly isUnseen?: true;
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
  /** How many votes it has; only harmony shows them. */
  readonly votes?: number;
  /** Only where bugs have a type, as on harmony. */
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
  /** The text as written. The tracker shows a comment on an attachment below a heading, see comments.ts. */
  readonly text: string;
  readonly isMarkdown?: true;
  readonly attachment: number | null;
  /** Whether the comment came with its attachment or was made on it later; null without an attachment. */
  readonly attachmentEvent: 'created' | 'updated' | null;
  /** Hours worked that it reports. */
  readonly workTime: number;
  readonly tags: readonly string[];
  /** Its earlier texts, on harmony, where comments can be edited. */
  readonly edits?: readonly string[];
}

/** One changed field. The history shows all rows of one person in one second together. */
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

/** A notification. A real tracker sends each as an e-mail to every recipient. */
export interface TrackerEvent {
  readonly id: number;
  readonly at: number;
  readonly bug: number;
  /** The login that did it. */
  readonly who: string;
  readonly kind: 'filed' | 'changed' | 'commented';
  /** The fields that changed; empty for other kinds. */
  readonly fields: readonly string[];
  /** The comment that was written; null for other kinds. */
  readonly comment: number | null;
  /** Logins, in alphabetical order. */
  readonly recipients: readonly string[];
}

/** A bug as the lists showed it before a change, for lists that lag. */
export interface PastRow {
  readonly id: number;
  readonly bug: TrackerBug | null;
  readonly until: number;
}

/** A token from `GET /rest/login`. */
export interface LoginToken {
  readonly user: number;
  /** The only address that may use it; null for any address. */
  readonly address: string | null;
  readonly usedAt: number;
}

/** A wrong password. */
export interface LoginFailure {
  readonly user: number;
  readonly address: string;
  readonly at: number;
}

export interface TrackerState {
  /** Without a slash at the end. */
  readonly url: string;
  readonly now: () => number;
  /** IANA name of the server's own zone. Times without a zone, charts and history use it. */
  timeZone: string;
  readonly listLagMs: number;
  /** Longer lists are cut silently. */
  maxSearchResults: number;
  /** See installation/versions.ts for what it decides. */
  version: TrackerVersion;
  /** Whether the site reads all texts as Markdown, where the version can. */
  readonly hasMarkdown: boolean;
  readonly hasGroupExtension: boolean;
  /** URLs that see_also takes besides those of a stock tracker. */
  readonly takesSeeAlso: (url: string) => boolean;
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

/**
 * What Create Bug (section 4.4), Update Bug (4.5) and the flags of section 4.6 take. Absent means: leave it to the
 * tracker, or unchanged.
 */

import { TrackerError } from '../connection/errors.ts';
import type { CustomValue } from './bug.ts';

/** Section 4.6.1. `status` and one of `name` and `type_id` are needed. */
export type NewFlag = ({ readonly name: string } | { readonly type_id: number }) & {
  readonly name?: string;
  readonly type_id?: number;
  readonly status: FlagStatus;
  /** A login; only for types that can be requested of a user. */
  readonly requestee?: string;
  /** Without effect, as every flag of a new bug or attachment is new; for callers that write both kinds alike. */
  readonly new?: boolean;
};

/** Section 4.6.2. `id` names the flag where several share a name; `type_id` the type where several types do. */
export type FlagChange = ({ readonly id: number } | { readonly name: string } | { readonly type_id: number }) & {
  readonly id?: number;
  readonly name?: string;
  readonly type_id?: number;
  readonly status: FlagStatus;
  readonly requestee?: string;
  /** True adds a flag even if one with that name exists. */
  readonly new?: boolean;
};

/** `X` clears. */
export type FlagStatus = '?' | '+' | '-' | 'X';

type CustomFields = { readonly [custom: `cf_${string}`]: CustomValue };

/** Section 4.4. The tracker refuses unknown fields. */
export interface NewBug extends CustomFields {
  readonly product: string;
  readonly component: string;
  /** At most 255 characters. */
  readonly summary: string;
  readonly version: string;
  /** At most 65535 characters. */
  readonly description?: string;
  readonly op_sys?: string;
  readonly platform?: string;
  readonly priority?: string;
  readonly severity?: string;
  /** Unique in the whole tracker, at most 40 characters, without commas and spaces. */
  readonly alias?: string | readonly string[];
  readonly assigned_to?: string;
  readonly cc?: readonly string[];
  /** True makes the description private. */
  readonly comment_is_private?: boolean;
  /** Absent takes the product's groups, an empty list takes none. */
  readonly groups?: readonly string[];
  readonly qa_contact?: string;
  /** Silently lowered if the account may not set it. */
  readonly status?: string;
  readonly resolution?: string;
  readonly target_milestone?: string;
  readonly flags?: readonly NewFlag[];
  readonly keywords?: readonly string[];
  readonly depends_on?: readonly number[];
  readonly blocks?: readonly number[];
  readonly see_also?: readonly string[];
  readonly url?: string;
  readonly whiteboard?: string;
  /** `YYYY-MM-DD`. */
  readonly deadline?: string;
  /** Hours. */
  readonly estimated_time?: number;
}

export interface ListChange<Value> {
  readonly add?: readonly Value[];
  readonly remove?: readonly Value[];
}

export interface SetChange<Value> extends ListChange<Value> {
  /** Replaces the whole list; `add` and `remove` are then ignored. */
  readonly set?: readonly Value[];
}

/** Section 4.5. The tracker ignores unknown fields, and detects no collisions: the last writer wins. */
export interface BugChange extends CustomFields {
  /** A text replaces all aliases. Only when a single bug is changed. */
  readonly alias?: string | SetChange<string>;
  readonly assigned_to?: string;
  readonly blocks?: SetChange<number>;
  readonly depends_on?: SetChange<number>;
  readonly cc?: ListChange<string>;
  readonly is_cc_accessible?: boolean;
  readonly is_creator_accessible?: boolean;
  readonly comment?: { readonly body: string; readonly is_private?: boolean };
  /** By comment id: true makes it private. */
  readonly comment_is_private?: Readonly<Record<number, boolean>>;
  readonly component?: string;
  /** `YYYY-MM-DD`; null or an empty text removes it. */
  readonly deadline?: string | null;
  /** Sets its own status and resolution, which must not be sent with it. */
  readonly dupe_of?: number;
  /** Hours. */
  readonly estimated_time?: number;
  readonly flags?: readonly FlagChange[];
  readonly groups?: ListChange<string>;
  readonly keywords?: SetChange<string>;
  readonly op_sys?: string;
  readonly platform?: string;
  readonly priority?: string;
  /** Requires a component, a version and a milestone of the new product. */
  readonly product?: string;
  readonly qa_contact?: string;
  /** Hours. */
  readonly remaining_time?: number;
  readonly reset_assigned_to?: boolean;
  readonly reset_qa_contact?: boolean;
  /** Only on a bug that is closed, or closed by the same change. */
  readonly resolution?: string;
  readonly see_also?: ListChange<string>;
  readonly severity?: string;
  /** An open status clears the resolution of a closed bug. */
  readonly status?: string;
  readonly summary?: string;
  readonly target_milestone?: string;
  readonly url?: string;
  readonly version?: string;
  readonly whiteboard?: string;
  /** Hours; taken from the remaining time where that is not set by the same change. */
  readonly work_time?: number;
}

/** How a bug is named in a request: its number, or one of its aliases. */
export type BugName = number | string;

/**
 * A bug's name as a part of an address. Throws `TrackerError` of kind `invalid` for one that would lead elsewhere: an
 * empty name leads to the search, which finds everything.
 */
export function inPath(name: BugName): BugName {
  if (name === '' || name === '.' || name === '..')
    throw new TrackerError('invalid', `"${name}" names nothing on the tracker`);
  return name;
}

/** The first of several names is in the address, the others are parameters. Null for none. */
export function apart<Name extends BugName>(
  names: readonly Name[],
): { readonly first: BugName; readonly others: readonly Name[] } | null {
  const [first, ...others] = [...new Set(names)];
  return first === undefined ? null : { first: inPath(first), others };
}

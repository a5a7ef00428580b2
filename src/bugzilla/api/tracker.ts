/**
 * A typed client of the bug tracker's whole REST interface; the package exports this file as `bugferry/tracker`. Method
 * and field names are those of the interface. Times are epoch milliseconds: a text without a zone means UTC in answers
 * but the server's local time in requests, and a number cannot be misread. Nothing is retried, and redirects are not
 * followed.
 */

import type { Lane } from '../../model/runtime.ts';
import { createTrackerClient } from '../connection/client.ts';
import type { AuthChoice } from '../connection/credentials.ts';
import type {
  Attachment,
  AttachmentChange,
  AttachmentChoice,
  NewAttachment,
  NewComment,
  TagChange,
} from './attachment.ts';
import type { Bug, UpdatedAttachment, UpdatedBug } from './bug.ts';
import type { BugChange, BugName, NewBug } from './bug-change.ts';
import type { BugHistory, HistoryRecord } from './bug-history.ts';
import type { ReadBugsOptions } from './bug-operations.ts';
import type { Bulk, BulkOptions, BulkSince } from './bulk.ts';
import type { Comment } from './comment.ts';
import type { FieldChoice, Search, SearchCriteria } from './criteria.ts';
import type { Field, Product, TrackerTime } from './installation.ts';
import { methodsOf } from './methods.ts';

export type { AuthChoice, AuthStyle } from '../connection/credentials.ts';
export { TrackerError, type TrackerErrorKind } from '../connection/errors.ts';
export type {
  Attachment,
  AttachmentChange,
  AttachmentChoice,
  NewAttachment,
  NewComment,
  TagChange,
} from './attachment.ts';
export type {
  Bug,
  CustomValue,
  FieldChange,
  Flag,
  UpdatedAttachment,
  UpdatedBug,
  UserObject,
} from './bug.ts';
export type {
  BugChange,
  BugName,
  FlagChange,
  FlagStatus,
  ListChange,
  NewBug,
  NewFlag,
  SetChange,
} from './bug-change.ts';
export type { BugHistory, Change, HistoryRecord } from './bug-history.ts';
export type { LeftOut, ReadBugsOptions } from './bug-operations.ts';
export type { Bulk, BulkOptions, BulkSince } from './bulk.ts';
export type { Comment } from './comment.ts';
export type { Chart, ChartGroup, Condition, FieldChoice, Search, SearchCriteria } from './criteria.ts';
export type { Field, FieldValue, Product, ProductPart, TrackerTime } from './installation.ts';

export interface TrackerOptions {
  /** Where the tracker is installed; `/rest` follows it, unless it ends in `/rest` or `/rest.cgi` itself. */
  readonly url: string;
  /** Without a key, all requests are anonymous. */
  readonly apiKey?: string;
  /** The owner of the key: the only way to verify the key on 5.0 and 5.2, which do not report it. */
  readonly login?: string;
  /**
   * How the key is sent; `auto`, the default, detects it. `query` means the query of a read and the JSON body of a
   * write.
   */
  readonly auth?: AuthChoice;
  /** The timeout of one request; 60 seconds by default. A write that takes longer has an unknown outcome. */
  readonly timeoutMs?: number;
  /** Replaces the client of `node:http` that is used instead of the global `fetch`, which takes longer to load. */
  readonly fetch?: typeof fetch;
  /** Wraps every request, to throttle or count; allow one writer per bug at a time, as 5.x answers with deadlocks. */
  readonly lane?: Lane;
  /** A clock, epoch milliseconds; only used to turn `Retry-After` into `TrackerError.retryAt`. */
  readonly now?: () => number;
}

/**
 * Since when (epoch milliseconds), excluding that very second: the tracker's own `new_since`, which misses the rest of
 * its second.
 */
export interface NewSince {
  readonly newSince?: number;
}

/** Every method throws `TrackerError`. The first request with a key verifies the key before anything else. */
export interface Tracker {
  /** Verifies the key now, and returns its login; null without a key, or if the tracker cannot report it. */
  hello(): Promise<string | null>;

  /** Get Bug, section 4.1. Throws for a hidden or missing bug. */
  getBug(bug: BugName, choice?: FieldChoice): Promise<Bug>;
  /**
   * Several bugs by id (4.1), in the requested order; silently leaves out those that do not exist or are not visible.
   */
  getBugs(ids: readonly number[], choice?: FieldChoice): Promise<readonly Bug[]>;
  /** Bug History, 4.2, oldest first. Comments, attachments and duplicates do not show in it. */
  bugHistory(bug: BugName, since?: NewSince): Promise<BugHistory>;
  bugHistory(bugs: readonly BugName[], since?: NewSince): Promise<readonly BugHistory[]>;
  /**
   * Search Bugs, 4.3: one request, at most the tracker's own maximum of bugs (often 10000), which it does not report.
   * See `readBugs`.
   */
  searchBugs(search: Search, choice?: FieldChoice): Promise<readonly Bug[]>;
  /** Create Bug, 4.4; returns its id. */
  createBug(bug: NewBug): Promise<number>;
  /** Update Bug, 4.5, all or none of the bugs. */
  updateBug(bug: BugName, change: BugChange): Promise<UpdatedBug>;
  updateBug(bugs: readonly BugName[], change: BugChange): Promise<readonly UpdatedBug[]>;

  /** Get Attachment by bug, 4.7; without contents unless `data` is true. Several bugs answer by bug id. */
  getAttachments(bug: BugName, choice?: AttachmentChoice): Promise<readonly Attachment[]>;
  getAttachments(
    bugs: readonly BugName[],
    choice?: AttachmentChoice,
  ): Promise<ReadonlyMap<number, readonly Attachment[]>>;
  /** Get Attachment by its id, 4.7; with its content unless `data` is false. */
  getAttachment(id: number, choice?: AttachmentChoice): Promise<Attachment>;
  /** Create Attachment, 4.8, the same one on each bug; returns their ids. */
  createAttachment(bugs: BugName | readonly BugName[], attachment: NewAttachment): Promise<readonly number[]>;
  /** Update Attachment, 4.9. */
  updateAttachment(id: number, change: AttachmentChange): Promise<UpdatedAttachment>;
  updateAttachment(ids: readonly number[], change: AttachmentChange): Promise<readonly UpdatedAttachment[]>;

  /**
   * Get Comments by bug, 4.10, oldest first; the first is the description. One bad bug fails all of several; see
   * `readComments`.
   */
  getComments(bug: BugName, since?: NewSince): Promise<readonly Comment[]>;
  getComments(bugs: readonly BugName[], since?: NewSince): Promise<ReadonlyMap<number, readonly Comment[]>>;
  /** Get Comments by the comment's id, 4.10. */
  getComment(id: number): Promise<Comment>;
  /** Create Comments, 4.11; returns its id. */
  createComment(bug: BugName, comment: NewComment): Promise<number>;
  /** Search Comment Tags, 4.12: tags that contain `query`; without a limit, the tracker's own (7 or 10). */
  searchCommentTags(query: string, options?: { readonly limit?: number }): Promise<readonly string[]>;
  /** Update Comment Tags, 4.13; returns the resulting tags of the comment. */
  updateCommentTags(comment: number, change: TagChange): Promise<readonly string[]>;

  /**
   * Every matching bug exactly once, by ascending id, regardless of their number and of concurrent changes (4.3). Does
   * not allow charts in `criteria.other`, as the pages are charts themselves; `criteria.charts` works.
   */
  readBugs(criteria: SearchCriteria, options?: ReadBugsOptions): AsyncIterable<Bug>;
  /** Comments of many bugs in few requests (4.10). */
  readComments(ids: readonly number[], options?: BulkSince): Promise<Bulk<readonly Comment[]>>;
  /** Attachments of many bugs, without their contents, in few requests (4.7). */
  readAttachments(ids: readonly number[], options?: BulkOptions): Promise<Bulk<readonly Attachment[]>>;
  /** History of many bugs in few requests (4.2). */
  readHistory(ids: readonly number[], options?: BulkSince): Promise<Bulk<readonly HistoryRecord[]>>;

  /** The tracker's version; null if not reported, like everything below. */
  version(): Promise<string | null>;
  time(): Promise<TrackerTime | null>;
  /** Our own login, if the tracker can report it (not 5.0 and 5.2: see `validLogin`). */
  whoAmI(): Promise<string | null>;
  /** Whether the key belongs to this login. */
  validLogin(login: string): Promise<boolean | null>;
  /** The fields of bugs with their legal values, or one by its internal name (`bug_status`). */
  fields(name?: string): Promise<readonly Field[] | null>;
  /** Products by name, or all that the account may see. */
  products(names?: readonly string[]): Promise<readonly Product[] | null>;
  /** The settings of the installation that this account may see. */
  parameters(): Promise<Readonly<Record<string, string>> | null>;
}

/** Opens no connection; the first request does. Throws `TypeError` for an invalid address. */
export function openTracker(options: TrackerOptions): Tracker {
  const { url, apiKey, login, auth = 'auto', timeoutMs = 60_000, lane = open, fetch, now } = options;
  return methodsOf(
    createTrackerClient({
      url,
      apiKey: apiKey === undefined || apiKey === '' ? null : apiKey,
      login: login ?? null,
      auth,
      lane,
      timeoutMs,
      ...(fetch === undefined ? {} : { fetch }),
      ...(now === undefined ? {} : { now }),
    }),
  );
}

const open: Lane = { run: (_cost, request) => request() };

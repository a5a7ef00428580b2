import type { Side } from './ids.ts';
import type { Stage } from './outcome.ts';
import type { Kept } from './survey.ts';

/**
 * What a request costs its side: `create` adds content (an issue, a bug, a comment), `edit` changes it.
 */
export type Cost = 'read' | 'create' | 'edit';

/** A rate-limited queue in front of one side. Edges put every request through it. */
export interface Lane {
  run<T>(cost: Cost, request: () => Promise<T>): Promise<T>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/**
 * What we use of `fetch`. Nobody makes a `Headers` or a `Response` for it: the first one loads the HTTP client that
 * they belong to, which takes 17 MB, and longer than Node.js itself takes to start.
 */
export type Fetch = (address: string | URL, sent?: Sent) => Promise<Received>;

export interface Sent extends Pick<RequestInit, 'method' | 'redirect' | 'signal'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | null;
}

export interface Received {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReceivedHeaders;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export interface ReceivedHeaders extends Iterable<[string, string]> {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
}

/** How long a side asked us to send nothing. */
export interface Backoff {
  /** Epoch milliseconds. */
  readonly until: number;
  /** What the side asked for. The backoff is longer if it asked repeatedly. */
  readonly askedUntil: number;
  readonly why: string;
  /** How often in a row it has asked; 0 once it has carried out a request again. */
  readonly times: number;
}

/** What was found out about a side's limit on creations within a window. Times are epoch milliseconds. */
export interface FoundLimit {
  readonly windowMs: number;
  /** The most that the side took within the window. */
  readonly passedMax: number;
  /** How much may be created within it. */
  readonly allowedMax: number;
  /** When that much was first created; null while it was not. */
  readonly filledAt: number | null;
  /** When the last creation was taken; 0 before the first. */
  readonly passedAt: number;
  /** When a creation was refused because of this limit, and until when that is believed; null if none was. */
  readonly refusedAt: number | null;
  readonly forgottenAt: number | null;
}

/** Only a scrubber makes this type, so text of this type has passed one. */
declare const clean: unique symbol;
export type Clean = string & { readonly [clean]: true };

/**
 * Removes secrets from everything that the bridge keeps and shows about its own work. Mirrored content never passes
 * here.
 */
export interface Scrub {
  /** For messages of the bridge and of servers: removes our secrets, and anything that looks like one. */
  words(text: string): Clean;
  /**
   * For values that people wrote and that are compared later: removes only our secrets, as a password in a text may be
   * an example.
   */
  values(text: string): Clean;
}

/**
 * For a read of many items: how long it waits for what a side answers slowly or not at all. Items that it has no time
 * for are named, and left to the next cycle.
 */
export interface InTime {
  /** Whether that time is over; never before anything was asked. */
  isOut(): boolean;
  /** @param ref the item, if it is asked for alone */
  during<T>(read: () => Promise<T>, ref?: number): Promise<T>;
  /** How much of that time was used. */
  spentMs(): number;
  late(ref: number): void;
}

/** A count that goes on in the next process, as one that runs from cron ends with each cycle. */
export interface KeptCount {
  times: number;
}

export function countIn(kept: Kept, name: string): KeptCount {
  let known = kept.last<number>(name) ?? 0;
  return {
    get times() {
      return known;
    },
    set times(now) {
      if (now !== known) kept.keep(name, now);
      known = now;
    },
  };
}

/** An item on which the process works, as the thread that watches it notes it. */
export interface WatchedWork {
  readonly route: string;
  readonly side: Side;
  /** 0 for what has a name instead. */
  readonly ref: number;
  /** What has no number on its side: `commit 1a2b3c4`. It cannot be set aside, and only the row is left. */
  readonly name?: string;
  /** The number of a comment, for work on this one alone. */
  readonly comment?: number;
  readonly stage: Stage;
  readonly of: 'item' | 'thread' | 'link';
  /** The row of an answer that is being read, as a digest. */
  readonly row?: string;
}

/** Knows outside the thread that works what it works on, so that a step without an end costs its item and no other. */
export interface Watch {
  /** Work on one item, also what of it goes on after it waited for a side. */
  during<T>(work: WatchedWork, run: () => T): T;
}

export const unwatched: Watch = { during: (_work, run) => run() };

/** One row of an answer: an item, or a part of its thread. */
export interface AnsweredRow extends Pick<WatchedWork, 'side' | 'ref' | 'name'> {
  readonly of: 'item' | 'thread';
  /** What tells its versions apart, the same for all who read it. */
  readonly version: readonly unknown[];
}

/** Through this, edges make of each row what the model has of it, so that a row without an end costs its item alone. */
export interface RowReader {
  /** Throws what the work throws, and instead of it if a process was blocked on this version. */
  read<T>(row: AnsweredRow, work: () => T): T;
}

export const unwatchedRows: RowReader = { read: (_row, work) => work() };

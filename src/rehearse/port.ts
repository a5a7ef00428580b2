/**
 * How a rehearsal reaches GitHub: one request at a time, with the answer as it came and as the bridge's own edge takes
 * it.
 */

import type { Hint } from '../model/control.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /**
   * Below the root of the API, with a leading slash; or a full address that GitHub returned. GraphQL is at `/graphql`.
   */
  readonly path: string;
  /** Describes the request to users; follows the words "when asked to". */
  readonly about: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Binary content instead of a body. */
  readonly content?: { readonly type: string; readonly bytes: Uint8Array };
  readonly etag?: string | null;
  /** Answer only if it was changed after this second, epoch milliseconds. */
  readonly sinceAt?: number;
  readonly accept?: string;
  /** The version of the interface to ask for, if not the one that the bridge uses. */
  readonly version?: '2026-03-10' | '2022-11-28';
  /** True for an issue, a comment and other content that GitHub limits. */
  readonly creates?: boolean;
}

/** What the bridge's edge makes of an answer; see `Failure` of the connection. */
export type Taken =
  | 'answered'
  | 'unchanged'
  | 'limited'
  | 'not yet'
  | 'off'
  | 'unauthorized'
  | 'moved'
  | 'missing'
  | 'deleted'
  | 'refused'
  | 'unreached'
  | 'unknown';

export interface Answer {
  /** 0 if there was none. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
  readonly taken: Taken;
  /** What a refusal is about, as the bridge understands its words: labels, assignees and others. */
  readonly parts: readonly string[];
  /** The faults that a refusal names. */
  readonly faults: readonly string[];
  /** For users; null if nothing failed. */
  readonly why: string | null;
  /** Until when GitHub wants to be left alone, epoch milliseconds by our clock; null if it does not say. */
  readonly backoffUntil: number | null;
  /** GitHub's clock at the answer, epoch milliseconds. */
  readonly readAt: number;
}

export interface RehearsalPort {
  send(request: Request): Promise<Answer>;
  /** The content of an address below the root of the API, wherever GitHub stores it; null if it cannot be read. */
  content(path: string, about: string): Promise<Uint8Array | null>;
  /** A file that somebody dropped into a text: `readable`, or why the bridge does not fetch it. */
  linked(url: string): Promise<string>;
  /** What the bridge makes of the payload of a webhook; words if it makes nothing of it. */
  hinted(event: string, payload: unknown): Hint | string;
  /** Where files are uploaded, without a trailing slash. */
  readonly uploads: string;
  readonly isApp: boolean;
  readonly tokenKind: TokenKind;
  /** Our clock, epoch milliseconds. */
  now(): number;
  sleep(delayMs: number): Promise<void>;
}

/** Told apart by the beginning of the token. */
export type TokenKind = 'app' | 'classic' | 'fine-grained' | 'other';

import { whyUnmapped } from '../../model/answers/fault.ts';
import { kindOfCode } from './error-code.ts';

/**
 * The kinds of failed requests, by their consequence for the caller:
 *
 *   credentials      the key or the login is not accepted, or missing where it is needed
 *   missing          the bug or comment does not exist
 *   hidden           it exists, but this account may not see it
 *   absent           this tracker has no such resource
 *   invalid          the request itself is wrong: a value is unknown, too long or not allowed here
 *   refused          understood but not allowed: by rights, the workflow, or a rule of this installation
 *   limited          the tracker asks to slow down; nothing was done
 *   unavailable      shut down, overloaded or unreachable; nothing was done
 *   unknown-outcome  no usable answer, or the tracker failed internally: a write may or may not be done; check before
 *                    sending it again
 */
export type TrackerErrorKind =
  | 'credentials'
  | 'missing'
  | 'hidden'
  | 'absent'
  | 'invalid'
  | 'refused'
  | 'limited'
  | 'unavailable'
  | 'unknown-outcome';

export interface TrackerErrorFacts {
  readonly code?: number | null;
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
  readonly retryAt?: number | null;
  readonly cause?: unknown;
}

/** The only error that the client throws. Its message is for users and contains no secrets. */
export class TrackerError extends Error {
  readonly kind: TrackerErrorKind;
  /** The tracker's own code, with shifted negative codes corrected (68000 is -32000); null without a code. */
  readonly code: number | null;
  /** The HTTP status, which does not matter if there is a code; null without an answer. */
  readonly status: number | null;
  /** The pause that the tracker asks for, in milliseconds; null if none. */
  readonly retryAfterMs: number | null;
  /** The end of that pause, epoch milliseconds, by the client's clock; null without a pause or a clock. */
  readonly retryAt: number | null;

  constructor(kind: TrackerErrorKind, message: string, facts: TrackerErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.name = 'TrackerError';
    this.kind = kind;
    this.code = facts.code ?? null;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.retryAt = facts.retryAt ?? null;
  }
}

/** A mistake of our own on one bug: it costs that bug, as one on which the tracker fails. */
export const unmappedError = (bug: number, error: unknown): TrackerError =>
  new TrackerError('unknown-outcome', whyUnmapped(`bug ${bug}`, error), { cause: error });

/** Codes may be strings, and 5.x shifts negative ones by 100000. Null for anything that is not a code. */
export function trackerCode(raw: unknown): number | null {
  const code = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
  if (typeof code !== 'number' || !Number.isInteger(code)) return null;
  return code > 60_000 && code < 100_000 ? code - 100_000 : code;
}

/** The code alone decides, as HTTP statuses contradict it. An unknown code means refused. */
export function kindOfTrackerCode(code: number): TrackerErrorKind {
  return kindOfCode[String(code)] ?? 'refused';
}

/** For answers from elsewhere: a proxy, a shutdown page, bot protection. */
export function kindOfStatus(status: number, hasRetryAfter: boolean): TrackerErrorKind {
  if (status === 429) return 'limited';
  if (status === 408) return 'unavailable';
  // The tracker's shutdown page has a Retry-After; a 503 without one may come from a proxy that timed out during a
  // write.
  if (status === 503) return hasRetryAfter ? 'unavailable' : 'unknown-outcome';
  if (status === 413 || status === 414) return 'invalid';
  if (status >= 300 && status < 500) return 'refused';
  return 'unknown-outcome';
}

/** The first line of a tracker's message, without ` at FILE line N`: the rest is a stack trace. */
export function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line
    .replace(/ \[for Statement .*$/, '')
    .replace(/ at \S+ line \d+\.?\s*$/, '')
    .slice(0, 300)
    .trim();
}

/**
 * A failure that one bug, or the size of the answer, may have caused. It may come from the tracker or from a proxy,
 * unless it concerns the account, the whole server or the moment. Only other requests show the real cause.
 */
export function isPoison(failure: unknown): failure is TrackerError {
  if (!(failure instanceof TrackerError)) return false;
  const { kind, code } = failure;
  if (kind === 'unavailable') return code === searchTimeout;
  return kind === 'unknown-outcome' || ((kind === 'refused' || kind === 'invalid') && !isRedirect(failure));
}

/** A failure that one of several bugs may have caused, also because it is not shown to this account. */
export const mayBeOfOne = (failure: unknown): failure is TrackerError => isUnreachable(failure) || isPoison(failure);

/**
 * Whether a failure says nothing about the answer to a question about the tracker itself: neither that we may not ask,
 * nor that nothing can be asked now.
 */
export const isUnanswered = (failure: unknown): boolean =>
  failure instanceof TrackerError && !['credentials', 'limited', 'unavailable'].includes(failure.kind);

/** What stands before the tracker sends the request elsewhere. */
export const isRedirect = ({ code, status }: TrackerError): boolean =>
  code === null && status !== null && status >= 300 && status < 400;

/** A search that took the database too long; fewer bugs take less. */
const searchTimeout = 1001;

/** The bug is certainly inaccessible: it does not exist, or not for this account. */
export const isUnreachable = (failure: unknown): failure is TrackerError & { readonly kind: 'missing' | 'hidden' } =>
  failure instanceof TrackerError && (failure.kind === 'missing' || failure.kind === 'hidden');

/** The tracker does not report this, or not to us; that does not stop us. */
export const isNotTold = (failure: unknown): failure is TrackerError =>
  failure instanceof TrackerError &&
  (failure.kind === 'absent' || failure.kind === 'refused' || failure.kind === 'invalid');

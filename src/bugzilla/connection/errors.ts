import { kindOfCode } from './error-code.ts';

/**
 * What went wrong with a request to the tracker, by what follows from it for the caller:
 *
 *   credentials      the key or the login is not accepted, or there is none where one is needed
 *   missing          the bug or comment does not exist
 *   hidden           it is there, and this account may not see it
 *   absent           this tracker has no such resource
 *   invalid          the request itself is wrong: a value that the tracker does not know, is too long or has no place here
 *   refused          understood, and not allowed: by rights, by the workflow, or by a rule of this installation
 *   limited          the tracker asks to slow down; nothing was done
 *   unavailable      shut down, overloaded or out of reach; nothing was done
 *   unknown-outcome  no usable answer, or the tracker failed inside: a write may or may not have been done; look before sending again
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

/** The one error that the client throws. Its message is for people and holds no secret. */
export class TrackerError extends Error {
  readonly kind: TrackerErrorKind;
  /** The tracker's own code, with shifted negative codes put right (68000 is -32000); null when no code came. */
  readonly code: number | null;
  /** The HTTP status, which decides nothing where a code came; null when no answer came at all. */
  readonly status: number | null;
  /** For how long the tracker does not want to be asked, in milliseconds; null when it did not say. */
  readonly retryAfterMs: number | null;
  /** The same as a time, epoch milliseconds, by the clock that the client was given; null without either. */
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

/** Codes may be strings, and 5.x shifts negative ones by 100000. Null for anything that is no code. */
export function trackerCode(raw: unknown): number | null {
  const code = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
  if (typeof code !== 'number' || !Number.isInteger(code)) return null;
  return code > 60_000 && code < 100_000 ? code - 100_000 : code;
}

/** Decided by the code alone: HTTP statuses contradict it. A code that nobody has named is a plain no. */
export function kindOfTrackerCode(code: number): TrackerErrorKind {
  return kindOfCode[String(code)] ?? 'refused';
}

/** For answers that are not the tracker's own: a proxy, a shutdown page, a bot wall. */
export function kindOfStatus(status: number, hasRetryAfter: boolean): TrackerErrorKind {
  if (status === 429) return 'limited';
  if (status === 408) return 'unavailable';
  // The tracker's own shutdown page names a time; a 503 without one may come from a proxy that gave up waiting for a write.
  if (status === 503) return hasRetryAfter ? 'unavailable' : 'unknown-outcome';
  if (status === 413 || status === 414) return 'invalid';
  if (status >= 300 && status < 500) return 'refused';
  return 'unknown-outcome';
}

/** The first line of a tracker's message: what follows is a stack trace, and so is ` at FILE line N` at its end. */
export function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line
    .replace(/ \[for Statement .*$/, '')
    .replace(/ at \S+ line \d+\.?\s*$/, '')
    .slice(0, 300)
    .trim();
}

/**
 * An inner failure that one bug's data may have caused: the tracker reports these with a success status. With a 5xx it is the server
 * itself that is ill, and looking closer would only add to its load.
 */
export function isPoison(failure: unknown): failure is TrackerError {
  if (!(failure instanceof TrackerError) || failure.kind !== 'unknown-outcome') return false;
  return failure.code !== null && (failure.status ?? 0) < 500;
}

/** The bug itself cannot be reached, for certain: it does not exist, or not for this account. */
export const isUnreachable = (failure: unknown): failure is TrackerError & { readonly kind: 'missing' | 'hidden' } =>
  failure instanceof TrackerError && (failure.kind === 'missing' || failure.kind === 'hidden');

/** The tracker does not tell this, or not to us; that is no reason to stop. */
export const isNotTold = (failure: unknown): failure is TrackerError =>
  failure instanceof TrackerError && (failure.kind === 'absent' || failure.kind === 'refused' || failure.kind === 'invalid');

/** A failure of the connection itself, by what the network library says of it: did the request leave? */
export function kindOfFailure(failure: unknown): 'unavailable' | 'unknown-outcome' {
  return causesOf(failure).some(isBeforeSending) ? 'unavailable' : 'unknown-outcome';
}

/** The innermost words that say what happened: the outer ones of fetch are only `fetch failed`. */
export function wordsOfFailure(failure: unknown): string {
  const causes = causesOf(failure);
  const words = causes.map((cause) => [codeOf(cause), cause.message].filter((word) => word !== null && word !== '').join(': '));
  return words.at(-1) ?? String(failure);
}

function causesOf(failure: unknown): readonly Error[] {
  if (!(failure instanceof Error)) return [];
  const inner = failure instanceof AggregateError ? failure.errors : [failure.cause];
  return [failure, ...inner.flatMap(causesOf)];
}

function isBeforeSending(error: Error): boolean {
  const syscall = 'syscall' in error ? error.syscall : null;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  const code = codeOf(error) ?? '';
  return code === 'UND_ERR_CONNECT_TIMEOUT' || /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

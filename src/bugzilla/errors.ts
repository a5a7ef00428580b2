/**
 * What went wrong with a request to the tracker, by what follows from it for the caller:
 *
 *   unauthorized  the credentials are not accepted
 *   missing       the bug does not exist
 *   hidden        the bug is there, and this account may not see it
 *   absent        this tracker has no such resource
 *   refused       a certain no; the same request will be refused again
 *   busy          the tracker asks for a pause; nothing was done
 *   unreachable   no connection came about; nothing was done
 *   broken        the request left and no usable answer came; it may or may not have been done
 *   internal      the tracker failed inside; it may or may not have been done
 */
export type TrackerErrorKind =
  | 'unauthorized'
  | 'missing'
  | 'hidden'
  | 'absent'
  | 'refused'
  | 'busy'
  | 'unreachable'
  | 'broken'
  | 'internal';

/** The one error that the client throws. Its message is for people and holds no secret. */
export class TrackerError extends Error {
  readonly kind: TrackerErrorKind;
  /** The tracker's own code, with shifted negative codes put right (68000 is -32000); null when no code came. */
  readonly code: number | null;
  /** Null when no answer came at all. */
  readonly status: number | null;
  /** Epoch milliseconds before which the tracker does not want to be asked; null when it did not say. */
  readonly retryAt: number | null;

  constructor(
    kind: TrackerErrorKind,
    message: string,
    options: { code?: number | null; status?: number | null; retryAt?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'TrackerError';
    this.kind = kind;
    this.code = options.code ?? null;
    this.status = options.status ?? null;
    this.retryAt = options.retryAt ?? null;
  }
}

/** Codes that say something else than a plain refusal. HTTP statuses contradict them and are not looked at. */
const kindOfCode: Readonly<Record<string, TrackerErrorKind>> = {
  101: 'missing',
  102: 'hidden',
  300: 'unauthorized',
  301: 'unauthorized',
  305: 'unauthorized',
  306: 'unauthorized',
  307: 'unauthorized',
  410: 'unauthorized',
  32614: 'absent',
  '-32601': 'absent',
  '-32000': 'internal',
  100500: 'internal',
};

/** Codes may be strings, and 5.x shifts negative ones by 100000. Null for anything that is no code. */
export function trackerCode(raw: unknown): number | null {
  const code = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
  if (typeof code !== 'number' || !Number.isInteger(code)) return null;
  return code > 60_000 && code < 100_000 ? code - 100_000 : code;
}

export function kindOfTrackerCode(code: number): TrackerErrorKind {
  return kindOfCode[String(code)] ?? 'refused';
}

/** For answers that are not the tracker's own: a proxy, a shutdown page, a bot wall. */
export function kindOfStatus(status: number, hasRetryAfter: boolean): TrackerErrorKind {
  if (status === 429 || status === 408) return 'busy';
  // The tracker's own shutdown page names a time; a 503 without one may come from a proxy that gave up waiting for a write.
  if (status === 503) return hasRetryAfter ? 'busy' : 'broken';
  if (status >= 300 && status < 500) return 'refused';
  return 'broken';
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
  return failure instanceof TrackerError && failure.kind === 'internal' && (failure.status ?? 0) < 500;
}

/** A failure of the connection itself, by what the network library says of it. */
export function kindOfFailure(failure: unknown): 'unreachable' | 'broken' {
  return causesOf(failure).some(isBeforeSending) ? 'unreachable' : 'broken';
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

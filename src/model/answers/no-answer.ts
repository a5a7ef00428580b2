/** A request that got no answer, of either side: what the error of `fetch` says about it. */
export interface NoAnswer {
  /** The innermost message, as the outer one is only `fetch failed`, and what a person can do about it. */
  readonly words: string;
  /** Whether it failed while connecting or in the TLS handshake, before any byte of the request was sent. */
  readonly isUnsent: boolean;
}

export function noAnswerOf(failure: unknown): NoAnswer {
  const causes = causesOf(failure);
  const codes = causes.flatMap((cause) => codeOf(cause) ?? []);
  return {
    words: wordsOf(failure, causes, codes),
    isUnsent: causes.some(isOfConnecting) || codes.some(isBeforeSending),
  };
}

function wordsOf(failure: unknown, causes: readonly Error[], [code]: readonly string[]): string {
  if (causes.some(({ name }) => name === 'TimeoutError')) return 'the time for an answer was over';
  const message = causes.at(-1)?.message ?? String(failure);
  const coded = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  const isOfTime = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
  return isOfTime ? `${coded}; renew the certificate, or set the clock of this machine right` : coded;
}

/** All causes, from the outermost on. Node collects the attempts at several addresses in an AggregateError. */
function causesOf(failure: unknown, depth = 0): readonly Error[] {
  if (!(failure instanceof Error) || depth === 8) return [];
  const inner = failure instanceof AggregateError ? failure.errors : [failure.cause];
  return [failure, ...inner.flatMap((cause) => causesOf(cause, depth + 1))];
}

const codeOf = (error: Error): string | null => ('code' in error && typeof error.code === 'string' ? error.code : null);

const isOfConnecting = (error: Error): boolean =>
  'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');

const connectCodes: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** What may also happen on a connection that is open is no sign: a lost route, or a record of TLS that is broken. */
const isBeforeSending = (code: string): boolean =>
  connectCodes.includes(code) ||
  /^(?:ERR_TLS_|ERR_SSL_WRONG_VERSION_NUMBER$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/u.test(code);

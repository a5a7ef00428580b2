import * as z from 'zod';
import { type Failure, inSentences } from './failure.ts';

/**
 * Sorts what came back instead of an answer. The order is GitHub's ("Rate limits for the REST API", "Best practices"):
 *
 *   429, or 403 with retry-after              limited until then
 *   429, or 403 with x-ratelimit-remaining 0  limited until x-ratelimit-reset
 *   429, or 403 that names a secondary limit  limited for a minute
 *   401                                       unauthorized
 *   301 302 307 308                           gone: moved
 *   404 / 410                                 gone: missing / deleted
 *   other 4xx                                 refused, with GitHub's reasons in words
 *   5xx                                       unknown
 *   no answer                                 unreached when the connection was never made, else unknown
 */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

/** `about` says what was tried, for people, such as `open an issue in owner/repo`; `now` is our clock, epoch milliseconds. */
export interface Circumstances {
  readonly about: string;
  readonly now: number;
}

const secondaryPauseMs = 60_000;

export function classifyAnswer(answer: RawAnswer, { about, now }: Circumstances): Failure {
  const { status } = answer;
  const said = reasonsOf(answer.data);
  const why = `GitHub answered ${status} when asked to ${about}${said === '' ? '' : `: ${said}`}`;
  const at = pauseUntil(answer, said, now);
  if (at !== null) return { kind: 'limited', at, why: `${why} (a rate limit; asked to wait until ${new Date(at).toISOString()})` };
  if (status === 401)
    return { kind: 'unauthorized', why: inSentences(why, 'Check the token or App key: it may be wrong, expired or revoked') };
  if (status === 301 || status === 302 || status === 307 || status === 308) {
    const place = answer.headers['location'];
    return { kind: 'gone', gone: { kind: 'moved', why: inSentences(why, `It has moved${place === undefined ? '' : ` to ${place}`}`) } };
  }
  if (status === 404) return { kind: 'gone', gone: { kind: 'missing', why } };
  if (status === 410) return { kind: 'gone', gone: { kind: 'deleted', why } };
  if (status === 403) return { kind: 'refused', why: inSentences(why, 'Check that the account may write issues there') };
  if (status === 422) return { kind: 'refused', why, faults: faultsOf(answer.data) };
  if (status >= 400 && status < 500) return { kind: 'refused', why };
  return { kind: 'unknown', why };
}

/** Sorts an error that fetch threw: no answer came. Octokit dresses these as status 500, so only the cause tells. */
export function classifyNoAnswer(error: unknown, about: string): Failure {
  const chain = chainOf(error);
  const code = chain.map(codeOf).find((found) => found !== null) ?? null;
  const words = chain.at(-1)?.message ?? String(error);
  const why = `No answer from GitHub when asked to ${about}: ${oneLine(words)}${code === null || words.includes(code) ? '' : ` (${code})`}`;
  return { kind: code !== null && neverArrived(code) ? 'unreached' : 'unknown', why };
}

function pauseUntil(answer: RawAnswer, said: string, now: number): number | null {
  if (answer.status !== 403 && answer.status !== 429) return null;
  const dateAt = Date.parse(String(answer.headers['date'] ?? ''));
  const serverNow = Number.isNaN(dateAt) ? now : dateAt;
  const retryAfter = answer.headers['retry-after'];
  if (retryAfter !== undefined) {
    const seconds = Number(retryAfter);
    if (Number.isFinite(seconds)) return now + Math.max(0, seconds) * 1000;
    const retryAt = Date.parse(String(retryAfter));
    if (!Number.isNaN(retryAt)) return now + Math.max(0, retryAt - serverNow);
  }
  const resetSeconds = Number(answer.headers['x-ratelimit-reset'] ?? Number.NaN);
  if (String(answer.headers['x-ratelimit-remaining'] ?? '') === '0' && Number.isFinite(resetSeconds)) {
    // GitHub's clock cuts off fractions of a second, so that this is rather too late than too early.
    return now + Math.max(0, resetSeconds * 1000 - serverNow);
  }
  const isSecondary = /secondary rate|abuse detection|rate limit exceeded/iu.test(said);
  return answer.status === 429 || isSecondary ? now + secondaryPauseMs : null;
}

const fieldErrorSchema = z.object({
  resource: z.string().nullish(),
  field: z.string().nullish(),
  code: z.string().nullish(),
  message: z.string().nullish(),
  value: z.unknown().optional(),
});
const errorBodySchema = z.object({
  message: z.string().catch(''),
  errors: z.array(z.union([z.string(), fieldErrorSchema])).catch([]),
});

/** GitHub's message and field errors as one line; empty when the answer is not GitHub's own (a proxy's page). */
function reasonsOf(data: unknown): string {
  const body = errorBodySchema.safeParse(data);
  if (!body.success) return '';
  const details = body.data.errors.map((error) => (typeof error === 'string' ? error : fieldErrorInWords(error)));
  return oneLine([body.data.message, ...details].filter((part) => part !== '').join('; '));
}

function faultsOf(data: unknown): readonly string[] {
  const body = errorBodySchema.safeParse(data);
  if (!body.success) return [];
  const parts = body.data.errors.flatMap((error) =>
    typeof error === 'string' ? [error] : [error.resource, error.field, error.code, error.message, error.value],
  );
  return [body.data.message, ...parts].flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : []));
}

function fieldErrorInWords(error: z.infer<typeof fieldErrorSchema>): string {
  if (error.message) return error.field && !error.message.includes(error.field) ? `${error.field}: ${error.message}` : error.message;
  const value = typeof error.value === 'string' || typeof error.value === 'number' ? ` ("${error.value}")` : '';
  return `${error.field ?? error.resource ?? 'a field'}${value} is ${(error.code ?? 'invalid').replaceAll('_', ' ')}`;
}

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** The error and its causes, outermost first. Node gathers the attempts at several addresses in an AggregateError. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  let current = error;
  while (current instanceof Error && chain.length < 8) {
    chain.push(current);
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return chain;
}

const codeOf = (error: Error): string | null => ('code' in error && typeof error.code === 'string' ? error.code : null);

const connectCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** True for what fails while connecting or in the TLS handshake, before any byte of the request can have left. */
function neverArrived(code: string): boolean {
  return connectCodes.has(code) || /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/u.test(code);
}

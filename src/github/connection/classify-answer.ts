import { botCheckInWords, isBotCheck } from '../../model/answers/bot-check.ts';
import { httpDate } from '../../model/answers/http-date.ts';
import { noAnswerOf } from '../../model/answers/no-answer.ts';
import { type Failure, inSentences } from './failure.ts';
import { adviceOn, isOfEverything, offWords } from './refusals.ts';
import { faultsOf, isOfGithub, messagesOf, oneLine, pageOf, reasonsOf } from './said.ts';

/**
 * Classifies failed answers. A limit shows as 429, in the headers of a 403, in the words of any other status, as JSON
 * or as a page, or as the type of a GraphQL error. The headers say how long it lasts ("Rate limits for the REST API",
 * "Best practices"):
 *
 *   limit, with retry-after                   limited until then, unless that is now
 *   limit, with x-ratelimit-remaining 0       limited until x-ratelimit-reset
 *   limit, with neither                       limited for a minute
 *   401                                       unauthorized
 *   301 302 307 308                           gone: moved
 *   404 / 410                                 gone: missing / deleted
 *   the same and 451, not in GitHub's form    unknown
 *   410 with the words for disabled issues    off
 *   403 409 422 with the words of a lag       not yet
 *   other 4xx                                 refused, with GitHub's reasons
 *   5xx                                       unknown; with retry-after or the words of a limit, also a pause
 *   no answer                                 unreached if the connection was never made, otherwise unknown
 */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

/**
 * `about` describes the request to users, such as `open an issue in owner/repo`; `now` is our clock, epoch
 * milliseconds.
 */
interface Circumstances {
  readonly about: string;
  readonly now: number;
}

/** The request came too slowly or too early: it says nothing about what was asked. */
const inTime = new Set([408, 425]);

const secondaryBackoffMs = 60_000;

/** The longest pause that a header can cause: GitHub's own windows last an hour. */
const longestBackoffMs = 24 * 3_600_000;

/** The hourly allowance is used up; other limits have no window in the headers. */
const primaryWords = /rate limit (?:already )?exceeded/iu;
const limitWords = /rate limit (?:already )?exceeded|secondary rate limit|abuse detection|submitted too quickly/iu;

/** The same, as proxies and firewalls also say it on a page of theirs. */
const pageLimitWords = new RegExp(`${limitWords.source}|rate[- ]limit|too many requests`, 'iu');

/**
 * A replica that does not know yet what another has just created, and anything else that GitHub says it will do later.
 */
const lagWords = /could not resolve to a node with the global id|try (?:your request )?again (?:later|in a)/iu;

/** GraphQL timed out, failed internally, or computed as much for one request as it does. */
const cutShortWords =
  /something went wrong while executing your query|timed?[ -]?out|resource limits? (?:for this query )?exceeded/iu;

/** The server is older or newer than the request. */
const unknownWords =
  /doesn't exist on type|doesn't accept argument|has an invalid value|no such type|isn't a defined|can't be spread|must have selections|selections can't/iu;
/** The codes of the same, in the `extensions` of an error. */
const unknownCodes = /^(?:undefined|argument|cannotSpread|selection|fragmentOn)/u;

export function classifyAnswer(answer: RawAnswer, { about, now }: Circumstances): Failure {
  const { status } = answer;
  const said = reasonsOf(answer.data);
  const reason = isBotCheck(answer.data) ? `with ${botCheckInWords}` : said;
  const why = `GitHub answered ${status} when asked to ${about}${reason === '' ? '' : `: ${reason}`}`;
  const messages = messagesOf(answer.data);
  if (isLimit(answer)) return limited(answer, messages, { why, now });
  if (status === 401)
    return {
      kind: 'unauthorized',
      why: inSentences(why, 'Check the token or App key: it may be wrong, expired or revoked'),
    };
  if (isAboutItems(status) && messages === '')
    return { ...inDoubt(answer, inSentences(why, notOurs), now), isPage: true };
  if (status === 301 || status === 302 || status === 307 || status === 308) {
    const address = String(answer.headers['location'] ?? '');
    const moved = inSentences(why, address === '' ? 'It has moved' : `It has moved to ${address}`);
    return { kind: 'gone', gone: { kind: 'moved', why: moved, ...(address === '' ? {} : { address }) } };
  }
  if (status === 404) return { kind: 'gone', gone: { kind: 'missing', why } };
  if (status === 410 && offWords.test(messages))
    return { kind: 'off', why: advised(why, adviceOn({ ...answer, messages })) };
  if (status === 410) return { kind: 'gone', gone: { kind: 'deleted', why } };
  if (status < 500 && lagWords.test(messages)) return { kind: 'notYet', at: retryAfterOf(answer, now), why };
  if (status < 400 || status >= 500) return inDoubt(answer, why, now);
  const declined = advised(why, adviceOn({ ...answer, messages }));
  const faults = status === 422 ? { faults: faultsOf(answer.data) } : {};
  return {
    kind: 'refused',
    why: declined,
    ...faults,
    ...reachOf(messages),
    ...(isOfContent(answer) ? { isOfContent: true } : {}),
    ...(inTime.has(status) ? { isOfTime: true } : {}),
  };
}

/** Statuses that say what became of an item or a repository. Of that, only GitHub itself can tell. */
const isAboutItems = (status: number): boolean => (status >= 300 && status < 400) || [404, 410, 451].includes(status);

const notOurs = 'The answer is not from GitHub itself: check the address of its API, and what stands in between';

/**
 * Whether the refusal concerns the content, and not the account or the whole interface. A firewall in front of an
 * Enterprise Server refuses content with 403 or 406 and its own page.
 */
function isOfContent({ status, data }: RawAnswer): boolean {
  if (status === 403 || status === 406) return !isOfGithub(data);
  return [400, 413, 414, 422, 431].includes(status);
}

const advised = (why: string, advice: string | null): string => (advice === null ? why : inSentences(why, advice));

/** One of the `errors` of GraphQL. */
export interface GraphqlError {
  readonly type?: string | null | undefined;
  readonly message: string;
  readonly extensions?: { readonly code?: unknown } | null | undefined;
}

/**
 * Classifies GraphQL errors, which come with status 200; of several errors, the gravest counts. An error without a type
 * declines what changes something, and says nothing of what was asked for.
 */
export function classifyErrors(
  answer: RawAnswer,
  errors: readonly GraphqlError[],
  { about, now, isQuery = false }: Circumstances & { readonly isQuery?: boolean },
): Failure {
  const messages = errors.map(({ message }) => message).join('; ');
  const why = `GitHub refused when asked to ${about}: ${oneLine(messages)}`;
  const isOfType = (pattern: RegExp): boolean => errors.some(({ type }) => pattern.test(type ?? ''));
  if (isOfType(/^RATE_LIMIT(?:ED)?$/u) || limitWords.test(messages)) return limited(answer, messages, { why, now });
  if (isOfType(/^RESOURCE_LIMITS_EXCEEDED$/u) || cutShortWords.test(messages))
    return { ...inDoubt(answer, why, now), isOfSize: true };
  if (lagWords.test(messages)) return { kind: 'notYet', at: retryAfterOf(answer, now), why };
  const isOfServer = isUnknown(errors, messages) ? ({ isOfServer: true } as const) : {};
  const advice = adviceOn({ ...answer, messages });
  const declines = ({ type }: GraphqlError): boolean => (type ? refusals.has(type) : !isQuery);
  if (!isOfServer.isOfServer && advice === null && !errors.every(declines)) return inDoubt(answer, why, now);
  return { kind: 'refused', why: advised(why, advice), ...reachOf(messages), ...isOfServer };
}

const reachOf = (messages: string): { readonly isOfEverything?: true } =>
  isOfEverything(messages) ? { isOfEverything: true } : {};

/** The types with which GraphQL says that it has understood and declined. Others say nothing of what was asked. */
const refusals = new Set([
  'FORBIDDEN',
  'NOT_FOUND',
  'UNPROCESSABLE',
  'INSUFFICIENT_SCOPES',
  'BAD_REQUEST',
  'MAX_NODE_LIMIT_EXCEEDED',
  'EXCESSIVE_PAGINATION',
  'MISSING_PAGINATION_BOUNDARIES',
]);

const isUnknown = (errors: readonly GraphqlError[], messages: string): boolean =>
  unknownWords.test(messages) || errors.some(({ extensions }) => unknownCodes.test(String(extensions?.code ?? '')));

/**
 * Classifies an error thrown by fetch: there was no answer. Octokit turns these into status 500, so only the cause
 * shows it.
 */
export function classifyNoAnswer(error: unknown, about: string): Failure {
  const { words, isUnsent } = noAnswerOf(error);
  const why = `No answer from GitHub when asked to ${about}: ${oneLine(words)}`;
  return { kind: isUnsent ? 'unreached' : 'unknown', why };
}

function isLimit(answer: RawAnswer): boolean {
  if (answer.status === 429) return true;
  if (answer.status < 500 && saysLimit(answer)) return true;
  return answer.status === 403 && (answer.headers['retry-after'] !== undefined || remainingOf(answer) === '0');
}

const saysLimit = ({ data }: RawAnswer): boolean =>
  limitWords.test(messagesOf(data)) || pageLimitWords.test(pageOf(data));

function limited(
  answer: RawAnswer,
  messages: string,
  { why, now }: { readonly why: string; readonly now: number },
): Failure {
  const resetAt = resetOf(answer, messages, now);
  const at = retryAfterOf(answer, now) ?? resetAt ?? now + secondaryBackoffMs;
  const words = `${why} (a rate limit; asked to wait until ${new Date(at).toISOString()})`;
  return { kind: 'limited', at, why: words, ...(resetAt === null ? { isTooFast: true } : {}) };
}

function inDoubt(answer: RawAnswer, why: string, now: number): Extract<Failure, { readonly kind: 'unknown' }> {
  const at = retryAfterOf(answer, now) ?? (saysLimit(answer) ? now + secondaryBackoffMs : null);
  return at === null ? { kind: 'unknown', why } : { kind: 'unknown', why, at };
}

/** Seconds or a date, by our clock; null if absent, or if it asks for no time at all, as a proxy may. */
function retryAfterOf(answer: RawAnswer, now: number): number | null {
  const text = String(answer.headers['retry-after'] ?? '').trim();
  const dateAt = httpDate(text);
  const waitMs = dateAt === null ? Number(/^[\d.]+$/u.exec(text)?.[0]) * 1000 : dateAt - serverNow(answer, now);
  return waitMs > 0 ? now + within(waitMs) : null;
}

/** When the hourly allowance is renewed; null for another limit, or if not reported. */
function resetOf(answer: RawAnswer, messages: string, now: number): number | null {
  const remaining = remainingOf(answer);
  const isUsedUp = remaining === '0' || (remaining === '' && primaryWords.test(messages));
  const resetSeconds = Number(answer.headers['x-ratelimit-reset'] ?? Number.NaN);
  // GitHub's clock truncates fractions of a second, so this errs on the late side.
  return isUsedUp && Number.isFinite(resetSeconds) ? now + within(resetSeconds * 1000 - serverNow(answer, now)) : null;
}

const within = (waitMs: number): number => Math.min(longestBackoffMs, Math.max(0, waitMs));
const remainingOf = (answer: RawAnswer): string => String(answer.headers['x-ratelimit-remaining'] ?? '');

/** GitHub's clock at an answer, epoch milliseconds; null if it does not say. */
export const dateOf = ({ headers }: RawAnswer): number | null => httpDate(String(headers['date'] ?? ''));

const serverNow = (answer: RawAnswer, now: number): number => dateOf(answer) ?? now;

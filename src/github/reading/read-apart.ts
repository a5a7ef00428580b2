/**
 * A page of a list on which GitHub fails as a whole, because it fails on one row: it is read in ever smaller parts
 * until that row is alone, and all others arrive. GraphQL, which shows little of each issue, says which row it is.
 */

import type { Answer, Reply } from '../connection/client.ts';
import { type Failure, readError } from '../connection/failure.ts';
import { nextPage, pathOfNext } from '../connection/paging.ts';
import { answered, type Repository } from '../repository.ts';
import { type FeedPage, newestPath, oldestPath, type Row, readPage } from './feed.ts';
import { isAscending, namedBeside } from './named-rows.ts';
import { type Asked, failedRow, failureOf, greetingOf, isOfOne, knownRow, readAlone } from './single-rows.ts';

export interface PageRead<T> {
  readonly page: FeedPage<T>;
  readonly answer: Pick<Answer, 'headers' | 'readAt'>;
  /** The newest change on which GitHub failed, of those that it named; undefined if it failed on none. */
  readonly brokenAt?: number | null;
}

/**
 * A page is not read in parts any further once GitHub fails on more rows of it, on fewer while it shows no other, or
 * answers no part of it so often: the rows that it fails on may be the first ones, and each is asked for twice. If it
 * asks for pauses, fewer requests have to do.
 */
const [leftMax, leftOfAllMax, triesMax, pausesMax] = [10, 5, 16, 6];

/** How many single rows are asked for at a time. */
const readers = 4;

/**
 * How long the parts of a page may take, and then its single rows: GitHub may let each failure wait. All pages of a
 * call may take half as much again as one.
 */
const patienceMs = 40_000;

function untilAtOf({ client, patience }: Repository): number {
  const now = client.now();
  if (patience === undefined) return now + patienceMs;
  patience.untilAt ??= now + 3 * patienceMs;
  return Math.min(now + patienceMs, patience.untilAt);
}

/**
 * The page of this reply, if need be from its parts.
 * @throws SideError
 */
export async function pageOf<T>(asked: Asked<T>, reply: Exclude<Reply, { kind: 'unchanged' }>): Promise<PageRead<T>> {
  const { repository, feed, path } = asked;
  const failure = failureOf(reply, aboutOf(asked));
  if (failure === null) {
    const answer = answered(reply, aboutOf(asked));
    const page = readPage(feed, repository, { path, answer });
    if (page.rows.length > 0) repository.dark(feed.name).times = 0;
    return { page, answer };
  }
  const isPause = ofAll(failure).kind === 'limited';
  const triesLeft = isPause ? pausesMax : triesMax;
  const parts: Parts<T> = {
    rows: new Map(),
    left: 0,
    triesLeft,
    last: null,
    isBesideOthers: false,
    nextPath: pathOfNext(path),
    untilAt: untilAtOf(repository),
  };
  const whole = blockOf(path);
  const greeting = isOfOne(failure) && whole !== null ? await greetingOf(repository) : null;
  if (whole !== null && greeting !== null) {
    if (!isPause) await lookBeside(asked, whole, parts);
    await readParts(asked, whole, parts);
  }
  const { last } = parts;
  const isStopped = last === null || isTooMuch(parts) || isLate(asked, parts);
  if (greeting === null || (isStopped && isPause)) throw readError(ofAll(failure));
  if (last !== null && parts.left === 0 && !isStopped) return readOf(asked, parts, [], last);
  if (feed.name === 'comments' && isStopped) return byThread(asked, parts, { failure, greeting });
  if (isStopped && !(await showsAny(asked, parts)) && !isDarkForLong(asked)) throw readError(failure);
  return byNumber(asked, parts, { failure, greeting });
}

function readOf<T>(
  { path }: Asked<T>,
  { rows: read, nextPath }: Parts<T>,
  failed: readonly Row<T>[],
  { answer, hasNext }: NonNullable<Parts<T>['last']>,
): PageRead<T> {
  const rows = [...read.values(), ...failed].sort((one, other) => one.changedAt - other.changedAt);
  const { etag: _ofPart, ...headers } = answer.headers;
  const next = hasNext ? { path: nextPath, isGuess: false } : null;
  return {
    page: { rows: isAscending(path) ? rows : rows.reverse(), next },
    answer: { headers, readAt: answer.readAt },
  };
}

/**
 * The page if GitHub fails on too many of its comments: anybody can write as many. What is new among those that no part
 * had counts as failed, as GraphQL lists it, so that each thread is read by itself. In a list from the oldest on, the
 * number of comments of an issue shows which thread that has to be.
 */
async function byThread<T>(
  asked: Asked<T>,
  parts: Parts<T>,
  { failure, greeting }: { readonly failure: Failure; readonly greeting: Answer },
): Promise<PageRead<T>> {
  const { path } = asked;
  const all = isAscending(path) ? null : await namedBeside(asked, parts.rows);
  const isKnown = all !== null || (parts.last === null && isDarkForLong(asked));
  const last = parts.last ?? (isKnown ? { answer: greeting, hasNext: false } : null);
  if (last === null) throw readError(failure);
  const left = (all ?? []).map((each) => knownRow(asked, each) ?? failedRow(asked, each, failure));
  return { ...readOf(asked, parts, left, last), brokenAt: newest(left) };
}

/**
 * The page if GitHub fails on some of its rows, or on so many of its issues that no part of it is worth a request: each
 * that is news is asked for alone, as GraphQL lists it. GraphQL leaves out pull requests.
 */
async function byNumber<T>(
  asked: Asked<T>,
  parts: Parts<T>,
  { failure, greeting }: { readonly failure: Failure; readonly greeting: Answer },
): Promise<PageRead<T>> {
  const { repository, feed } = asked;
  const all = await namedBeside(asked, parts.rows);
  if (all === null && (feed.name !== 'comments' || parts.rows.size === 0)) throw readError(failure);
  const last = parts.last ?? { answer: greeting, hasNext: true };
  const deadline = { untilAt: untilAtOf(repository) };
  const rows: Row<T>[] = [];
  const wanted = [...(all ?? [])];
  const work = async (): Promise<void> => {
    for (let each = wanted.shift(); each !== undefined; each = wanted.shift()) {
      const unasked = knownRow(asked, each) ?? (isLate(asked, deadline) ? failedRow(asked, each, failure) : null);
      const row = unasked ?? (await readAlone(asked, each));
      if (row !== null) rows.push(row);
    }
  };
  // No request is still under way when an error is passed on, and none follows it.
  const stop = (error: unknown): never => {
    wanted.length = 0;
    throw error;
  };
  const ends = await Promise.allSettled(Array.from({ length: readers }, () => work().catch(stop)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const unread = rows.filter(({ item, pull }) => item === null && pull === undefined);
  const brokenAt = all === null ? null : newest(unread.length > 0 ? unread : [...parts.rows.values()]);
  return { ...readOf(asked, parts, rows, last), brokenAt };
}

/**
 * How often in a row a list counts as out of reach, of which GitHub shows no row. After that it is one on each of whose
 * rows GitHub fails: otherwise, whoever writes six of them stops a repository that has no others.
 */
const darknessMax = 3;

function isDarkForLong<T>({ repository: { dark }, feed }: Asked<T>): boolean {
  const count = dark(feed.name);
  count.times += 1;
  return count.times > darknessMax;
}

/** Whether GitHub shows any row of this list: if not, it fails on all of them. */
async function showsAny<T>(asked: Asked<T>, parts: Parts<T>): Promise<boolean> {
  const { repository, feed } = asked;
  for (const path of [oldestPath(feed, repository, null), newestPath(feed, repository)]) {
    if (parts.isBesideOthers || parts.rows.size > 0) return true;
    const end: Parts<T> = { ...parts, rows: new Map() };
    await readBlock({ ...asked, path }, { size: 1, page: 1 }, end);
    parts.isBesideOthers = end.rows.size > 0;
  }
  return parts.isBesideOthers || parts.rows.size > 0;
}

/**
 * Whether GitHub shows rows on a page after this one; then its failures are those of this page. From the oldest comment
 * on, those between are counted.
 */
async function lookBeside<T>(asked: Asked<T>, { size, page }: Block, parts: Parts<T>): Promise<void> {
  const isCounted = asked.feed.name === 'comments' && isAscending(asked.path);
  for (const ahead of [1, 2, 4, 8, 16, 32, 64]) {
    if (isLate(asked, parts)) return;
    const after: Parts<T> = { ...parts, rows: new Map() };
    const beside = { size, page: page + ahead };
    await readBlock(asked, beside, after);
    parts.triesLeft = after.triesLeft;
    if (after.last === null) continue;
    parts.isBesideOthers = after.rows.size > 0;
    const hasNext = parts.isBesideOthers || (ahead > 1 && !isCounted);
    if (hasNext || isCounted) parts.last = { ...after.last, hasNext };
    if (isCounted) parts.nextPath = pathOf(asked.path, beside);
    return;
  }
}

const newest = (rows: readonly Row<unknown>[]): number | null =>
  rows.length === 0 ? null : Math.max(...rows.map(({ changedAt }) => changedAt));

const aboutOf = ({ repository, feed }: Pick<Asked<unknown>, 'repository' | 'feed'>): string =>
  `list the ${feed.name} of ${repository.name}`;

/** A pause that GitHub asks for at each part of a list is none of single rows. */
const ofAll = (failure: Failure): Failure =>
  failure.kind === 'unknown' && failure.pauseAt !== undefined
    ? { kind: 'limited', at: failure.pauseAt, why: failure.why }
    : failure;

/** Rows `size * (page - 1) + 1` to `size * page` of a list. */
interface Block {
  readonly size: number;
  readonly page: number;
}

/** Null if the address has a mark instead of the number of a page. */
function blockOf(path: string): Block | null {
  const { searchParams } = new URL(path, 'https://api.github.com');
  const [size, page] = [Number(searchParams.get('per_page')), Number(searchParams.get('page') ?? 1)];
  const isMarked = ['after', 'before', 'cursor'].some((name) => searchParams.has(name));
  return isMarked || !(size > 1) || !Number.isSafeInteger(page) ? null : { size, page };
}

function pathOf(path: string, { size, page }: Block): string {
  const [place = '', query = ''] = path.split('?');
  const params = new URLSearchParams(query);
  params.set('per_page', String(size));
  if (page > 1) params.set('page', String(page));
  else params.delete('page');
  return `${place}?${params.toString().replaceAll('%3A', ':')}`;
}

interface Parts<T> {
  readonly rows: Map<number, Row<T>>;
  /** How many rows could not be read. */
  left: number;
  /** How many requests may fail. */
  triesLeft: number;
  /** When to stop, whatever is left. */
  readonly untilAt: number;
  /** Whether GitHub shows rows beside this page. */
  isBesideOthers: boolean;
  /** Of the page after this one, or after all on which GitHub fails as a whole. */
  nextPath: string;
  /** The last part that was answered. */
  last: { readonly answer: Answer; readonly hasNext: boolean } | null;
}

/** The largest proper divisor, so that the parts of a page are pages as well. */
function smaller(size: number): number {
  for (let divisor = 2; divisor * divisor <= size; divisor += 1) if (size % divisor === 0) return size / divisor;
  return 1;
}

const isTooMuch = ({ left, rows, isBesideOthers }: Parts<unknown>): boolean =>
  left > (isBesideOthers || rows.size > 0 ? leftMax : leftOfAllMax);

const isLate = <T>({ repository }: Asked<T>, { untilAt }: Pick<Parts<T>, 'untilAt'>): boolean =>
  repository.client.now() > untilAt;

const isWorthIt = <T>(asked: Asked<T>, parts: Parts<T>): boolean =>
  !isTooMuch(parts) && !isLate(asked, parts) && (parts.last !== null || parts.triesLeft > 0);

/** What lies beside a part that fails is read first: it says whether GitHub fails on everything. */
async function readParts<T>(asked: Asked<T>, { size, page }: Block, parts: Parts<T>): Promise<void> {
  const part = smaller(size);
  const times = size / part;
  const failing: Block[] = [];
  for (let index = 0; index < times && isWorthIt(asked, parts); index += 1) {
    const block = { size: part, page: (page - 1) * times + index + 1 };
    const isRead = (await readBlock(asked, block, parts)) || (part === 1 && (await readBlock(asked, block, parts)));
    if (isRead && parts.last?.hasNext === false) break;
    if (!isRead && part === 1) parts.left += 1;
    else if (!isRead) failing.push(block);
  }
  for (const block of failing) if (isWorthIt(asked, parts)) await readParts(asked, block, parts);
}

/** @throws SideError if the failure concerns more than these rows */
async function readBlock<T>({ repository, feed, path }: Asked<T>, block: Block, parts: Parts<T>): Promise<boolean> {
  const of = { path: pathOf(path, block), cost: 'read', about: aboutOf({ repository, feed }) } as const;
  const reply = await repository.client.send({ method: 'GET', ...of });
  const failure = failureOf(reply, of.about);
  if (failure !== null) parts.triesLeft -= 1;
  // A limit ends it; a list that is refused in parts has failed as a whole.
  if (failure !== null && failure.kind !== 'limited') return false;
  const answer = answered(reply, of.about);
  const { rows } = readPage(feed, repository, { path: of.path, answer });
  for (const row of rows) parts.rows.set(row.id, row);
  const next = nextPage({ ...repository, pageSize: block.size }, answer, { path: of.path, rows: rows.length });
  parts.last = { answer, hasNext: next !== null && rows.length > 0 };
  return true;
}

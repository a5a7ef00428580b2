/**
 * A page of a list on which GitHub fails as a whole, because it fails on one row: it is read in ever smaller parts
 * until that row is alone, and all others arrive. GraphQL, which shows little of each issue, says which row it is.
 */

import * as z from 'zod';
import type { Answer, Reply } from '../connection/client.ts';
import { type Failure, readError, whyOf } from '../connection/failure.ts';
import { nextPage, pathOfNext } from '../connection/paging.ts';
import { parseAnswer } from '../map.ts';
import { answered, get, type Repository } from '../repository.ts';
import { type Feed, type FeedPage, type Row, readPage } from './feed.ts';
import { isAscending, namedBeside } from './named-rows.ts';

interface Asked<T> {
  readonly repository: Repository;
  readonly feed: Feed<T>;
  /** The page that failed. */
  readonly path: string;
  /** Whether this version of a row is no news; absent if all are. */
  readonly isKnown?: (id: number, changedAt: number) => boolean;
}

export interface PageRead<T> {
  readonly page: FeedPage<T>;
  readonly answer: Pick<Answer, 'headers' | 'readAt'>;
  /** The newest change on which GitHub failed, of those that it named; undefined if it failed on none. */
  readonly brokenAt?: number | null;
}

/**
 * GitHub is in trouble if it fails on more rows of one page, on fewer while it shows no other, or answers no part of it
 * so often: the rows that it fails on may be the first ones, and each is asked for twice. If it asks for pauses, fewer
 * requests have to do.
 */
const [leftMax, leftOfAllMax, triesMax, pausesMax] = [40, 5, 16, 6];

/**
 * The page of this reply, if need be from its parts.
 * @throws SideError
 */
export async function pageOf<T>(asked: Asked<T>, reply: Exclude<Reply, { kind: 'unchanged' }>): Promise<PageRead<T>> {
  const { repository, feed, path } = asked;
  const failure = failureOf(reply, aboutOf(asked));
  if (failure === null) {
    const answer = answered(reply, aboutOf(asked));
    return { page: readPage(feed, repository, { path, answer }), answer };
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
  };
  const whole = blockOf(path);
  const greeting = isOfOne(failure) && whole !== null ? await greetingOf(repository) : null;
  if (whole !== null && greeting !== null) {
    if (!isPause) await lookBeside(asked, whole, parts);
    await readParts(asked, whole, parts);
  }
  const { last } = parts;
  const isOfComments = feed.name === 'comments' && greeting !== null && !isPause;
  if (isOfComments && (last === null || isTooMuch(parts))) return byThread(asked, parts, { failure, greeting });
  if (last === null || isTooMuch(parts)) throw readError(ofAll(failure));
  const failed = parts.left === 0 ? [] : await named(asked, parts.rows);
  // That an issue lacks a comment shows in the number of its comments, and its thread is read then. But a failure that
  // concerns all rows is none of one row, unless each fails alone, too.
  const isNeeded = feed.name !== 'comments' || parts.rows.size === 0;
  if (failed.length < parts.left && isNeeded) throw readError(failure);
  return { ...readOf(asked, parts, failed, last), ...(parts.left > 0 ? { brokenAt: newest(failed) } : {}) };
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
  const { path, isKnown = () => false } = asked;
  const all = isAscending(path) ? null : await namedBeside(asked, parts.rows);
  const last = parts.last ?? (all === null ? null : { answer: greeting, hasNext: false });
  if (last === null) throw readError(failure);
  const left = (all ?? []).map(({ ref, id, changedAt }): Row<T> => {
    const failed = { ref, of: 'thread', why: whyOf(failure), isOfSide: true } as const;
    return { id, changedAt, item: null, sum: 0, failed };
  });
  const isNews = ({ id, changedAt }: Row<T>): boolean => !isKnown(id, changedAt);
  return { ...readOf(asked, parts, left.filter(isNews), last), brokenAt: newest(left) };
}

/**
 * Whether GitHub shows rows on the page after this one; then its failures are those of this page. From the oldest
 * comment on, which page that is does not matter: those between are counted.
 */
async function lookBeside<T>(asked: Asked<T>, { size, page }: Block, parts: Parts<T>): Promise<void> {
  const isCounted = asked.feed.name === 'comments' && isAscending(asked.path);
  for (const ahead of isCounted ? [1, 2, 4, 8, 16, 32, 64] : [1]) {
    const after: Parts<T> = { ...parts, rows: new Map() };
    const beside = { size, page: page + ahead };
    await readBlock(asked, beside, after);
    parts.triesLeft = after.triesLeft;
    if (after.last === null) continue;
    const hasNext = after.rows.size > 0;
    if (hasNext || isCounted) parts.last = { ...after.last, hasNext };
    parts.isBesideOthers = hasNext;
    parts.nextPath = pathOf(asked.path, beside);
    return;
  }
}

const newest = (rows: readonly Row<unknown>[]): number | null =>
  rows.length === 0 ? null : Math.max(...rows.map(({ changedAt }) => changedAt));

/** A server in trouble gets few requests. */
async function greetingOf(repository: Repository): Promise<Answer | null> {
  const reply = await get(repository, '', `look at ${repository.name}`);
  return reply.kind === 'answered' ? reply : null;
}

const aboutOf = ({ repository, feed }: Pick<Asked<unknown>, 'repository' | 'feed'>): string =>
  `list the ${feed.name} of ${repository.name}`;

/** An answer that is no JSON was cut on its way. */
function failureOf(reply: Reply, about: string): Failure | null {
  if (reply.kind !== 'answered') return reply.kind === 'failed' ? reply.failure : null;
  const parsed = parseAnswer(z.union([z.array(z.unknown()), z.looseObject({})]), reply, about);
  return parsed.kind === 'failed' ? parsed.failure : null;
}

/** Whether a smaller request might be answered: an error of the server, no answer in time, or a cut one. */
const isOfOne = (failure: Failure): boolean => failure.kind === 'unknown' && failure.at === undefined;

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
  /** Whether GitHub shows rows on the page after this one. */
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

const isWorthIt = (parts: Parts<unknown>): boolean => !isTooMuch(parts) && (parts.last !== null || parts.triesLeft > 0);

/** What lies beside a part that fails is read first: it says whether GitHub fails on everything. */
async function readParts<T>(asked: Asked<T>, { size, page }: Block, parts: Parts<T>): Promise<void> {
  const part = smaller(size);
  const times = size / part;
  const failing: Block[] = [];
  for (let index = 0; index < times && isWorthIt(parts); index += 1) {
    const block = { size: part, page: (page - 1) * times + index + 1 };
    const isRead = (await readBlock(asked, block, parts)) || (part === 1 && (await readBlock(asked, block, parts)));
    if (isRead && parts.last?.hasNext === false) break;
    if (!isRead && part === 1) parts.left += 1;
    else if (!isRead) failing.push(block);
  }
  for (const block of failing) if (isWorthIt(parts)) await readParts(asked, block, parts);
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

/** The rows that GitHub fails on: those of them on which it fails alone, too. */
async function named<T>(asked: Asked<T>, known: ReadonlyMap<number, Row<T>>): Promise<readonly Row<T>[]> {
  const { repository, feed } = asked;
  const isOfThread = feed.name === 'comments';
  const wanted = (await namedBeside(asked, known)) ?? [];
  const rows: Row<T>[] = [];
  for (const { ref, id, changedAt } of wanted.slice(0, 2 * leftMax)) {
    const alone = isOfThread ? `/issues/comments/${id}` : `/issues/${ref}`;
    const about = `read ${isOfThread ? 'a comment on ' : ''}${repository.name}#${ref}`;
    const answer = await repository.client.send({ method: 'GET', path: repository.path + alone, cost: 'read', about });
    const failure = failureOf(answer, about);
    if (failure === null || !isOfOne(failure)) continue;
    const of = isOfThread ? ({ of: 'thread' } as const) : {};
    const failed = { ref, ...of, why: whyOf(failure), isOfSide: true } as const;
    rows.push({ id, changedAt, item: null, sum: 0, failed });
  }
  return rows;
}

import * as z from 'zod';
import type { Comment, Issue } from '../../model/item.ts';
import type { Pull } from '../../model/pulls/pull.ts';
import type { FailedItem } from '../../model/replica.ts';
import type { RowReader } from '../../model/runtime.ts';
import type { Answer } from '../connection/client.ts';
import { type NextPage, nextPage } from '../connection/paging.ts';
import { commentSchema, issueOf, issueSchema, readAnswer, time, toComment, toIssue, toPull } from '../map.ts';
import type { Repository } from '../repository.ts';
import { partIn, readRow } from '../rows.ts';

/** A list of a repository that can be sorted by the time of the last change. */
export interface Feed<T> {
  readonly name: string;
  /** Its path below the repository, up to `sort=updated`. */
  readonly path: string;
  readonly row: z.ZodType<Row<T>>;
  readonly least: Least;
}

/** `item` is null for pull requests and their comments; their place in the order still counts. */
export interface Row<T> {
  readonly id: number;
  readonly changedAt: number;
  readonly item: T | null;
  /** Absent except for pull requests. */
  readonly pull?: Pull;
  /** Present if we failed to read it. */
  readonly failed?: FailedItem;
  /** Tells versions of the same second apart: times have whole seconds. */
  readonly sum: number;
}

const rowOf = <T>(id: number, changedAt: number, item: T | null, pull: Pull | null = null): Row<T> => ({
  id,
  changedAt,
  item,
  ...(pull === null ? {} : { pull }),
  sum: sumOf(JSON.stringify(item ?? pull)),
});

/** FNV-1a, 32 bits. */
function sumOf(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

/** What tells at least which row it is. */
type Least = z.ZodType<{
  readonly id: number;
  readonly updated_at: number | null;
  /** Null for a comment on a pull request, which no item misses. */
  readonly of: Omit<FailedItem, 'why'> | null;
}>;

/** The time of a row that has none: `dated` gives it another. */
const undated = Number.NaN;

/**
 * A row on which we fail, or of an unexpected form, costs no other one its place. If it says what it is about, it is
 * named. If not, it is left out, unless no row of the answer says that.
 */
const rowsIn = <T>(feed: Feed<T>, rows: RowReader): z.ZodType<readonly Row<T>[]> =>
  z.array(z.unknown()).transform((values, context): readonly Row<T>[] => {
    const named: Row<T>[] = [];
    const nameless: z.core.$ZodRawIssue[] = [];
    for (const value of values) {
      const row = rowIn(feed, rows, value);
      if ('changedAt' in row) named.push(row);
      else nameless.push({ code: 'custom', message: row.why, input: value });
    }
    if (named.length === 0) context.issues.push(...nameless);
    return named;
  });

function rowIn<T>({ row, least }: Feed<T>, rows: RowReader, value: unknown): Row<T> | { readonly why: string } {
  const read = readRow(rows, partIn(value), () => row.safeParse(value));
  if (read.kind === 'read' && read.value.success) return read.value.data;
  const { data } = least.safeParse(value);
  const why = read.kind === 'failed' ? read.why : formInWords(read.value.error);
  if (data === undefined) return { why };
  return {
    ...rowOf<T>(data.id, data.updated_at ?? undated, null),
    ...(data.of === null ? {} : { failed: { ...data.of, why } }),
  };
}

const formInWords = (error: z.ZodError | undefined): string =>
  `it has an unexpected form: ${error === undefined ? '' : z.prettifyError(error).replace(/\s+/gu, ' ').slice(0, 300)}`;

const identity = { id: z.number(), updated_at: time.nullable().catch(null) };

/** GET /repos/{owner}/{repo}/issues; without `state=all`, only open ones. */
export const issuesFeed: Feed<Issue> = {
  name: 'issues',
  path: '/issues?state=all&',
  row: issueSchema.transform((wire) => rowOf(wire.id, wire.updated_at, toIssue(wire), toPull(wire))),
  least: z
    .object({ ...identity, number: z.number().int().positive() })
    .transform(({ number, ...rest }) => ({ ...rest, of: { ref: number } })),
};

/** GET /repos/{owner}/{repo}/issues/comments; `direction` works only together with `sort`. */
export const commentsFeed: Feed<Comment> = {
  name: 'comments',
  path: '/issues/comments?',
  row: commentSchema.transform((wire) => rowOf(wire.id, wire.updated_at, toComment(wire))),
  least: z
    .object({ ...identity, html_url: z.string(), issue_url: z.string().nullish() })
    .transform(({ id, updated_at, ...wire }) => {
      const ref = issueOf(wire);
      return { id, updated_at, of: ref === null ? null : { ref, of: 'thread' as const } };
    }),
};

/** Newest changes first. The address never varies, so that its ETag stays useful. */
export const newestPath = <T>(feed: Feed<T>, { path, pageSize }: Repository): string =>
  `${path}${feed.path}sort=updated&direction=desc&per_page=${pageSize}`;

/** Oldest changes first, from `sinceAt` on. */
export function oldestPath<T>(feed: Feed<T>, { path, pageSize }: Repository, sinceAt: number | null): string {
  const since = sinceAt === null ? '' : `&since=${wholeSeconds(sinceAt)}`;
  return `${path}${feed.path}sort=updated&direction=asc&per_page=${pageSize}${since}`;
}

/** Rows are listed by their times, so a row without one has about that of the row before it, or after it. */
function dated<T>(rows: readonly Row<T>[], readAt: number): readonly Row<T>[] {
  let at = rows.find(({ changedAt }) => !Number.isNaN(changedAt))?.changedAt ?? readAt;
  return rows.map((row) => {
    if (Number.isNaN(row.changedAt)) return { ...row, changedAt: at };
    at = row.changedAt;
    return row;
  });
}

export interface FeedPage<T> {
  readonly rows: readonly Row<T>[];
  readonly next: NextPage | null;
}

/**
 * @param path the requested path
 * @throws SideError if the answer is not such a list
 */
export function readPage<T>(
  feed: Feed<T>,
  repository: Repository,
  { path, answer }: { path: string; answer: Answer },
): FeedPage<T> {
  const rows = dated(
    readAnswer(rowsIn(feed, repository.client.rows), answer, `list the ${feed.name} of ${repository.name}`),
    answer.readAt,
  );
  const count = Array.isArray(answer.data) ? answer.data.length : 0;
  return { rows, next: nextPage(repository, answer, { path, rows: count }) };
}

/** GitHub's times have whole seconds; rounding down never skips anything. */
export const wholeSeconds = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

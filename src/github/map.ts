/**
 * The parts of GitHub's answers that we read, and what they are in the model. Times become epoch milliseconds.
 * Source: GitHub's OpenAPI description.
 */

import * as z from 'zod';
import { botCheckInWords, isBotCheck } from '../model/answers/bot-check.ts';
import { issueNumber } from '../model/ids.ts';
import type { CloseReason, Comment, FieldValues, Issue, Person } from '../model/item.ts';
import type { Pull } from '../model/pulls/pull.ts';
import type { RowReader } from '../model/runtime.ts';
import type { Answer } from './connection/client.ts';
import { type Failure, readError, whyOf } from './connection/failure.ts';
import { partIn, readRow } from './rows.ts';

export const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Null for a deleted account, which the website shows as `ghost`. */
export const userSchema = z
  .object({ login: z.string(), id: z.number().int().optional().catch(undefined), type: z.string().nullish() })
  .nullish();

const option = z.object({ name: z.string() });

export const issueSchema = z.object({
  id: z.number(),
  number: z.number().int(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  state_reason: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  user: userSchema,
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  /** Absent on servers without types. */
  type: z.object({ name: z.string() }).nullable().optional(),
  /** Present if the organisation has fields; `value` contains the id of an option. */
  issue_field_values: z
    .array(
      z.object({
        issue_field_name: z.string().nullish(),
        data_type: z.string(),
        value: z.unknown(),
        single_select_option: option.nullish(),
        multi_select_options: z.array(option).nullish(),
      }),
    )
    .nullish()
    .catch(null),
  /** 0 if the server sends no count: the thread is then read whenever its issue changes. */
  comments: z.number().nullish(),
  locked: z.boolean().nullish(),
  created_at: time,
  updated_at: time,
  reactions: z.object({ '+1': z.number() }).nullish().catch(null),
  issue_dependencies_summary: z.object({ total_blocked_by: z.number() }).nullish(),
  /** Only on pull requests. */
  pull_request: z.object({ merged_at: z.string().nullish() }).nullish(),
  closed_at: time.nullish(),
});
export type WireIssue = z.infer<typeof issueSchema>;

export const commentSchema = z.object({
  id: z.number(),
  html_url: z.string(),
  issue_url: z.string().nullish(),
  body: z.string().nullish(),
  user: userSchema,
  /** Absent on servers that do not report it. */
  minimized: z.object({ reason: z.string().nullish() }).nullable().optional(),
  created_at: time,
  updated_at: time,
});
type WireComment = z.infer<typeof commentSchema>;

export const labelSchema = z.object({ id: z.number(), name: z.string() });
export const milestoneSchema = z.object({ number: z.number().int(), title: z.string() });

export const userAnswerSchema = z.object({ login: z.string(), id: z.number().int().optional().catch(undefined) });
export const appAnswerSchema = z.object({ slug: z.string() });
export const repositorySchema = z.object({ id: z.number().int(), has_issues: z.boolean().default(true) });

export type Parsed<T> =
  | { readonly kind: 'parsed'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * A failure is `unknown` if the answer is not JSON (truncated, or from a proxy), and `refused` if it is JSON of an
 * unexpected form.
 */
export function parseAnswer<T>(schema: z.ZodType<T>, answer: Answer, about: string): Parsed<T> {
  const parsed = schema.safeParse(answer.data);
  if (parsed.success) return { kind: 'parsed', value: parsed.data };
  if (typeof answer.data !== 'object' || answer.data === null) {
    const what = isBotCheck(answer.data) ? botCheckInWords : 'truncated, or not from GitHub';
    return failed('unknown', `GitHub's answer when asked to ${about} is ${what}`);
  }
  const form = z.prettifyError(parsed.error).replace(/\s+/gu, ' ').slice(0, 500);
  return failed('refused', `GitHub's answer when asked to ${about} has an unexpected form: ${form}`);
}

const failed = (kind: 'unknown' | 'refused', why: string): Parsed<never> => ({
  kind: 'failed',
  failure: { kind, why },
});

/** An answer, as an item of the model; a mistake of ours on it is a failure of this answer alone. */
export function mapAnswer<Wire, T>(
  rows: RowReader,
  { schema, map }: { readonly schema: z.ZodType<Wire>; readonly map: (wire: Wire) => T },
  answer: Answer,
  about: string,
): Parsed<T> {
  const read = readRow(rows, partIn(answer.data), (): Parsed<T> => {
    const parsed = parseAnswer(schema, answer, about);
    return parsed.kind === 'failed' ? parsed : { kind: 'parsed', value: map(parsed.value) };
  });
  return read.kind === 'read' ? read.value : failed('refused', read.why);
}

/** @throws SideError if the answer to a read cannot be parsed */
export function readAnswer<T>(schema: z.ZodType<T>, answer: Answer, about: string): T {
  const parsed = parseAnswer(schema, answer, about);
  if (parsed.kind === 'failed') throw readError(parsed.failure);
  return parsed.value;
}

/** Reads what a route asks once a day: an answer of an unexpected form says no more than none. */
export function readFact<T>(schema: z.ZodType<T>, answer: Answer, about: string): T {
  const parsed = parseAnswer(schema, answer, about);
  if (parsed.kind === 'failed') throw readError({ kind: 'unknown', why: whyOf(parsed.failure) });
  return parsed.value;
}

/** Null for an issue. */
export function toPull(wire: WireIssue): Pull | null {
  const { pull_request: pull, number, html_url: url, title, state, closed_at: endedAt, updated_at: changedAt } = wire;
  if (pull === undefined || pull === null) return null;
  const ended = pull.merged_at ? 'merged' : 'closed';
  const place = { number, url, title, body: wire.body ?? '', author: toPerson(wire.user), changedAt };
  return state === 'open'
    ? { ...place, state, endedAt: null }
    : { ...place, state: ended, endedAt: endedAt ?? changedAt };
}

/** Null for a pull request, which GitHub lists as an issue. */
export function toIssue(wire: WireIssue): Issue | null {
  if (wire.pull_request !== undefined && wire.pull_request !== null) return null;
  const fields = toFields(wire.issue_field_values);
  return {
    kind: 'issue',
    number: issueNumber(wire.number),
    id: wire.id,
    url: wire.html_url,
    title: wire.title,
    body: wire.body ?? '',
    state: wire.state,
    reason: wire.state === 'open' ? null : toReason(wire.state_reason),
    labels: wire.labels
      .map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
      .filter((name) => name !== ''),
    assignees: (wire.assignees ?? []).map(({ login }) => login),
    milestone: wire.milestone?.title ?? null,
    ...(wire.type === undefined ? {} : { type: wire.type?.name ?? null }),
    ...(fields === undefined ? {} : { fields }),
    author: toPerson(wire.user),
    commentCount: wire.comments ?? 0,
    isLocked: wire.locked ?? false,
    ...(wire.reactions && wire.reactions['+1'] > 0 ? { thumbsUp: wire.reactions['+1'] } : {}),
    ...(wire.issue_dependencies_summary ? { blockerCount: wire.issue_dependencies_summary.total_blocked_by } : {}),
    createdAt: wire.created_at,
    changedAt: wire.updated_at,
    ...(wire.state === 'closed' && wire.closed_at ? { closedAt: wire.closed_at } : {}),
  };
}

/** The issue of a comment; null for a comment on a pull request. */
export function issueOf(wire: Pick<WireComment, 'html_url' | 'issue_url'>): number | null {
  if (/\/pull\/\d+(?:#|$)/u.test(wire.html_url)) return null;
  const ref = /\/issues\/(\d+)\/?(?:[?#]|$)/u.exec(wire.issue_url ?? wire.html_url)?.[1];
  return ref === undefined ? null : Number(ref);
}

/** Null for a comment on a pull request. */
export function toComment(wire: WireComment): Comment | null {
  const ref = issueOf(wire);
  if (ref === null) return null;
  return {
    side: 'github',
    id: wire.id,
    ref,
    count: null,
    url: wire.html_url,
    author: toPerson(wire.user),
    text: wire.body ?? '',
    isPrivate: false,
    ...(wire.minimized === undefined ? {} : { minimize: minimizeReason(wire.minimized) }),
    createdAt: wire.created_at,
    changedAt: wire.updated_at,
  };
}

/** GraphQL has been observed to answer with capitals and underscores where REST has lower case and hyphens. */
export const minimizeReason = (minimized: NonNullable<WireComment['minimized']> | null): string | null =>
  minimized === null ? null : (minimized.reason ?? '').toLowerCase().replaceAll('_', '-');

/** An unknown reason counts as completed, like none. */
export function toReason(reason: string | null | undefined): CloseReason {
  return reason === 'not_planned' || reason === 'duplicate' ? reason : 'completed';
}

/** Lists contain only the login; display names would cost a request per person. */
export function toPerson(user: WireIssue['user']): Person {
  const login = user?.login ?? 'ghost';
  const id = user?.id === undefined ? {} : { id: user.id };
  return { login, name: login, ...id, ...(user?.type === 'Bot' || login.endsWith('[bot]') ? { isBot: true } : {}) };
}

/** Undefined if GitHub does not report the field in a known form. */
export function toFields(values: WireIssue['issue_field_values']): FieldValues | undefined {
  if (values === undefined || values === null) return undefined;
  const fields: [string, string | readonly string[]][] = [];
  for (const each of values) {
    const value = valueIn(each);
    if (value === undefined || each.issue_field_name === undefined || each.issue_field_name === null) return undefined;
    if (value.length > 0) fields.push([each.issue_field_name, value]);
  }
  return Object.fromEntries(fields);
}

type WireValue = NonNullable<WireIssue['issue_field_values']>[number];

/** Empty for none. Options are identified by name, not by id. */
function valueIn({
  data_type,
  value,
  single_select_option: one,
  multi_select_options: several,
}: WireValue): string | readonly string[] | undefined {
  if (one !== undefined && one !== null) return one.name;
  if (several !== undefined && several !== null) return several.map(({ name }) => name);
  if (value === undefined || value === null) return '';
  if (data_type.endsWith('_select')) return undefined;
  // An unknown kind is never written, so it may appear empty.
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
}

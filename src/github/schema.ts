import * as z from 'zod';
import type { Answer } from './connection/client.ts';
import { type Failure, readError } from './connection/failure.ts';

/** The parts of GitHub's answers that we read. Times become epoch milliseconds. Source: GitHub's OpenAPI description, 2022-11-28. */

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Null for a deleted account, which the website shows as `ghost`. */
export const userSchema = z.object({ login: z.string(), type: z.string().nullish() }).nullish();

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
  issue_dependencies_summary: z.object({ total_blocked_by: z.number() }).nullish(),
  /** Only on pull requests. */
  pull_request: z.unknown().optional(),
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
export type WireComment = z.infer<typeof commentSchema>;

export const milestoneSchema = z.object({ number: z.number().int(), title: z.string() });

export const userAnswerSchema = z.object({ login: z.string() });
export const appAnswerSchema = z.object({ slug: z.string() });
export const repositorySchema = z.object({ has_issues: z.boolean().default(true) });

export type Parsed<T> = { readonly kind: 'parsed'; readonly value: T } | { readonly kind: 'failed'; readonly failure: Failure };

/** A failure is `unknown` if the answer is not JSON (truncated, or from a proxy), and `refused` if it is JSON of an unexpected form. */
export function parseAnswer<T>(schema: z.ZodType<T>, answer: Answer, about: string): Parsed<T> {
  const parsed = schema.safeParse(answer.data);
  if (parsed.success) return { kind: 'parsed', value: parsed.data };
  if (typeof answer.data !== 'object' || answer.data === null) {
    return failed('unknown', `GitHub's answer when asked to ${about} is truncated, or not from GitHub.`);
  }
  const form = z.prettifyError(parsed.error).replace(/\s+/gu, ' ').slice(0, 500);
  return failed('refused', `GitHub's answer when asked to ${about} has an unexpected form: ${form}`);
}

const failed = (kind: 'unknown' | 'refused', why: string): Parsed<never> => ({ kind: 'failed', failure: { kind, why } });

/** @throws SideError if the answer to a read cannot be parsed */
export function readAnswer<T>(schema: z.ZodType<T>, answer: Answer, about: string): T {
  const parsed = parseAnswer(schema, answer, about);
  if (parsed.kind === 'failed') throw readError(parsed.failure);
  return parsed.value;
}

/** Writes issues, comments and changes. If GitHub refuses a part of a request, the rest is sent again without it. */

import type * as z from 'zod';
import type { Comment, Issue } from '../../model/item.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { IssueDraft } from '../../model/plan/draft.ts';
import type { RowReader } from '../../model/runtime.ts';
import type { Ask, Reply } from '../connection/client.ts';
import { type Failure, inSentences, noContent, unwrittenOutcome, whyOf, writeOutcome } from '../connection/failure.ts';
import { commentSchema, issueSchema, mapAnswer, toComment, toIssue } from '../map.ts';
import { explainGoneWrite, makeOnce, type Repository } from '../repository.ts';
import { type FieldBody, fieldChange, stillFitting } from './field-values.ts';
import { milestoneBody, unlessRenamed } from './milestones.ts';
import { isAbout } from './refused-part.ts';

/** POST /repos/{owner}/{repo}/issues */
export async function createIssue(repository: Repository, draft: IssueDraft): Promise<Outcome<Issue>> {
  const labels = draft.labels.length === 0 ? {} : { labels: draft.labels };
  const assignees = draft.assignees === undefined ? {} : { assignees: draft.assignees };
  const type = draft.type === undefined ? {} : { type: draft.type };
  const milestone = await milestoneBody(repository, null, draft);
  if (milestone.kind === 'failed') return unwrittenOutcome(milestone.failure);
  const fields = await fieldChange(repository, draft.fields ?? {}, {});
  if (fields.kind === 'failed') return unwrittenOutcome(fields.failure);
  const values = fields.change.set.length === 0 ? {} : { issue_field_values: fields.change.set };
  const ask = {
    method: 'POST',
    path: `${repository.path}/issues`,
    cost: 'create',
    about: `open an issue in ${repository.name}`,
  } as const;
  const outcome = await submitWithFallback(repository, {
    body: { title: draft.title, body: draft.body, ...labels, ...assignees, ...type, ...milestone.body, ...values },
    existing: null,
    send: (body) => write(repository, { ask: { ...ask, body: { ...body } }, schema: issueSchema, map: toIssue }),
  });
  if (outcome.kind !== 'gone') return unlessRenamed(repository, outcome, draft.milestone, milestone.body);
  const advice = 'Check that the repository has issues enabled and that the account may write them';
  return { kind: 'refused', why: inSentences(outcome.gone.why, advice) };
}

/** POST /repos/{owner}/{repo}/issues/{issue_number}/comments */
export async function createComment(repository: Repository, ref: number, text: string): Promise<Outcome<Comment>> {
  const path = `${repository.path}/issues/${ref}/comments`;
  const ask = {
    method: 'POST',
    path,
    cost: 'create',
    about: `comment on ${repository.name}#${ref}`,
    body: { body: text },
  } as const;
  return explained(repository, ref, await sendComment(repository, ask));
}

/** Sends a request that is answered with a comment. */
export async function sendComment(repository: Repository, ask: Ask): Promise<Outcome<Comment>> {
  const { outcome } = await write(repository, { ask, schema: commentSchema, map: toComment });
  return outcome;
}

/** PATCH /repos/{owner}/{repo}/issues/{issue_number}; `fresh` is the current issue. */
export async function patchIssue(repository: Repository, fresh: Issue, body: IssueBody): Promise<Outcome<Issue>> {
  const path = `${repository.path}/issues/${fresh.number}`;
  const ask = { method: 'PATCH', path, cost: 'edit', about: `change ${repository.name}#${fresh.number}` } as const;
  const outcome = await submitWithFallback(repository, {
    body,
    existing: fresh,
    send: async (part) => {
      const written = await write(repository, {
        ask: { ...ask, body: { ...part } },
        schema: issueSchema,
        map: toIssue,
      });
      return { ...written, outcome: closedBefore(fresh, part, written.outcome) };
    },
  });
  return explained(repository, fresh.number, outcome);
}

/** GitHub ignores the reason for an issue that is closed already. Servers that know no reasons answer none. */
function closedBefore(
  fresh: Issue,
  { state, state_reason: asked }: IssueBody,
  outcome: Outcome<Issue>,
): Outcome<Issue> {
  if (outcome.kind !== 'applied' || fresh.state !== 'open' || state !== 'closed' || asked === undefined) return outcome;
  const { reason } = outcome.item;
  return reason === null || reason === asked ? outcome : { ...outcome, foreign: ['status'] };
}

interface Writing<Wire, T> {
  readonly ask: Ask;
  readonly schema: z.ZodType<Wire>;
  readonly map: (wire: Wire) => T | null;
}

async function explained<T>(repository: Repository, ref: number, outcome: Outcome<T>): Promise<Outcome<T>> {
  return outcome.kind === 'gone' ? unwrittenOutcome(await explainGoneWrite(repository, ref, outcome.gone)) : outcome;
}

interface Written<T> {
  readonly outcome: Outcome<T>;
  /** The faults that a refusal names. */
  readonly faults: readonly string[];
}

async function write<Wire, T>({ client }: Repository, writing: Writing<Wire, T>): Promise<Written<T>> {
  const reply = await client.send(writing.ask);
  if (reply.kind !== 'failed') return { outcome: readWritten(client.rows, reply, writing), faults: [] };
  const { failure } = reply;
  return { outcome: writeOutcome(failure), faults: failure.kind === 'refused' ? (failure.faults ?? []) : [] };
}

/** An unreadable success leaves the write in doubt: it probably took effect. */
function readWritten<Wire, T>(
  rows: RowReader,
  reply: Exclude<Reply, { kind: 'failed' }>,
  { ask, ...wanted }: Writing<Wire, T>,
): Outcome<T> {
  if (reply.kind === 'unchanged') return noContent(ask.about);
  const mapped = mapAnswer(rows, wanted, reply, ask.about);
  if (mapped.kind === 'failed') return { kind: 'unknown', why: whyOf(mapped.failure) };
  const item = mapped.value;
  if (item === null) return { kind: 'unknown', why: `GitHub answered with a pull request when asked to ${ask.about}.` };
  return { kind: 'applied', item };
}

/** The body of a POST or PATCH of an issue, as far as the fallbacks need it. */
export interface IssueBody {
  readonly title?: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
  /** A number; null removes it. */
  readonly milestone?: number | null;
  /** A name; null removes it. */
  readonly type?: string | null;
  /** Only for a new issue: a PATCH would remove all other values. */
  readonly issue_field_values?: readonly FieldBody[];
  readonly state?: string;
  readonly state_reason?: string;
  readonly duplicate_issue_id?: number;
}

/** `faults` are the server's words for what it refuses; see `Failure`. */
export interface Attempt {
  readonly outcome: Outcome<Issue>;
  readonly faults: readonly string[];
}

/** `standing` is the existing issue, or null before it is created. */
interface Submission {
  readonly body: IssueBody;
  readonly existing: Issue | null;
  readonly send: (body: IssueBody) => Promise<Attempt>;
}

/**
 * Submits an issue, and after a refusal submits it again without the refused parts. A refusal is certain: nothing was
 * written, so a repetition duplicates nothing. Every fallback drops something, so this ends.
 *
 *   a label          creates labels that the issue does not have yet, once; then drops those that are still refused
 *   an assignee      drops everyone who is not assigned yet
 *   a milestone      drops it; someone may have deleted it after it was read
 *   a type           drops it, if the organisation has no type of that name
 *   a field          reads the offered fields again and drops other values; after that, drops all field values
 *   a duplicate      drops the original issue; then closes as not planned
 *
 * If nothing remains to send, the issue stays unchanged and shows what was dropped. Labels alone are refused.
 *
 * If a refusal of a new issue names none of these, the caller tries with less.
 */
async function submitWithFallback(
  repository: Repository,
  { body, existing, send }: Submission,
): Promise<Outcome<Issue>> {
  let current = body;
  let hasMadeLabels = false;
  for (;;) {
    const { outcome, faults } = await send(current);
    if (outcome.kind !== 'refused') return outcome;
    let next: IssueBody | null = null;
    const fresh = freshLabels(current, existing);
    if (fresh.length > 0 && isAbout('labels', faults)) {
      const made = hasMadeLabels ? null : await makeLabels(repository, fresh);
      if (made?.kind === 'failed') return unwrittenOutcome(made.failure);
      const refused = made?.refused ?? namedOf(fresh, faults);
      next = refused.length === 0 ? current : withoutLabels(current, existing, refused);
      hasMadeLabels = true;
    } else if (current.assignees !== undefined && isAbout('assignees', faults)) {
      next = withoutNewcomers(current, existing);
    } else if (current.milestone !== undefined && isAbout('milestone', faults)) {
      repository.milestones.clear();
      next = without(current, 'milestone');
    } else if (current.type !== undefined && isAbout('type', faults)) {
      next = without(current, 'type');
    } else if (current.issue_field_values !== undefined && isAbout('fields', faults)) {
      const fitting = await stillFitting(repository, current.issue_field_values);
      if (fitting.kind === 'failed') return unwrittenOutcome(fitting.failure);
      next =
        fitting.values.length === 0
          ? without(current, 'issue_field_values')
          : { ...current, issue_field_values: fitting.values };
    } else if (isAbout('duplicate', faults)) {
      next = lessDuplicate(current, existing);
    }
    if (next !== null && existing !== null && Object.keys(next).length === 0)
      return { kind: 'applied', item: existing };
    if (next === null)
      return existing === null && isUnexplained(current, faults) ? { ...outcome, isUnexplained: true } : outcome;
    current = next;
  }
}

/** A 422 about neither title nor text, if more was sent: the cause is in the rest. */
const isUnexplained = ({ title: _title, body: _body, ...rest }: IssueBody, faults: readonly string[]): boolean =>
  faults.length > 0 && !faults.some((fault) => /^(?:title|body)$/iu.test(fault)) && Object.keys(rest).length > 0;

function freshLabels({ labels = [] }: IssueBody, existing: Issue | null): readonly string[] {
  const present = new Set(existing?.labels.map(lowered));
  return labels.filter((name) => !present.has(lowered(name)));
}

/** Those that the refusal names, or all if it names none. */
function namedOf(labels: readonly string[], faults: readonly string[]): readonly string[] {
  const named = labels.filter((name) => faults.includes(name));
  return named.length === 0 ? labels : named;
}

/** Null if nothing is left to send. */
function withoutLabels(body: IssueBody, existing: Issue | null, refused: readonly string[]): IssueBody | null {
  const { labels = [], ...rest } = body;
  const kept = labels.filter((name) => !refused.includes(name));
  const present = existing?.labels ?? [];
  const isSame = kept.length === present.length && kept.every((name) => present.includes(name));
  if (!isSame) return { ...rest, labels: kept };
  return Object.keys(rest).length === 0 ? null : rest;
}

function withoutNewcomers(body: IssueBody, existing: Issue | null): IssueBody {
  const present = new Set(existing?.assignees.map(lowered));
  const kept = (body.assignees ?? []).filter((login) => present.has(lowered(login)));
  return kept.length === present.size || kept.length === body.assignees?.length
    ? without(body, 'assignees')
    : { ...body, assignees: kept };
}

function without(body: IssueBody, name: 'assignees' | 'milestone' | 'type' | 'issue_field_values'): IssueBody {
  const { [name]: _left, ...rest } = body;
  return rest;
}

/** Null if nothing about a duplicate is left to drop, or nothing would remain. */
function lessDuplicate(body: IssueBody, existing: Issue | null): IssueBody | null {
  const { duplicate_issue_id: original, ...rest } = body;
  if (original === undefined)
    return body.state_reason === 'duplicate' ? { ...body, state_reason: 'not_planned' } : null;
  return existing?.state === 'closed' && existing.reason === 'duplicate' ? null : rest;
}

type LabelCreation =
  | { readonly kind: 'made'; readonly refused: readonly string[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** POST /repos/{owner}/{repo}/labels for each; `refused` are those that still do not exist. */
async function makeLabels(repository: Repository, names: readonly string[]): Promise<LabelCreation> {
  const refused: string[] = [];
  for (const name of names) {
    const about = `create the label "${name}" in ${repository.name}`;
    // GitHub's default colour for labels.
    const body = { name, color: 'ededed' };
    const ask = { method: 'POST', path: `${repository.path}/labels`, cost: 'create', about, body } as const;
    const reply = await makeOnce(repository, `label ${name}`, ask);
    if (reply.kind !== 'failed') continue;
    const { failure } = reply;
    if (failure.kind !== 'refused' && failure.kind !== 'gone') return { kind: 'failed', failure };
    if (failure.kind === 'gone' || !failure.faults?.includes('already_exists')) refused.push(name);
  }
  return { kind: 'made', refused };
}

export const lowered = (name: string): string => name.toLowerCase();

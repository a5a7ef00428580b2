import type * as z from 'zod';
import type { Comment, Issue } from '../../model/item.ts';
import type { IssueDraft } from '../../model/operation.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Ask, Reply } from '../connection/client.ts';
import { inSentences, noContent, unwrittenOutcome, whyOf, writeOutcome } from '../connection/failure.ts';
import { toComment, toIssue } from '../map.ts';
import { explainGoneWrite } from '../reading/probe.ts';
import type { Repository } from '../repository.ts';
import { commentSchema, issueSchema, parseAnswer } from '../schema.ts';
import { fieldChange } from './field-values.ts';
import { milestoneBody } from './milestones.ts';
import { type IssueBody, submitWithFallback } from './submit.ts';

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
  const ask = { method: 'POST', path: `${repository.path}/issues`, cost: 'create', about: `open an issue in ${repository.name}` } as const;
  const outcome = await submitWithFallback(repository, {
    body: { title: draft.title, body: draft.body, ...labels, ...assignees, ...type, ...milestone.body, ...values },
    existing: null,
    send: (body) => write(repository, { ask: { ...ask, body: { ...body } }, schema: issueSchema, map: toIssue }),
  });
  if (outcome.kind !== 'gone') return outcome;
  const advice = 'Check that the repository has issues enabled and that the account may write them';
  return { kind: 'refused', why: inSentences(outcome.gone.why, advice) };
}

/** POST /repos/{owner}/{repo}/issues/{issue_number}/comments */
export async function createComment(repository: Repository, ref: number, text: string): Promise<Outcome<Comment>> {
  const path = `${repository.path}/issues/${ref}/comments`;
  const ask = { method: 'POST', path, cost: 'create', about: `comment on ${repository.name}#${ref}`, body: { body: text } } as const;
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
    send: (part) => write(repository, { ask: { ...ask, body: { ...part } }, schema: issueSchema, map: toIssue }),
  });
  return explained(repository, fresh.number, outcome);
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
  if (reply.kind !== 'failed') return { outcome: readWritten(reply, writing), faults: [] };
  const { failure } = reply;
  return { outcome: writeOutcome(failure), faults: failure.kind === 'refused' ? (failure.faults ?? []) : [] };
}

/** An unreadable success leaves the write in doubt: it probably took effect. */
function readWritten<Wire, T>(reply: Exclude<Reply, { kind: 'failed' }>, { ask, schema, map }: Writing<Wire, T>): Outcome<T> {
  if (reply.kind === 'unchanged') return noContent(ask.about);
  const parsed = parseAnswer(schema, reply, ask.about);
  if (parsed.kind === 'failed') return { kind: 'unknown', why: whyOf(parsed.failure) };
  const item = map(parsed.value);
  if (item === null) return { kind: 'unknown', why: `GitHub answered with a pull request when asked to ${ask.about}.` };
  return { kind: 'applied', item };
}

import type * as z from 'zod';
import type { Comment, Issue } from '../model/item.ts';
import type { IssueDraft } from '../model/operation.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Ask } from './client.ts';
import { unwrittenOutcome, whyOf, writeOutcome } from './failure.ts';
import { explainGoneWrite } from './look.ts';
import { toComment, toIssue } from './map.ts';
import type { Repository } from './repository.ts';
import { commentSchema, issueSchema, parseAnswer } from './schema.ts';

/** POST /repos/{owner}/{repo}/issues */
export async function createIssue(repository: Repository, draft: IssueDraft): Promise<Outcome<Issue>> {
  const labels = draft.labels.length === 0 ? {} : { labels: draft.labels };
  const outcome = await write(repository, {
    ask: {
      method: 'POST',
      path: `${repository.path}/issues`,
      cost: 'create',
      about: `open an issue in ${repository.name}`,
      body: { title: draft.title, body: draft.body, ...labels },
    },
    schema: issueSchema,
    map: toIssue,
  });
  if (outcome.kind !== 'gone') return outcome;
  return { kind: 'refused', why: `${outcome.gone.why} Check that the repository has issues and that the account may write them.` };
}

/** POST /repos/{owner}/{repo}/issues/{issue_number}/comments */
export function createComment(repository: Repository, ref: number, text: string): Promise<Outcome<Comment>> {
  return writeTo(repository, ref, {
    ask: {
      method: 'POST',
      path: `${repository.path}/issues/${ref}/comments`,
      cost: 'create',
      about: `comment on ${repository.name}#${ref}`,
      body: { body: text },
    },
    schema: commentSchema,
    map: toComment,
  });
}

/** PATCH /repos/{owner}/{repo}/issues/{issue_number} */
export function patchIssue(repository: Repository, ref: number, body: Readonly<Record<string, unknown>>): Promise<Outcome<Issue>> {
  return writeTo(repository, ref, {
    ask: { method: 'PATCH', path: `${repository.path}/issues/${ref}`, cost: 'edit', about: `change ${repository.name}#${ref}`, body },
    schema: issueSchema,
    map: toIssue,
  });
}

interface Writing<Wire, T> {
  readonly ask: Ask;
  readonly schema: z.ZodType<Wire>;
  readonly map: (wire: Wire) => T | null;
}

async function writeTo<Wire, T>(repository: Repository, ref: number, writing: Writing<Wire, T>): Promise<Outcome<T>> {
  const outcome = await write(repository, writing);
  return outcome.kind === 'gone' ? unwrittenOutcome(await explainGoneWrite(repository, ref, outcome.gone)) : outcome;
}

/** An answer of success that cannot be read leaves the write in doubt: it probably took place. */
async function write<Wire, T>({ client }: Repository, { ask, schema, map }: Writing<Wire, T>): Promise<Outcome<T>> {
  const reply = await client.send(ask);
  if (reply.kind === 'failed') return writeOutcome(reply.failure);
  if (reply.kind === 'unchanged') return { kind: 'unknown', why: `GitHub gave no content when asked to ${ask.about}.` };
  const parsed = parseAnswer(schema, reply, ask.about);
  if (parsed.kind === 'failed') return { kind: 'unknown', why: whyOf(parsed.failure) };
  const item = map(parsed.value);
  if (item === null) return { kind: 'unknown', why: `GitHub answered with a pull request when asked to ${ask.about}.` };
  return { kind: 'applied', item };
}

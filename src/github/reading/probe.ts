import type { Issue } from '../../model/item.ts';
import { type Gone, SideError } from '../../model/outcome.ts';
import { type Failure, inSentences, noContent } from '../connection/failure.ts';
import { toIssue } from '../map.ts';
import { answered, get, type Repository } from '../repository.ts';
import { issueSchema, parseAnswer, readAnswer, repositorySchema } from '../schema.ts';

export type IssueProbe = { readonly kind: 'there'; readonly issue: Issue } | { readonly kind: 'failed'; readonly failure: Failure };

/** Reads one issue. Source: GET /repos/{owner}/{repo}/issues/{issue_number}. */
export async function probeIssue(repository: Repository, ref: number): Promise<IssueProbe> {
  const about = `read ${repository.name}#${ref}`;
  const reply = await get(repository, `/issues/${ref}`, about);
  if (reply.kind === 'unchanged') return failed(noContent(about));
  if (reply.kind === 'failed') {
    return failed(reply.failure.kind === 'gone' ? await confirmGone(repository, reply.failure.gone) : reply.failure);
  }
  const parsed = parseAnswer(issueSchema, reply, about);
  if (parsed.kind === 'failed') return parsed;
  const issue = toIssue(parsed.value);
  if (issue === null) return failed({ kind: 'gone', gone: { kind: 'missing', why: `${repository.name}#${ref} is a pull request.` } });
  return { kind: 'there', issue };
}

/**
 * After a write that was answered as if its issue were gone. GitHub also answers 404 to writes without permission, so only reading the
 * issue shows which it is.
 */
export async function explainGoneWrite(repository: Repository, ref: number, gone: Gone): Promise<Failure> {
  const found = await probeIssue(repository, ref);
  if (found.kind === 'failed') return found.failure;
  return { kind: 'refused', why: inSentences(gone.why, 'It can be read, so the account probably has no permission to write there') };
}

/**
 * A missing issue is gone only if its repository answers: a repository that was renamed, hidden from us or has its issues disabled must
 * not bury every link.
 */
async function confirmGone(repository: Repository, gone: Gone): Promise<Failure> {
  const about = `look at the repository ${repository.name}`;
  const reply = await get(repository, '', about);
  if (reply.kind === 'failed') {
    if (reply.failure.kind !== 'gone') return reply.failure;
    return {
      kind: 'refused',
      why: inSentences(
        reply.failure.gone.why,
        'The status of its issues is unknown: check the repository of the route and the rights of the account',
      ),
    };
  }
  if (reply.kind === 'unchanged') return { kind: 'gone', gone };
  const parsed = parseAnswer(repositorySchema, reply, about);
  if (parsed.kind === 'failed') return parsed.failure;
  if (!parsed.value.has_issues) return { kind: 'refused', why: issuesAreOff(repository) };
  return { kind: 'gone', gone };
}

/** @throws SideError if issues are switched off: lists then show pull requests only, as if all issues were gone. */
export async function confirmOn(repository: Repository): Promise<void> {
  const about = `look at the repository ${repository.name}`;
  const answer = answered(await get(repository, '', about), about);
  if (!readAnswer(repositorySchema, answer, about).has_issues) throw new SideError('refused', issuesAreOff(repository), { side: 'github' });
}

export const issuesAreOff = (repository: Repository): string =>
  `The repository ${repository.name} has issues disabled. Enable them in its settings, or change the route.`;

const failed = (failure: Failure): IssueProbe => ({ kind: 'failed', failure });

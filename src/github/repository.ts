/** One repository: how its client is asked, and one of its issues as it is now, or why it is gone. */

import type { Issue } from '../model/item.ts';
import { type Gone, SideError } from '../model/outcome.ts';
import type { Route } from '../model/route.ts';
import { countIn, type KeptCount } from '../model/runtime.ts';
import { type IssueField, type Kept, nothingKept } from '../model/survey.ts';
import type { Answer, Ask, GithubClient, Reply } from './connection/client.ts';
import { type Failure, inSentences, noContent, readError } from './connection/failure.ts';
import { namingMoves } from './connection/new-name.ts';
import { issueSchema, mapAnswer, parseAnswer, readAnswer, repositorySchema, toIssue } from './map.ts';

/** What issues have by name, and GitHub by number. */
export type NamedKind = 'labels' | 'milestones';

/** One repository and the client to reach it. */
export interface Repository {
  readonly client: GithubClient;
  readonly owner: string;
  /** `owner/name`, for messages. */
  readonly name: string;
  /** Its path below the API's root. */
  readonly path: string;
  readonly pageSize: number;
  /** Whose renames are looked for. */
  readonly namedKinds: readonly NamedKind[];
  /** Known numbers of milestones, by title. */
  readonly milestones: Map<string, number>;
  /** Creations in progress, by kind and name. */
  readonly making: Map<string, Promise<Reply>>;
  /** Numbers that an unfinished search for new issues found to be none. */
  readonly passed: Set<number>;
  /** By list, how often in a row GitHub showed none of its rows, although it answered otherwise. */
  readonly dark: (list: string) => KeptCount;
  /** Until when failing pages are read in parts, by our clock; null before the first one failed. */
  readonly patience?: { untilAt: number | null };
  /** The issue fields of its owner, once read. `readAt` is epoch milliseconds. */
  readonly fields: { known: { readonly list: readonly IssueField[]; readonly readAt: number } | null };
  readonly shared: SharedLooks;
}

function darknessIn(kept: Kept, name: string): Repository['dark'] {
  const counts = new Map<string, KeptCount>();
  return (list) => {
    const count = counts.get(list) ?? countIn(kept, `reads without a row: ${list} of ${name}`);
    counts.set(list, count);
    return count;
  };
}

/** What is known of the issues that will be updated soon. */
interface SharedLooks {
  /** Their numbers, in that order; empty if nothing is worth sharing. */
  announced: Set<number>;
  /** By number. Each is for one write. */
  readonly looks: Map<number, SharedLook>;
  /** Until when no look is shared, because one failed; by our clock. */
  restsUntil: number;
}

interface SharedLook {
  /** By our clock, before the request left. */
  readonly takenAt: number;
  readonly answer: Promise<IssueLook | null>;
}

/** An issue as a shared look shows it: what a write is compared with. */
export interface IssueLook
  extends Pick<
    Issue,
    'title' | 'body' | 'state' | 'reason' | 'labels' | 'assignees' | 'milestone' | 'type' | 'changedAt'
  > {
  /** GitHub's clock at the answer. */
  readonly readAt: number;
}

/** The owner and the name of a repository. */
export type RepositoryName = Pick<Route, 'owner' | 'repo'>;

/** `pageSize` is at most 100, which is GitHub's own limit. */
export function repositoryOf(
  client: GithubClient,
  { owner, repo }: RepositoryName,
  pageSize = 100,
  namedKinds: readonly NamedKind[] = [],
  kept: Kept = nothingKept,
): Repository {
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const known = {
    milestones: new Map(),
    making: new Map(),
    passed: new Set<number>(),
    dark: darknessIn(kept, `${owner}/${repo}`),
    fields: { known: null },
  };
  const shared: SharedLooks = { announced: new Set(), looks: new Map(), restsUntil: 0 };
  return { client: namingMoves(client), owner, name: `${owner}/${repo}`, path, pageSize, namedKinds, shared, ...known };
}

/**
 * The repository within a turn of the lane, where requests do not queue. A turn must not wait for something that waits
 * for its own turn, so creations in progress are not shared.
 */
export const withinTurn = (repository: Repository, send: GithubClient['send']): Repository => ({
  ...repository,
  client: { ...repository.client, send },
  making: new Map(),
});

/** Sends a request that creates something unique; concurrent callers for the same thing share the answer. */
export function makeOnce({ client, making }: Repository, key: string, ask: Ask): Promise<Reply> {
  const known = making.get(key.toLowerCase());
  if (known !== undefined) return known;
  const reply = client.send(ask).finally(() => making.delete(key.toLowerCase()));
  making.set(key.toLowerCase(), reply);
  return reply;
}

/**
 * Sends a GET below the repository's path.
 * @param sinceAt answer only if it was changed after this second
 */
export function get(
  repository: Repository,
  rest: string,
  about: string,
  sinceAt: number | null = null,
): Promise<Reply> {
  return repository.client.send({ method: 'GET', path: repository.path + rest, cost: 'read', about, sinceAt });
}

/** What to do about a repository that GitHub does not show. */
export const adviceOnMissing =
  'It does not exist, or the token has no access to it: check github.repo in the configuration, and the access of the token';

/** @throws SideError unless the reply is an answer. */
export function answered(reply: Reply, about: string): Answer {
  if (reply.kind === 'answered') return reply;
  if (reply.kind === 'failed') throw readError(reply.failure);
  throw new SideError(
    'later',
    `GitHub answered "not modified" when asked to ${about}, although the request had no ETag.`,
  );
}

export type IssueProbe =
  | { readonly kind: 'there'; readonly issue: Issue }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Reads one issue. Source: GET /repos/{owner}/{repo}/issues/{issue_number}.
 * @param known the issue as it was at `changedAt`; it is the answer, which is then free, if nobody has changed it after
 *   that second
 */
export async function probeIssue(
  repository: Repository,
  ref: number,
  known: { readonly issue: Issue; readonly changedAt: number } | null = null,
): Promise<IssueProbe> {
  const about = `read ${repository.name}#${ref}`;
  const reply = await get(repository, `/issues/${ref}`, about, known?.changedAt);
  if (reply.kind === 'unchanged')
    return known === null ? failed(noContent(about)) : { kind: 'there', issue: known.issue };
  if (reply.kind === 'failed') {
    return failed(reply.failure.kind === 'gone' ? await confirmGone(repository, reply.failure.gone) : reply.failure);
  }
  const mapped = mapAnswer(repository.client.rows, { schema: issueSchema, map: toIssue }, reply, about);
  if (mapped.kind === 'failed') return mapped;
  const issue = mapped.value;
  if (issue === null)
    return failed({
      kind: 'gone',
      gone: { kind: 'missing', isPull: true, why: `${repository.name}#${ref} is a pull request.` },
    });
  return { kind: 'there', issue };
}

/**
 * Explains a write that was answered as if its issue were gone. GitHub also answers 404 to writes without permission,
 * so only reading the issue shows the real cause.
 */
export async function explainGoneWrite(repository: Repository, ref: number, gone: Gone): Promise<Failure> {
  const found = await probeIssue(repository, ref);
  if (found.kind === 'failed') return found.failure;
  return {
    kind: 'refused',
    why: inSentences(gone.why, 'It can be read, so the account probably has no permission to write there'),
  };
}

/**
 * A missing issue is gone only if its repository answers: a repository that was renamed, hidden from us or has its
 * issues disabled must not bury every link.
 */
async function confirmGone(repository: Repository, gone: Gone): Promise<Failure> {
  const about = `look at the repository ${repository.name}`;
  const reply = await get(repository, '', about);
  if (reply.kind === 'failed') {
    if (reply.failure.kind !== 'gone') return reply.failure;
    return {
      kind: 'refused',
      why: inSentences(reply.failure.gone.why, `The status of its issues is unknown. ${adviceOnMissing}`),
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
  if (!readAnswer(repositorySchema, answer, about).has_issues)
    throw new SideError('refused', issuesAreOff(repository), { side: 'github' });
}

export const issuesAreOff = (repository: Repository): string =>
  `The repository ${repository.name} has issues disabled. Enable them in its settings, or change the route.`;

const failed = (failure: Failure): IssueProbe => ({ kind: 'failed', failure });

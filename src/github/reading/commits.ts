import * as z from 'zod';
import { type Commit, commitName, type Push } from '../../model/pulls/push.ts';
import type { Answer, Reply } from '../connection/client.ts';
import { readError, whyOf } from '../connection/failure.ts';
import { parseAnswer } from '../map.ts';
import { get, type Repository } from '../repository.ts';
import { namedPart, readRow } from '../rows.ts';

/** How far the commits of a branch were read. */
export const branchSchema = z.object({
  branch: z.string(),
  /** Its last commit. */
  head: z.string(),
  /** Of the list that showed it. */
  etag: z.string().nullable(),
});
export type Branch = z.infer<typeof branchSchema>;

const commitSchema = z.object({
  sha: z.string(),
  html_url: z.string(),
  commit: z.object({
    message: z.string(),
    author: z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish(),
  }),
  author: z.object({ login: z.string().nullish() }).nullish(),
  parents: z.array(z.object({ sha: z.string() })),
});

function toCommit(wire: z.infer<typeof commitSchema>): Commit {
  const { sha, html_url: url, commit, author: account, parents } = wire;
  const { message, author } = commit;
  const mail = author?.email ?? '';
  // Git accepts any words as an address, even words that occur in every message.
  const withoutMail = (text: string): string => (mail.includes('@') ? text.replaceAll(mail, '') : text);
  const [title = '', ...rest] = withoutMail(message).split('\n');
  const name = nameIn(withoutMail(author?.name ?? ''));
  return {
    sha,
    url,
    title: title.trim(),
    body: rest.join('\n'),
    by: account?.login ?? (name === '' ? null : `"${name}"`),
    isMerge: parents.length > 1,
  };
}

/** Git takes names of any length, and addresses for names. Signs of quotation would end those around it. */
function nameIn(text: string): string {
  const words = text
    .replace(/["\u201c-\u201f\uff02]/gu, '')
    .split(/\s+/u)
    .filter((word) => !/.@./u.test(word));
  const characters = [...words.join(' ').trim()];
  return characters.length <= nameMax ? characters.join('') : `${characters.slice(0, nameMax - 1).join('')}…`;
}
const nameMax = 100;

const headsSchema = z.array(z.object({ sha: z.string() }));
const comparisonSchema = z.object({
  status: z.string(),
  total_commits: z.number().int(),
  commits: z.array(commitSchema),
});
const homeSchema = z.object({ default_branch: z.string() });

/** So many commits of one push are read, a hundred in a request. */
const pagesMax = 3;
const pageSize = 100;

export interface BranchRead {
  /** Null as long as there is no such branch. */
  readonly branch: Branch | null;
  /** Null if nothing came to the branch. */
  readonly push: Push | null;
}

/**
 * New commits on a branch since its last read; without any, GitHub answers 304, which is free. The first read, and a
 * read after a forced push or on another branch, begins at the present end of the branch. Only limits throw: other
 * failures must not delay issues, and the next poll tries again. Sources: GET /repos/{owner}/{repo}/commits, GET
 * /repos/{owner}/{repo}/compare/{basehead}.
 * @param wanted null for the default branch
 * @throws SideError
 */
export async function readBranch(
  repository: Repository,
  wanted: string | null,
  known: Branch | null,
): Promise<BranchRead> {
  const about = aboutList(repository);
  const path = repository.path + lastOf(wanted);
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about, etag: known?.etag ?? null });
  if (!isAnswered(reply)) return { branch: known, push: null };
  const head = contentOf(headsSchema, reply, about)?.[0]?.sha;
  const branch = head === undefined ? null : (wanted ?? (await defaultBranch(repository)));
  if (head === undefined || branch === null) return { branch: known, push: null };
  const etag = reply.headers['etag'];
  const now: Branch = { branch, head, etag: etag === undefined ? null : String(etag) };
  if (known === null || known.branch !== branch || known.head === head) return { branch: now, push: null };
  const push = await pushBetween(repository, branch, known.head, head);
  return push === 'later' ? { branch: known, push: null } : { branch: now, push };
}

const aboutList = ({ name }: Repository): string => `list the commits of ${name}`;

/** The address never varies, so that its ETag stays useful. */
const lastOf = (wanted: string | null): string =>
  `/commits?${wanted === null ? '' : `sha=${encodeURIComponent(wanted)}&`}per_page=1`;

/**
 * Why the commits of a branch cannot be read; null if they can.
 * @throws SideError
 */
export async function whyUnread(repository: Repository, wanted: string | null): Promise<string | null> {
  const reply = await get(repository, lastOf(wanted), aboutList(repository));
  return isAnswered(reply) || reply.kind !== 'failed' ? null : whyOf(reply.failure);
}

/** Null if the branch does not continue from the last commit that was read. */
async function pushBetween(
  repository: Repository,
  branch: string,
  from: string,
  to: string,
): Promise<Push | 'later' | null> {
  const about = `compare commits of ${repository.name}`;
  const commits: Commit[] = [];
  let [total, read] = [Number.POSITIVE_INFINITY, 0];
  for (let page = 1; page <= pagesMax && read < total; page += 1) {
    const reply = await get(repository, `/compare/${from}...${to}?per_page=${pageSize}&page=${page}`, about);
    // What was read is no longer there.
    if (reply.kind === 'failed' && reply.failure.kind === 'gone') return null;
    const found = contentOf(comparisonSchema, reply, about);
    if (found === null) return 'later';
    if (found.status !== 'ahead') return null;
    total = found.total_commits;
    commits.push(...found.commits.flatMap((wire) => commitIn(repository, wire)));
    read += found.commits.length;
    if (found.commits.length === 0) break;
  }
  return { branch, commits, unread: Math.max(0, total - commits.length) };
}

/** One on which we fail keeps no other from being read. */
function commitIn({ client: { rows } }: Repository, wire: z.infer<typeof commitSchema>): readonly Commit[] {
  const read = readRow(rows, namedPart(commitName(wire.sha), wire.sha), () => toCommit(wire));
  return read.kind === 'read' ? [read.value] : [];
}

async function defaultBranch(repository: Repository): Promise<string | null> {
  const about = `look at the repository ${repository.name}`;
  const reply = await get(repository, '', about);
  return contentOf(homeSchema, reply, about)?.default_branch ?? null;
}

/** Null without an answer, and if it is truncated or not from GitHub. */
function contentOf<T>(schema: z.ZodType<T>, reply: Reply, about: string): T | null {
  if (!isAnswered(reply)) return null;
  const parsed = parseAnswer(schema, reply, about);
  return parsed.kind === 'parsed' ? parsed.value : null;
}

function isAnswered(reply: Reply): reply is Answer {
  if (reply.kind !== 'failed') return reply.kind === 'answered';
  const { kind } = reply.failure;
  const isForAll =
    kind === 'limited' ||
    kind === 'unauthorized' ||
    (reply.failure.kind === 'unknown' && reply.failure.at !== undefined);
  if (isForAll) throw readError(reply.failure);
  return false;
}

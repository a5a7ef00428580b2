import { SideError } from '../model/outcome.ts';
import { type FieldOfHome, fieldsListed, fieldsQuery, fieldsShown } from './fields-of-home.ts';
import type { Answer } from './port.ts';
import { numberAt, rowsOf, textAt, timeAt, valueAt } from './value.ts';

/** The repository of a rehearsal, and what our account may do there. */
export interface Home {
  readonly owner: string;
  readonly repo: string;
  readonly id: number;
  /** Below the root of the API. */
  readonly path: string;
  /** Our account; null if the token has no user. */
  readonly login: string | null;
  readonly isOrganisation: boolean;
  /** As GitHub reports them; null for an App. */
  readonly rights: { readonly push: boolean; readonly admin: boolean } | null;
  readonly branch: string;
  readonly hasCommits: boolean;
  /** Names of issue types. */
  readonly types: readonly string[];
  readonly fields: readonly FieldOfHome[];
  readonly serverVersion: string;
  /** Another repository of the same owner, to transfer issues to; null for none. */
  readonly second: Second | null;
}

export interface Second {
  readonly repo: string;
  readonly path: string;
  /** Its id in GraphQL. */
  readonly node: string;
}

/** Nothing may be written to the repository of a rehearsal, or not enough. The message also says what to do. */
export class UnsuitableRepository extends Error {
  override readonly name = 'UnsuitableRepository';
}

/** Reads below the root of the API; with a query, GraphQL. */
export type Read = (path: string, about: string, query?: string) => Promise<Answer>;

/** Issues of a rehearsal have titles that begin so; nothing else may be in its repository. */
export const titleStart = 'Rehearsal: ';
/** A person opens this issue before a rehearsal, with files in its text. */
export const filesTitle = `${titleStart}files`;
const pullTitleStart = `${titleStart}rehearsal pull `;

/**
 * Reads what a rehearsal has to know of its repository. Throws `UnsuitableRepository`, and `SideError` if it cannot be
 * read.
 */
export async function readHome(
  read: Read,
  {
    owner,
    repo,
    second,
    isApp,
  }: Pick<Home, 'owner' | 'repo'> & { readonly second: string | null; readonly isApp: boolean },
): Promise<Home> {
  const { path, answer } = await writable(read, { owner, repo, isApp, option: '--repo' });
  const { data } = answer;
  const there = second === null ? null : await writable(read, { owner, repo: second, isApp, option: '--second' });
  const branch = textAt(data, 'default_branch') || 'main';
  const user = isApp ? null : await read('/user', 'say who we are');
  const tip = await read(`${path}/git/ref/heads/${branch}`, `look at the branch ${branch} of ${owner}/${repo}`);
  const types = await read(`${path}/issue-types`, `list the issue types of ${owner}/${repo}`);
  const enterprise = answer.headers['x-github-enterprise-version'];
  return {
    owner,
    repo,
    path,
    branch,
    id: numberAt(data, 'id'),
    login: user?.taken === 'answered' ? textAt(user.data, 'login') : null,
    isOrganisation: textAt(data, 'owner.type') === 'Organization',
    rights: isApp
      ? null
      : { push: valueAt(data, 'permissions.push') === true, admin: valueAt(data, 'permissions.admin') === true },
    hasCommits: tip.taken === 'answered',
    types: rowsOf(types.taken === 'answered' ? types.data : []).map((type) => textAt(type, 'name')),
    fields: await fieldsOf(read, { owner, repo }),
    second:
      there === null ? null : { repo: second ?? '', path: there.path, node: textAt(there.answer.data, 'node_id') },
    serverVersion: enterprise === undefined ? 'GitHub' : `Enterprise Server ${enterprise}`,
  };
}

/** Personal accounts show their fields by GraphQL only; an older server has the list of the organisation only. */
async function fieldsOf(read: Read, place: Pick<Home, 'owner' | 'repo'>): Promise<readonly FieldOfHome[]> {
  const { owner, repo } = place;
  const asked = await read('/graphql', `list the issue fields of ${owner}/${repo}`, fieldsQuery(place));
  const shown = fieldsShown(asked.taken === 'answered' ? asked.data : null);
  if (shown.length > 0) return shown;
  const listed = await read(`/orgs/${encodeURIComponent(owner)}/issue-fields`, `list the issue fields of ${owner}`);
  return fieldsListed(listed.taken === 'answered' ? listed.data : null);
}

interface RepositoryChoice extends Pick<Home, 'owner' | 'repo'> {
  readonly isApp: boolean;
  /** What names the repository. */
  readonly option: string;
}

/**
 * Reads a repository in which a rehearsal can write. Throws `UnsuitableRepository`, and `SideError` if it cannot be
 * read.
 */
async function writable(
  read: Read,
  { owner, repo, isApp, option }: RepositoryChoice,
): Promise<{ readonly path: string; readonly answer: Answer }> {
  const name = `${owner}/${repo}`;
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const answer = await read(path, `look at the repository ${name}`);
  const { taken, data, why } = answer;
  if (taken === 'missing')
    throw new UnsuitableRepository(
      `${why ?? name}; the repository does not exist, or the token has no access to it: check ${option} and the access of the token.`,
    );
  if (taken !== 'answered') throw new SideError('refused', why ?? `${name} cannot be read`, { side: 'github' });
  if (valueAt(data, 'archived') === true)
    throw new UnsuitableRepository(
      `${name} is archived and read-only; unarchive it in its settings, or name another with ${option}.`,
    );
  if (valueAt(data, 'has_issues') === false)
    throw new UnsuitableRepository(
      `${name} has issues disabled; enable them in its settings, or name another with ${option}.`,
    );
  // For an App, the answer denies all rights, although its permissions grant them.
  if (!isApp && valueAt(data, 'permissions.push') === false)
    throw new UnsuitableRepository(`the account may not write to ${name}; give it the role write or admin there.`);
  return { path, answer };
}

/** A repository that was used for so many rehearsals can be deleted. */
const pagesMax = 10;

const harmless = /^(?:readme(?:\.\w+)?|licen[sc]e(?:\.\w+)?|\.gitignore)$/iu;

/** Unless GitHub asks for a pause, a running rehearsal changes an issue at least so often. */
const restMs = 300_000;

/**
 * Why nothing may be written to a repository, and what to do; null if it is empty, or contains only what an earlier
 * rehearsal made.
 */
export async function whyNotOurs(
  read: Read,
  home: Home,
  { isResumed }: { readonly isResumed: boolean },
): Promise<string | null> {
  const foreign = await foreignContent(read, home);
  if (foreign !== null) return foreign;
  return isResumed ? null : runningThere(read, home);
}

/** Another rehearsal, if its issues are open and have just changed; those of a finished one are closed or gone. */
async function runningThere(read: Read, { owner, repo, path }: Home): Promise<string | null> {
  const { data, readAt } = await read(
    `${path}/issues?state=open&sort=updated&per_page=2`,
    `list the open issues of ${owner}/${repo}`,
  );
  const last = rowsOf(data).find((row) => textAt(row, 'title') !== filesTitle);
  const changedAt = timeAt(last, 'updated_at');
  if (Number.isNaN(changedAt) || readAt - changedAt > restMs) return null;
  return `another rehearsal seems to run in ${owner}/${repo}, as #${numberAt(last, 'number')} changed at ${textAt(last, 'updated_at')}; wait for its end, resume it with its own file (--out), or try again in five minutes.`;
}

const ownPlace = 'A rehearsal needs a repository of its own that is empty.';

async function foreignContent(read: Read, home: Home): Promise<string | null> {
  const name = `${home.owner}/${home.repo}`;
  const foreign =
    (await foreignIssue(read, home, home)) ??
    (home.second === null ? null : await foreignIssue(read, home, home.second));
  if (foreign !== null) return foreign;
  if (!home.hasCommits) return null;
  const tip = await read(`${home.path}/git/ref/heads/${home.branch}`, `look at the branch ${home.branch} of ${name}`);
  const commit = await read(
    `${home.path}/git/commits/${textAt(tip.data, 'object.sha')}`,
    `look at the last commit of ${name}`,
  );
  const tree = await read(`${home.path}/git/trees/${textAt(commit.data, 'tree.sha')}`, `list the files of ${name}`);
  const file = rowsOf(valueAt(tree.data, 'tree')).find((each) => !harmless.test(textAt(each, 'path')));
  return file === undefined
    ? null
    : `${name} contains ${textAt(file, 'path')}, and more than a README and a licence is too much. ${ownPlace}`;
}

/** The first issue that no rehearsal made, in words. */
async function foreignIssue(
  read: Read,
  home: Home,
  { repo, path: below }: Pick<Home, 'repo' | 'path'>,
): Promise<string | null> {
  const name = `${home.owner}/${repo}`;
  for (let page = 1; page <= pagesMax; page += 1) {
    const path = `${below}/issues?state=all&per_page=100&sort=created&direction=asc&page=${page}`;
    const { data } = await read(path, `list the issues of ${name}`);
    const foreign = rowsOf(data).find((issue) => !isOurs(issue, home));
    if (foreign !== undefined)
      return `${name}#${numberAt(foreign, 'number')} "${textAt(foreign, 'title')}" ${strangeness(foreign, home)}`;
    if (rowsOf(data).length < 100) break;
    if (page === pagesMax) return `${name} has more than ${100 * pagesMax} issues. ${ownPlace}`;
  }
  return null;
}

/** What is wrong with an issue that is not ours. */
function strangeness(issue: unknown, { login }: Home): string {
  if (!isOfRehearsal(issue)) return `was not made by a rehearsal. ${ownPlace}`;
  const other = textAt(issue, 'user.login');
  return `was made by ${other}, and this account is ${login}. Take a token of ${other}, delete the issues of ${other}, or take another empty repository.`;
}

const isOurs = (issue: unknown, { login }: Home): boolean =>
  isOfRehearsal(issue) && (login === null || textAt(issue, 'user.login') === login);

/** Nobody can delete a pull request, so those of a rehearsal stay. */
const isOfRehearsal = (issue: unknown): boolean =>
  textAt(issue, 'title').startsWith(isPull(issue) ? pullTitleStart : titleStart);

export const isPull = (issue: unknown): boolean => (valueAt(issue, 'pull_request') ?? null) !== null;

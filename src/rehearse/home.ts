import { SideError } from '../model/outcome.ts';
import type { Answer } from './port.ts';
import { numberAt, rowsOf, textAt, valueAt } from './value.ts';

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

/** A field for issues, with an option if it has options. */
export interface FieldOfHome {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly option: string | null;
}

type Read = (path: string, about: string) => Promise<Answer>;

/** Issues of a rehearsal have titles that begin so; nothing else may be in its repository. */
export const titleStart = 'Rehearsal: ';

/** Reads what a rehearsal has to know of its repository. Throws `SideError` if it cannot be read. */
export async function readHome(
  read: Read,
  { owner, repo, second, isApp }: Pick<Home, 'owner' | 'repo'> & { readonly second: string | null; readonly isApp: boolean },
): Promise<Home> {
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const answer = await read(path, `look at the repository ${owner}/${repo}`);
  if (answer.taken !== 'answered') throw new SideError('refused', answer.why ?? `${owner}/${repo} cannot be read`, { side: 'github' });
  const { data } = answer;
  if (valueAt(data, 'has_issues') === false) throw new SideError('refused', `The repository ${owner}/${repo} has issues disabled.`);
  if (valueAt(data, 'archived') === true) throw new SideError('refused', `The repository ${owner}/${repo} is archived.`);
  const branch = textAt(data, 'default_branch') || 'main';
  const user = isApp ? null : await read('/user', 'say who we are');
  const tip = await read(`${path}/git/ref/heads/${branch}`, `look at the branch ${branch} of ${owner}/${repo}`);
  const types = await read(`${path}/issue-types`, `list the issue types of ${owner}/${repo}`);
  const fields = await read(`/orgs/${encodeURIComponent(owner)}/issue-fields`, `list the issue fields of ${owner}`);
  const enterprise = answer.headers['x-github-enterprise-version'];
  return {
    owner,
    repo,
    path,
    branch,
    id: numberAt(data, 'id'),
    login: user?.taken === 'answered' ? textAt(user.data, 'login') : null,
    isOrganisation: textAt(data, 'owner.type') === 'Organization',
    rights: isApp ? null : { push: valueAt(data, 'permissions.push') === true, admin: valueAt(data, 'permissions.admin') === true },
    hasCommits: tip.taken === 'answered',
    types: rowsOf(types.taken === 'answered' ? types.data : []).map((type) => textAt(type, 'name')),
    fields: rowsOf(fields.taken === 'answered' ? fields.data : []).map(fieldIn),
    second: second === null ? null : await readSecond(read, owner, second),
    serverVersion: enterprise === undefined ? 'GitHub' : `Enterprise Server ${enterprise}`,
  };
}

async function readSecond(read: Read, owner: string, repo: string): Promise<Second> {
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const { taken, data, why } = await read(path, `look at the repository ${owner}/${repo}`);
  if (taken !== 'answered') throw new SideError('refused', why ?? `${owner}/${repo} cannot be read`, { side: 'github' });
  return { repo, path, node: textAt(data, 'node_id') };
}

const fieldIn = (data: unknown): FieldOfHome => ({
  id: numberAt(data, 'id'),
  name: textAt(data, 'name'),
  kind: textAt(data, 'data_type'),
  option: textAt(rowsOf(valueAt(data, 'options'))[0], 'name') || null,
});

/** A repository that was used for so many rehearsals can be deleted. */
const pagesMax = 10;

const harmless = /^(?:readme(?:\.\w+)?|licen[sc]e(?:\.\w+)?|\.gitignore)$/iu;

/** Why nothing may be written to a repository; null if it is empty, or contains only what a rehearsal made. */
export async function whyNotOurs(read: Read, home: Home): Promise<string | null> {
  const name = `${home.owner}/${home.repo}`;
  const foreign = (await foreignIssue(read, home, home)) ?? (home.second === null ? null : await foreignIssue(read, home, home.second));
  if (foreign !== null) return foreign;
  if (!home.hasCommits) return null;
  const tip = await read(`${home.path}/git/ref/heads/${home.branch}`, `look at the branch ${home.branch} of ${name}`);
  const commit = await read(`${home.path}/git/commits/${textAt(tip.data, 'object.sha')}`, `look at the last commit of ${name}`);
  const tree = await read(`${home.path}/git/trees/${textAt(commit.data, 'tree.sha')}`, `list the files of ${name}`);
  const file = rowsOf(valueAt(tree.data, 'tree')).find((each) => !harmless.test(textAt(each, 'path')));
  return file === undefined ? null : `${name} contains ${textAt(file, 'path')}, and more than a README and a licence is too much`;
}

/** The first issue that no rehearsal made, in words. */
async function foreignIssue(read: Read, home: Home, { repo, path: below }: Pick<Home, 'repo' | 'path'>): Promise<string | null> {
  const name = `${home.owner}/${repo}`;
  for (let page = 1; page <= pagesMax; page += 1) {
    const path = `${below}/issues?state=all&per_page=100&sort=created&direction=asc&page=${page}`;
    const { data } = await read(path, `list the issues of ${name}`);
    const foreign = rowsOf(data).find((issue) => !isOurs(issue, home));
    if (foreign !== undefined)
      return `${name}#${String(valueAt(foreign, 'number'))} "${textAt(foreign, 'title')}" was not made by a rehearsal`;
    if (rowsOf(data).length < 100) break;
    if (page === pagesMax) return `${name} has more than ${100 * pagesMax} issues`;
  }
  return null;
}

function isOurs(issue: unknown, { login }: Home): boolean {
  if (valueAt(issue, 'pull_request') !== undefined && valueAt(issue, 'pull_request') !== null) return false;
  return textAt(issue, 'title').startsWith(titleStart) && (login === null || textAt(issue, 'user.login') === login);
}

import * as z from 'zod';
import { type Kept, nothingKept, type RepositorySurvey, repositoryRights } from '../model/survey.ts';
import { lastAnswer } from '../runtime/recall.ts';
import type { Answer, GithubClient, Reply } from './connection/client.ts';
import { inSentences, readError } from './connection/failure.ts';
import { askGraphql } from './connection/graphql.ts';
import { retirementIn } from './connection/retirement.ts';
import { readAnswer, readFact } from './map.ts';
import { adviceOnMissing, answered, type RepositoryName } from './repository.ts';

/** An answer without its number is none, and says nothing of who reads the repository. */
const surveySchema = z.object({
  id: z.number().int(),
  full_name: z.string().nullish(),
  html_url: z.string().nullish(),
  has_issues: z.boolean().default(true),
  private: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  permissions: z.object(Object.fromEntries(repositoryRights.map((right) => [right, z.boolean().nullish()]))).nullish(),
});

/** Reads one repository with our credentials. Throws `SideError` if it is not visible. */
export async function surveyRepository(
  client: GithubClient,
  place: RepositoryName,
  now: () => number,
  kept = nothingKept,
): Promise<RepositorySurvey> {
  return (await lookAtRepository(client, place, now, kept)).survey;
}

/** What is kept of an answer: the body as it was read, and the headers that say something. */
interface KeptAnswer {
  readonly etag: string;
  readonly data: z.infer<typeof surveySchema>;
  readonly headers: Answer['headers'];
}

/** The announced end of an interface version is not among them, because every answer repeats it. */
const tellingHeaders = ['x-oauth-scopes', 'github-authentication-token-expiration', 'x-github-enterprise-version'];

/**
 * The repository as it is now. The answer decides who may read the mirror, so a stored answer is used only if GitHub
 * confirms that it is unchanged; such a request does not count. ETags belong to a token, so an App reads in full every
 * hour. Source: GET /repos/{owner}/{repo}; the headers `x-oauth-scopes` and `github-authentication-token-expiration`
 * speak of the token.
 * @param isUnanswered after which failures the stored answer counts all the same: where the readers are confirmed later
 */
export async function lookAtRepository(
  client: GithubClient,
  { owner, repo }: RepositoryName,
  now: () => number,
  kept: Kept,
  isUnanswered: (failure: unknown) => boolean = () => false,
): Promise<{ readonly survey: RepositorySurvey; readonly enterprise: string | null }> {
  const about = `look at the repository ${owner}/${repo}`;
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const name = `repository ${owner}/${repo}`;
  const askedAt = now();
  const known = kept.last<KeptAnswer>(name);
  const look = async () => {
    const reply = await client.send({ method: 'GET', path, cost: 'read', about, etag: known?.etag ?? null });
    if (reply.kind === 'unchanged' && known !== null)
      return { data: known.data, answer: { ...reply, headers: { ...known.headers, ...reply.headers } } };
    const answer = answered(advised(reply), about);
    const data = readFact(surveySchema, answer, about);
    const etag = answer.headers['etag'];
    if (etag !== undefined)
      kept.keep(name, { etag: String(etag), data, headers: only(tellingHeaders, answer.headers) } satisfies KeptAnswer);
    return { data, answer };
  };
  const { data, answer } = await look().catch((failure: unknown) => {
    const last = lastAnswer<KeptAnswer>(kept, name, failure, isUnanswered);
    return { data: last.data, answer: { headers: last.headers, readAt: askedAt } };
  });
  const enterprise = answer.headers['x-github-enterprise-version'];
  const named = { ...data, full_name: data.full_name ?? `${owner}/${repo}` };
  return {
    survey: surveyOf(client, named, answer, askedAt),
    enterprise: enterprise === undefined ? null : String(enterprise),
  };
}

/** The most frequent mistake of a first day. */
function advised(reply: Reply): Reply {
  if (reply.kind !== 'failed' || reply.failure.kind !== 'gone' || reply.failure.gone.kind !== 'missing') return reply;
  const { gone } = reply.failure;
  return { ...reply, failure: { kind: 'gone', gone: { ...gone, why: inSentences(gone.why, adviceOnMissing) } } };
}

const only = (names: readonly string[], headers: Answer['headers']): Answer['headers'] =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

function surveyOf(
  client: GithubClient,
  {
    full_name: name,
    id,
    html_url: page,
    has_issues: hasIssues,
    private: isPrivate,
    archived,
    permissions,
  }: z.infer<typeof surveySchema> & { readonly full_name: string },
  { headers, readAt }: Pick<Answer, 'headers' | 'readAt'>,
  askedAt: number,
): RepositorySurvey {
  const scopes = headers['x-oauth-scopes'];
  const endsAt = Date.parse(String(headers['github-authentication-token-expiration'] ?? '').replace(' UTC', 'Z'));
  return {
    name,
    id,
    webHost: page && URL.canParse(page) ? new URL(page).host : null,
    // For an App, the answer denies all of these rights, although its permissions grant them.
    right:
      client.isApp || !permissions
        ? null
        : (repositoryRights.findLast((right) => permissions[right] === true) ?? 'pull'),
    isPrivate: isPrivate ?? null,
    isArchived: archived === true,
    hasIssues,
    scopes:
      scopes === undefined
        ? null
        : String(scopes)
            .split(',')
            .map((scope) => scope.trim())
            .filter((scope) => scope !== ''),
    tokenEndsAt: Number.isNaN(endsAt) ? null : endsAt,
    retirement: retirementIn(headers),
    clockAt: headers['date'] === undefined ? null : readAt,
    askedAt,
  };
}

const typesSchema = z.array(z.object({ name: z.string(), is_enabled: z.boolean().nullish() }));

/**
 * The issue types of a repository; empty if its owner is not an organisation, or they are not visible to us. Throws
 * `SideError` if GitHub is unreachable. GET /repos/{owner}/{repo}/issue-types
 */
export async function readIssueTypes(
  client: GithubClient,
  { owner, repo }: { readonly owner: string; readonly repo: string },
): Promise<readonly string[]> {
  const about = `list the issue types of ${owner}/${repo}`;
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/issue-types`;
  const reply = await client.send({ method: 'GET', path, cost: 'read', about });
  if (reply.kind === 'failed' && (reply.failure.kind === 'gone' || reply.failure.kind === 'refused')) return [];
  return readAnswer(typesSchema, answered(reply, about), about).flatMap(({ name, is_enabled }) =>
    is_enabled === false ? [] : [name],
  );
}

const policySchema = z.object({ issueCreationPolicy: z.string().nullish() });

/**
 * Whether only collaborators may create issues; null if the server has no such setting, or does not show it. REST shows
 * it nowhere.
 * @throws SideError
 */
export async function isRestricted(client: GithubClient, { owner, repo }: RepositoryName): Promise<boolean | null> {
  const place = `owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}`;
  const about = `read who may create issues in ${owner}/${repo}`;
  const reply = await askGraphql(client, `query { repository(${place}) { issueCreationPolicy } }`, 'read', about);
  if (reply.kind === 'failed') {
    if (reply.failure.kind === 'refused' || reply.failure.kind === 'gone') return null;
    throw readError(reply.failure);
  }
  const policy = policySchema.safeParse(reply.data['repository']).data?.issueCreationPolicy ?? null;
  return policy === null ? null : policy !== 'ALL';
}

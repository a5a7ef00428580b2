import * as z from 'zod';
import { type RepositorySurvey, repositoryRights } from '../model/survey.ts';
import { type GithubClient, retirementIn } from './connection/client.ts';
import { readAnswer } from './map.ts';
import { answered } from './repository.ts';

const surveySchema = z.object({
  full_name: z.string(),
  private: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  permissions: z.object(Object.fromEntries(repositoryRights.map((right) => [right, z.boolean().nullish()]))).nullish(),
});

/**
 * Reads one repository with our credentials. Throws `SideError` if it is not visible.
 * Source: GET /repos/{owner}/{repo}; the headers `x-oauth-scopes` and `github-authentication-token-expiration` speak of the token.
 */
export async function surveyRepository(
  client: GithubClient,
  { owner, repo }: { readonly owner: string; readonly repo: string },
  now: () => number,
): Promise<RepositorySurvey> {
  const about = `look at our rights in ${owner}/${repo}`;
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const askedAt = now();
  const answer = answered(await client.send({ method: 'GET', path, cost: 'read', about }), about);
  const { full_name: name, private: isPrivate, archived, permissions } = readAnswer(surveySchema, answer, about);
  const scopes = answer.headers['x-oauth-scopes'];
  const endsAt = Date.parse(String(answer.headers['github-authentication-token-expiration'] ?? '').replace(' UTC', 'Z'));
  return {
    name,
    // For an App, the answer denies all of these rights, although its permissions grant them.
    right: client.isApp || !permissions ? null : (repositoryRights.findLast((right) => permissions[right] === true) ?? 'pull'),
    isPrivate: isPrivate ?? null,
    isArchived: archived === true,
    scopes:
      scopes === undefined
        ? null
        : String(scopes)
            .split(',')
            .map((scope) => scope.trim())
            .filter((scope) => scope !== ''),
    tokenEndsAt: Number.isNaN(endsAt) ? null : endsAt,
    retirement: retirementIn(answer.headers),
    clockAt: answer.headers['date'] === undefined ? null : answer.readAt,
    askedAt,
  };
}

const typesSchema = z.array(z.object({ name: z.string(), is_enabled: z.boolean().nullish() }));

/**
 * The issue types of a repository; empty if its owner is not an organisation, or they are not visible to us. Throws `SideError` if GitHub
 * is unreachable. GET /repos/{owner}/{repo}/issue-types
 */
export async function readIssueTypes(
  client: GithubClient,
  { owner, repo }: { readonly owner: string; readonly repo: string },
): Promise<readonly string[]> {
  const about = `list the issue types of ${owner}/${repo}`;
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/issue-types`;
  const reply = await client.send({ method: 'GET', path, cost: 'read', about });
  if (reply.kind === 'failed' && (reply.failure.kind === 'gone' || reply.failure.kind === 'refused')) return [];
  return readAnswer(typesSchema, answered(reply, about), about).flatMap(({ name, is_enabled }) => (is_enabled === false ? [] : [name]));
}

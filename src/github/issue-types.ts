import * as z from 'zod';
import type { GithubClient } from './client.ts';
import { answered } from './repository.ts';
import { readAnswer } from './schema.ts';

const typesSchema = z.array(z.object({ name: z.string(), is_enabled: z.boolean().nullish() }));

/**
 * The names of the types that issues of a repository may have; none where its owner is no organisation, or we may not see them. Throws
 * `SideError` when GitHub is out of reach. GET /repos/{owner}/{repo}/issue-types
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

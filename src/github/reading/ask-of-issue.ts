import * as z from 'zod';
import { noContent, readError } from '../connection/failure.ts';
import { askGraphql } from '../connection/graphql.ts';
import type { Repository } from '../repository.ts';

const askedSchema = z.object({ issue: z.unknown() });

/**
 * What GraphQL says of one issue, which is null if it is kept from us; all is null if the server does not know the
 * question. What GitHub cannot answer just now says nothing, so it throws: the thing may be there.
 * @throws SideError
 */
export async function askOfIssue(
  repository: Repository,
  ref: number,
  fields: string,
  about: string,
): Promise<{ readonly issue: unknown } | null> {
  const [owner, name] = repository.name.split('/').map((part) => JSON.stringify(part));
  const query = `query { repository(owner: ${owner}, name: ${name}) { issue(number: ${ref}) { ${fields} } } }`;
  const reply = await askGraphql(repository.client, query, 'read', about);
  if (reply.kind === 'failed' && reply.failure.kind === 'refused' && reply.failure.isOfServer === true) return null;
  if (reply.kind === 'failed') throw readError(reply.failure);
  const failed = reply.failure === null ? null : readError(reply.failure);
  // A part that is refused is kept from us: GitHub has answered.
  if (failed !== null && failed.kind !== 'refused') throw failed;
  const issue = askedSchema.safeParse(reply.data['repository']).data?.issue ?? null;
  if (issue === null && failed === null) throw readError(noContent(about));
  return { issue };
}

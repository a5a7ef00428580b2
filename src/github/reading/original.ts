import * as z from 'zod';
import type { IssuePlace } from '../../model/outcome.ts';
import { askForOne } from '../connection/graphql.ts';
import type { Repository } from '../repository.ts';

const canonicalSchema = z.object({ number: z.number().int(), repository: z.object({ nameWithOwner: z.string() }) });
const issueSchema = z.object({
  issue: z.object({ timelineItems: z.object({ nodes: z.array(z.object({ canonical: canonicalSchema.nullish() })) }) }),
});

/**
 * The issue that this one was closed as a duplicate of, which REST does not tell; null if GitHub does not say.
 * Source: docs.github.com, GraphQL reference, `MarkedAsDuplicateEvent`.
 * @throws SideError
 */
export async function originalOf(repository: Repository, ref: number): Promise<IssuePlace | null> {
  const [owner, name] = repository.name.split('/').map((part) => JSON.stringify(part));
  const canonical = 'canonical { ... on Issue { number repository { nameWithOwner } } }';
  const events = `timelineItems(last: 1, itemTypes: [MARKED_AS_DUPLICATE_EVENT]) { nodes { ... on MarkedAsDuplicateEvent { ${canonical} } } }`;
  const query = `query { repository(owner: ${owner}, name: ${name}) { issue(number: ${ref}) { ${events} } } }`;
  const about = `read what ${repository.name}#${ref} duplicates`;
  const data = await askForOne(repository.client, query, about);
  const parsed = issueSchema.safeParse(data?.['repository']);
  const found = parsed.success ? parsed.data.issue.timelineItems.nodes.at(-1)?.canonical : null;
  return found ? { repo: found.repository.nameWithOwner, number: found.number } : null;
}

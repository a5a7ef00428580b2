import * as z from 'zod';
import type { IssuePlace } from '../../model/outcome.ts';
import { askForOne } from '../connection/graphql.ts';
import type { Repository } from '../repository.ts';

const originalSchema = z.object({ number: z.number().int(), repository: z.object({ nameWithOwner: z.string() }) });
const issueSchema = z.object({
  issue: z.object({
    duplicateOf: originalSchema.nullish(),
    timelineItems: z.object({ nodes: z.array(z.object({ canonical: originalSchema.nullish() })) }).nullish(),
  }),
});

const place = 'number repository { nameWithOwner }';
/**
 * What to ask for, the newest first. A server without a field refuses the query as a whole; older ones know only the
 * last event, which may have been taken back.
 */
const forms = [
  `duplicateOf { ${place} }`,
  `timelineItems(last: 1, itemTypes: [MARKED_AS_DUPLICATE_EVENT]) { nodes { ... on MarkedAsDuplicateEvent { canonical { ... on Issue { ${place} } } } } }`,
];

/**
 * The issue that this one was closed as a duplicate of, which REST does not tell; null if GitHub does not say.
 * Source: docs.github.com, GraphQL reference, `Issue.duplicateOf` and `MarkedAsDuplicateEvent`.
 * @throws SideError
 */
export async function originalOf(repository: Repository, ref: number): Promise<IssuePlace | null> {
  const [owner, name] = repository.name.split('/').map((part) => JSON.stringify(part));
  const about = `read what ${repository.name}#${ref} duplicates`;
  for (const form of forms) {
    const query = `query { repository(owner: ${owner}, name: ${name}) { issue(number: ${ref}) { ${form} } } }`;
    const data = await askForOne(repository.client, query, about);
    if (data === null) continue;
    const issue = issueSchema.safeParse(data['repository']).data?.issue;
    const found = issue?.duplicateOf ?? issue?.timelineItems?.nodes.at(-1)?.canonical;
    return found ? { repo: found.repository.nameWithOwner, number: found.number } : null;
  }
  return null;
}

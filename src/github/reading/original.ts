import * as z from 'zod';
import type { IssuePlace } from '../../model/outcome.ts';
import { noContent, readError } from '../connection/failure.ts';
import type { Repository } from '../repository.ts';
import { askOfIssue } from './ask-of-issue.ts';

const originalSchema = z.object({ number: z.number().int(), repository: z.object({ nameWithOwner: z.string() }) });
const issueSchema = z.union([
  z.object({ duplicateOf: originalSchema.nullable() }).transform(({ duplicateOf }) => duplicateOf),
  z
    .object({ timelineItems: z.object({ nodes: z.array(z.object({ canonical: originalSchema.nullish() })) }) })
    .transform(({ timelineItems }) => timelineItems.nodes.at(-1)?.canonical ?? null),
]);

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
  const about = `read what ${repository.name}#${ref} duplicates`;
  for (const form of forms) {
    const asked = await askOfIssue(repository, ref, form, about);
    if (asked === null) continue;
    if (asked.issue === null) return null;
    const found = issueSchema.safeParse(asked.issue);
    if (!found.success) throw readError(noContent(about));
    return found.data && { repo: found.data.repository.nameWithOwner, number: found.data.number };
  }
  return null;
}

import * as z from 'zod';
import type { Closer } from '../../model/pulls/closer.ts';
import { actorFields, actorSchema } from '../connection/graphql.ts';
import type { Repository } from '../repository.ts';
import { askOfIssue } from './ask-of-issue.ts';

const place = { url: z.string(), repository: z.object({ nameWithOwner: z.string(), isPrivate: z.boolean() }) };
const oidSchema = z.object({ abbreviatedOid: z.string() });
const pullSchema = z.object({
  ...place,
  __typename: z.literal('PullRequest'),
  number: z.number().int(),
  author: actorSchema.nullish(),
  mergeCommit: oidSchema.nullish(),
});
const commitSchema = z.object({
  ...place,
  __typename: z.literal('Commit'),
  ...oidSchema.shape,
  author: z.object({ user: actorSchema.nullish() }).nullish(),
});
const closerSchema = z.discriminatedUnion('__typename', [pullSchema, commitSchema]);
const issueSchema = z.object({
  state: z.string(),
  timelineItems: z.object({ nodes: z.array(z.object({ closer: z.unknown() })) }),
});

/**
 * The pull request or commit that closed an issue, which REST does not tell of pull requests; null if a person closed
 * it, if it is open again, or if GitHub does not say. Source: docs.github.com, GraphQL reference, `ClosedEvent.closer`.
 * @throws SideError
 */
export async function closerOf(repository: Repository, ref: number): Promise<Closer | null> {
  const where = 'url repository { nameWithOwner isPrivate }';
  const pull = `... on PullRequest { number author { ${actorFields} } mergeCommit { abbreviatedOid } ${where} }`;
  const commit = `... on Commit { abbreviatedOid author { user { login } } ${where} }`;
  const closer = `closer { __typename ${pull} ${commit} }`;
  const events = `timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { ${closer} } } }`;
  const about = `read what closed ${repository.name}#${ref}`;
  const parsed = issueSchema.safeParse((await askOfIssue(repository, ref, `state ${events}`, about))?.issue);
  if (!parsed.success || parsed.data.state !== 'CLOSED') return null;
  const found = closerSchema.safeParse(parsed.data.timelineItems.nodes.at(-1)?.closer);
  return found.success ? asCloser(found.data) : null;
}

function asCloser(found: z.infer<typeof closerSchema>): Closer {
  const { url, repository } = found;
  const { nameWithOwner: repo, isPrivate } = repository;
  if (found.__typename === 'Commit') {
    return { url, repo, isPrivate, pull: null, commit: found.abbreviatedOid, login: found.author?.user ?? null };
  }
  return {
    url,
    repo,
    isPrivate,
    pull: found.number,
    commit: found.mergeCommit?.abbreviatedOid ?? null,
    login: found.author ?? null,
  };
}

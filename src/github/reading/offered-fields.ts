import * as z from 'zod';
import type { IssueField } from '../../model/survey.ts';
import type { Ask, GithubClient } from '../connection/client.ts';
import { type Failure, noContent, readError, whyOf } from '../connection/failure.ts';
import { askGraphql } from '../connection/graphql.ts';
import { parseAnswer } from '../map.ts';
import type { RepositoryName } from '../repository.ts';

const optionsSchema = z.array(z.object({ name: z.string() })).nullish();
/** Readers of a public repository see fields with the visibility `all` only. */
const isForMembers = (visibility: string | null | undefined): boolean =>
  typeof visibility === 'string' && visibility.toLowerCase() !== 'all';

const listSchema = z.array(
  z
    .object({
      id: z.number(),
      name: z.string(),
      data_type: z.string(),
      options: optionsSchema,
      visibility: z.string().nullish(),
    })
    .transform(({ id, name, data_type, options, visibility }): IssueField => {
      const names = (options ?? []).map((option) => option.name);
      return { id, name, kind: data_type, options: names, isForMembers: isForMembers(visibility) };
    }),
);

const nodeSchema = z
  .object({
    fullDatabaseId: z.coerce.number().int().positive(),
    name: z.string(),
    dataType: z.string(),
    options: optionsSchema,
    visibility: z.string().nullish(),
  })
  .transform(({ fullDatabaseId: id, name, dataType, options, visibility }): IssueField => {
    const names = (options ?? []).map((option) => option.name);
    return { id, name, kind: dataType.toLowerCase(), options: names, isForMembers: isForMembers(visibility) };
  });
/** A kind of fields that we do not know shows nothing here, and hides no others. */
const nodesSchema = z.object({ issueFields: z.object({ nodes: z.array(nodeSchema.nullable().catch(null)) }) });

/**
 * The issue fields of a repository; empty if it has none, or they are not visible to us. Throws `SideError` if GitHub
 * is unreachable.
 */
export async function readIssueFields(client: GithubClient, place: RepositoryName): Promise<readonly IssueField[]> {
  return (await offeredFields(client, place)) ?? [];
}

/** The same, but null if they cannot be listed or cannot exist. */
export async function offeredFields(
  client: GithubClient,
  place: RepositoryName,
): Promise<readonly IssueField[] | null> {
  const found = await fieldsOf(client, place);
  if (found.kind === 'failed') throw readError(found.failure);
  return found.fields;
}

export type Listed =
  | { readonly kind: 'listed'; readonly fields: readonly IssueField[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The same before a write, which a failure stops. */
export async function listIssueFields(client: GithubClient, place: RepositoryName): Promise<Listed> {
  const found = await fieldsOf(client, place);
  return found.kind === 'failed' ? found : { kind: 'listed', fields: found.fields ?? [] };
}

type Found =
  | { readonly kind: 'listed'; readonly fields: readonly IssueField[] | null }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What the repository names counts; the list of its owner needs another permission, and only organisations have one. */
async function fieldsOf(client: GithubClient, place: RepositoryName): Promise<Found> {
  const named = await namedByRepository(client, place);
  return named.kind === 'failed' || (named.fields ?? []).length > 0 ? named : listedByOwner(client, place.owner);
}

const fieldTypes = ['Text', 'Number', 'Date', 'SingleSelect', 'MultiSelect'].map((kind) => `IssueField${kind}`);

/** Without the types of fields, and what they say of themselves, that a server lacks. */
function fragmentsOf(lacking: ReadonlySet<string>): string {
  const visibility = lacking.has('visibility') ? '' : ' visibility';
  const types = fieldTypes.filter((type) => !lacking.has(type));
  const optionsOf = (type: string): string => (type.endsWith('Select') ? ' options { name }' : '');
  return types
    .map((type) => `... on ${type} { fullDatabaseId name dataType${visibility}${optionsOf(type)} }`)
    .join(' ');
}

/** What of the query a server does not know, by its refusal. */
const unknownIn = (words: string): readonly string[] =>
  [...words.matchAll(/No such type (\w+)|Fragment on (\w+) can't be spread|Field '(visibility)' doesn't exist/gu)].map(
    ([, type, fragment, field]) => type ?? fragment ?? field ?? '',
  );

/**
 * Source: docs.github.com, GraphQL reference, `Repository.issueFields`; servers without it refuse the query. One that
 * lacks a part of it is asked again without that.
 */
async function namedByRepository(
  client: GithubClient,
  { owner, repo }: RepositoryName,
  lacking: ReadonlySet<string> = new Set(),
): Promise<Found> {
  const place = `owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}`;
  const query = `query { repository(${place}) { issueFields(first: 100) { nodes { ${fragmentsOf(lacking)} } } } }`;
  const reply = await askGraphql(client, query, 'read', `list the issue fields of ${owner}/${repo}`);
  if (reply.kind === 'failed') {
    const found = new Set([...lacking, ...unknownIn(whyOf(reply.failure))]);
    if (found.size > lacking.size && fieldTypes.some((type) => !found.has(type)))
      return namedByRepository(client, { owner, repo }, found);
    return isNone(reply.failure) ? { kind: 'listed', fields: null } : reply;
  }
  if (reply.failure !== null && !isNone(reply.failure)) return { kind: 'failed', failure: reply.failure };
  const nodes = nodesSchema.safeParse(reply.data['repository']).data?.issueFields.nodes;
  return { kind: 'listed', fields: nodes?.filter((field) => field !== null) ?? null };
}

/** GET /orgs/{org}/issue-fields */
async function listedByOwner(client: GithubClient, owner: string): Promise<Found> {
  const about = `list the issue fields of ${owner}`;
  const path = `/orgs/${encodeURIComponent(owner)}/issue-fields`;
  const reply = await client.send({ method: 'GET', path, cost: 'read', about } satisfies Ask);
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: noContent(about) };
  if (reply.kind === 'failed') return isNone(reply.failure) ? { kind: 'listed', fields: null } : reply;
  const parsed = parseAnswer(listSchema, reply, about);
  return parsed.kind === 'failed' ? parsed : { kind: 'listed', fields: parsed.value };
}

const isNone = (failure: Failure): boolean => failure.kind === 'gone' || failure.kind === 'refused';

import * as z from 'zod';
import type { IssueField } from '../../model/survey.ts';
import type { Ask, GithubClient } from '../connection/client.ts';
import { type Failure, noContent } from '../connection/failure.ts';
import { parseAnswer, readAnswer } from '../map.ts';
import { answered } from '../repository.ts';

const fieldsSchema = z
  .array(
    z.object({
      id: z.number(),
      name: z.string(),
      data_type: z.string(),
      options: z.array(z.object({ name: z.string() })).nullish(),
      visibility: z.string().nullish(),
    }),
  )
  .transform((fields) =>
    fields.map(
      ({ id, name, data_type, options, visibility }): IssueField => ({
        id,
        name,
        kind: data_type,
        options: (options ?? []).map((option) => option.name),
        isForMembers: visibility === 'organization_members_only',
      }),
    ),
  );

/**
 * The issue fields of an organisation; empty if the owner is not an organisation, or they are not visible to us. Throws
 * `SideError` if GitHub is unreachable. GET /orgs/{org}/issue-fields
 */
export async function readIssueFields(client: GithubClient, owner: string): Promise<readonly IssueField[]> {
  return (await offeredFields(client, owner)) ?? [];
}

/** The same, but null if they cannot be listed or cannot exist. */
export async function offeredFields(client: GithubClient, owner: string): Promise<readonly IssueField[] | null> {
  const ask = askOf(owner);
  const reply = await client.send(ask);
  if (reply.kind === 'failed' && isNone(reply.failure)) return null;
  return readAnswer(fieldsSchema, answered(reply, ask.about), ask.about);
}

export type Listed =
  | { readonly kind: 'listed'; readonly fields: readonly IssueField[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The same before a write, which a failure stops. */
export async function listIssueFields(client: GithubClient, owner: string): Promise<Listed> {
  const ask = askOf(owner);
  const reply = await client.send(ask);
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: noContent(ask.about) };
  if (reply.kind === 'failed') return isNone(reply.failure) ? { kind: 'listed', fields: [] } : reply;
  const parsed = parseAnswer(fieldsSchema, reply, ask.about);
  return parsed.kind === 'failed' ? parsed : { kind: 'listed', fields: parsed.value };
}

const askOf = (owner: string) =>
  ({
    method: 'GET',
    path: `/orgs/${encodeURIComponent(owner)}/issue-fields`,
    cost: 'read',
    about: `list the issue fields of ${owner}`,
  }) as const satisfies Ask;

const isNone = (failure: Failure): boolean => failure.kind === 'gone' || failure.kind === 'refused';

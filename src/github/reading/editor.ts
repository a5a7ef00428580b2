import * as z from 'zod';
import type { Actor, BodyVersion } from '../../model/replica.ts';
import { actorFields, actorSchema } from '../connection/graphql.ts';
import { time } from '../map.ts';
import type { Repository } from '../repository.ts';
import { askOfIssue } from './ask-of-issue.ts';

const editedSchema = z.object({
  editor: actorSchema.nullish(),
  lastEditedAt: time.nullish(),
  includesCreatedEdit: z.boolean().nullish(),
  userContentEdits: z.object({ nodes: z.array(z.object({ diff: z.string().nullish() }).nullable()) }).nullish(),
});
const commentsSchema = z.object({
  comments: z.object({ nodes: z.array(editedSchema.extend({ url: z.string() }).nullable()) }),
});

type Edited = z.infer<typeof editedSchema>;

/** Those that were changed last, because a report follows its edit soon. GraphQL finds no comment by its number. */
const lastChanged = 'comments(first: 100, orderBy: { field: UPDATED_AT, direction: DESC })';

/**
 * Who last edited the body of an issue, or one of its comments, which REST does not tell; null if GitHub does not
 * say. Source: docs.github.com, GraphQL reference, `Issue.editor` and `IssueComment.editor`.
 * @throws SideError
 */
export async function editorOf(
  repository: Repository,
  ref: number,
  comment: number | null,
): Promise<Actor | 'nobody' | null> {
  const found = await editsOf(repository, ref, comment, `editor { ${actorFields} } lastEditedAt`);
  if (found?.editor === null && found.lastEditedAt === null) return 'nobody';
  const login = found?.editor ?? null;
  // An account that was deleted has no login.
  return login === null ? null : { login, name: login, at: found?.lastEditedAt ?? null };
}

/**
 * What the body of an issue, or one of its comments, was before the first edit; null if nobody edited it, if people
 * deleted that version, or if GitHub does not say. Source: docs.github.com, GraphQL reference, `UserContentEdit`; its
 * `diff` is the whole text of a version, and the oldest version is the last one.
 * @throws SideError
 */
export async function firstTextOf(repository: Repository, ref: number, comment: number | null): Promise<string | null> {
  const found = await editsOf(
    repository,
    ref,
    comment,
    'includesCreatedEdit userContentEdits(last: 1) { nodes { diff } }',
  );
  return found?.includesCreatedEdit === true ? (found.userContentEdits?.nodes[0]?.diff ?? null) : null;
}

const versionsSchema = z.object({
  userContentEdits: z.object({
    nodes: z.array(z.object({ diff: z.string().nullish(), editor: actorSchema.nullish() }).nullable()),
  }),
});

/** How many versions of a body are read. */
const versionsMax = 20;

/**
 * The last versions of the body of an issue, the newest first; null if nobody edited it, or if GitHub does not say.
 * Source: as above.
 * @throws SideError
 */
export async function bodyVersionsOf(repository: Repository, ref: number): Promise<readonly BodyVersion[] | null> {
  const nodes = `nodes { diff editor { ${actorFields} } }`;
  const about = `read the versions of ${repository.name}#${ref}`;
  const answer = await askOfIssue(repository, ref, `userContentEdits(first: ${versionsMax}) { ${nodes} }`, about);
  const found = versionsSchema.safeParse(answer?.issue).data?.userContentEdits.nodes ?? [];
  const versions = found.map((node) => ({ login: node?.editor ?? null, text: node?.diff ?? null }));
  return versions.length === 0 ? null : versions;
}

async function editsOf(
  repository: Repository,
  ref: number,
  comment: number | null,
  edits: string,
): Promise<Edited | undefined> {
  const fields = comment === null ? edits : `${lastChanged} { nodes { url ${edits} } }`;
  const about = `read who edited ${comment === null ? '' : 'a comment on '}${repository.name}#${ref}`;
  const issue = (await askOfIssue(repository, ref, fields, about))?.issue;
  if (comment === null) return editedSchema.safeParse(issue).data;
  const nodes = commentsSchema.safeParse(issue).data?.comments.nodes ?? [];
  return nodes.find((node) => node?.url.endsWith(`#issuecomment-${comment}`)) ?? undefined;
}

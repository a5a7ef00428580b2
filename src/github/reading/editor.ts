import * as z from 'zod';
import type { Actor } from '../../model/replica.ts';
import { actorFields, actorSchema, askForOne } from '../connection/graphql.ts';
import { time } from '../map.ts';
import type { Repository } from '../repository.ts';

const editedSchema = z.object({ editor: actorSchema.nullish(), lastEditedAt: time.nullish() });
const bodySchema = z.object({ issue: editedSchema });
const commentsSchema = z.object({
  issue: z.object({ comments: z.object({ nodes: z.array(editedSchema.extend({ url: z.string() }).nullable()) }) }),
});

const edited = `editor { ${actorFields} } lastEditedAt`;
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
  const [owner, name] = repository.name.split('/').map((part) => JSON.stringify(part));
  const fields = comment === null ? edited : `${lastChanged} { nodes { url ${edited} } }`;
  const query = `query { repository(owner: ${owner}, name: ${name}) { issue(number: ${ref}) { ${fields} } } }`;
  const about = `read who edited ${comment === null ? '' : 'a comment on '}${repository.name}#${ref}`;
  const data = (await askForOne(repository.client, query, about))?.['repository'];
  if (comment === null) return actorIn(bodySchema.safeParse(data).data?.issue);
  const nodes = commentsSchema.safeParse(data).data?.issue.comments.nodes ?? [];
  return actorIn(nodes.find((node) => node?.url.endsWith(`#issuecomment-${comment}`)));
}

/** An account that was deleted has no login. */
function actorIn(found: z.infer<typeof editedSchema> | null | undefined): Actor | 'nobody' | null {
  if (found?.editor === null && found.lastEditedAt === null) return 'nobody';
  const login = found?.editor ?? null;
  return login === null ? null : { login, name: login, at: found?.lastEditedAt ?? null };
}

/** Get and Create Comments, Search and Update Comment Tags: sections 4.10 to 4.13 of the interface. All throw `TrackerError`. */
import type { NewComment, TagChange } from './attachment-change.ts';
import { apart, type BugName, inPath } from './bug-name.ts';
import type { TrackerClient } from './client.ts';
import { type Comment, commentsSchema, tagsSchema } from './comment-object.ts';
import { TrackerError } from './errors.ts';
import { createdSchema } from './schema.ts';
import { trackerTime } from './time.ts';

/** By bug id, also where a bug was named by its alias. */
export async function getComments(
  client: TrackerClient,
  names: readonly BugName[],
  newSince: number | undefined,
): Promise<ReadonlyMap<number, readonly Comment[]>> {
  const bugs = apart(names);
  if (bugs === null) return new Map();
  const query = { ids: bugs.others, ...(newSince === undefined ? {} : { new_since: trackerTime(newSince) }) };
  const { body } = await client.read(['bug', bugs.first, 'comment'], query, commentsSchema);
  return new Map(Object.entries(body.bugs).map(([bug, { comments }]) => [Number(bug), comments]));
}

export async function getComment(client: TrackerClient, id: number): Promise<Comment> {
  const { body } = await client.read(['bug', 'comment', id], {}, commentsSchema);
  const comment = body.comments[String(id)];
  if (comment === undefined) throw new TrackerError('missing', `There is no comment ${id} on the tracker`);
  return comment;
}

export async function createComment(client: TrackerClient, bug: BugName, comment: NewComment): Promise<number> {
  return (await client.create(['bug', inPath(bug), 'comment'], { ...comment }, createdSchema)).body.id;
}

export async function searchCommentTags(client: TrackerClient, query: string, limit: number | undefined): Promise<readonly string[]> {
  const path = ['bug', 'comment', 'tags', inPath(query)];
  return (await client.read(path, limit === undefined ? {} : { limit }, tagsSchema)).body;
}

export async function updateCommentTags(
  client: TrackerClient,
  id: number,
  { add = [], remove = [] }: TagChange,
): Promise<readonly string[]> {
  return (await client.edit(['bug', 'comment', id, 'tags'], { comment_id: id, add, remove }, tagsSchema)).body;
}

/** Comment (section 2.6) and the answers of Get Comments (4.10). */

import { z } from 'zod';
import type { RowReader } from '../../model/runtime.ts';
import { flag, instant, list, textOrNothing, trackerTime, unescaped, whole } from '../connection/answer.ts';
import type { TrackerClient } from '../connection/client.ts';
import { TrackerError } from '../connection/errors.ts';
import { commentRow, row } from '../connection/rows.ts';
import { createdSchema } from '../schema.ts';
import type { NewComment, TagChange } from './attachment.ts';
import { apart, type BugName, inPath } from './bug-change.ts';

export interface Comment {
  /** Unique in the whole tracker; the only identifier of a comment. */
  readonly id: number;
  readonly bug_id: number;
  /** The attachment that the comment belongs to. */
  readonly attachment_id: number | null;
  /** The description is 0. Hidden comments leave gaps; a comment read by its id may have another number. */
  readonly count: number | null;
  /**
   * The text of a comment that came with an attachment begins with the current summary of the attachment, and changes
   * with it.
   */
  readonly text: string;
  readonly creator: string;
  /** The same as `creation_time`, kept for compatibility. Epoch milliseconds. */
  readonly time: number;
  /** Epoch milliseconds, whole seconds; several comments may share one. */
  readonly creation_time: number;
  /** True if the tracker does not report it. */
  readonly is_private: boolean;
  /** Only some versions report it. */
  readonly is_markdown?: boolean;
  /** Absent if the installation has no comment tags. */
  readonly tags?: readonly string[];
}

const wireComment = z.object({
  id: whole,
  bug_id: whole,
  attachment_id: whole.nullish(),
  count: whole.nullish(),
  text: textOrNothing.default('').transform(unescaped),
  creator: z.string().optional(),
  author: z.string().optional(),
  time: instant.optional(),
  creation_time: instant.optional(),
  is_private: flag.nullish(),
  is_markdown: flag.nullish(),
  tags: list.exactOptional(),
});

/** 5.0 sends `author` and `time`; later versions send `creator` and `creation_time`, or both. */
const commentSchema: z.ZodType<Comment> = wireComment.transform((comment, context) => {
  const { author, creator, tags, is_markdown, ...rest } = comment;
  const at = comment.creation_time ?? comment.time;
  if (at === undefined) {
    context.addIssue({ code: 'custom', message: 'a comment without a time' });
    return z.NEVER;
  }
  return {
    ...rest,
    attachment_id: comment.attachment_id ?? null,
    count: comment.count ?? null,
    creator: creator ?? author ?? '',
    time: at,
    creation_time: at,
    is_private: comment.is_private ?? true,
    ...(typeof is_markdown === 'boolean' ? { is_markdown } : {}),
    ...(tags === undefined ? {} : { tags }),
  };
});

export function commentsIn(rows: RowReader) {
  const comment = row(rows, commentSchema, commentRow);
  return z.object({
    bugs: z.record(z.string(), z.object({ comments: z.array(comment) })).default({}),
    comments: z.record(z.string(), comment).default({}),
  });
}

/** Sections 4.12 and 4.13 answer a plain list. */
export const tagsSchema = z.array(z.string());

/**
 * Get and Create Comments, Search and Update Comment Tags: sections 4.10 to 4.13 of the interface. All throw
 * `TrackerError`.
 */

/** By bug id, even if a bug was requested by its alias. */
export async function getComments(
  client: TrackerClient,
  names: readonly BugName[],
  newSince: number | undefined,
): Promise<ReadonlyMap<number, readonly Comment[]>> {
  const bugs = apart(names);
  if (bugs === null) return new Map();
  const query = { ids: bugs.others, ...(newSince === undefined ? {} : { new_since: trackerTime(newSince) }) };
  const { body } = await client.read(['bug', bugs.first, 'comment'], query, commentsIn(client.rows));
  return new Map(Object.entries(body.bugs).map(([bug, { comments }]) => [Number(bug), comments]));
}

export async function getComment(client: TrackerClient, id: number): Promise<Comment> {
  const { body } = await client.read(['bug', 'comment', id], {}, commentsIn(client.rows));
  const comment = body.comments[String(id)];
  if (comment === undefined) throw new TrackerError('missing', `There is no comment ${id} on the tracker`);
  return comment;
}

export async function createComment(client: TrackerClient, bug: BugName, comment: NewComment): Promise<number> {
  return (await client.create(['bug', inPath(bug), 'comment'], { ...comment }, createdSchema)).body.id;
}

export async function searchCommentTags(
  client: TrackerClient,
  query: string,
  limit: number | undefined,
): Promise<readonly string[]> {
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

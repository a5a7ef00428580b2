/** Get, Create and Update Attachment: sections 4.7 to 4.9 of the interface. All throw `TrackerError`. */
import type { AttachmentChange, NewAttachment } from './attachment-change.ts';
import { type Attachment, attachmentsSchema, createdAttachmentsSchema } from './attachment-object.ts';
import { apart, type BugName } from './bug-name.ts';
import { type UpdatedAttachment, updatedAttachmentsSchema } from './change-object.ts';
import type { Query, TrackerClient } from './client.ts';
import { TrackerError } from './errors.ts';

export interface AttachmentChoice {
  /** Whether the content comes along. */
  readonly data?: boolean;
}

/** The content is a third larger on the wire and rarely wanted of a whole list. */
export const contentQuery = (isWanted: boolean): Query => (isWanted ? {} : { exclude_fields: 'data' });

/** By bug id, also where a bug was named by its alias. */
export async function getAttachments(
  client: TrackerClient,
  names: readonly BugName[],
  { data = false }: AttachmentChoice,
): Promise<ReadonlyMap<number, readonly Attachment[]>> {
  const bugs = apart(names);
  if (bugs === null) return new Map();
  const query = { ids: bugs.others, ...contentQuery(data) };
  const { body } = await client.read(['bug', bugs.first, 'attachment'], query, attachmentsSchema);
  return new Map(Object.entries(body.bugs).map(([bug, attachments]) => [Number(bug), attachments]));
}

/** The tracker answers about a missing attachment with nothing, and success. */
export async function getAttachment(client: TrackerClient, id: number, { data = true }: AttachmentChoice): Promise<Attachment> {
  const { body } = await client.read(['bug', 'attachment', id], contentQuery(data), attachmentsSchema);
  const attachment = body.attachments[String(id)];
  if (attachment === undefined) throw new TrackerError('missing', `There is no attachment ${id} on the tracker`);
  return attachment;
}

/** One attachment on each of these bugs; answers their ids. */
export async function createAttachment(
  client: TrackerClient,
  names: readonly BugName[],
  { data, ...attachment }: NewAttachment,
): Promise<readonly number[]> {
  const bugs = apart(names);
  if (bugs === null) return [];
  const body = { ...attachment, data: Buffer.from(data).toString('base64'), ids: [bugs.first, ...bugs.others] };
  return (await client.create(['bug', bugs.first, 'attachment'], body, createdAttachmentsSchema)).body;
}

export async function updateAttachments(
  client: TrackerClient,
  ids: readonly number[],
  change: AttachmentChange,
): Promise<readonly UpdatedAttachment[]> {
  const attachments = apart(ids);
  if (attachments === null) return [];
  const { first, others } = attachments;
  const body = others.length === 0 ? { ...change } : { ...change, ids: [first, ...others] };
  return (await client.edit(['bug', 'attachment', first], body, updatedAttachmentsSchema)).body.attachments;
}

import * as z from 'zod';
import { type AttachmentStore, headBytesMax, type StoredFile, type Upload } from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { GithubClient } from '../connection/client.ts';
import { type Failure, noContent, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { uploadRoot } from '../connection/upload-host.ts';
import { parseAnswer } from '../map.ts';
import { advised, oneByOne } from './batch.ts';
import { type Got, hexDigest } from './git-data.ts';

export interface UploadStoreOptions {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
}

interface Room extends UploadStoreOptions {
  /** The id of the repository; null until it was read. */
  id: number | null;
}

/**
 * GitHub's own store for files dropped into texts, by the undocumented request of its command line (`gh ... --attach`). It cannot list or
 * delete: an upload whose answer is lost is repeated, and leaves a file that no text shows.
 * Source: the command line, 2.99.0. It accepts only images and videos, which rules/attachments/observe.ts knows.
 */
export function uploadStore(options: UploadStoreOptions): AttachmentStore {
  const room: Room = { ...options, id: null };
  return {
    put: (uploads) => oneByOne(uploads, (upload) => sendUpload(room, upload)),
    // Whether there was such an upload is unknown, too.
    remove: async () => ({ kind: 'applied', item: { left } }),
    list: async () => ({ kind: 'applied', item: [] }),
    read: async () => ({ kind: 'refused', why: 'GitHub does not show where an uploaded file is' }),
  };
}

const left =
  'GitHub offers no way to delete an uploaded file: anyone with its address can still open it, until GitHub support deletes it on request';

const idSchema = z.object({ id: z.number() });
const uploadSchema = z.object({ url: z.url({ protocol: /^https?$/u }) });

/** POST /user-attachments/assets?name=&content_type=&repository_id= with the content as the body; 201 and its address. */
async function sendUpload(room: Room, { path, type, open }: Upload): Promise<Outcome<StoredFile>> {
  const id = await idOf(room);
  if (id.kind === 'failed') return advised(unwrittenOutcome(id.failure), advice);
  const opened = await open();
  if (opened.kind !== 'applied') return opened;
  const bytes = opened.item;
  const query = new URLSearchParams({ name: path.split('/').at(-1) ?? '', content_type: type, repository_id: String(id.value) });
  const about = `store a file in ${room.owner}/${room.repo}`;
  const address = `${uploadRoot(room.client.root)}/user-attachments/assets?${query}`;
  const reply = await room.client.send({ method: 'POST', path: address, cost: 'edit', about, content: { type, bytes } });
  if (reply.kind !== 'answered') return outcomeOf(reply.kind === 'failed' ? reply.failure : noContent(about));
  const parsed = parseAnswer(uploadSchema, reply, about);
  if (parsed.kind === 'failed') return outcomeOf(parsed.failure);
  const sha256 = await hexDigest('SHA-256', new Uint8Array(bytes));
  return { kind: 'applied', item: { url: parsed.value.url, sha256, head: bytes.slice(0, headBytesMax) } };
}

async function idOf(room: Room): Promise<Got<number>> {
  const { client, owner, repo } = room;
  if (room.id === null) {
    const about = `look at the repository ${owner}/${repo}`;
    const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
    const reply = await client.send({ method: 'GET', path, cost: 'read', about });
    if (reply.kind !== 'answered') return { kind: 'failed', failure: reply.kind === 'failed' ? reply.failure : noContent(about) };
    const parsed = parseAnswer(idSchema, reply, about);
    if (parsed.kind === 'failed') return parsed;
    room.id = parsed.value.id;
  }
  return { kind: 'got', value: room.id };
}

const outcomeOf = (failure: Failure): Outcome<never> => advised(writeOutcome(failure), advice);

const advice =
  'Check that the account may write to the repository. This upload is not documented and may work only with some kinds of tokens; otherwise set store: branch in the route.';

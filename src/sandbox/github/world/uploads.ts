import { createHash } from 'node:crypto';
import { headBytesMax, type LinkedFiles, type Shelf, type Shelved } from '../../../model/attachment.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Clock } from '../../../model/runtime.ts';
import { type FaultSource, noFaults } from '../../server/faults.ts';
import { invalid, notFound } from '../server/errors.ts';
import { onShelf } from '../shelf-outcome.ts';
import { mayPush, type User } from './records.ts';
import { type GithubState, repoNamed, userNamed } from './state.ts';
import type { GithubWorld } from './world.ts';

/** A file that somebody dropped into a text on the website. */
export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Where GitHub keeps the files of texts. */
export const bucket = 'https://github-production-user-asset-6210df.s3.amazonaws.com';

/** Pictures and films stand under `assets`, everything else under `files`. Answers the address that the text gets. */
export function addUpload(state: GithubState, upload: Upload): string {
  const id = createHash('sha256').update(`${state.uploads.size} ${upload.name}`).digest('hex');
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5');
  const isMedia = /^(?:image|video)\//u.test(upload.type);
  const path = isMedia ? `assets/${uuid}` : `files/${state.uploads.size + 1}/${encodeURIComponent(upload.name)}`;
  const url = `https://github.com/user-attachments/${path}`;
  state.uploads.set(url, upload);
  return url;
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};

/** What a program may upload: pictures and films whose names say so. A repository that it may not write to is not there for it. */
export function uploadByToken(state: GithubState, user: User, repositoryId: number, upload: Upload): string {
  const repo = [...state.repos.values()].find(({ id }) => id === repositoryId);
  if (repo === undefined || !mayPush(user, repo)) throw notFound();
  const extension = upload.name.split('.').at(-1)?.toLowerCase() ?? '';
  if (mediaTypes[extension] !== upload.type) throw invalid({ resource: 'UserAsset', code: 'invalid', field: 'content_type' });
  if (upload.bytes.length > (upload.type.startsWith('image/') ? 10_000_000 : 100_000_000))
    throw invalid({ resource: 'UserAsset', code: 'custom', field: 'size', message: 'size is too large' });
  return addUpload(state, upload);
}

export interface DirectUploadShelfOptions {
  readonly user: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly clock: Clock;
  readonly faults?: FaultSource;
}

/** Uploads straight to the world; the real shelf has to behave like this. */
export function directUploadShelf(world: GithubWorld, { user, repo, clock, faults = noFaults }: DirectUploadShelfOptions): Shelf {
  const { state } = world;
  const door = { state, user: userNamed(state, user), clock, faults };
  const { id } = repoNamed(state, repo);
  return {
    async put(parcels) {
      const outcomes: Outcome<Shelved>[] = [];
      for (const { path, type, open } of parcels) {
        const opened = await open();
        outcomes.push(opened.kind === 'applied' ? await onShelf(door, uploading, () => uploaded(opened.item, path, type)) : opened);
      }
      return outcomes;
    },
    remove: async () => ({ kind: 'applied', item: { left: 'an upload stays' } }),
    read: async () => ({ kind: 'refused', why: 'an upload has no path' }),
  };

  function uploaded(bytes: Uint8Array, path: string, type: string): { readonly answer: Shelved } {
    const url = uploadByToken(state, door.user, id, { name: path.split('/').at(-1) ?? '', type, bytes });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { answer: { url, sha256, head: bytes.slice(0, headBytesMax) } };
  }
}

const uploading = { method: 'POST', path: '/user-attachments/assets' } as const;

/** The files straight from the world. */
export function directFiles(
  world: GithubWorld,
  { clock, faults = noFaults }: { readonly clock: Clock; readonly faults?: FaultSource },
): LinkedFiles {
  return {
    async fetch(url, bytesMax) {
      const fault = faults('github', 'read');
      if (fault.kind === 'slow') await clock.sleep(fault.delayMs);
      else if (fault.kind !== 'none') return { kind: 'later', at: null, wholeSide: false, why: 'the connection was lost' };
      const upload = world.state.uploads.get(url);
      if (upload === undefined) return { kind: 'refused', why: `${url} answered 404` };
      if (upload.bytes.length > bytesMax) return { kind: 'refused', why: `it is larger than the tracker takes (${bytesMax} bytes)` };
      return { kind: 'applied', item: upload };
    },
  };
}

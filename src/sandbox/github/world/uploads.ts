import { createHash } from 'node:crypto';
import { invalid, notFound } from '../server/errors.ts';
import { mayPush, type User } from './records.ts';
import type { GithubState, Upload } from './state.ts';

/** Where GitHub keeps the files of texts. */
export const bucket = 'https://github-production-user-asset-6210df.s3.amazonaws.com';

/** Pictures and films are under `assets`, all other files under `files`. Returns the address for the text. */
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

/** An upload by a program: only pictures and films, by extension. A repository without write access answers 404. */
export function uploadByToken(state: GithubState, user: User, repositoryId: number, upload: Upload): string {
  const repo = [...state.repos.values()].find(({ id }) => id === repositoryId);
  if (repo === undefined || !mayPush(user, repo)) throw notFound();
  const extension = upload.name.split('.').at(-1)?.toLowerCase() ?? '';
  if (mediaTypes[extension] !== upload.type) throw invalid({ resource: 'UserAsset', code: 'invalid', field: 'content_type' });
  if (upload.bytes.length > (upload.type.startsWith('image/') ? 10_000_000 : 100_000_000))
    throw invalid({ resource: 'UserAsset', code: 'custom', field: 'size', message: 'size is too large' });
  return addUpload(state, upload);
}

import { createHash } from 'node:crypto';
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

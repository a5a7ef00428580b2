import { createHash } from 'node:crypto';
import type { LinkedFiles } from '../../model/attachment.ts';
import type { Clock } from '../../model/lane.ts';
import { type FaultSource, noFaults } from '../faults.ts';
import type { GithubState } from './state.ts';
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

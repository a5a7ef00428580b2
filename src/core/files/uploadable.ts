import type { Attachment } from '../../model/attachment.ts';

/**
 * What GitHub's own file store takes by way of a token: pictures and films whose name and type agree. Source: reports of people who use
 * it, as nothing of it is documented (drogers0/gh-image#48, cli/cli#14186). Everything else is refused there.
 */
const types: Readonly<Record<string, string>> = {
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

const bytesMax = { image: 10_000_000, video: 100_000_000 };

/** Why a file cannot be uploaded there; null when it can. */
export function whyNotUploadable({ name, type }: Pick<Attachment, 'name' | 'type'>, size: number): string | null {
  const extension = /\.(\w+)$/u.exec(name)?.[1]?.toLowerCase() ?? '';
  if (types[extension] === undefined || types[extension] !== type.toLowerCase()) return 'neither a picture nor a film';
  const most = type.startsWith('video/') ? bytesMax.video : bytesMax.image;
  return size > most ? `larger than ${most / 1_000_000} MB` : null;
}

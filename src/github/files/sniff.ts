/**
 * What a content is, by its first bytes: what a server or a name says is not believed. Source: the signatures that the formats
 * themselves prescribe. Texts have none; they are what decodes as UTF-8 and holds no control characters.
 */
const signatures: readonly {
  readonly type: string;
  readonly extension: string;
  readonly at?: number;
  readonly bytes: readonly number[];
}[] = [
  { type: 'image/png', extension: 'png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', extension: 'jpg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', extension: 'gif', bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', extension: 'webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { type: 'application/pdf', extension: 'pdf', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { type: 'application/zip', extension: 'zip', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { type: 'application/gzip', extension: 'gz', bytes: [0x1f, 0x8b] },
  { type: 'video/mp4', extension: 'mp4', at: 4, bytes: [0x66, 0x74, 0x79, 0x70] },
  { type: 'video/webm', extension: 'webm', bytes: [0x1a, 0x45, 0xdf, 0xa3] },
];

export interface Sniffed {
  readonly type: string;
  readonly extension: string;
}

export function sniff(bytes: Uint8Array): Sniffed {
  const found = signatures.find(({ at = 0, bytes: expected }) => expected.every((byte, index) => bytes[at + index] === byte));
  if (found !== undefined) return { type: found.type, extension: found.extension };
  return isText(bytes) ? { type: 'text/plain', extension: 'txt' } : { type: 'application/octet-stream', extension: 'bin' };
}

function isText(bytes: Uint8Array): boolean {
  // A character may be cut at the end of the part that is looked at.
  const head = bytes.subarray(0, 65_536);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // Logs keep the escape character of their colours.
    return !/(?![\t\n\f\r])\p{Cc}/u.test(text.replaceAll('\x1b', ''));
  } catch {
    return false;
  }
}

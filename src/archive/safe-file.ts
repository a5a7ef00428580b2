import { filePath } from './paths.ts';

/**
 * The kinds of files that an archive holds. What a file is called and which type the tracker reports come from anyone,
 * so the bytes decide: known pictures keep their kind, text is only ever plain text, and everything else is for saving.
 * No server then has a reason to serve a page or a drawing that could run a script where the archive is.
 */
type SafeKind = 'png' | 'jpg' | 'gif' | 'webp' | 'txt' | 'bin';

export const pictureKinds: ReadonlySet<string> = new Set<SafeKind>(['png', 'jpg', 'gif', 'webp']);

export const contentTypes: Readonly<Record<SafeKind, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  txt: 'text/plain; charset=utf-8',
  bin: 'application/octet-stream',
};

const signatures: readonly (readonly [kind: SafeKind, at: number, bytes: string])[] = [
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['jpg', 0, '\xff\xd8\xff'],
  ['gif', 0, 'GIF87a'],
  ['gif', 0, 'GIF89a'],
  ['webp', 8, 'WEBP'],
];

export function kindOf(bytes: Uint8Array): SafeKind {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  const known = signatures.find(([, at, words]) => head.startsWith(words, at));
  if (known !== undefined && (known[0] !== 'webp' || head.startsWith('RIFF'))) return known[0];
  return textIn(bytes) === null ? 'bin' : 'txt';
}

/** A content as text; null if it is none. */
export function textIn(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // Logs have the escapes of coloured lines.
    return /(?![\t\n\f\r])\p{Cc}/u.test(text.replaceAll('\u001b', '')) ? null : text;
  } catch {
    return null;
  }
}

export const pathOfContent = (sha256: string, bytes: Uint8Array): string => filePath(sha256, kindOf(bytes));

/**
 * The name under which a browser saves a file: the tracker's own, without what could lead to another place or hide the
 * ending.
 */
export const savedName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '_')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/gu, '')
    .slice(-120) || 'attachment';

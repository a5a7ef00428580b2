import { headBytesMax, type Shelved } from '../../model/attachment.ts';
import { withoutAddresses } from '../text/visible.ts';

const linesMax = 60;
const lineLengthMax = 400;

/**
 * The whole of a short text, for showing it where people read; null for everything else. What a file calls itself is not believed:
 * bytes that are no UTF-8 or hold control characters are no text.
 */
export function excerptOf(
  file: { readonly type: string; readonly isPatch: boolean; readonly size: number | null },
  shelved: Pick<Shelved, 'head'>,
): string | null {
  const mayBeText = file.isPatch || /^text\/(?!html|rtf)|^application\/(?:json|xml|x-(?:sh|patch|diff))/u.test(file.type);
  if (!mayBeText || file.size === null || file.size > headBytesMax || file.size !== shelved.head.length) return null;
  const text = textOf(shelved.head)?.replace(/\r\n?/gu, '\n') ?? null;
  if (text === null || text.trim() === '' || /(?![\t\n\f])\p{Cc}/u.test(text)) return null;
  const lines = text.split('\n');
  if (lines.length > linesMax || lines.some((line) => line.length > lineLengthMax)) return null;
  return withoutAddresses(text);
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

import { isInsider } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { privacyRefused, TrackerError } from '../server/errors.ts';
import type { TrackerState, User } from '../world/state.ts';

/** How the server normalises the values of an attachment, and which it refuses. Source: spec sections 4.8 and 4.9. */
export interface Content {
  /** In base64, as reads show it. */
  readonly text: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Decodes like the server, which skips everything that is not base64. Throws 606 for no bytes and 600 for more than are
 * allowed.
 */
export function contentOf(state: TrackerState, data: string): Content {
  const [alphabet = ''] = data.replaceAll(/[^A-Za-z0-9+/=]/g, '').split('=');
  const bytes = Buffer.from(alphabet, 'base64');
  if (bytes.length === 0) {
    throw new TrackerError(
      606,
      400,
      "The file you are trying to attach is empty, does not exist, or you don't have permission to read it.",
    );
  }
  const sizeMaxKb = Math.max(
    Number(state.settings.maxattachmentsize),
    Number(state.settings.maxlocalattachment) * 1024,
  );
  if (bytes.length > sizeMaxKb * 1024) {
    const size = (bytes.length / 1024).toFixed(0);
    const what = `The file you are trying to attach is ${size} kilobytes (KB) in size. Attachments cannot be more than ${sizeMaxKb} KB.`;
    throw new TrackerError(600, 400, `${what} ${adviceOnSize}`);
  }
  return { text: bytes.toString('base64'), size: bytes.length };
}

const adviceOnSize =
  'We recommend that you store your attachment elsewhere and then paste the URL to this file on the attachment creation page in the ' +
  'appropriate text field, which you can access by clicking the "paste text as attachment" link. Alternately, if your attachment is ' +
  'an image, you could convert it to a compressible format like JPG or PNG and try again.';

const lengthMax = 255;

/** Without surrounding white space; a longer text is cut silently. Throws 604 if it is empty. */
export function attachmentSummary(text: string): string {
  const summary = text.trim();
  if (isNothing(summary)) throw new TrackerError(604, 400, 'You must enter a description for the attachment.');
  return cutToBytes(summary);
}

/** The column counts bytes, not characters; a character that does not fit as a whole is left out. */
function cutToBytes(text: string): string {
  if (Buffer.byteLength(text) <= lengthMax) return text;
  let cut = '';
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > lengthMax) break;
    cut += character;
  }
  return cut;
}

/** Drops folders before the name and keeps the end of a long name. Null if there is no name. */
export function attachmentFileName(text: string): string | null {
  const clean = cleanText(text);
  if (isNothing(clean)) return null;
  return [...clean.replace(/^.*[/\\]/, '')].slice(-lengthMax).join('');
}

/** Patches are always plain text. Throws 601 for an invalid MIME type. */
export function attachmentContentType(state: TrackerState, text: string, isPatch: boolean): string {
  const topLevels = way(state, 'contentTypes');
  const contentType = isPatch ? 'text/plain' : cleanText(text);
  const pattern = new RegExp(`^(${topLevels.join('|')})/[a-z0-9_.+-]+(;\\s*charset=[a-z0-9_+-]+)?$`, 'i');
  if (pattern.test(contentType)) return contentType;
  const form = `Valid types must be of the form foo/bar where foo is one of ${topLevels.join(', ')}`;
  const why = `${form} and bar must not contain any special characters (such as "=", "?", ...).`;
  throw new TrackerError(601, 400, `The content type ${contentType === '' ? '' : `${contentType} `}is invalid. ${why}`);
}

/** Only insiders may make an attachment private, or public again. */
export function attachmentPrivacy(state: TrackerState, user: User, wanted: boolean, current: boolean): boolean {
  if (wanted !== current && !isInsider(state, user)) throw privacyRefused();
  return wanted;
}

/** Control characters become spaces. */
const cleanText = (text: string): string =>
  [...text]
    .map((character) => (isControl(character) ? ' ' : character))
    .join('')
    .trim();
const isControl = (character: string): boolean => character < ' ' || character === '\u007f';

/** The server treats a lone zero as empty. */
const isNothing = (text: string): boolean => text === '' || text === '0';

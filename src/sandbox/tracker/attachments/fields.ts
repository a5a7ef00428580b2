import { isInsider } from '../installation/users.ts';
import { privacyRefused, TrackerError } from '../server/errors.ts';
import type { TrackerState, User } from '../world/state.ts';

/** What the server makes of the values of an attachment, and which it refuses. Source: spec sections 4.8 and 4.9. */
export interface Content {
  /** In base64, as reads show it. */
  readonly text: string;
  /** Bytes. */
  readonly size: number;
}

/** Decodes as the server does, which skips whatever is not base64. Throws 606 for no bytes at all and 600 for more than are allowed. */
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
  const sizeMaxKb = Math.max(Number(state.settings.maxattachmentsize), Number(state.settings.maxlocalattachment) * 1024);
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

/** Without white space around it; what is too long is cut without a word. Throws 604 where nothing is left. */
export function attachmentSummary(text: string): string {
  const summary = text.trim();
  if (isNothing(summary)) throw new TrackerError(604, 400, 'You must enter a description for the attachment.');
  return cutToBytes(summary);
}

/** The column holds bytes and not characters, and a character that does not fit as a whole is left out. */
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

/** Folders before the name are dropped, and of a name that is too long the end is kept. Null where there is no name at all. */
export function attachmentFileName(text: string): string | null {
  const clean = cleanText(text);
  if (isNothing(clean)) return null;
  return [...clean.replace(/^.*[/\\]/, '')].slice(-lengthMax).join('');
}

const topLevels = ['application', 'audio', 'image', 'message', 'model', 'multipart', 'text', 'video'] as const;
const contentTypePattern = new RegExp(`^(${topLevels.join('|')})/[a-z0-9_.+-]+(;\\s*charset=[a-z0-9_+-]+)?$`, 'i');

/** Patches are plain text whatever is asked for. Throws 601 for what is no MIME type. */
export function attachmentContentType(text: string, isPatch: boolean): string {
  const contentType = isPatch ? 'text/plain' : cleanText(text);
  if (contentTypePattern.test(contentType)) return contentType;
  const form = `Valid types must be of the form foo/bar where foo is one of ${topLevels.join(', ')}`;
  const why = `${form} and bar must not contain any special characters (such as "=", "?", ...).`;
  throw new TrackerError(601, 400, `The content type ${contentType === '' ? '' : `${contentType} `}is invalid. ${why}`);
}

/** Only insiders may make something private, or public again. */
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

/** The server takes a lone zero for nothing. */
const isNothing = (text: string): boolean => text === '' || text === '0';

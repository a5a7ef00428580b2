import { type Attachment, pullType } from '../../model/attachment.ts';
import { type Account, isBy } from '../../model/people.ts';
import { digestOf, undirected } from '../../text/canonical.ts';
import { isAboutPull, parseTrackerMarker, type TrackerMarker } from '../../text/marker.ts';

/** A file that a text on GitHub links to. `tag` identifies it on the tracker. */
interface FileLink {
  readonly url: string;
  readonly tag: string;
  /** Its name in the text; empty if there is none. */
  readonly name: string;
}

/**
 * The addresses of GitHub's store for files in texts. Other addresses stay links. `private-user-images` addresses
 * expire, so the same picture has many: it is identified without its query.
 */
const hosts =
  /https:\/\/(?:github\.com\/(?:user-attachments\/(?:assets|files)|[\w.-]+\/[\w.-]+\/(?:assets|files)\/\d+)|(?:private-)?user-images\.githubusercontent\.com)\/[^\s<>"')\]]+/gu;

/** The files in a text, each once, in order of appearance. */
export function filesLinkedIn(markdown: string): readonly FileLink[] {
  const found = new Map<string, FileLink>();
  const code = /(?<fence>`{3,}|~{3,})[\s\S]*?(?:\k<fence>|$)|`[^`\n]*`/gu;
  const text = markdown.replace(code, '');
  for (const match of text.matchAll(hosts)) {
    const url = match[0].replace(/(?<![.,;:!?])[.,;:!?]+$/u, '');
    const tag = fileTag(url);
    if (!found.has(tag))
      found.set(tag, { url, tag, name: nameBefore(text.slice(Math.max(0, match.index - 210), match.index)) });
  }
  return [...found.values()];
}

const fileTag = (url: string): string => digestOf(url.replace(/\?.*/u, '')).slice(0, 12);

/** `[report.pdf](` or `![crash](` before an address. */
const nameBefore = (text: string): string => /\[([^\][\n]{1,200})\]\($/u.exec(text)?.[1]?.trim() ?? '';

/** The summary of an issue's file on a bug, which identifies it later. */
export const taggedSummary = (name: string, tag: string): string =>
  `${[...undirected(name)].slice(0, 200).join('')} (GitHub file ${tag})`;

/**
 * Whether an attachment is no file of anyone: the bridge attached a pull request, which GitHub has.
 * @param own our account on the tracker; null if it is unknown
 */
export const isPull = ({ type, author }: Pick<Attachment, 'type' | 'author'>, own: Account | null): boolean =>
  type === pullType && (own === null || isBy(author, own));

/** The tag in a summary that the bridge wrote; null in any other. */
export const tagIn = (summary: string): string | null => /\(GitHub file ([0-9a-f]{12})\)$/u.exec(summary)?.[1] ?? null;

/**
 * The words that a tracker puts before a comment that was made with an attachment or about one. It generates them at
 * every reading from the attachment's current summary.
 */
export interface Heading {
  readonly event: 'created' | 'comment';
  readonly attachment: number;
  readonly summary: string;
  /** The person's words. */
  readonly rest: string;
}

const pattern = /^(Created|Comment on) attachment (\d{1,12})(?: \[details\])?[ \t]*(?:\n([^\n]*))?(?:\n+|$)/u;

/** What a text says of a pull request below the tracker's heading of its attachment; null if it says nothing so. */
export function pullBelowHeading(text: string): TrackerMarker | null {
  const marker = parseTrackerMarker(headingIn(text)?.rest ?? '');
  return marker !== null && isAboutPull(marker) ? marker : null;
}

/** Null for a comment that is not about an attachment. Source: Bugzilla 5.x; older versions number `(id=12)`. */
export function headingIn(text: string): Heading | null {
  const plain = text.replace(/^(Created|Comment on) an? attachment \(id=(\d{1,12})\)/u, '$1 attachment $2');
  const match = pattern.exec(plain);
  if (match?.[2] === undefined) return null;
  const event = match[1] === 'Created' ? 'created' : 'comment';
  return { event, attachment: Number(match[2]), summary: match[3] ?? '', rest: plain.slice(match[0].length) };
}

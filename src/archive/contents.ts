import type { ArchiveFolder, PublicReader, Thread } from '../model/archive/ports.ts';
import { SideError } from '../model/outcome.ts';
import { sha256Of } from '../text/canonical.ts';
import { previewBytesMax } from './attachment-page.ts';
import type { AttachmentRecord } from './bug-record.ts';
import type { Output } from './output.ts';
import { attachmentPath, isFilePath, recordPath } from './paths.ts';
import { pathOfContent, textIn } from './safe-file.ts';

/** An attachment whose content the tracker does not give out, although it shows the attachment. */
export interface UnreadContent {
  readonly bug: number;
  readonly attachment: number;
  readonly why: string;
}

interface ContentsOptions {
  readonly reader: PublicReader;
  readonly folder: ArchiveFolder;
  readonly output: Output;
  /** True to ask for contents also where the folder has them. */
  readonly isVerifying: boolean;
  readonly signal: AbortSignal;
  readonly losses: Losses;
}

/** The attachments that could not be read so far, and how many contents failed since one arrived. */
export interface Losses {
  readonly unread: Map<number, UnreadContent>;
  inARow: number;
}

export interface Stored extends Pick<AttachmentRecord, 'file' | 'isUnread'> {
  /** The content, if it is a text that is short enough to be shown. */
  readonly text: string | null;
}

const noContent: Stored = { file: null, text: null };

/** Stores the contents of a bug. By attachment; those that became hidden meanwhile are missing. */
export async function storeContents(
  options: ContentsOptions,
  bug: number,
  { files }: Thread,
): Promise<ReadonlyMap<number, Stored>> {
  const { folder, output, isVerifying, signal } = options;
  const known = recordIn(folder, bug)?.attachments ?? [];
  const current = new Set(files.map(({ id }) => id));
  for (const each of known) if (!current.has(each.id)) dropFile(output, each);
  const old = new Map(known.map(({ id, file }) => [id, file]));
  const stored = new Map<number, Stored>();
  for (const { id, size } of files) {
    signal.throwIfAborted();
    if (size === null) {
      stored.set(id, noContent);
      continue;
    }
    const kept = keptContent(folder, old.get(id) ?? null);
    const bytes = isVerifying || kept === null ? await contentOf(options, { bug, attachment: id }, size) : kept;
    if (bytes === null) continue;
    // A comparison has nothing to say about a content that it cannot read.
    if (bytes === 'unread')
      stored.set(id, isVerifying && kept !== null ? put(output, kept) : { ...noContent, isUnread: true });
    else stored.set(id, bytes.length === 0 ? noContent : put(output, bytes));
  }
  return stored;
}

function put(output: Output, bytes: Uint8Array): Stored {
  const sha256 = sha256Of(bytes);
  const path = pathOfContent(sha256, bytes);
  output.put(path, bytes);
  return { file: { path, sha256, bytes: bytes.length }, text: bytes.length <= previewBytesMax ? textIn(bytes) : null };
}

/** If so many contents in a row fail, it is not they that are broken. */
const inARowMax = 20;

/**
 * One content that the tracker does not give out stops no other; a tracker that gives out nothing any more stops the
 * run.
 */
async function contentOf(
  { reader, losses }: ContentsOptions,
  place: Omit<UnreadContent, 'why'>,
  size: number,
): Promise<Uint8Array | 'unread' | null> {
  if (losses.unread.has(place.attachment)) return 'unread';
  try {
    const bytes = await reader.content(place.attachment, size);
    losses.inARow = 0;
    return bytes;
  } catch (failure) {
    losses.inARow += 1;
    if (!(failure instanceof SideError) || failure.kind === 'unauthorized' || losses.inARow > inARowMax) throw failure;
    // Throws if the tracker is down.
    await reader.isServed();
    losses.unread.set(place.attachment, { ...place, why: failure.message });
    return 'unread';
  }
}

/** A content that an earlier run stored and that is still as it was: the tracker never changes one. */
function keptContent(folder: ArchiveFolder, known: AttachmentRecord['file']): Uint8Array | null {
  if (known === null || folder.size(known.path) !== known.bytes) return null;
  const bytes = folder.read(known.path);
  return bytes !== null && sha256Of(bytes) === known.sha256 ? bytes : null;
}

/** What an earlier run wrote about the files of a bug; null if there is no record, or if it cannot be read. */
export function recordIn(folder: ArchiveFolder, bug: number): { readonly attachments: readonly KnownFile[] } | null {
  const bytes = folder.read(recordPath(bug));
  if (bytes === null) return null;
  try {
    const { attachments }: { readonly attachments: readonly unknown[] } = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(attachments) ? { attachments: attachments.filter(isKnownFile) } : null;
  } catch {
    return null;
  }
}

type KnownFile = Pick<AttachmentRecord, 'id' | 'file'>;

/** Whoever can write to the folder may have changed a record: it must not lead out of the folder. */
function isKnownFile(value: unknown): value is KnownFile {
  const { id, file }: Partial<KnownFile> = typeof value === 'object' && value !== null ? value : {};
  if (!Number.isSafeInteger(id) || file === undefined) return false;
  return file === null || (typeof file === 'object' && typeof file.path === 'string' && isFilePath(file.path));
}

/** What is known of a file goes with its page. */
export function dropFile(output: Output, { id, file }: KnownFile): void {
  output.drop(attachmentPath(id));
  if (file !== null) output.drop(file.path);
}

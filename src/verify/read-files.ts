import type { AttachmentStore } from '../model/attachment.ts';
import type { LinkId } from '../model/ids.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Findings } from '../model/reports/verification.ts';
import { sha256Of } from '../text/canonical.ts';
import { joinedFindings } from './compare/difference.ts';
import { compareContents, type SeenFiles, type Weighed } from './compare/files.ts';
import type { KnownFile } from './compare/seen-pair.ts';
import { type Inspection, reading, tellProgress, waitAfter, waitFor } from './inspection.ts';

/** A file whose contents are compared. */
export interface FileJob {
  readonly link: LinkId;
  readonly file: KnownFile;
}

/** Copies searched at once: the attachment store walks its folders once for all of them. */
const batch = 50;

/** Reads contents on both sides and compares them by size and digest. Only one content is in memory at a time. */
export async function weighFiles(
  inspection: Inspection,
  jobs: Iterator<FileJob>,
  found: (link: LinkId, findings: Findings) => void,
): Promise<void> {
  for (let part = next(jobs); part.length > 0; part = next(jobs)) {
    const copies = await compareStored(inspection, part);
    for (const job of part) {
      const input = await planInputOf(inspection, job.file, copies.get(job.file.path ?? ''));
      found(job.link, joinedFindings([compareContents(input)]));
      tellProgress(inspection, 'files', 1);
    }
  }
}

function next(jobs: Iterator<FileJob>): readonly FileJob[] {
  const part: FileJob[] = [];
  while (part.length < batch) {
    const { done, value } = jobs.next();
    if (done) break;
    part.push(value);
  }
  return part;
}

async function compareStored(inspection: Inspection, jobs: readonly FileJob[]): Promise<ReadonlyMap<string, Weighed>> {
  const attachmentStore: AttachmentStore | null = inspection.context.files?.attachmentStore ?? null;
  const inAttachmentStore = jobs.filter(({ file }) => file.origin === 'tracker');
  const paths = inAttachmentStore.flatMap(({ file: { path } }) => (path === null ? [] : [path]));
  const weighed = new Map<string, Weighed>();
  if (attachmentStore === null || paths.length === 0) return weighed;
  const show = (path: string, bytes: Uint8Array | null) =>
    weighed.set(path, bytes === null ? absent('nothing is there') : weightOf(bytes));
  const outcome = await withBackoff(inspection, 'github', () => attachmentStore.read(paths, show));
  if (outcome.kind !== 'applied')
    for (const path of paths) if (!weighed.has(path)) weighed.set(path, absent(whyOf(outcome)));
  return weighed;
}

async function planInputOf(inspection: Inspection, file: KnownFile, copy: Weighed | undefined): Promise<SeenFiles> {
  const { files } = inspection.context;
  if (files === null || (file.state === 'withdrawn' && file.origin === 'tracker')) {
    return { file, tracker: absent('it is not public'), github: copy ?? absent('nothing is there') };
  }
  const id = file.origin === 'tracker' ? Number(file.source) : (file.copy ?? 0);
  const tracker = weighedOf(await withBackoff(inspection, 'tracker', () => files.attachmentClient.content(id)));
  if (file.origin === 'tracker') return { file, tracker, github: copy ?? absent('nothing is there') };
  const linked = await withBackoff(inspection, 'github', () =>
    files.linked.fetch(file.url, inspection.context.route.attachments?.bytesMax ?? 0),
  );
  return { file, tracker, github: linked.kind === 'applied' ? weightOf(linked.item.bytes) : absent(whyOf(linked)) };
}

/** A side that asks for a backoff is asked again afterwards, a few times. */
export async function withBackoff<T>(
  inspection: Inspection,
  side: 'tracker' | 'github',
  ask: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let outcome = await reading(inspection, side, 'files', ask);
  for (let attempt = 1; outcome.kind === 'later' && attempt < 5; attempt += 1) {
    await waitFor(inspection, waitAfter(inspection, { side, at: outcome.at, why: outcome.why }, attempt));
    outcome = await reading(inspection, side, 'files', ask);
  }
  return outcome;
}

const weighedOf = (outcome: Outcome<Uint8Array>): Weighed =>
  outcome.kind === 'applied' ? weightOf(outcome.item) : absent(whyOf(outcome));
const weightOf = (bytes: Uint8Array): Weighed => ({ kind: 'there', sha256: sha256Of(bytes), size: bytes.length });
const absent = (why: string): Weighed => ({ kind: 'not there', why });
export const whyOf = (outcome: Exclude<Outcome<unknown>, { kind: 'applied' }>): string =>
  outcome.kind === 'gone' ? outcome.gone.why : outcome.why;

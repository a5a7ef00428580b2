import type { Context, Performed, RouteState } from '../../../kernel/context.ts';
import { keepFile, markSent } from '../../../kernel/outbox.ts';
import type { Attachment, AttachmentLink, FilePorts, LinkedFile } from '../../../model/attachment.ts';
import type { Link } from '../../../model/link.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { FileOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { attachmentAfter } from '../../../rules/attachments/life.ts';
import { taggedSummary } from '../../../rules/attachments/linked.ts';
import { safeName } from '../../../rules/attachments/path.ts';
import { recordDone } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { applied, type OperationHandler, wordless } from './handler.ts';

/**
 * Copies for GitHub are stored and removed before everything else (`change-attachment-store.ts`); only an attachment of
 * a bug is performed in its turn.
 */
export const file: OperationHandler<'file'> = {
  perform: performAttach,
  // Writes to the attachment store may be repeated: the store reads before it writes.
  hasArrived: ({ store }, _link, { act, attachmentLink }) =>
    act === 'attach' && store.attachmentLinks.byId(attachmentLink)?.copy !== null,
  printed: wordless,
};

/** Attaches a file from an issue to its bug, once. A file that cannot be downloaded, or is too large, stays a link. */
async function performAttach(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: FileOperation,
): Promise<Performed> {
  const { store, files, route } = context;
  const attachmentLink = store.attachmentLinks.byId(operation.attachmentLink);
  if (
    files === null ||
    attachmentLink === null ||
    attachmentLink.copy !== null ||
    attachmentLink.state !== 'pending' ||
    link.bug === null
  ) {
    store.outbox.remove(operation.key);
    return { result: { kind: 'already', why: null }, isBlocking: false, wantsPlan: false };
  }
  const bytesMax = Math.min(
    route.attachments?.bytesMax ?? 0,
    (await files.attachmentClient.bytesMax()) ?? Number.MAX_SAFE_INTEGER,
  );
  const fetched = await files.linked.fetch(attachmentLink.url, bytesMax);
  if (fetched.kind === 'refused' || fetched.kind === 'gone' || fetched.kind === 'unauthorized') {
    return leave(context, row, attachmentLink, fetched.kind === 'gone' ? fetched.gone.why : fetched.why);
  }
  // Nothing has been written, so the download may be tried again.
  if (fetched.kind !== 'applied')
    return recordFailure(context, row, { kind: 'later', at: null, wholeSide: false, why: fetched.why });
  markSent(context, row);
  const outcome = await attach(files, link.bug, attachmentLink, fetched.item);
  if (outcome.kind === 'refused') return leave(context, row, attachmentLink, outcome.why);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordAttached(context, operation, link, attachmentLink, outcome.item);
  return applied;
}

function attach(
  { attachmentClient }: FilePorts,
  bug: number,
  { source, url, name }: AttachmentLink,
  file: LinkedFile,
): Promise<Outcome<Attachment>> {
  const called = safeName(name.includes('.') ? name : file.name);
  const isPatch = /\.(?:patch|diff)$/iu.test(called) && file.type.startsWith('text/');
  const comment = `From GitHub: ${url}`;
  return attachmentClient.attach(bug, {
    name: called,
    summary: taggedSummary(called, source),
    type: file.type,
    isPatch,
    comment,
    bytes: file.bytes,
  });
}

function recordAttached(
  context: Context,
  operation: FileOperation,
  link: Link,
  attachmentLink: AttachmentLink,
  made: Attachment,
): void {
  const { id, url, name, type, size } = made;
  const { store } = context;
  store.transaction(() => {
    const attached = attachmentAfter(attachmentLink, { kind: 'copied', copy: { id, url } });
    store.attachmentLinks.save({ ...attached, name, type, size });
    keepFile(context, operation, id);
    recordDone(context, operation, link, { act: 'attach', name, made: url });
  });
}

/** The tracker's text contains the link, so nothing is lost; people learn why there is only a link. */
function leave(
  { store }: RouteState,
  { operation }: OutboxRow,
  attachmentLink: AttachmentLink,
  why: string,
): Performed {
  store.transaction(() => {
    store.attachmentLinks.save(attachmentAfter(attachmentLink, { kind: 'left', reason: why }));
    store.outbox.remove(operation.key);
  });
  return { result: { kind: 'already', why }, isBlocking: false, wantsPlan: true };
}

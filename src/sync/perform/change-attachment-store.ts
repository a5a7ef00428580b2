import { heldUntil } from '../../kernel/backoff.ts';
import type { Context, Result, RouteState } from '../../kernel/context.ts';
import { markSent, tellDone } from '../../kernel/outbox.ts';
import { spare, spareAsync, spareOf, workOn } from '../../kernel/set-aside.ts';
import type { AttachmentLink, AttachmentStore, Removal, StoredFile, Upload } from '../../model/attachment.ts';
import type { Side } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import { type Outcome, SideError } from '../../model/outcome.ts';
import type { FileOperation, Operation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { attachmentAfter, withoutPath } from '../../rules/attachments/life.ts';
import { excerptOf } from '../../rules/attachments/notice.ts';
import { resolveAttachment } from '../observe/mentions.ts';
import { recordDone } from './record.ts';
import { recordFailure } from './record-failure.ts';

/** Files per change of the attachment store. Contents pass one by one, so this limits requests and not memory. */
const batchMax = 50;

/**
 * Carries out the planned changes of the attachment store, many files in one change. What links to a file is planned
 * once it is stored. Returns how many were applied.
 */
export async function changeAttachmentStore(context: Context, operations: readonly Operation[]): Promise<number> {
  let applied = 0;
  const attachmentStore = context.files?.attachmentStore ?? null;
  if (attachmentStore === null) return applied;
  const keys = new Set(operations.map(({ key }) => key));
  const rows = context.store.outbox
    .due(context.route.name, context.clock.now())
    .filter(({ operation }) => keys.has(operation.key));
  const removals = rows.filter(({ operation }) => actOf(operation) === 'withdraw');
  // What was put off before may be the one at which a side asks for a pause, which ends its batch.
  const uploads = rows
    .filter(({ operation }) => actOf(operation) === 'store')
    .sort((one, other) => triesOf(one) - triesOf(other));
  for (const due of [...batches(removals), ...batches(uploads)]) {
    const batch = due.filter((row) => isSent(context, row));
    const [first] = batch;
    if (first === undefined) continue;
    const results =
      actOf(first.operation) === 'withdraw'
        ? await removeFiles(context, attachmentStore, batch)
        : await storeFiles(context, attachmentStore, batch);
    applied += results.filter(({ result }) => result.kind === 'applied').length;
    const refusal = results.find(({ result }) => result.kind === 'unauthorized');
    if (refusal !== undefined)
      throw new SideError('unauthorized', refusal.result.why ?? 'our credentials were refused', { side: refusal.side });
  }
  return applied;
}

const triesOf = ({ attempts, why }: OutboxRow): number => attempts + (why === null ? 0 : 1);

/** Whether it leaves now, which is noted first. Its whole side may wait. */
function isSent(context: Context, row: OutboxRow): boolean {
  const link = context.store.links.byId(row.operation.link);
  const send = (): boolean => {
    if (heldUntil(context, row.operation) !== null) return false;
    markSent(context, row);
    return true;
  };
  return link === null ? send() : spare(context, workOn(context, link, 'write'), send) === true;
}

const actOf = (operation: Operation): FileOperation['act'] | null => (operation.kind === 'file' ? operation.act : null);

function batches(rows: readonly OutboxRow[]): readonly (readonly OutboxRow[])[] {
  return Array.from({ length: Math.ceil(rows.length / batchMax) }, (_, index) =>
    rows.slice(index * batchMax, (index + 1) * batchMax),
  );
}

/** A result, and the side that gave it. */
interface Answer {
  readonly result: Result;
  readonly side: Side;
}

async function storeFiles(
  context: Context,
  attachmentStore: AttachmentStore,
  rows: readonly OutboxRow[],
): Promise<readonly Answer[]> {
  const startedAt = context.clock.now();
  const unread = new Set<unknown>();
  const uploads = rows.flatMap((row) => {
    const upload = spareOf(context, row.operation.link, 'write', (link) => uploadOf(context, link, row.operation));
    if (upload === null) return [];
    const open = async () => {
      const content = await upload.open();
      if (content.kind !== 'applied') unread.add(content);
      return content;
    };
    return [{ row, upload: { ...upload, open } }];
  });
  const outcomes = await attachmentStore.put(uploads.map(({ upload }) => upload));
  const results: Answer[] = [];
  for (const [index, { row }] of uploads.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) {
      // Not tried: the next cycle begins with these.
      const { state, sentAt, attempts, notBeforeAt, why } = row;
      context.store.outbox.mark(row.operation.key, { state, sentAt, attempts, notBeforeAt, why });
      continue;
    }
    if (outcome.kind === 'applied' && outcome.item.isFirst === true)
      context.store.budgets.spend('github', 'create', { at: context.clock.now(), points: 1 });
    const side = unread.has(outcome) ? 'tracker' : 'github';
    results.push(...(await recordSpared(context, row, outcome, { startedAt, side })));
  }
  return results;
}

function uploadOf(context: Context, link: Link, operation: Operation): Upload | null {
  const { store, files, anonymousReader } = context;
  if (operation.kind !== 'file' || operation.act !== 'store') return null;
  const attachmentLink = store.attachmentLinks.byId(operation.attachmentLink);
  return {
    path: operation.path,
    type: attachmentLink?.type ?? '',
    async open() {
      // It may have been hidden since the plan was made.
      if (files === null || attachmentLink?.state !== 'pending')
        return { kind: 'refused', why: 'the attachment is no longer to be carried over' };
      const reader = anonymousReader ?? files.attachmentClient;
      const read = () => reader.content(Number(attachmentLink.source));
      const content = await spareAsync(context, workOn(context, link, 'write'), read);
      return content ?? { kind: 'refused', why: 'it could not be read' };
    },
  };
}

async function removeFiles(
  context: Context,
  attachmentStore: AttachmentStore,
  rows: readonly OutboxRow[],
): Promise<readonly Answer[]> {
  const startedAt = context.clock.now();
  const paths = rows.flatMap(({ operation }) =>
    operation.kind === 'file' && operation.act === 'withdraw' ? [operation.path] : [],
  );
  const outcome = await attachmentStore.remove(paths);
  const results: Answer[] = [];
  for (const row of rows) results.push(...(await recordSpared(context, row, outcome, { startedAt, side: 'github' })));
  return results;
}

/** What cannot be recorded costs its own bug, and stays in doubt until it is settled. */
async function recordSpared(...given: Parameters<typeof recordOutcome>): Promise<readonly Answer[]> {
  const [context, { operation }] = given;
  const link = context.store.links.byId(operation.link);
  if (link === null) return [await recordOutcome(...given)];
  const result = await spareAsync(context, workOn(context, link, 'write'), () => recordOutcome(...given));
  return result === null ? [] : [result];
}

async function recordOutcome(
  context: Context,
  row: OutboxRow,
  outcome: Outcome<StoredFile | Removal>,
  { startedAt, side }: { readonly startedAt: number; readonly side: Side },
): Promise<Answer> {
  if (outcome.kind === 'applied') recordStored(context, row, outcome.item);
  // The attachment's content is gone, not the issue: the next reading of the bug says more.
  const failed = outcome.kind === 'gone' ? { kind: 'refused' as const, why: outcome.gone.why } : outcome;
  const result =
    failed.kind === 'applied'
      ? ({ kind: 'applied', why: leftOf(failed.item) } as const)
      : (await recordFailure(context, row, failed, side)).result;
  if (result.kind === 'parked') keepReason(context, row);
  tellDone(context, row, result, context.clock.now() - startedAt);
  return { result, side };
}

/** The places where the content of a removed file can still be found, for people. */
const leftOf = (done: StoredFile | Removal): string | null => ('left' in done ? done.left : null);

/** The file is stored, or removed; the texts about it are planned next. */
function recordStored(context: Context, { operation }: OutboxRow, done: StoredFile | Removal): void {
  const { store } = context;
  if (operation.kind !== 'file') return;
  store.transaction(() => {
    const attachmentLink = store.attachmentLinks.byId(operation.attachmentLink);
    if (attachmentLink !== null)
      store.attachmentLinks.save('left' in done ? withoutPath(attachmentLink) : withCopy(attachmentLink, done));
    if (attachmentLink !== null) resolveAttachment(context, Number(attachmentLink.source));
    const link = store.links.byId(operation.link) ?? { id: operation.link, bug: null, issue: null };
    const detail =
      'left' in done
        ? { act: 'withdraw', left: done.left }
        : { act: 'store', name: operation.name, made: done.url, sha256: done.sha256 };
    recordDone(context, operation, link, detail);
  });
}

function withCopy(attachmentLink: AttachmentLink, stored: StoredFile): AttachmentLink {
  const { url, sha256 } = stored;
  return attachmentAfter(attachmentLink, {
    kind: 'copied',
    copy: { url, sha256, excerpt: excerptOf(attachmentLink, stored) },
  });
}

/** Comments do not wait for a parked file: they link to the original. */
function keepReason({ store }: RouteState, { operation }: OutboxRow): void {
  const attachmentLink =
    operation.kind === 'file' && operation.act === 'store'
      ? store.attachmentLinks.byId(operation.attachmentLink)
      : null;
  if (attachmentLink?.state === 'pending')
    store.attachmentLinks.save(
      attachmentAfter(attachmentLink, { kind: 'refused', reason: 'it could not be carried over' }),
    );
}

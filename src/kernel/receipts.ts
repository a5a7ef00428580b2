import type { LinkId } from '../model/ids.ts';
import type { Comment, Fields } from '../model/item.ts';
import type { CommentLink, Link } from '../model/link.ts';
import type { CommentOperation, FileOperation, PointOperation } from '../model/operation.ts';
import type { Receipt, ReportedComment } from '../model/receipt.ts';
import type { Context } from './context.ts';
import { graceMs } from './pause.ts';
import { isSettled, noReceipt, reportedFields } from './receipt-verdict.ts';

/** Call everything here in the transaction that stores the answer, or the read. */
type Keeper = Pick<Context, 'store' | 'clock'>;

/** Keeps the answer to an update. `after` holds the bug as answered, `before` as it was seen. */
export function keepFields(
  { store, clock }: Keeper,
  { key, target }: { readonly key: string; readonly target: Fields },
  [before, after]: readonly [Link, Link],
  [shown, answered]: readonly [Fields, Fields],
): void {
  const known = receiptOf(store, before.id);
  const reported = { key, at: after.tracker?.changedAt ?? 0, asked: target, shown, answered, base: before.base };
  const fields = reportedFields(known.fields, reported);
  if (fields.length > 0) store.receipts.save({ ...known, answeredAt: clock.now(), isRead: false, fields });
}

/** Keeps the answer that the bug names its issue. */
export function keepPointer({ store, clock }: Keeper, { key, link }: PointOperation, at: number): void {
  store.receipts.save({ ...receiptOf(store, link), answeredAt: clock.now(), isRead: false, pointer: { key, at } });
}

/** Keeps the answer to a new comment. The comment link is as it was before; null for a comment that names the issue. */
export function keepComment(
  { store, clock }: Keeper,
  operation: CommentOperation | PointOperation,
  commentLink: CommentLink | null,
  { id, createdAt }: Comment,
): void {
  const known = receiptOf(store, operation.link);
  const { key } = operation;
  const place = { key, at: createdAt, id, answeredAt: clock.now(), looks: 0, commentLink: commentLink?.id ?? null };
  store.receipts.save({ ...known, comments: [...known.comments, { ...place, ...saidBy(operation, commentLink) }] });
}

function saidBy(
  operation: CommentOperation | PointOperation,
  commentLink: CommentLink | null,
): Pick<ReportedComment, 'tells' | 'part' | 'digest' | 'was'> {
  if (operation.kind === 'point' || commentLink === null) return { tells: 'pointer', part: 1, digest: '', was: null };
  const { tells, part, digest } = operation;
  const { mirrored, parts, before, copy } = commentLink;
  const said = copy === null ? {} : { digest: copy.digest, isEdited: copy.isEdited };
  return { tells, part, digest, was: tells === 'copy' ? null : { mirrored, parts, before, copy: said } };
}

/** Keeps the answer to a new attachment. */
export function keepFile({ store, clock }: Keeper, operation: FileOperation, id: number): void {
  const known = receiptOf(store, operation.link);
  const { key, attachmentLink } = operation;
  store.receipts.save({ ...known, files: [...known.files, { key, at: 0, id, answeredAt: clock.now(), attachmentLink }] });
}

/** The bug was read, so its known state is no longer only the tracker's answer to us. */
export function markRead({ store }: Keeper, link: LinkId): void {
  const known = store.receipts.get(link);
  if (known !== null && !known.isRead) store.receipts.save({ ...known, isRead: true });
}

/** These comments of a bug were seen. */
export function seeComments({ store }: Keeper, link: LinkId, ids: ReadonlySet<number>): void {
  const known = store.receipts.get(link);
  if (known === null) return;
  const seen = known.comments.filter(({ id }) => ids.has(id));
  if (seen.length > 0) saveReceipt(store, without(known, seen));
}

/** These files of a bug were seen. */
export function seeFiles({ store }: Keeper, link: LinkId, ids: ReadonlySet<number>): void {
  const known = store.receipts.get(link);
  if (known === null) return;
  const seen = known.files.filter(({ id }) => ids.has(id));
  if (seen.length > 0) saveReceipt(store, without(known, seen));
}

/** Removes writes that turned out to be stored, together with their counts of lost tries. */
function without(known: Receipt, seen: readonly { readonly key: string; readonly id: number }[]): Receipt {
  const left = <T extends { readonly key: string; readonly id: number }>(list: readonly T[]): readonly T[] =>
    list.filter(({ key, id }) => !seen.some((each) => each.key === key && each.id === id));
  return withoutVain(
    { ...known, comments: left(known.comments), files: left(known.files) },
    seen.map(({ key }) => key),
  );
}

export function withoutVain(known: Receipt, keys: readonly string[]): Receipt {
  return { ...known, vain: Object.fromEntries(Object.entries(known.vain).filter(([key]) => !keys.includes(key))) };
}

/** Counts one more lost try. */
export const inVain = (known: Receipt, key: string): Receipt => ({ ...known, vain: { ...known.vain, [key]: (known.vain[key] ?? 0) + 1 } });

export function saveReceipt(store: Context['store'], receipt: Receipt): void {
  if (isSettled(receipt) && Object.keys(receipt.vain).length === 0) store.receipts.remove(receipt.link);
  else store.receipts.save(receipt);
}

export const receiptOf = (store: Context['store'], link: LinkId): Receipt => store.receipts.get(link) ?? noReceipt(link);

/** When the reported writes are next looked for; null when there are none. */
export function nextLookAt({ answeredAt, fields, pointer, comments, files }: Receipt, settleMs: number): number | null {
  const times = [
    ...(fields.length === 0 && pointer === null ? [] : [answeredAt + settleMs]),
    ...comments.map((reported) => dueAt(reported, settleMs)),
    ...files.map((reported) => reported.answeredAt + settleMs),
  ];
  return times.length === 0 ? null : Math.min(...times);
}

/** A comment is looked for twice, as threads may come from a lagging database. */
export const dueAt = ({ answeredAt, looks }: ReportedComment, settleMs: number): number =>
  answeredAt + settleMs + (looks === 0 ? 0 : graceMs);

/**
 * What is stored about writes: that a request is about to leave, what failed, and, in receipts, what the tracker said
 * it stored until a reading shows it.
 */

import type { LinkId } from '../model/ids.ts';
import type { Comment, Fields } from '../model/item.ts';
import type { CommentLink, Link } from '../model/link.ts';
import { type Failed, SideError } from '../model/outcome.ts';
import type { CommentOperation, FileOperation, Operation, PointOperation } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { ShownPull } from '../model/pulls/pull.ts';
import type { Receipt, ReportedComment, ReportedFile, ReportedPull } from '../model/receipt.ts';
import type { LedgerLine, Refused } from '../model/store.ts';
import type { Refusal } from '../rules/limits/brake-and-budget.ts';
import { reportedFields } from '../rules/limits/receipt-verdict.ts';
import { costOf } from '../rules/operations/operations.ts';
import { graceMs } from './backoff.ts';
import type { Context, Performed, Result } from './context.ts';

/**
 * Stores that a request is about to leave, and its cost, so that after a crash its outcome is looked for and the budget
 * still holds.
 */
export function markSent(context: Context, row: OutboxRow): void {
  const { store, clock } = context;
  const now = clock.now();
  store.transaction(() => {
    store.outbox.mark(row.operation.key, {
      state: 'sent',
      sentAt: now,
      attempts: row.attempts + 1,
      notBeforeAt: null,
      why: null,
    });
    store.budgets.spend(row.operation.on, costOf(row.operation), { at: now, points: 1 });
  });
}

/** Removes an operation that is no longer needed: its effect is already there, or its link is no longer written. */
export function dropOperation(context: Context, operation: Operation): Performed {
  context.store.outbox.remove(operation.key);
  return { result: { kind: 'already', why: null }, isBlocking: false, wantsPlan: false };
}

/** Emits the result of an operation. */
export function tellDone(context: Context, { operation, attempts }: OutboxRow, result: Result, ms: number): void {
  context.tell({ kind: 'done', route: context.route.name, operation, result, ms, attempt: attempts + 1 });
}

/** Emits and stores a refusal by the brake, for `status`; with null, deletes the stored one. */
export function rememberRefusal(
  { store, route, clock, tell }: Context,
  of: Refused['of'],
  refusal: Refusal | null,
): void {
  if (refusal === null) {
    store.refusals.remove(route.name, of);
    return;
  }
  store.refusals.save(route.name, { of, at: clock.now(), why: refusal.why });
  tell({ kind: 'refused', route: route.name, refusal });
}

type Failing = Pick<Context, 'store' | 'clock'> & { readonly name: string };

/**
 * Stores a failure of a route, for `status`, until the same work succeeds. The first refusal makes the next greeting
 * ask everything again; while it goes on, that would say the same each time, and cost the other routes theirs.
 */
export function keepFailure({ name, store, clock }: Failing, of: 'cycle' | 'sweep', error: unknown): void {
  const failed = whatFailed(error, store.troubleIn(error));
  const isNews = store.failures.ofRoute(name).every((each) => each.of === 'clock' || each.kind !== failed.kind);
  store.failures.save(name, { of, at: clock.now(), ...failed });
  if (isNews && (failed.kind === 'unauthorized' || failed.kind === 'refused')) store.greetings.clear();
}

/** @param trouble the trouble with the state, if that is the cause */
function whatFailed(error: unknown, trouble: string | null): Pick<Failed, 'kind' | 'side' | 'why'> {
  if (error instanceof SideError) return { kind: error.kind, side: error.side, why: error.message };
  if (trouble !== null) return { kind: 'state', side: null, why: trouble };
  return { kind: 'fault', side: null, why: error instanceof Error ? error.message : String(error) };
}

/** A link's id and the numbers of its two ends. */
export type Ends = Pick<Link, 'id' | 'bug' | 'issue'>;

/** A ledger line about a link, as of now, and about our own state: for a write, the caller sets `on` to its side. */
export function lineOf(
  { route, clock }: Pick<Context, 'route' | 'clock'>,
  { id: link, bug, issue }: Ends,
  kind: LedgerLine['kind'],
  detail: LedgerLine['detail'],
): LedgerLine {
  return { at: clock.now(), route: route.name, link, bug, issue, on: null, kind, outcome: 'noted', detail };
}

/**
 * Digests of the texts that were sent for copies of this link without an answer, and that no read showed in time: one
 * may show up later, and is ours then.
 */
export const textsInDoubt = ({ store }: Pick<Context, 'store'>, id: LinkId): readonly string[] =>
  store.ledger
    .ofLink(id)
    .flatMap(({ kind, detail }) => (kind === 'settle' && typeof detail['wrote'] === 'string' ? [detail['wrote']] : []));

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
export function keepPointer(
  { store, clock }: Keeper,
  { key, link }: Pick<Operation, 'key' | 'link'>,
  at: number,
): void {
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
  store.receipts.save({
    ...known,
    files: [...known.files, { key, at: 0, id, answeredAt: clock.now(), attachmentLink }],
  });
}

/**
 * Keeps the answer that a bug was told something of a pull request or of a push.
 * @param said the comment, or when it was sent if it went with another write
 */
export function keepNews(
  { store, clock }: Keeper,
  { key, link }: NewsOperation,
  remark: string,
  said: Comment | number,
): void {
  const known = receiptOf(store, link);
  const place = typeof said === 'number' ? { id: null, at: said } : { id: said.id, at: said.createdAt };
  const news = { ...place, key, remark, answeredAt: clock.now(), looks: 0, tells: 'news', ...noSource } as const;
  store.receipts.save({ ...known, comments: [...known.comments, news] });
}

type NewsOperation = Pick<Operation<'pull' | 'push'>, 'key' | 'link'>;

const noSource = { commentLink: null, part: 1, digest: '', was: null } as const;

/**
 * Keeps the answer to a change of an attachment. What it showed before an earlier change that was not seen so far
 * counts, too.
 */
export function keepPull(
  { store, clock }: Keeper,
  { key, link, pull }: Operation<'pull'>,
  {
    attachment,
    was,
    expected,
  }: { readonly attachment: number; readonly was: ShownPull | null; readonly expected: ShownPull },
): void {
  const known = receiptOf(store, link);
  const [earlier, others] = [
    known.pulls.find((each) => each.pull === pull),
    known.pulls.filter((each) => each.pull !== pull),
  ];
  const replaced = [...(earlier?.replaced ?? []), ...(was === null ? [] : [was])];
  const changed = { key, at: 0, answeredAt: clock.now(), pull, attachment, expected, replaced };
  store.receipts.save({ ...known, pulls: [...others, changed] });
}

/** The bug was read, so its known state is no longer only the tracker's answer to us. */
export function markRead({ store }: Keeper, link: LinkId): void {
  const known = store.receipts.get(link);
  if (known !== null && !known.isRead) store.receipts.save({ ...known, isRead: true });
}

/** Those comments of a bug were seen that this accepts. */
export function seeComments({ store }: Keeper, link: LinkId, isSeen: (reported: ReportedComment) => boolean): void {
  const known = store.receipts.get(link);
  const seen = known?.comments.filter(isSeen) ?? [];
  if (known !== null && seen.length > 0) saveReceipt(store, without(known, seen));
}

/** These files of a bug were seen. */
export function seeFiles({ store }: Keeper, link: LinkId, ids: ReadonlySet<number>): void {
  const known = store.receipts.get(link);
  if (known === null) return;
  const seen = known.files.filter(({ id }) => ids.has(id));
  if (seen.length > 0) saveReceipt(store, without(known, seen));
}

/** Removes writes that turned out to be stored, together with their counts of lost tries. */
function without(known: Receipt, seen: readonly (ReportedComment | ReportedFile)[]): Receipt {
  const left = <T extends (typeof seen)[number]>(list: readonly T[]): readonly T[] =>
    list.filter((each) => !seen.includes(each));
  return withoutVain(
    { ...known, comments: left(known.comments), files: left(known.files) },
    seen.map(({ key }) => key),
  );
}

export function withoutVain(known: Receipt, keys: readonly string[]): Receipt {
  return { ...known, vain: Object.fromEntries(Object.entries(known.vain).filter(([key]) => !keys.includes(key))) };
}

/** Counts one more lost try. */
export const inVain = (known: Receipt, key: string): Receipt => ({
  ...known,
  vain: { ...known.vain, [key]: (known.vain[key] ?? 0) + 1 },
});

export function saveReceipt(store: Context['store'], receipt: Receipt): void {
  if (isSettled(receipt) && Object.keys(receipt.vain).length === 0) store.receipts.remove(receipt.link);
  else store.receipts.save(receipt);
}

export const receiptOf = (store: Context['store'], link: LinkId): Receipt =>
  store.receipts.get(link) ?? noReceipt(link);

/** When the reported writes are next looked for; null when there are none. */
export function nextLookAt(
  { answeredAt, fields, pointer, comments, files, pulls }: Receipt,
  settleMs: number,
): number | null {
  const times = [
    ...(fields.length === 0 && pointer === null ? [] : [answeredAt + settleMs]),
    ...comments.map((reported) => dueAt(reported, settleMs)),
    ...[...files, ...pulls].map((reported) => reported.answeredAt + settleMs),
  ];
  return times.length === 0 ? null : Math.min(...times);
}

/** A comment is looked for twice, as threads may come from a lagging database. */
export const dueAt = ({ answeredAt, looks }: ReportedComment, settleMs: number): number =>
  answeredAt + settleMs + (looks === 0 ? 0 : graceMs);

/**
 * The changes of attachments that are to show by now: attachments are listed by the database that the tracker writes
 * to, so one look is enough.
 */
export const duePulls = (
  { store, clock, limits }: Keeper & Pick<Context, 'limits'>,
  link: LinkId,
): readonly ReportedPull[] =>
  receiptOf(store, link).pulls.filter(({ answeredAt }) => answeredAt + limits.settleMs <= clock.now());

const noReceipt = (link: LinkId): Receipt => ({
  link,
  answeredAt: 0,
  isRead: false,
  fields: [],
  pointer: null,
  comments: [],
  files: [],
  pulls: [],
  vain: {},
});

/** Whether the receipt holds no write that still has to be seen. */
export const isSettled = ({ fields, pointer, comments, files, pulls }: Receipt): boolean =>
  fields.length + comments.length + files.length + pulls.length === 0 && pointer === null;

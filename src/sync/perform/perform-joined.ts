import { graceMs, keepBackoff, sinceBefore } from '../../kernel/backoff.ts';
import type { Context, Performed, RouteState } from '../../kernel/context.ts';
import { markSent, receiptOf } from '../../kernel/outbox.ts';
import type { Comment, Item } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { type NotApplied, type Outcome, SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import type { CommentOperation, UpdateOperation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { render } from '../../rules/comments/render.ts';
import { textInputOf } from '../observe/select.ts';
import { fixedBy } from './fixed-by.ts';
import { wordsOf } from './operations/comment.ts';
import { isClosing } from './operations/update.ts';
import { recordUpdate } from './record.ts';
import { recordComment } from './record-comment.ts';
import { recordFailure } from './record-failure.ts';
import { onlyRequest } from './update-requests.ts';

/** A comment and an update that may go into one request. */
interface Pair {
  readonly link: Link;
  readonly rows: readonly [comment: OutboxRow, update: OutboxRow];
  readonly comment: CommentOperation;
  readonly update: UpdateOperation;
}

type Results = readonly (readonly [OutboxRow, Performed])[];

/**
 * Writes a comment and the change of fields that follows it in one request, so that both are one e-mail. Null if they
 * go one by one: then nothing was written, and a refusal of one of them does not hold up the other. The tracker does
 * both or neither, so after a crash each of them is in doubt, and is settled by what the bug shows of it.
 */
export async function performJoined(context: Context, first: OutboxRow, second: OutboxRow): Promise<Results | null> {
  const [comment, update] = [first.operation, second.operation];
  const link = context.store.links.byId(comment.link);
  if (comment.kind !== 'comment' || update.kind !== 'update' || link?.state !== 'live') return null;
  const pair: Pair = { link, rows: [first, second], comment, update };
  // What did not succeed at once goes alone, so that what is wrong with one of them shows.
  if (pair.rows.some((row) => hasFailed(context, row))) return null;
  const words = await wordsOf(context, first, link, comment);
  if (!('text' in words)) return [[first, words]];
  if (!(await mayJoin(context, pair, words.isMarkdown))) return null;
  const request = onlyRequest(context, link, update, {
    comment: words.text,
    ...(words.isMarkdown ? { isMarkdown: true } : {}),
  });
  if (request === null) return null;
  const sentAt = context.clock.now();
  context.store.transaction(() => {
    for (const row of pair.rows) markSent(context, row);
  });
  const outcome = await request(link);
  if (outcome.kind !== 'applied') return notApplied(context, pair, outcome);
  recordFields(context, pair, outcome);
  const shown = await shownOn(context, link, words.text, sentAt);
  if (shown !== null) recordComment(context, { ...comment, text: words.text }, shown);
  return [
    [
      first,
      shown === null ? { result: { kind: 'doubt', why: notShown }, isBlocking: true, wantsPlan: false } : answered,
    ],
    [second, answered],
  ];
}

/**
 * Whether both will go into one request, as far as that can be known before anything is written: a plan counts the
 * e-mails. It costs what writing them costs, a question to GitHub if the bug is closed.
 */
export async function willJoin(context: Context, first: OutboxRow, second: OutboxRow): Promise<boolean> {
  const [comment, update] = [first.operation, second.operation];
  const link = context.store.links.byId(comment.link);
  if (comment.kind !== 'comment' || update.kind !== 'update' || link === null) return false;
  const rows = [first, second] as const;
  if (rows.some((row) => hasFailed(context, row))) return false;
  const commentLink = context.store.commentLinks.byId(comment.commentLink);
  const rendering = commentLink && render(context.route, textInputOf(context, link, commentLink), comment);
  const isMarkdown = rendering?.kind === 'text' && rendering.isMarkdown;
  return mayJoin(context, { link, rows, comment, update }, isMarkdown);
}

const hasFailed = ({ store }: RouteState, { attempts, operation: { link, key } }: OutboxRow): boolean =>
  attempts > 0 || (receiptOf(store, link).vain[key] ?? 0) > 0;

/** Within such a request, a tracker that reads all texts as Markdown has no way to say that this one is plain. */
async function mayJoin(context: Context, { link, rows, update }: Pair, isMarkdown: boolean): Promise<boolean> {
  if (!isMarkdown && context.session.vocabulary.readsAllMarkdown === true) return false;
  // The closing has a comment of its own.
  return !isClosing(update) || (await fixedBy(context, rows[1], link)) === null;
}

/**
 * After a refusal, both are tried alone. If nothing was written for another reason, the comment waits as it was
 * planned.
 */
async function notApplied(
  context: Context,
  { rows: [first, second] }: Pair,
  outcome: NotApplied,
): Promise<Results | null> {
  const { store } = context;
  if (outcome.kind === 'unknown') {
    store.outbox.mark(first.operation.key, { why: outcome.why });
    const performed = await recordFailure(context, second, outcome);
    return [first, second].map((row) => [row, performed]);
  }
  store.transaction(() => {
    for (const { operation, attempts } of [first, second])
      store.outbox.mark(operation.key, { state: 'planned', sentAt: null, attempts });
  });
  if (outcome.kind === 'refused') return null;
  return [[second, { ...(await recordFailure(context, second, outcome)), wantsPlan: true }]];
}

const notShown = 'the thread on the tracker lacks it so far';

/**
 * The answer says only that the fields are stored, and that is kept at once: should the process die while the thread is
 * read, an old version of the bug in a list that lags must not pass for an edit by people. Whether the comment is
 * stored shows in its thread, which may come from a lagging database, too; until then it is in doubt, as after a lost
 * answer.
 */
function recordFields(
  context: Context,
  { comment, update }: Pair,
  outcome: Extract<Outcome<Item>, { readonly kind: 'applied' }>,
): void {
  const { store, clock, limits } = context;
  store.transaction(() => {
    recordUpdate(context, update, outcome);
    store.outbox.remove(update.key);
    store.outbox.mark(comment.key, { why: notShown, notBeforeAt: clock.now() + limits.settleMs + graceMs });
  });
}

/**
 * The answer to the request does not name its comment, so the thread is read. The first line tells it from all others;
 * below that, a tracker may spell some characters its own way.
 */
async function shownOn(context: Context, { id, bug }: Link, text: string, sentAt: number): Promise<Comment | null> {
  const { store, session, tracker, route } = context;
  if (bug === null) return null;
  const known = new Set(
    store.commentLinks
      .ofLink(id)
      .flatMap(({ origin, source, copy }) => (origin === 'tracker' ? source : (copy?.id ?? []))),
  );
  const isOurs = ({ id: number, author, text: shown }: Comment): boolean =>
    !known.has(number) &&
    (session.own.tracker === null || isBy(author, session.own.tracker)) &&
    firstLine(shown) === firstLine(text);
  try {
    const threads = await tracker.threads([{ ref: bug, sinceAt: sinceBefore(sentAt) }]);
    return threads.flatMap(({ comments }) => comments).findLast(isOurs) ?? null;
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
    keepBackoff({ ...context, name: route.name }, failure);
    return null;
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.trimEnd() ?? '';

/** The server showed the whole bug: changes by others are known now, and no poll will bring them as news. */
const answered: Performed = { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: true };

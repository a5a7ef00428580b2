import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, keepNews, keepPull, markSent } from '../../../kernel/outbox.ts';
import type { Bug } from '../../../model/item.ts';
import type { Link } from '../../../model/link.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Operation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import type { LinkPull, ToldPull } from '../../../model/pulls/pull.ts';
import { pullText } from '../../../rules/comments/compose.ts';
import { isRemarked } from '../../../rules/labels/wrong-labels.ts';
import { seeAlsoTakes } from '../../../rules/links/match.ts';
import { attachmentOf, isReported, isShown, lookOf } from '../../../rules/links/pulls.ts';
import { pullLine, pullRemark } from '../../../text/marker.ts';
import { addOwn, recordDone, rowStillThere, withOwnPointer } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { answered, type OperationHandler } from './handler.ts';

export const pull: OperationHandler<'pull'> = {
  perform: performPull,
  hasArrived({ store }, link, { pull: wanted, tells }) {
    const known = store.pulls.ofLink(link.id).find(({ number }) => number === wanted);
    if (known === undefined) return true;
    // What an attachment shows may be written again.
    return tells !== null && isRemarked(store.commentLinks.ofLink(link.id), pullRemark(tells, known.url));
  },
  printed: ({ vocabulary }, { pulls = [] }, operation) => ({
    text: pulls
      .filter(({ number }) => number === operation.pull)
      .map((each) => pullText(each, vocabulary.readsAllMarkdown === true))
      .join(''),
  }),
};

/**
 * Tells a bug of a pull request. The first news goes with its attachment, or with its address in See Also, in one write
 * and so in one e-mail.
 */
async function performPull(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: Operation<'pull'>,
): Promise<Performed> {
  const { store } = context;
  const pull = store.pulls.ofLink(link.id).find(({ number }) => number === operation.pull);
  const bug = link.tracker;
  if (bug === null || pull === undefined || !isDue(pull, operation)) return dropOperation(context, operation);
  const attachment = attachmentOf(store.commentLinks.ofLink(link.id), pull);
  if (attachment === null && operation.tells === null) return dropOperation(context, operation);
  markSent(context, row);
  const sentAt = context.clock.now();
  const {
    outcome,
    shown,
    changed = null,
  } = attachment === null
    ? await tell(context, link.id, bug, pull)
    : await tellBeside(context, attachment, bug, pull, operation);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordPull(context, operation, pull, { item: outcome.item, shown, changed, sentAt });
  return answered;
}

const isDue = (pull: LinkPull, { tells }: Operation<'pull'>): boolean =>
  tells === null ? !isShown(pull) : pull.state === tells && !pull.told.includes(tells);

/** What became of a request. */
interface Told extends Pick<ToldPull, 'shown'>, Partial<Pick<ToldPull, 'changed'>> {
  readonly outcome: Outcome<ToldPull['item']>;
}

async function tell({ tracker, session, store }: Context, id: Link['id'], bug: Bug, pull: LinkPull): Promise<Told> {
  const { number, url } = pull;
  const text = pullText(pull, session.vocabulary.readsAllMarkdown === true);
  // One that was opened and merged between two polls is told of once, and stands at the bug all the same.
  const isFirst = !isReported(store.commentLinks.ofLink(id), pull, 'open');
  if (isFirst) {
    const shown = lookOf(pull);
    const attached = await tracker.attachPull(bug.id, { number, url, title: shown.title, text: pullLine(pull, '.') });
    if (attached.kind !== 'refused') return { outcome: attached, shown };
  }
  const isNamed = !isFirst || !seeAlsoTakes(url) || bug.seeAlso.includes(url);
  if (isNamed) return { outcome: await tracker.comment(bug.id, text), shown: null };
  const named = await tracker.update(bug, { seeAlso: url, comment: text });
  // An account that may not edit the bug, or a tracker that rejects such URLs, still takes a comment.
  return { outcome: named.kind === 'refused' ? await tracker.comment(bug.id, text) : named, shown: null };
}

/**
 * The attachment follows, and the news goes with it. If our account may not change it, it stays as it is, and the news
 * is a comment.
 */
async function tellBeside(
  { tracker, session }: Context,
  attachment: number,
  bug: Bug,
  pull: LinkPull,
  { tells }: Operation<'pull'>,
): Promise<Told> {
  const shown = lookOf(pull);
  const text = tells === null ? null : pullText(pull, session.vocabulary.readsAllMarkdown === true);
  const outcome = await tracker.changePull(attachment, shown, tells === null ? null : pullLine(pull, '.'));
  if (outcome.kind !== 'refused') return { outcome, shown, changed: attachment };
  return { outcome: text === null ? { kind: 'applied', item: null } : await tracker.comment(bug.id, text), shown };
}

/**
 * Records that a bug was told of a pull request. A comment that came with a change of the bug, or with an attachment,
 * is read with the thread.
 */
function recordPull(
  context: Context,
  operation: Operation<'pull'>,
  pull: LinkPull,
  { item, shown, changed, sentAt }: ToldPull,
): void {
  const { store } = context;
  store.transaction(() => {
    const link = rowStillThere(store.links.byId(operation.link));
    const { tells } = operation;
    const seen = item !== null && 'kind' in item ? withOwnPointer(link, item) : link;
    store.links.save(seen);
    const comment = item !== null && !('kind' in item) ? item : null;
    if (tells !== null) {
      const remark = pullRemark(tells, pull.url);
      if (comment !== null) addOwn(context, link, 'tracker', comment, remark);
      keepNews(context, operation, remark, comment ?? sentAt);
    } else if (changed !== null && shown !== null)
      keepPull(context, operation, { attachment: changed, was: pull.shown, expected: shown });
    store.pulls.save({ ...pull, shown, told: tells === null ? pull.told : [...pull.told, tells] });
    recordDone(context, operation, seen, { of: pull.url, tells: tells ?? 'changed' });
  });
}

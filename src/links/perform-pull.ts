import { pullText, pushText } from '../comments/compose.ts';
import type { Context, Performed } from '../kernel/context.ts';
import { dropped, markSent } from '../kernel/outbox.ts';
import type { Bug, Comment } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { Operation } from '../model/operation.ts';
import type { Outcome } from '../model/outcome.ts';
import type { LinkPull } from '../model/pulls/pull.ts';
import type { OutboxRow } from '../model/store.ts';
import { seeAlsoTakes } from './match.ts';
import { recordPull, recordPush } from './record.ts';
import { recordFailure } from './record-failure.ts';

/** Tells a bug of a pull request. That it was opened goes with its address in See Also, in one write and so in one e-mail. */
export async function performPull(context: Context, row: OutboxRow, link: Link, operation: Operation<'pull'>): Promise<Performed> {
  const pull = context.store.pulls.ofLink(link.id).find(({ number }) => number === operation.pull);
  const bug = link.tracker;
  if (bug === null || pull === undefined || pull.state !== operation.tells || pull.told.includes(pull.state))
    return dropped(context, operation);
  markSent(context, row);
  const outcome = await tell(context, bug, pull);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordPull(context, operation, pull, outcome.item);
  return { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: true };
}

async function tell({ tracker, session }: Context, bug: Bug, pull: LinkPull): Promise<Outcome<Bug | Comment>> {
  const text = pullText(pull, session.vocabulary.readsAllMarkdown === true);
  const isNamed = pull.state !== 'open' || !seeAlsoTakes(pull.url) || bug.seeAlso.includes(pull.url);
  if (isNamed) return tracker.comment(bug.id, text);
  const outcome = await tracker.update(bug, { seeAlso: pull.url, comment: text });
  // An account that may not edit the bug, or a tracker that rejects such URLs, still takes a comment.
  return outcome.kind === 'refused' ? tracker.comment(bug.id, text) : outcome;
}

/** Tells a bug of the commits of one push that name it. */
export async function performPush(context: Context, row: OutboxRow, link: Link, operation: Operation<'push'>): Promise<Performed> {
  const { store, route, tracker, session } = context;
  const push = store.pushes.ofLink(link.id).find(({ url }) => url === operation.push);
  if (link.bug === null || push === undefined || push.isTold) return dropped(context, operation);
  markSent(context, row);
  const outcome = await tracker.comment(link.bug, pushText(route, push, session.vocabulary.readsAllMarkdown === true));
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordPush(context, operation, push, outcome.item);
  return { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: true };
}

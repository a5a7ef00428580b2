import { canonicalText } from '../core/canonical.ts';
import { digestOf } from '../core/digest.ts';
import { commentNow } from '../core/plan.ts';
import { withTableOf } from '../core/table.ts';
import { bodyDigest } from '../core/thread.ts';
import type { Comment, Issue } from '../model/item.ts';
import { bodyId, type Entry, type Link } from '../model/link.ts';
import type { EraseOperation, FoldOperation, RewriteOperation } from '../model/operation.ts';
import type { Outcome } from '../model/outcome.ts';
import type { OutboxRow } from '../model/store.ts';
import type { Context, Performed } from './context.ts';
import { dropped } from './dropped.ts';
import { intend } from './intend.ts';
import { recordFailure } from './record-failure.ts';
import { recordErase, recordFold, recordRewrite } from './record-renewal.ts';
import { sightsOf } from './select.ts';

/** Puts a copy on GitHub right. What is sent is kept first, so that it is recognised where its answer is lost. */
export async function performRewrite(context: Context, row: OutboxRow, link: Link, operation: RewriteOperation): Promise<Performed> {
  const { store } = context;
  const entry = store.entries.byId(operation.entry);
  if (entry === null || entry.copy === null || entry.state !== 'mirrored' || link.github === null) return dropped(context, operation);
  const [sight] = sightsOf(context, [link]);
  const text = sight === undefined ? operation.text : commentNow(context.route, sight, operation);
  if (text === null) return dropped(context, operation);
  store.transaction(() => {
    intend(context, row);
    store.entries.save({ ...entry, wrote: digestAsSent(entry, text) });
  });
  const outcome = await send(context, link.github, entry, text);
  if (outcome.kind === 'applied') {
    recordRewrite(context, operation, outcome.item);
    return { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: true };
  }
  if (outcome.kind !== 'unknown') store.entries.save(entry);
  return recordFailure(context, row, outcome);
}

const digestAsSent = ({ copy }: Entry, text: string): string => (copy === bodyId ? bodyDigest(text) : digestOf(canonicalText(text)));

/** What people wrote over a moment ago, and no list shows yet, is told from what we wrote; where copies are restored, either goes. */
function send({ github, route }: Context, issue: Issue, entry: Entry, text: string): Promise<Outcome<Comment | Issue>> {
  if (entry.copy === null || entry.copy === bodyId) return github.update(issue, { body: withTableOf(text, issue) });
  const mayReplace = (body: string): boolean => route.copies === 'restore' || digestOf(canonicalText(body)) === entry.copyDigest;
  return github.rewrite(issue.number, entry.copy, text, mayReplace);
}

/** As the tags of its original say. The edge looks before it writes, so that what was in doubt can be asked for again. */
export async function performFold(context: Context, row: OutboxRow, link: Link, operation: FoldOperation): Promise<Performed> {
  const entry = context.store.entries.byId(operation.entry);
  if (entry === null || entry.copy === null || entry.state !== 'mirrored' || link.issue === null) return dropped(context, operation);
  intend(context, row);
  const outcome = await context.github.fold(link.issue, entry.copy, operation.fold);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordFold(context, operation);
  return { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: false };
}

export async function performErase(context: Context, row: OutboxRow, link: Link, operation: EraseOperation): Promise<Performed> {
  const entry = context.store.entries.byId(operation.entry);
  if (entry === null || entry.copy === null || entry.copy === bodyId || link.issue === null) return dropped(context, operation);
  intend(context, row);
  const outcome = await context.github.erase(link.issue, entry.copy);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordErase(context, operation);
  return { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: true };
}

import { canonicalText } from '../core/canonical.ts';
import { digestOf } from '../core/digest.ts';
import { noCopy } from '../core/hide.ts';
import { bodyDigest } from '../core/thread.ts';
import type { Comment, Issue } from '../model/item.ts';
import type { Entry } from '../model/link.ts';
import type { EraseOperation, FoldOperation, RewriteOperation } from '../model/operation.ts';
import type { Context } from './context.ts';
import { recordDone } from './record.ts';

/** The copy says what it was to say. The mark stays until planning has found everything right. */
export function recordRewrite(context: Context, operation: RewriteOperation, item: Comment | Issue): void {
  const { store } = context;
  store.transaction(() => {
    const [entry, link] = [store.entries.byId(operation.entry), store.links.byId(operation.link)];
    if (entry === null || link === null) throw new Error('A copy was forgotten while it was written');
    const isBody = 'kind' in item;
    if (isBody) store.links.save({ ...link, github: item });
    store.entries.save(rewritten(entry, operation, isBody ? bodyDigest(item.body) : digestOf(canonicalText(item.text))));
    recordDone(context, operation, link, { made: item.url, of: entry.url });
  });
}

/** The row of a copy that carries what the operation wrote; `copyDigest` is what the server shows of it. */
export function rewritten(entry: Entry, { digest, parts }: RewriteOperation, copyDigest: string): Entry {
  const carried = entry.part > 1 ? { digest, mirrored: digest, parts } : { mirrored: digest, parts };
  return { ...entry, ...carried, copyDigest, isEdited: false };
}

export function recordFold(context: Context, operation: FoldOperation): void {
  const { store } = context;
  store.transaction(() => {
    const [entry, link] = [store.entries.byId(operation.entry), store.links.byId(operation.link)];
    if (entry === null || link === null) throw new Error('A copy was forgotten while it was folded away');
    store.entries.save({ ...entry, copyFold: operation.fold });
    recordDone(context, operation, link, { of: entry.url, fold: operation.fold });
  });
}

/** The copy stands no more; should its source want one again, it gets a new one. */
export function recordErase(context: Context, operation: EraseOperation): void {
  const { store } = context;
  store.transaction(() => {
    const [entry, link] = [store.entries.byId(operation.entry), store.links.byId(operation.link)];
    if (entry !== null) store.entries.save(erased(entry, operation));
    const ends = link ?? { id: operation.link, bug: null, issue: null };
    recordDone(context, operation, ends, { of: entry?.url ?? null, reason: operation.reason });
  });
}

export const erased = (entry: Entry, { reason }: EraseOperation): Entry => ({
  ...entry,
  state: 'skipped',
  reason,
  text: null,
  ...noCopy,
  isEdited: false,
  isStale: false,
});

import type { LinkId } from '../../model/ids.ts';
import type { Batch, Folding, Importer } from '../../model/importer.ts';
import type { FoldOperation } from '../../model/operation.ts';
import type { OutboxRow } from '../../model/store.ts';
import type { Context } from '../context.ts';
import { intend } from '../intend.ts';
import { calm } from '../pause.ts';
import { recordFailure } from '../record-failure.ts';
import { recordFold } from '../record-renewal.ts';
import { tellDone } from '../tell-done.ts';
import { planOf } from './import-bugs.ts';
import type { Migration } from './migration.ts';
import { waitForPause } from './patience.ts';

/** GitHub answers within ten seconds or gives up half done. */
const batchSize = 25;

/**
 * Folds away the copies of tagged comments, many in one request. It only saves requests: what is left here is folded by the cycles that
 * follow, one by one, and what became of a request without an answer is looked at there as well.
 */
export async function foldImported(migration: Migration, importer: Importer): Promise<void> {
  const { context } = migration;
  const wanted = foldsOf(context);
  for (let at = 0; at < wanted.length; at += batchSize) {
    await waitForPause(migration);
    const rows = intendAll(context, wanted.slice(at, at + batchSize));
    const startedAt = context.clock.now();
    const batch = await importer.fold(rows.map(({ folding }) => folding));
    const ms = context.clock.now() - startedAt;
    if (batch.done.size > 0) calm(context, 'github');
    for (const { row, operation } of rows) await record(context, { row, operation }, batch, ms);
    if (batch.failure !== null && batch.done.size === 0) return;
  }
}

interface Wish {
  readonly operation: FoldOperation;
  readonly folding: Folding;
}

/** Of links that want planning anyway, so that what is not done here is not forgotten. */
function foldsOf(context: Context): readonly Wish[] {
  const { store, route } = context;
  const ids: LinkId[] = [];
  for (const { id, hasIssue } of store.links.eachWanting(route.name)) if (hasIssue) ids.push(id);
  return ids.filter((id) => mayWant(context, id)).flatMap((id) => wishesOf(context, id));
}

/** Planning takes longer than this look. Where anything else waits already, the cycles do it all in its order. */
const mayWant = ({ store }: Context, id: LinkId): boolean =>
  store.entries.ofLink(id).some(({ fold, copyFold }) => fold !== null && fold !== copyFold) && store.outbox.ofLink(id).length === 0;

function wishesOf(context: Context, id: LinkId): readonly Wish[] {
  const { entries, links } = context.store;
  const issue = links.byId(id)?.issue ?? null;
  return planOf(context, id, (sights) => sights).wanted.ready.flatMap((operation): readonly Wish[] => {
    if (operation.kind !== 'fold' || operation.fold === null || issue === null) return [];
    const copy = entries.byId(operation.entry)?.copy ?? null;
    return copy === null ? [] : [{ operation, folding: { issue, comment: copy, fold: operation.fold } }];
  });
}

interface Sent {
  readonly row: OutboxRow;
  readonly operation: FoldOperation;
}

/** Stores all of a batch before its request leaves. */
function intendAll(context: Context, wishes: readonly Wish[]): readonly (Sent & Wish)[] {
  const { store, route } = context;
  const links = [...new Set(wishes.map(({ operation }) => operation.link))];
  return store.transaction(() => {
    store.outbox.replace(
      route.name,
      links,
      wishes.map(({ operation }) => operation),
    );
    return wishes.flatMap((wish) => {
      const row = store.outbox.get(wish.operation.key);
      if (row === null) return [];
      intend(context, row);
      return [{ ...wish, row }];
    });
  });
}

/**
 * Only what is certain, or certainly uncertain, is recorded here: whatever was refused is tried again alone, which tells why. What of a
 * batch was not done may be put off, or in doubt, although the rest was done.
 */
async function record(context: Context, { row, operation }: Sent, { done, failure }: Batch, ms: number): Promise<void> {
  const { entries, outbox } = context.store;
  if (done.has(entries.byId(operation.entry)?.copy ?? 0)) {
    recordFold(context, operation);
    tellDone(context, row, { kind: 'applied', why: null }, ms);
  } else if (failure?.kind === 'unknown' || failure?.kind === 'later') {
    const { result } = await recordFailure(context, row, failure);
    tellDone(context, row, result, ms);
  } else outbox.mark(operation.key, { state: 'planned', sentAt: null, attempts: row.attempts });
}

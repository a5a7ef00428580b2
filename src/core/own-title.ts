import type { Issue } from '../model/item.ts';
import type { LedgerLine } from '../model/store.ts';
import { canonicalTitle } from './canonical.ts';
import { cover } from './discreet.ts';

/**
 * The title that people on GitHub gave an issue, by what the ledger tells: whatever our own writes put there is taken back, the newest
 * first. Null when that is not known: the ledger does not tell of the link's beginning on GitHub, or not what our write replaced.
 * @param ledger the lines of the link, oldest first
 */
export function ownTitle({ title }: Issue, ledger: readonly LedgerLine[]): string | null {
  if (!ledger.some(({ kind, on }) => kind === 'create' && on === 'tracker')) return null;
  let current: string | null = canonicalTitle(title);
  for (const line of ledger.toReversed()) {
    const after = titleIn(line, 'after');
    // What was written down while the bug was not public does not say.
    if (line.on === 'github' && after === cover) return null;
    if (line.on !== 'github' || after === null || canonicalTitle(after) !== current) continue;
    current = titleIn(line, 'before');
    if (current === null) return null;
  }
  return current;
}

function titleIn({ kind, detail }: LedgerLine, when: 'before' | 'after'): string | null {
  const values = kind === 'update' || kind === 'settle' ? detail[when] : null;
  const title: unknown = typeof values === 'object' && values !== null && 'title' in values ? values.title : null;
  return typeof title === 'string' ? title : null;
}

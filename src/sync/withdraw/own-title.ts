import type { RouteState } from '../../kernel/context.ts';
import type { Issue } from '../../model/item.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { LedgerLine } from '../../model/store.ts';
import { cover } from '../../rules/operations/words.ts';
import { isPeoplesPair } from '../../rules/privacy/plan-withdrawal.ts';
import { canonicalTitle } from '../../text/canonical.ts';

/**
 * The title that people on GitHub gave an issue; null if it is unknown: the ledger lacks the link's beginning on
 * GitHub, or the value that our write replaced. Where the bridge made neither end, the issue keeps the title that it
 * has then.
 */
export function ownTitle({ store, session: { own } }: RouteState, input: PlanInput, { title }: Issue): string | null {
  const ledger = store.ledger.ofLink(input.link.id);
  if (ledger.some(({ kind, on }) => kind === 'create' && on === 'tracker')) return titleBefore(title, ledger);
  return isPeoplesPair(own, input) ? (titleBefore(title, ledger) ?? title) : null;
}

/**
 * The title from before our own writes, which are undone, newest first; null if that is unknown.
 * @param ledger the lines of the link, oldest first
 */
function titleBefore(title: string, ledger: readonly LedgerLine[]): string | null {
  let current: string | null = canonicalTitle(title);
  for (const line of ledger.toReversed()) {
    const after = titleIn(line, 'after');
    // Lines that were written while the bug was not public do not contain the title.
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

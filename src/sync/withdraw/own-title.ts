import type { Context, RouteState } from '../../kernel/context.ts';
import { lineOf } from '../../kernel/outbox.ts';
import type { Issue } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { LastAsk } from '../../model/replica.ts';
import type { LedgerLine } from '../../model/store.ts';
import { cover } from '../../rules/operations/words.ts';
import { isPeoples, isPeoplesPair } from '../../rules/privacy/plan-withdrawal.ts';
import { canonicalTitle } from '../../text/canonical.ts';
import { planInputOf } from '../observe/select.ts';

/**
 * The title that people on GitHub gave an issue; null if it is unknown: the ledger lacks the link's beginning on
 * GitHub, or the value that our write replaced. Where the bridge made neither end, the issue keeps the title that it
 * has then.
 */
export const ownTitle = (context: RouteState, input: PlanInput, issue: Issue): string | null =>
  titleOfPeople(context, input, issue, context.store.ledger.ofLink(input.link.id));

function titleOfPeople(
  { session: { own } }: RouteState,
  input: PlanInput,
  { title }: Issue,
  ledger: readonly LedgerLine[],
): string | null {
  if (ledger.some(isBeginning)) return titleBefore(title, ledger);
  return isPeoplesPair(own, input) ? (titleBefore(title, ledger) ?? title) : null;
}

const isBeginning = (line: LedgerLine): boolean =>
  isOfPeople(line) || (line.kind === 'create' && line.on === 'tracker');
const isOfPeople = ({ kind, detail }: LedgerLine): boolean => kind === 'settle' && detail['titleOf'] === 'people';

/**
 * Asks GitHub who gave the issue of a hidden bug its title, where the ledger would leave it to people: a state that was
 * put back does not know what it wrote since, nor one after a crash that the issue is its own if people wrote over the
 * body. So it does where the ledger knows nothing of the title, after a lost
 * state. The ledger then says who it was: the bridge, if GitHub fails to answer.
 */
export async function askWhoseTitle(context: Context, link: Link): Promise<void> {
  const { store, github, session } = context;
  const { issue, github: shown } = link;
  const own = session.own.github;
  if (issue === null || shown === null || own === null) return;
  const input = planInputOf(context, link);
  const ledger = store.ledger.ofLink(link.id);
  const kept = titleOfPeople(context, input, shown, ledger);
  const isUnknown = kept === null && isPeoples(input) && !ledger.some(isOfTitle);
  if (!isUnknown && (kept === null || canonicalTitle(kept) !== canonicalTitle(shown.title))) return;
  const asked: LastAsk = [[{ event: 'renamed', name: shown.title }], [{ event: 'renamed', name: null }]];
  const actors = await github.lastActors(issue, asked).catch(ofSide);
  // Unless somebody renamed it, an issue has the title of who opened it, whosever its body is by now.
  const isOurs = actors instanceof SideError || isBy(actors?.[0] ?? shown.author, own);
  // Nobody renamed the issue, or a person did: of a list that misses the renaming, nothing is known.
  const isPeoplesOwn = !isOurs && actors !== null && (actors[0] !== null || actors[1] === null);
  const why = 'as GitHub says; the state is older than that';
  const detail = isOurs ? { after: { title: cover } } : { titleOf: 'people' };
  if (isOurs || (isUnknown && isPeoplesOwn))
    store.ledger.add({
      ...lineOf(context, link, 'settle', { operation: 'update', why, ...detail }),
      ...{ on: 'github', outcome: isOurs ? 'had arrived' : 'had not arrived' },
    });
}

const isOfTitle = (line: LedgerLine): boolean => isBeginning(line) || titleIn(line, 'after') !== null;

function ofSide(failure: unknown): SideError {
  if (failure instanceof SideError) return failure;
  throw failure;
}

/**
 * The title from before our own writes, which are undone, newest first; null if that is unknown.
 * @param ledger the lines of the link, oldest first
 */
function titleBefore(title: string, ledger: readonly LedgerLine[]): string | null {
  let current: string | null = canonicalTitle(title);
  for (const line of ledger.toReversed()) {
    if (isOfPeople(line)) return current;
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

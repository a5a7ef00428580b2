import { bugId, issueNumber } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import { type Named, sameName } from '../model/named.ts';
import type { Route } from '../model/route.ts';
import type { Decidable, RouteStatus } from '../model/route-status.ts';
import type { Store } from '../model/store.ts';
import { redactionOf } from '../rules/privacy/redactions.ts';
import { setAsideOf } from './set-aside.ts';
import { type Story, storyOf } from './story.ts';

/** The link of a named bug or issue; null when there is none. The repository's name is case-insensitive. */
export function findLink(store: Store, routes: readonly Pick<Route, 'owner' | 'repo'>[], target: Named): Link | null {
  if (target.kind === 'bug') return store.links.byBug(bugId(target.id));
  const repo = routes.map(({ owner, repo }) => `${owner}/${repo}`).find((each) => sameName(each, target.repo));
  return store.links.byIssue(repo ?? target.repo, issueNumber(target.number));
}

/** The contents of the state database about one link, as text; almost nothing if the bug is not public. */
export function readStory(
  store: Store,
  routes: readonly Route[],
  link: Link,
  now: number,
  status: RouteStatus | null = null,
): Story {
  const redaction = redactionOf(store, routes);
  const { conflicts, skips } = store.findings.ofLink(link.id);
  const read = (side: 'tracker' | 'github') => store.cursors.get(link.route, side)?.isComplete ?? false;
  return storyOf({
    link: redaction.link(link),
    commentLinks: store.commentLinks.ofLink(link.id),
    rows: store.outbox.ofLink(link.id).map((row) => ({ ...row, operation: redaction.operation(row.operation) })),
    conflicts: redaction.isHidden(link.id)
      ? []
      : conflicts.map((each) => ({ ...each, decided: status?.conflicts.find(isSame(each))?.decided ?? null })),
    skips,
    setAside: routes
      .filter(({ name }) => name === link.route)
      .flatMap((route) => setAsideOf(store, route))
      .filter(({ side, ref }) => ref === (side === 'tracker' ? link.bug : link.issue)),
    ledger: store.ledger.ofLink(link.id).map(redaction.line),
    writesAhead: writesAhead(store, link),
    ahead: link.urgency === 'none' ? 0 : aheadOf(store, link),
    isComplete: { tracker: read('tracker'), github: read('github') },
    now,
    status,
    isStray: routes.every(({ name }) => name !== link.route),
  });
}

const isSame =
  ({ link, field }: Decidable) =>
  (other: Decidable): boolean =>
    other.link === link && other.field === field;

/** Its place in the queue of its route. */
function aheadOf(store: Store, { route, id }: Link): number {
  let count = 0;
  for (const other of store.links.eachWanting(route)) {
    if (other.id === id) break;
    count += 1;
  }
  return count;
}

/** The same of its first planned write; 0 without one. */
const writesAhead = (store: Store, { route, id }: Link): number =>
  Math.max(
    0,
    store.outbox.due(route, Number.MAX_SAFE_INTEGER).findIndex(({ operation }) => operation.link === id),
  );

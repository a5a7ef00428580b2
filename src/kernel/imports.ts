import type { LinkId } from '../model/ids.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { Store } from '../model/store.ts';

/** Whether the request left as an import: until `notBeforeAt`, only `migrate` finds out its outcome. */
export const isImport = ({ operation, state, notBeforeAt }: OutboxRow): boolean =>
  operation.kind === 'create' && state === 'sent' && notBeforeAt !== null;

/** What is known of the imports of a route whose outcome is not stored yet. */
export interface OpenImports {
  /** Links whose issues exist. */
  readonly made: ReadonlySet<LinkId>;
  /** How many of these have only one end in the state, and how many of those are due. */
  readonly unread: number;
  readonly unreadDue: number;
  /** How many were sent of which nobody knows yet, of links that are not due. */
  readonly waiting: number;
}

const none: OpenImports = { made: new Set(), unread: 0, unreadDue: 0, waiting: 0 };

export function openImports({ imports, links }: Store, route: string, sent: readonly OutboxRow[]): OpenImports {
  const ids = sent.filter(isImport).map(({ operation }) => operation.link);
  if (ids.length === 0) return none;
  const landed = new Set(imports.ofRoute(route).flatMap(({ link, issue }) => (issue === null ? [] : [link])));
  const due = new Map<LinkId, boolean>();
  for (const { id, hasIssue } of links.eachWanting(route)) due.set(id, hasIssue);
  const made = ids.filter((id) => landed.has(id) || due.get(id) === true);
  const unread = made.filter((id) => due.get(id) !== true);
  return {
    made: new Set(made),
    unread: unread.length,
    unreadDue: unread.filter((id) => due.has(id)).length,
    waiting: ids.filter((id) => !landed.has(id) && !due.has(id)).length,
  };
}

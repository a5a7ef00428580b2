import type { Context } from '../kernel/context.ts';
import { marginMs } from '../kernel/pause.ts';
import { issueNumber } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { OutboxRow } from '../model/store.ts';
import { whyNotSelected } from './match.ts';
import { observeItem, repoOf } from './observe.ts';
import { bury } from './persist-plan.ts';

/** Looks by their numbers for issues whose making is in doubt, as no list may show them yet. Throws `SideError`. */
export async function findMade(context: Context, doubts: readonly OutboxRow[]): Promise<void> {
  const { store, github } = context;
  const unseen = doubts.filter((row) => !isImport(row) && isUnseenIssue(context, row));
  if (unseen.length === 0) return;
  const sinceAt = Math.min(...unseen.map(({ sentAt }) => sentAt ?? 0)) - marginMs;
  const issues = await github.madeSince(sinceAt, (number) => store.links.byIssue(repoOf(context), issueNumber(number)) !== null);
  store.transaction(() => {
    for (const issue of issues) observeItem(context, issue, 'live');
  });
}

const isUnseenIssue = ({ store }: Context, { operation }: OutboxRow): boolean =>
  operation.kind === 'create' && operation.on === 'github' && store.links.byId(operation.link)?.issue === null;

/**
 * Looks at the issues that bugs without a counterpart name in see_also and that no reading has shown: one may lie outside
 * the selection, or have been deleted while the state database was lost. What was deleted is not made again.
 */
export async function chaseClaims(context: Context, links: readonly Link[]): Promise<void> {
  const { store, route, github } = context;
  if (!store.cursors.get(route.name, 'github')?.isComplete) return;
  for (const { id } of links) {
    const link = store.links.byId(id);
    if (link === null || link.tracker === null || link.github !== null || link.claim === null || link.state !== 'live') continue;
    const probe = await github.probe(link.claim);
    store.transaction(() => {
      if (probe.kind === 'there') observeItem(context, probe.item, 'live');
      else if (probe.gone.kind === 'deleted') bury(context, link, probe.gone.why);
      else if (link.tracker !== null && whyNotSelected(route, link.tracker) !== null) store.links.remove(link.id);
      else store.links.save({ ...link, claim: null });
    });
  }
}

/**
 * Has GitHub read from end to end again before anything is made there. Imported issues bear the dates of their bugs, so that no list
 * of changes ever shows them.
 */
export function rereadGithub({ store, route }: Context): void {
  const row = store.cursors.get(route.name, 'github');
  if (row !== null) store.cursors.put(route.name, 'github', { ...row, changes: null, listing: null, isComplete: false });
}

/** How long GitHub may take over an import before it is looked for as if it had been lost. */
export const importMs = 3_600_000;

/** A request that left as an import: until this time it is for `migrate` alone to find out what became of it. */
export const isImport = ({ state, notBeforeAt }: OutboxRow): boolean => state === 'sent' && notBeforeAt !== null;

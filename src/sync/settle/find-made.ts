/** Looks for what was made by requests in doubt, and what no list of the route shows. */

import { marginMs, stampedFrom } from '../../kernel/backoff.ts';
import type { Context } from '../../kernel/context.ts';
import { isImport } from '../../kernel/imports.ts';
import { linkOf, repoOf } from '../../kernel/linked.ts';
import { spare, spareOf } from '../../kernel/set-aside.ts';
import { ofIssue } from '../../kernel/unread.ts';
import { issueNumber, type Side } from '../../model/ids.ts';
import { refOf } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { sameName } from '../../model/named.ts';
import { SideError } from '../../model/outcome.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { FailedItem, MadeSince } from '../../model/replica.ts';
import { patienceMs } from '../../rules/limits/backoff.ts';
import { whyHidden } from '../../rules/privacy/gate.ts';
import { bindFiled, waitingFor } from '../observe/bind-ends.ts';
import { isAsked, mayStillPair } from './awaited.ts';
import { observeFound } from './first-texts.ts';

/**
 * Looks by number for issues whose creation is in doubt, as lists may not show them yet. Returns the doubts that can be
 * settled: an issue that is still unseen may be one of the numbers that GitHub did not show, and is looked for again.
 * Throws `SideError`.
 */
export async function findMadeIssues(context: Context, doubts: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
  const { store, clock } = context;
  const unseen = unseenOn(context, 'github', doubts);
  if (unseen.length === 0) return doubts;
  const { unread, moved, isWhole } = await search(context, unseen);
  const now = clock.now();
  const elsewhere: string[] = [];
  for (const each of moved)
    if (await mayBeOurs(context, each)) elsewhere.push(`${each.place.repo}#${each.place.number}`);
  // A number that is not shown for hours is not ours: GitHub shows us what we made.
  const isLeft = unread.length + elsewhere.length > 0;
  const isOpen = (row: OutboxRow): boolean => !isWhole || (isLeft && now < (row.sentAt ?? 0) + patienceMs);
  const open = unseenOn(context, 'github', unseen).filter(isOpen);
  const whyMoved = elsewhere.map((name) => `A new issue was transferred, and ${name} was not read yet.`);
  const why = [...unread, ...whyMoved].join(' ') || 'GitHub has more new numbers than one cycle looks at.';
  store.transaction(() => {
    for (const { operation } of open) store.outbox.mark(operation.key, { why });
  });
  return doubts.filter((row) => !open.includes(row));
}

/** Whether another route may yet find there what we made. People may have transferred it on. */
async function mayBeOurs(context: Context, { number, place }: MadeSince['moved'][number]): Promise<boolean> {
  if (isAsked(context, number)) return true;
  const now = await context.github.placeOf(place).catch(ofIssue);
  if (now instanceof SideError) return true;
  return now !== null && !sameName(now.repo, repoOf(context)) && mayStillPair(context, number, now);
}

/**
 * Looks for the issues of bugs that were hidden while the creation is in doubt. They do not wait until the doubt is
 * due: whatever stands on GitHub of such a bug is withdrawn in this cycle. Throws `SideError`.
 */
export async function findMadeOfHidden(context: Context): Promise<void> {
  const { store, route } = context;
  const isHidden = (link: Link): boolean => whyHidden(route, link) !== null;
  const hidden = unseenOn(context, 'github', store.outbox.eachSent(route.name), isHidden);
  if (hidden.length > 0) await search(context, hidden);
}

async function search(context: Context, rows: readonly OutboxRow[]): Promise<MadeSince> {
  const { store, github } = context;
  const sinceAt = Math.min(...rows.map(({ sentAt }) => sentAt ?? 0)) - marginMs;
  const made = await github.madeSince(
    sinceAt,
    (number) => store.links.byIssue(repoOf(context), issueNumber(number)) !== null,
    context.session.own.github,
  );
  const left = await observeFound(context, made.issues, 'live');
  const untold = left.map((issue) => `GitHub does not say yet what issue ${refOf(issue)} was at first.`);
  return { ...made, unread: [...made.unread, ...untold] };
}

/**
 * The creations on a side whose items were not found yet. Imported issues have the dates of their bugs, so no search by
 * date finds them.
 */
function unseenOn(
  context: Context,
  side: Side,
  rows: Iterable<OutboxRow>,
  isWanted: (link: Link) => boolean = () => true,
): readonly OutboxRow[] {
  const isUnseen = (link: Link): boolean => (side === 'github' ? link.issue : link.bug) === null && isWanted(link);
  return [...rows].filter((row) => {
    const { kind, on, link } = row.operation;
    return kind === 'create' && on === side && !isImport(row) && spareOf(context, link, 'read', isUnseen) === true;
  });
}

/** How long GitHub may take over an import before the import is treated as lost. */
export const importMs = 3_600_000;

/**
 * Looks for bugs whose filing is in doubt in all products: people may have moved one to a product that no list of this
 * route shows. Returns the doubts that can be settled: a bug that cannot be read may be the one. Throws `SideError`.
 */
export async function findMadeBugs(context: Context, doubts: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
  const { store, tracker, clock } = context;
  const unheard = unseenOn(context, 'tracker', doubts);
  if (unheard.length === 0) return doubts;
  const sentAt = Math.min(...unheard.map((row) => row.sentAt ?? 0));
  const { items, failed } = await tracker.filedByUs(stampedFrom(context, 'tracker', sentAt));
  const loose = items.filter(({ id }) => (linkOf(context, 'tracker', id)?.issue ?? null) === null);
  const threads = await tracker.threads(loose.map(({ id }) => ({ ref: id, sinceAt: null })));
  store.transaction(() => {
    for (const bug of loose) {
      const comments = threads.find(({ ref }) => ref === bug.id)?.comments ?? [];
      const work = { side: 'tracker', ref: bug.id, stage: 'read', of: 'item', content: () => bug } as const;
      spare(context, work, () => {
        const issueLink = waitingFor(context, bug, comments);
        if (issueLink !== null) bindFiled(context, issueLink, bug);
      });
    }
  });
  // A bug whose issue is known is none that is looked for, whatever fails on it.
  const isUnclear = ({ ref }: FailedItem): boolean => (linkOf(context, 'tracker', ref)?.issue ?? null) === null;
  const isDark = failed.some(isUnclear) || threads.length < loose.length;
  const now = clock.now();
  const isOpen = (row: OutboxRow): boolean => isDark && now < (row.sentAt ?? 0) + patienceMs;
  const left = unseenOn(context, 'tracker', unheard).filter(isOpen);
  return doubts.filter((row) => !left.includes(row));
}

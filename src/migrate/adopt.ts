import { marginMs } from '../kernel/pause.ts';
import { isImport, rereadGithub } from '../links/find-made.ts';
import { observeItem, repoOf } from '../links/observe.ts';
import type { IssueNumber } from '../model/ids.ts';
import type { Importer, ImportJob } from '../model/migration.ts';
import { SideError } from '../model/outcome.ts';
import { poll } from '../sync/poll.ts';
import { settleRow } from '../sync/settle-doubts.ts';
import type { Migration } from './migration.ts';
import { patiently, waitUntil } from './until-quiet.ts';

/** Of what an earlier run sent at last, nothing may be remembered. */
const recentMs = 600_000;
const lookMs = 5_000;

/** How long imports that nobody waits for any more may keep a migration from going on. */
const pendingMs = 1_800_000;

/** What is known of the imports that left. */
export interface Known {
  /** Issues that this process was told of. */
  readonly issues: readonly IssueNumber[];
  /** True when others may have been made, or may still be under way. */
  readonly isPartial: boolean;
}

/**
 * Learns what became of the imports that left: reads GitHub from end to end, where markers tell which issue and which comment belongs
 * to what, and then settles what was sent. What is not there was not made, and is planned again.
 */
export async function adopt(migration: Migration, importer: Importer, { issues, isPartial }: Known): Promise<void> {
  const { context } = migration;
  const { store, route, limits, clock } = context;
  const sent = store.outbox.sent(route.name).filter(isImport);
  const sinceAt = Math.min(clock.now() - recentMs, ...sent.map(({ sentAt }) => sentAt ?? clock.now())) - marginMs;
  const mayBeLeft = isPartial && (sent.length > 0 || migration.numbers === 'keep');
  const jobs = mayBeLeft ? await settledJobs(migration, importer, sinceAt) : [];
  await clock.sleep(limits.settleMs);
  rereadGithub(context);
  await readBoth(migration);
  await lookAtLate(migration, [...issues, ...jobs.flatMap(({ issue }) => issue ?? [])]);
  store.transaction(() => {
    for (const row of store.outbox.sent(route.name).filter(isImport)) settleRow(context, row);
  });
}

/** Waits for imports that left before anything that is remembered. Where they cannot be listed, none can be sent either. */
export async function landedBefore(migration: Migration, importer: Importer): Promise<void> {
  try {
    await settledJobs(migration, importer, migration.context.clock.now() - pendingMs - marginMs);
  } catch (error) {
    if (!(error instanceof SideError) || error.kind === 'later') throw error;
  }
}

/** Reads both sides until nothing is left that has not been seen. */
export async function readBoth(migration: Migration): Promise<void> {
  const { store, route } = migration.context;
  const isRead = () => store.cursors.get(route.name, 'tracker')?.isComplete && store.cursors.get(route.name, 'github')?.isComplete;
  do await patiently(migration, () => poll(migration.context));
  while (!isRead());
}

/** An import that is still to come must not be taken for one that never was. */
async function settledJobs(migration: Migration, importer: Importer, sinceAt: number): Promise<readonly ImportJob[]> {
  const { clock } = migration.context;
  const giveUpAt = clock.now() + pendingMs;
  for (;;) {
    const jobs = await patiently(migration, () => importer.since(sinceAt));
    const pending = jobs.filter(({ state }) => state === 'pending').length;
    if (pending === 0 || clock.now() > giveUpAt) return jobs;
    await waitUntil(migration, clock.now() + lookMs, `GitHub has ${pending} imports still to do`);
  }
}

/** Lists may lag behind: an issue that they do not show yet is asked for by its number. */
async function lookAtLate(migration: Migration, issues: readonly IssueNumber[]): Promise<void> {
  const { context } = migration;
  const { store, github } = context;
  for (const issue of issues) {
    if (store.links.byIssue(repoOf(context), issue) !== null) continue;
    const probe = await patiently(migration, () => github.probe(issue));
    if (probe.kind === 'there') store.transaction(() => observeItem(context, probe.item, 'backfill'));
  }
}

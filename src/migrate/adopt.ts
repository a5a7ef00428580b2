import { marginMs } from '../kernel/backoff.ts';
import { isImport } from '../kernel/imports.ts';
import { repoOf } from '../kernel/linked.ts';
import { rereadGithub } from '../kernel/unread.ts';
import type { IssueNumber } from '../model/ids.ts';
import type { Importer, ImportJob } from '../model/migration.ts';
import { SideError } from '../model/outcome.ts';
import { poll } from '../sync/observe/poll.ts';
import { observeFound } from '../sync/settle/first-texts.ts';
import { settleRow } from '../sync/settle/settle.ts';
import type { Migration } from './migration.ts';
import { patiently, waitUntil } from './until-quiet.ts';

/** How far back to look for imports: the state may lack the last ones of an earlier run. */
const recentMs = 600_000;
const lookMs = 5_000;

/** How long earlier imports may delay a migration. */
const pendingMs = 1_800_000;

/** The imports that were sent, as far as this process knows. */
interface SentImports {
  /** Issues whose import GitHub has reported as done. */
  readonly issues: readonly IssueNumber[];
  /** True if others may have been created, or may still be pending. */
  readonly isPartial: boolean;
}

/**
 * Finds the outcome of the imports that were sent: reads GitHub completely, where markers identify each issue and
 * comment, and then settles the requests. Issues that are missing were not created, and are planned again.
 */
export async function adoptSentImports(
  migration: Migration,
  importer: Importer,
  { issues, isPartial }: SentImports,
): Promise<void> {
  const { context } = migration;
  const { store, route, limits, clock } = context;
  const sent = () => store.outbox.eachSent(route.name).filter(isImport);
  const sinceAt =
    sent().reduce((least, { sentAt }) => Math.min(least, sentAt ?? least), clock.now() - recentMs) - marginMs;
  const mayBeLeft = isPartial && (sent().some(() => true) || migration.numbers === 'keep');
  const jobs = mayBeLeft ? await settledJobs(migration, importer, sinceAt) : [];
  await clock.sleep(limits.settleMs);
  rereadGithub(context);
  await readBoth(migration);
  await readIssues(migration, [...issues, ...jobs.flatMap(({ issue }) => issue ?? [])]);
  store.transaction(() => {
    for (const row of sent()) settleRow(context, row);
  });
}

/** Waits for imports from before the state began. If they cannot be listed, none can be sent either. */
export async function landedBefore(migration: Migration, importer: Importer): Promise<void> {
  try {
    await settledJobs(migration, importer, migration.context.clock.now() - pendingMs - marginMs);
  } catch (error) {
    if (!(error instanceof SideError) || error.kind === 'later') throw error;
  }
}

/** Reads both sides completely. */
export async function readBoth(migration: Migration): Promise<void> {
  const { store, route } = migration.context;
  const isRead = () =>
    store.cursors.get(route.name, 'tracker')?.isComplete && store.cursors.get(route.name, 'github')?.isComplete;
  do await patiently(migration, () => poll(migration.context));
  while (!isRead());
}

/**
 * Every import since then. Waits until none is pending, and none is missing that GitHub accepted: those must not be
 * taken for lost ones.
 */
export async function settledJobs(
  migration: Migration,
  importer: Importer,
  sinceAt: number,
): Promise<readonly ImportJob[]> {
  const { clock, store, route } = migration.context;
  const giveUpAt = clock.now() + pendingMs;
  for (;;) {
    const jobs = await patiently(migration, () => importer.since(sinceAt));
    const settled = new Set(jobs.flatMap(({ id, state }) => (state === 'pending' ? [] : [id])));
    const missing = store.imports.ofRoute(route.name).filter(({ job, issue }) => issue === null && !settled.has(job));
    const pending = new Set([...jobs.map(({ id }) => id), ...missing.map(({ job }) => job)]).size - settled.size;
    if (pending === 0 || clock.now() > giveUpAt) return jobs;
    await waitUntil(migration, clock.now() + lookMs, `GitHub still has ${pending} pending imports`);
  }
}

/** Reads issues by their numbers, unless they are known already: lists may lag behind. */
export async function readIssues(migration: Migration, issues: readonly IssueNumber[]): Promise<void> {
  const { context } = migration;
  const { store, github } = context;
  for (const issue of issues) {
    if (store.links.byIssue(repoOf(context), issue) !== null) continue;
    await patiently(migration, async () => {
      const probe = await github.probe(issue);
      // It may be the issue of a bug that would be sent again.
      if (probe.kind === 'there' && (await observeFound(context, [probe.item], 'backfill')).length > 0)
        throw new SideError('later', `GitHub does not say yet what issue ${issue} was at first`, { side: 'github' });
    });
  }
}

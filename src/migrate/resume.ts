import { marginMs } from '../kernel/backoff.ts';
import type { RouteState } from '../kernel/context.ts';
import { isImport } from '../kernel/imports.ts';
import { repoOf } from '../kernel/linked.ts';
import type { IssueNumber, LinkId } from '../model/ids.ts';
import type { Importer, ImportJob, TakenImport } from '../model/migration.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import { settleRow } from '../sync/settle/settle.ts';
import { readIssues, settledJobs } from './adopt.ts';
import type { Migration } from './migration.ts';

/**
 * The most issues to read in search of unanswered imports. Beyond that, a full read of GitHub costs no more.
 */
const readMax = 50;

/** The imported issues that have not been read yet, by link. */
export const landedOf = ({ store, route }: RouteState): ReadonlyMap<LinkId, IssueNumber> =>
  new Map(
    store.imports.ofRoute(route.name).flatMap(({ link, issue }) => (issue === null ? [] : [[link, issue] as const])),
  );

/**
 * Finds the outcome of imports from the state and from GitHub's list of imports. The list does not say which bug an
 * import belongs to, so the issues of unanswered imports are read. Returns false if doubts remain that only a full read
 * of GitHub can settle. Throws `SideError`.
 */
export async function resume(migration: Migration, importer: Importer): Promise<boolean> {
  const { context } = migration;
  const { store, route, clock, limits } = context;
  const taken = new Map(store.imports.ofRoute(route.name).map((each) => [each.number, each]));
  const open = [
    ...store.outbox
      .eachSent(route.name)
      .filter((row) => isImport(row) && (taken.get(row.number)?.issue ?? null) === null),
  ];
  if (open.length === 0) return true;
  if (open.filter(({ number }) => !taken.has(number)).length > readMax) return false;
  // The list may lack the imports that GitHub accepted last.
  await clock.sleep(limits.settleMs);
  const sinceAt = Math.min(...open.map(({ sentAt }) => sentAt ?? clock.now())) - marginMs;
  const known = outcomesOf(open, taken, await settledJobs(migration, importer, sinceAt));
  if (known === null) return false;
  store.transaction(() => {
    for (const { number, issue } of known.landed) store.imports.land(number, issue);
    for (const row of known.failed) settleRow(context, row);
  });
  return known.unanswered.length === 0 || (await findUnanswered(migration, known));
}

interface Outcomes {
  readonly landed: readonly { readonly number: number; readonly issue: IssueNumber }[];
  /** GitHub accepted them, and created nothing. */
  readonly failed: readonly OutboxRow[];
  /** Nobody knows whether GitHub received them. */
  readonly unanswered: readonly OutboxRow[];
  /** Issues of imports other than those with a known answer. */
  readonly strange: readonly IssueNumber[];
  /** Whether the list shows other imports of ours, and so would show these. */
  readonly isListTrue: boolean;
}

/** The outcomes according to the list; null if it lacks an accepted import, or if an import is still pending. */
function outcomesOf(
  open: readonly OutboxRow[],
  taken: ReadonlyMap<number, TakenImport>,
  jobs: readonly ImportJob[],
): Outcomes | null {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const ours = new Set([...taken.values()].map(({ job }) => job));
  const answered = open.filter(({ number }) => taken.has(number));
  const jobOf = ({ number }: OutboxRow): ImportJob | undefined => byId.get(taken.get(number)?.job ?? Number.NaN);
  if (jobs.some(({ state }) => state === 'pending') || answered.some((row) => jobOf(row) === undefined)) return null;
  return {
    landed: answered.flatMap((row) => {
      const issue = jobOf(row)?.issue ?? null;
      return issue === null ? [] : [{ number: row.number, issue }];
    }),
    failed: answered.filter((row) => jobOf(row)?.issue === null),
    unanswered: open.filter(({ number }) => !taken.has(number)),
    strange: jobs.filter(({ id }) => !ours.has(id)).flatMap(({ issue }) => issue ?? []),
    isListTrue: jobs.some(({ id }) => ours.has(id)),
  };
}

/**
 * Reads the issues that unanswered imports may have created, and identifies them by their markers. Returns false if an
 * unread issue may still belong to such an import.
 */
async function findUnanswered(migration: Migration, { unanswered, strange, isListTrue }: Outcomes): Promise<boolean> {
  const { context } = migration;
  const { store } = context;
  const unread = strange.filter((issue) => store.links.byIssue(repoOf(context), issue) === null);
  if (unread.length > readMax) return false;
  await readIssues(migration, unread);
  const isMissing = ({ operation }: OutboxRow): boolean => store.links.byId(operation.link)?.issue === null;
  if (unanswered.some(isMissing) && !isListTrue) return false;
  store.transaction(() => {
    for (const row of unanswered) settleRow(context, row);
  });
  return true;
}

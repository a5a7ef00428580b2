import { marginMs } from '../kernel/backoff.ts';
import type { Context } from '../kernel/context.ts';
import { repoOf } from '../kernel/linked.ts';
import type { IssueNumber, LinkId } from '../model/ids.ts';
import type { Importer, ImportJob, TakenImport } from '../model/migration.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import { isImport } from '../sync/observe/chase.ts';
import { observeItem } from '../sync/observe/observe-items.ts';
import { settleRow } from '../sync/settle/settle.ts';
import { settledJobs } from './adopt.ts';
import type { Migration } from './migration.ts';
import { patiently } from './until-quiet.ts';

/**
 * How many issues are read, at most, to find those of imports without an answer; from then on, reading all of GitHub
 * costs no more.
 */
const readMax = 50;

/** The issues that imports became and that have not been read yet, by link. */
export const landedOf = ({ store, route }: Context): ReadonlyMap<LinkId, IssueNumber> =>
  new Map(
    store.imports.ofRoute(route.name).flatMap(({ link, issue }) => (issue === null ? [] : [[link, issue] as const])),
  );

/**
 * Finds the outcome of imports from what the state keeps of them and from GitHub's list of imports. That list does not
 * say whose an import is, so the issues of those that got no answer are read. Returns false if that leaves doubts,
 * which only reading all of GitHub settles. Throws `SideError`.
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
  // What was accepted last may not be listed yet.
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
  /** Issues of imports that are none of those whose answer is known. */
  readonly strange: readonly IssueNumber[];
  /** Whether the list shows other imports of ours, so that it would show these. */
  readonly isListTrue: boolean;
}

/** What the list says of the imports; null if it lacks one that GitHub accepted, or one is still pending. */
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
 * Reads the issues that may be theirs, which have their markers. Returns false if one of them may still have been
 * created.
 */
async function findUnanswered(migration: Migration, { unanswered, strange, isListTrue }: Outcomes): Promise<boolean> {
  const { context } = migration;
  const { store, github } = context;
  const unread = strange.filter((issue) => store.links.byIssue(repoOf(context), issue) === null);
  if (unread.length > readMax) return false;
  for (const issue of unread) {
    const probe = await patiently(migration, () => github.probe(issue));
    if (probe.kind === 'there') store.transaction(() => observeItem(context, probe.item, 'backfill'));
  }
  const isMissing = ({ operation }: OutboxRow): boolean => store.links.byId(operation.link)?.issue === null;
  if (unanswered.some(isMissing) && !isListTrue) return false;
  store.transaction(() => {
    for (const row of unanswered) settleRow(context, row);
  });
  return true;
}

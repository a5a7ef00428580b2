import type { Context } from '../kernel/context.ts';
import { type IssueNumber, issueNumber, type LinkId } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { ImportDraft, Importer, ImportHome } from '../model/migration.ts';
import { SideError } from '../model/outcome.ts';
import { bareDraft, placeholderDraft } from '../rules/links/placeholder.ts';
import { persistPlan } from '../sync/observe/persist-plan.ts';
import { lacking, planOf, prepare } from './import-bugs.ts';
import { ImportsInFlight } from './in-flight.ts';
import type { Migration } from './migration.ts';
import { withNumbers } from './numbers.ts';
import { patiently, refuseWhilePaused } from './until-quiet.ts';

interface KeptNumbers {
  readonly imported: number;
  readonly placeholders: number;
  /** True if an import was sent and its outcome is unknown: GitHub has to be read before the next number. */
  readonly isInDoubt: boolean;
  /** Why no further number can be kept; null when all are. */
  readonly stopped: string | null;
}

const batchSize = 200;
const lookMs = 1_000;

/**
 * Imports one bug after the other, so that the issue of bug 12 is issue 12. Placeholders hold numbers without a bug. It
 * continues after the last existing issue, and stops before a number would go to another bug. Throws `SideError`.
 */
export async function keepNumbers(
  migration: Migration,
  importer: Importer,
  home: ImportHome,
  room: number,
): Promise<KeptNumbers> {
  const { context, tell } = migration;
  const { highest, stray } = numbersOf(context);
  const result = { imported: 0, placeholders: 0, isInDoubt: false, stopped: stray === null ? null : whyNotKept(stray) };
  const open = new Map(lacking(context).map((id) => [Number(context.store.links.byId(id)?.bug ?? 0), id]));
  const bugs = [...open.keys()].slice(0, room);
  const last = bugs.at(-1) ?? 0;
  const first = highest + 1;
  if (result.stopped === null && last >= first) result.stopped = await whyOccupied(migration, first);
  if (result.stopped !== null) return result;
  const missed = bugs.find((bug) => bug < first);
  if (missed !== undefined) return { ...result, stopped: passedBy(missed, first) };
  const known: NumberedImports = {
    open,
    home,
    importer,
    importsInFlight: new ImportsInFlight(migration, importer, () => {}),
  };
  let done = 0;
  for (let number = first; number <= last; number += 1) {
    const link = open.get(number);
    if (link !== undefined && done % batchSize === 0) {
      const batch = bugs.slice(done, done + batchSize);
      await prepare(
        migration,
        batch.flatMap((bug) => open.get(bug) ?? []),
      );
    }
    const landed =
      link === undefined ? await hold(migration, known, number) : await land(migration, known, link, number);
    if (landed === null) return { ...result, isInDoubt: true };
    if (landed.issue !== number) return { ...result, stopped: overtaken(number, landed.issue) };
    if (landed.isHeld) result.placeholders += 1;
    else result.imported += 1;
    if (link !== undefined) done += 1;
    const progress = { done, total: bugs.length, inFlight: 0, parked: known.importsInFlight.parked.size } as const;
    tell({ kind: 'progress', route: context.route.name, phase: 'importing', ...progress, limitedBy: 'imports' });
  }
  return result;
}

interface NumberedImports {
  /** Links by the numbers of their bugs. */
  readonly open: ReadonlyMap<number, LinkId>;
  readonly home: ImportHome;
  readonly importer: Importer;
  readonly importsInFlight: ImportsInFlight;
}

interface ImportedIssue {
  readonly issue: number;
  /** True for a placeholder: the bug may have been hidden or deleted after it was read. */
  readonly isHeld: boolean;
}

/**
 * Imports one bug; if GitHub refuses it as a whole, a reduced issue that holds its number. Null when the outcome is
 * unknown.
 */
async function land(
  migration: Migration,
  known: NumberedImports,
  link: LinkId,
  number: number,
): Promise<ImportedIssue | null> {
  const { context } = migration;
  const { open, home, importsInFlight } = known;
  const planned = (id: LinkId): IssueNumber | null => {
    const bug = context.store.links.byId(id)?.bug ?? null;
    return bug !== null && (open.get(bug) === id || standsAs(context, id) === bug) ? issueNumber(bug) : null;
  };
  const { wanted, found } = planOf(context, link, (inputs) => withNumbers(context, home, inputs, planned));
  if (found === null || wanted.operations.length === 0) {
    persistPlan(context, wanted);
    return hold(migration, known, number);
  }
  await importsInFlight.send(found, () => persistPlan(context, wanted));
  await importsInFlight.settleDown(0);
  const issue =
    importsInFlight.landed.get(link) ??
    (importsInFlight.parked.has(link)
      ? await alone(migration, known, bareDraft(found.draft, number), { isOfBug: true })
      : null);
  if (issue !== null) return { issue, isHeld: false };
  return importsInFlight.parked.has(link) ? hold(migration, known, number) : null;
}

const standsAs = ({ store }: Context, id: LinkId): number | null => store.links.byId(id)?.issue ?? null;

async function hold(migration: Migration, known: NumberedImports, number: number): Promise<ImportedIssue | null> {
  const { route, clock } = migration.context;
  const draft = placeholderDraft(route, number, clock.now());
  const issue = await alone(migration, known, draft, { isOfBug: false });
  return issue === null ? null : { issue, isHeld: true };
}

/**
 * Imports a draft that belongs to no operation, and waits for it. Null when it failed, or when the outcome is unknown.
 * If GitHub refuses one with nothing of a bug in it, it takes none of ours. Throws `SideError`.
 */
async function alone(
  migration: Migration,
  { importer, importsInFlight }: NumberedImports,
  draft: ImportDraft,
  { isOfBug }: { readonly isOfBug: boolean },
): Promise<number | null> {
  const { clock, route } = migration.context;
  const outcome = await patiently(migration, async () => {
    refuseWhilePaused(migration.context, route.name);
    const begun = await importer.begin(draft);
    if (begun.kind === 'unauthorized' && (begun.refusal === null || !isOfBug))
      throw new SideError('unauthorized', begun.why, { side: 'github' });
    if (begun.kind === 'later') throw new SideError('later', begun.why, { side: 'github', at: begun.at });
    return begun;
  });
  if (outcome.kind !== 'applied') return null;
  await importsInFlight.took();
  const { id, createdAt } = outcome.item;
  for (;;) {
    const jobs = await patiently(migration, () => importer.since(createdAt));
    const job = jobs.find((each) => each.id === id);
    if (job !== undefined && job.state !== 'pending') return job.issue;
    await clock.sleep(lookMs);
  }
}

/** The highest known number of an issue; 0 if there is none. */
export const highestIssue = (context: Context): number => numbersOf(context).highest;

interface UsedNumbers {
  /** The highest known number of an issue. */
  readonly highest: number;
  /** A link whose issue does not have the number of its bug. */
  readonly stray: Link | null;
}

function numbersOf({ store, route }: Context): UsedNumbers {
  let highest = 0;
  let stray: Link | null = null;
  for (const links of store.links.batches(route.name)) {
    for (const link of links) {
      highest = Math.max(highest, link.issue ?? 0);
      if (link.issue !== null && Number(link.bug ?? link.claim) !== Number(link.issue)) stray ??= link;
    }
  }
  return { highest, stray };
}

function whyNotKept(stray: Link): string {
  const what = stray.bug === null ? 'no bug' : `bug ${stray.bug}`;
  return `numbers cannot be kept: ${stray.repo}#${stray.issue} is ${what}. Migrate into an empty repository, or without --numbers keep`;
}

/** Issues and pull requests share their numbers, and the number of a deleted one is not reused. */
async function whyOccupied(migration: Migration, number: number): Promise<string | null> {
  const probe = await patiently(migration, () => migration.context.github.probe(number));
  const isFree = probe.kind === 'gone' && probe.gone.kind === 'missing' && !/pull request/u.test(probe.gone.why);
  if (isFree) return null;
  const what = probe.kind === 'there' ? 'an issue that the bridge did not create' : probe.gone.why;
  return `numbers cannot be kept: number ${number} is taken (${what}). Migrate into an empty repository, or without --numbers keep`;
}

const passedBy = (bug: number, first: number): string =>
  `bug ${bug} cannot have its own number any more, as the next issue is number ${first}. Run again without --numbers keep to give it another`;

const overtaken = (number: number, landed: number): string =>
  `number ${number} was to be given next, and GitHub gave ${landed}: someone opened an issue or a pull request meanwhile. Nothing further was imported. Close the repository to others and start again, or run again without --numbers keep`;

import type { Context, RouteState } from '../kernel/context.ts';
import { bugId, type LinkId } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import {
  type Counted,
  type Findings,
  type LeftOut,
  type PairReport,
  unjudgedIn,
  type VerifyReport,
} from '../model/reports/verification.ts';
import { holdsNumber } from '../rules/links/placeholder.ts';
import { withBacklog } from './backlog.ts';
import { joinedFindings, noFindings, sinceLook } from './compare/difference.ts';
import type { SeenIssue } from './compare/seen-pair.ts';
import { aboutOf, type Inspection, inspectionOf, type VerifyProgress } from './inspection.ts';
import { knownFile, lookedAt } from './pair-of.ts';
import { type FileJob, weighFiles } from './read-files.ts';
import { readGithub } from './read-github.ts';
import { reportOf, type Walked, walkTracker } from './read-tracker.ts';
import { lookAgain } from './recheck.ts';
import { compareStore, type StoredFiles } from './stored-files.ts';
import { doubleReport, sortStrays, withoutUnread } from './strays.ts';

export interface VerifyOptions {
  /** Number of pairs to compare, chosen at random; null compares all, and looks for duplicates. */
  readonly sample: number | null;
  /** Once it aborts, nothing more is read. */
  readonly signal: AbortSignal;
  readonly tell: (progress: VerifyProgress) => void;
}

/** How many pairs with differences are read again, one by one; the others are reported as first found. */
const againMax = 500;

/**
 * Reads both sides of a route again and compares them, item by item. From the state it uses only the pairs of
 * counterparts, the writes that wait, and the reasons why items were given up. Writes nothing. Throws `SideError` if a
 * side cannot be read, and the signal's reason if it aborts.
 */
export async function verify(context: Context, { sample, signal, tell }: VerifyOptions): Promise<VerifyReport> {
  const inspection = inspectionOf(context, { signal, tell });
  const found = sample === null ? await compareAll(inspection) : await compareSome(inspection, sample);
  await compareContentsOf(inspection, found.reports);
  const stored = addStored(found.reports, await compareStore(inspection), sample === null);
  const { route, clock, store } = context;
  const imported = store.undertakings.made(route.name, 'migrate');
  const known = (link: Link | null, report: PairReport) => withKnown(context, link, report, imported);
  const pairs = [
    ...[...found.reports].map(([id, report]) => known(store.links.byId(id), report)),
    ...[...found.others, ...stored.others].map((report) => known(linkOf(context, report), report)),
  ].sort((one, other) => (one.bug ?? 0) - (other.bug ?? 0));
  return {
    route: route.name,
    product: route.selection.product,
    direction: route.direction,
    repo: `${route.owner}/${route.repo}`,
    startedAt: inspection.startedAt,
    endedAt: clock.now(),
    sample,
    pairs,
    leftOut: countedReasons(found.leftOut),
    notJudged: [
      ...unjudgedIn(pairs),
      ...found.notJudged,
      ...stored.notJudged,
      ...[...inspection.unjudged].map(([about, why]) => ({ about, why })),
    ],
    reads: inspection.reads,
  };
}

/** The link of a bug or an issue without a counterpart. */
function linkOf({ store, route }: RouteState, { bug, issue }: PairReport): Link | null {
  if (bug !== null) return store.links.byBug(bug);
  return issue === null ? null : store.links.byIssue(`${route.owner}/${route.repo}`, issue);
}

/** The bridge's knowledge of a difference, so that readers of the report need not find it out again. */
function withKnown(state: RouteState, link: Link | null, found: PairReport, imported: ReadonlySet<LinkId>): PairReport {
  const isImported = link !== null && imported.has(link.id);
  const queued = withBacklog(state, link, found, isImported);
  const report = isImported ? withoutUnread(state, link, queued) : queued;
  if (link === null || report.differences.length === 0) return report;
  const { store } = state;
  const parked = store.outbox.ofLink(link.id, 'parked').map(({ why }) => why ?? 'for no known reason');
  const { conflicts, skips } = store.findings.ofLink(link.id);
  const left = skips.flatMap(({ reason, needsPerson }) => (needsPerson ? [reason] : []));
  const open = conflicts.flatMap(({ field, kept }) =>
    kept === null ? [`${field}: both sides changed it, and a person must decide`] : [],
  );
  return {
    ...report,
    known: [
      ...once(parked).map(([why, count]) => (count === 1 ? `given up: ${why}` : `${count} writes given up: ${why}`)),
      ...open,
      ...once(left).map(([why, count]) => (count === 1 ? why : `${why} (${count} times)`)),
    ],
  };
}

/** Each reason, with its number of occurrences: forty comments of a full issue are one thing to look at. */
const once = (reasons: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(reasons, (why) => why)].map(([why, { length }]) => [why, length]);

interface Comparison {
  readonly reports: Map<LinkId, PairReport>;
  /** Bugs and issues without a counterpart. */
  readonly others: readonly PairReport[];
  readonly leftOut: readonly LeftOut[];
  readonly notJudged: readonly LeftOut[];
}

async function compareAll(inspection: Inspection): Promise<Comparison> {
  const { tally, context } = inspection;
  const links = countLinks(context);
  tally.issues.total = links.whole + links.comments;
  tally.bugs.total = links.whole;
  tally.files.total = links.files;
  const book = await readGithub(inspection);
  tally.issues.total = tally.issues.done;
  const walked = await walkTracker(inspection, book).finally(book.close);
  tally.bugs.total = tally.bugs.done;
  const rest = await judgeRest(inspection, walked);
  const strays = sortStrays(context, book.strays());
  const ofPeople = context.route.direction === 'to-github' ? [] : strays.ofPeople;
  const alones = ofPeople.map((issue) => {
    const found = alone(context, { issue: issue.number, github: issue });
    return reportOf(null, { issue }, found);
  });
  return {
    reports: walked.reports,
    others: [...walked.alone.filter(isWorthALine), ...rest.others, ...strays.ofBugs, ...alones],
    leftOut: [
      ...walked.leftOut,
      ...rest.leftOut,
      ...walked.alone.filter((each) => !isWorthALine(each)).flatMap(({ leftOut }) => leftOut),
    ],
    notJudged: [...rest.notJudged, ...strays.notJudged],
  };
}

const isWorthALine = ({ differences }: PairReport): boolean => differences.length > 0;

/** Links that the walk did not reach, and those with differences, one by one. */
async function judgeRest(inspection: Inspection, { met, reports }: Walked): Promise<Omit<Comparison, 'reports'>> {
  const others: PairReport[] = [];
  const [leftOut, notJudged]: [LeftOut[], LeftOut[]] = [[], []];
  const suspects = [...reports].filter(([, { differences }]) => differences.length > 0).map(([id]) => id);
  const unmet: LinkId[] = [];
  for (const link of linksOf(inspection.context)) {
    if (met.has(link.id)) continue;
    if (link.bug !== null && link.issue !== null && (link.state !== 'tombstone' || link.tracker?.isPrivate))
      unmet.push(link.id);
    else sortOut(inspection, link, others, leftOut);
  }
  const again = [...unmet, ...suspects.slice(0, againMax)];
  inspection.tally.again.total = again.length;
  for (const id of again) {
    const report = await lookAgain(inspection, id);
    if (report !== null) reports.set(id, report);
    else if (inspection.unjudged.has(aboutLink(inspection.context, id))) reports.delete(id);
    else if (!reports.has(id))
      notJudged.push({ about: aboutLink(inspection.context, id), why: 'it could not be read' });
  }
  return { others, leftOut, notJudged };
}

function sortOut({ context }: Inspection, link: Link, others: PairReport[], leftOut: LeftOut[]): void {
  const about = aboutOf(link);
  const { route } = context;
  if (link.state !== 'live') leftOut.push({ about, why: link.reason ?? 'its link was given up' });
  else if (link.bug !== null) leftOut.push({ about, why: 'the tracker no longer lists it, and it has no issue' });
  else if (link.github !== null && hasTwin(context, link)) others.push(doubleReport(link.github, Number(link.claim)));
  else if (link.github !== null && holdsNumber(link.github))
    leftOut.push({ about, why: 'it is only a placeholder for its number' });
  else if (route.direction === 'to-github') leftOut.push({ about, why: 'the route goes to GitHub only' });
  else
    others.push({
      ...reportOf(null, link.github === null ? null : { issue: link.github }, alone(context, link)),
      issue: link.issue,
    });
}

function alone(
  context: RouteState,
  { issue, github }: { readonly issue: number | null; readonly github: SeenIssue | null },
): Findings {
  const words = `has no bug${sinceLook((github?.createdAt ?? 0) > lookedAt(context, 'github'))}`;
  return {
    ...noFindings,
    differences: [{ aspect: 'counterpart', about: `#${issue}`, words, tracker: null, github: null }],
  };
}

/** Whether the bug that an issue names has another issue. */
function hasTwin({ store }: RouteState, { claim, issue }: Link): boolean {
  const twin = claim === null ? null : store.links.byBug(bugId(claim));
  return twin !== null && twin.issue !== null && twin.issue !== issue;
}

async function compareSome(inspection: Inspection, sample: number): Promise<Comparison> {
  const { context, tally } = inspection;
  const whole = [...linksOf(context)]
    .filter(({ bug, issue, state }) => bug !== null && issue !== null && state !== 'tombstone')
    .map(({ id }) => id);
  const chosen: LinkId[] = [];
  while (chosen.length < sample && whole.length > 0)
    chosen.push(...whole.splice(Math.floor(context.random() * whole.length), 1));
  tally.again.total = chosen.length;
  tally.files.total = chosen.reduce((sum, id) => sum + context.store.attachmentLinks.ofLink(id).length, 0);
  const reports = new Map<LinkId, PairReport>();
  for (const id of chosen) {
    const report = await lookAgain(inspection, id);
    if (report !== null) reports.set(id, report);
  }
  const notJudged = [{ about: 'all other pairs, and possible duplicates', why: 'only a sample was compared' }];
  return { reports, others: [], leftOut: [], notJudged: whole.length === 0 ? [] : notJudged };
}

async function compareContentsOf(inspection: Inspection, reports: Map<LinkId, PairReport>): Promise<void> {
  const { context, tally } = inspection;
  tally.files.total = [...reports.keys()].reduce((sum, id) => sum + jobsOf(context, id).length, 0);
  await weighFiles(inspection, jobsIn(context, reports.keys()), (id, findings) => {
    const report = reports.get(id);
    if (report !== undefined) reports.set(id, { ...report, ...joinedFindings([report, findings]) });
  });
}

/**
 * Adds files that no row of the state has to the reports of their pairs.
 * @param isWhole whether all pairs are compared, and not a sample
 */
function addStored(
  reports: Map<LinkId, PairReport>,
  { found, notJudged }: StoredFiles,
  isWhole: boolean,
): Pick<Comparison, 'others' | 'notJudged'> {
  const others: PairReport[] = [];
  for (const { link, difference } of found) {
    const report = link === null ? undefined : reports.get(link.id);
    const findings: Findings = { ...noFindings, differences: [difference] };
    if (link !== null && report !== undefined)
      reports.set(link.id, { ...report, ...joinedFindings([report, findings]) });
    else if (isWhole)
      others.push({ ...reportOf(null, null, findings), bug: link?.bug ?? null, issue: link?.issue ?? null });
  }
  return { others, notJudged: isWhole ? notJudged : [] };
}

/** One by one: what the state knows of all files would be held until the last of them is read, which takes hours. */
function* jobsIn(context: Context, links: Iterable<LinkId>): Generator<FileJob> {
  for (const link of links) yield* jobsOf(context, link);
}

function jobsOf({ store, files }: Context, link: LinkId): readonly FileJob[] {
  if (files === null || store.links.byId(link)?.state !== 'live') return [];
  return store.attachmentLinks.ofLink(link).flatMap((file): readonly FileJob[] => {
    const isThere =
      file.state === 'mirrored' &&
      (file.origin === 'github' ? file.copy !== null && file.url !== '' : file.path !== null);
    return isThere || (file.state === 'withdrawn' && file.path !== null) ? [{ link, file: knownFile(file) }] : [];
  });
}

function* linksOf({ store, route }: Context): Generator<Link> {
  for (const links of store.links.batches(route.name)) yield* links;
}

function countLinks(context: Context): { readonly whole: number; readonly comments: number; readonly files: number } {
  const count = { whole: 0, comments: 0, files: 0 };
  for (const { id, bug, issue } of linksOf(context)) {
    if (bug === null || issue === null) continue;
    count.whole += 1;
    count.comments += context.store.commentLinks.ofLink(id).length;
    count.files += context.files === null ? 0 : context.store.attachmentLinks.ofLink(id).length;
  }
  return count;
}

const aboutLink = ({ store }: RouteState, id: LinkId): string =>
  aboutOf(store.links.byId(id) ?? { bug: null, issue: null });

/** Reasons that apply to many items, each once. */
function countedReasons(all: readonly LeftOut[]): readonly Counted[] {
  return [...Map.groupBy(all, ({ why }) => why)].map(([why, list]) => ({
    why,
    count: list.length,
    examples: list.slice(0, 5).map(({ about }) => about),
  }));
}

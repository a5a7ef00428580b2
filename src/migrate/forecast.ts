import type { Context, RouteState } from '../kernel/context.ts';
import type { Work } from '../model/duration.ts';
import { issueNumber, type LinkId } from '../model/ids.ts';
import type { Bug } from '../model/item.ts';
import type { ImportDraft, Importer, ImportHome } from '../model/migration.ts';
import type { Skip } from '../model/plan/operation.ts';
import { attachmentAfter } from '../rules/attachments/life.ts';
import { statusView } from '../rules/fields/status.ts';
import { readFiles } from '../sync/observe/read-files.ts';
import { readThreads } from '../sync/observe/read-threads.ts';
import { knownBefore } from '../sync/settle/settle-older.ts';
import { checkVisibility } from '../sync/withdraw/check-visibility.ts';
import { readBoth } from './adopt.ts';
import { type Filings, filingsOf } from './filings.ts';
import { type ImportPlan, lacking, planOf } from './import-bugs.ts';
import { highestIssue } from './keep-numbers.ts';
import type { Migration } from './migration.ts';
import { withNumbers } from './numbers.ts';
import { type Remainder, remainderOf } from './remainder.ts';
import { patiently } from './until-quiet.ts';

/** The expected results of a migration, and the content that it would leave out. */
export interface Forecast {
  readonly route: string;
  readonly repo: string;
  /** Whether our account may import; null when GitHub does not say. */
  readonly mayImport: boolean | null;
  readonly bugs: number;
  readonly comments: number;
  /** Texts that are too long for one comment. */
  readonly split: readonly { readonly bug: number; readonly parts: number }[];
  readonly files: { readonly count: number; readonly bytes: number };
  readonly labels: readonly string[];
  readonly milestones: readonly string[];
  /** Issues closed for a reason that an import cannot give. */
  readonly closings: number;
  /** Comments that are minimized, because their originals are tagged so. */
  readonly minimized: number;
  /**
   * Bugs whose issues have a type, and those with values in fields of the organisation; both are set after the import.
   */
  readonly types: number;
  readonly fields: number;
  readonly relations: number;
  /** Numbers that placeholders would hold, with `--numbers keep`. */
  readonly gaps: number;
  /** Bugs that get the address of their issue at once, each in a separate request. */
  readonly pointers: number;
  /** Issues without a bug, which become bugs. */
  readonly filed: Filings;
  /** What else crosses: writes to pairs that are there already. */
  readonly remainder: Remainder;
  /** The least number of mails from the tracker. */
  readonly mails: number;
  /** Assignees that are not listed in `people`, with their number of bugs. */
  readonly unmapped: readonly { readonly name: string; readonly bugs: number }[];
  /** Values without a mapping, and anything else that waits for a person. */
  readonly problems: readonly Skip[];
  /** Content that is not public, as far as our account sees it. */
  readonly left: { readonly bugs: number; readonly files: number };
  readonly work: { readonly import: Work; readonly api: Work };
  readonly samples: readonly Sample[];
}

/** One issue as it would look. */
export interface Sample {
  readonly bug: number;
  readonly url: string;
  /** Its status on GitHub; null when the map does not name it. */
  readonly view: string | null;
  readonly draft: ImportDraft;
}

const batchSize = 200;
const problemsMax = 200;

/**
 * Plans everything without writing to either side. Reads go into the context's store, which must therefore be a copy.
 * Throws `SideError`.
 */
export async function forecast(migration: Migration, importer: Importer, samplesMax: number): Promise<Forecast> {
  const { context, limit } = migration;
  const home = await patiently(migration, () => importer.home());
  const count = newCount();
  const before = knownBefore(context);
  await readBoth({ ...migration, context: countingHidden(context, count) });
  const remainder = await remainderOf(migration, before);
  const ids = lacking(context).slice(0, limit ?? Number.MAX_SAFE_INTEGER);
  // Samples are spread over all bugs: the first ones look alike.
  const step = Math.max(1, Math.floor(ids.length / Math.max(1, samplesMax)));
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = ids.slice(at, at + batchSize);
    await read(migration, batch, home, count);
    for (const [index, id] of batch.entries()) {
      const isSample = (at + index) % step === 0 && count.samples.length < samplesMax;
      add(migration, home, count, id, isSample);
    }
    const state = { done: at + batch.length, total: ids.length, inFlight: 0, parked: 0, limitedBy: 'reading' } as const;
    migration.tell({ kind: 'progress', route: context.route.name, phase: 'reading', ...state });
  }
  return resultOf(migration, home, count, remainder);
}

const newCount = () => ({
  bugs: 0,
  highest: 0,
  comments: 0,
  bytes: 0,
  files: 0,
  hiddenFiles: 0,
  hiddenBugs: 0,
  closings: 0,
  closed: 0,
  minimized: 0,
  types: 0,
  fields: 0,
  relations: 0,
  split: [] as { bug: number; parts: number }[],
  labels: new Set<string>(),
  milestones: new Set<string>(),
  unmapped: new Map<string, number>(),
  problems: [] as Skip[],
  samples: [] as Sample[],
});
type Count = ReturnType<typeof newCount>;

/** Private bugs are never stored, so they are counted as they are read. */
function countingHidden(context: Context, count: Count): Context {
  const list: typeof context.tracker.list = async (page) => {
    const listing = await context.tracker.list(page);
    count.hiddenBugs += listing.items.filter(({ isPrivate }) => isPrivate).length;
    return listing;
  };
  return { ...context, tracker: { ...context.tracker, list } };
}

/**
 * Reads everything that planning needs. Files count as copied already, so that texts link to their future addresses.
 */
async function read(migration: Migration, ids: readonly LinkId[], { url }: ImportHome, count: Count): Promise<void> {
  const { context } = migration;
  const { store, files } = context;
  const links = ids.flatMap((id) => store.links.byId(id) ?? []);
  await patiently(migration, () => readThreads(context, links, []));
  if (files !== null) await patiently(migration, () => readFiles(context, files, links, []));
  await patiently(migration, () => checkVisibility(context, links, links));
  const branch = context.route.attachments?.branch ?? '';
  store.transaction(() => {
    for (const file of links.flatMap(({ id }) => store.attachmentLinks.ofLink(id))) {
      if (file.state === 'withdrawn') count.hiddenFiles += 1;
      if (file.state !== 'pending' || file.path === null) continue;
      count.files += 1;
      count.bytes += file.size ?? 0;
      const copy = { url: `${url}/raw/${branch}/${file.path}`, sha256: null, excerpt: null };
      store.attachmentLinks.save(attachmentAfter(file, { kind: 'copied', copy }));
    }
  });
}

function add(migration: Migration, home: ImportHome, count: Count, id: LinkId, isSample: boolean): void {
  const { context, numbers } = migration;
  const numberOf = (link: LinkId) => {
    const bug = numbers === 'keep' ? (context.store.links.byId(link)?.bug ?? null) : null;
    return bug === null ? null : issueNumber(bug);
  };
  const { wanted, input, found } = planOf(context, id, (inputs) => withNumbers(context, home, inputs, numberOf));
  const bug = input?.link.tracker ?? null;
  count.problems.push(
    ...wanted.plan.skips.filter(({ needsPerson }) => needsPerson).slice(0, problemsMax - count.problems.length),
  );
  if (bug === null) return;
  if (found === null) count.hiddenBugs += 1;
  else {
    addBug(context, count, bug, found);
    const tagged = new Set(
      input?.commentLinks.filter(({ minimize }) => minimize !== null).map((commentLink) => commentLink.id),
    );
    count.minimized += wanted.plan.operations.filter(
      (each) => each.kind === 'comment' && each.on === 'github' && tagged.has(each.commentLink),
    ).length;
    const long = wanted.plan.operations.flatMap((each) =>
      each.kind === 'comment' && each.part === 1 && each.parts > 1 ? [each.parts] : [],
    );
    count.split.push(...long.map((parts) => ({ bug: bug.id, parts })));
  }
  if (found !== null && isSample) {
    const view = statusView(context.route.status, bug.status, bug.resolution);
    count.samples.push({ bug: bug.id, url: bug.url, view, draft: found.draft });
  }
}

function addBug({ route }: RouteState, count: Count, bug: Bug, { create, draft }: ImportPlan): void {
  const view = statusView(route.status, bug.status, bug.resolution);
  count.bugs += 1;
  count.highest = Math.max(count.highest, bug.id);
  count.comments += draft.comments.length;
  if (view === null) {
    const what = `${bug.status}${bug.resolution === '' ? '' : ` ${bug.resolution}`}`;
    const reason = `the status map does not name ${what}; add it to status.toGithub`;
    if (count.problems.length < problemsMax)
      count.problems.push({ link: create.link, about: `bug ${bug.id}`, reason, needsPerson: true });
  }
  if (view === 'not_planned' || view === 'duplicate') count.closings += 1;
  if (view === 'completed' || view === 'not_planned' || view === 'duplicate') count.closed += 1;
  if (route.dependencies) count.relations += bug.dependsOn?.length ?? 0;
  if (create.draft.type !== undefined) count.types += 1;
  if (create.draft.fields !== undefined) count.fields += 1;
  if (create.parts > 1) count.split.push({ bug: bug.id, parts: create.parts });
  for (const label of draft.labels) count.labels.add(label);
  if (draft.milestone !== undefined) count.milestones.add(draft.milestone);
  const { assignee } = bug;
  const isKnown =
    assignee === null || [...route.people.nobody].some((login) => login.toLowerCase() === assignee.login.toLowerCase());
  if (!route.assignee || isKnown || route.people.github.has(assignee.login.toLowerCase())) return;
  count.unmapped.set(assignee.name, (count.unmapped.get(assignee.name) ?? 0) + 1);
}

const perPage = 100;
const perClosing = 25;
const perMinimizing = 25;
const perBatchOfFiles = 50;
/** Each is read before it is written; the fields also afterwards. */
const readsPerType = 1;
const readsPerFields = 2;
/** With kept numbers, every import is waited for: one read is too early, the next one finds it. */
const looksPerNumber = 2;

function resultOf(migration: Migration, home: ImportHome, count: Count, remainder: Remainder): Forecast {
  const { context, numbers } = migration;
  const { route } = context;
  const { bugs, comments, closings, closed, minimized, types, fields, relations, files, highest } = count;
  const pointers = route.direction === 'both' && route.pointer === 'now' ? bugs : 0;
  const filed = filingsOf(migration);
  const reading = Math.ceil(bugs / 200) + Math.ceil(bugs / 50) * (context.anonymousReader === null ? 1 : 2);
  const storeWrites = files + Math.ceil(files / perBatchOfFiles) * 3;
  const common = {
    reads: Math.ceil(bugs / perPage) + Math.ceil(comments / perPage),
    trackerRequests: reading + pointers + filed.mails + remainder.writes.tracker + files,
  };
  const sides = Math.ceil(closings / perClosing) + Math.ceil(minimized / perMinimizing);
  const later = {
    reads: types * readsPerType + fields * readsPerFields,
    writes: types + fields + relations + filed.writes + remainder.writes.github,
  };
  const gaps = Math.max(0, highest - highestIssue(context) - bugs);
  const sent =
    numbers === 'keep'
      ? { writes: bugs + gaps, reads: (bugs + gaps) * looksPerNumber }
      : { writes: bugs, reads: Math.ceil(bugs / 40) };
  return {
    route: route.name,
    repo: `${route.owner}/${route.repo}`,
    mayImport: home.mayImport,
    bugs,
    comments,
    split: count.split,
    files: { count: files, bytes: count.bytes },
    labels: [...count.labels].sort(),
    milestones: [...count.milestones].sort(),
    closings,
    minimized,
    types,
    fields,
    relations,
    gaps,
    pointers,
    filed,
    remainder,
    mails: pointers + filed.mails + remainder.writes.tracker,
    unmapped: [...count.unmapped]
      .map(([name, times]) => ({ name, bugs: times }))
      .sort((one, other) => other.bugs - one.bugs),
    problems: count.problems,
    left: { bugs: count.hiddenBugs, files: count.hiddenFiles },
    work: {
      import: {
        ...common,
        reads: common.reads + sent.reads + sides + later.reads,
        writes: sent.writes + sides + later.writes + storeWrites,
        creations: 0,
      },
      api: {
        ...common,
        reads: common.reads + closed + minimized,
        writes: closed + minimized + relations + filed.writes + remainder.writes.github + storeWrites,
        creations: bugs + comments,
      },
    },
    samples: count.samples,
  };
}

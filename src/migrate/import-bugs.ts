import type { Context, RouteState } from '../kernel/context.ts';
import { spare, workOn } from '../kernel/set-aside.ts';
import type { CommentLinkId, IssueNumber, LinkId } from '../model/ids.ts';
import type { Fields } from '../model/item.ts';
import type { ImportComment, ImportDraft, Importer, ImportHome } from '../model/migration.ts';
import type { CommentOperation, CreateOperation, Operation, Plan } from '../model/plan/operation.ts';
import type { CyclePlan, PlanInput } from '../model/plan/plan-input.ts';
import type { Route } from '../model/route.ts';
import { rendererOf } from '../rules/comments/render.ts';
import { leavable } from '../rules/fields/left-out.ts';
import { order, partHeld } from '../rules/limits/brake-and-budget.ts';
import { plan, policy } from '../rules/plan/plan.ts';
import { persistPlan } from '../sync/observe/persist-plan.ts';
import { pollChanges } from '../sync/observe/poll.ts';
import { readFiles } from '../sync/observe/read-files.ts';
import { readThreads } from '../sync/observe/read-threads.ts';
import { planContextOf, planInputsOf } from '../sync/observe/select.ts';
import { changeAttachmentStore } from '../sync/perform/change-attachment-store.ts';
import { checkVisibility } from '../sync/withdraw/check-visibility.ts';
import { ImportsInFlight, inFlightMax } from './in-flight.ts';
import type { Migration } from './migration.ts';
import { withNumbers } from './numbers.ts';
import { landedOf } from './resume.ts';
import { patiently } from './until-quiet.ts';
import { withdrawSent } from './withdraw-sent.ts';

/** How many bugs are read before the first of them is sent. */
const batchSize = 200;

/** How often the files are tried that bugs wait for. */
const storingMax = 3;

/** Imports bugs that have no issue, in their order, and returns what became of the imports. Throws `SideError`. */
export async function importBugs(
  migration: Migration,
  importer: Importer,
  home: ImportHome,
  chosen: readonly LinkId[],
): Promise<ImportsInFlight> {
  const { context, tell } = migration;
  const { route } = context;
  const progress = () => {
    const { begun, count, parked } = importsInFlight;
    const state = { done: begun - count, total: chosen.length, inFlight: count, parked: parked.size } as const;
    tell({
      kind: 'progress',
      route: route.name,
      phase: 'importing',
      ...state,
      limitedBy: count >= inFlightMax ? 'imports' : 'github',
    });
  };
  const importsInFlight = new ImportsInFlight(migration, importer, progress);
  const before = landedOf(context);
  const numbers = (id: LinkId): IssueNumber | null => importsInFlight.landed.get(id) ?? before.get(id) ?? null;
  for (const batch of batchesOf(chosen)) {
    await prepare(migration, batch);
    for (const id of batch) {
      await importsInFlight.makeRoom();
      const { wanted, found } = planOf(context, id, (inputs) => withNumbers(context, home, inputs, numbers));
      if (found === null || wanted.operations.length === 0) persistPlan(context, wanted);
      else await importsInFlight.send(found, () => persistPlan(context, wanted));
    }
  }
  await importsInFlight.end();
  return importsInFlight;
}

/**
 * Links of bugs that have no issue, in the order of the bugs, without those in doubt. Of all the links, only a few are
 * in memory at a time.
 */
export function lacking({ store, route }: RouteState): readonly LinkId[] {
  const inDoubt = new Set(store.outbox.eachSent(route.name).map(({ operation }) => operation.link));
  const found: { readonly id: LinkId; readonly bug: number }[] = [];
  for (const links of store.links.batches(route.name)) {
    for (const { id, bug, issue, claim, state, tracker } of links) {
      const isLacking = state === 'live' && issue === null && claim === null && tracker?.isPrivate === false;
      if (isLacking && !inDoubt.has(id)) found.push({ id, bug: bug ?? 0 });
    }
  }
  return found.sort((one, other) => one.bug - other.bug).map(({ id }) => id);
}

function batchesOf(ids: readonly LinkId[]): readonly (readonly LinkId[])[] {
  return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/**
 * Reads comments, stores the files that texts link to, and checks visibility again: a migration takes hours, and a bug
 * that was public when the tracker was read may be hidden by the time its turn comes.
 */
export async function prepare(migration: Migration, ids: readonly LinkId[]): Promise<void> {
  const { context } = migration;
  const { files } = context;
  await patiently(migration, () => pollChanges(context, 'tracker'));
  await withdrawSent(migration);
  const links = ids.flatMap((id) => context.store.links.byId(id) ?? []);
  await patiently(migration, () => readThreads(context, links, []));
  if (files !== null) await patiently(migration, () => readFiles(context, files, links, []));
  await patiently(migration, () => checkVisibility(context, links, links));
  for (let attempt = 0; attempt < storingMax; attempt += 1) {
    const plans = ids.map((id) => {
      const { wanted } = planOf(context, id);
      return { ...wanted, operations: wanted.ready.filter(({ kind, on }) => kind === 'file' && on === 'github') };
    });
    const operations = plans.flatMap((wanted) => wanted.operations);
    if (operations.length === 0) return;
    for (const wanted of plans) persistPlan(context, wanted);
    await patiently(migration, () => changeAttachmentStore(context, operations));
  }
}

interface PlannedImport {
  readonly wanted: CyclePlan;
  readonly input: PlanInput | undefined;
  /** Null when no issue is to be created now. */
  readonly found: ImportPlan | null;
}

const nothing: Plan = { operations: [], notes: [], conflicts: [], skips: [] };
const unplanned: PlannedImport = {
  wanted: {
    plan: nothing,
    changed: [],
    ready: [],
    operations: [],
    held: [],
    spaced: new Map(),
    selected: [],
    links: 0,
    withdrawals: new Map(),
  },
  input: undefined,
  found: null,
};

/**
 * What the mirror would do with one bug if GitHub had been read completely; only the creation of the issue is
 * performed. Nothing, for a bug on which the planning fails: it is set aside.
 */
export function planOf(
  context: Context,
  id: LinkId,
  adjust: (inputs: readonly PlanInput[]) => readonly PlanInput[] = (inputs) => inputs,
): PlannedImport {
  const { store, route, clock } = context;
  const link = store.links.byId(id);
  if (link === null) return unplanned;
  const planned = spare(context, workOn(context, link, 'plan'), (): PlannedImport => {
    const inputs = adjust(planInputsOf(context, [link]));
    const planContext = { ...planContextOf(context), isComplete: { tracker: true, github: true } };
    const whole: Plan = policy(plan(planContext, inputs), route.direction);
    const { ready, held } = partHeld(order(whole.operations), store.outbox.get, clock.now());
    const operations = importsOf(route, ready);
    const selected = inputs.map((input) => input.link);
    const [input] = inputs;
    return {
      wanted: { ...unplanned.wanted, plan: whole, ready, operations, held, selected },
      input,
      found: importPlan(route, input, whole.operations),
    };
  });
  return planned ?? unplanned;
}

export type IssueCreation = CreateOperation & { readonly on: 'github' };

/** The plan for a bug without an issue, as one import. */
export interface ImportPlan {
  readonly create: IssueCreation;
  readonly draft: ImportDraft;
  /** What the draft shows: a description and comments. */
  readonly originals: readonly CommentLinkId[];
}

const labelLengthMax = 50;

/**
 * Turns the mirror's plan for a bug without an issue into one import: the same title, body, comments and values, in the
 * same order. Null when no issue is to be created now. An import can only close as completed; other reasons follow once
 * the issue exists.
 * @param input the plan input of the bug's link
 * @param operations the operations planned for it, in order
 */
function importPlan(route: Route, input: PlanInput | undefined, operations: readonly Operation[]): ImportPlan | null {
  const bug = input?.link.tracker ?? null;
  const create = operations.find(isIssueCreation);
  const comments = input === undefined ? null : commentsOf(route, input, operations);
  if (bug === null || comments === null || create === undefined) return null;
  const { title, body, labels, assignees = [], milestone } = create.draft;
  const [assignee] = assignees;
  const closing = operations.find((each) => each.kind === 'update' && each.on === 'github');
  const isClosed = closing?.kind === 'update' && closing.target.status === 'completed';
  return {
    create,
    originals: [create, ...operations.filter(isIssueComment)].flatMap(({ commentLink }) => commentLink ?? []),
    draft: {
      title,
      body,
      // One label that GitHub refuses would fail the whole import.
      labels: labels.filter((label) => [...label].length <= labelLengthMax),
      ...(assignee === undefined ? {} : { assignee }),
      ...(milestone === undefined ? {} : { milestone }),
      isClosed,
      createdAt: bug.createdAt,
      changedAt: bug.changedAt,
      comments,
    },
  };
}

/**
 * The issue creations among the operations, reduced to fields that imports certainly set: types and fields of the
 * organisation follow once the issues exist, and an assignee or a milestone that GitHub does not accept is left out. A
 * value that counts as written but does not show on the issue would look like an edit by a person, and be carried to
 * the tracker.
 */
function importsOf(route: Route, operations: readonly Operation[]): readonly IssueCreation[] {
  const late = leavable(route);
  const importable = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !late.some((each) => each === name)));
  return operations
    .filter(isIssueCreation)
    .map((create) => ({ ...create, target: importable(create.target), source: importable(create.source) }));
}

const isIssueCreation = (operation: Operation): operation is IssueCreation =>
  operation.kind === 'create' && operation.on === 'github';

const isIssueComment = (operation: Operation): operation is CommentOperation =>
  operation.kind === 'comment' && operation.on === 'github';

/** The comments in their order; null if one of them cannot be rendered now. */
function commentsOf(route: Route, input: PlanInput, operations: readonly Operation[]): readonly ImportComment[] | null {
  const render = rendererOf(route, input);
  const comments: ImportComment[] = [];
  for (const operation of operations) {
    if (!isIssueComment(operation)) continue;
    const commentLink = input.commentLinks.find(({ id }) => id === operation.commentLink);
    const rendering = render(operation);
    if (commentLink === undefined || rendering.kind !== 'text') return null;
    comments.push({ body: rendering.text, createdAt: commentLink.createdAt });
  }
  return comments;
}

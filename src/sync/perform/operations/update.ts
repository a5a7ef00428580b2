import type { Context, Performed } from '../../../kernel/context.ts';
import { markSent, receiptOf } from '../../../kernel/outbox.ts';
import type { FieldName, Fields, Issue, Item } from '../../../model/item.ts';
import type { Link } from '../../../model/link.ts';
import { type Outcome, SideError } from '../../../model/outcome.ts';
import type { BugPatch, IssuePatch } from '../../../model/plan/draft.ts';
import type { UpdateOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { bugSteps, isNaming, issueSteps } from '../../../rules/fields/plan.ts';
import { blockerSteps } from '../../../rules/fields/relations.ts';
import { isOpenView } from '../../../rules/fields/status.ts';
import { withTableStep } from '../../../rules/fields/table.ts';
import { withThumbsUpStep } from '../../../rules/labels/tags.ts';
import { pointerOf, pointKey } from '../../../rules/links/match.ts';
import { isNameable, publicBug } from '../../../rules/privacy/gate.ts';
import { equalFields, equalValues, namesIn } from '../../../text/canonical.ts';
import { bugPointer } from '../../../text/pointer.ts';
import { fieldsOn, pick } from '../../observe/fields-on.ts';
import { neighboursOf } from '../../observe/mentions.ts';
import { observeItem } from '../../observe/observe-items.ts';
import { fixedBy, tellFixed, withComment } from '../fixed-by.ts';
import { recordStep, recordUpdate } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { type OperationHandler, wordless } from './handler.ts';

export const update: OperationHandler<'update'> = {
  perform: performUpdate,
  hasArrived: (context, link, { on, target }) => equalFields(pick(fieldsOn(context, link, on, target), target), target),
  printed: wordless,
};

/**
 * Carries out an update; if the side refuses it as a whole, field by field, so that one value does not hold back the
 * others.
 */
async function performUpdate(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: UpdateOperation,
): Promise<Performed> {
  const said = isClosing(operation) ? await fixedBy(context, row, link) : null;
  if (said === 'waits') return waitsForCloser;
  const whole = await carrySaying(context, row, link, operation, said);
  if (whole !== null && whole !== 'waits' && whole.kind === 'stale') await lookAgain(context, link, operation);
  if (whole === 'waits') return letPass(context, link, operation);
  if (whole === null) return finished(context, row, null);
  const parts = partsOf(operation);
  if (whole.kind !== 'refused' || parts.length < 2) return recordFailure(context, row, whole);
  let applied = 0;
  for (const part of parts) {
    const outcome = await carrySaying(context, row, context.store.links.byId(link.id) ?? link, part, said);
    if (outcome === null) applied += 1;
    else if (outcome !== 'waits' && outcome.kind !== 'refused') return recordFailure(context, row, outcome);
  }
  // The next cycle plans the refused values again, and parks them.
  return applied === 0 ? recordFailure(context, row, whole) : finished(context, row, whole.why);
}

/** Whether the bug is closed by it. */
export const isClosing = ({ on, target: { status } }: UpdateOperation): boolean =>
  on === 'tracker' && typeof status === 'string' && !isOpenView(status);

const waitsForCloser: Performed = {
  result: { kind: 'later', why: 'GitHub does not say yet what closed the issue' },
  isBlocking: false,
  wantsPlan: true,
};

/**
 * Renaming or removing a label or an option changes many issues, and may not appear in any list of changes. Only
 * reading the issue shows its current values; without that, each cycle would try the same again. If the reading fails,
 * the next cycle tries again.
 */
async function lookAgain(context: Context, { issue }: Link, { on }: UpdateOperation): Promise<void> {
  if (on === 'tracker' || issue === null) return;
  try {
    const probe = await context.github.probe(issue);
    if (probe.kind === 'there') context.store.transaction(() => observeItem(context, probe.item, 'live'));
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
  }
}

/**
 * Lets the duplicate's target go first, and moves this link to the backfill. Live changes go first, up to the limit of
 * a cycle: without this exchange, neither link would get its turn, nor any link behind them.
 */
function letPass(context: Context, { id }: Link, operation: UpdateOperation): Performed {
  const { store } = context;
  store.transaction(() => {
    const [twin, link] = [twinOf(context, operation), store.links.byId(id)];
    if (twin !== null) store.links.save({ ...twin, urgency: 'live' });
    if (link !== null) store.links.save({ ...link, urgency: 'backfill' });
  });
  return {
    result: { kind: 'later', why: 'it waits for the issue of the bug that it duplicates' },
    isBlocking: true,
    wantsPlan: true,
  };
}

/** The server showed the whole item: changes by others are known now, and no poll will bring them as news. */
function finished({ store }: Context, { operation }: OutboxRow, why: string | null): Performed {
  store.outbox.remove(operation.key);
  return { result: { kind: 'applied', why }, isBlocking: false, wantsPlan: true };
}

/** Each field separately, the status last: workflows and permissions forbid it most often. */
function partsOf(operation: UpdateOperation): readonly UpdateOperation[] {
  const names = namesIn(operation.target).filter((name) => operation.target[name] !== undefined);
  const inOrder = [...names.filter((name) => name !== 'status'), ...names.filter((name) => name === 'status')];
  const only = (fields: Fields, name: FieldName): Fields =>
    fields[name] === undefined ? {} : { [name]: fields[name] };
  const { isPointing: _alone, ...plain } = operation;
  return inOrder.map((name) => ({
    ...plain,
    target: only(operation.target, name),
    source: only(operation.source, name),
    replaces: only(operation.replaces, name),
    overruled: operation.overruled.filter(({ field }) => field === name),
    ...(operation.corrects === undefined ? {} : { corrects: operation.corrects.filter((field) => field === name) }),
  }));
}

type Failure = Exclude<Outcome<Item>, { readonly kind: 'applied' }>;

/** A tracker that refuses the comment takes the closing without it. */
async function carrySaying(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: UpdateOperation,
  said: string | null,
): Promise<Failure | 'waits' | null> {
  if (said === null || !isClosing(operation)) return carry(context, row, link, operation, null);
  const outcome = await carry(context, row, link, operation, said);
  if (outcome === null) tellFixed(context, link, said);
  if (outcome === null || outcome === 'waits' || outcome.kind !== 'refused') return outcome;
  return carry(context, row, context.store.links.byId(link.id) ?? link, operation, null);
}

/** Null when every step was applied and recorded. */
async function carry(
  context: Context,
  row: OutboxRow,
  link: Link,
  planned: UpdateOperation,
  said: string | null,
): Promise<Failure | 'waits' | null> {
  const operation = (await mayNameTwin(context, planned)) ? planned : { ...planned, duplicateOf: null };
  const steps = stepsFor(context, link, operation, (patches) => (said === null ? patches : withComment(patches, said)));
  if (steps.kind === 'wait') return 'waits';
  if (steps.kind === 'impossible') return { kind: 'refused', why: steps.why };
  const isNamed = (twinOf(context, operation)?.github ?? null) !== null;
  let [current, left] = [link, isNamed ? operation : { ...operation, duplicateOf: null }];
  for (const [index, { send, leaves = [] }] of steps.sends.entries()) {
    markSent(context, row);
    const outcome = await send(current);
    if (outcome.kind !== 'applied') return outcome;
    const isLast = index === steps.sends.length - 1;
    const sent = onlyOf(left, (name) => !leaves.includes(name));
    current = isLast ? recordUpdate(context, sent, outcome) : recordStep(context, sent, outcome);
    left = withoutArrived(context, current, left, leaves, outcome.foreign);
  }
  if (steps.sends.length === 0) recordUpdate(context, operation, { item: null });
  return null;
}

/**
 * A value that showed after one step and differs after the next was changed by another user in between; a foreign one
 * before that.
 */
function withoutArrived(
  context: Context,
  link: Link,
  operation: UpdateOperation,
  leaves: readonly FieldName[],
  foreign: readonly FieldName[] = [],
): UpdateOperation {
  const shown = fieldsOn(context, link, operation.on, operation.target);
  const isLeft = (name: FieldName) =>
    name === 'status' || leaves.includes(name) || !equalValues(shown[name], operation.target[name]);
  const left = onlyOf(operation, (name) => isLeft(name) && !foreign.includes(name));
  return {
    ...left,
    overruled: operation.overruled.filter(({ field }) => leaves.length === 0 || leaves.includes(field)),
  };
}

/** The part of an update that is about these fields. */
function onlyOf(operation: UpdateOperation, isMeant: (name: FieldName) => boolean): UpdateOperation {
  const only = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => isMeant(name as FieldName)));
  const overruled = operation.overruled.filter(({ field }) => isMeant(field));
  return {
    ...operation,
    target: only(operation.target),
    source: only(operation.source),
    replaces: only(operation.replaces),
    overruled,
  };
}

/** A tracker that stored the address several times without showing it is not asked again. */
const mayPoint = ({ store, limits }: Context, { id }: Link, { isPointing }: UpdateOperation): boolean =>
  isPointing === true && (receiptOf(store, id).vain[pointKey(id, 'tracker')] ?? 0) < limits.attempts;

/**
 * A tracker that refuses the address in See Also takes it as a comment in the same request, unless that has one to make
 * already.
 */
async function sendPointing({ tracker, route }: Context, link: Link, patch: BugPatch): Promise<Outcome<Item>> {
  const pointer = pointerOf(route, link, 'tracker');
  if (link.tracker === null || link.github === null || pointer === null)
    return { kind: 'refused', why: 'the link has only one end' };
  const outcome =
    pointer.how === 'see-also' ? await tracker.update(link.tracker, { ...patch, seeAlso: pointer.url }) : null;
  if (outcome !== null && outcome.kind !== 'refused') return outcome;
  return tracker.update(link.tracker, { comment: bugPointer(link.github.url), ...patch });
}

/**
 * What goes along with other changes only: the pointer, and the thumbs up. A tracker that refuses the whiteboard takes
 * the change without it.
 */
async function sendFirst(context: Context, link: Link, patch: BugPatch, isPointing: boolean): Promise<Outcome<Item>> {
  const { tracker: bug } = link;
  if (bug === null) return { kind: 'refused', why: 'the link has only one end' };
  const send = (sent: BugPatch) => (isPointing ? sendPointing(context, link, sent) : context.tracker.update(bug, sent));
  const counted = context.route.thumbsUp ? withThumbsUpStep(bug, link.github, patch) : patch;
  const outcome = await send(counted);
  return outcome.kind === 'refused' && counted !== patch ? send(patch) : outcome;
}

/** The only request of an update of a bug, with a comment in it; null if the update takes several requests, or none. */
export function onlyRequest(
  context: Context,
  link: Link,
  operation: UpdateOperation,
  words: Pick<BugPatch, 'comment' | 'isMarkdown'>,
): Send['send'] | null {
  const steps = stepsFor(context, link, operation, (patches) => patches.map((patch) => ({ ...patch, ...words })));
  return steps.kind === 'steps' && steps.sends.length === 1 ? (steps.sends[0]?.send ?? null) : null;
}

interface Send {
  readonly send: (link: Link) => Promise<Outcome<Item>>;
  /** What of the update this one does not carry, as a later one does. */
  readonly leaves?: readonly FieldName[];
}

/** The bug that this one duplicates, unless it is hidden: then GitHub does not say which one it is. */
function twinOf({ store, route }: Context, { duplicateOf }: UpdateOperation): Link | null {
  const twin = duplicateOf === null ? null : store.links.byBug(duplicateOf);
  return twin !== null && isNameable(route, twin) ? twin : null;
}

/** A bug of another route is read once more without an account: its own route may not know yet that it was hidden. */
async function mayNameTwin(
  { store, route, anonymousReader }: Context,
  { on, duplicateOf }: UpdateOperation,
): Promise<boolean> {
  const twin = on === 'tracker' || duplicateOf === null ? null : store.links.byBug(duplicateOf);
  if (twin === null || twin.bug === null || twin.route === route.name) return true;
  if (anonymousReader === null || !isNameable(route, twin)) return false;
  try {
    return Boolean((await anonymousReader.bugs([twin.bug])).get(twin.bug));
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
    return false;
  }
}

function stepsFor(
  context: Context,
  link: Link,
  operation: UpdateOperation,
  withWords: (steps: readonly BugPatch[]) => readonly BugPatch[],
): { kind: 'wait' } | { kind: 'impossible'; why: string } | { kind: 'steps'; sends: readonly Send[] } {
  const { route, session } = context;
  const { tracker: bug, github: issue } = link;
  if (bug === null || issue === null) return { kind: 'impossible', why: 'the link has only one end' };
  if (operation.on === 'tracker') {
    const steps = bugSteps(route, session.vocabulary, operation, bug);
    if (steps.kind === 'impossible') return steps;
    const isPointing = mayPoint(context, link, operation);
    const send =
      (patch: BugPatch, index: number) =>
      (now: Link): Promise<Outcome<Item>> =>
        index === 0 ? sendFirst(context, now, patch, isPointing) : context.tracker.update(now.tracker ?? bug, patch);
    return { kind: 'steps', sends: withWords(steps.steps).map((patch, index) => ({ send: send(patch, index) })) };
  }
  const twin = twinOf(context, operation);
  if (twin?.route === route.name && twin.state === 'live' && twin.github === null && twin.urgency !== 'none')
    return { kind: 'wait' };
  // Its own route is about to find out that it is hidden.
  if (isNaming(operation) && (twin?.github ?? null) === null) return { kind: 'wait' };
  const steps = issueSteps(
    route,
    session.vocabulary,
    operation,
    issue,
    link.base?.github ?? {},
    twin?.github?.id ?? null,
  );
  const sendBlocker =
    (patch: IssuePatch): Send['send'] =>
    async (now) => {
      const outcome = await context.github.update(now.github ?? issue, patch);
      // If GitHub refuses a relation (usually a loop), the body says it instead, and nothing is held back.
      return outcome.kind === 'refused' ? { kind: 'applied', item: now.github ?? issue } : outcome;
    };
  const blockers = blockerSteps(operation, neighboursOf(context, link)).map((patch) => ({ send: sendBlocker(patch) }));
  const patches = withTableStep(route, steps, operation, { bug: publicBug(route, link), issue });
  return { kind: 'steps', sends: [...patches.flatMap((patch) => fieldsApart(context, issue, patch)), ...blockers] };
}

/**
 * Fields of the organisation take a request of their own. If that one has to wait, what the first one changed is
 * recorded all the same. They are compared with what was planned from, not with the answer to the first one, which may
 * show what somebody chose meanwhile.
 */
function fieldsApart({ github, route }: Context, issue: Issue, patch: IssuePatch): readonly Send[] {
  const { fields, ...rest } = patch;
  const send = (now: Link) => github.update(now.github ?? issue, rest);
  if (fields === undefined) return [{ send }];
  const planned = issue.fields === undefined ? {} : { fields: issue.fields };
  const sendFields = (now: Link) => github.update({ ...(now.github ?? issue), ...planned }, { fields });
  const leaves = route.labels.flatMap(({ from, field }) => (field === undefined ? [] : [from]));
  return Object.keys(rest).length === 0 ? [{ send: sendFields }] : [{ send, leaves }, { send: sendFields }];
}

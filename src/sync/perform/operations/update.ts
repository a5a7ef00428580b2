import { heldUntil } from '../../../kernel/backoff.ts';
import type { Context, Performed, RouteState } from '../../../kernel/context.ts';
import { markSent } from '../../../kernel/outbox.ts';
import type { FieldName, Fields, Item } from '../../../model/item.ts';
import type { Link } from '../../../model/link.ts';
import { type Outcome, SideError } from '../../../model/outcome.ts';
import type { UpdateOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { ignoredInWords } from '../../../rules/fields/left-out.ts';
import { contentIn } from '../../../rules/fields/plan.ts';
import { isOpenView } from '../../../rules/fields/status.ts';
import { costOf } from '../../../rules/operations/operations.ts';
import { equalFields, equalValues, namesIn } from '../../../text/canonical.ts';
import { fieldsOn, pickFields } from '../../observe/fields-on.ts';
import { observeItem } from '../../observe/observe-items.ts';
import { fixedBy, tellFixed, withComment } from '../fixed-by.ts';
import { ignoredIn, leavesLabels, recordSeen, recordStep, recordUpdate } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { mayNameTwin, stepsFor, twinOf } from '../update-requests.ts';
import { type OperationHandler, wordless } from './handler.ts';

export const update: OperationHandler<'update'> = {
  perform: performUpdate,
  hasArrived: (context, link, { on, target }) =>
    equalFields(pickFields(fieldsOn(context, link, on, target), target), target),
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
  if (whole.kind === 'ignored') return parkIgnored(context, row, operation, whole.fields);
  const parts = partsOf(operation);
  if (whole.kind !== 'refused' || parts.length < 2) return recordFailure(context, row, whole);
  let [applied, isOfValue] = [0, true];
  for (const part of parts) {
    const outcome = await carrySaying(context, row, context.store.links.byId(link.id) ?? link, part, said);
    if (outcome === null) applied += 1;
    else if (outcome === 'waits' || outcome.kind !== 'refused' || outcome.isOfValue !== true) isOfValue = false;
    if (outcome !== null && outcome !== 'waits' && outcome.kind !== 'refused' && outcome.kind !== 'ignored')
      return recordFailure(context, row, outcome);
  }
  const { isOfValue: _first, ...refusal } = whole;
  const refused = isOfValue ? whole : refusal;
  // The next cycle plans the refused values again, and parks them.
  return applied === 0 ? recordFailure(context, row, refused) : finished(context, row, whole.why);
}

/** What GitHub did not take stays wanted: it is tried again like anything that a side refused. */
async function parkIgnored(
  context: Context,
  row: OutboxRow,
  operation: UpdateOperation,
  fields: readonly FieldName[],
): Promise<Performed> {
  const { isContent: _whole, ...left } = onlyOf(operation, (name) => fields.includes(name));
  const rest = { ...left, ...contentIn(context.route, operation.on, left.target) };
  context.store.outbox.mark(operation.key, { operation: rest });
  const why = ignoredInWords(fields);
  return { ...(await recordFailure(context, { ...row, operation: rest }, { kind: 'refused', why })), wantsPlan: true };
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
function letPass(context: RouteState, { id }: Link, operation: UpdateOperation): Performed {
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
function finished({ store }: RouteState, { operation }: OutboxRow, why: string | null): Performed {
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

type Failure =
  | Exclude<Outcome<Item>, { readonly kind: 'applied' }>
  /** GitHub answered without an error, and shows these fields as before. */
  | { readonly kind: 'ignored'; readonly fields: readonly FieldName[] };

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
  if (outcome === null) tellFixed(context, context.store.links.byId(link.id) ?? link, operation.key, said);
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
  // Each dependency and each request about fields is content: what the allowance has no room for is planned again.
  const heldNow = () => (costOf(operation) === 'create' ? heldUntil(context, operation) : null);
  const mayGoOn = (): boolean => {
    const isFree = heldNow() === null;
    if (isFree) markSent(context, row);
    return isFree;
  };
  let [current, left] = [link, isNamed ? operation : { ...operation, duplicateOf: null }];
  const ignored: FieldName[] = [];
  let isTidied = true;
  for (const [index, { send, leaves = [] }] of steps.sends.entries()) {
    const held = index > 0 ? heldNow() : null;
    if (held !== null) return { kind: 'stale', why: held.why };
    markSent(context, row);
    const outcome = await send(current, mayGoOn);
    if (outcome.kind !== 'applied') return outcome;
    const isLast = index === steps.sends.length - 1;
    const asked = onlyOf(left, (name) => !leaves.includes(name) && (isLast || name !== 'status'));
    const untaken = ignoredIn(context, current, asked, outcome.item);
    ignored.push(...untaken);
    isTidied &&= !leavesLabels(current, operation, outcome.item);
    left = onlyOf(left, (name) => !untaken.includes(name));
    const sent = onlyOf(left, (name) => !leaves.includes(name));
    const isNothing = !isTidied || (untaken.length > 0 && Object.keys(sent.target).length === 0);
    if (isNothing) current = recordSeen(context, current, outcome.item);
    else current = isLast ? recordUpdate(context, sent, outcome) : recordStep(context, sent, outcome);
    left = withoutArrived(context, current, left, leaves, outcome.foreign);
  }
  if (steps.sends.length === 0) recordUpdate(context, operation, { item: null });
  return ignored.length === 0 && isTidied ? null : { kind: 'ignored', fields: ignored };
}

/**
 * A value that showed after one step and differs after the next was changed by another user in between; a foreign one
 * before that.
 */
function withoutArrived(
  context: RouteState,
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

import { type Pointer, pointerOf } from '../core/plan-pointers.ts';
import { bugSteps, issueSteps } from '../core/steps.ts';
import type { Comment, Item } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { BugPatch, IssuePatch, Operation, UpdateOperation } from '../model/operation.ts';
import type { Outcome } from '../model/outcome.ts';
import type { OutboxRow } from '../model/store.ts';
import type { Context, Result } from './context.ts';
import { costOf } from './cost.ts';
import { recordComment, recordCreate, recordPoint, recordStep, recordUpdate } from './record.ts';
import { recordFailure } from './record-failure.ts';

export interface Performed {
  readonly result: Result;
  /** True when the later operations of the link must not run now. */
  readonly isBlocking: boolean;
  /** True when the link is to be planned again in the next cycle. */
  readonly wantsPlan: boolean;
}

/**
 * Carries out one operation. The intention and what it costs are stored before the request leaves, so that neither a
 * second request nor a forgotten one can follow from a crash.
 */
export async function perform(context: Context, row: OutboxRow): Promise<Performed> {
  const { operation } = row;
  const link = context.store.links.byId(operation.link);
  if (link === null || link.state !== 'live') return drop(context, operation);
  if (operation.kind === 'create') return performCreate(context, row, link);
  if (operation.kind === 'update') return performUpdate(context, row, link, operation);
  if (operation.kind === 'comment') return performComment(context, row, link);
  return performPoint(context, row, link);
}

async function performCreate(context: Context, row: OutboxRow, link: Link): Promise<Performed> {
  const { operation } = row;
  if (operation.kind !== 'create') return drop(context, operation);
  if ((operation.on === 'tracker' ? link.bug : link.issue) !== null) return drop(context, operation);
  intend(context, row);
  const outcome: Outcome<Item> =
    operation.on === 'tracker' ? await context.tracker.create(operation.draft) : await context.github.create(operation.draft);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordCreate(context, operation, outcome.item);
  return answered;
}

async function performComment(context: Context, row: OutboxRow, link: Link): Promise<Performed> {
  const { operation } = row;
  const ref = operation.on === 'tracker' ? link.bug : link.issue;
  if (operation.kind !== 'comment' || ref === null) return drop(context, operation);
  const entry = context.store.entries.byId(operation.entry);
  if (entry === null || entry.state === 'gone' || (!operation.isEdit && entry.copy !== null)) return drop(context, operation);
  intend(context, row);
  const outcome: Outcome<Comment> = await context[operation.on].comment(ref, operation.text);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordComment(context, operation, entry, outcome.item);
  return applied;
}

async function performPoint(context: Context, row: OutboxRow, link: Link): Promise<Performed> {
  const { operation } = row;
  const pointer = pointerOf(context.route, link, operation.on);
  if (operation.kind !== 'point' || pointer === null || link.pointed[operation.on]) return drop(context, operation);
  intend(context, row);
  const outcome = await point(context, link, pointer);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordPoint(context, operation, outcome.item);
  return answered;
}

async function point({ tracker, github }: Context, link: Link, pointer: Pointer): Promise<Outcome<Item | Comment>> {
  const { tracker: bug, github: issue } = link;
  if (bug === null || issue === null) return { kind: 'refused', why: 'the link has only one end' };
  if (pointer.how === 'footer') return github.update(issue, { footer: pointer.footer });
  return pointer.how === 'see-also' ? tracker.update(bug, { seeAlso: pointer.url }) : tracker.comment(bug.id, pointer.text);
}

async function performUpdate(context: Context, row: OutboxRow, link: Link, operation: UpdateOperation): Promise<Performed> {
  const steps = stepsFor(context, link, operation);
  if (steps.kind === 'wait') return later('it waits for the issue of the bug that it duplicates');
  if (steps.kind === 'impossible') return recordFailure(context, row, { kind: 'refused', why: steps.why });
  let current = link;
  for (const [index, send] of steps.sends.entries()) {
    intend(context, row);
    const outcome = await send(current);
    if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
    const isLast = index === steps.sends.length - 1;
    current = isLast ? recordUpdate(context, operation, outcome) : recordStep(context, operation, outcome);
  }
  if (steps.sends.length === 0) recordUpdate(context, operation, { item: null });
  return answered;
}

type Send = (link: Link) => Promise<Outcome<Item>>;

function stepsFor(
  context: Context,
  link: Link,
  operation: UpdateOperation,
): { kind: 'wait' } | { kind: 'impossible'; why: string } | { kind: 'steps'; sends: readonly Send[] } {
  const { route, session, store } = context;
  const { tracker: bug, github: issue } = link;
  if (bug === null || issue === null) return { kind: 'impossible', why: 'the link has only one end' };
  if (operation.on === 'tracker') {
    const steps = bugSteps(route, session.vocabulary, operation, bug);
    if (steps.kind === 'impossible') return steps;
    const send =
      (patch: BugPatch): Send =>
      (now) =>
        context.tracker.update(now.tracker ?? bug, patch);
    return { kind: 'steps', sends: steps.steps.map(send) };
  }
  const twin = operation.duplicateOf === null ? null : store.links.byBug(operation.duplicateOf);
  if (twin !== null && twin.state === 'live' && twin.github === null && twin.urgency !== 'none') return { kind: 'wait' };
  const steps = issueSteps(route, session.vocabulary, operation, issue, link.base?.github ?? {}, twin?.github?.id ?? null);
  const send =
    (patch: IssuePatch): Send =>
    (now) =>
      context.github.update(now.github ?? issue, patch);
  return { kind: 'steps', sends: steps.map(send) };
}

function intend(context: Context, row: OutboxRow): void {
  const { store, clock } = context;
  const now = clock.now();
  store.transaction(() => {
    store.outbox.mark(row.operation.key, { state: 'sent', sentAt: now, attempts: row.attempts + 1 });
    store.budgets.spend(row.operation.on, costOf(row.operation), { at: now, points: 1 });
  });
}

/** What the operation wanted is so already, or its link is no longer written. */
function drop(context: Context, operation: Operation): Performed {
  context.store.outbox.remove(operation.key);
  return { result: { kind: 'already', why: null }, isBlocking: false, wantsPlan: false };
}

const applied: Performed = { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: false };

/** The server showed the whole item: what somebody changed on it meanwhile is known now, and no poll will bring it as news. */
const answered: Performed = { ...applied, wantsPlan: true };

const later = (why: string): Performed => ({ result: { kind: 'later', why }, isBlocking: true, wantsPlan: true });

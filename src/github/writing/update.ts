/** Changes an issue: reads it again, compares, and sends the difference, with the fields of the organisation apart. */

import type { Issue } from '../../model/item.ts';
import type { MayGoOn, NotApplied, Outcome } from '../../model/outcome.ts';
import type { IssuePatch, SetPatch } from '../../model/plan/draft.ts';
import type { Ask } from '../connection/client.ts';
import { type Failure, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { lookBeforeWrite } from '../reading/shared-look.ts';
import { probeIssue, type Repository, withinTurn } from '../repository.ts';
import { type FieldChange, fieldChange } from './field-values.ts';
import { milestoneBody, unlessRenamed } from './milestones.ts';
import { type IssueBody, lowered, patchIssue } from './write.ts';

/**
 * Reads the issue again, then sends the whole difference in one PATCH. GitHub detects no collisions, so the fields in
 * the patch are compared with the values that the plan was based on: title, a whole body, assignees, milestone, and
 * state with reason. Labels and parts of a body need no comparison, because the request is computed from the fresh
 * values. Both requests share one turn of the lane: behind other writes, the read would become stale. Announced writes
 * share these reads where possible.
 */
export async function update(
  repository: Repository,
  seen: Issue,
  patch: IssuePatch,
  mayGoOn: MayGoOn = () => true,
): Promise<Outcome<Issue>> {
  const { client } = repository;
  const { fields, ...rest } = patch;
  if (fields !== undefined && Object.keys(rest).length === 0) return setFields(repository, seen, fields, mayGoOn);
  const outcome = await client.within('edit', (send) => updateNow(withinTurn(repository, send), seen, patch));
  if (outcome.kind !== 'applied' || fields === undefined) return outcome;
  // The answer may show values that other people set meanwhile; the plan was not based on them.
  const after = await setFields(repository, { ...seen, changedAt: outcome.item.changedAt }, fields, mayGoOn);
  return after.kind === 'applied' ? { kind: 'applied', item: asPatched(outcome.item, after.item) } : after;
}

/** Changes that others make after the PATCH do not belong to its answer: the next list contains them. */
function asPatched(patched: Issue, after: Issue): Issue {
  const expected = { ...patched, ...(after.fields === undefined ? {} : { fields: after.fields }) };
  return JSON.stringify({ ...after, changedAt: 0 }) === JSON.stringify({ ...expected, changedAt: 0 })
    ? after
    : expected;
}

async function updateNow(repository: Repository, seen: Issue, patch: IssuePatch): Promise<Outcome<Issue>> {
  const isAlone = repository.shared.announced.size === 0;
  const found = await (isAlone ? probeIssue(repository, seen.number) : lookBeforeWrite(repository, seen));
  if (found.kind === 'failed') return unwrittenOutcome(found.failure);
  const fresh = found.issue;
  const obstacle = obstacleTo(repository, seen, fresh, patch);
  if (obstacle !== null) return obstacle;
  const milestone = await milestoneBody(repository, fresh, patch);
  if (milestone.kind === 'failed') return unwrittenOutcome(milestone.failure);
  const body = { ...requestBody(fresh, patch), ...milestone.body };
  if (Object.keys(body).length === 0) return { kind: 'applied', item: fresh };
  const patched = await patchIssue(repository, fresh, body);
  const outcome = await unlessRenamed(repository, patched, patch.milestone, body);
  if (outcome.kind !== 'refused' || patch.duplicateOfId === undefined) return outcome;
  return {
    kind: 'refused',
    why: `${outcome.why} (closing it as a duplicate of the issue with database id ${patch.duplicateOfId})`,
  };
}

/**
 * A request computed from an earlier version would undo later changes, and a change that a person made meanwhile is
 * left to the next plan.
 */
function obstacleTo(repository: Repository, seen: Issue, fresh: Issue, patch: IssuePatch): Outcome<Issue> | null {
  if (fresh.changedAt < seen.changedAt)
    return { kind: 'later', at: null, wholeSide: false, why: behind(repository, fresh) };
  const stale = staleness(seen, fresh, patch);
  return stale === null ? null : { kind: 'stale', why: `${repository.name}#${seen.number}: ${stale}` };
}

const behind = ({ name }: Repository, { number }: Issue): string =>
  `GitHub showed an earlier version of ${name}#${number} than before, so the replica that answered is behind.`;

function staleness(seen: Issue, fresh: Issue, patch: IssuePatch): string | null {
  if (patch.title !== undefined && seen.title !== fresh.title) return `someone changed its title to "${fresh.title}"`;
  if (patch.assignees !== undefined && !isSameSet(seen.assignees, fresh.assignees))
    return `someone assigned it to ${fresh.assignees.join(', ') || 'no one'}`;
  if (patch.milestone !== undefined && seen.milestone !== fresh.milestone)
    return `someone set its milestone to ${fresh.milestone ?? 'none'}`;
  if (patch.body !== undefined && seen.body !== fresh.body) return 'someone changed its body';
  if (patch.type !== undefined && seen.type !== fresh.type) return `someone set its type to ${fresh.type ?? 'none'}`;
  const staled = staleField(seen, fresh, patch.fields);
  if (staled !== null) return staled;
  if (patch.passage !== undefined && !fits(patch.passage, seen, fresh)) return 'someone changed its body';
  if (!touchesState(patch) || (seen.state === fresh.state && seen.reason === fresh.reason)) return null;
  return `someone made it ${fresh.state}${fresh.reason === null ? '' : ` as ${fresh.reason}`}`;
}

/** A text added beside a passage may already be there if the body has changed. */
const fits = ({ was, becomes }: NonNullable<IssuePatch['passage']>, seen: Issue, fresh: Issue): boolean =>
  becomes.includes(was) ? fresh.body === seen.body : fresh.body.includes(was);

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((element) => other.includes(element));

const touchesState = (patch: IssuePatch): boolean =>
  patch.state !== undefined || patch.reason !== undefined || patch.duplicateOfId !== undefined;

function requestBody(fresh: Issue, patch: IssuePatch): IssueBody {
  const labels = patch.labels === undefined ? null : changedNames(fresh.labels, patch.labels);
  const assignees = patch.assignees === undefined ? null : changedNames(fresh.assignees, patch.assignees);
  const body = bodyOf(fresh.body, patch);
  return {
    ...(patch.title === undefined || patch.title === fresh.title ? {} : { title: patch.title }),
    ...stateBody(fresh, patch),
    ...(labels === null ? {} : { labels }),
    ...(assignees === null ? {} : { assignees }),
    ...(patch.type === undefined || patch.type === fresh.type ? {} : { type: patch.type }),
    ...(body === null ? {} : { body }),
  };
}

/** Null if the body does not change. */
function bodyOf(fresh: string, { body, passage, footer }: IssuePatch): string | null {
  if (body !== undefined) return body === fresh ? null : body;
  if (passage !== undefined) return withPassage(fresh, passage);
  return footer === undefined ? null : withFooter(fresh, footer);
}

/** GitHub ignores a reason without a change of state; its answer shows that. */
function stateBody(fresh: Issue, patch: IssuePatch): IssueBody {
  const duplicate = patch.duplicateOfId === undefined ? {} : { duplicate_issue_id: patch.duplicateOfId };
  const reason = patch.reason ?? (patch.duplicateOfId === undefined ? undefined : 'duplicate');
  const isSame = (patch.state ?? fresh.state) === fresh.state && (reason ?? fresh.reason) === fresh.reason;
  if (isSame && patch.duplicateOfId === undefined) return {};
  return {
    ...(patch.state === undefined ? {} : { state: patch.state }),
    ...(reason === undefined ? {} : { state_reason: reason }),
    ...duplicate,
  };
}

/** Null if nothing changes. GitHub ignores case in labels and logins. */
function changedNames(fresh: readonly string[], { add, remove }: SetPatch): readonly string[] | null {
  const removed = new Set(remove.map(lowered));
  const labels = fresh.filter((name) => !removed.has(lowered(name)));
  const present = new Set(labels.map(lowered));
  for (const name of add) {
    if (present.has(lowered(name))) continue;
    present.add(lowered(name));
    labels.push(name);
  }
  return labels.length === fresh.length && labels.every((name, index) => name === fresh[index]) ? null : labels;
}

/** Replaces the last occurrence of the passage; earlier ones may be quotations. */
function withPassage(fresh: string, { was, becomes }: NonNullable<IssuePatch['passage']>): string {
  const at = fresh.lastIndexOf(was);
  return fresh.slice(0, at) + becomes + fresh.slice(at + was.length);
}

/** Null if the body already has it. The website sends line ends as CR LF. */
function withFooter(fresh: string, footer: string): string | null {
  if (fresh.replaceAll('\r\n', '\n').includes(footer.trim())) return null;
  return fresh === '' ? footer : `${fresh}\n\n${footer}`;
}

/**
 * Sets and clears issue fields of one issue. A PATCH of the issue would replace all its values, including those that
 * our account cannot see, so this sets the given values with POST .../issue-field-values, and clears each other with
 * DELETE .../issue-field-values/{issue_field_id}. Drops what GitHub refuses; the issue shows that afterwards.
 */
function setFields(
  repository: Repository,
  seen: Issue,
  wanted: NonNullable<IssuePatch['fields']>,
  mayGoOn: MayGoOn,
): Promise<Outcome<Issue>> {
  const { client } = repository;
  return client.within('edit', (send) => setNow(withinTurn(repository, send), seen, wanted, mayGoOn));
}

async function setNow(
  repository: Repository,
  seen: Issue,
  wanted: NonNullable<IssuePatch['fields']>,
  mayGoOn: MayGoOn,
): Promise<Outcome<Issue>> {
  const found = await probeIssue(repository, seen.number);
  if (found.kind === 'failed') return unwrittenOutcome(found.failure);
  const { issue: fresh } = found;
  const obstacle = obstacleTo(repository, seen, fresh, { fields: wanted });
  if (obstacle !== null) return obstacle;
  const changed = await fieldChange(repository, wanted, fresh.fields ?? {});
  if (changed.kind === 'failed') return unwrittenOutcome(changed.failure);
  const asks = asksOf(repository, seen, changed.change);
  const failed = await sendAll(repository, asks, true, mayGoOn);
  if (failed !== null) return failed;
  if (asks.length === 0) return { kind: 'applied', item: fresh };
  const isRefused = repository.fields.known === null;
  if (isRefused) {
    const again = await setWhatIsLeft(repository, seen, wanted, mayGoOn);
    if (again !== null) return again;
  }
  const after = await probeIssue(repository, seen.number);
  if (after.kind === 'failed') return writtenUnseen(after.failure);
  if (!isRefused && isUnwritten(fresh, after.issue, wanted))
    return { kind: 'unknown', why: behind(repository, after.issue) };
  return { kind: 'applied', item: after.issue };
}

/**
 * Whether the issue is shown as it was before a write that GitHub took: it would look as if GitHub had ignored that.
 */
const isUnwritten = (fresh: Issue, after: Issue, wanted: IssuePatch['fields']): boolean =>
  after.changedAt < fresh.changedAt ||
  (after.changedAt === fresh.changedAt && staleField(fresh, after, wanted) === null);

/** GitHub refuses all values together: try again with those that still exist. */
async function setWhatIsLeft(
  repository: Repository,
  seen: Issue,
  wanted: NonNullable<IssuePatch['fields']>,
  mayGoOn: MayGoOn,
): Promise<NotApplied | null> {
  const found = await probeIssue(repository, seen.number);
  if (found.kind === 'failed') return writeOutcome(found.failure);
  const changed = await fieldChange(repository, wanted, found.issue.fields ?? {});
  return changed.kind === 'failed'
    ? writeOutcome(changed.failure)
    : sendAll(repository, asksOf(repository, seen, changed.change), false, mayGoOn);
}

/** Each request is content. Null if all were sent; the caller has counted the `first` one. */
async function sendAll(
  repository: Repository,
  asks: readonly Ask[],
  hasFirst: boolean,
  mayGoOn: MayGoOn,
): Promise<NotApplied | null> {
  for (const [index, ask] of asks.entries()) {
    if ((index > 0 || !hasFirst) && !mayGoOn())
      return { kind: 'unknown', why: `A part of the request to ${ask.about} waits for its turn.` };
    const failure = await failureOf(repository, ask);
    if (failure !== null) return writeOutcome(failure);
  }
  return null;
}

const asksOf = (repository: Repository, seen: Issue, { set, empty }: FieldChange): readonly Ask[] => [
  ...(set.length === 0 ? [] : [settingOf(repository, seen, set)]),
  ...empty.map(({ id, name }) => emptyingOf(repository, seen, id, name)),
];

/** Says which field to change someone else has changed; null if none. */
function staleField(seen: Issue, fresh: Issue, wanted: IssuePatch['fields']): string | null {
  for (const name of Object.keys(wanted ?? {})) {
    const [before, now] = [seen.fields, fresh.fields].map((fields) =>
      fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined,
    );
    if (String(before) !== String(now))
      return `someone set its field ${name} to ${[now ?? 'nothing'].flat().join(', ')}`;
  }
  return null;
}

const settingOf = ({ path, name }: Repository, { number }: Issue, set: readonly unknown[]) =>
  ({
    method: 'POST',
    path: `${path}/issues/${number}/issue-field-values`,
    cost: 'create',
    about: `set fields of ${name}#${number}`,
    body: { issue_field_values: set },
  }) as const satisfies Ask;

const emptyingOf = ({ path, name }: Repository, { number }: Issue, id: number, field: string) =>
  ({
    method: 'DELETE',
    path: `${path}/issues/${number}/issue-field-values/${id}`,
    cost: 'create',
    about: `clear the field ${field} of ${name}#${number}`,
  }) as const satisfies Ask;

/** A missing option or field, or an empty field, is no failure; the offered fields are then read again. */
async function failureOf(repository: Repository, ask: Ask): Promise<Failure | null> {
  const reply = await repository.client.send(ask);
  if (reply.kind !== 'failed') return null;
  const isLeftOut =
    reply.failure.kind === 'gone' || (reply.failure.kind === 'refused' && reply.failure.faults !== undefined);
  if (!isLeftOut) return reply.failure;
  repository.fields.known = null;
  return null;
}

/** It was written; the next read shows it. */
const writtenUnseen = (failure: Failure): Outcome<Issue> => {
  const outcome = unwrittenOutcome(failure);
  return outcome.kind === 'gone' ? outcome : { kind: 'unknown', why: 'why' in outcome ? outcome.why : '' };
};

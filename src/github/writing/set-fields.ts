import type { Issue } from '../../model/item.ts';
import type { IssuePatch } from '../../model/operation.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Ask } from '../connection/client.ts';
import { type Failure, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { probeIssue } from '../reading/probe.ts';
import { type Repository, withinTurn } from '../repository.ts';
import { type FieldChange, fieldChange } from './field-values.ts';

/**
 * Sets and clears issue fields of one issue. A PATCH of the issue would replace all its values, including those that our account cannot
 * see, so this sets the given values with POST .../issue-field-values, and clears each other with DELETE
 * .../issue-field-values/{issue_field_id}. Drops what GitHub refuses; the issue shows that afterwards.
 */
export function setFields(repository: Repository, seen: Issue, wanted: NonNullable<IssuePatch['fields']>): Promise<Outcome<Issue>> {
  const { client } = repository;
  return client.within('edit', (send) => setNow(withinTurn(repository, send), seen, wanted));
}

async function setNow(repository: Repository, seen: Issue, wanted: NonNullable<IssuePatch['fields']>): Promise<Outcome<Issue>> {
  const found = await probeIssue(repository, seen.number);
  if (found.kind === 'failed') return unwrittenOutcome(found.failure);
  const { issue: fresh } = found;
  const stale = staleField(seen, fresh, wanted);
  if (stale !== null) return { kind: 'stale', why: `${repository.name}#${seen.number}: ${stale}` };
  const changed = await fieldChange(repository, wanted, fresh.fields ?? {});
  if (changed.kind === 'failed') return unwrittenOutcome(changed.failure);
  const asks = asksOf(repository, seen, changed.change);
  const failure = await firstFailure(repository, asks);
  if (failure !== null) return writeOutcome(failure);
  if (asks.length === 0) return { kind: 'applied', item: fresh };
  if (repository.fields.known === null) {
    const again = await setWhatIsLeft(repository, seen, wanted);
    if (again !== null) return writeOutcome(again);
  }
  const after = await probeIssue(repository, seen.number);
  return after.kind === 'there' ? { kind: 'applied', item: after.issue } : writtenUnseen(after.failure);
}

/** GitHub refuses all values together: try again with those that still exist. */
async function setWhatIsLeft(repository: Repository, seen: Issue, wanted: NonNullable<IssuePatch['fields']>): Promise<Failure | null> {
  const found = await probeIssue(repository, seen.number);
  if (found.kind === 'failed') return found.failure;
  const changed = await fieldChange(repository, wanted, found.issue.fields ?? {});
  return changed.kind === 'failed' ? changed.failure : firstFailure(repository, asksOf(repository, seen, changed.change));
}

async function firstFailure(repository: Repository, asks: readonly Ask[]): Promise<Failure | null> {
  for (const ask of asks) {
    const failure = await failureOf(repository, ask);
    if (failure !== null) return failure;
  }
  return null;
}

const asksOf = (repository: Repository, seen: Issue, { set, empty }: FieldChange): readonly Ask[] => [
  ...(set.length === 0 ? [] : [settingOf(repository, seen, set)]),
  ...empty.map(({ id, name }) => emptyingOf(repository, seen, id, name)),
];

/** Says which field to change someone else has changed; null if none. */
export function staleField(seen: Issue, fresh: Issue, wanted: IssuePatch['fields']): string | null {
  for (const name of Object.keys(wanted ?? {})) {
    const [before, now] = [seen.fields, fresh.fields].map((fields) =>
      fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined,
    );
    if (String(before) !== String(now)) return `someone set its field ${name} to ${[now ?? 'nothing'].flat().join(', ')}`;
  }
  return null;
}

const settingOf = ({ path, name }: Repository, { number }: Issue, set: readonly unknown[]) =>
  ({
    method: 'POST',
    path: `${path}/issues/${number}/issue-field-values`,
    cost: 'edit',
    about: `set fields of ${name}#${number}`,
    body: { issue_field_values: set },
  }) as const satisfies Ask;

const emptyingOf = ({ path, name }: Repository, { number }: Issue, id: number, field: string) =>
  ({
    method: 'DELETE',
    path: `${path}/issues/${number}/issue-field-values/${id}`,
    cost: 'edit',
    about: `clear the field ${field} of ${name}#${number}`,
  }) as const satisfies Ask;

/** A missing option or field, or one that is already empty, is no failure; the offered fields are then read again. */
async function failureOf(repository: Repository, ask: Ask): Promise<Failure | null> {
  const reply = await repository.client.send(ask);
  if (reply.kind !== 'failed') return null;
  const isLeftOut = reply.failure.kind === 'gone' || (reply.failure.kind === 'refused' && reply.failure.faults !== undefined);
  if (!isLeftOut) return reply.failure;
  repository.fields.known = null;
  return null;
}

/** It was written; the next read shows it. */
const writtenUnseen = (failure: Failure): Outcome<Issue> => {
  const outcome = unwrittenOutcome(failure);
  return outcome.kind === 'gone' ? outcome : { kind: 'unknown', why: 'why' in outcome ? outcome.why : '' };
};

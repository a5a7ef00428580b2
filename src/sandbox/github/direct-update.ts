import type { Issue } from '../../model/item.ts';
import type { BlockerPatch, IssuePatch } from '../../model/operation.ts';
import type { Outcome } from '../../model/outcome.ts';
import { applied, type Desk, issueNow, shown, unwritten, write } from './desk.ts';
import { fieldSteps, knowFields } from './direct-fields.ts';
import { changeOf, staleness } from './update.ts';
import { createMilestone } from './world/assignees.ts';
import { addBlocker, blockersOf, removeBlocker } from './world/dependencies.ts';
import { editIssue, type IssueChange } from './world/issues.ts';
import { fullName, mayPush } from './world/records.ts';

/**
 * One PATCH. Values of fields, which a PATCH would replace as a whole, follow it in requests of their own. All is compared with what
 * was seen before the first of them.
 */
export async function update(desk: Desk, seen: Issue, patch: IssuePatch): Promise<Outcome<Issue>> {
  const { fields, ...rest } = patch;
  const path = `${desk.path}/issues/${seen.number}`;
  if (fields === undefined) return write(desk, { method: 'PATCH', path }, seen.number, () => change(desk, { seen, patch, written: patch }));
  const hindrance = await knowFields(desk, fields);
  if (hindrance !== null) return hindrance;
  const patched = () => change(desk, { seen, patch, written: rest });
  let outcome =
    Object.keys(rest).length === 0
      ? unwritten(await write(desk, { method: 'GET', path }, seen.number, patched))
      : await write(desk, { method: 'PATCH', path }, seen.number, patched);
  if (outcome.kind !== 'applied') return outcome;
  const patchedItem = outcome.item;
  for (const { request, work } of fieldSteps(desk, patchedItem, fields)) {
    outcome = await write(desk, request, seen.number, work);
    if (outcome.kind !== 'applied') return outcome;
  }
  return Object.keys(rest).length === 0 ? outcome : applied(asPatched(patchedItem, outcome.item));
}

/** What somebody changed after the PATCH is no answer to it. */
function asPatched(patched: Issue, after: Issue): Issue {
  const told = { ...patched, ...(after.fields === undefined ? {} : { fields: after.fields }) };
  return JSON.stringify({ ...after, changedAt: 0 }) === JSON.stringify({ ...told, changedAt: 0 }) ? after : told;
}

interface Changing {
  readonly seen: Issue;
  /** All that is to change. */
  readonly patch: IssuePatch;
  /** The part of it that goes with this request. */
  readonly written: IssuePatch;
}

function change(desk: Desk, { seen, patch, written }: Changing): Outcome<Issue> {
  if (patch.blocker !== undefined) return changeBlocker(desk, seen, patch.blocker);
  const { state, repo, user } = desk;
  const issue = issueNow(desk, seen.number);
  const fresh = shown(desk, issue);
  const why = staleness(seen, fresh, patch);
  if (why !== null) return { kind: 'stale', why: `${fullName(repo)}#${seen.number}: ${why}` };
  const asked = changeOf(fresh, written);
  const { type: _wished, ...rest } = asked;
  const chosen = choice(desk, { assignees: asked.assignees, milestone: written.milestone, type: written.type });
  if (Object.keys(written).length > 0) editIssue(state, user, { repo, issue }, { ...rest, ...chosen });
  return applied(shown(desk, issue));
}

/** Logins that nobody has are left out, as after a refusal; a milestone that is missing is made, or left out by who may not. */
export function choice(
  { state, repo, user }: Desk,
  wish: {
    readonly assignees: readonly string[] | undefined;
    readonly milestone: string | null | undefined;
    readonly type: string | null | undefined;
  },
): Pick<IssueChange, 'assignees' | 'milestone' | 'type'> {
  const logins = wish.assignees?.filter((login) => state.users.has(login));
  const known = repo.milestones.find(({ title }) => title === wish.milestone);
  const mayMake = typeof wish.milestone === 'string' && mayPush(user, repo);
  const made = known === undefined && mayMake ? createMilestone(state, user, repo, wish.milestone) : known;
  return {
    ...(wish.type === undefined || (wish.type !== null && !repo.types.some((type) => type.toLowerCase() === wish.type?.toLowerCase()))
      ? {}
      : { type: wish.type }),
    ...(logins === undefined ? {} : { assignees: logins }),
    ...(wish.milestone === null ? { milestone: null } : made === undefined ? {} : { milestone: made.number }),
  };
}

/** A relation that stands already, or is gone already, is as wanted. */
function changeBlocker(desk: Desk, seen: Issue, { change, issueId }: BlockerPatch): Outcome<Issue> {
  const { state, repo, user } = desk;
  const issue = issueNow(desk, seen.number);
  if (!state.limits.hasDependencies) return { kind: 'refused', why: 'this GitHub knows no dependencies between issues' };
  const stands = blockersOf(issue).some(({ id }) => id === issueId);
  if (stands !== (change === 'add')) (change === 'add' ? addBlocker : removeBlocker)(state, user, { repo, issue }, issueId);
  return applied(shown(desk, issue));
}

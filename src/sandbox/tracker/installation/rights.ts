import type { Draft, Edit } from '../bugs/draft.ts';
import { TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { messages } from '../server/messages.ts';
import type { CustomField, TrackerBug } from '../world/state.ts';
import { isIn } from './users.ts';
import { isOpen } from './workflow.ts';

/**
 * Who may change which field of a bug; checked in this order:
 *
 *   hours and deadline     the time-tracking group only, and then the rows below
 *   everything             editbugs
 *   confirming             canconfirm, regardless of other roles; also making UNCONFIRMED again
 *   everything             the assignee and the QA contact, before or after the change
 *   everything else        the reporter, except the assignee, the QA contact, the milestone and moves between open
 *                          statuses
 *
 * Everyone who sees the bug may comment, set flags, and join or leave the cc list.
 */
export interface FieldChange {
  readonly field: string;
  readonly removed: string;
  readonly added: string;
}

/** The role that a refused change needs. */
type Needed = 'reporter' | 'assignee' | 'empowered';

/** Throws code 115 for a change that the user may not make; a change without effect is allowed. */
export function requireRight(edit: Edit, bug: Draft, change: FieldChange): void {
  const needed = missingRight(edit, bug, change);
  if (needed === null) return;
  const { field, removed, added } = change;
  const label = labels[field] ?? customFieldOf(edit, field)?.label ?? field;
  const from = removed === '' ? '' : ` from ${removed}`;
  const to = added === '' ? '' : ` to ${added}`;
  throw new TrackerError(115, 401, messages.changeRefused(label, from, to, people[needed]), bug.id);
}

/** Null if the user may make the change. */
export function missingRight({ state, user }: Edit, bug: Draft, change: FieldChange): Needed | null {
  const { field, removed, added } = change;
  if (removed === added && !privileged.includes(field)) return null;
  if (customFieldOf({ state }, field)?.isFixed === true) return 'empowered';
  if (timeFields.includes(field) && !isIn(user, state.settings.timetrackinggroup)) return 'empowered';
  if (isIn(user, 'editbugs')) return null;
  if (isConfirmation(bug, change)) return isIn(user, 'canconfirm') ? null : 'empowered';
  const before = state.bugs.get(bug.id);
  const owners = [bug.assigned_to, bug.qa_contact, before?.assigned_to, before?.qa_contact];
  if (owners.includes(user.login)) return null;
  if (forOwners.includes(field) || (field === 'status' && isOpen(removed) && isOpen(added))) return 'assignee';
  return bug.creator === user.login ? null : 'reporter';
}

const customFieldOf = ({ state }: Pick<Edit, 'state'>, field: string): CustomField | undefined =>
  state.customFields.find(({ name }) => name === field);

/** Fields whose values are not compared: the request alone needs the right. */
const privileged: readonly string[] = ['work_time', 'depends_on', 'blocks'];
const timeFields: readonly string[] = ['estimated_time', 'remaining_time', 'work_time', 'deadline'];
const forOwners: readonly string[] = ['assigned_to', 'qa_contact', 'target_milestone', 'is_confirmed'];

/** Whether a status change would confirm the bug, or make it unconfirmed again. */
function isConfirmation(bug: Pick<TrackerBug, 'is_confirmed'>, { field, added }: FieldChange): boolean {
  if (field === 'is_confirmed') return true;
  if (field !== 'status') return false;
  return bug.is_confirmed ? added === 'UNCONFIRMED' : isOpen(added) && added !== 'UNCONFIRMED';
}

const required = 'a user with the required permissions may change that field';
const people: Readonly<Record<Needed, string>> = {
  reporter: `the assignee or reporter of the bug, or ${required}`,
  assignee: guesses.assigneeOr(required),
  empowered: required,
};

/** The names of fields in messages. */
const labels: Readonly<Record<string, string>> = {
  product: 'Product',
  component: 'Component',
  version: 'Version',
  target_milestone: 'Target Milestone',
  summary: 'Summary',
  url: 'URL',
  whiteboard: 'Whiteboard',
  deadline: 'Deadline',
  assigned_to: 'Assignee',
  qa_contact: 'QA Contact',
  severity: 'Severity',
  priority: 'Priority',
  platform: 'Hardware',
  op_sys: 'OS',
  status: 'Status',
  resolution: 'Resolution',
  dupe_of: 'Duplicate',
  is_confirmed: 'Ever confirmed',
  is_cc_accessible: 'CC list accessible',
  is_creator_accessible: 'Reporter accessible',
  keywords: 'Keywords',
  see_also: 'See Also',
  depends_on: 'Depends on',
  blocks: 'Blocks',
  alias: 'Alias',
  estimated_time: 'Orig. Est.',
  remaining_time: 'Hours Left',
  work_time: 'Hours Worked',
};

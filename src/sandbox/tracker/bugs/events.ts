import { isIn, maySee } from '../installation/users.ts';
import { TrackerError } from '../server/errors.ts';
import type { TrackerBug, TrackerEvent, TrackerState } from '../world/state.ts';
import type { Changes } from './bug-differences.ts';
import type { DraftComment, Edit } from './draft.ts';

/**
 * Records the notifications of an edit: one for a new bug, for changed fields and for each comment. Recipients are the
 * people of the bug (reporter, assignee, QA contact and cc list), before and after the edit, but only those who may see
 * the content: hidden bugs, private comments, and hours for the time-tracking group.
 */
export function recordEvents(
  edit: Edit,
  replaced: ReadonlyMap<number, TrackerBug | null>,
  changes: ReadonlyMap<number, Changes>,
): void {
  for (const [id, before] of replaced) {
    const fields = Object.keys(changes.get(id) ?? {});
    if (before === null) record(edit, id, before, { kind: 'filed', fields: [], comment: null });
    else if (fields.length > 0) record(edit, id, before, { kind: 'changed', fields, comment: null });
    if (before !== null) recordComments(edit, id, before);
  }
}

/** The notification of a new bug includes its description. */
function recordComments(edit: Edit, bug: number, before: TrackerBug): void {
  const count = edit.comments.filter((comment: DraftComment) => comment.bug === bug).length;
  for (const { id } of count === 0 ? [] : newest(edit, bug, count))
    record(edit, bug, before, { kind: 'commented', fields: [], comment: id });
}

/** Comments are sorted by time, which may be an earlier one; the ids show which are of this edit. */
const newest = ({ state }: Edit, bug: number, count: number): readonly { readonly id: number }[] =>
  [...(state.comments.get(bug) ?? [])].sort((one, other) => one.id - other.id).slice(-count);

function record(
  edit: Edit,
  id: number,
  before: TrackerBug | null,
  what: Pick<TrackerEvent, 'kind' | 'fields' | 'comment'>,
): void {
  const { state, user, at } = edit;
  const bug = state.bugs.get(id);
  if (bug === undefined) return;
  const logins = new Set([...peopleOf(bug), ...(before === null ? [] : peopleOf(before))]);
  const comment = (state.comments.get(id) ?? []).find((one) => one.id === what.comment);
  const isOfHours = what.kind === 'changed' && what.fields.every((field) => timeFields.includes(field));
  const recipients = state.users
    .filter((person) => logins.has(person.login) && person.disabledText === null && maySee(person, bug))
    .filter((person) => comment?.isPrivate !== true || isIn(person, state.settings.insidergroup))
    .filter((person) => !isOfHours || isIn(person, state.settings.timetrackinggroup))
    .map(({ login }) => login)
    .sort();
  if (recipients.length === 0) return;
  const event: TrackerEvent = { id: state.nextEvent++, at, bug: id, who: user.login, ...what, recipients };
  state.events.set(event.id, event);
}

const timeFields: readonly string[] = ['estimated_time', 'remaining_time', 'deadline'];

const peopleOf = ({ creator, assigned_to, qa_contact, cc }: TrackerBug): readonly string[] => [
  creator,
  assigned_to,
  qa_contact,
  ...cc,
];

/**
 * Does a write and then tries to send mail about it. No mail server can be reached from here: like a real one, an
 * installation that is set to use one (`mail_delivery_method` other than `None`) reports an error (68000) although
 * everything has been written.
 */
export function mailed<Result>(state: TrackerState, write: () => Result): Result {
  if (state.settings.mail_delivery_method === 'None') return write();
  const first = state.nextEvent;
  const result = write();
  for (const event of state.events.values()) {
    const [recipient] = event.id < first ? [] : readersOf(state, event);
    if (recipient !== undefined) throw unreachable(state, recipient);
  }
  return result;
}

/** People get no mail about their own changes, and only the reporter sees the other recipients. */
function readersOf(state: TrackerState, event: TrackerEvent): readonly string[] {
  const isOfCc = event.kind === 'changed' && event.fields.every((field) => field === 'cc');
  const reporter = state.bugs.get(event.bug)?.creator;
  return event.recipients.filter((login) => login !== event.who && (!isOfCc || login === reporter));
}

function unreachable({ settings }: TrackerState, recipient: string): TrackerError {
  const [host, port = '25'] = settings.smtpserver.split(':');
  const why = `unable to establish SMTP connection to (${host}) port ${port}`;
  return new TrackerError(
    68000,
    400,
    `There was an error sending mail from '${settings.mailfrom}' to '${recipient}': ${why}`,
  );
}

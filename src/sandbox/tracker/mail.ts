import { TrackerError } from './errors.ts';
import type { TrackerBug, TrackerState } from './state.ts';
import type { Viewer } from './users.ts';

/**
 * Does a write and then tries to send mail about it. No mail server can be reached from here: an installation that is told to use
 * one (`mail_delivery_method` other than `None`) reports an error (68000) although everything has been written, as a real one does.
 */
export function mailed<Result>(state: TrackerState, viewer: Viewer, write: () => Result): Result {
  if (state.settings.mail_delivery_method === 'None') return write();
  const before = new Map(state.bugs);
  const result = write();
  for (const bug of state.bugs.values()) {
    const recipient = before.get(bug.id) === bug ? undefined : recipientsOf(bug).find((login) => login !== viewer?.login);
    if (recipient !== undefined) throw unreachable(state, recipient);
  }
  return result;
}

const recipientsOf = (bug: TrackerBug): readonly string[] =>
  [bug.qa_contact, bug.assigned_to, bug.creator, ...bug.cc].filter((login) => login !== '');

function unreachable({ settings }: TrackerState, recipient: string): TrackerError {
  const [host, port = '25'] = settings.smtpserver.split(':');
  const why = `unable to establish SMTP connection to (${host}) port ${port}`;
  return new TrackerError(68000, 400, `There was an error sending mail from '${settings.mailfrom}' to '${recipient}': ${why}`);
}

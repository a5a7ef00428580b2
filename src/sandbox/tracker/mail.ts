import { TrackerError } from './errors.ts';
import type { TrackerEvent, TrackerState } from './state.ts';

/**
 * Does a write and then tries to send mail about it. No mail server can be reached from here: an installation that is told to use
 * one (`mail_delivery_method` other than `None`) reports an error (68000) although everything has been written, as a real one does.
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

/** People get no mail about what they did themselves, and only the reporter is told who else is told. */
function readersOf(state: TrackerState, event: TrackerEvent): readonly string[] {
  const isOfCc = event.kind === 'changed' && event.fields.every((field) => field === 'cc');
  const reporter = state.bugs.get(event.bug)?.creator;
  return event.recipients.filter((login) => login !== event.who && (!isOfCc || login === reporter));
}

function unreachable({ settings }: TrackerState, recipient: string): TrackerError {
  const [host, port = '25'] = settings.smtpserver.split(':');
  const why = `unable to establish SMTP connection to (${host}) port ${port}`;
  return new TrackerError(68000, 400, `There was an error sending mail from '${settings.mailfrom}' to '${recipient}': ${why}`);
}

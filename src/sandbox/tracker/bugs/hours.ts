import { requireRight } from '../installation/rights.ts';
import { isIn } from '../installation/users.ts';
import { TrackerError } from '../server/errors.ts';
import { type Request, textOf } from '../server/request.ts';
import type { TrackerState, User } from '../world/state.ts';
import type { Draft, Edit } from './draft.ts';

/** Hours are kept in hundredths, and shown so in history: `10.00`. */
export const keptHours = (hours: number): number => Math.round(hours * 100) / 100;
export const hoursText = (hours: number): string => hours.toFixed(2);

const hoursMax = 99_999.99;

/**
 * Hours of a write; an empty text means none. Throws 52 for a text that is not a number, 54 for more than 99999.99 and
 * 55 for negative hours, which are only allowed for hours worked, as a correction.
 */
function readHours(text: string, label: string, isWork = false): number {
  const wanted = text.trim() === '' ? '0' : text.trim();
  const refused = (code: number, why: string): TrackerError =>
    new TrackerError(code, 400, `The value '${wanted}' in the ${label} field ${why}.`);
  if (!/^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(wanted)) throw refused(52, 'is not a numeric value');
  const hours = Number(wanted);
  if (hours < 0 && !isWork) throw refused(55, "is less than the minimum allowable value of '0'");
  if (hours > hoursMax) throw refused(54, `is more than the maximum allowable value of '${hoursMax}'`);
  return hours;
}

/**
 * The hours of a new bug: the remaining hours are the estimated ones. Outside the time-tracking group they are not even
 * checked.
 */
export function hoursOnCreate(state: TrackerState, user: User, request: Request): Draft['hours'] {
  if (!isIn(user, state.settings.timetrackinggroup)) return { actual: 0, estimated: 0, remaining: 0 };
  const estimated = readHours(textOf(request, 'estimated_time') ?? '', 'Orig. Est.');
  const remaining = readHours(textOf(request, 'remaining_time') ?? '', 'Hours Left');
  return { actual: 0, estimated, remaining: estimated === 0 ? remaining : estimated };
}

/** `estimated_time` and `remaining_time` of an update. */
export function changeHours(edit: Edit, bug: Draft, request: Request): void {
  for (const [field, name, label] of [
    ['estimated_time', 'estimated', 'Orig. Est.'],
    ['remaining_time', 'remaining', 'Hours Left'],
  ] as const) {
    const text = textOf(request, field);
    if (text === undefined) continue;
    const hours = readHours(text, label);
    if (hours === bug.hours[name]) continue;
    requireRight(edit, bug, { field, removed: hoursText(bug.hours[name]), added: text.trim() });
    bug.hours = { ...bug.hours, [name]: hours };
    edit.spelled.set(`${bug.id}.${field}`, text.trim());
  }
}

/** Hours worked that a write reports; 0 for none. Throws 115 outside the time-tracking group. */
export function workOf(edit: Edit, bug: Draft, request: Request): number {
  const hours = readHours(textOf(request, 'work_time') ?? '', 'Hours Worked', true);
  if (hours !== 0) requireRight(edit, bug, { field: 'work_time', removed: '', added: '' });
  return hours;
}

/** Adds hours worked to the edit's newest comment; the remaining hours of the bug shrink by as much. */
export function addWork(edit: Edit, bug: Draft, request: Request): void {
  const hours = keptHours(workOf(edit, bug, request));
  const comment = edit.comments.at(-1);
  if (hours === 0 || comment?.bug !== bug.id) return;
  comment.workTime = hours;
  const remaining = Math.max(keptHours(bug.hours.remaining - hours), 0);
  bug.hours = { ...bug.hours, actual: keptHours(bug.hours.actual + hours), remaining };
}

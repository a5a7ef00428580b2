import { bugFor } from '../bugs/bugs.ts';
import type { Draft, Edit } from '../bugs/draft.ts';
import { limited } from '../bugs/field-values.ts';
import { illegalDate, noSuch, notSpecified, TrackerError, valueRequired } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { type Request, scalarText } from '../server/request.ts';
import type { CustomField } from '../world/state.ts';
import { requireRight } from './rights.ts';
import { instantOf, localTime, wireTime } from './times.ts';
import { way } from './versions.ts';

/**
 * The forms of a custom field's value. Reads show the kept form; changes and history report a text.
 *
 *   kind       kept                         written as                         reported as
 *   text       one line                     up to 255 characters               the text
 *   textarea   lines that end in CR LF      lines of any kind                  the text, with CR LF
 *   select     one of the values            its name, in any case              the name
 *   multi      some of the values, sorted   a list, or a text with commas      names joined with comma and space
 *   datetime   the instant, or null         local `2027-05-06[ 07:08[:09]]`    local `2027-05-06 07:08:09`
 *   date       local midnight, or null      local `2027-05-06`                 local `2027-05-06`
 *   bug        a number, or null            an id or an alias                  the number
 *   integer    digits as text, or null      digits                             the digits
 */
export const measuredCustomFields: readonly CustomField[] = [
  { name: 'cf_branch', label: 'Branch', kind: 'text', values: [] },
  { name: 'cf_area', label: 'Area', kind: 'multi', values: ['docs', 'net', 'ui'] },
  { name: 'cf_due', label: 'Due', kind: 'datetime', values: [] },
  { name: 'cf_notes', label: 'Notes', kind: 'textarea', values: [] },
  { name: 'cf_impact', label: 'Impact', kind: 'select', values: ['---', 'low', 'high'] },
];

/** Those that harmony has by itself. */
export const broughtFields: readonly CustomField[] = [
  { name: 'cf_rank', label: 'Rank', kind: 'integer', values: [], isFixed: true, isUnseen: true },
  { name: 'cf_crash_signature', label: 'Crash Signature', kind: 'textarea', values: [], isUnseen: true },
];

/** The value of a field on a bug that does not name it. */
export function customDefault({ kind, values }: CustomField): unknown {
  if (kind === 'multi') return [];
  if (kind === 'select') return values[0] ?? '';
  return kind === 'text' || kind === 'textarea' ? '' : null;
}

/** The custom fields of a new bug. */
export function customOnCreate(edit: Edit, request: Request): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    edit.state.customFields.map((field) => {
      const wanted = request[field.name];
      if (field.isMandatory && saysNothing(field, wanted)) throw valueRequired(field.label);
      return [field.name, wanted === undefined ? customDefault(field) : keptValue(edit, field, wanted).kept];
    }),
  );
}

/** For a choice, "---" is also no value. */
function saysNothing({ kind }: CustomField, wanted: unknown): boolean {
  const text = (Array.isArray(wanted) ? wanted.map(scalarText).join('') : scalarText(wanted)).trim();
  return text === '' || (kind === 'select' && text === '---');
}

/** Changes custom fields. The answer reports a value as the write spelled it. */
export function changeCustom(edit: Edit, bug: Draft, request: Request): void {
  for (const field of edit.state.customFields) {
    const wanted = request[field.name];
    if (wanted === undefined) continue;
    if (field.isMandatory && saysNothing(field, wanted)) throw valueRequired(field.label);
    const { kept, text } = keptValue(edit, field, wanted);
    if (field.kind === 'bug' && kept !== null) refuseCircle(edit, bug, field, Number(kept));
    const before = customText(edit.state.timeZone, field, bug.custom[field.name]);
    requireRight(edit, bug, { field: field.name, removed: before, added: text });
    if (before === text) continue;
    bug.custom = { ...bug.custom, [field.name]: kept };
    edit.spelled.set(`${bug.id}.${field.name}`, text);
  }
}

/** A kept value as changes and history report it. */
export function customText(timeZone: string, { kind }: CustomField, kept: unknown): string {
  if (kept === null || kept === undefined) return '';
  if (Array.isArray(kept)) return kept.join(', ');
  if (kind === 'datetime') return localTime(Date.parse(String(kept)), timeZone);
  if (kind === 'date') return localTime(Date.parse(String(kept)), timeZone).slice(0, 10);
  return String(kept);
}

interface KeptValue {
  readonly kept: unknown;
  readonly text: string;
}

function keptValue(edit: Edit, field: CustomField, wanted: unknown): KeptValue {
  const text = Array.isArray(wanted) ? wanted.map(scalarText).join(',') : scalarText(wanted);
  switch (field.kind) {
    case 'text':
      return plain(limited(field.label, text.trim()));
    case 'textarea':
      return plain(text.replaceAll(/\r?\n/g, way(edit.state, 'lineEnds')));
    case 'select':
      return plain(choiceIn(field, text));
    case 'multi':
      return chosen(field, Array.isArray(wanted) ? wanted.map(scalarText) : text.split(','));
    case 'datetime':
    case 'date':
      return moment(edit.state, text.trim());
    case 'integer':
      return integer(field, text.trim());
    case 'bug':
      return text.trim() === '' || text === '0' ? { kept: null, text: '' } : bugNumber(edit, text.trim());
  }
}

function integer({ label }: CustomField, text: string): KeptValue {
  if (text === '') return { kept: null, text };
  if (/^-?\d+$/.test(text)) return plain(text);
  throw new TrackerError(
    32000,
    400,
    `The value '${text}' in the ${label} field is not an integer value (i.e. a whole number).`,
  );
}

const plain = (text: string): KeptValue => ({ kept: text, text });

function choiceIn({ label, values }: CustomField, name: string): string {
  if (name.trim() === '') throw notSpecified(label);
  const value = values.find((candidate) => candidate.toLowerCase() === name.trim().toLowerCase());
  if (value === undefined) throw noSuch(label, name);
  return value;
}

/** An empty text selects nothing. */
function chosen(field: CustomField, names: readonly string[]): KeptValue {
  const isNone = names.length === 1 && names[0] === '';
  const values = isNone ? [] : [...new Set(names.map((name) => choiceIn(field, name)))];
  return { kept: values.toSorted(), text: values.join(', ') };
}

/** Only zeros and punctuation mean no time. */
function moment(state: Edit['state'], given: string): KeptValue {
  const { timeZone } = state;
  const isWire = way(state, 'wireTimes') && /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(given);
  const text = isWire ? localTime(Date.parse(given), timeZone) : given;
  if (/^[\s0\p{P}]*$/u.test(text)) return { kept: null, text: '' };
  const [date = '', time = '00:00:00'] = text.split(/\s+/);
  const day = dayOf(date);
  if (day === null) throw illegalDate(date, " Please use the format 'YYYY-MM-DD'.");
  const clock = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(time);
  if (clock === null || Number(clock[1]) > 23) {
    throw new TrackerError(32000, 400, `'${time}' is not a legal time. Please use the format 'HH:MM:SS'.`);
  }
  const local = `${day} ${clock[1]?.padStart(2, '0')}:${clock[2]}:${clock[3] ?? '00'}`;
  return { kept: wireTime(instantOf(local, timeZone)), text };
}

/** `2027-05-06` for a day of the calendar, with or without leading zeros; null for anything else. */
export function dayOf(text: string): string | null {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const whole = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${whole}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== whole ? null : whole;
}

function bugNumber({ state, user }: Edit, text: string): KeptValue {
  const { id } = bugFor(state, user, text);
  return { kept: id, text: String(id) };
}

/** A field that names a bug must not lead back to its own bug. */
function refuseCircle({ state }: Edit, bug: Draft, { name, label }: CustomField, target: number): void {
  const seen = new Set<number>();
  for (let next = target; !seen.has(next); next = Number(state.bugs.get(next)?.custom[name] ?? 0)) {
    if (next === bug.id) {
      throw new TrackerError(32000, 400, guesses.circle(label, bug.id, target), bug.id);
    }
    if (next === 0) return;
    seen.add(next);
  }
}

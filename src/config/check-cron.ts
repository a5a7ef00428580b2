/**
 * Cron expressions as node-cron reads them: five fields, or six with seconds first. Checked here instead of by the
 * library, so that reading a configuration does not load the scheduler.
 */
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names for the numbers from `min` on. */
  readonly names: readonly string[];
}

const fields: readonly Field[] = [
  { name: 'second', min: 0, max: 59, names: [] },
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of the month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: months },
  { name: 'day of the week', min: 0, max: 7, names: days },
];

/** The problem of a cron expression, or null. */
export function cronComplaint(expression: string): string | null {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) {
    return 'must be a cron expression of five fields: minute, hour, day of the month, month, day of the week';
  }
  const wanted = fields.slice(fields.length - parts.length);
  for (const [index, field] of wanted.entries()) {
    if (!(parts[index] ?? '').split(',').every((entry) => isEntry(entry, field))) {
      return `has a ${field.name} that cron does not accept; allowed are ${field.min}-${field.max}, *, lists, ranges and steps such as */5`;
    }
  }
  return null;
}

/** `*`, `5`, `1-5`, and `*` or a range with a step. */
function isEntry(entry: string, field: Field): boolean {
  const match = /^(?:\*|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d+))?$/i.exec(entry);
  if (match === null) return false;
  const [, from, to, step] = match;
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.max || (from !== undefined && to === undefined)))
    return false;
  if (from === undefined) return true;
  const low = numberOf(from, field);
  const high = to === undefined ? low : numberOf(to, field);
  return low !== null && high !== null && low <= high;
}

function numberOf(word: string, field: Field): number | null {
  const named = field.names.indexOf(word.toLowerCase());
  if (named >= 0) return field.min + named;
  const number = /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
  return number >= field.min && number <= field.max ? number : null;
}

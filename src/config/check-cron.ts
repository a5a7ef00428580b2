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

/** How many days each month has at most. */
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The problem of a cron expression, or null. */
export function cronComplaint(expression: string): string | null {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) {
    return 'must be a cron expression of five fields: minute, hour, day of the month, month, day of the week';
  }
  const wanted = fields.slice(fields.length - parts.length);
  const values = wanted.map((field, index) => valuesOf(parts[index] ?? '', field));
  const wrong = wanted.find((_field, index) => values[index] === null);
  if (wrong !== undefined)
    return `has a ${wrong.name} that cron does not accept; allowed are ${wrong.min}-${wrong.max}, *, lists, ranges and steps such as */5`;
  const [inMonths, onDays] = [values.at(-2) ?? [], values.at(-3) ?? []];
  const comes = inMonths.some((month) => onDays.some((day) => day <= (longest[month - 1] ?? 0)));
  return comes ? null : 'never comes: none of its months has such a day';
}

/** The numbers that a field allows; null if it is none. */
function valuesOf(part: string, field: Field): readonly number[] | null {
  const entries = part.split(',').map((entry) => numbersIn(entry, field));
  return entries.includes(null) ? null : entries.flatMap((numbers) => numbers ?? []);
}

/** `*`, `5`, `1-5`, and `*` or a range with a step. */
function numbersIn(entry: string, field: Field): readonly number[] | null {
  const match = /^(?:\*|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d+))?$/i.exec(entry);
  if (match === null) return null;
  const [, from, to, step] = match;
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.max || (from !== undefined && to === undefined)))
    return null;
  const low = from === undefined ? field.min : numberOf(from, field);
  const high = from === undefined ? field.max : to === undefined ? low : numberOf(to, field);
  if (low === null || high === null || low > high) return null;
  const by = Number(step ?? 1);
  return Array.from({ length: Math.floor((high - low) / by) + 1 }, (_each, index) => low + index * by);
}

function numberOf(word: string, field: Field): number | null {
  const named = field.names.indexOf(word.toLowerCase());
  if (named >= 0) return field.min + named;
  const number = /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
  return number >= field.min && number <= field.max ? number : null;
}

import { TrackerError } from './errors.ts';
import type { TrackerBug } from './state.ts';
import { parseTime } from './times.ts';

/**
 * Boolean charts: numbered criteria (field, operator, value, negation), nested by OP and CP, joined by AND, or by OR where the opening
 * says so (`f1=OP&j1=OR`; `j_top` for the outermost). Values that are times are taken as the server's own time, whatever zone they carry.
 */
export type Test = (bug: TrackerBug) => boolean;

type Value = string | number;

const fields: Readonly<Record<string, (bug: TrackerBug) => readonly Value[]>> = {
  bug_id: (bug) => [bug.id],
  delta_ts: (bug) => [bug.changedAt],
  creation_ts: (bug) => [bug.createdAt],
  short_desc: (bug) => [bug.summary],
  product: (bug) => [bug.product],
  component: (bug) => [bug.component],
  version: (bug) => [bug.version],
  target_milestone: (bug) => [bug.target_milestone],
  bug_status: (bug) => [bug.status],
  resolution: (bug) => [bug.resolution],
  bug_severity: (bug) => [bug.severity],
  priority: (bug) => [bug.priority],
  op_sys: (bug) => [bug.op_sys],
  rep_platform: (bug) => [bug.platform],
  status_whiteboard: (bug) => [bug.whiteboard],
  bug_file_loc: (bug) => [bug.url],
  reporter: (bug) => [bug.creator],
  assigned_to: (bug) => [bug.assigned_to],
  qa_contact: (bug) => [bug.qa_contact],
  cc: (bug) => bug.cc,
  alias: (bug) => bug.alias,
  keywords: (bug) => bug.keywords,
  see_also: (bug) => bug.see_also,
  bug_group: (bug) => bug.groups,
  dependson: (bug) => bug.depends_on,
  blocked: (bug) => bug.blocks,
};

type Compare = (value: Value, wanted: Value) => boolean;
const lower = (value: Value): string => String(value).toLowerCase();
const equals: Compare = (value, wanted) => lower(value) === lower(wanted);
const operators: Readonly<Record<string, Compare>> = {
  equals,
  notequals: (value, wanted) => !equals(value, wanted),
  anyexact: (value, wanted) =>
    lower(wanted)
      .split(',')
      .some((part) => lower(value) === part.trim()),
  substring: (value, wanted) => lower(value).includes(lower(wanted)),
  casesubstring: (value, wanted) => String(value).includes(String(wanted)),
  notsubstring: (value, wanted) => !lower(value).includes(lower(wanted)),
  greaterthan: (value, wanted) => value > wanted,
  greaterthaneq: (value, wanted) => value >= wanted,
  lessthan: (value, wanted) => value < wanted,
  lessthaneq: (value, wanted) => value <= wanted,
};

/** Reads the charts of a query; null when there are none. Throws 108 for an unknown field and 68000 for an unknown operator. */
export function chartTest(query: URLSearchParams): Test | null {
  const numbers = [...query.keys()].flatMap((name) => /^f(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  if (numbers.length === 0) return null;
  const frames: { tests: Test[]; isAny: boolean; isNegated: boolean }[] = [
    { tests: [], isAny: query.get('j_top') === 'OR', isNegated: false },
  ];
  const close = (): void => {
    const frame = frames.length > 1 ? frames.pop() : undefined;
    if (frame === undefined || frame.tests.length === 0) return;
    const test = joined(frame.tests, frame.isAny);
    frames.at(-1)?.tests.push(frame.isNegated ? (bug) => !test(bug) : test);
  };
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const field = query.get(`f${number}`) ?? '';
    const isNegated = query.get(`n${number}`) === '1';
    if (field === 'OP') frames.push({ tests: [], isAny: query.get(`j${number}`) === 'OR', isNegated });
    else if (field === 'CP') close();
    else if (field !== '') {
      const test = criterion(field, query.get(`o${number}`) ?? '', query.get(`v${number}`) ?? '');
      frames.at(-1)?.tests.push(isNegated ? (bug) => !test(bug) : test);
    }
  }
  while (frames.length > 1) close();
  return joined(frames[0]?.tests ?? [], frames[0]?.isAny ?? false);
}

const joined = (tests: readonly Test[], isAny: boolean): Test =>
  isAny ? (bug) => tests.some((test) => test(bug)) : (bug) => tests.every((test) => test(bug));

function criterion(field: string, operator: string, text: string): Test {
  const valuesOf = fields[field];
  if (valuesOf === undefined) throw new TrackerError(108, 400, `Can't use "${field}" as a field name.`);
  const compare = operators[operator];
  if (compare === undefined) throw new TrackerError(68000, 400, `The search operator "${operator}" is not known.`);
  const wanted = wantedValue(field, text);
  const isNegative = operator.startsWith('not');
  return (bug) => {
    const values = valuesOf(bug);
    return isNegative ? values.every((value) => compare(value, wanted)) : values.some((value) => compare(value, wanted));
  };
}

function wantedValue(field: string, text: string): Value {
  if (field === 'delta_ts' || field === 'creation_ts') return parseTime(text.trim().replace(/\s*(Z|UTC|[+-]\d\d:?\d\d)$/, ''), 'UTC');
  const isNumber = ['bug_id', 'dependson', 'blocked'].includes(field) && /^\d+$/.test(text);
  return isNumber ? Number(text) : text;
}

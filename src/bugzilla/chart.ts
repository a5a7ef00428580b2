/**
 * Boolean charts: the custom searches of the tracker's advanced search screen (section 4.3, rule 5), as data. On the wire they are
 * numbered parameters `fN`, `oN`, `vN`, `nN`, `jN`, whose numbers must follow each other without a gap.
 */
import type { Query } from './client.ts';

export type Chart = Condition | ChartGroup;

export interface Condition {
  /** An internal field name: `bug_id`, `delta_ts`, `see_also`, `flagtypes.name`, `cf_...`. An unknown one is an error. */
  readonly field: string;
  /** `equals`, `substring`, `anywordssubstr`, `greaterthan`, `changedafter`, `isempty` and so on. */
  readonly operator: string;
  /** A list is for operators that take several words. Times in it are the server's local time, with no way to say otherwise. */
  readonly value?: string | number | readonly (string | number)[];
  readonly not?: boolean;
}

/** Exactly one of `any` and `all`. */
export type ChartGroup = ({ readonly any: readonly Chart[] } | { readonly all: readonly Chart[] }) & { readonly not?: boolean };

/** The parameters of all these charts, which must all hold, numbered from `first` on. */
export function chartQuery(charts: readonly Chart[], first: number): Query {
  const rows = charts.flatMap(rowsOf);
  return Object.fromEntries(
    rows.flatMap((row, index) => Object.entries(row).map(([letter, value]) => [`${letter}${first + index}`, value])),
  );
}

type Row = Readonly<Record<string, Query[string]>>;

function rowsOf(chart: Chart): readonly Row[] {
  const negation: Row = chart.not === true ? { n: 1 } : {};
  if ('field' in chart) {
    return [{ f: chart.field, o: chart.operator, ...conditionValue(chart), ...negation }];
  }
  const inner = 'any' in chart ? chart.any : chart.all;
  return [{ f: 'OP', ...('any' in chart ? { j: 'OR' } : {}), ...negation }, ...inner.flatMap(rowsOf), { f: 'CP' }];
}

/** A list is one text to the operators that take several words. */
function conditionValue({ value }: Condition): Row {
  if (value === undefined) return {};
  return { v: typeof value === 'object' ? value.join(',') : value };
}

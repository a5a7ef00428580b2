import { TrackerError } from '../server/errors.ts';
import { labelOf } from './label.ts';
import { type Parameters, textIn } from './parameters.ts';

/** One criterion of a search, not yet parsed. */
export interface Condition {
  readonly kind: 'condition';
  readonly field: string;
  /** A criterion that lacks its operator or its value has no effect, whatever its field. */
  readonly operator: string | undefined;
  /** A list keeps values that contain commas whole. */
  readonly value: string | readonly string[] | undefined;
  readonly isNegated: boolean;
}

/**
 * Criteria joined by AND or OR. In a group (`AND_G`) all are about one field; if that field has many rows (comments,
 * changes), a single row must satisfy all criteria.
 */
export interface Clause {
  readonly kind: 'clause';
  readonly joiner: 'AND' | 'OR' | 'AND_G';
  readonly isNegated: boolean;
  readonly children: readonly (Clause | Condition)[];
}

export const condition = (
  field: string,
  operator: string | undefined,
  value: string | readonly string[] | undefined,
  isNegated = false,
): Condition => ({
  kind: 'condition',
  field,
  operator,
  // These two need no value and ignore one.
  value: operator === 'isempty' || operator === 'isnotempty' ? ' ' : value,
  isNegated,
});

export const clause = (children: Clause['children'], joiner: Clause['joiner'] = 'AND', isNegated = false): Clause => ({
  kind: 'clause',
  joiner,
  isNegated,
  children,
});

interface Open {
  readonly joiner: Clause['joiner'];
  readonly isNegated: boolean;
  readonly children: (Clause | Condition)[];
}

/**
 * The custom search: numbered criteria (`f1 o1 v1`, `n1` negates), nested by the fields `OP` and `CP` and joined as
 * `j1` says, outermost as `j_top` says. Open groups are closed at the end; a `CP` too many is an error (68000).
 */
export function customSearch(parameters: Parameters, numbers: readonly number[]): Clause {
  const open = [begin(parameters, 'j_top', false)];
  const close = (): void => {
    const closed = open.pop();
    if (closed !== undefined) open.at(-1)?.children.push(clause(closed.children, closed.joiner, closed.isNegated));
  };
  for (const number of numbers) {
    const field = textIn(parameters, `f${number}`) ?? '';
    const isNegated = isTrue(textIn(parameters, `n${number}`));
    if (field === 'CP') {
      if (open.length < 2)
        throw new TrackerError(
          68000,
          400,
          `Search argument f${number} is "CP" but there is no matching "OP" before it.`,
        );
      close();
      continue;
    }
    const inner = field === 'OP' ? begin(parameters, `j${number}`, isNegated) : undefined;
    const criterion = condition(field, textIn(parameters, `o${number}`), textIn(parameters, `v${number}`), isNegated);
    if (open.at(-1)?.joiner === 'AND_G')
      refuseInGroup(inner === undefined ? criterion : inner, open.at(-1)?.children ?? []);
    if (inner === undefined) open.at(-1)?.children.push(criterion);
    else open.push(inner);
  }
  while (open.length > 1) close();
  const [top] = open;
  return clause(top?.children ?? [], top?.joiner);
}

function begin(parameters: Parameters, name: string, isNegated: boolean): Open {
  const joiner = textIn(parameters, name) ?? '';
  if (joiner !== '' && joiner !== 'AND' && joiner !== 'OR' && joiner !== 'AND_G') {
    throw new TrackerError(68000, 400, `'${joiner}' is not a valid joiner for a search.`);
  }
  return { joiner: joiner === '' ? 'AND' : joiner, isNegated, children: [] };
}

/** A boolean as the server's language reads it. */
const isTrue = (text: string | undefined): boolean => text !== undefined && text !== '' && text !== '0';

const ungrouped: readonly string[] = [
  'attach_data.thedata',
  'classification',
  'commenter',
  'longdescs.count',
  'owner_idle_time',
];
const groupedWhenChanged: readonly string[] = ['product', 'component'];

function refuseInGroup(added: Open | Condition, siblings: Clause['children']): void {
  if (!('field' in added))
    throw new TrackerError(32000, 400, 'You cannot nest clauses within grouped search conditions.');
  const [first] = siblings;
  if (first?.kind === 'condition' && first.field !== added.field) {
    throw new TrackerError(32000, 400, 'All conditions under a groups search must use the same field.');
  }
  const isChange = added.operator?.startsWith('changed') ?? false;
  if (ungrouped.includes(added.field) || (groupedWhenChanged.includes(added.field) && !isChange)) {
    const field = `"${labelOf(added.field)}" (${added.field})`;
    throw new TrackerError(
      32000,
      400,
      `Bugzilla does not support using the ${field} field with grouped search conditions.`,
    );
  }
}

/**
 * The older form of charts: `field0-1-2 type0-1-2 value0-1-2` is chart 0, row 1, column 2; columns are joined by OR,
 * all else by AND.
 */
export function olderCharts(parameters: Parameters): Clause {
  const charts = new Map<number, Map<number, [number, Condition][]>>();
  for (const [name, [field = '']] of parameters) {
    const [, chart, row, column] = /^field(\d+)-(\d+)-(\d+)$/.exec(name) ?? [];
    if (chart === undefined) continue;
    const id = `${chart}-${row}-${column}`;
    const rows = charts.get(Number(chart)) ?? new Map<number, [number, Condition][]>();
    const columns = rows.get(Number(row)) ?? [];
    columns.push([Number(column), condition(field, textIn(parameters, `type${id}`), textIn(parameters, `value${id}`))]);
    charts.set(Number(chart), rows.set(Number(row), columns));
  }
  return clause(
    [...charts].map(([chart, rows]) => {
      const any = [...rows.values()].map((columns) =>
        clause(
          columns.map(([, criterion]) => criterion),
          'OR',
        ),
      );
      return clause(any, 'AND', isTrue(textIn(parameters, `negate${chart}`)));
    }),
  );
}

/** The parameters of Search Bugs (section 4.3), and their form on the wire. */

import { trackerTime } from '../connection/answer.ts';
import type { Query } from '../connection/client.ts';
import { TrackerError } from '../connection/errors.ts';

type Some<Value> = Value | readonly Value[];

/**
 * Criteria are joined by AND; a list matches any of its values. A search fails open: the tracker ignores names,
 * statuses and resolutions that it does not know and then finds more. Times are epoch milliseconds and travel in UTC as
 * whole seconds.
 */
export interface SearchCriteria {
  readonly alias?: Some<string>;
  /** People are found by parts of their login. */
  readonly assigned_to?: Some<string>;
  readonly component?: Some<string>;
  /** Created at this time or later. */
  readonly creation_time?: number;
  readonly creator?: Some<string>;
  readonly id?: Some<number>;
  /** Changed at this time or later. */
  readonly last_change_time?: number;
  readonly op_sys?: Some<string>;
  readonly platform?: Some<string>;
  readonly priority?: Some<string>;
  readonly product?: Some<string>;
  /** An empty one finds open bugs. */
  readonly resolution?: Some<string>;
  readonly severity?: Some<string>;
  readonly status?: Some<string>;
  /** Parts of the summary. */
  readonly summary?: Some<string>;
  /** The caller's own tags. */
  readonly tags?: Some<string>;
  readonly target_milestone?: Some<string>;
  readonly qa_contact?: Some<string>;
  readonly url?: Some<string>;
  readonly version?: Some<string>;
  /** Parts of the whiteboard. */
  readonly whiteboard?: Some<string>;
  /** All of these charts must hold. */
  readonly charts?: readonly Chart[];
  /** Other parameters of the advanced search screen, by their names there: `keywords`, `chfield`, `cf_...`. */
  readonly other?: Readonly<Record<string, Some<string | number>>>;
}

/** A search of one page. */
export interface Search extends SearchCriteria {
  /** The tracker's quicksearch syntax; many versions then look at nothing else. */
  readonly quicksearch?: string;
  /**
   * The maximum number of bugs; the tracker silently lowers it to its own maximum. 0 means all, and then the client
   * reads page after page by id, because the tracker itself would stop at its maximum without saying so.
   */
  readonly limit?: number;
  /** Only with a limit above 0. */
  readonly offset?: number;
  /** Internal names, which alone sort: `bug_id`, `changeddate DESC`, `opendate`. Without it, the order is undefined. */
  readonly order?: string | readonly string[];
}

/** The names of fields, or `_default`, `_all`, `_custom`, `_extra`. The id is always added. */
export interface FieldChoice {
  readonly includeFields?: readonly string[];
  readonly excludeFields?: readonly string[];
}

export function fieldQuery({ includeFields, excludeFields }: FieldChoice): Query {
  const included =
    includeFields === undefined ? {} : { include_fields: [...new Set([...includeFields, 'id'])].join(',') };
  const excluded = (excludeFields ?? []).filter((name) => name !== 'id');
  return excluded.length === 0 ? included : { ...included, exclude_fields: excluded.join(',') };
}

/**
 * The parameters of the criteria alone; charts are numbered from `firstChart` on. Throws `TrackerError` of kind
 * `invalid`.
 */
export function criteriaQuery(criteria: SearchCriteria, firstChart: number): Query {
  const { charts = [], other = {}, creation_time, last_change_time, resolution, ...plain } = criteria;
  const { alone, alternatives } = texts(plain);
  return {
    ...checked(other),
    ...checked(alone),
    ...(resolution === undefined ? {} : checked({ resolution: openAsDashes(resolution) })),
    ...(creation_time === undefined ? {} : { creation_time: trackerTime(creation_time) }),
    ...(last_change_time === undefined ? {} : { last_change_time: trackerTime(last_change_time) }),
    ...chartQuery([...charts, ...alternatives], firstChart),
  };
}

/** Texts of which the tracker wants all that are listed; their internal names. */
const textFields = { summary: 'short_desc', whiteboard: 'status_whiteboard', url: 'bug_file_loc' } as const;

/** For any of several texts, charts ask. */
function texts<Plain extends Pick<SearchCriteria, keyof typeof textFields>>(
  plain: Plain,
): { readonly alone: Plain; readonly alternatives: readonly Chart[] } {
  const alone = { ...plain };
  const alternatives: Chart[] = [];
  for (const name of ['summary', 'whiteboard', 'url'] as const) {
    const value = plain[name];
    if (typeof value !== 'object' || value.length < 2) continue;
    delete alone[name];
    alternatives.push({
      any: value.map((text) => ({ field: textFields[name], operator: 'allwordssubstr', value: text })),
    });
  }
  return { alone, alternatives };
}

export function searchQuery({ quicksearch, limit, offset, order, ...criteria }: Search): Query {
  return {
    ...criteriaQuery(criteria, 1),
    ...(quicksearch === undefined ? {} : { quicksearch }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(order === undefined ? {} : { order: typeof order === 'string' ? order : order.join(',') }),
  };
}

/** The tracker treats an empty text as no criterion; this is its value for no resolution. */
const noResolution = '---';

function openAsDashes(resolution: Some<string>): Some<string> {
  const dashed = (value: string): string => (value === '' ? noResolution : value);
  return typeof resolution === 'string' ? dashed(resolution) : resolution.map(dashed);
}

/** An empty list would disappear from the address, and the search would find everything. */
function checked(criteria: Readonly<Record<string, Some<string | number> | undefined>>): Query {
  return Object.fromEntries(
    Object.entries(criteria).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (typeof value === 'object' && value.length === 0) {
        throw new TrackerError(
          'invalid',
          `A search with an empty list of ${name} would find every bug; omit the criterion, or do not search`,
        );
      }
      return [[name, value] as const];
    }),
  );
}

/**
 * Boolean charts: the custom searches of the tracker's advanced search screen (section 4.3, rule 5), as data. On the
 * wire they are numbered parameters `fN`, `oN`, `vN`, `nN`, `jN`, whose numbers must follow each other without a gap.
 */

export type Chart = Condition | ChartGroup;

export interface Condition {
  /**
   * An internal field name: `bug_id`, `delta_ts`, `see_also`, `flagtypes.name`, `cf_...`. An unknown one is an error.
   */
  readonly field: string;
  /** `equals`, `substring`, `anywordssubstr`, `greaterthan`, `changedafter`, `isempty` and so on. */
  readonly operator: string;
  /**
   * A list is for operators that take several words. Times in it are the server's local time, with no way to say
   * otherwise.
   */
  readonly value?: string | number | readonly (string | number)[];
  readonly not?: boolean;
}

/** Exactly one of `any` and `all`. */
export type ChartGroup = ({ readonly any: readonly Chart[] } | { readonly all: readonly Chart[] }) & {
  readonly not?: boolean;
};

/** The parameters of all these charts, which must all hold, numbered from `first` on. */
function chartQuery(charts: readonly Chart[], first: number): Query {
  const rows = charts.flatMap(rowsOf);
  return Object.fromEntries(
    rows.flatMap((row, index) => Object.entries(row).map(([column, value]) => [`${column}${first + index}`, value])),
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

import type { ChartField } from '../chart/field.ts';
import { choicesIn } from '../installation/installation.ts';
import { resolutions, statuses } from '../installation/workflow.ts';
import type { TrackerBug } from '../world/state.ts';
import type { Scope } from './scope.ts';
import { order } from './words.ts';

type Key = (bug: TrackerBug) => string | number;

/**
 * Puts bugs in the order of a text like `priority,changeddate DESC`. Only names of columns count, in any case, or their
 * old names with a table prefix. Others are ignored; without any, bugs keep their stored order.
 */
export function ordered(scope: Scope, bugs: readonly TrackerBug[], text: string): readonly TrackerBug[] {
  const terms = text.split(',').flatMap((part, at, parts) => {
    // White space is ignored next to a comma, but not at both ends of the text.
    const term = at === 0 ? part : part.trimStart();
    const column = at === parts.length - 1 ? term : term.trimEnd();
    const [, name = column, direction = ''] = /^(.*\S)\s+(asc|desc)$/i.exec(column) ?? [];
    const key = keyOf(scope, columnName(name.toLowerCase()));
    return key === null ? [] : [{ key, sign: direction.toLowerCase() === 'desc' ? -1 : 1 }];
  });
  return bugs.toSorted((one, other) => {
    for (const { key, sign } of terms) {
      const difference = compare(key(one), key(other));
      if (difference !== 0) return difference * sign;
    }
    return 0;
  });
}

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : order(String(one), String(other));

function columnName(name: string): string {
  const person = /map_(\w+?)s?\.(?:login_)?name/.exec(name)?.[1];
  if (person !== undefined) return person;
  const column = /^bugs\.(\w+)$/.exec(name)?.[1];
  return column === undefined ? name : (fieldColumns.get(column) ?? column);
}

/** Columns whose name differs from their field's. */
const renamed = [
  ['creation_ts', 'opendate'],
  ['delta_ts', 'changeddate'],
  ['work_time', 'actual_time'],
] as const;
const fieldColumns: ReadonlyMap<string, string> = new Map(renamed);
const columnFields: ReadonlyMap<string, string> = new Map([
  ...renamed.map(([field, column]): [string, string] => [column, field]),
  ['short_short_desc', 'short_desc'],
]);

/** Fields that no list of bugs shows. */
const isHidden = (name: string): boolean =>
  fieldColumns.has(name) ||
  /^(?:attach|requestees|setters|longdescs\.isprivate)/.test(name) ||
  ['cc', 'longdesc', 'commenter', 'comment_tag', 'content', 'bug_group', 'owner_idle_time', 'days_elapsed'].includes(
    name,
  ) ||
  ['everconfirmed', 'reporter_accessible', 'cclist_accessible'].includes(name);

function keyOf(scope: Scope, column: string): Key | null {
  const name = columnFields.get(column) ?? column;
  const field = Object.hasOwn(scope.fields, name) ? scope.fields[name] : undefined;
  if (field === undefined || isHidden(column)) return null;
  if (name === 'target_milestone') return milestoneKey(scope);
  const values = sortedValues(scope)[name];
  if (values !== undefined) return (bug) => values.indexOf(String(field.values(bug, scope)[0]));
  return (bug) => keyIn(scope, field, bug);
}

/** Fields with a list of values, sorted by position in that list. */
function sortedValues({ state }: Scope): Readonly<Record<string, readonly string[]>> {
  const { severity, priority, platform, op_sys } = choicesIn(state);
  return {
    bug_status: statuses,
    resolution: resolutions,
    bug_severity: severity.values,
    priority: priority.values,
    rep_platform: platform.values,
    op_sys: op_sys.values,
  };
}

function keyIn(scope: Scope, field: ChartField, bug: TrackerBug): string | number {
  const values = field.values(bug, scope);
  return field.holding === 'single' ? (values[0] ?? '') : values.join(',');
}

const milestoneKey =
  ({ state }: Scope): Key =>
  (bug) =>
    state.products
      .find(({ name }) => name === bug.product)
      ?.milestones.find(({ name }) => name === bug.target_milestone)?.sortKey ?? -1;

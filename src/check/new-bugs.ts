import type { CreateValues, FurtherValues, Vocabulary } from '../model/route.ts';
import type { CreationField } from '../model/survey.ts';

/** The fields that the bridge always sets on a new bug. */
const alwaysSaid: ReadonlySet<string> = new Set(['product', 'summary', 'description']);

/** The mandatory fields of new bugs that have no value yet: without them, the tracker refuses new bugs. */
export function missingFields(fields: readonly CreationField[], said: FurtherValues): readonly CreationField[] {
  return fields.filter(({ name, isMandatory, shownWhere }) => {
    if (!isMandatory || alwaysSaid.has(name) || name in said) return false;
    return (
      shownWhere === null || [said[shownWhere.field] ?? []].flat().some((value) => shownWhere.values.includes(value))
    );
  });
}

/** The parameters in which a tracker keeps its own defaults for new bugs. */
const defaultNames = {
  op_sys: 'defaultopsys',
  platform: 'defaultplatform',
  severity: 'defaultseverity',
  priority: 'defaultpriority',
} as const;
const usualValues = {
  version: 'unspecified',
  op_sys: 'All',
  platform: 'All',
  severity: 'normal',
  priority: '---',
} as const;
export type UsualName = keyof typeof usualValues;
/** Fields for which the bridge finds a value that the tracker accepts. */
export const usualNames = Object.keys(usualValues) as readonly UsualName[];

/** Whether the value carries no information. */
const isNeutral = (value: string): boolean => /^(?:-+|unspecified|unknown|other|all)$/iu.test(value);

export interface Usual {
  readonly create: CreateValues;
  /** Fields that accept neither, with the values that they accept: a person has to choose. */
  readonly unsettled: readonly (readonly [UsualName, readonly string[]])[];
}

/**
 * Values that the tracker accepts: the usual one if it offers that, otherwise the tracker's own default.
 * @param parameters those that the tracker reports
 */
export function createOf(
  component: string,
  { values }: Vocabulary,
  parameters: Readonly<Record<string, string>>,
): Usual {
  const unsettled: [UsualName, readonly string[]][] = [];
  const pick = (field: UsualName): string => {
    const [usual, offered] = [usualValues[field], values[field]];
    if (offered === undefined || offered.length === 0 || offered.includes(usual)) return usual;
    const own = field === 'version' ? undefined : parameters[defaultNames[field]];
    if (own !== undefined && offered.includes(own)) return own;
    unsettled.push([field, offered]);
    return offered.find(isNeutral) ?? offered[0] ?? usual;
  };
  const create = {
    component,
    version: pick('version'),
    op_sys: pick('op_sys'),
    platform: pick('platform'),
    severity: pick('severity'),
    priority: pick('priority'),
  };
  return { create, unsettled };
}

/** Trackers with the older workflow have no CONFIRMED. */
export function reopenedIn({ workflow }: Vocabulary): string {
  const known = Object.keys(workflow ?? { CONFIRMED: [] });
  return ['CONFIRMED', 'REOPENED', 'NEW'].find((status) => known.includes(status)) ?? 'CONFIRMED';
}

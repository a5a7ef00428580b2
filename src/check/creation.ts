import type { CreateValues } from '../model/route.ts';
import type { CreationField } from '../model/survey.ts';
import { saidOfNewBugs } from '../rules/plan/create.ts';
import { missingFields } from './new-bugs.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** The values of bugs filed from issues. */
export const creation: Topic = {
  name: 'create',
  fine: ({ route }) =>
    route.direction === 'to-github' ? 'the route files no bugs' : 'the tracker accepts the values of new bugs',
  find,
};

const createFields = [
  'component',
  'version',
  'op_sys',
  'platform',
  'severity',
  'priority',
] as const satisfies (keyof CreateValues)[];

function find(site: Site): readonly Finding[] {
  const { create, direction, selection } = site.route;
  if (direction === 'to-github') return [];
  const closed = failure(
    `product ${selection.product} does not accept new bugs from our account; ask an administrator of the tracker to open it, or set direction: to-github`,
  );
  const unknown = createFields.flatMap((name) =>
    unknownValues(name, create[name], site.vocabulary.values[name] ?? null),
  );
  return [...(site.tracker.takesBugs === false ? [closed] : []), ...unknown, ...further(site), ...unreported(site)];
}

function unreported({
  vocabulary: { values, components },
  tracker: { takesBugs, creationFields },
}: Site): readonly Finding[] {
  // Nothing of a product that is not there can be asked, and no bug be filed by hand.
  if (components === null) return [warning('this cannot be checked without the product')];
  const silent = [
    ...createFields.filter((name) => values[name] === undefined).map((name) => `the values of ${name}`),
    ...(takesBugs === null ? ['whether the product accepts new bugs from our account'] : []),
    ...(creationFields === null ? ['the required fields of new bugs'] : []),
  ];
  if (silent.length === 0) return [];
  return [
    warning(
      `the tracker does not report ${silent.join(', ')}, so this was not checked: file a bug there by hand with these values before the first run`,
    ),
  ];
}

/** Checks other required fields, and other values in the route. */
function further({ route, tracker: { creationFields, parameters } }: Site): readonly Finding[] {
  if (creationFields === null) return [];
  // If the tracker reports that it needs no type, none is required.
  const fields = creationFields.map((field) =>
    field.name === 'type' && parameters?.['require_bug_type'] === '0' ? { ...field, isMandatory: false } : field,
  );
  const missing = missingFields(fields, saidOfNewBugs(route));
  const said = Object.entries(route.createFurther).flatMap(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return [failure(`create.${name} is not a field of this tracker; remove it`)];
    return [value].flat().flatMap((one) => unknownValues(name, one, field.values));
  });
  return [...missing.map(missingValue), ...said];
}

function unknownValues(name: string, value: string, known: readonly string[] | null): readonly Finding[] {
  if (known === null || known.includes(value)) return [];
  const shown = value === '' ? 'empty' : `"${value}"`;
  return [failure(`create.${name} is ${shown}, which the tracker does not accept; it accepts ${known.join(', ')}`)];
}

function missingValue({ name, label, values, isList }: CreationField): Finding {
  const example = values?.[0] ?? '...';
  const line = `${name}: ${JSON.stringify(isList ? [example] : example)}`;
  const choice = values === null ? '' : `; it has ${values.join(', ')}`;
  return failure(
    `the tracker refuses new bugs without ${label} (${name})${choice}. Add it to create in the route, for example: ${line}`,
  );
}

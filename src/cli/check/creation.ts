import { saidOfNewBugs, wantedOfNewBugs } from '../../links/create.ts';
import type { CreateValues } from '../../model/route.ts';
import type { CreationField } from '../../model/survey.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** What a bug gets that is filed from an issue. */
export const creation: Topic = {
  name: 'create',
  fine: ({ route }) => (route.direction === 'to-github' ? 'the route files no bugs' : 'the tracker accepts the values of new bugs'),
  find,
};

const createFields = ['component', 'version', 'op_sys', 'platform', 'severity', 'priority'] as const satisfies (keyof CreateValues)[];

function find(site: Site): readonly Finding[] {
  const { create, direction, selection } = site.route;
  if (direction === 'to-github') return [];
  const closed = failure(
    `product ${selection.product} takes no new bugs of our account; ask an administrator of the tracker to open it, or set direction: to-github`,
  );
  const strange = createFields.flatMap((name) => strangeValues(name, create[name], site.vocabulary.values[name] ?? null));
  return [...(site.tracker.takesBugs === false ? [closed] : []), ...strange, ...further(site), ...untold(site)];
}

function untold({ vocabulary: { values }, tracker: { takesBugs, creationFields } }: Site): readonly Finding[] {
  const silent = [
    ...createFields.filter((name) => values[name] === undefined).map((name) => `the values of ${name}`),
    ...(takesBugs === null ? ['whether the product takes new bugs of our account'] : []),
    ...(creationFields === null ? ['what a new bug has to say'] : []),
  ];
  if (silent.length === 0) return [];
  return [
    warning(
      `the tracker does not tell ${silent.join(', ')}, so nobody has looked at that: file a bug there by hand, with these values, before the first run`,
    ),
  ];
}

/** What the tracker asks for besides, and what the route says besides. */
function further({ route, tracker: { creationFields, parameters } }: Site): readonly Finding[] {
  if (creationFields === null) return [];
  // Where the tracker tells that it wants no type, nobody has to say one.
  const fields = creationFields.map((field) =>
    field.name === 'type' && parameters?.['require_bug_type'] === '0' ? { ...field, isMandatory: false } : field,
  );
  const missing = wantedOfNewBugs(fields, saidOfNewBugs(route)).filter(({ name }) => !(name in saidOfNewBugs(route)));
  const said = Object.entries(route.createFurther).flatMap(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return [failure(`create.${name} is no field of this tracker; take it out`)];
    return [value].flat().flatMap((one) => strangeValues(name, one, field.values));
  });
  return [...missing.map(missingValue), ...said];
}

function strangeValues(name: string, value: string, known: readonly string[] | null): readonly Finding[] {
  if (known === null || known.includes(value)) return [];
  const shown = value === '' ? 'nothing' : `"${value}"`;
  return [failure(`create.${name} is ${shown}, which the tracker does not accept; it has ${known.join(', ')}`)];
}

function missingValue({ name, label, values, isList }: CreationField): Finding {
  const example = values?.[0] ?? '...';
  const line = `${name}: ${JSON.stringify(isList ? [example] : example)}`;
  const choice = values === null ? '' : `; it has ${values.join(', ')}`;
  return failure(`the tracker refuses new bugs without ${label} (${name})${choice}. Add to create of the route, for example: ${line}`);
}

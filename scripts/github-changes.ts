/** What changed between two dates of GitHub's description, in words: one line for each field of a request or answer. */

type Json = { readonly [name: string]: unknown };

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((node, name) => (isRecord(node) ? node[name] : undefined), value);

/** Facts by name, such as `request title` and `string`. */
type Facts = ReadonlyMap<string, string>;

export interface Change {
  /** `POST /repos/...` or the name of a schema. */
  readonly subject: string;
  readonly line: string;
}

/** @param isRead whether the bridge reads a field of this name; of others, only new ones are told */
export function changesBetween(before: Json, after: Json, isRead: (name: string) => boolean): readonly Change[] {
  const subjects = [...new Set([...subjectsOf(before), ...subjectsOf(after)])];
  return subjects.flatMap((subject) => {
    const lines = differences(factsOf(before, subject), factsOf(after, subject), isRead);
    // A schema that is new is named by the fields that have it.
    const isTold = subject.includes(' ') || !lines.includes('is new');
    return isTold ? lines.map((line) => ({ subject, line })) : [];
  });
}

/** `POST /repos/...` for an operation, `issue` for a schema. */
const subjectsOf = (description: Json): readonly string[] => [
  ...entries(at(description, 'paths')).flatMap(([path, verbs]) =>
    entries(verbs)
      .filter(([verb]) => /^(?:get|post|put|patch|delete)$/u.test(verb))
      .map(([verb]) => `${verb.toUpperCase()} ${path}`),
  ),
  ...entries(at(description, 'components', 'schemas')).map(([name]) => name),
];

const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : [];

function factsOf(description: Json, subject: string): Facts {
  const [verb = '', path] = subject.split(' ');
  const facts = new Map<string, string>();
  if (path === undefined) {
    const schema = at(description, 'components', 'schemas', subject);
    if (schema !== undefined) addSchema(facts, '', schema, true);
    return facts;
  }
  const operation = at(description, 'paths', path, verb.toLowerCase());
  if (operation === undefined) return facts;
  facts.set('itself', 'described');
  const parameters = at(operation, 'parameters');
  for (const each of Array.isArray(parameters) ? parameters : []) {
    const reference = at(each, '$ref');
    const found = typeof reference === 'string' ? at(description, ...reference.slice(2).split('/')) : each;
    if (at(found, 'in') === 'query') facts.set(`parameter ${at(found, 'name')}`, typeOf(at(found, 'schema')));
  }
  addSchema(facts, 'request', at(operation, 'requestBody', 'content', 'application/json', 'schema'), true);
  for (const [status, answer] of entries(at(operation, 'responses'))) {
    const reference = at(answer, '$ref');
    facts.set(`answer ${status}`, typeof reference === 'string' ? lastOf(reference) : 'described');
    addSchema(facts, `answer ${status}`, at(answer, 'content', 'application/json', 'schema'), true);
  }
  return facts;
}

const lastOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Every field of a schema, down to the next one that has a name of its own. */
function addSchema(facts: Map<string, string>, name: string, schema: unknown, isRequired: boolean): void {
  if (schema === undefined) return;
  if (name !== '') facts.set(name, `${typeOf(schema)}${isRequired ? '' : ' or absent'}`);
  for (const part of partsOf(schema)) {
    const required = at(part, 'required');
    for (const [field, below] of entries(at(part, 'properties')))
      addSchema(
        facts,
        name === '' ? field : `${name} ${field}`,
        below,
        Array.isArray(required) && required.includes(field),
      );
    const items = at(part, 'items');
    if (items !== undefined) addSchema(facts, `${name}[]`, items, true);
  }
}

/** A schema, or the alternatives that it names; references lead to another subject. */
function partsOf(schema: unknown): readonly unknown[] {
  const lists = ['oneOf', 'anyOf', 'allOf'].flatMap((name) => {
    const found = at(schema, name);
    return Array.isArray(found) ? found : [];
  });
  return [schema, ...lists.flatMap(partsOf)];
}

function typeOf(schema: unknown): string {
  const words = partsOf(schema).flatMap((part): readonly string[] => {
    const [reference, values, type, format] = ['$ref', 'enum', 'type', 'format'].map((name) => at(part, name));
    if (typeof reference === 'string') return [lastOf(reference)];
    if (Array.isArray(values)) return [values.join(', ')];
    return typeof type === 'string' ? [typeof format === 'string' ? `${type} (${format})` : type] : [];
  });
  return [...new Set(words)].sort().join(' or ') || 'anything';
}

function differences(before: Facts, after: Facts, isRead: (name: string) => boolean): readonly string[] {
  if (before.size === 0) return ['is new'];
  if (after.size === 0) return ['is gone'];
  const isOurs = (name: string): boolean =>
    /^answer \d+$/u.test(name) || isRead(name.split(/[ [\]]+/u).findLast((part) => part !== '') ?? '');
  const isBelow = (name: string, others: Facts): boolean =>
    [...others.keys()].some(
      (other) => name !== other && (name.startsWith(`${other} `) || name.startsWith(`${other}[]`)),
    );
  const only = (one: Facts, other: Facts): Facts => new Map([...one].filter(([name]) => !other.has(name)));
  const [gone, come] = [only(before, after), only(after, before)];
  return [
    ...[...gone].flatMap(([name, type]) => (isOurs(name) && !isBelow(name, gone) ? [`- ${name}: ${type}`] : [])),
    ...[...before].flatMap(([name, type]) => {
      const now = after.get(name);
      return now === undefined || now === type || !isOurs(name) ? [] : [`~ ${name}: ${type} -> ${now}`];
    }),
    ...[...come].flatMap(([name, type]) => (isBelow(name, come) ? [] : [`+ ${name}: ${type}`])),
  ];
}

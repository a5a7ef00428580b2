/**
 * Checks texts for GraphQL, and answers to them, against GitHub's own schema, so that neither the sandbox nor the bridge
 * can drift away from it. `node scripts/github-descriptions.ts renew` renews the part of the schema that is used. What
 * the published schema lacks yet is in `graphql-since.json`, after GitHub's GraphQL reference.
 */

import { readFileSync } from 'node:fs';

interface Field {
  readonly type: string;
  readonly args?: Readonly<Record<string, string>>;
}

export interface Type {
  readonly kind: 'OBJECT' | 'INTERFACE' | 'UNION' | 'ENUM' | 'INPUT_OBJECT' | 'SCALAR';
  readonly fields?: Readonly<Record<string, Field>>;
  readonly values?: readonly string[];
  readonly possible?: readonly string[];
}

export type Schema = Readonly<Record<string, Type>>;

export const readSchema = (name: 'graphql' | 'graphql-since'): Schema =>
  JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')).types;

function joined(one: Schema, other: Schema): Schema {
  const merge = (name: string): readonly [string, Type] => {
    const [old, added] = [one[name], other[name]];
    if (old === undefined || added === undefined) return [name, old ?? added ?? { kind: 'SCALAR' }];
    const listed = {
      ...(added.values === undefined ? {} : { values: [...(old.values ?? []), ...added.values] }),
      ...(added.fields === undefined ? {} : { fields: { ...old.fields, ...added.fields } }),
    };
    return [name, { ...old, ...listed }];
  };
  return Object.fromEntries([...new Set([...Object.keys(one), ...Object.keys(other)])].map(merge));
}

const schema = joined(readSchema('graphql'), readSchema('graphql-since'));

type Literal =
  | { readonly kind: 'string' | 'enum' | 'int' | 'float' | 'boolean' | 'null'; readonly text: string }
  | { readonly kind: 'list'; readonly each: readonly Literal[] }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Literal>> };

interface Selected {
  readonly alias: string;
  readonly name: string;
  readonly args: Readonly<Record<string, Literal>>;
  readonly below: readonly Part[] | null;
}

type Part = Selected | { readonly on: string; readonly below: readonly Part[] };

const token = /"(?:[^"\\\n]|\\.)*"|\.\.\.|[A-Za-z_]\w*|-?\d+(?:\.\d+)?|[{}()[\]:]/gu;

/** One operation with literal arguments and inline fragments. Throws if it is written otherwise. */
class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    const left = text.replace(token, '').replace(/[\s,]/gu, '');
    if (left !== '') throw new SyntaxError(`GraphQL has no ${left}`);
    this.#tokens = text.match(token) ?? [];
  }

  operation(): { readonly root: 'Query' | 'Mutation'; readonly parts: readonly Part[] } {
    const kind = this.#take();
    if (kind !== 'query' && kind !== 'mutation') throw new SyntaxError(`${kind} is no operation`);
    const parts = this.#parts();
    if (this.#tokens[this.#at] !== undefined) throw new SyntaxError('there is more than one operation');
    return { root: kind === 'query' ? 'Query' : 'Mutation', parts };
  }

  #take(expected?: string): string {
    const found = this.#tokens[this.#at];
    if (found === undefined || (expected !== undefined && found !== expected))
      throw new SyntaxError(`expected ${expected ?? 'more'}, found ${found ?? 'the end'}`);
    this.#at += 1;
    return found;
  }

  #skip(wanted: string): boolean {
    const isThere = this.#tokens[this.#at] === wanted;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #parts(): readonly Part[] {
    const parts: Part[] = [];
    this.#take('{');
    while (!this.#skip('}')) {
      if (this.#skip('...')) {
        this.#take('on');
        parts.push({ on: this.#take(), below: this.#parts() });
        continue;
      }
      const first = this.#take();
      const name = this.#skip(':') ? this.#take() : first;
      const args = this.#skip('(') ? this.#named(')') : {};
      parts.push({ alias: first, name, args, below: this.#tokens[this.#at] === '{' ? this.#parts() : null });
    }
    if (parts.length === 0) throw new SyntaxError('a selection is empty');
    return parts;
  }

  #named(end: string): Readonly<Record<string, Literal>> {
    const fields: Record<string, Literal> = {};
    while (!this.#skip(end)) {
      const name = this.#take();
      this.#take(':');
      fields[name] = this.#literal();
    }
    return fields;
  }

  #literal(): Literal {
    const text = this.#take();
    if (text === '{') return { kind: 'object', fields: this.#named('}') };
    if (text === '[') {
      const each: Literal[] = [];
      while (!this.#skip(']')) each.push(this.#literal());
      return { kind: 'list', each };
    }
    if (text.startsWith('"')) return { kind: 'string', text: JSON.parse(text) };
    if (/^-?\d/u.test(text)) return { kind: text.includes('.') ? 'float' : 'int', text };
    if (text === 'true' || text === 'false') return { kind: 'boolean', text };
    return { kind: text === 'null' ? 'null' : 'enum', text };
  }
}

const nameOf = (type: string): string => type.replace(/[[\]!]/gu, '');

/** What is wrong with a text, one sentence each; none if GitHub takes it. */
export function validateGraphql(text: string): readonly string[] {
  try {
    const { root, parts } = new Reader(text).operation();
    return wrongParts(root, parts);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [error.message];
  }
}

function wrongParts(typeName: string, parts: readonly Part[]): readonly string[] {
  const type = schema[typeName];
  if (type === undefined) return [`GitHub has no type ${typeName}`];
  return parts.flatMap((part): readonly string[] => {
    if ('on' in part) {
      const fits = part.on === typeName || type.possible?.includes(part.on) === true;
      return fits ? wrongParts(part.on, part.below) : [`a ${typeName} is never a ${part.on}`];
    }
    if (part.name === '__typename') return [];
    const field = type.fields?.[part.name];
    if (field === undefined) return [`${typeName} has no field ${part.name}`];
    const where = `${typeName}.${part.name}`;
    const isLeaf = ['SCALAR', 'ENUM'].includes(schema[nameOf(field.type)]?.kind ?? '');
    const below =
      part.below === null
        ? isLeaf
          ? []
          : [`${where} needs a selection`]
        : isLeaf
          ? [`${where} takes no selection`]
          : wrongParts(nameOf(field.type), part.below);
    return [...wrongFields(where, part.args, field.args ?? {}), ...below];
  });
}

function wrongFields(
  where: string,
  given: Readonly<Record<string, Literal>>,
  known: Readonly<Record<string, string>>,
): readonly string[] {
  const missing = Object.entries(known).filter(([name, type]) => type.endsWith('!') && given[name] === undefined);
  return [
    ...missing.map(([name]) => `${where} needs ${name}`),
    ...Object.entries(given).flatMap(([name, literal]) => {
      const type = known[name];
      return type === undefined ? [`${where} takes no ${name}`] : wrongLiteral(`${where}, ${name}`, literal, type);
    }),
  ];
}

const literalsOf: Readonly<Record<string, readonly Literal['kind'][]>> = {
  Int: ['int'],
  Float: ['int', 'float'],
  Boolean: ['boolean'],
  ID: ['string', 'int'],
};

function wrongLiteral(where: string, literal: Literal, type: string): readonly string[] {
  if (literal.kind === 'null') return type.endsWith('!') ? [`${where} is never null`] : [];
  const bare = type.replace(/!$/u, '');
  if (bare.startsWith('[')) {
    const each = literal.kind === 'list' ? literal.each : [literal];
    return each.flatMap((one) => wrongLiteral(where, one, bare.slice(1, -1)));
  }
  const found = schema[bare];
  if (found?.kind === 'INPUT_OBJECT') {
    const fields = Object.fromEntries(Object.entries(found.fields ?? {}).map(([name, field]) => [name, field.type]));
    return literal.kind === 'object' ? wrongFields(bare, literal.fields, fields) : [`${where} is no ${bare}`];
  }
  if (found?.kind === 'ENUM')
    return literal.kind === 'enum' && found.values?.includes(literal.text) === true ? [] : [`${where} is no ${bare}`];
  return (literalsOf[bare] ?? ['string']).includes(literal.kind) ? [] : [`${where} is no ${bare}`];
}

/** What is wrong with an answer to a text that GitHub takes. */
export function validateGraphqlAnswer(text: string, answer: unknown): readonly string[] {
  const { root, parts } = new Reader(text).operation();
  const { data, errors } = recordOf(answer);
  const said = [data, errors].every((each) => each === undefined) ? ['an answer has data or errors'] : [];
  const asErrors = Array.isArray(errors) ? errors.filter((each) => typeof recordOf(each)['message'] !== 'string') : [];
  return [
    ...said,
    ...asErrors.map(() => 'an error has a message'),
    ...(data === undefined || data === null ? [] : wrongObject(root, root, parts, data)),
  ];
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

function wrongObject(where: string, typeName: string, parts: readonly Part[], value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${where} is no object`];
  // Nothing says of which type an object is, so it has to fit one of them.
  const types = schema[typeName]?.possible ?? [typeName];
  const found = types.map((type) => wrongFieldsOf(where, type, selectedIn(type, typeName, parts), { ...value }));
  return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

function wrongFieldsOf(
  where: string,
  type: string,
  wanted: readonly Selected[],
  shown: Readonly<Record<string, unknown>>,
): readonly string[] {
  const surplus = Object.keys(shown).filter((alias) => !wanted.some((part) => part.alias === alias));
  return [
    ...surplus.map((alias) => `${where} shows ${alias}, which nobody asked for`),
    ...wanted.flatMap((part) => {
      const at = `${where}.${part.alias}`;
      if (!(part.alias in shown)) return [`${at} is missing`];
      const field = part.name === '__typename' ? 'String!' : (schema[type]?.fields?.[part.name]?.type ?? 'String');
      return wrongValue(at, field, part.below ?? [], shown[part.alias]);
    }),
  ];
}

/** The fields of a selection that an object of this type shows. */
const selectedIn = (type: string, abstract: string, parts: readonly Part[]): readonly Selected[] =>
  parts.flatMap((part) => {
    if (!('on' in part)) return [part];
    return part.on === type || part.on === abstract ? selectedIn(type, abstract, part.below) : [];
  });

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: Number.isSafeInteger,
  Boolean: (value) => typeof value === 'boolean',
  BigInt: (value) => /^\d+$/u.test(String(value)),
  DateTime: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u.test(String(value)),
  URI: (value) => URL.canParse(String(value)),
  GitObjectID: (value) => /^[0-9a-f]{40}$/u.test(String(value)),
};

function wrongValue(where: string, type: string, parts: readonly Part[], value: unknown): readonly string[] {
  if (value === null || value === undefined) return type.endsWith('!') ? [`${where} is never null`] : [];
  const bare = type.replace(/!$/u, '');
  if (bare.startsWith('['))
    return Array.isArray(value)
      ? value.flatMap((each) => wrongValue(where, bare.slice(1, -1), parts, each))
      : [`${where} is no list`];
  const found = schema[bare];
  if (found?.kind === 'ENUM') return found.values?.includes(String(value)) === true ? [] : [`${where} is no ${bare}`];
  if (found?.kind === 'SCALAR')
    return (scalars[bare] ?? ((each) => typeof each === 'string'))(value) ? [] : [`${where} is no ${bare}`];
  return wrongObject(where, bare, parts, value);
}

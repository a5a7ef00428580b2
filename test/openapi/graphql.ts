/**
 * Checks texts for GraphQL, and answers to them, against GitHub's own schema, so that neither the sandbox nor the bridge
 * can drift away from it. `node scripts/github-descriptions.ts renew` renews the part of the schema that is used, in
 * `schema.graphql`. What the published schema lacks yet is in `since.graphql`.
 */

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  buildSchema,
  executeSync,
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLTypeResolver,
  isScalarType,
  Kind,
  parse,
  type SelectionNode,
  validate,
} from 'graphql';

const texts = ['schema', 'since'].map((name) => readFileSync(new URL(`./${name}.graphql`, import.meta.url), 'utf8'));
/** Throws if the published schema has come to contain what is written by hand. */
const schema = buildSchema(texts.join('\n'));

/** The schema only names these. */
const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  BigInt: (value) => /^\d+$/u.test(String(value)),
  DateTime: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u.test(String(value)),
  URI: (value) => URL.canParse(String(value)),
  GitObjectID: (value) => /^[0-9a-f]{40}$/u.test(String(value)),
};
for (const type of Object.values(schema.getTypeMap())) {
  const fits = forms[type.name];
  if (isScalarType(type) && fits !== undefined) hold(type, fits);
}

function hold(type: GraphQLScalarType, fits: (value: unknown) => boolean): void {
  type.coerceOutputValue = (value) => {
    if (fits(value)) return value;
    throw new GraphQLError(`${JSON.stringify(value)} is no ${type.name}`);
  };
}

/** What is wrong with a text, one sentence each; none if GitHub takes it. */
export function validateGraphql(text: string): readonly string[] {
  try {
    return validate(schema, parse(text)).map(({ message }) => message);
  } catch (error) {
    if (error instanceof GraphQLError) return [error.message];
    throw error;
  }
}

/** What is wrong with an answer to a text that GitHub takes: GitHub would answer the same with these values. */
export function validateGraphqlAnswer(text: string, answer: object): readonly string[] {
  const { data, errors }: { readonly data?: unknown; readonly errors?: unknown } = answer;
  const said = data === undefined && errors === undefined ? ['an answer has data or errors'] : [];
  const hasMessages = errors === undefined || (Array.isArray(errors) && errors.every(hasMessage));
  const wrong = hasMessages ? said : [...said, 'an error has a message'];
  if (data === undefined || data === null) return wrong;
  const again = executeSync({
    schema,
    document: parse(text),
    rootValue: data,
    fieldResolver: (shown: Readonly<Record<string, unknown>>, _args, _context, { path }) => shown[path.key],
    typeResolver: typeOf,
  });
  const problems = (again.errors ?? []).map(({ message, path = [] }) => `${path.join('.')}: ${message}`);
  const isSame = problems.length > 0 || isDeepStrictEqual(JSON.parse(JSON.stringify(again.data)), data);
  return [...wrong, ...problems, ...(isSame ? [] : [`${text} asks for less, or more, than ${JSON.stringify(data)}`])];
}

const hasMessage = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';

/** Where nothing says of which type an object is, it is the first whose fields it shows. */
const typeOf: GraphQLTypeResolver<object, unknown> = (shown, _context, { fieldNodes }, abstract) => {
  if ('__typename' in shown && typeof shown.__typename === 'string') return shown.__typename;
  const asked = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  const types = schema.getPossibleTypes(abstract).map(({ name }) => name);
  const isOf = (type: string): boolean => isDeepStrictEqual(keysFor(type, asked), new Set(Object.keys(shown)));
  return types.find(isOf) ?? types[0];
};

const keysFor = (type: string, parts: readonly SelectionNode[]): ReadonlySet<string> =>
  new Set(
    parts.flatMap((part) => {
      if (part.kind === Kind.FIELD) return [(part.alias ?? part.name).value];
      const isOther = part.kind === Kind.FRAGMENT_SPREAD || part.typeCondition?.name.value !== type;
      return isOther ? [] : [...keysFor(type, part.selectionSet.selections)];
    }),
  );

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from '../../src/config/schema/json-schema.ts';
import { smallest, withRoute } from './sample.ts';

const schema: unknown = JSON.parse(readFileSync('config/bridge.schema.json', 'utf8'));
const example = readFileSync('config/bridge.example.yaml', 'utf8');

test('the committed schema is up to date (npm run schema writes it)', () => {
  expect(schema).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
});

describe('an editor with the schema', () => {
  const accepts = new Ajv({ validateFormats: false, allowUnionTypes: true }).compile(
    JSON.parse(JSON.stringify(schema)),
  );

  test.each([
    ['the example', example],
    ['the smallest configuration, variables and all', smallest],
  ])('accepts %s', (_, text) => {
    expect(accepts(parse(text)), JSON.stringify(accepts.errors)).toBe(true);
  });

  test.each([
    ['an unknown key', withRoute('lables: []')],
    ['an unknown key of new bugs', withRoute('create: { component: Core, versoin: "1" }')],
    ['a number for a custom field', withRoute('create: { component: Core, cf_team: 5 }')],
    ['an unknown direction', withRoute('direction: sideways')],
    ['a missing key', smallest.replace('instance: acme\n', '')],
  ])('refuses %s', (_, text) => {
    expect(accepts(parse(text))).toBe(false);
  });
});

/** The names of all keys that the schema knows, however deep. */
function keysOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'properties' in node && typeof node.properties === 'object' ? Object.keys(node.properties ?? {}) : [];
  return [...own, ...Object.values(node).flatMap(keysOf)];
}

test.each([...new Set(keysOf(configJsonSchema()))])('the example shows the key %s', (key) => {
  expect(example).toMatch(new RegExp(`(^|[\\s#{,])${key}:|Or ${key},`, 'm'));
});

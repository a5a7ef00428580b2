/**
 * Renews the parts of GitHub's own interface descriptions that the tests hold the bridge to, and shows what changed in
 * them. The package is fetched for this only, because it has 400 MB.
 *
 *   node scripts/github-descriptions.ts renew [VERSION]   writes test/openapi from @octokit/openapi, the newest by default
 *   node scripts/github-descriptions.ts compare OLD NEW   prints what changed between two of its versions
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Json = { readonly [name: string]: unknown };

/** The server of GitHub itself in its newest version, and the oldest Enterprise Server that is described. */
interface Slice {
  readonly name: 'github' | 'enterprise';
  readonly content: Json;
}

const folder = new URL('../test/openapi/', import.meta.url);
const apiVersion = '2026-03-10';

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordAt = (value: unknown, name: string): Json => {
  const found = isRecord(value) ? value[name] : undefined;
  return isRecord(found) ? found : {};
};

/** The paths of which the bridge uses some operation. */
const usedPaths = (): readonly string[] =>
  Object.keys(recordAt(JSON.parse(readFileSync(new URL('slice.json', folder), 'utf8')), 'paths'));

function slicesOf(version: string): readonly Slice[] {
  const place = mkdtempSync(join(tmpdir(), 'github-descriptions-'));
  try {
    const named = `@octokit/openapi@${version}`;
    const [packed] = JSON.parse(execFileSync('npm', ['pack', named, '--json'], { cwd: place, encoding: 'utf8' }));
    execFileSync('tar', ['xzf', packed.filename], { cwd: place });
    const generated = join(place, 'package', 'generated');
    const oldest = readdirSync(generated)
      .flatMap((file) => /^ghes-(\d+)\.(\d+)\.json$/u.exec(file) ?? [])
      .filter((file) => file.endsWith('.json'))
      .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))[0];
    const read = (file: string): Json => JSON.parse(readFileSync(join(generated, file), 'utf8'));
    return [
      { name: 'github', content: sliceOf(inVersion(read('api.github.com.json')), `GitHub, API ${apiVersion}`, packed) },
      { name: 'enterprise', content: sliceOf(read(oldest ?? ''), (oldest ?? '').replace('.json', ''), packed) },
    ];
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** Applies what GitHub says of the version: merge patches, and lists of operations on pointers. */
function inVersion(node: unknown): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isRecord(value)) return value;
    const { 'x-github-breaking-changes': changes, ...rest } = value;
    const whole: unknown = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, walk(each)]));
    if (!Array.isArray(changes)) return whole;
    return changes
      .filter((change) => recordAt({ change }, 'change')['version'] === apiVersion)
      .reduce((result: unknown, { patch }: Json) => {
        if (!Array.isArray(patch)) return merged(result, patch);
        return patch.reduce((target: unknown, each: Json) => operated(target, each), result);
      }, whole);
  };
  const whole = walk(node);
  return isRecord(whole) ? whole : {};
}

/** RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    // It says that not even the time of merging is ever null, which an open pull request does not have.
    if (name === 'nullable' && value === false) continue;
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

/** The part of RFC 6902 that the description uses. */
function operated(target: unknown, { op, path, value }: Json): unknown {
  const [head, ...rest] = String(path)
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (head === undefined) return target;
  if (Array.isArray(target)) return op === 'remove' ? target.filter((_each, at) => at !== Number(head)) : target;
  if (!isRecord(target)) return target;
  if (rest.length > 0) {
    const below = `/${rest.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
    return { ...target, [head]: operated(target[head], { op, path: below, value }) };
  }
  const { [head]: _old, ...others } = target;
  return op === 'remove' ? others : { ...others, [head]: value };
}

const dropped = /^(?:description|examples?|summary|tags|externalDocs|title|deprecated|x-.*)$/u;

/** The used paths and all that they refer to, without words for people; `nullable` becomes what JSON Schema knows. */
function sliceOf(whole: Json, title: string, { version }: { readonly version: string }): Json {
  const paths = Object.fromEntries(
    usedPaths().flatMap((path) => {
      const found = recordAt(recordAt(whole, 'paths'), path);
      return Object.keys(found).length === 0 ? [] : [[path, lean(found)] as const];
    }),
  );
  const components: Record<string, Record<string, unknown>> = {};
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each);
    if (!isRecord(value)) return;
    const [, , kind, name] = typeof value['$ref'] === 'string' ? value['$ref'].split('/') : [];
    if (kind !== undefined && name !== undefined && components[kind]?.[name] === undefined) {
      const found = lean(recordAt(recordAt(recordAt(whole, 'components'), kind), name));
      components[kind] = { ...components[kind], [name]: found };
      collect(found);
    }
    for (const each of Object.values(value)) collect(each);
  };
  collect(paths);
  const info = { title: `${title}, the part that the bridge uses`, version, 'x-source': '@octokit/openapi, MIT' };
  return { openapi: '3.0.3', info, paths, components };
}

function lean(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => lean(each));
  if (!isRecord(value)) return value;
  const { nullable, ...rest } = value;
  const kept = Object.fromEntries(
    Object.entries(rest).flatMap(([name, each]) =>
      !isNames && dropped.test(name) ? [] : [[name, lean(each, name === 'properties' || name === 'schemas')] as const],
    ),
  );
  return nullable === true && !isNames
    ? { anyOf: [kept, { type: 'null' }] }
    : isNames
      ? { ...kept, ...nullableIn(value) }
      : kept;
}

/** A property may itself have this name. */
const nullableIn = ({ nullable }: Json): Json => (isRecord(nullable) ? { nullable: lean(nullable) } : {});

/** Each place where two descriptions differ, as a pointer. */
function differences(one: unknown, other: unknown, at = ''): readonly string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (one === undefined) return [`+ ${at}`];
  if (other === undefined) return [`- ${at}`];
  if (!isRecord(one) || !isRecord(other)) return [`~ ${at}: ${JSON.stringify(one)} -> ${JSON.stringify(other)}`];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
    differences(one[name], other[name], `${at}/${name.replaceAll('/', '~')}`),
  );
}

const [command, first = 'latest', second = 'latest'] = process.argv.slice(2);
if (command === 'renew') {
  for (const { name, content } of slicesOf(first))
    writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(content)}\n`);
} else if (command === 'compare') {
  const [before, after] = [slicesOf(first), slicesOf(second)];
  for (const [index, { name, content }] of after.entries())
    for (const line of differences({ ...before[index]?.content, info: null }, { ...content, info: null }))
      process.stdout.write(`${name} ${line}\n`);
} else {
  process.stderr.write('Usage: github-descriptions.ts renew [VERSION] | compare OLD [NEW]\n');
  process.exitCode = 2;
}

/**
 * Renews the parts of GitHub's own interface descriptions that the tests hold the bridge to, and shows what changed in
 * them. The packages are fetched for this only, because one has 400 MB. `test/openapi/operations.txt` has the operations
 * that are used.
 *
 *   node scripts/github-descriptions.ts renew               writes test/openapi from @octokit/openapi and graphql-schema
 *   node scripts/github-descriptions.ts compare DATE [DATE] prints what changed in them between two days
 */

import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, findSchemaChanges } from 'graphql';
import { changesBetween } from './github-changes.ts';
import { schemaSlice } from './github-schema.ts';

type Json = { readonly [name: string]: unknown };

/** GitHub itself in the version 2022-11-28 and in the newest, and the oldest Enterprise Server that is described. */
interface Slice {
  readonly name: 'slice' | 'github' | 'enterprise';
  readonly title: string;
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

/** Such as `GET /repos/{owner}/{repo}`. */
const operations = new Set(readFileSync(new URL('operations.txt', folder), 'utf8').trim().split('\n'));

/** Unpacks a package as it was on that day, and hands its folder and its version over. */
function unpacked<T>(name: string, date: string, read: (folder: string, version: string) => T): T {
  const place = mkdtempSync(join(tmpdir(), 'github-descriptions-'));
  try {
    const asked = ['pack', name, `--before=${date}T23:59:59Z`, '--json'];
    const [packed] = JSON.parse(execFileSync('npm', asked, { cwd: place, encoding: 'utf8' }));
    execFileSync('tar', ['xzf', packed.filename], { cwd: place });
    return read(join(place, 'package'), packed.version);
  } finally {
    rmSync(place, { recursive: true });
  }
}

const slicesAt = (date: string): readonly Slice[] =>
  unpacked('@octokit/openapi', date, (place, version) => {
    const generated = join(place, 'generated');
    const oldest = readdirSync(generated)
      .filter((file) => /^ghes-\d+\.\d+\.json$/u.test(file))
      .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))[0];
    const read = (file: string): Json => JSON.parse(readFileSync(join(generated, file), 'utf8'));
    const whole = read('api.github.com.json');
    const slice = (name: Slice['name'], title: string, from: Json): Slice => ({
      name,
      title: `${title}, ${version}`,
      content: sliceOf(from, title, version),
    });
    return [
      slice('slice', 'GitHub, API 2022-11-28', whole),
      slice('github', `GitHub, API ${apiVersion}`, inVersion(whole)),
      slice('enterprise', (oldest ?? '').replace('.json', ''), read(oldest ?? '')),
    ];
  });

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
function sliceOf(whole: Json, title: string, version: string): Json {
  const paths = Object.fromEntries(
    Object.entries(recordAt(whole, 'paths')).flatMap(([path, verbs]) => {
      const used = Object.entries(isRecord(verbs) ? verbs : {}).filter(([verb]) =>
        operations.has(`${verb.toUpperCase()} ${path}`),
      );
      return used.length === 0 ? [] : [[path, lean(Object.fromEntries(used))] as const];
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

/** Names of fields that the edge reads or writes. */
function usedNames(): ReadonlySet<string> {
  const files = globSync('src/github/**/*.ts', { cwd: new URL('..', import.meta.url) });
  return new Set(
    files.flatMap((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').match(/\w+/gu) ?? []),
  );
}

const schemaAt = (date: string): { readonly title: string; readonly text: string } =>
  unpacked('@octokit/graphql-schema', date, (place, version) => ({
    title: `@octokit/graphql-schema ${version}`,
    text: schemaSlice(readFileSync(join(place, 'schema.graphql'), 'utf8')),
  }));

function renew(): void {
  for (const { name, content } of slicesAt(today))
    writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(content)}\n`);
  const { title, text } = schemaAt(today);
  writeFileSync(new URL('schema.graphql', folder), `# ${title}, MIT\n\n${text}`);
}

function compare(first: string, second: string): void {
  const [before, after, names] = [slicesAt(first), slicesAt(second), usedNames()];
  const told = new Set<string>();
  // The version of 2022 changes as the newest does, and older servers mostly so.
  for (const { name, title, content } of after.filter((each) => each.name !== 'slice')) {
    const old = before.find((each) => each.name === name);
    const all = changesBetween(old?.content ?? {}, content, (field) => names.has(field));
    const fresh = all.filter(({ subject, line }) => !told.has(`${subject} ${line}`));
    for (const { subject, line } of all) told.add(`${subject} ${line}`);
    const groups = [...Map.groupBy(fresh, ({ subject }) => subject)].flatMap(([subject, changes]) => [
      subject,
      ...changes.map(({ line }) => `  ${line}`),
    ]);
    const rest = all.length - fresh.length;
    const end = rest > 0 ? [`${rest} changes as above`] : all.length === 0 ? ['nothing changed'] : [];
    print(`${old?.title} -> ${title}`, [...groups, ...end]);
  }
  const [old, now] = [schemaAt(first), schemaAt(second)];
  const changes = findSchemaChanges(buildSchema(old.text), buildSchema(now.text)).map(({ description }) => description);
  print(`${old.title} -> ${now.title}`, changes.length === 0 ? ['nothing changed'] : changes);
}

const print = (title: string, lines: readonly string[]): boolean =>
  process.stdout.write(`${[title, ...lines].join('\n')}\n\n`);

const today = new Date().toISOString().slice(0, 10);
const [command, first, second = today] = process.argv.slice(2);
if (command === 'renew') renew();
else if (command === 'compare' && first !== undefined) compare(first, second);
else {
  process.stderr.write('Usage: github-descriptions.ts renew | compare DATE [DATE]\n');
  process.exitCode = 2;
}

/**
 * The house rules that no single file can show: who may import whom, what the core must not touch, how large files and
 * functions may grow, and that ARCHITECTURE.md and the tests speak of the same invariants.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Layer {
  /** Folders of src/ that it may import besides itself. */
  readonly may: readonly string[];
  /** Packages, and modules of Node, that it may import. */
  readonly vendors: readonly string[];
  /** Single files of other folders. */
  readonly files?: readonly string[];
}

/** Modules of Node. What must not be used of them is banned by name below. */
const node = ['node:'];

/** The import table. What is not here may not be imported. */
const layers: Readonly<Record<string, Layer>> = {
  model: { may: [], vendors: [] },
  core: { may: ['model'], vendors: [] },
  engine: { may: ['model', 'core'], vendors: [] },
  bugzilla: { may: ['model'], vendors: ['zod'] },
  github: { may: ['model'], vendors: ['zod', '@octokit/rest', '@octokit/auth-app'] },
  store: { may: ['model'], vendors: ['better-sqlite3', ...node] },
  runtime: { may: ['model'], vendors: ['p-queue', 'pino', 'node-cron', 'prom-client', ...node] },
  http: {
    may: ['model'],
    files: ['core/explain', 'core/failure', 'core/named', 'core/story'],
    vendors: ['hono', '@hono/node-server', '@octokit/webhooks-methods', ...node],
  },
  sandbox: { may: ['model'], vendors: ['hono', '@hono/node-server', '@octokit/openapi-types', ...node] },
  config: { may: ['model'], vendors: ['zod', 'yaml', ...node] },
  cli: {
    may: ['config', 'model', 'core'],
    files: ['wire', 'wire-door', 'wire-edges', 'wire-migrate', 'wire-sandbox', 'wire-state'],
    vendors: ['commander', ...node],
  },
  'wire.ts': {
    may: ['model', 'core', 'engine', 'bugzilla', 'github', 'store', 'runtime', 'http', 'sandbox', 'config'],
    files: ['wire-edges'],
    vendors: node,
  },
  'wire-edges.ts': { may: ['model', 'core', 'bugzilla', 'github', 'runtime', 'config'], vendors: [] },
  'wire-sandbox.ts': { may: ['model', 'runtime', 'sandbox', 'store'], vendors: node },
  'wire-door.ts': { may: ['model', 'core', 'engine', 'runtime', 'http', 'config'], files: ['wire'], vendors: [] },
  'wire-migrate.ts': { may: ['model', 'core', 'engine'], files: ['wire'], vendors: [] },
  'wire-state.ts': { may: ['config', 'runtime', 'store'], vendors: [] },
  'main.ts': { may: ['cli'], vendors: node },
};

/** Exceptions, each with its reason. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // A digest is a pure function; the core takes it from Node and nothing else.
  'kernel/digest.ts': ['node:crypto'],
  // Markdown is read by the parser that others keep, and emoji have the names that GitHub gave them.
  'text/parse.ts': ['mdast', 'mdast-util-from-markdown', 'mdast-util-gfm', 'micromark-extension-gfm'],
  'text/to-tracker.ts': ['mdast'],
  'text/pathological.ts': ['mdast'],
  'text/in-place.ts': ['mdast'],
  'text/escape.ts': ['mdast'],
  'text/safe-markdown.ts': ['mdast'],
  'text/safe-spans.ts': ['mdast'],
  'text/kept-markdown.ts': ['mdast'],
  'text/phrasing.ts': ['mdast', 'gemoji'],
  'comments/write.ts': ['diff'],
  // What issues will look like is shown by a renderer that others keep.
  'cli/migrate/preview.ts': ['micromark', 'micromark-extension-gfm'],
  // What a reader sees is told by a parser that the writing of texts has nothing to do with.
  'verify/compare/read-markdown.ts': ['micromark', 'micromark-extension-gfm'],
};

interface Import {
  readonly target: string;
  readonly isType: boolean;
}

interface Source {
  /** Below src/. */
  readonly name: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const sources: readonly Source[] = globSync('src/**/*.ts', { cwd: root })
  .sort()
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const code = text.replace(/\/\*[\s\S]*?\*\//gu, '').replace(/(^|\s)\/\/.*$/gmu, '$1');
    return { name: relative('src', path), text, code, imports: importsIn(relative('src', path), code) };
  });

function importsIn(name: string, code: string): readonly Import[] {
  const found = code.matchAll(/^(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/gmu);
  return [...found].map(([, isType, from, bare, dynamic]) => {
    const spec = from ?? bare ?? dynamic ?? '';
    const target = spec.startsWith('.') ? join(dirname(name), spec) : spec;
    return { target, isType: isType !== undefined };
  });
}

const layerOf = (path: string): string => path.split('/')[0] ?? '';
const isOurs = (target: string): boolean => target.endsWith('.ts') || target.endsWith('.json');

/** What the import table says against one import, or null. */
function whyNot(name: string, { target }: Import): string | null {
  const layer = layers[layerOf(name)];
  if (layer === undefined) return `${layerOf(name)} is not in the import table`;
  if (exceptions[name]?.includes(target)) return null;
  if (isOurs(target)) {
    const isAllowed = layerOf(target) === layerOf(name) || layer.may.includes(layerOf(target));
    const isFile = layer.files?.some((file) => target === `${file}.ts`) ?? false;
    return isAllowed || isFile ? null : `${layerOf(name)} may not import ${target}`;
  }
  const isVendor = layer.vendors.some(
    (vendor) => target === vendor || target.startsWith(`${vendor}/`) || (vendor === 'node:' && target.startsWith(vendor)),
  );
  return isVendor ? null : `${layerOf(name)} may not import ${target}`;
}

describe('the import table', () => {
  test.each(sources.map(({ name }) => name))('%s imports only what its folder may', (name) => {
    const source = sources.find((each) => each.name === name);
    expect(source?.imports.flatMap((each) => whyNot(name, each) ?? [])).toEqual([]);
  });

  test.each([
    ['sync/plan.ts', 'store/open.ts'],
    ['sync/plan.ts', 'node:crypto'],
    ['sync/plan.ts', 'zod'],
    ['model/item.ts', 'sync/plan.ts'],
    ['sync/cycle.ts', 'github/replica.ts'],
    ['bugzilla/connection/client.ts', '@octokit/rest'],
    ['store/open.ts', 'bugzilla/connection/client.ts'],
    ['cli/run/run.ts', 'sync/cycle.ts'],
    ['somewhere/new.ts', 'model/item.ts'],
  ])('notices %s importing %s', (name, target) => {
    expect(whyNot(name, { target, isType: false })).not.toBeNull();
  });

  test('imports are read from every form that TypeScript has', () => {
    const code = [
      "import { a,\n  b } from './a.ts';",
      "import type { C } from '../model/c.ts';",
      "import './d.ts';",
      "export * from './e.ts';",
      "const f = await import('zod');",
    ].join('\n');
    expect(importsIn('core/x.ts', code)).toEqual([
      { target: 'core/a.ts', isType: false },
      { target: 'model/c.ts', isType: true },
      { target: 'core/d.ts', isType: false },
      { target: 'core/e.ts', isType: false },
      { target: 'zod', isType: false },
    ]);
  });

  test('no files import each other in a circle', () => {
    expect(circles(new Map(sources.map(({ name, imports }) => [name, imports])))).toEqual([]);
  });

  test('a circle is noticed, unless it is one of types only', () => {
    const to = (target: string, isType = false) => [{ target, isType }];
    expect(
      circles(
        new Map([
          ['a.ts', to('b.ts')],
          ['b.ts', to('c.ts')],
          ['c.ts', to('a.ts')],
        ]),
      ),
    ).toEqual(['a.ts > b.ts > c.ts > a.ts']);
    expect(
      circles(
        new Map([
          ['a.ts', to('b.ts')],
          ['b.ts', to('a.ts', true)],
        ]),
      ),
    ).toEqual([]);
  });
});

function circles(graph: ReadonlyMap<string, readonly Import[]>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (name: string, path: readonly string[]) => {
    if (path.includes(name)) {
      found.push([...path.slice(path.indexOf(name)), name].join(' > '));
      return;
    }
    if (done.has(name)) return;
    for (const { target, isType } of graph.get(name) ?? []) if (!isType && graph.has(target)) walk(target, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) walk(name, []);
  return found;
}

interface Ban {
  readonly name: string;
  readonly pattern: RegExp;
  /** Whether it may stand in this file. */
  readonly isFree: (file: string) => boolean;
  /** Code that has to be noticed. */
  readonly example: string;
}

const inCore = (file: string): boolean => layerOf(file) === 'core' || layerOf(file) === 'model';

const bans: readonly Ban[] = [
  {
    name: 'a clock',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/u,
    isFree: inFolder('runtime'),
    example: 'const now = Date.now();',
  },
  {
    name: 'a timer',
    pattern: /\b(?:setTimeout|setInterval|setImmediate)\b|node:timers/u,
    isFree: inFolder('runtime'),
    example: 'setTimeout(work, 5);',
  },
  {
    name: 'a database that may want a temporary folder',
    pattern: /\bnew Database\(/u,
    isFree: (file) => file === 'store/lock.ts',
    example: 'const db = new Database(file);',
  },
  { name: 'chance', pattern: /\bMath\.random\b/u, isFree: inFolder('runtime'), example: 'Math.random()' },
  { name: 'the environment', pattern: /\bprocess\.env\b/u, isFree: (file) => file === 'config/load.ts', example: 'process.env.HOME' },
  {
    name: 'waiting in the core',
    pattern: /\bawait\b|\basync\b|\bPromise\b/u,
    isFree: (file) => layerOf(file) !== 'core',
    example: 'await read();',
  },
  {
    name: 'the process in the core',
    pattern: /\bprocess\.|\bglobalThis\b|\bconsole\./u,
    isFree: (file) => !inCore(file),
    example: 'console.log(1);',
  },
  { name: 'a console', pattern: /\bconsole\./u, isFree: () => false, example: 'console.error(1);' },
  { name: 'any', pattern: /(?::|<|\bas|\|)\s*any\b/u, isFree: () => false, example: 'const x: any = 1;' },
  {
    name: 'a silenced compiler',
    pattern: /@ts-(?:ignore|expect-error|nocheck)|biome-ignore/u,
    isFree: () => false,
    example: '// @ts-ignore',
  },
  { name: 'a default export', pattern: /^export default\b/mu, isFree: () => false, example: 'export default plan;' },
  { name: 'a barrel', pattern: /^export \* from/mu, isFree: () => false, example: "export * from './plan.ts';" },
  { name: 'work left for later', pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/u, isFree: () => false, example: '// TODO: later' },
  {
    name: 'syntax that cannot be erased',
    pattern: /^(?:export )?(?:const )?enum\b|^(?:export )?namespace\b/mu,
    isFree: () => false,
    example: 'enum Side {}',
  },
];

describe('what the code must not do', () => {
  test.each(bans.map(({ name }) => name))('%s', (name) => {
    const ban = bans.find((each) => each.name === name);
    const guilty = sources.filter((source) => !ban?.isFree(source.name) && ban?.pattern.test(textFor(name, source)));
    expect(guilty.map((source) => source.name)).toEqual([]);
  });

  test.each(bans.map((ban) => [ban.name, ban] as const))('%s is noticed', (_name, { pattern, example }) => {
    expect(pattern.test(example)).toBe(true);
  });

  test('the core is a set of functions: no state outlives a call', () => {
    const guilty = sources.filter(({ name, code }) => inCore(name) && /^(?:export )?(?:let|var)\b/mu.test(code));
    expect(guilty.map(({ name }) => name)).toEqual([]);
  });
});

/** Timers that let the process end, each with what keeps it alive for as long as somebody waits. */
const looseTimers: Readonly<Record<string, string>> = {
  'bugzilla/connection/client.ts': "the limit of a request; the request's connection keeps the process alive",
  'cli/show/health.ts': "the limit of a request; the request's connection keeps the process alive",
  'github/connection/client.ts': "the limit of a request; the request's connection keeps the process alive",
  'github/connection/download.ts': "the limit of a request; the request's connection keeps the process alive",
  'github/attachments/linked-files.ts': "the limit of a request; the request's connection keeps the process alive",
  'runtime/lanes.ts': 'the rest of a tracker; it keeps the process alive itself while a request waits behind it',
};
const looseTimer = /\bunref\b|\bref: false\b|\bAbortSignal\.timeout\b/u;

describe('a timer that lets the process end', () => {
  test('stands only where something else keeps the process alive for whoever waits', () => {
    const found = sources.filter(({ code }) => looseTimer.test(code)).map(({ name }) => name);
    expect(found).toEqual(Object.keys(looseTimers));
  });

  test.each(['setTimeout(work, 5).unref();', 'await pause(5, null, { ref: false });', 'AbortSignal.timeout(5)'])(
    '%s is noticed',
    (code) => {
      expect(looseTimer.test(code)).toBe(true);
    },
  );
});

/** Comments can silence the compiler and put things off; in everything else only code counts. */
const textFor = (ban: string, { text, code }: Source): string =>
  ban === 'a silenced compiler' || ban === 'work left for later' ? text : code;

function inFolder(folder: string) {
  return (file: string): boolean => layerOf(file) === folder;
}

const fileLinesMax = 300;
const functionLinesMax = 70;

describe('the size budget', () => {
  test(`no file is longer than ${fileLinesMax} lines`, () => {
    const long = sources.filter(({ text }) => lineCount(text) > fileLinesMax).map(({ name, text }) => `${name}: ${lineCount(text)}`);
    expect(long).toEqual([]);
  });

  test('half of the files are no longer than about 90 lines', () => {
    const lengths = sources.map(({ text }) => lineCount(text)).sort((one, other) => one - other);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(90);
  });

  test(`no function is longer than ${functionLinesMax} lines`, () => {
    const long = sources.flatMap(({ name, text }) =>
      functionsIn(text).flatMap((each) => (each.lines > functionLinesMax ? [`${name} ${each.name}: ${each.lines}`] : [])),
    );
    expect(long).toEqual([]);
  });

  test('functions are measured in every form they take here', () => {
    const body = '\n  work();'.repeat(3);
    const forms = [
      `export function one() {${body}\n}`,
      `const two = async () => {${body}\n};`,
      `class Three {\n  async three(): Promise<void> {${body.replaceAll('  ', '    ')}\n  }\n}`,
      `export function four(\n  a: string,\n): void {${body}\n}`,
    ];
    expect(functionsIn(forms.join('\n\n')).map(({ name, lines }) => [name, lines])).toEqual([
      ['one', 5],
      ['two', 5],
      ['three', 5],
      ['four', 7],
    ]);
  });

  test('a file is named after one noun or one verb', () => {
    const banned =
      /^(?:index|utils?|helpers?|common|manager|service|misc|shared|types|constants)$|(?:-|^)(?:utils?|helpers?|manager|service)(?:-|$)/u;
    const guilty = sources.filter(
      ({ name }) => banned.test(basename(name, '.ts')) || !/^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/u.test(basename(name)),
    );
    expect(guilty.map(({ name }) => name)).toEqual([]);
  });
});

const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Functions and methods by the formatter's layout: one ends at the first line that closes at its own indentation. */
function functionsIn(text: string): readonly { readonly name: string; readonly lines: number }[] {
  const lines = text.split('\n');
  const head =
    /^(\s*)(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+) = (?:async )?\(.*|(?:static |private |readonly )*(?:async )?(\w+)\(.*)/u;
  return lines.flatMap((line, at) => {
    const match = head.exec(line);
    const name = match?.[2] ?? match?.[3] ?? match?.[4];
    if (match === null || name === undefined || ['if', 'for', 'while', 'switch', 'return', 'catch', 'expect'].includes(name)) return [];
    const indent = match[1] ?? '';
    if (match[4] !== undefined && (indent === '' || !/\{$|\($/u.test(line))) return [];
    const end = lines.findIndex((each, index) => index > at && each.startsWith(`${indent}}`));
    return end < 0 || /[;)]$/u.test(line) ? [] : [{ name, lines: end - at + 1 }];
  });
}

describe('ARCHITECTURE.md', () => {
  const text = existsSync(join(root, 'ARCHITECTURE.md')) ? readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8') : '';
  const rows = [...text.matchAll(/^\| (I\d+) \| \*\*(\w+)\*\* \|(.*)$/gmu)].map(([, id = '', name = '', rest = '']) => ({
    id,
    name,
    tests: [...rest.matchAll(/`(test\/[\w./-]+)`/gu)].flatMap(([, path]) => path ?? []),
  }));

  test('lists all invariants, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 14 }, (_, index) => `I${index + 1}`));
  });

  test.each(rows)('$id names tests that exist and that name it', ({ id, tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const path of tests) {
      expect(existsSync(join(root, path)), `${path} does not exist`).toBe(true);
      expect(readFileSync(join(root, path), 'utf8'), `${path} does not name ${id}`).toMatch(new RegExp(`\\b${id}\\b`, 'u'));
    }
  });

  test('every property file says which invariants it holds, and they are in the table', () => {
    const known = new Set(rows.map(({ id }) => id));
    for (const path of globSync('test/**/*.property.test.ts', { cwd: root })) {
      const header = /^\/\*\*[\s\S]*?\*\//u.exec(readFileSync(join(root, path), 'utf8'))?.[0] ?? '';
      const named = header.match(/\bI\d+\b/gu) ?? [];
      expect(named.length, `${path} has no header that names an invariant`).toBeGreaterThan(0);
      expect(named.filter((id) => !known.has(id))).toEqual([]);
      expect(
        rows.some(({ tests }) => tests.includes(path)),
        `ARCHITECTURE.md does not name ${path}`,
      ).toBe(true);
    }
  });

  test('its import table is the one that is enforced here', () => {
    for (const [layer, { may, files }] of Object.entries(layers)) {
      const row = new RegExp(`^\\| \`${layer}\` \\| (.*?) \\|`, 'mu').exec(text)?.[1];
      expect(row, `no row for ${layer}`).toBeDefined();
      const named = [...(row ?? '').matchAll(/`([\w./-]+)`/gu)].flatMap(([, each]) => each ?? []);
      expect(new Set(named), layer).toEqual(new Set([...may, ...(files ?? []).map((file) => `${file}.ts`)]));
    }
  });

  test('says honestly what is not covered', () => {
    expect(text).toMatch(/^## Gaps$/mu);
  });
});

/**
 * The house rules that no single file can show: who may import whom, what the core must not touch, how large files and
 * functions may grow, and that ARCHITECTURE.md and the tests speak of the same invariants.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rows as testRows, tiers } from './tiers/tiers.ts';

const root = join(import.meta.dirname, '..');

interface Layer {
  /** Folders of src/ that it may import besides itself. */
  readonly may: readonly string[];
  /** Packages, and modules of Node, that it may import. */
  readonly vendors: readonly string[];
}

/** Modules of Node. What must not be used of them is banned by name below. */
const node = ['node:'];

/**
 * The rooms of decisions, below src/rules. Their order is that of their imports: a room imports only rooms above it.
 * `operations` has a file for each kind, `limits` is no subject, and `plan` puts the subjects together.
 */
const rules: readonly (readonly [room: string, may: readonly string[]])[] = [
  ['operations', ['model']],
  ['limits', ['model', 'text', 'operations']],
  ['labels', ['model', 'text']],
  ['people', ['model', 'labels']],
  ['fields', ['model', 'text', 'labels', 'people']],
  ['links', ['model', 'text', 'fields']],
  ['privacy', ['model', 'text', 'operations', 'labels', 'fields', 'links']],
  ['attachments', ['model', 'text']],
  ['comments', ['model', 'text', 'limits', 'labels', 'people', 'fields', 'links', 'privacy', 'attachments']],
  ['plan', ['model', 'text', 'labels', 'people', 'fields', 'links', 'privacy', 'attachments', 'comments']],
];

/** Rooms below src/rules, by their names there. */
const ruling = (...names: readonly string[]): readonly string[] => names.map((name) => `rules/${name}`);

const inRules = (name: string): string => (rules.some(([room]) => room === name) ? `rules/${name}` : name);

/** The import table: what is not here may not be imported, and what is here is imported. */
const layers: Readonly<Record<string, Layer>> = {
  model: { may: [], vendors: [] },
  text: { may: ['model'], vendors: [] },
  ...Object.fromEntries(rules.map(([room, may]) => [`rules/${room}`, { may: may.map(inRules), vendors: [] }])),
  kernel: { may: ['model', 'text', ...ruling('operations', 'limits')], vendors: [] },
  sync: {
    may: [
      'model',
      'text',
      'kernel',
      ...ruling('operations', 'limits', 'labels', 'fields', 'links', 'privacy', 'attachments', 'comments', 'plan'),
    ],
    vendors: [],
  },
  explain: { may: ['model', 'kernel', ...ruling('operations', 'limits', 'fields', 'links', 'privacy')], vendors: [] },
  check: {
    may: ['model', 'text', 'explain', ...ruling('limits', 'labels', 'people', 'fields', 'privacy', 'plan')],
    vendors: [],
  },
  verify: { may: ['model', 'text', 'kernel', ...ruling('links', 'privacy', 'attachments', 'comments')], vendors: [] },
  migrate: {
    may: [
      'model',
      'text',
      'kernel',
      'sync',
      ...ruling('limits', 'fields', 'links', 'privacy', 'attachments', 'comments', 'plan'),
    ],
    vendors: [],
  },
  rehearse: { may: ['model', 'rules/limits'], vendors: [] },
  archive: { may: ['model', 'text'], vendors: ['hono'] },
  runtime: { may: ['model'], vendors: ['p-queue', 'pino', 'node-cron', 'prom-client', ...node] },
  bugzilla: { may: ['model', 'runtime'], vendors: ['zod'] },
  github: { may: ['model', 'runtime'], vendors: ['zod', '@octokit/rest', '@octokit/auth-app'] },
  store: { may: ['model'], vendors: ['better-sqlite3', ...node] },
  config: { may: ['model'], vendors: ['zod', 'yaml', ...node] },
  http: {
    may: ['model', 'explain'],
    vendors: ['hono', '@hono/node-server', '@octokit/webhooks-methods', ...node],
  },
  sandbox: { may: ['model'], vendors: ['hono', '@hono/node-server', '@octokit/openapi-types', ...node] },
  wire: {
    may: [
      'model',
      'text',
      'kernel',
      ...ruling('limits', 'labels', 'people', 'privacy'),
      ...['sync', 'explain', 'verify', 'migrate', 'rehearse', 'archive'],
      ...['bugzilla', 'github', 'store', 'config', 'runtime', 'http', 'sandbox'],
    ],
    vendors: node,
  },
  cli: {
    may: ['model', 'config', 'explain', 'check', 'wire'],
    vendors: ['commander', 'hono', ...node],
  },
  'main.ts': { may: ['cli'], vendors: node },
};

/** Exceptions, each with its reason. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // A digest is a pure function; it is taken from Node and nothing else is.
  'text/canonical.ts': ['node:crypto'],
  'github/connection/assertion.ts': ['node:crypto'],
  // Markdown is read by the parser that others keep, and emoji have the names that GitHub gave them.
  'text/parse.ts': ['mdast', 'mdast-util-from-markdown', 'mdast-util-gfm', 'micromark', 'micromark-extension-gfm'],
  'text/to-tracker.ts': ['mdast'],
  'text/in-place.ts': ['mdast'],
  'text/escape.ts': ['mdast'],
  'text/safe-markdown.ts': ['mdast'],
  'text/safe-html.ts': ['mdast'],
  'text/safe-spans.ts': ['mdast'],
  'text/kept-markdown.ts': ['mdast'],
  'text/phrasing.ts': ['mdast'],
  'text/imitation/quoted-markdown.ts': ['mdast'],
  'text/parts/fences.ts': ['mdast'],
  'text/parts/silence.ts': ['mdast'],
  'text/autolinks.ts': ['gemoji'],
  'rules/comments/changed-words.ts': ['diff'],
  // The sandbox shows issues as GitHub does, by the same renderer.
  'sandbox/github/server/markdown.ts': ['micromark', 'micromark-extension-gfm'],
  // A library that others keep finds words in the pages.
  'archive/search-index.ts': ['minisearch'],
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
  const found = code.matchAll(
    /^(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/gmu,
  );
  return [...found].map(([, isType, from, bare, dynamic]) => {
    const spec = from ?? bare ?? dynamic ?? '';
    const target = spec.startsWith('.') ? join(dirname(name), spec) : spec;
    return { target, isType: isType !== undefined };
  });
}

/** `rules/fields` of `rules/fields/merge.ts`, and `sync` of `sync/observe/poll.ts`. */
const layerOf = (path: string): string => {
  const [folder = '', room = ''] = path.split('/');
  return folder === 'rules' ? `${folder}/${room}` : folder;
};
const isOurs = (target: string): boolean => target.endsWith('.ts') || target.endsWith('.json');

/** What the import table says against one import, or null. */
function whyNot(name: string, { target }: Import): string | null {
  const layer = layers[layerOf(name)];
  if (layer === undefined) return `${layerOf(name)} is not in the import table`;
  if (exceptions[name]?.includes(target)) return null;
  if (isOurs(target)) {
    const isAllowed = layerOf(target) === layerOf(name) || layer.may.includes(layerOf(target));
    return isAllowed ? null : `${layerOf(name)} may not import ${target}`;
  }
  const isVendor = layer.vendors.some(
    (vendor) =>
      target === vendor || target.startsWith(`${vendor}/`) || (vendor === 'node:' && target.startsWith(vendor)),
  );
  return isVendor ? null : `${layerOf(name)} may not import ${target}`;
}

const circleFilesMax = 4;

/** Imports between rooms, as `from > to`, each with how many there are. */
const between = new Map<string, number>();
for (const { name, imports } of sources)
  for (const { target } of imports)
    if (isOurs(target) && layerOf(target) !== layerOf(name)) {
      const pair = `${layerOf(name)} > ${layerOf(target)}`;
      between.set(pair, (between.get(pair) ?? 0) + 1);
    }

/** Rooms of one subject each, whose number of imports across has a ceiling. */
const isSubject = (layer = ''): boolean => /^rules\/(?!limits|plan)/u.test(layer);
const [across] = [...between].reduce(
  ([sum], [pair, count]) => [sum + (pair.split(' > ').every(isSubject) ? count : 0)],
  [0],
);
const acrossMax = 40;

describe('the import table', () => {
  test.each(sources.map(({ name }) => name))('%s imports only what its folder may', (name) => {
    const source = sources.find((each) => each.name === name);
    expect(source?.imports.flatMap((each) => whyNot(name, each) ?? [])).toEqual([]);
  });

  test.each([
    ['rules/plan/plan.ts', 'store/open.ts'],
    ['rules/limits/brake-and-budget.ts', 'node:crypto'],
    ['kernel/backoff.ts', 'rules/links/match.ts'],
    ['rules/labels/tags.ts', 'rules/fields/merge.ts'],
    ['rules/fields/merge.ts', 'zod'],
    ['rules/fields/merge.ts', 'sync/cycle.ts'],
    ['model/item.ts', 'rules/limits/brake-and-budget.ts'],
    ['sync/cycle.ts', 'github/replica.ts'],
    ['bugzilla/connection/client.ts', '@octokit/rest'],
    ['store/open.ts', 'bugzilla/connection/client.ts'],
    ['cli/run/run.ts', 'sync/cycle.ts'],
    ['somewhere/new.ts', 'model/item.ts'],
  ])('notices %s importing %s', (name, target) => {
    expect(whyNot(name, { target, isType: false })).not.toBeNull();
  });

  test('permits no pair of rooms that does not exist', () => {
    const permitted = Object.entries(layers).flatMap(([name, { may }]) => may.map((each) => `${name} > ${each}`));
    expect(permitted.filter((pair) => !between.has(pair))).toEqual([]);
  });

  test('is a triangle: no room imports a room below it', () => {
    const names = Object.keys(layers);
    const up = [...between.keys()].filter((pair) => {
      const [from = '', to = ''] = pair.split(' > ');
      return names.indexOf(to) > names.indexOf(from);
    });
    expect(up).toEqual([]);
  });

  test(`has ${across} imports between subjects, at most ${acrossMax}, in ${between.size} pairs of rooms`, () => {
    expect(across).toBeLessThanOrEqual(acrossMax);
  });

  test('imports are read from every form that TypeScript has', () => {
    const code = [
      "import { a,\n  b } from './a.ts';",
      "import type { C } from '../model/c.ts';",
      "import './d.ts';",
      "export * from './e.ts';",
      "const f = await import('zod');",
    ].join('\n');
    expect(importsIn('kernel/x.ts', code)).toEqual([
      { target: 'kernel/a.ts', isType: false },
      { target: 'model/c.ts', isType: true },
      { target: 'kernel/d.ts', isType: false },
      { target: 'kernel/e.ts', isType: false },
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

  test(`no more than ${circleFilesMax} files know each other in a circle, types included`, () => {
    const graph = new Map(sources.map(({ name, imports }) => [name, imports.map(({ target }) => target)]));
    expect(knots(graph).filter((files) => files.length > circleFilesMax)).toEqual([]);
  });

  test('a circle of types is noticed', () => {
    const ring = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'];
    expect(knots(new Map(ring.map((name, at) => [name, [ring[(at + 1) % ring.length] ?? '']])))).toEqual([ring]);
  });
});

/** Sets of files each of which reaches all others of its set by imports, each sorted. */
function knots(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reach = new Map([...graph.keys()].map((name) => [name, reachedFrom([name], graph)]));
  const seen = new Set<string>();
  return [...graph.keys()].flatMap((name) => {
    if (seen.has(name)) return [];
    const knot = [...(reach.get(name) ?? [])].filter((other) => other === name || reach.get(other)?.has(name)).sort();
    for (const each of knot) seen.add(each);
    return knot.length > 1 ? [knot] : [];
  });
}

/** All files that imports lead to, the first ones included where they are led to again or named. */
function reachedFrom(names: readonly string[], graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set(names);
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const target of graph.get(name) ?? []) {
      if (!graph.has(target) || reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

function circles(graph: ReadonlyMap<string, readonly Import[]>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (name: string, path: readonly string[]) => {
    if (path.includes(name)) {
      found.push([...path.slice(path.indexOf(name)), name].join(' > '));
      return;
    }
    if (done.has(name)) return;
    for (const { target, isType } of graph.get(name) ?? [])
      if (!isType && graph.has(target)) walk(target, [...path, name]);
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

/**
 * Where decisions are made. What stands below src/rules, these files and whatever they reach are functions from data to
 * data: they do not wait, keep no state, and know neither the time nor the world, so that a plan can be printed,
 * refused and shuffled in a test.
 */
const decisions = [
  'archive/bug-page.ts',
  'archive/lists.ts',
  'archive/old-addresses.ts',
  'archive/bug-record.ts',
  'archive/search-page.ts',
  'archive/server-rules.ts',
  'check/new-bugs.ts',
  'check/topics.ts',
  'cli/verify/page.ts',
  'explain/story.ts',
  'rehearse/judge.ts',
  'verify/compare/pair.ts',
];

const valueImports = new Map(
  sources.map(({ name, imports }) => [name, imports.flatMap(({ target, isType }) => (isType ? [] : [target]))]),
);
const pure = reachedFrom(
  [...decisions, ...sources.flatMap(({ name }) => (/^(?:model|text|rules)\//u.test(name) ? name : []))],
  valueImports,
);

const isPure = (file: string): boolean => pure.has(file);

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
  {
    name: 'the environment',
    pattern: /\bprocess\.env\b/u,
    isFree: (file) => /^config\/(?:load|http-address)\.ts$/u.test(file),
    example: 'process.env.HOME',
  },
  {
    name: 'waiting where decisions are made',
    pattern: /\bawait\b|\basync\b|\bPromise\b/u,
    // The model describes ports, which do wait.
    isFree: (file) => !isPure(file) || layerOf(file) === 'model',
    example: 'await read();',
  },
  {
    name: 'the process where decisions are made',
    pattern: /\bprocess\.|\bglobalThis\b|\bconsole\./u,
    isFree: (file) => !isPure(file),
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
  {
    name: 'work left for later',
    pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/u,
    isFree: () => false,
    example: '// TODO: later',
  },
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

  test('decisions are functions: no state outlives a call', () => {
    const guilty = sources.filter(({ name, code }) => isPure(name) && /^(?:export )?(?:let|var)\b/mu.test(code));
    expect(guilty.map(({ name }) => name)).toEqual([]);
  });

  test('what decides exists, and is more than its list', () => {
    expect(decisions.filter((name) => !valueImports.has(name))).toEqual([]);
    expect(pure.size).toBeGreaterThan(80);
    expect(
      [...pure].filter((name) => /(?:^|\/)(?:perform|read|record|confirm)/u.test(name) && !/read-markdown/u.test(name)),
    ).toEqual([]);
  });
});

/** Timers that let the process end, each with what keeps it alive for as long as somebody waits. */
const looseTimers: Readonly<Record<string, string>> = {
  'bugzilla/connection/client.ts': "the limit of a request; the request's connection keeps the process alive",
  'cli/show/ask-health.ts': "the limit of a request; the request's connection keeps the process alive",
  'github/attachments/linked-files.ts': "the limit of a request; the request's connection keeps the process alive",
  'github/connection/download.ts': "the limit of a request; the request's connection keeps the process alive",
  'github/connection/exchange.ts': "the limit of a request; the request's connection keeps the process alive",
  'runtime/rate-limit.ts':
    'the gap after a slow answer; it keeps the process alive itself while a request waits behind it',
  'runtime/receivers.ts': "the limit of a request; the request's connection keeps the process alive",
  'runtime/watchdog.ts': 'its ticks; it watches whatever keeps the process alive',
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
const columnsMax = 120;
const folderFilesMax = 20;

describe('the size budget', () => {
  test(`no file is longer than ${fileLinesMax} lines`, () => {
    const long = sources
      .filter(({ text }) => lineCount(text) > fileLinesMax)
      .map(({ name, text }) => `${name}: ${lineCount(text)}`);
    expect(long).toEqual([]);
  });

  test(`no folder of src or test has more than ${folderFilesMax} files beside each other`, () => {
    const counts = new Map<string, number>();
    for (const path of globSync('{src,test}/**/*.*', { cwd: root })) {
      // Recordings and migrations only become more.
      const grows = [join('test', 'recordings'), join('src', 'store', 'migrations')].some((each) =>
        path.startsWith(each),
      );
      if (!grows) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > folderFilesMax)).toEqual([]);
  });

  test(`no function is longer than ${functionLinesMax} lines`, () => {
    const long = sources.flatMap(({ name, text }) =>
      functionsIn(text).flatMap((each) =>
        each.lines > functionLinesMax ? [`${name} ${each.name}: ${each.lines}`] : [],
      ),
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
      `const five = (a: string): string =>\n  a;\n\nfunction six() {${body}\n}`,
    ];
    expect(functionsIn(forms.join('\n\n')).map(({ name, lines }) => [name, lines])).toEqual([
      ['one', 5],
      ['two', 5],
      ['three', 5],
      ['four', 7],
      ['six', 5],
    ]);
  });

  test(`no comment is wider than ${columnsMax} columns, to which the formatter holds code`, () => {
    const isWide = (line: string): boolean => line.length > columnsMax && /^\s*(?:\*|\/\/) /u.test(line);
    const wide = sources.flatMap(({ name, text }) =>
      text.split('\n').flatMap((line) => (isWide(line) ? [[name, line]] : [])),
    );
    expect(wide).toEqual([]);
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

/**
 * Functions and methods by the formatter's layout: a body ends at the first line that closes at its own indentation,
 * and a function without a body has none.
 */
function functionsIn(text: string): readonly { readonly name: string; readonly lines: number }[] {
  const lines = text.split('\n');
  const head =
    /^(\s*)(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+) = (?:async )?\(.*|(?:static |private |readonly )*(?:async )?(\w+)\(.*)/u;
  return lines.flatMap((line, at) => {
    const match = head.exec(line);
    const name = match?.[2] ?? match?.[3] ?? match?.[4];
    if (
      match === null ||
      name === undefined ||
      ['if', 'for', 'while', 'switch', 'return', 'catch', 'expect'].includes(name)
    )
      return [];
    const indent = match[1] ?? '';
    if (match[4] !== undefined && (indent === '' || !/\{$|\($/u.test(line))) return [];
    const outside = (each: string): boolean =>
      each !== '' && !each.startsWith(`${indent} `) && !each.startsWith(`${indent})`);
    const end = lines.findIndex((each, index) => index > at && outside(each));
    const isBody = lines[end]?.startsWith(`${indent}}`) ?? false;
    return !isBody || /[;)]$/u.test(line) ? [] : [{ name, lines: end - at + 1 }];
  });
}

describe('ARCHITECTURE.md', () => {
  const text = existsSync(join(root, 'ARCHITECTURE.md')) ? readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8') : '';
  const rows = [...text.matchAll(/^\| (I\d+) \| \*\*(\w+)\*\* \|(.*)$/gmu)].map(
    ([, id = '', name = '', rest = '']) => ({
      id,
      name,
      tests: [...rest.matchAll(/`(test\/[\w./-]+)`/gu)].flatMap(([, path]) => path ?? []),
    }),
  );

  test('lists all invariants, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 16 }, (_, index) => `I${index + 1}`));
  });

  test.each(rows)('$id names tests that exist and that name it', ({ id, tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const path of tests) {
      expect(existsSync(join(root, path)), `${path} does not exist`).toBe(true);
      expect(readFileSync(join(root, path), 'utf8'), `${path} does not name ${id}`).toMatch(
        new RegExp(`\\b${id}\\b`, 'u'),
      );
    }
  });

  test.each(rows)(
    '$id is held in every tier, and test/tiers/tiers.md names it beside the same files',
    ({ id, tests }) => {
      const holding = testRows.filter(({ holds }) => holds.includes(id));
      for (const tier of tiers)
        expect(holding.some(({ runs }) => runs[tier] !== '' || (tier === 'test' && runs.check !== ''))).toBe(true);
      const named = holding.flatMap(({ files }) => files);
      expect(named).toEqual(expect.arrayContaining(tests.filter((path) => path.endsWith('.test.ts'))));
    },
  );

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

  test('its import table is the one that is enforced here, packages included', () => {
    const named = (cell = '') => new Set([...cell.matchAll(/`([@\w./-]+)`/gu)].flatMap(([, each]) => each ?? []));
    for (const [layer, { may, vendors }] of Object.entries(layers)) {
      const row = new RegExp(`^\\| \`${layer}\` \\| (.*?) \\| (.*?) \\|$`, 'mu').exec(text);
      expect(row, `no row for ${layer}`).not.toBeNull();
      expect(named(row?.[1]), layer).toEqual(new Set(may));
      const excepted = Object.entries(exceptions).flatMap(([file, packages]) =>
        layerOf(file) === layer ? packages : [],
      );
      expect(named(row?.[2]), layer).toEqual(
        new Set([...vendors, ...excepted].filter((vendor) => !vendor.startsWith('node:'))),
      );
    }
  });

  test('fits 200 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(200);
  });

  test('says honestly what is not covered', () => {
    expect(text).toMatch(/^## Gaps$/mu);
    expect(readFileSync(join(root, 'docs/gaps.md'), 'utf8').match(/^- \*\*/gmu)?.length).toBeGreaterThan(10);
  });
});

describe('test/tiers/tiers.md', () => {
  const listed = testRows.flatMap(({ files }) => files);

  test('has a tier for every test file, and names no other', () => {
    expect(listed.toSorted(), 'Put a new test file into test/tiers/tiers.md.').toEqual(
      globSync('test/**/*.test.ts', { cwd: root }).sort(),
    );
    expect(testRows.filter(({ runs }) => tiers.every((tier) => runs[tier] === ''))).toEqual([]);
  });

  test('is read row by row', () => {
    const lines = readFileSync(join(root, 'test/tiers/tiers.md'), 'utf8').match(/^\| `/gmu) ?? [];
    expect(testRows.length).toBe(lines.length);
  });

  test('holds for packages as the program loads them, and not as their developers do', () => {
    expect(process.execArgv).not.toContain('development');
    expect(import.meta.resolve('micromark')).not.toContain('/dev/');
  });
});

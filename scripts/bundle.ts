/**
 * Bundles the many files from the compiler, and the packages, into a few: at a start, Node spends more time finding and
 * linking files than running them, and keeps the text of each in memory. Each command loads only the parts that it
 * needs. The program, the thread that watches it and the client that the package exports keep their places.
 */

import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const dist = resolve(import.meta.dirname, '../dist');
const kept = ['main', 'bugzilla/api/tracker', 'runtime/watchdog-thread'];

/** We import functions of these parts by name; commander imports one as a whole, and calls one function. */
const lateParts =
  /^import (\{ [\w, ]+ \}|childProcess) from ["']node:(crypto|zlib|readline\/promises|child_process|v8)["'];$/gmu;

function lateCalls(names: string, part: string): string {
  const late = `late_${part.replace(/\W/u, '_')}`;
  const call = (name: string) => `(...args) => (${late} ??= process.getBuiltinModule('node:${part}')).${name}(...args)`;
  const calls = names.startsWith('{')
    ? names
        .slice(1, -1)
        .split(',')
        .map((name) => `const ${name.trim()} = ${call(name.trim())};`)
    : [`const ${names} = { spawn: ${call('spawn')} };`];
  return [`let ${late};`, ...calls].join('\n');
}

const descriptions = /\s*\.check\(z\.describe\((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)\)/gu;

/** `import fs, { join } from "node:path";`, as it stands in a finished part. */
const partsOfNode = /^import (?:([\w$]+),? )?(?:\{([^}]*)\} )?from "(node:[\w/]+)";$/gmu;

/**
 * Importing a part of Node lists all of its exports, which loads parts that are not needed. This form avoids the list.
 * The program itself stays as it is, because an older Node must be able to read it.
 */
const withoutLists = (code: string): string =>
  code.replaceAll(partsOfNode, (_line, whole: string | undefined, names: string | undefined, part: string) => {
    const called = `process.getBuiltinModule('${part}')`;
    return [
      ...(whole === undefined || whole === 'process' ? [] : [`const ${whole} = ${called};`]),
      ...(names === undefined ? [] : [`const {${names.replaceAll(' as ', ': ')}} = ${called};`]),
    ].join('\n');
  });

/**
 * V8 keeps the text of a part in memory, and uses two bytes for each character if a single one is beyond Latin-1.
 * Escapes avoid that; JavaScript reads them the same way in texts and patterns, the only places with such characters.
 */
const narrow = (code: string): string =>
  code.replaceAll(/[^\0-\u00ff]/gu, (sign) => sign.split('').map(escaped).join(''));
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The files that a start of a part loads: itself, and what it imports, and what that imports. */
const loadedBy: Record<string, ReadonlySet<string>> = {};

function loadedFrom(name: string, importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set([resolve(dist, `${name}.js`)]);
  for (const id of found) for (const each of importsOf(id)) found.add(each);
  return found;
}

/** The client that others import, and a check that runs twice a minute, are not to load what commands need. */
const light = ['bugzilla/api/tracker', 'cli/show/quick-health', 'runtime/watchdog-thread'];
const isOnlyOf = (name: string) => (id: string) =>
  loadedBy[name]?.has(id) === true && light.every((each) => loadedBy[each]?.has(id) !== true);

const bundle = await rolldown({
  input: Object.fromEntries(kept.map((name) => [name, resolve(dist, `${name}.js`)])),
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  // This package contains compiled code for each kind of machine.
  external: ['better-sqlite3'],
  plugins: [
    {
      name: 'what loads what',
      buildEnd() {
        for (const name of [...light, 'cli/program', 'cli/show/status'])
          loadedBy[name] = loadedFrom(name, (id) => this.getModuleInfo(id)?.importedIds ?? []);
      },
    },
    {
      name: 'own places',
      /**
       * Files find their assets beside their original place, although all code is in one folder of `dist` now.
       */
      transform: (code, id) =>
        id.startsWith(dist) && code.includes('import.meta.url')
          ? code.replaceAll('import.meta.url', `new URL('../${relative(dist, id)}', import.meta.url)`)
          : null,
    },
    {
      name: 'no descriptions',
      /**
       * Editors read descriptions in the JSON Schema, which is generated from source. In zod, each description copies
       * the schema that it describes.
       */
      transform: (code, id) =>
        id.startsWith(resolve(dist, 'config/schema')) ? code.replaceAll(descriptions, '') : null,
    },
    {
      name: 'late parts of Node',
      /**
       * These parts of Node load slowly, and few commands call them, so they load at the first call.
       */
      transform(code, id) {
        if (!id.startsWith(dist) && !id.includes('/node_modules/commander/')) return null;
        return code.replaceAll(lateParts, (_line, names: string, part: string) => lateCalls(names, part));
      },
    },
  ],
});
const { output } = await bundle.generate({
  format: 'esm',
  chunkFileNames: 'parts/[name]-[hash].js',
  // To find and to link a file costs a quarter of a millisecond: what is loaded together is one.
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { name: 'start', test: isOnlyOf('cli/program'), priority: 2 },
      { name: 'view', test: isOnlyOf('cli/show/status'), priority: 1 },
    ],
  },
  comments: { legal: true, annotation: false, jsdoc: false },
});
for (const file of globSync('**/*.js', { cwd: dist })) rmSync(resolve(dist, file));
mkdirSync(resolve(dist, 'parts'));
for (const part of output) {
  if (part.type !== 'chunk') continue;
  writeFileSync(
    resolve(dist, part.fileName),
    part.fileName === 'main.js' ? part.code : narrow(withoutLists(part.code)),
  );
}

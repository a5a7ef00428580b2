import { execFile } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-code.ts';
import { creationRates } from '../../src/model/duration.ts';
import { runHere } from '../support/bugferry.ts';
import { anchorsIn, commandsIn, documents, linksIn, ownArguments, read, root } from './documents.ts';

/** A document with one space in the place of each line break. */
const wordsOf = (document: string): string => read(document).replace(/\s+/gu, ' ');

describe('links', () => {
  test.each(documents)('of %s lead somewhere', (document) => {
    const dead = linksIn(read(document)).filter(({ path, heading }) => {
      const target = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(root, target))) return true;
      return heading !== null && !anchorsIn(read(target)).includes(heading);
    });
    expect(dead).toEqual([]);
  });

  test('a dead link, and one to a missing heading, would be seen', () => {
    expect(linksIn('[a](b.md) [c](https://example.org) [d](e.md#f-g)')).toEqual([
      { path: 'b.md', heading: null },
      { path: 'e.md', heading: 'f-g' },
    ]);
    expect(anchorsIn('# One\n\ntext\n## Two, and `three`\n')).toEqual(['one', 'two-and-three']);
  });
});

const scripts: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;
const programs = [
  'npx bugferry',
  'npm run',
  'npm test',
  'npm ci',
  'bugferry',
  'node dist/main.js',
  'docker run',
  'docker exec',
];
const typed = documents.flatMap((document) =>
  commandsIn(read(document), programs).map((line) => [document, line] as const),
);

describe('commands', () => {
  test('are found in blocks and in sentences', () => {
    const text =
      'Type `npm run demo` or\n\n    bugferry once --force   to write\n    npm warn\n\n```\nbugferry run\n```\n';
    expect(commandsIn(text, programs)).toEqual(['bugferry once --force', 'bugferry run', 'npm run demo']);
    expect(typed.length).toBeGreaterThan(40);
  });

  test.each(typed)('%s: %s', async (_document, line) => {
    expect(await complaintOf(line)).toBe('');
  });

  test.each([
    ['npm run bogus', 'there is no script bogus'],
    ['npm run conformance -- --url X --keys Y', 'conformance has no option --keys'],
    ['npm run bench -- --bugs 5 --bogus', 'bench has no option --bogus'],
    ['npm run recordings -- --bogus', 'recordings has no option --bogus'],
    ['bugferry bogus', 'there is no command bogus'],
    ['npx bugferry bogus', 'there is no command bogus'],
    ['bugferry once --bogus', 'once has no option --bogus'],
    ['bugferry explain bog 12', 'explain takes no bog 12'],
    ['docker run --rm bugferry chek --config x', 'there is no command chek'],
  ])('one that does not exist would be seen: %s', async (line, complaint) => {
    expect(await complaintOf(line)).toBe(complaint);
  });

  const everyDay = ['run', 'once', 'plan', 'status', 'explain', 'retry', 'resync', 'decide', 'pause', 'resume'];
  test.each([
    ['README.md', ['demo', 'init', 'check', 'plan', 'run', 'status', 'rehearse']],
    [
      'docs/operating.md',
      [...everyDay, 'state', 'adopt', 'verify', 'audit', 'init', 'people', 'check', 'sandbox', 'completion'],
    ],
    ['docs/troubleshooting.md', ['status', 'check', 'explain']],
  ])('%s explains its commands', (document, commands) => {
    const lines = typed.filter(([where]) => where === document).map(([, line]) => line);
    expect(
      commands.filter((command) => !lines.some((line) => line.replace(/^npx /u, '').startsWith(`bugferry ${command}`))),
    ).toEqual([]);
  });
});

/** What is wrong with a command line; empty when everything it names exists. */
async function complaintOf(line: string): Promise<string> {
  const script = /^npm run (?!bugferry --)([^\s]+)(?: -- (.*))?$/u.exec(line);
  if (script !== null) {
    const [, name = '', rest = ''] = script;
    const command = scripts[name];
    if (command === undefined) return `there is no script ${name}`;
    if (name === 'demo') return complaintOfArguments(`demo ${rest}`);
    const known = rest.includes('--') ? await optionsOf(name) : [];
    const bogus = rest.split(' ').find((word) => word.startsWith('--') && !known.includes(word));
    return bogus === undefined ? '' : `${name} has no option ${bogus}`;
  }
  if (line === 'npm test') return scripts['test'] === undefined ? 'there is no test script' : '';
  const own = ownArguments(line);
  return own === null ? '' : complaintOfArguments(own);
}

const told = new Map<string, Promise<readonly string[]>>();

/** The options that a script of package.json tells of itself, asked once; none for one that has no help. */
function optionsOf(name: string): Promise<readonly string[]> {
  const options = told.get(name) ?? askedOptionsOf(name);
  told.set(name, options);
  return options;
}

async function askedOptionsOf(name: string): Promise<readonly string[]> {
  const [, file = ''] = /(?:^|&& )node ((?:test|scripts)\/\S+)$/u.exec(scripts[name] ?? '') ?? [];
  if (!['conformance', 'bench', 'live', 'mutate', 'release', 'sim', 'soak', 'test:deep', 'texts'].includes(name))
    return [];
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, file), '--help']);
  return [...stdout.matchAll(/^ +(--[\w-]+)\b/gmu)].flatMap(([, option]) => option ?? []);
}

async function complaintOfArguments(text: string): Promise<string> {
  const [command, ...rest] = text.split(' ');
  if (command === undefined || ['', 'COMMAND', '--help', '--version'].includes(command)) return '';
  const { out } = await runHere([command, '--help']);
  if (!out.startsWith(`Usage: bugferry ${command} `)) return `there is no command ${command}`;
  const [usage = ''] = out.split('Examples:');
  const bogus = rest.find((word) => word.startsWith('--') && !new RegExp(`^ +${word}\\b`, 'mu').test(usage));
  if (bogus !== undefined) return `${command} has no option ${bogus}`;
  const names = rest.slice(0, 2).join(' ');
  const isNamed = command !== 'explain' || rest.length === 0 || /^(?:bug \d+|issue [\w.-]+\/[\w.-]+#\d+)$/u.test(names);
  return isNamed ? '' : `explain takes no ${names}`;
}

describe('exit codes', () => {
  const tables = documents.flatMap((document) =>
    read(document).includes('| exit code | meaning |') ? [document] : [],
  );

  test('stand in one table only', () => {
    expect(tables).toEqual(['docs/operating.md']);
  });

  test('in that table are those of the program', () => {
    const [, table = ''] = read('docs/operating.md').split('| exit code | meaning |');
    const codes = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (\d+) \|/gmu)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(exitCodes));
  });
});

test('every invariant of ARCHITECTURE.md has its line in docs/guarantees.md, and no other', () => {
  const numbers = (text: string) => [...text.matchAll(/^\| (I\d+)\b/gmu)].map(([, number]) => number);
  expect(numbers(read('ARCHITECTURE.md')).length).toBeGreaterThan(10);
  expect(numbers(read('docs/guarantees.md'))).toEqual(numbers(read('ARCHITECTURE.md')));
});

test('the documents tell the limits that hold without a configuration', async () => {
  const { limitsSchema } = await import('../../src/config/schema/schema.ts');
  const { brakeShare } = limitsSchema.parse({});
  const { perMinute, perHour } = creationRates;
  expect(wordsOf('docs/operating.md')).toContain(`more than ${Math.round(brakeShare * 100)} % (\`limits.brakeShare\`)`);
  expect(wordsOf('docs/scaling.md')).toContain(
    `${perMinute.safe} creations a minute and ${perHour.safe} an hour, and rises to ${perMinute.documented} and ${perHour.documented}`,
  );
});

describe('docs/tracker-client.md', () => {
  const text = read('docs/tracker-client.md');

  test('names every method of the client', async () => {
    const { openTracker } = await import('../../src/bugzilla/api/tracker.ts');
    const methods = Object.keys(openTracker({ url: 'http://127.0.0.1' }));
    expect(methods.length).toBeGreaterThan(25);
    expect(methods.filter((name) => !new RegExp(`\`${name}[\`(]`, 'u').test(text))).toEqual([]);
  });

  test('gives every code the kind that the client gives it, and has every kind', async () => {
    const { kindOfTrackerCode } = await import('../../src/bugzilla/connection/errors.ts');
    const { kindOfCode } = await import('../../src/bugzilla/connection/error-code.ts');
    const rows = [...text.matchAll(/^\| `([a-z-]+)` \| [^|]+ \| ([^|]*) \|$/gmu)].map(([, kind = '', codes = '']) => ({
      kind,
      codes,
    }));
    const kinds = rows.map(({ kind }) => kind);
    expect([...new Set(Object.values(kindOfCode))].filter((kind) => !kinds.includes(kind))).toEqual([]);
    const listed = rows.flatMap(({ kind, codes }) => codesIn(codes).map((code) => [code, kind]));
    expect(listed.length).toBeGreaterThan(60);
    expect(listed.filter(([code, kind]) => kindOfTrackerCode(Number(code)) !== kind)).toEqual([]);
  });

  test('codes are read with their ranges', () => {
    expect(codesIn('50 to 52, 105, -32601 and any other')).toEqual([50, 51, 52, 105, -32601]);
  });
});

function codesIn(text: string): readonly number[] {
  return [...text.matchAll(/(-?\d+)(?: to (\d+))?/gu)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
  );
}

describe('what the documents say about the checks of the tracker', () => {
  test('the conformance suite has the options that docs/conformance.md lists, and as many cases as is said', async () => {
    const { cases } = await import('../conformance/suite.ts');
    const text = read('docs/conformance.md');
    const listed = [...text.matchAll(/^\| (`--.*?) \|/gmu)].flatMap(
      ([, names = '']) => names.match(/--[\w-]+/gu) ?? [],
    );
    expect([...listed, '--help'].sort()).toEqual([...(await optionsOf('conformance'))].sort());
    const [, count] = /more than (\d+) cases/u.exec(text) ?? [];
    expect(cases.length).toBeGreaterThan(Number(count));
  });

  test('there are as many recordings as docs/operating.md says', () => {
    expect(wordsOf('docs/operating.md')).toContain(
      `plays ${globSync('test/recordings/**/*.json', { cwd: root }).length} recorded exchanges`,
    );
  });
});

describe('the files of the project', () => {
  const named = (text: string) => [...text.matchAll(/`([\w*./-]+\.ts)`/gu)].flatMap(([, name]) => name ?? []);
  const files = globSync(['*.ts', '{src,test,scripts}/**/*.ts'], { cwd: root });
  const isThere = (name: string): boolean =>
    files.some((file) => matchesGlob(file, name) || matchesGlob(file, `{src,test,scripts}/**/${name}`));
  const about = documents.filter(
    (document) => ['ARCHITECTURE.md', 'CONTRIBUTING.md'].includes(document) || document.startsWith('docs/'),
  );

  test.each(about)('that %s names are there', (document) => {
    expect(named(read(document)).filter((name) => !isThere(name))).toEqual([]);
  });

  test('a name that leads nowhere would be seen', () => {
    expect(named('`a.ts`, `src/b-*.ts` and `c`')).toEqual(['a.ts', 'src/b-*.ts']);
    expect(['read-many.ts', 'test/bench/read.ts', '*-store.ts', 'bogus.ts', 'src/read-many.ts'].map(isThere)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('have their folder in ARCHITECTURE.md', () => {
    const folders = globSync('src/*/', { cwd: root }).map((path) => path.replace(/\/$/u, ''));
    expect(folders.length).toBeGreaterThan(8);
    expect(
      folders.filter((folder) => !new RegExp(`\\b${basename(folder)}/`, 'u').test(read('ARCHITECTURE.md'))),
    ).toEqual([]);
  });
});

test('the documents stay short, the glossary too', () => {
  const wordsIn = (document: string): number => read(document).split(/\s+/u).length;
  const reference = documents.filter((name) => /^docs\/(?!decisions)/u.test(name));
  expect(reference.reduce((sum, name) => sum + wordsIn(name), 0)).toBeLessThan(24_000);
  expect(wordsIn('README.md')).toBeLessThan(1_200);
  expect(read('docs/glossary.md').match(/^\| [a-z]/gmu)?.length).toBeLessThan(17);
});

test('decisions stand under their own numbers, one under each; those that later ones overtook are gone', () => {
  const files = globSync('docs/decisions/*.md', { cwd: root }).map((path) => basename(path));
  const numbers = files.map((name) => name.slice(0, 3));
  expect(new Set(numbers).size).toBe(files.length);
  for (const name of files) expect(read(`docs/decisions/${name}`)).toMatch(new RegExp(`^# ${name.slice(0, 3)} `, 'u'));
});

test('the cases of the conformance suite know nothing of src, as decision 011 has it', () => {
  const files = globSync('test/conformance/**/*.ts', { cwd: root }).filter(
    (path) => !/(?:\.test|\/setup)\.ts$/u.test(path),
  );
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((path) => /from '[^']*\/src\//u.test(read(path)))).toEqual([]);
});

test('the licence is complete, and the one that package.json names', () => {
  expect(JSON.parse(read('package.json')).license).toBe('MPL-2.0');
  for (const part of ['Mozilla Public License Version 2.0', '1. Definitions', '10.4.', 'Exhibit A', 'Exhibit B'])
    expect(read('LICENSE')).toContain(part);
});

test('.ci/run can be executed, and runs the test command of README.md', () => {
  expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0);
  const lines = read('.ci/run').split('\n');
  expect(lines).toContain('npm ci --ignore-scripts');
  expect(lines.some((line) => /^ *if .*tier 'npm test' npm test\b/u.test(line))).toBe(true);
  expect(read('README.md')).toContain('    npm ci\n    npm test\n');
});

test('.nvmrc names the Node.js that npm ci installs, as CONTRIBUTING.md does', () => {
  const major = /^\^(\d+)\./u.exec(JSON.parse(read('package.json')).devDependencies.node)?.[1] ?? '';
  expect(read('.nvmrc')).toBe(`${major}\n`);
  expect(wordsOf('CONTRIBUTING.md')).toContain(`Node.js ${major} (\`.nvmrc\``);
});

/**
 * The package as another project gets it: built, packed, unpacked into its node_modules, type-checked and run, without
 * the network. Every example in the documents is type-checked against it, and the first one is run against the
 * sandbox's tracker.
 */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { read, root } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'bugferry-pack-'));
const project = join(folder, 'project');
const run = promisify(execFile);
const compiler = join(root, 'node_modules', '.bin', 'tsc');

beforeAll(async () => {
  const checkout = join(folder, 'checkout');
  for (const path of [
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.api.json',
    'src',
    'scripts',
    'config',
    'dist',
  ]) {
    cpSync(join(root, path), join(checkout, path), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  await run('npm', ['pack', '--ignore-scripts', '--offline', '--pack-destination', folder], { cwd: checkout });
  const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  expect(archives).toEqual([expect.stringMatching(/^bugferry-\d/u)]);
  await run('tar', ['-xzf', join(folder, archives[0] ?? ''), '-C', folder]);
  openProject();
  cpSync(join(folder, 'package'), join(project, 'node_modules', 'bugferry'), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A project of its own, with the dependencies that the package names and the types of Node. */
function openProject(): void {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', dependencies: { bugferry: '*' } }));
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    types: ['node'],
    outDir: 'out',
    exactOptionalPropertyTypes: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
}

/** The TypeScript of a document, block by block. */
const examplesIn = (document: string): readonly string[] =>
  [...read(document).matchAll(/^```ts\n([\s\S]*?)^```$/gmu)].map(([, code = '']) => code);

/** Compiles the project with these files and no others; answers the compiler's complaints. */
async function complaints(files: Readonly<Record<string, string>>): Promise<string> {
  for (const name of readdirSync(project)) if (name.endsWith('.ts')) rmSync(join(project, name));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(project, name), code);
  const { stdout } = await run(compiler, ['-p', project], { cwd: project }).catch(
    (failure: { stdout: string }) => failure,
  );
  return stdout;
}

describe('bugferry/tracker, installed into another project', () => {
  test('type-checks every example of the documents, with the declarations checked too', async () => {
    const examples = examplesIn('docs/tracker-client.md');
    expect(examples.length).toBeGreaterThanOrEqual(5);
    expect(await complaints(Object.fromEntries(examples.map((code, index) => [`example-${index}.ts`, code])))).toBe('');
  });

  test('refuses what the interface does not have, and what the package does not offer', async () => {
    const wrong: Readonly<Record<string, string>> = {
      'a-field-that-does-not-exist.ts':
        "await tracker.createBug({ product: 'a', component: 'b', version: 'c', summary: 'd', nonsense: 1 });",
      'a-list-for-add-and-remove.ts': "await tracker.updateBug(1, { keywords: ['a'] });",
      'a-missing-field.ts': "await tracker.createBug({ product: 'a' });",
      'a-flag-of-no-type.ts': "await tracker.updateBug(1, { flags: [{ status: '?' }] });",
      'a-time-as-a-text.ts': "await tracker.searchBugs({ last_change_time: '2026-01-01' });",
      'bytes-as-a-text.ts': 'const bytes: string = (await tracker.getAttachment(1)).data;\nconsole.log(bytes);',
      'the-inside.ts':
        "import { createTrackerClient } from 'bugferry/dist/bugzilla/connection/client.js';\nconsole.log(createTrackerClient);",
    };
    const head =
      "import { openTracker } from 'bugferry/tracker';\nexport const tracker = openTracker({ url: 'http://127.0.0.1' });\n";
    const told = await complaints(
      Object.fromEntries(Object.entries(wrong).map(([name, code]) => [name, `${head}${code}\n`])),
    );
    expect([...told.matchAll(/^(\S+)\(3,\d+\): error TS/gmu)].map(([, name]) => name).sort()).toEqual(
      Object.keys(wrong).sort(),
    );
  });

  test('runs the first example, from the package', async () => {
    const world = createTrackerWorld({ now: () => Date.UTC(2026, 10, 21), url: 'http://tracker.invalid' });
    const served = await serveTracker(world, { port: 0 });
    const { apiKey, login } = world.user('alice');
    const [example = ''] = examplesIn('docs/tracker-client.md');
    const real = example
      .replace('https://bugzilla.example.org', served.url)
      .replace("'KEY'", `'${apiKey}'`)
      .replaceAll('me@example.org', login);
    expect(await complaints({ 'start.ts': real })).toBe('');
    const { stdout } = await run(process.execPath, [join(project, 'out', 'start.js')], { cwd: project });
    await served.close();
    expect(stdout).toBe(`${login} Always.\n${login} Seen again.\n1 It fails\n`);
    expect(world.bug(1)).toMatchObject({ priority: 'High' });
  });
});

/**
 * The package as an operator gets it: packed from a checkout that was never built and holds their own configuration,
 * installed in an empty folder, and used by its command alone. No file of the checkout is in reach, and the network is
 * not needed.
 */

import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read, root } from '../docs/documents.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { type Registry, serveRegistry } from '../support/registry.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
}

const folder = mkdtempSync(join(tmpdir(), 'bugferry-package-'));
const [checkout, prefix, empty] = ['checkout', 'prefix', 'empty'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const bugferry = join(prefix, 'bin', 'bugferry');
const secret = 'secret-of-the-operator';
let registry: Registry;
let archive: string;
let house: House;

/** Nothing but this Node.js, npm, and what a test sets. */
const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
  HOME: folder,
  npm_config_registry: registry.url,
  npm_config_update_notifier: 'false',
  ...more,
});

function ran(
  program: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: environment(more), maxBuffer: 10_000_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: `${stdout}${stderr}` }),
    );
  });
}

beforeAll(async () => {
  registry = await serveRegistry(root);
  for (const path of [...inRepository(), 'src', 'scripts'])
    cpSync(join(root, path), join(checkout, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  // What an operator has beside the examples, and a build of long ago.
  for (const path of [
    'config/bridge.yaml',
    'config/people.csv',
    'config/other.yaml',
    'secrets/token',
    'secrets.env',
    '.env',
  ])
    put(join(checkout, path), secret);
  put(join(checkout, 'dist/gone.js'), 'console.log("of an older version")');
  mkdirSync(empty);
  const made = await ran('npm', ['pack', '--pack-destination', folder], checkout);
  expect(made).toMatchObject({ code: 0 });
  archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'none');
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
});

afterAll(async () => {
  await house?.close();
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Files of the checkout's root that a build needs, and the examples of the configuration. */
const inRepository = (): readonly string[] => [
  ...readdirSync(root).filter((name) => /^(?:package|tsconfig)|\.md$|^LICENSE$/u.test(name)),
  'config/bridge.example.yaml',
  'config/bridge.schema.json',
];

function put(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

describe('the archive', () => {
  test('holds the program and its examples, and nothing that belongs to an operator', async () => {
    const { out } = await ran('tar', ['-tzf', archive], folder);
    const files = out
      .trim()
      .split('\n')
      .map((name) => name.replace('package/', ''));
    expect(files.filter((name) => !name.startsWith('dist/')).sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'config/bridge.example.yaml',
        'config/bridge.schema.json',
        'package.json',
      ].sort(),
    );
    expect(files).toEqual(
      expect.arrayContaining(['dist/main.js', 'dist/http/assets/board.css', 'dist/bugzilla/api/tracker.d.ts']),
    );
    expect(files).not.toContain('dist/gone.js');
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
    // Declarations are for the library, which is a small part of the program, and for its HTTP client.
    const declared = files.filter((name) => name.endsWith('.d.ts'));
    expect(declared.filter((name) => !/^dist\/(?:(?:bugzilla|model)\/|runtime\/http-fetch\.)/u.test(name))).toEqual([]);
    const unpacked = join(folder, 'unpacked');
    mkdirSync(unpacked);
    await ran('tar', ['-xzf', archive, '-C', unpacked], folder);
    expect(await ran('grep', ['-rl', secret, unpacked], folder)).toEqual({ code: 1, out: '' });
  });

  test('has a README without links to files that it lacks, and leaves that of the checkout as it is', async () => {
    const { out } = await ran('tar', ['-xzOf', archive, 'package/README.md'], folder);
    const targets = [...out.matchAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/giu)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(new Set(['CHANGELOG.md', 'LICENSE', 'SECURITY.md']));
    expect(out).toContain(
      '| Is everything in step, what must I do, when is it done? | `bugferry status`, or the dashboard |',
    );
    expect(out).toContain('The documents are in the folder docs of the repository.');
    expect(readFileSync(join(checkout, 'README.md'), 'utf8')).toBe(read('README.md'));
  });

  test('is what .gitignore keeps out of the repository, too', () => {
    const ignored = read('.gitignore').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['/config/bridge.yaml', '/config/people.*', '/secrets/', '.env', 'secrets.env']),
    );
  });

  test('can be published as it is, with provenance', async () => {
    const manifest = JSON.parse(read('package.json'));
    expect(manifest.private).toBeUndefined();
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
    const dry = await ran('npm', ['publish', '--dry-run', '--ignore-scripts', '--tag', 'latest', archive], empty);
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining(`+ bugferry@${manifest.version}`) });
  });
});

describe('installed with npm install --global', () => {
  beforeAll(async () => {
    const installed = await ran(
      'npm',
      ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', archive],
      empty,
    );
    expect(installed).toMatchObject({ code: 0 });
    // Nothing that would frighten anyone, and nothing that only developers need.
    expect(installed.out).not.toMatch(/warn|deprecated/u);
    expect([...registry.asked]).not.toContain('vitest');
  });

  test('the command prints its help and its version', async () => {
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
    expect(await ran(bugferry, ['--help'], empty)).toMatchObject({
      code: 0,
      out: expect.stringContaining('keep both sides in step'),
    });
    expect(await ran(bugferry, ['--version'], empty)).toEqual({ code: 0, out: `${version}\n` });
  });

  test('the sandbox answers', async () => {
    const child = spawn(bugferry, ['sandbox', '--port', '0', '--json'], {
      cwd: empty,
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    const { url } = JSON.parse(line);
    expect(await (await fetch(`${url}/rest/version`)).json()).toMatchObject({
      version: expect.stringMatching(/^5\.2/u),
    });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('init writes a configuration, and the first bug is mirrored', async () => {
    const secrets = { TRACKER_API_KEY: house.apiKey, GITHUB_TOKEN: house.token };
    const sides = ['--url', house.trackerUrl, '--github-url', house.githubUrl, '--login', 'bridge@example.test'];
    const route = ['--product', 'Widget', '--component', 'Core', '--repo', 'acme/widget', '--direction', 'both'];
    const init = await ran(bugferry, ['init', ...sides, ...route], empty, secrets);
    expect(init).toMatchObject({ code: 0, out: expect.stringContaining('Wrote config/bridge.yaml') });
    const once = await ran(bugferry, ['once'], empty, secrets);
    expect(once).toMatchObject({ code: 0, out: expect.stringContaining('created "It fails"') });
    expect(house.github.issues('acme/widget').map(({ title }) => title)).toEqual(['It fails']);
  });

  test('on a Node.js that is too old, it says which one is needed', async () => {
    const main = readFileSync(join(prefix, 'lib/node_modules/bugferry/dist/main.js'), 'utf8');
    const older = join(folder, 'older.mjs');
    writeFileSync(
      older,
      main.replace('process.versions.node.split', "'20.20.2'.split").replace('./cli/program.js', 'none:'),
    );
    expect(await ran(process.execPath, [older, 'run'], empty)).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^bugferry needs Node\.js 22\.18 or newer/u),
    });
  });
});

test('npx runs it without an installation', async () => {
  const shown = await ran('npx', ['--yes', '--package', archive, 'bugferry', 'sandbox', '--help'], empty);
  expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('Usage: bugferry sandbox') });
});

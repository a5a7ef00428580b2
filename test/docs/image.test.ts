import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { type House, openHouse, type Ran } from '../support/bugferry.ts';
import { read, root } from './documents.ts';

/**
 * The Dockerfile's steps, without a container engine and without the network: only what it copies is there to build
 * from, and of the packages only those for production are there to run with.
 */
const [buildStage = '', finalStage = ''] = read('Dockerfile')
  .split(/^FROM .*$/mu)
  .slice(1);

let folder: string;
let house: House;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-image-'));
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
  const build = join(folder, 'build');
  for (const path of copiedIn(buildStage)) cpSync(join(root, path), join(build, path), { recursive: true });
  // What `install` would fetch is here already; that it takes nothing else is what the lock file is for.
  const [, later = ''] =
    /^RUN sh scripts\/assemble\.sh install$[\s\S]*^RUN sh scripts\/assemble\.sh (.*) \/app$/mu.exec(buildStage) ?? [];
  expect(later).toBe('build strip collect');
  const copied = await ran(['-al', join(root, 'node_modules'), join(build, 'node_modules')], root, 'cp');
  if (copied.code !== 0) throw new Error(copied.err);
  // A list of what is installed, which npm writes in place: the copy must not write into ours.
  rmSync(join(build, 'node_modules', '.package-lock.json'), { force: true });
  const assembled = await ran(['scripts/assemble.sh', ...later.split(' '), join(folder, 'app')], build, 'sh');
  if (assembled.code !== 0) throw new Error(`The build failed: ${assembled.out}${assembled.err}`);
});

afterAll(async () => {
  await house.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a stage copies from the checkout. */
function copiedIn(stage: string): readonly string[] {
  return [...stage.matchAll(/^COPY (?!--from)(.*) \S+$/gmu)].flatMap(([, paths = '']) => paths.split(' '));
}

/**
 * Runs a program and waits for its end. `onErr` sees what it has written to stderr so far, and may stop it with
 * SIGTERM.
 */
function ran(
  args: readonly string[],
  cwd: string,
  program = 'npm',
  onErr: (text: string, kill: () => void) => void = () => {},
): Promise<Omit<Ran, 'json'>> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk;
    onErr(err, () => child.kill('SIGTERM'));
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, out, err }));
  });
}

/** Like the image's ENTRYPOINT: by the file's full path, from another folder. */
const start = (args: readonly string[], onErr?: (text: string, kill: () => void) => void) =>
  ran([join(folder, 'app', 'dist', 'main.js'), ...args], house.folder, process.execPath, onErr);

test('the image holds the program, its packages and its licence, and starts the daemon by default', async () => {
  expect(copiedIn(finalStage)).toEqual([]);
  expect(finalStage).toContain('COPY --from=build /app /app\n');
  expect(readdirSync(join(folder, 'app')).sort()).toEqual([
    'LICENSE',
    'config',
    'dist',
    'node_modules',
    'package.json',
  ]);
  for (const tool of ['typescript', 'vitest', '@biomejs/biome', 'node'])
    expect(existsSync(join(folder, 'app', 'node_modules', tool))).toBe(false);
  expect(finalStage).toContain('ENTRYPOINT ["node", "/app/dist/main.js"]');
  expect(finalStage).toContain('CMD ["run", "--config", "/config/bridge.yaml"]');
  expect(await start(['--help'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('keep both sides in step until stopped'),
  });
});

test('the file that messages and written configurations point to is there, and nothing else of that folder', async () => {
  const { err } = await start(['check', '--config', 'none.yaml']);
  const [, named = ''] = /(\/\S+\.yaml) shows every key/u.exec(err) ?? [];
  expect(existsSync(named), err).toBe(true);
  expect(readdirSync(join(folder, 'app', 'config'))).toEqual(['bridge.example.yaml']);
});

test('what was built carries a bug over with nothing but production packages', async () => {
  expect(await start(['once', '--config', join(house.folder, 'bridge.yaml')])).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('bug 1 -> acme/widget#1    created "It fails"'),
  });
  expect(house.github.issues('acme/widget').map(({ title }) => title)).toEqual(['It fails']);
});

test('SIGTERM ends the daemon in order', async () => {
  const ended = await start(['run', '--config', join(house.folder, 'bridge.yaml')], (text, kill) => {
    if (text.includes('started')) kill();
  });
  expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('stopped') });
});

test('only /state can be written to, the user is not root, and no secret gets into the build', () => {
  expect(finalStage).toMatch(/^USER 1000:1000$/mu);
  expect(finalStage.match(/--owner=\S+|chown|chmod/gu)).toEqual(['--owner=node']);
  expect(finalStage).toMatch(/rm -rf \S*node_modules \S+\/npm /u);
  expect(read('Dockerfile')).not.toMatch(/KEY|TOKEN|SECRET/mu);
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const [all, ...kept] = allowed;
  expect(all).toBe('*');
  expect(kept.map((line) => line.slice(1)).sort()).toEqual(
    copiedIn(buildStage)
      .map((path) => path.replace('./', ''))
      .sort(),
  );
});

test('the labels say what package.json says, and the version is that of the build', () => {
  const { name, license, description } = JSON.parse(read('package.json'));
  const label = (key: string) =>
    new RegExp(`org\\.opencontainers\\.image\\.${key}="([^"]*)"`, 'u').exec(finalStage)?.[1];
  expect([label('title'), label('licenses'), label('description')]).toEqual([name, license, description]);
  expect([label('version'), label('revision'), label('base.name')]).toEqual(
    ['VERSION', 'REVISION', 'BASE'].map((arg) => `\${${arg}}`),
  );
});

test('both stages stand on one base, which a build can name by its digest', () => {
  expect(read('Dockerfile').match(/^FROM .*$/gmu)).toEqual([`FROM \${BASE} AS build`, `FROM \${BASE}`]);
});

test('only what a running program reads is in it, in 8 MB', async () => {
  const app = join(folder, 'app');
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /\.(?:[cm]?ts|map|c|cpp|h|gyp)$/u.test(file))).toEqual([]);
  expect(files.filter((file) => file.endsWith('.node'))).toEqual([expect.stringContaining(`-${process.arch}.node`)]);
  const packed = await ran(['-c', `tar -C '${app}' -czf - . | wc -c`], folder, 'sh');
  expect(Number(packed.out)).toBeLessThan(8_000_000);
  expect(Number(packed.out)).toBeGreaterThan(1_000_000);
});

test('the health check asks the bridge that runs', async () => {
  const [, words = '[]'] = /^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/mu.exec(finalStage) ?? [];
  const [program, file, ...args]: readonly string[] = JSON.parse(words);
  expect([program, file]).toEqual(['node', '/app/dist/main.js']);
  const port = await freePort();
  const config = house.configure((written) => {
    written.http = { port };
  });
  const asked = args.map((arg) => (arg === '/config/bridge.yaml' ? config : arg));
  expect(await start(asked)).toMatchObject({ code: 4, err: expect.stringContaining('no answer from') });
  let health: Promise<Omit<Ran, 'json'>> | null = null;
  const daemon = await start(['run', '--config', config], (text, kill) => {
    if (!text.includes('started') || health !== null) return;
    health = start(asked).finally(kill);
  });
  expect(daemon.code).toBe(0);
  expect(await health).toMatchObject({ code: 0 });
});

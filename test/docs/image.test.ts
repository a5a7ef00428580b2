import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse, type Ran } from '../support/bugferry.ts';
import { read, root } from './documents.ts';

/**
 * The Dockerfile's steps, without a container engine and without the network: only what it copies is there to build from, and
 * of the packages only those for production are there to run with.
 */
const [buildStage = '', finalStage = ''] = read('Dockerfile')
  .split(/^FROM .*$/mu)
  .slice(1);

let folder: string;
let house: House;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-image-'));
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
  for (const path of copiedIn(buildStage)) cpSync(join(root, path), join(folder, 'build', path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'build', 'node_modules'));
  const [, script = ''] = /^RUN npm run (\w+) && npm prune --omit=dev --ignore-scripts$/mu.exec(buildStage) ?? [];
  const built = await ran(['run', script], join(folder, 'build'));
  if (built.code !== 0) throw new Error(`The build failed: ${built.out}${built.err}`);
  keepForProduction(join(folder, 'app'));
}, 60_000);

afterAll(async () => {
  await house.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a stage copies from the checkout. */
function copiedIn(stage: string): readonly string[] {
  return [...stage.matchAll(/^COPY (?!--from)(.*) \S+$/gmu)].flatMap(([, paths = '']) => paths.split(' '));
}

/** The final stage: its files, and node_modules as `npm prune --omit=dev` leaves it. */
function keepForProduction(app: string): void {
  for (const path of copiedIn(finalStage)) cpSync(join(root, path), join(app, basename(path)));
  for (const [, path = ''] of finalStage.matchAll(/^COPY --from=build \/app\/(\S+) \/app\/\1$/gmu)) {
    if (path !== 'node_modules') cpSync(join(folder, 'build', path), join(app, path), { recursive: true });
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { dev, devOptional, optional }] of Object.entries<Record<string, boolean>>(packages)) {
    if (path === '' || dev || devOptional || optional) continue;
    mkdirSync(join(app, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(app, path), {
      recursive: true,
      filter: (file) => !file.slice(join(root, path).length).includes('node_modules'),
    });
  }
}

/** Runs a program and waits for its end. `onErr` sees what it has written to stderr so far, and may stop it with SIGTERM. */
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

/** As the image's entry point starts it: by the file's whole path, from another folder. */
const start = (args: readonly string[], onErr?: (text: string, kill: () => void) => void) =>
  ran([join(folder, 'app', 'dist', 'main.js'), ...args], house.folder, process.execPath, onErr);

test('the image holds the program, its packages and its licence, and starts the daemon by default', async () => {
  expect(copiedIn(finalStage)).toEqual(['LICENSE']);
  expect(finalStage).toContain('ENTRYPOINT ["node", "/app/dist/main.js"]');
  expect(finalStage).toContain('CMD ["run", "--config", "/config/bridge.yaml"]');
  expect(await start(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('keep both sides in step until stopped') });
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
  expect(finalStage).toMatch(/^USER node$/mu);
  expect(finalStage.match(/--owner=\S+|chown|chmod/gu)).toEqual(['--owner=node']);
  expect(read('Dockerfile')).not.toMatch(/^ARG|KEY|TOKEN|SECRET/mu);
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const [all, ...kept] = allowed;
  expect(all).toBe('*');
  expect(kept.map((line) => line.slice(1)).sort()).toEqual(
    [...copiedIn(buildStage), ...copiedIn(finalStage)].map((path) => path.replace('./', '')).sort(),
  );
});

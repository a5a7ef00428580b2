/**
 * The image, built from the Dockerfile and run as the documents prescribe: a read-only root without any place for
 * temporary files, user 1000, no capabilities. Skipped where no container engine is installed.
 */

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { read, root } from '../docs/documents.ts';
import { pause } from '../e2e/process.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { type Engine, hardened, openEngine, whyNoEngine } from '../support/container.ts';

const image = 'localhost/bugferry';
let engine: Engine | null = null;
let house: House;
let whyNot: string | null = whyNoEngine();
let mounts: readonly string[];

beforeAll(async () => {
  if (whyNot !== null) return;
  engine = openEngine();
  whyNot = await engine.build(root, image, {
    VERSION: '7.8.9',
    REVISION: 'abc',
    SOURCE: 'https://github.com/fork/bugferry',
  });
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
  const port = await freePort();
  const written = house.configure((config) => {
    config.http = { port };
    config.state = 'state/bugferry.db';
    config.schedule = { poll: '* * * * * *' };
  });
  // The container reads it as another user.
  const config = join(house.folder, 'config');
  mkdirSync(config);
  writeFileSync(join(config, 'bridge.yaml'), readFileSync(written));
  for (const path of [house.folder, config, join(config, 'bridge.yaml')]) chmodSync(path, 0o755);
  mounts = ['-v', `${config}:/config:ro`, '-v', 'bugferry-state:/state'];
}, 600_000);

afterAll(async () => {
  await engine?.close();
  await house?.close();
});

async function podman(...args: readonly string[]): Promise<string> {
  const { code, out } = (await engine?.podman(...args)) ?? { code: -1, out: 'there is no engine' };
  if (code !== 0) throw new Error(`podman ${args[0]} ended with ${code}: ${out}`);
  return out;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 240_000;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt)
      throw new Error(`It did not come to that in 240 s: ${(await engine?.podman('logs', 'bridge'))?.out}`);
    await pause(200);
  }
}

const titles = () => [...house.github.issues('acme/widget')].map(({ title }) => title);
const status = async (): Promise<string> =>
  (await engine?.podman('exec', 'bridge', 'node', '/app/dist/main.js', 'status', '--config', '/config/bridge.yaml'))
    ?.out ?? '';
const start = () => podman('run', '--detach', '--name', 'bridge', ...hardened, ...mounts, image);
/** Stops it as the examples do, and removes it. Answers its exit code and its log. */
async function stop(): Promise<{ readonly code: string; readonly log: string }> {
  await podman('stop', '--time', '30', 'bridge');
  const [code, log] = [
    await podman('inspect', 'bridge', '--format', '{{.State.ExitCode}}'),
    await podman('logs', 'bridge'),
  ];
  await podman('rm', 'bridge');
  return { code: code.trim(), log };
}

/**
 * Prints the processor time of `status`, of `status` without what was made before, and of Node.js alone, in hundredths
 * of a second: Linux counts that of children so. In turns, so that a busy machine is busy for all; the first turn warms
 * up.
 */
const costs = `
  const { spawnSync } = require('node:child_process');
  const { readFileSync } = require('node:fs');
  const spent = () => readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(13, 15).reduce((sum, each) => sum + Number(each), 0);
  const status = ['/app/dist/main.js', 'status', '--config', '/config/bridge.yaml'];
  const all = [[status, {}], [status, { NODE_DISABLE_COMPILE_CACHE: '1' }], [['-e', '0'], {}]];
  const sums = [0, 0, 0];
  for (let turn = 0; turn <= 25; turn += 1) {
    for (const [index, [args, more]] of all.entries()) {
      const before = spent();
      spawnSync(process.execPath, args, { env: { ...process.env, ...more } });
      if (turn > 0) sums[index] += spent() - before;
    }
  }
  console.log(JSON.stringify(sums));`;

describe('the image', () => {
  test('says what it is, and which user runs it', async ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    const [{ Config, HealthCheck, Healthcheck }] = JSON.parse(await podman('image', 'inspect', image));
    expect(Config.User).toBe('1000:1000');
    expect(Config.Labels).toMatchObject({
      'org.opencontainers.image.version': '7.8.9',
      'org.opencontainers.image.revision': 'abc',
      'org.opencontainers.image.source': 'https://github.com/fork/bugferry',
      'org.opencontainers.image.base.name': 'localhost/base',
    });
    expect((HealthCheck ?? Healthcheck).Test).toEqual([
      'CMD',
      'node',
      '/app/dist/main.js',
      'health',
      '--config',
      '/config/bridge.yaml',
    ]);
    const { version } = JSON.parse(read('package.json'));
    expect(await podman('run', '--rm', ...hardened, image, '--version')).toBe(`${version}\n`);
  });

  test('can write to /state and nowhere else, and has no npm', async ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    const tries = ['/', '/tmp', '/app', '/home/node', '/state'].map((place) => `touch('${place}/x')`).join();
    const script = `const { writeFileSync, existsSync } = require('node:fs');
      const touch = (file) => { try { writeFileSync(file, ''); return 'written'; } catch (error) { return error.code; } };
      console.log(process.getuid(), existsSync('/usr/local/bin/npm'), ${tries});`;
    const told = await podman('run', '--rm', ...hardened, '--entrypoint', 'node', image, '-e', script);
    expect(told).toBe('1000 false EROFS EROFS EROFS EROFS written\n');
  });

  test('carries over what changes, cycle after cycle; stops in order; goes on after a restart', async ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    await start();
    await until(() => titles().includes('It fails'));
    for (const turn of ['first', 'second', 'third']) {
      house.tracker.as('alice').change(1, { summary: `It fails, ${turn}` });
      await until(() => titles().includes(`It fails, ${turn}`));
    }
    expect(
      await podman(
        'exec',
        'bridge',
        'node',
        '/app/dist/main.js',
        'health',
        '--ready',
        '--config',
        '/config/bridge.yaml',
      ),
    ).toMatch(/^ready/u);
    await until(async () => (await status()).startsWith('widget  Widget <-> acme/widget  in step'));
    const first = await stop();
    expect(first).toMatchObject({ code: '0', log: expect.stringContaining('stopped') });
    expect(first.log).not.toMatch(/SQLITE|"level":"(?:error|fatal|warn)"|failed/u);
    house.tracker.as('alice').change(1, { summary: 'It fails, while nobody looked' });
    await start();
    await until(() => titles().includes('It fails, while nobody looked'));
    expect(await stop()).toMatchObject({ code: '0' });
    expect(titles()).toHaveLength(1);
  });

  test('has what Node.js makes of its files, so that `status` starts faster than without', async ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    const [own = 0, made = 0, bare = 0] = JSON.parse(
      await podman('run', '--rm', ...hardened, ...mounts, '--entrypoint', 'node', image, '-e', costs),
    );
    // Between machines and hours, the same build takes 3.7 to 4.4 times as long as Node.js alone, so the limit leaves
    // room for them.
    expect(own / bare).toBeLessThan(5);
    expect(own / made).toBeLessThan(0.95);
  });
});

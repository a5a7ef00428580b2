import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveGithub } from '../../../src/sandbox/github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { runHere } from '../../support/bugferry.ts';

const token = 'ghp_thesecret0of0this0test';
let folder: string;
let world: GithubWorld;
let server: { readonly url: string; close(): Promise<void> };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-rehearse-'));
  // Its clock moves on with each look, so that no two writes have the same second.
  let at = Date.now() - 3_600_000;
  world = createGithubWorld({
    now() {
      at += 700;
      return at;
    },
    url: '',
  });
  world.addUser('bridge', { token });
  world.addRepo('acme/scratch', { permissions: { bridge: 'admin' } });
  server = await serveGithub(world, { port: 0 });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: readonly string[]) {
  const config = {
    instance: 'test',
    tracker: { url: 'http://127.0.0.1:9', apiKey: 'key-of-the-tracker' },
    github: { url: server.url, token },
    state: join(folder, 'state.db'),
    limits: {
      settleSeconds: 0,
      github: { createsPerMinute: 5000, createsPerHour: 5000, pointsPerMinute: 50_000, pauseBetweenWritesMs: 0 },
    },
    routes: [{ name: 'widget', tracker: { product: 'Widget' }, github: { repo: 'acme/widget' }, create: { component: 'Core' } }],
  };
  writeFileSync(join(folder, 'bridge.yaml'), JSON.stringify(config));
  const files = ['--config', join(folder, 'bridge.yaml'), '--out', join(folder, 'result.json')];
  return runHere(['rehearse', ...args, ...files]);
}

describe('bugferry rehearse', () => {
  test('asks before it writes, and writes nothing without an answer', async () => {
    const { code, err } = await run('--repo', 'acme/scratch');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(world.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('refuses a repository with issues of others, and that of a route', async () => {
    world.as('bridge').open('acme/scratch', { title: 'A real issue' });
    const { code, err } = await run('--repo', 'acme/scratch', '--yes');
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('acme/scratch#1 "A real issue" was not made by a rehearsal'),
    });
    expect(world.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await run('--repo', 'acme/widget', '--yes')).toMatchObject({ code: 2, err: expect.stringContaining('repository of a route') });
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Progress } from '../../../src/model/rehearsal.ts';
import { serveGithub } from '../../../src/sandbox/github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { runHere, startHere } from '../../support/bugferry.ts';

const token = 'ghp_thesecret0of0this0test';
let folder: string;
let world: GithubWorld;
let server: { readonly url: string; close(): Promise<void> };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-rehearse-'));
  // Its clock moves on with each look, so that no two writes have the same second.
  let at = Date.now() - 60_000;
  world = createGithubWorld({
    now() {
      at += 700;
      return at;
    },
    url: '',
  });
  world.addUser('bridge', { token });
  world.setToken('bridge', token, { tokenScopes: ['repo'] });
  world.addRepo('acme/scratch', { permissions: { bridge: 'admin' } });
  server = await serveGithub(world, { port: 0 });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function argumentsOf(args: readonly string[]): readonly string[] {
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
  return ['rehearse', ...args, '--config', join(folder, 'bridge.yaml'), '--out', join(folder, 'result.json')];
}

const run = (...args: readonly string[]) => runHere(argumentsOf(args));

const result = (): Progress => JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));

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

  test('takes a second repository of the same owner only', async () => {
    for (const second of ['mona/scratch', 'acme/scratch'])
      expect(await run('--repo', 'acme/scratch', '--second', second, '--yes')).toMatchObject({
        code: 2,
        err: expect.stringContaining('--second takes another repository of acme'),
      });
  });

  test('tells each case and the sum, and keeps exchanges without secrets', async () => {
    const recordings = join(folder, 'exchanges');
    const { code, out } = await run('--repo', 'acme/scratch', '--yes', '--record', recordings);
    const { cases, requests } = result();
    expect(cases.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
    expect(code).toBe(0);
    for (const { id } of cases) expect(out).toContain(`  ${id} `);
    expect(out).toMatch(/acme\/scratch: \d+ of \d+ as assumed, nothing differs, \d+ not tried; \d+ requests in /u);
    expect(out).toContain('the owner has no issue types');
    const files = readdirSync(recordings).sort();
    expect(files.length).toBeGreaterThanOrEqual(requests);
    const texts = files.map((file) => readFileSync(join(recordings, file), 'utf8'));
    expect(texts.filter((text) => text.includes(token) || /authorization|set-cookie/iu.test(text))).toEqual([]);
    const first: unknown = JSON.parse(texts[0] ?? '');
    expect(first).toMatchObject({
      name: '0001-get',
      request: { method: 'GET', path: '/repos/acme/scratch', query: '', headers: {}, body: null },
      response: { status: 200, headers: { 'content-type': expect.any(String) }, body: { full_name: 'acme/scratch' } },
    });
  }, 90_000);

  test('a killed one goes on where it was, in the same file', async () => {
    const { child, says, ended } = startHere(argumentsOf(['--repo', 'acme/scratch', '--yes']));
    await says('label-moves');
    child.kill('SIGKILL');
    await ended;
    const before = result();
    expect(before.endedAt).toBeNull();
    const { code, out } = await run('--repo', 'acme/scratch', '--yes');
    expect(code).toBe(0);
    expect(out).toContain(`${before.cases.length} of them are done`);
    const ids = result().cases.map(({ id }) => id);
    expect(ids.slice(0, before.cases.length)).toEqual(before.cases.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(world.issues('acme/scratch')).toEqual([]);
  }, 90_000);

  test('says what is wrong with its file, and never overwrites that of another repository', async () => {
    const file = join(folder, 'result.json');
    writeFileSync(file, '{"some": "file"}');
    expect(await run('--repo', 'acme/scratch', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not the result of a rehearsal'),
    });
    writeFileSync(file, JSON.stringify({ ...measured, repository: 'acme/other' }));
    expect(await run('--repo', 'acme/scratch', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is of a rehearsal in acme/other'),
    });
    expect(world.requests).toEqual([]);
  });

  test('a wrong token ends it with the code of an unreachable side', async () => {
    world.setToken('bridge', 'another');
    expect(await run('--repo', 'acme/scratch', '--yes')).toMatchObject({ code: 4, err: expect.stringContaining('401') });
  });
});

const measured: Progress = {
  bugferry: '0.0.0',
  server: 'https://api.github.com',
  serverVersion: 'GitHub',
  repository: 'acme/scratch',
  startedAt: '2026-11-20T09:00:00.000Z',
  endedAt: '2026-11-20T09:20:00.000Z',
  requests: 5,
  cases: [],
  made: {},
  names: 0,
  branches: [],
  creations: [],
  left: [],
};

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../src/cli/program.ts';
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
    routes: [
      {
        name: 'widget',
        tracker: { product: 'Widget' },
        github: { repo: 'acme/widget' },
        create: { component: 'Core' },
      },
    ],
  };
  writeFileSync(join(folder, 'bridge.yaml'), JSON.stringify(config));
  return ['rehearse', ...args, '--config', join(folder, 'bridge.yaml'), '--out', join(folder, 'result.json')];
}

/** A GraphQL query that reads has the method of a write. */
const written = () => world.requests.filter(({ method, path }) => method !== 'GET' && path !== '/graphql');

const run = (...args: readonly string[]) => runHere(argumentsOf(args));

const result = (): Progress => JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));

describe('bugferry rehearse', () => {
  test('asks before it writes, and writes nothing without an answer', async () => {
    const { code, err } = await run('--repo', 'acme/scratch');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(written()).toEqual([]);
  });

  test('refuses a repository with issues of others, and that of a route', async () => {
    world.as('bridge').open('acme/scratch', { title: 'A real issue' });
    const { code, err } = await run('--repo', 'acme/scratch', '--yes');
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('acme/scratch#1 "A real issue" was not made by a rehearsal'),
    });
    expect(written()).toEqual([]);
    expect(await run('--repo', 'acme/widget', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('repository of a route'),
    });
  });

  test.each([
    ['that is missing', 'acme/none', () => {}, 'check --repo and the access of the token'],
    ['that is archived', 'acme/scratch', () => world.setRepo('acme/scratch', { isArchived: true }), 'unarchive it'],
    ['where the account may only read', 'acme/read', () => {}, 'the account may not write to acme/read'],
  ])('refuses a repository %s, and says what to do', async (_what, repo, change, words) => {
    world.addUser('mona');
    world.addRepo('acme/read', { permissions: { bridge: 'read' } });
    change();
    const { code, err } = await run('--repo', repo, '--yes');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('Nothing was written: ') });
    expect(err).toContain(words);
    expect(written()).toEqual([]);
  });

  test.each(['/proc/x', 'file/x'])('says at once that it cannot record in %s', async (place) => {
    writeFileSync(join(folder, 'file'), '');
    const recordings = place.startsWith('/') ? place : join(folder, place);
    const { ended } = startHere(argumentsOf(['--repo', 'acme/scratch', '--yes', '--record', recordings]));
    expect(await ended).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(`cannot use the folder ${recordings}`),
    });
    expect(world.requests).toEqual([]);
  });

  test('says at once that it cannot write its result', async () => {
    const file = join(folder, 'none', 'result.json');
    const { code, err } = await runHere([...argumentsOf(['--repo', 'acme/scratch', '--yes']), '--out', file]);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining(`cannot write the result to ${file}`),
    });
    expect(world.requests).toEqual([]);
  });

  test('names its file after a stop only if it has written it', async () => {
    const stop = new AbortController();
    stop.abort();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    expect(
      await runCommand(argumentsOf(['--repo', 'acme/scratch', '--yes']), { stdout, stderr, signal: stop.signal }),
    ).toBe(1);
    expect(String(stderr.read())).toBe('bugferry: stopped. Nothing was written.\n');
    expect(existsSync(join(folder, 'result.json'))).toBe(false);
  });

  test('says that nothing was written after the answer no', async () => {
    const [stdin, stdout, stderr] = [
      Object.assign(new PassThrough(), { isTTY: true }),
      new PassThrough(),
      new PassThrough(),
    ];
    stdin.end('no\n');
    const signal = new AbortController().signal;
    expect(await runCommand(argumentsOf(['--repo', 'acme/scratch']), { stdin, stdout, stderr, signal })).toBe(2);
    expect(String(stderr.read())).toContain('Nothing was written.');
    expect(written()).toEqual([]);
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
    for (const { id } of cases.filter(({ verdict }) => verdict !== 'not-tried')) expect(out).toContain(`  ${id} `);
    const untyped = cases.filter(({ family, why }) => family === 'types and fields' && why?.includes('no issue types'));
    expect(untyped.length).toBeGreaterThan(1);
    for (const { id } of untyped) expect(out).not.toContain(`  ${id} `);
    expect(out).toContain(
      `  not tried  ${untyped.length} cases: the owner has no issue types, or is not an organisation\n`,
    );
    expect(out).toMatch(/acme\/scratch: \d+ of \d+ as assumed, nothing differs, \d+ not tried; \d+ requests in /u);
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
  });

  test('resumes a killed rehearsal with the same file', async () => {
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
    expect(world.issues('acme/scratch').filter(({ isPull }) => !isPull)).toEqual([]);
  });

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
    expect(await run('--repo', 'acme/scratch', '--yes')).toMatchObject({
      code: 4,
      err: expect.stringContaining('401'),
    });
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

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubServer } from '../../src/sandbox/github/server/server.ts';
import { smallGithubWorld } from '../contract/github/replica.ts';
import { restlessLane } from '../support/edges.ts';
import { demoEnv } from './start.ts';
import { takeUndescribed } from './watch.ts';

/** Whatever a test does, it cannot go around the check of what it sends to GitHub and gets from the sandbox. */
const now = (): number => Date.UTC(2026, 0, 10, 12);
const headers = { authorization: 'Bearer token-of-bugferry' };
const world = smallGithubWorld({ now });
const issues = '/repos/acme/widget/issues';

it.each([
  ['a parameter', `${issues}?status=all`, {}, 'takes no parameter status'],
  ['an address', '/search/issues?q=crash', {}, 'describes no GET /search/issues'],
  ['a page of an account', '/users/mona/repos', {}, 'describes no GET /users/mona/repos'],
  ['a file that is uploaded', '/api/uploads/repos/acme/widget/releases/1/assets?title=x', { method: 'POST' }, 'title'],
  ['a query', '/graphql', { method: 'POST', body: '{"query":"query { viewer { secrets } }"}' }, 'viewer'],
])('holds every sandbox to the descriptions: %s', async (_name, address, init, words) => {
  await githubServer(world).request(address, { headers, ...init });
  expect((await takeUndescribed()).join('\n')).toContain(words);
});

it('leaves pages for people alone, and what no answer came to', async () => {
  await githubServer(world).request('/acme/widget/issues');
  const dropping = githubServer(world, { faults: () => ({ kind: 'drop', after: false }) });
  await expect(Promise.resolve(dropping.request(`${issues}?status=all`, { headers }))).rejects.toThrow('dropped');
  const problems = await takeUndescribed();
  expect(problems.length).toBeGreaterThan(0);
  expect(new Set(problems.map((problem) => problem.replace('Enterprise Server: ', '')))).toEqual(
    new Set(['GET /repos/{owner}/{repo}/issues takes no parameter status']),
  );
});

it('lets only the tests of the sandbox send what it refuses', async () => {
  await githubServer(world).request(issues, { method: 'POST', headers, body: '{"body":"B"}' });
  expect(await takeUndescribed(true)).toEqual([]);
  await githubServer(world).request(issues, { method: 'POST', headers, body: '{"body":"B C"}' });
  expect((await takeUndescribed()).join('\n')).toContain('title');
});

it.each([
  ['at the root', 'https://api.github.com'],
  ['on an Enterprise Server', 'https://github.example.org/api/v3'],
])('holds every client to the descriptions, whoever answers it: %s', async (name, url) => {
  const fetch = async (): Promise<Response> => Response.json({});
  const client = createGithubClient({ url, token: 't', lane: restlessLane(), timeoutMs: 1_000, now, fetch });
  const ask = { method: 'PATCH', path: `${issues}/4`, cost: 'edit', about: 'edit' } as const;
  await client.send({ ...ask, body: { title: name } });
  expect(await takeUndescribed()).toEqual([]);
  await client.send({ ...ask, body: { heading: name } });
  expect((await takeUndescribed()).join('\n')).toContain('takes no heading');
});

it('fails a process that has a sandbox of its own, such as the demo', () => {
  const code = `
    const { githubServer } = await import('${new URL('../../src/sandbox/github/server/server.ts', import.meta.url)}');
    const { createGithubWorld } = await import('${new URL('../../src/sandbox/github/world/world.ts', import.meta.url)}');
    await githubServer(createGithubWorld({ now: Date.now, url: '' })).request('/search/issues');`;
  const env = { ...process.env, ...demoEnv(['demo']) };
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([70, expect.stringContaining('GitHub describes no GET /search/issues')]);
});

it('no other process of a test has a sandbox GitHub', () => {
  const text = (file: string): string => readFileSync(file, 'utf8');
  const own = globSync('src/**/*.ts').filter((file) => /\b(?:serveGithub|githubServer)\(/u.test(text(file)));
  expect(own.sort()).toEqual(['src/sandbox/demo/stage.ts', 'src/sandbox/github/server/server.ts']);
  // The command that opens this stage in a process of its own.
  const stages = globSync('src/{cli,http,runtime}/**/*.ts').filter((file) => /\bopenDemo\(/u.test(text(file)));
  expect(stages.sort()).toEqual(['src/cli/demo/demo.ts', 'src/cli/demo/try.ts']);
  const starting = globSync('test/**/*.ts').filter((file) => /\[\s*'demo'/u.test(text(file)));
  const watched = /\bdemoEnv\(|\bstartHere\(\['demo'|from '\.\/process\.ts'/u;
  expect(starting.filter((file) => !watched.test(text(file)))).toEqual(['test/docs/documents.test.ts']);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { sign } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { type House, openHouse, type Started } from '../support/bugferry.ts';
import { pause } from './process.ts';

/**
 * The daemon as its own process, with an HTTP server, that polls once a year: everything that crosses after the first
 * pass came by a webhook.
 */
const repo = 'acme/widget';
const [token, githubSecret, trackerSecret] = ['token-of-the-operator', 'secret-of-the-hooks', 'secret-of-the-tracker'];
let house: House;
let daemon: Started;
let server: string;

beforeAll(async () => {
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
  const port = await freePort();
  house.configure((config) => {
    config.http = { port, token, githubSecret, trackerSecret };
    config.schedule = { poll: '0 0 1 1 *', sweep: '0 0 1 1 *' };
  });
  server = `http://127.0.0.1:${port}`;
  daemon = house.start('run');
  await daemon.says('created');
  await until(async () => (await fetch(`${server}/readyz`)).status === 200);
});

afterAll(async () => {
  daemon.child.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  await house.close();
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 240_000;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error('it did not come to that in 240 s');
    await pause(10);
  }
}

async function githubSends(event: string, body: unknown): Promise<number> {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': `${Date.now()}`,
    'x-hub-signature-256': await sign(githubSecret, text),
  };
  return (await fetch(`${server}/hooks/github`, { method: 'POST', headers, body: text })).status;
}

const about = (number: number) => ({ action: 'edited', issue: { number }, repository: { full_name: repo } });

test('an edit on GitHub comes to the tracker by its webhook', async () => {
  const [issue] = house.github.issues(repo);
  house.github.as('mona').edit(repo, issue?.number ?? 0, { title: 'It fails on Mondays' });
  expect(await githubSends('issues', about(issue?.number ?? 0))).toBe(202);
  await until(() => house.tracker.bug(1)?.summary === 'It fails on Mondays');
});

test('a comment on the tracker comes to GitHub by its webhook', async () => {
  house.tracker.as('alice').comment(1, 'Only when it rains.');
  const body = JSON.stringify({ event: { action: 'modify', target: 'bug' }, bug: { id: 1 } });
  const headers = { 'x-bugferry-secret': trackerSecret };
  expect((await fetch(`${server}/hooks/tracker`, { method: 'POST', headers, body })).status).toBe(202);
  const [issue] = house.github.issues(repo);
  const texts = () => house.github.commentsOf(repo, issue?.number ?? 0).map(({ body: text }) => text);
  await until(() => texts().some((text) => text.includes('Only when it rains.')));
});

test('it is ready while its credentials are taken, and says why when they are not', async () => {
  const [issue] = house.github.issues(repo);
  const asked = async () => {
    await githubSends('issues', about(issue?.number ?? 0));
    const answer = await fetch(`${server}/readyz`, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, text: await answer.text() };
  };
  house.github.setToken('bugferry-bot', 'another-token');
  await until(async () => (await asked()).status === 503);
  expect((await asked()).text).toMatch(/"ready":false.*"route":"widget".*Bad credentials.*Check the token/u);
  expect((await house.run('health', '--ready')).code).toBe(4);
  expect((await fetch(`${server}/healthz`)).status).toBe(200);
  house.github.setToken('bugferry-bot', house.token);
  await until(async () => (await asked()).status === 200);
});

test('what the daemon did can be measured, by those who have the token', async () => {
  expect((await fetch(`${server}/metrics`)).status).toBe(401);
  const text = await (await fetch(`${server}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
  expect(text).toMatch(/bugferry_operations_total\{route="widget",side="github",kind="create",outcome="applied"\} 1\n/);
  expect(text).toMatch(/bugferry_requests_total\{side="tracker",status="2xx"\} \d+\n/);
  expect(text).toMatch(/bugferry_cycle_duration_seconds_count\{route="widget",kind="cycle"\} \d+\n/);
  expect(text).toMatch(/bugferry_hooks_total\{side="github",outcome="hint"\} [1-9]\d*\n/);
  expect(text).toMatch(/bugferry_pairs\{route="widget"\} 1\n/);
});

test('bugferry health asks the daemon that runs, and says so when none does', async () => {
  expect(await house.run('health')).toMatchObject({ code: 0, out: expect.stringContaining('the process is alive') });
  expect(await house.run('health', '--ready')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ready\n {2}widget: (?:in step|catching up)/u),
  });
  expect((await house.run('health', '--ready', '--json')).json()).toMatchObject([
    { ready: true, routes: [{ route: 'widget', isReady: true }] },
  ]);
  const free = await freePort();
  const config = JSON.parse(readFileSync(`${house.folder}/bridge.yaml`, 'utf8'));
  writeFileSync(`${house.folder}/other.json`, JSON.stringify({ ...config, http: { port: free } }));
  const other = await house.run('health', '--config', `${house.folder}/other.json`);
  expect(other).toMatchObject({ code: 4, err: expect.stringContaining('no answer from') });
  writeFileSync(`${house.folder}/shut.json`, JSON.stringify({ ...config, http: undefined }));
  const shut = await house.run('health', '--config', `${house.folder}/shut.json`);
  expect(shut).toMatchObject({ code: 2, err: expect.stringContaining('has no HTTP server to ask') });
});

test('a second daemon whose port is taken ends with a helpful message, and does not touch its state file', async () => {
  const file = house.configure((config) => {
    config.http = { port: Number(new URL(server).port) };
    config.state = `${house.folder}/second.db`;
  });
  const second = await house.start('run', '--config', file).ended;
  expect(second).toMatchObject({ code: 2, err: expect.stringContaining('Another program already listens there') });
});

/** What people who should not get in try, and what a browser is made to do by pages of others. */

import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serverApp } from '../../src/http/app.ts';
import { openServer } from '../../src/http/server.ts';
import { scrub } from '../support/scrub.ts';
import { clock, quietAdminPort, token } from './admin-port.ts';

const secrets = { githubSecret: null, trackerSecret: null, scrub };
const quiet = { failed: () => undefined, warned: () => undefined, clock };
const locked = { ...secrets, ...quiet, token };
const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });

describe('a search that would contact a side', () => {
  const asked = async (headers: Readonly<Record<string, string>>) => {
    let count = 0;
    const adminPort = quietAdminPort({
      whyNot: async () => {
        count += 1;
        return ['It is not selected.'];
      },
    });
    const app = serverApp(adminPort, { ...secrets, ...quiet, token: null });
    const { status } = await app.request('/find?q=bug+1', { headers: { host: '127.0.0.1:8080', ...headers } });
    return { status, count };
  };

  test.each([
    ['an image in a foreign page', { 'sec-fetch-site': 'cross-site' }],
    ['a page on another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['an old browser with an origin', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['an old browser with an address', { referer: 'https://evil.example/page' }],
  ])('is not made for %s', async (_name, headers) => {
    expect(await asked(headers)).toEqual({ status: 403, count: 0 });
  });

  test.each([
    ['the search field', { 'sec-fetch-site': 'same-origin' }],
    ['a bookmark', { 'sec-fetch-site': 'none' }],
    ['a program on this machine', {}],
    ['an old browser on our page', { referer: 'http://127.0.0.1:8080/' }],
  ])('is made for %s', async (_name, headers) => {
    expect(await asked(headers)).toEqual({ status: 404, count: 1 });
  });
});

describe('a session', () => {
  const signedIn = async (app: ReturnType<typeof serverApp>) => {
    const answer = await app.request('/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(answer.status).toBe(303);
    return (answer.headers.get('set-cookie') ?? '').replace(/;.*/u, '');
  };
  const statusWith = async (app: ReturnType<typeof serverApp>, cookie: string) =>
    (await app.request('/metrics', { headers: { cookie } })).status;

  test('ends with signing out, also for a copy of its cookie; others go on', async () => {
    const app = serverApp(quietAdminPort(), locked);
    const [one, other] = [await signedIn(app), await signedIn(app)];
    expect(one).not.toBe(other);
    expect(await statusWith(app, one)).toBe(200);
    await app.request('/sign-out', { method: 'POST', headers: { cookie: one, 'sec-fetch-site': 'same-origin' } });
    expect([await statusWith(app, one), await statusWith(app, other)]).toEqual([401, 200]);
  });

  test('ends after 30 days, and its cookie does not contain the token', async () => {
    let now = Date.UTC(2026, 0, 5);
    const app = serverApp(quietAdminPort(), { ...locked, clock: { ...clock, now: () => now } });
    const cookie = await signedIn(app);
    expect(cookie).not.toContain(token);
    now += 29 * 24 * 3_600_000;
    expect(await statusWith(app, cookie)).toBe(200);
    now += 2 * 24 * 3_600_000;
    expect(await statusWith(app, cookie)).toBe(401);
  });
});

describe('wrong tokens', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(() => void vi.useRealTimers());
  const settled = async (all: readonly (Response | Promise<Response>)[]) => {
    const statuses: number[] = [];
    for (const each of all) void Promise.resolve(each).then(({ status }) => statuses.push(status));
    await flushed();
    return statuses;
  };
  const flushed = () => new Promise((done) => setImmediate(done));

  test('are answered one a second, while the right one is accepted at once', async () => {
    const app = serverApp(quietAdminPort(), locked);
    const statuses = await settled(
      Array.from({ length: 5 }, (_, index) => app.request('/metrics', bearer(`guess-number-${index}`))),
    );
    expect(statuses).toEqual([]);
    expect((await app.request('/metrics', bearer(token))).status).toBe(200);
    for (let second = 1; second <= 5; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await flushed();
      expect(statuses).toHaveLength(second);
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  test('in a flood are answered at once; the right one and existing sessions are admitted all the same', async () => {
    const app = serverApp(quietAdminPort(), locked);
    const own = { 'sec-fetch-site': 'same-origin' };
    const answer = await app.request('/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers: own,
    });
    const cookie = answer.headers.get('set-cookie') ?? '';
    const paths = ['/metrics', '/readyz', '/'];
    const statuses = await settled(
      Array.from({ length: 200 }, (_, index) => app.request(paths[index % 3] ?? '/', bearer(`guess-number-${index}`))),
    );
    expect(statuses).toHaveLength(180);
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(
      (await app.request('/sign-in', { method: 'POST', body: new URLSearchParams({ token }), headers: own })).status,
    ).toBe(303);
    expect((await app.request('/metrics', { headers: { cookie } })).status).toBe(200);
    expect((await app.request('/metrics', bearer(token))).status).toBe(200);
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await app.request('/metrics', bearer(token))).status).toBe(200);
  });

  test('are logged once a minute as a count, without their text', async () => {
    let now = 0;
    const lines: string[] = [];
    const app = serverApp(quietAdminPort(), {
      ...locked,
      clock: { ...clock, now: () => now },
      warned: (words) => lines.push(words),
    });
    const guess = () => void app.request('/metrics', bearer('guess-of-a-person'));
    for (let count = 0; count < 10; count += 1) guess();
    await flushed();
    expect(lines).toEqual(['a request had a wrong token']);
    now += 60_000;
    guess();
    await flushed();
    expect(lines).toEqual(['a request had a wrong token', '10 requests had a wrong token']);
  });
});

test('a client that disconnects in the middle of a form causes no error', async () => {
  const failures: unknown[] = [];
  const ended: string[] = [];
  const app = serverApp(quietAdminPort(), { ...locked, token: null, failed: (error) => failures.push(error) });
  const server = await openServer(app, { host: '127.0.0.1', port: 0 });
  const { host, port } = new URL(server.url);
  const head = `POST /retry HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
  for (const body of ['Content-Length: 1000\r\n\r\nroute=widget', 'Transfer-Encoding: chunked\r\n\r\n5\r\nroute\r\n']) {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`${head}${body}`));
    await new Promise((done) => setTimeout(done, 100));
    socket.destroy();
    await new Promise((done) => socket.on('close', done));
    ended.push(body);
  }
  await new Promise((done) => setTimeout(done, 100));
  await server.close();
  expect([ended.length, failures]).toEqual([2, []]);
});

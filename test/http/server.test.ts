import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { placeOf } from '../../src/http/access.ts';
import type { AdminPort } from '../../src/http/admin-port.ts';
import { serverApp } from '../../src/http/app.ts';
import type { Readiness } from '../../src/http/health.ts';
import { ListenError } from '../../src/http/listen-error.ts';
import { openServer } from '../../src/http/server.ts';
import { scrubOf } from '../../src/runtime/scrub.ts';
import { scrub } from '../support/scrub.ts';
import { clock, quietAdminPort, token } from './admin-port.ts';

const open = {
  token: null,
  githubSecret: null,
  trackerSecret: null,
  scrub,
  failed: () => undefined,
  warned: () => undefined,
  clock,
};
const locked = { ...open, token };
const notReady: Readiness = {
  isReady: false,
  routes: [{ route: 'widget', standing: 'failed', isReady: false, why: 'GitHub was last read 12 min ago' }],
};
const bearer = { authorization: `Bearer ${token}` };

test('connections beyond the limit are closed, and the others are served', async () => {
  const server = await openServer(serverApp(quietAdminPort(), open), { host: '127.0.0.1', port: 0 });
  const port = Number(new URL(server.url).port);
  const ended: boolean[] = [];
  const idle = Array.from({ length: 560 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  for (const [index, socket] of idle.entries()) socket.on('close', () => (ended[index] = true));
  await vi.waitFor(() => expect(ended.filter(Boolean).length).toBeGreaterThanOrEqual(60), 5_000);
  expect(ended.filter(Boolean).length).toBe(60);
  for (const socket of idle.slice(0, 100)) socket.destroy();
  await vi.waitFor(async () => expect((await fetch(`${server.url}/healthz`)).status).toBe(200), 5_000);
  for (const socket of idle) socket.destroy();
  await server.close();
});

describe('health', () => {
  test('is public', async () => {
    const app = serverApp(quietAdminPort(), locked);
    expect((await app.request('/healthz')).status).toBe(200);
    expect(await (await app.request('/readyz')).json()).toEqual({ ready: true });
  });

  test('shows reasons only to authorised clients', async () => {
    const app = serverApp(quietAdminPort({ readiness: () => notReady }), locked);
    const anonymous = await app.request('/readyz');
    expect([anonymous.status, await anonymous.json()]).toEqual([503, { ready: false }]);
    const known = await app.request('/readyz', { headers: bearer });
    expect([known.status, await known.json()]).toEqual([503, { ready: false, routes: notReady.routes }]);
  });
});

describe('secrets in the texts of others', () => {
  const secret = 'k3y<of>the&tracker';
  const clean = scrubOf([secret]);

  test.each([
    [
      'metrics',
      '/metrics',
      { metrics: async () => ({ type: 'text/plain; version=0.0.4', text: `lost{why="${secret}"} 1` }) },
    ],
    [
      'readiness',
      '/readyz',
      {
        readiness: () => ({
          isReady: false,
          routes: [{ route: 'widget', standing: 'failed', isReady: false, why: secret }],
        }),
      },
    ],
    ['a page', '/find?q=bug+1', { whyNot: async () => [`refused: ${secret}`] }],
  ])('are not answered in %s', async (_, path, change) => {
    const answer = (cover: typeof scrub) =>
      serverApp(quietAdminPort(change as Partial<AdminPort>), { ...locked, scrub: cover }).request(path, {
        headers: bearer,
      });
    const text = await (await answer(clean)).text();
    expect(text).toContain('[secret]');
    expect(text).not.toContain('k3y');
    // The same without a scrubber, so that the secret is known to have been on its way.
    expect(await (await answer(scrub)).text()).toContain('k3y');
  });
});

describe('everything else', () => {
  const cases: readonly (readonly [string, typeof locked | typeof open, Record<string, string>, number])[] = [
    ['with the token', locked, bearer, 200],
    ['without the token', locked, {}, 401],
    ['with another token', locked, { authorization: 'Bearer another-token-of-somebody' }, 401],
    ['with the token as a password', locked, { authorization: `Basic ${btoa(`x:${token}`)}` }, 401],
    ['with a made-up cookie', locked, { cookie: `bugferry=${token}` }, 401],
    ['from this machine, where no token is set', open, { host: '127.0.0.1:8080' }, 200],
    ['from this machine by name', open, { host: 'localhost:8080' }, 200],
    ['from a page whose name leads to this machine', open, { host: 'evil.example:8080' }, 403],
    ['without saying which host is meant', open, {}, 403],
  ];
  test.each(cases)('asked %s', async (_name, access, headers, status) => {
    const response = await serverApp(quietAdminPort(), access).request('/metrics', { headers });
    expect(response.status).toBe(status);
    if (status !== 200) expect(await response.text()).not.toContain('bugferry_parked');
  });

  test('forbids other sites to load, frame or cache it', async () => {
    const { headers } = await serverApp(quietAdminPort(), locked).request('/metrics', { headers: bearer });
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

test.each([
  ['/link/3?x=1', '/link/3?x=1'],
  ['https://evil.example/link/3', '/link/3'],
  ['//evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
])('after signing in from %s people come to %s', (address, place) => {
  expect(placeOf(address)).toBe(place);
});

describe('an HTTP server', () => {
  test('answers at the address that it reports, until it is closed', async () => {
    const server = await openServer(serverApp(quietAdminPort(), open), { host: '127.0.0.1', port: 0 });
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200);
    await server.close();
    await expect(fetch(`${server.url}/metrics`)).rejects.toThrow();
  });

  test('explains what to do if the port is in use', async () => {
    const first = await openServer(serverApp(quietAdminPort(), open), { host: '127.0.0.1', port: 0 });
    const port = Number(new URL(first.url).port);
    const second = openServer(serverApp(quietAdminPort(), open), { host: '127.0.0.1', port });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(
      `Another program already listens there (http.host 127.0.0.1, http.port ${port})`,
    );
    await first.close();
  });
});

/**
 * What the documents promise of private authorities and outgoing proxies, measured with the Node.js that runs the
 * tests.
 */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, request } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';

const main = resolve(import.meta.dirname, '../../dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'bugferry-network-'));
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
let house: House;
const closers: (() => void)[] = [];

beforeAll(async () => {
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
});
afterAll(async () => {
  for (const close of closers) close();
  await house.close();
  rmSync(folder, { recursive: true });
});

const bugferry = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly out: string }> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { PATH: process.env['PATH'], ...env }, timeout: 50_000 },
      (error, out, err) => done({ code: error === null ? 0 : Number(error.code), out: `${out}${err}` }),
    );
  });

/** A proxy as it is found in companies: it passes on what is plain, and makes tunnels for the rest. */
async function openProxy(reached: string[]): Promise<string> {
  const proxy = createPlainServer((asked, answer) => {
    const { host } = new URL(asked.url ?? '');
    reached.push(host);
    const { method = 'GET', url = '', headers } = asked;
    const onward = request(url, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    asked.pipe(onward);
  });
  proxy.on('connect', (asked, socket, head) => {
    reached.push(asked.url ?? '');
    const { hostname, port } = new URL(`http://${asked.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on('error', () => undefined);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  closers.push(() => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test('requests to both sides go through the proxy, if NODE_USE_ENV_PROXY says so', async () => {
  const reached: string[] = [];
  const address = await openProxy(reached);
  const proxies = { HTTP_PROXY: address, HTTPS_PROXY: address };
  const once = ['once', '--config', join(house.folder, 'bridge.yaml')];
  expect(await bugferry(once, { ...proxies, NODE_USE_ENV_PROXY: '1' })).toMatchObject({
    code: 0,
    out: expect.stringContaining('created "It fails"'),
  });
  const sides = [house.trackerUrl, house.githubUrl].map((url) => new URL(url).host).sort();
  expect([...new Set(reached)].sort()).toEqual(sides);
  reached.length = 0;
  // Ignored without the switch, and for hosts that are reached directly.
  expect(await bugferry(once, proxies)).toMatchObject({ code: 0 });
  expect(await bugferry(once, { ...proxies, NODE_USE_ENV_PROXY: '1', NO_PROXY: '127.0.0.1' })).toMatchObject({
    code: 0,
  });
  expect(reached).toEqual([]);
});

test.skipIf(!hasOpenssl)(
  'a tracker whose certificate is of a private authority is reached with NODE_EXTRA_CA_CERTS',
  async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate, ...subject],
      { stdio: 'ignore' },
    );
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (asked, answer) => {
      const { method = 'GET', url = '/', headers } = asked;
      const onward = request(new URL(url, house.trackerUrl), { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      });
      asked.pipe(onward);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closers.push(() => server.close());
    const config = house.configure((written) => {
      written.tracker.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    expect(await bugferry(['check', '--config', config], {})).toMatchObject({
      code: 4,
      out: expect.stringMatching(/self-signed|certificate/iu),
    });
    const answering = { out: expect.stringMatching(/tracker: https:\S+ answers/u) };
    expect(await bugferry(['check', '--config', config], { NODE_EXTRA_CA_CERTS: certificate })).toMatchObject(
      answering,
    );
    const reached: string[] = [];
    const proxied = {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: await openProxy(reached),
      NODE_EXTRA_CA_CERTS: certificate,
    };
    expect(await bugferry(['check', '--config', config], proxied)).toMatchObject(answering);
    expect(reached).toContain(new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`).host);
  },
);

/** Notices reach real programs and a real server on this machine, or it is said why not, within seconds. */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { httpFetch } from '../../src/runtime/http-fetch.ts';
import { canRun, mailText, pipe, post } from '../../src/runtime/receivers.ts';

const folder = mkdtempSync(join(tmpdir(), 'bugferry-receivers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());
const never = new AbortController().signal;
const env = { PATH: '/usr/bin:/bin' };
const run = (words: readonly string[], input: string, signal = never) => pipe({ words, env }, input, signal);

function program(name: string, ...lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
  return file;
}

describe('a program', () => {
  test('reads the notice, gets its arguments as they are, and no secret of the bridge', async () => {
    vi.stubEnv('GITHUB_TOKEN', 'secret-of-the-bridge');
    const out = join(folder, 'out');
    const tell = program('tell', `{ printf '%s|' "$@"; cat; env; } > ${out}`);
    expect(await run([tell, 'a b', '$(id)', '; rm -rf x'], 'the notice\n')).toBeNull();
    const text = readFileSync(out, 'utf8');
    expect(text).toMatch(/^a b\|\$\(id\)\|; rm -rf x\|the notice\n/u);
    expect(text).toMatch(/^PATH=/mu);
    expect(text).not.toContain('secret-of-the-bridge');
  });

  test.each([
    ['fails', () => program('fails', 'exit 3'), /^it ended with 3$/u],
    ['is killed', () => program('killed', 'kill -TERM $$'), /^it ended with SIGTERM$/u],
    ['is not there', () => join(folder, 'nowhere'), /^it cannot be started \(ENOENT\)$/u],
    ['is no program', () => folder, /^it cannot be started \(EACCES\)$/u],
  ])('that %s is no receiver', async (_name, file, why) => {
    expect(await run([file()], 'x'.repeat(1_000_000))).toMatch(why);
  });

  test('that reads nothing is judged by its exit code', async () => {
    expect(await run([program('deaf', 'exit 0')], 'x'.repeat(1_000_000))).toBeNull();
  });

  test('that does not end is ended after ten seconds, with what it started', async () => {
    const late = join(folder, 'late');
    const begunAt = Date.now();
    expect(await run([program('slow', `(sleep 12; touch ${late}) &`, 'sleep 60')], '')).toMatch(/longer than 10/u);
    expect(Date.now() - begunAt).toBeLessThan(60_000);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(existsSync(late)).toBe(false);
  });

  test('ends when the bridge is stopped', async () => {
    const stop = new AbortController();
    const told = run([program('patient', 'sleep 60')], '', stop.signal);
    stop.abort();
    expect(await told).toBe('the bridge was stopped');
  });
});

describe('a server', () => {
  let server: Server;
  let url: string;
  const seen: { readonly request: IncomingMessage; readonly body: string }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        seen.push({ request, body });
        const status = Number(request.url?.slice(1));
        if (status > 0) response.writeHead(status, { location: '/200' }).end('Bearer echoed');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('gets JSON and the token', async () => {
    expect(
      await post(httpFetch, { address: `${url}/204`, token: 'a-token', body: { text: 'ö\n"' } }, never),
    ).toBeNull();
    const { request, body } = seen.at(-1) ?? expect.fail();
    expect(JSON.parse(body)).toEqual({ text: 'ö\n"' });
    expect(request.headers).toMatchObject({ authorization: 'Bearer a-token', 'content-type': 'application/json' });
  });

  test.each([302, 401, 404, 500])(
    'that answers %i did not take the notice, and its answer is not repeated',
    async (status) => {
      expect(await post(httpFetch, { address: `${url}/${status}`, token: null, body: {} }, never)).toBe(
        `it answered ${status}`,
      );
    },
  );

  test('that is not there is named by the reason alone', async () => {
    const hidden = 'http://127.0.0.1:9/secret-path';
    expect(await post(httpFetch, { address: hidden, token: null, body: {} }, never)).toMatch(
      /^it cannot be reached \(E[A-Z]+\)$/u,
    );
  });

  test('that never answers is left after ten seconds', async () => {
    expect(await post(httpFetch, { address: `${url}/0`, token: null, body: {} }, never)).toMatch(/longer than 10/u);
  });
});

test('a mail has its headers on a line each, and says that a program wrote it', () => {
  const mail = {
    to: ['ada@example.org', 'bob@example.org'],
    from: 'bridge@example.org',
    subject: 'S',
    text: 'T',
    at: 0,
  };
  expect(mailText(mail).split('\n')).toEqual([
    'From: bugferry <bridge@example.org>',
    'To: ada@example.org, bob@example.org',
    'Subject: S',
    'Date: Thu, 01 Jan 1970 00:00:00 +0000',
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'T',
    '',
  ]);
});

test('whether a program can be run is known in advance', () => {
  expect([
    ...['sh', program('can'), 'no-such-program', join(folder, 'none')].map((each) => canRun(each, env.PATH)),
  ]).toEqual([true, true, false, false]);
});

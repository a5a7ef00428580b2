import { describe, expect, onTestFinished, test } from 'vitest';
import { createGithubClient, type GithubClient } from '../../src/github/connection/client.ts';
import { answering, type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts';

/** A server that answers by path. */
async function served(answers: Readonly<Record<string, Script>>): Promise<ScriptedServer> {
  const missing = answering(404, { message: 'Not Found' });
  const server = await scriptedServer((arrival, response) => (answers[arrival.url] ?? missing)(arrival, response));
  onTestFinished(() => server.close());
  return server;
}

const clientOf = (url: string): GithubClient =>
  createGithubClient({
    url,
    token: 'ghp_secret',
    lane: { run: (_cost, request) => request() },
    timeoutMs: 2_000,
    now: () => 0,
  });

const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
const ask = { path: '/file', about: 'read the file a.bin in acme/widget' };

describe('a content of GitHub', () => {
  test('comes from the storage to which GitHub leads, and that gets no credentials', async () => {
    const storage = await served({ '/bucket?signature=1': (_request, response) => response.end(bytes) });
    const api = await served({
      '/file': (_request, response) => response.writeHead(302, { location: `${storage.url}/bucket?signature=1` }).end(),
    });
    expect(await clientOf(api.url).content(ask)).toEqual({ kind: 'content', bytes });
    expect(api.arrivals[0]?.headers).toMatchObject({
      authorization: expect.stringContaining('ghp_secret'),
      accept: 'application/octet-stream',
    });
    expect(storage.arrivals[0]?.headers.authorization).toBeUndefined();
  });

  test.each(['text/plain; charset=utf-8', 'application/json', 'image/png'])(
    'is not taken for the text that %s says it is',
    async (type) => {
      const api = await served({
        '/file': (_request, response) => response.writeHead(200, { 'content-type': type }).end(bytes),
      });
      expect(await clientOf(api.url).content(ask)).toEqual({ kind: 'content', bytes });
    },
  );

  test.each([
    ['that is not there', 404, 'gone'],
    ['that we may not read', 403, 'refused'],
    ['of a server that is ill', 502, 'unknown'],
    ['for credentials that are wrong', 401, 'unauthorized'],
  ])('%s is distinguished', async (_what, status, kind) => {
    const api = await served({ '/file': (_request, response) => response.writeHead(status).end('{"message":"No."}') });
    expect(await clientOf(api.url).content(ask)).toMatchObject({ kind: 'failed', failure: { kind } });
  });

  test('whose connection breaks is not used, and reveals no secret', async () => {
    const api = await served({
      '/file'(_request, response) {
        response.writeHead(200, { 'content-length': '300' });
        response.write(bytes.subarray(0, 100), () => response.destroy());
      },
    });
    const reply = await clientOf(api.url).content(ask);
    expect(reply).toMatchObject({ kind: 'failed', failure: { kind: 'unknown' } });
    expect(JSON.stringify(reply)).not.toContain('ghp_secret');
  });

  test('goes no further than one storage', async () => {
    const api = await served({ '/file': (_request, response) => response.writeHead(302, { location: '/file' }).end() });
    expect(await clientOf(api.url).content(ask)).toMatchObject({ kind: 'failed' });
    expect(api.arrivals).toHaveLength(2);
  });
});

import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ask, createGithubClient, type GithubClient } from '../../src/github/connection/client.ts';
import { retirementIn } from '../../src/github/connection/retirement.ts';
import { type OpenLane, openLane } from './open-lane.ts';
import { answering, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const now = Date.UTC(2026, 0, 10, 12, 0, 0);
const ask: Ask = { method: 'GET', path: '/repos/acme/widget/issues/5', cost: 'read', about: 'read acme/widget#5' };
const post: Ask = {
  method: 'POST',
  path: '/repos/acme/widget/issues',
  cost: 'create',
  about: 'open an issue in acme/widget',
  body: { title: 'T' },
};

let server: ScriptedServer;
let lane: OpenLane;
let client: GithubClient;

beforeEach(async () => {
  server = await scriptedServer(answering(200, { login: 'bot' }));
  lane = openLane();
  client = createGithubClient({ url: server.url, token, lane, timeoutMs: 2_000, now: () => now });
});

afterEach(() => server.close());

describe('a limit', () => {
  it('stops requests that wait behind the refused one, but no later ones', async () => {
    server.script = (_arrival, response) => {
      response.writeHead(403, { 'content-type': 'application/json', 'retry-after': '60' });
      response.end(JSON.stringify({ message: 'You have exceeded a secondary rate limit.' }));
    };
    let last: Promise<unknown> = Promise.resolve();
    const inTurn: typeof lane.run = (_cost, request) => {
      const turn = last.then(request);
      last = turn.catch(() => undefined);
      return turn;
    };
    const at = now + 60_000;
    client = createGithubClient({ url: server.url, token, lane: { run: inTurn }, timeoutMs: 2_000, now: () => now });
    const replies = await Promise.all([
      client.send(post),
      client.send(post),
      client.within('edit', (send) => send(post)),
    ]);
    expect(server.arrivals).toHaveLength(1);
    expect(replies).toMatchObject(replies.map(() => ({ kind: 'failed', failure: { kind: 'limited', at } })));
    // Only the first says something about the rate.
    expect(replies.map((reply) => reply.kind === 'failed' && 'isTooFast' in reply.failure)).toEqual([
      true,
      false,
      false,
    ]);
    await client.send(post);
    expect(server.arrivals).toHaveLength(2);
  });
});

describe('a request', () => {
  it('says who we are, which version we speak and what we take', async () => {
    await client.send(ask);
    expect(server.arrivals).toHaveLength(1);
    expect(server.arrivals[0]).toMatchObject({ method: 'GET', url: '/repos/acme/widget/issues/5', body: '' });
    expect(server.arrivals[0]?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2026-03-10',
    });
    expect(server.arrivals[0]?.headers['user-agent']).toMatch(/^bugferry /u);
  });

  it('carries its body as JSON and goes through the lane at its cost', async () => {
    await client.send(ask);
    await client.send(post);
    await client.send({ ...post, path: ask.path, method: 'PATCH', cost: 'edit' });
    expect(lane.costs).toEqual(['read', 'create', 'edit']);
    expect(server.arrivals.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['POST', '{"title":"T"}'],
      ['PATCH', '{"title":"T"}'],
    ]);
  });

  it.each([
    '/repositories/7/issues?after=Y3Vyc29yOnYy%3Aabc%3D%3D&page=2',
    '/repositories/7/issues?after=a%3Aabc&since=2026-01-01T00:00:00Z',
  ])('uses an address unchanged: %s', async (path) => {
    await client.send({ ...ask, path });
    expect(server.arrivals[0]?.url).toBe(path);
  });

  it('keeps what looks like a placeholder in an address', async () => {
    await client.send({ ...ask, path: '/repos/acme/widget/issues?after=v2:abc&before={c}' });
    expect(new URL(server.arrivals[0]?.url ?? '', server.url).searchParams.get('after')).toBe('v2:abc');
    expect(new URL(server.arrivals[0]?.url ?? '', server.url).searchParams.get('before')).toBe('{c}');
  });

  it('works below a path, as on an Enterprise Server', async () => {
    const enterprise = createGithubClient({
      url: `${server.url}/api/v3/`,
      token,
      lane,
      timeoutMs: 2_000,
      now: () => now,
    });
    await enterprise.send(ask);
    expect(server.arrivals[0]?.url).toBe('/api/v3/repos/acme/widget/issues/5');
  });
});

describe('an answer', () => {
  it("comes with GitHub's clock", async () => {
    server.script = answering(200, { a: 1 }, { date: 'Sat, 10 Jan 2026 11:00:00 GMT', etag: '"abc"' });
    expect(await client.send(ask)).toMatchObject({
      kind: 'answered',
      data: { a: 1 },
      readAt: Date.UTC(2026, 0, 10, 11),
      headers: { etag: '"abc"' },
    });
  });

  it('may be that nothing has changed', async () => {
    server.script = (arrival, response) => {
      response
        .writeHead(arrival.headers['if-none-match'] === 'W/"abc"' ? 304 : 200, {
          date: 'Sat, 10 Jan 2026 11:00:00 GMT',
        })
        .end();
    };
    expect(await client.send({ ...ask, etag: 'W/"abc"' })).toMatchObject({
      kind: 'unchanged',
      readAt: Date.UTC(2026, 0, 10, 11),
    });
  });

  it.each([
    ['GET', ask],
    ['POST', post],
    ['PATCH', { ...post, path: ask.path, method: 'PATCH', cost: 'edit' }],
  ] as const)('that %s has moved is never followed', async (_method, moving) => {
    server.script = (arrival, response) => {
      if (arrival.url.startsWith('/repositories/')) answering(200, { id: 1 })(arrival, response);
      else
        answering(
          301,
          { message: 'Moved Permanently' },
          { location: `${server.url}/repositories/8/issues/1` },
        )(arrival, response);
    };
    expect(await client.send(moving)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'gone', gone: { kind: 'moved' } },
    });
    expect(server.arrivals).toHaveLength(1);
  });
});

describe('the end of our interface version', () => {
  const announced = { deprecation: '@1773100800', sunset: 'Fri, 10 Mar 2028 00:00:00 GMT' };
  it.each([
    [announced, Date.UTC(2026, 2, 10), Date.UTC(2028, 2, 10)],
    [{ deprecation: 'Tue, 10 Mar 2026 00:00:00 GMT' }, Date.UTC(2026, 2, 10), null],
    [{ sunset: 'some day' }, null, null],
    [{}, undefined, undefined],
  ])('is read from the answer: %j', (headers: Record<string, string>, sinceAt, endsAt) => {
    expect(retirementIn(headers)).toEqual(sinceAt === undefined ? null : { sinceAt, endsAt });
  });
});

describe('a failure', () => {
  it.each([
    [
      'a dropped connection',
      (_arrival: unknown, response: { socket: { destroy(): void } | null }) => void response.socket?.destroy(),
      'unknown',
    ],
    [
      'a 502 of a proxy',
      (_arrival: unknown, response: import('node:http').ServerResponse) =>
        void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
      'unknown',
    ],
    ['a pause', answering(429, { message: 'slow down' }, { 'retry-after': '9' }), 'limited'],
  ] as const)('by %s is told once and never retried', async (_name, script, kind) => {
    server.script = script as ScriptedServer['script'];
    expect(await client.send(post)).toMatchObject({ kind: 'failed', failure: { kind } });
    expect(server.arrivals).toHaveLength(1);
  });

  it('by silence ends after the timeout and is in doubt', async () => {
    const hasty = createGithubClient({ url: server.url, token, lane, timeoutMs: 50, now: () => now });
    server.script = () => {};
    expect(await hasty.send(post)).toMatchObject({ kind: 'failed', failure: { kind: 'unknown' } });
  });

  it('by a refused connection certainly had no effect', async () => {
    await server.close();
    expect(await client.send(post)).toMatchObject({ kind: 'failed', failure: { kind: 'unreached' } });
    server = await scriptedServer(answering(200, {}));
  });

  it('writes nothing to the console', async () => {
    expect(await printedBy(src)).toBe('');
    expect(server.arrivals).toHaveLength(1);
  });
});

const src = resolve(import.meta.dirname, '../../src');

/**
 * What a process prints that asks the server once for what is missing and outdated. Octokit takes hold of the console
 * when it is loaded, which was long ago here.
 */
async function printedBy(folder: string): Promise<string> {
  server.script = answering(
    404,
    { message: 'Not Found' },
    { deprecation: 'Sat, 10 Jan 2026 11:00:00 GMT', sunset: 'soon' },
  );
  const code = `
    const { createGithubClient } = await import(${JSON.stringify(`${folder}/github/connection/client.ts`)});
    const lane = { run: (_cost, request) => request() };
    const client = createGithubClient({ url: ${JSON.stringify(server.url)}, token: 'hunter2hunter2', lane, timeoutMs: 20_000, now: Date.now });
    await client.send(${JSON.stringify(ask)});`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  return stdout + stderr;
}

describe('no secret is in any message', () => {
  const others = [
    'ghs_12_eyJhbGciOi.abc-def',
    'github_pat_11ABC_xyz',
    'gho_abc',
    'ghu_abc',
    'ghr_abc',
    'eyJhbGciOi.eyJpYXQi.c2ln',
  ];
  it.each([token, ...others])('even when the server repeats it: %s', async (secret) => {
    server.script = answering(422, { message: `Bad ${secret}!`, errors: [secret] });
    const text = JSON.stringify(await client.send(ask));
    expect(text).toContain('Bad [secret]');
    expect(text).not.toContain(secret);
  });

  it('even of a form that we do not know', async () => {
    const odd = createGithubClient({
      url: server.url,
      token: 'hunter2hunter2',
      lane,
      timeoutMs: 2_000,
      now: () => now,
    });
    server.script = answering(301, {}, { location: '/x?token=hunter2hunter2' });
    expect(JSON.stringify(await odd.send(ask))).not.toContain('hunter2');
  });

  it('even where a long message is cut', async () => {
    const odd = createGithubClient({
      url: server.url,
      token: 'hunter2'.repeat(20),
      lane,
      timeoutMs: 2_000,
      now: () => now,
    });
    server.script = answering(422, { message: `${'x'.repeat(900)}${'hunter2'.repeat(20)}` });
    const text = JSON.stringify(await odd.send(ask));
    expect(text.length).toBeLessThan(1_200);
    expect(text).not.toContain('hunter2');
  });

  it('even when it cannot be sent', async () => {
    const broken = createGithubClient({
      url: server.url,
      token: 'hunter2\nhunter2',
      lane,
      timeoutMs: 2_000,
      now: () => now,
    });
    const reply = await broken.send(ask);
    expect(reply.kind).toBe('failed');
    expect(JSON.stringify(reply)).not.toContain('hunter2');
  });
});

describe('a GitHub App', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const issued = 'ghs_installation1';
  let installation = 1;
  const appClient = (key: string): GithubClient => {
    installation += 1;
    return createGithubClient({
      url: server.url,
      app: { id: 12, installationId: installation, privateKey: key },
      lane,
      timeoutMs: 2_000,
      now: () => now,
    });
  };
  const granting =
    (status = 201): ScriptedServer['script'] =>
    (arrival, response) => {
      if (!arrival.url.includes('/access_tokens')) return answering(200, { slug: 'bugferry' })(arrival, response);
      answering(
        status,
        status === 201 ? { token: issued, expires_at: '2026-01-10T13:00:00Z', permissions: {} } : { message: 'No' },
        {
          date: new Date(now).toUTCString(),
        },
      )(arrival, response);
    };

  it.each(['pkcs8', 'pkcs1'] as const)(
    'asks for an installation token once and uses it for every request, with a key in %s',
    async (type) => {
      server.script = granting();
      const app = appClient(privateKey.export({ type, format: 'pem' }).toString());
      await app.send(ask);
      await app.send(ask);
      expect(server.arrivals.map(({ url }) => url)).toEqual([
        `/app/installations/${installation}/access_tokens`,
        ask.path,
        ask.path,
      ]);
      expect(server.arrivals[2]?.headers.authorization).toBe(`Bearer ${issued}`);
      expect(lane.costs).toEqual(['read', 'read']);
    },
  );

  it('asks for another one when GitHub rejects it', async () => {
    server.script = (arrival, response) =>
      (arrival.url === ask.path ? answering(401, {}) : granting())(arrival, response);
    const app = appClient(pem);
    expect(await app.send(ask)).toMatchObject({ failure: { kind: 'unauthorized' } });
    await app.send(ask);
    expect(server.arrivals.filter(({ url }) => url.includes('access_tokens'))).toHaveLength(2);
  });

  it('speaks for itself only where that is asked for', async () => {
    server.script = granting();
    const app = appClient(pem);
    expect(app.isApp).toBe(true);
    await app.send({ ...ask, path: '/app', role: 'app' });
    expect(server.arrivals[0]?.headers.authorization).toMatch(/^Bearer eyJ/u);
  });

  it.each([
    [401, 'unauthorized'],
    [404, 'unauthorized'],
    [403, 'unauthorized'],
    [500, 'unreached'],
  ])('that gets %i instead of a token is %s, and its request is never sent', async (status, kind) => {
    server.script = granting(status);
    expect(await appClient(pem).send(post)).toMatchObject({ kind: 'failed', failure: { kind } });
    expect(server.arrivals).toHaveLength(1);
  });

  it('with a broken key is reported, without the key', async () => {
    const reply = await appClient('-----BEGIN PRIVATE KEY-----\nAAAAB3Nza\n-----END PRIVATE KEY-----').send(ask);
    expect(reply).toMatchObject({ failure: { kind: 'unauthorized' } });
    expect(JSON.stringify(reply)).toContain('private key');
    expect(JSON.stringify(reply)).not.toContain('AAAAB3Nza');
    expect(server.arrivals).toEqual([]);
  });
});

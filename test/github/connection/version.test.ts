import { describe, expect, onTestFinished, test } from 'vitest';
import { createGithubClient, type GithubClient } from '../../../src/github/connection/client.ts';
import { type Arrival, answering, type Script, type ScriptedServer, scriptedServer } from '../scripted-server.ts';

/** Servers that know different versions of the interface, and what is sent to them. */
const [newest, older] = ['2026-03-10', '2022-11-28'];
const refusal = answering(400, { message: 'Not a version that we know' });

async function served(script: Script): Promise<{ readonly server: ScriptedServer; readonly client: GithubClient }> {
  const server = await scriptedServer(script);
  onTestFinished(() => server.close());
  const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };
  return { server, client: createGithubClient({ url: server.url, token: 't', lane, timeoutMs: 2_000, now: () => 0 }) };
}

const named = ({ headers }: Arrival): unknown => headers['x-github-api-version'];

/** Knows one version only. */
const knowing =
  (version: string | undefined, then: Script): Script =>
  (arrival, response) =>
    (named(arrival) === version ? then : refusal)(arrival, response);

const read = { method: 'GET', path: '/repos/acme/widget', cost: 'read', about: 'look at acme/widget' } as const;
const write = { method: 'POST', path: '/repos/acme/widget/issues', cost: 'create', about: 'open an issue' } as const;
const body = { title: 'It crashes' };
const ok = answering(200, {});

describe('the version of the interface', () => {
  test('is the newest one, and each request is sent once', async () => {
    const { server, client } = await served(ok);
    await client.send(read);
    await client.send({ ...write, body });
    await client.content({ path: '/file', about: 'read a file' });
    expect(server.arrivals.map(named)).toEqual([newest, newest, newest]);
    expect(client.version.current()).toBe(newest);
  });

  test('is the older one for a server that refuses the newest, which learns it once', async () => {
    const { server, client } = await served(knowing(older, ok));
    expect((await client.send({ ...write, body })).kind).toBe('answered');
    expect((await client.send(read)).kind).toBe('answered');
    expect((await client.content({ path: '/file', about: 'read a file' })).kind).toBe('content');
    expect(server.arrivals.map(named)).toEqual([newest, older, older, older]);
    expect(server.arrivals.slice(0, 2).map((each) => each.body)).toEqual([JSON.stringify(body), JSON.stringify(body)]);
    expect(client.version.current()).toBe(older);
  });

  test('that was learnt is the first one, and the newest for a server that has dropped it', async () => {
    const { server, client } = await served(knowing(newest, ok));
    client.version.begin(older ?? null);
    expect((await client.send(read)).kind).toBe('answered');
    expect(server.arrivals.map(named)).toEqual([older, newest]);
    expect(client.version.current()).toBe(newest);
  });

  test.each(['1999-01-01', '', null])('that was learnt as %j is the newest', async (learnt) => {
    const { server, client } = await served(ok);
    client.version.begin(learnt);
    await client.send(read);
    expect(server.arrivals.map(named)).toEqual([newest]);
  });

  test('is learnt from a refusal for another reason, too: nobody reads a version that is unknown', async () => {
    const { server, client } = await served(knowing(older, answering(422, { message: 'Validation Failed' })));
    expect(await client.send({ ...write, body })).toMatchObject({ failure: { kind: 'refused', why: /422/u } });
    expect(server.arrivals.map(named)).toEqual([newest, older]);
    expect(client.version.current()).toBe(older);
  });

  test.each([
    ['of a content that no version accepts', 400, 2],
    ['in the middle of a fault', 502, 2],
  ])('stays after a refusal %s', async (_what, status, times) => {
    const { server, client } = await served((arrival, response) =>
      (named(arrival) === newest ? refusal : answering(status, { message: 'No' }))(arrival, response),
    );
    expect(await client.send({ ...write, body })).toMatchObject({ failure: { kind: 'refused', why: /400/u } });
    expect([server.arrivals.length, client.version.current()]).toEqual([times, newest]);
  });

  test.each([
    ['refuses it', 'POST'],
    ['refuses it to readers', 'GET'],
  ])('is the older one where a server that serves the newest elsewhere %s', async (_what, method) => {
    const { server, client } = await served((arrival, response) =>
      (arrival.method === method && named(arrival) === newest ? refusal : ok)(arrival, response),
    );
    const [first, second] = method === 'POST' ? [read, { ...write, body }] : [{ ...write, body }, read];
    expect((await client.send(first)).kind).toBe('answered');
    expect((await client.send(second)).kind).toBe('answered');
    expect((await client.send(first)).kind).toBe('answered');
    expect(server.arrivals.map(named)).toEqual([newest, newest, older, older]);
  });

  test('changes with each address of a server that serves each version in another place', async () => {
    const { server, client } = await served((arrival, response) =>
      (named(arrival) === (arrival.method === 'GET' ? newest : older) ? ok : refusal)(arrival, response),
    );
    for (const ask of [read, { ...write, body }, read]) expect((await client.send(ask)).kind).toBe('answered');
    expect(server.arrivals.map(named)).toEqual([newest, newest, older, older, newest]);
  });

  test.each([400, 403, 422, 429, 502])(
    'that the server has served stays after a 400 for the content: %i',
    async (status) => {
      const { server, client } = await served((arrival, response) =>
        (arrival.method === 'GET' ? ok : named(arrival) === newest ? refusal : answering(status, { message: 'No' }))(
          arrival,
          response,
        ),
      );
      await client.send(read);
      expect(await client.send({ ...write, body })).toMatchObject({ failure: { kind: 'refused', why: /400/u } });
      // What was read is read once more, unless the answer says nothing, or may be a limit.
      const checks = status === 422 ? [newest] : [];
      expect(server.arrivals.map(named)).toEqual([newest, newest, older, ...checks]);
      expect(server.arrivals.filter(({ method }) => method === 'POST').length).toBe(2);
      expect(client.version.current()).toBe(newest);
    },
  );

  test.each([
    ['downgraded', newest, older, 404, 'gone'],
    ['downgraded', newest, older, 422, 'refused'],
    ['upgraded', older, newest, 409, 'refused'],
    ['upgraded', older, newest, 410, 'gone'],
    ['upgraded', older, newest, 401, 'unauthorized'],
  ])(
    'is the other one at once on a server that was %s from %s to %s and answers %i',
    async (...[, from, to, status, kind]) => {
      let known = from;
      const { server, client } = await served((arrival, response) =>
        knowing(known, known === from ? ok : answering(status, { message: 'No' }))(arrival, response),
      );
      client.version.begin(from ?? null);
      await client.send(read);
      known = to;
      expect(await client.send({ ...write, body })).toMatchObject({ failure: { kind } });
      expect(client.version.current()).toBe(to);
      await client.send(read);
      expect(server.arrivals.map(named)).toEqual([from, from, to, from, to]);
    },
  );

  test.each([
    ['a page of its own', '<html>Bad Request</html>'],
    ['nothing', ''],
    ['JSON of another form', '[1]'],
    [
      'the words of GitHub',
      '{"message":"\\"2026-03-10\\" is not a valid API version","documentation_url":"d","status":"400"}',
    ],
  ])('is the older one for a server that refuses the newest with %s', async (_what, text) => {
    const { server, client } = await served((arrival, response) =>
      named(arrival) === older
        ? ok(arrival, response)
        : response.writeHead(400, { 'content-type': 'text/html' }).end(text),
    );
    expect((await client.send({ ...write, body })).kind).toBe('answered');
    expect((await client.content({ path: '/file', about: 'read a file' })).kind).toBe('content');
    expect(server.arrivals.map(named)).toEqual([newest, older, older]);
  });

  test('does not matter behind a proxy that strips its name', async () => {
    const { server, client } = await served((_arrival, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-github-api-version-selected': '2022-11-28' })
        .end('{}'),
    );
    expect((await client.send(read)).kind).toBe('answered');
    expect([server.arrivals.length, client.version.current()]).toEqual([1, newest]);
  });

  test('that a request names is the one it is sent in, and teaches nothing', async () => {
    const { server, client } = await served(knowing(newest, ok));
    expect((await client.send({ ...read, version: '2022-11-28' })).kind).toBe('failed');
    expect(server.arrivals.map(named)).toEqual([older]);
    expect(client.version.current()).toBe(newest);
  });

  test('goes neither to a storage outside of the API, nor is it asked there again', async () => {
    const storage = await served(answering(400, {}));
    const { client } = await served((_arrival, response) =>
      response.writeHead(302, { location: `${storage.server.url}/bucket` }).end(),
    );
    expect((await client.content({ path: '/file', about: 'read a file' })).kind).toBe('failed');
    expect(storage.server.arrivals.map(named)).toEqual([undefined]);
  });
});

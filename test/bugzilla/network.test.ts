import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { bugzillaReplica } from '../../src/bugzilla/replica.ts';
import { openLane } from './api/fake-tracker.ts';

/** What the network library really throws, and not what we believe it does. */
async function replicaAgainst(listener: RequestListener, timeoutMs = 5000) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { close, replica: replicaAt(url, timeoutMs) };
}

function replicaAt(url: string, timeoutMs = 5000) {
  const client = createTrackerClient({ url, apiKey: 'KEY', auth: 'query', lane: openLane(), timeoutMs, now: () => 0 });
  return bugzillaReplica({ client, product: 'Widget', url, pageSize: 10, warn: () => {} });
}

test('a refused connection certainly had no effect', async () => {
  const { close, replica } = await replicaAgainst(() => {});
  await close();
  expect(await replica.comment(1, 'x')).toMatchObject({
    kind: 'later',
    wholeSide: true,
    // Said once, although both the error and its message name it.
    why: expect.stringMatching(/^(?!.*ECONNREFUSED.*ECONNREFUSED).*ECONNREFUSED/u),
  });
  await expect(replica.probe(1)).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
});

test('a connection that dies without an answer leaves a write in doubt', async () => {
  const { replica } = await replicaAgainst((request) => request.socket.destroy());
  expect(await replica.comment(1, 'x')).toMatchObject({ kind: 'unknown' });
  await expect(replica.probe(1)).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
});

test('a connection that dies in the middle of the answer leaves a write in doubt', async () => {
  const { replica } = await replicaAgainst((request, response) => {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"id":', () => request.socket.destroy());
  });
  expect(await replica.comment(1, 'x')).toMatchObject({ kind: 'unknown' });
});

test('an answer that does not come in time leaves a write in doubt', async () => {
  const { replica } = await replicaAgainst(() => {}, 20);
  expect(await replica.comment(1, 'x')).toMatchObject({
    kind: 'unknown',
    why: expect.stringContaining('the time for an answer was over'),
  });
});

test('a redirect is not followed, and says what to set', async () => {
  const paths: (string | undefined)[] = [];
  const { replica } = await replicaAgainst((request, response) => {
    paths.push(request.url);
    response.writeHead(301, { location: 'https://tracker.example.test/rest/bug/1/comment' }).end();
  });
  expect(await replica.comment(1, 'x')).toMatchObject({
    kind: 'unknown',
    why: expect.stringContaining('redirects to https://tracker.example.test;'),
  });
  expect(paths).toHaveLength(1);
});

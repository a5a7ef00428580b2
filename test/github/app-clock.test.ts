import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createGithubClient, type GithubClient } from '../../src/github/connection/client.ts';
import { githubServer } from '../../src/sandbox/github/server/server.ts';
import { handClock, smallGithubWorld } from '../contract/github/replica.ts';
import { openLane } from './open-lane.ts';

/** A GitHub App identifies itself with the time of day, so a wrong clock must not lock it out. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const ask = { method: 'GET', path: '/repos/acme/widget', cost: 'read', about: 'look at acme/widget' } as const;
const who = { ...ask, path: '/app', about: 'say which App we are', role: 'app' } as const;
let installation = 100;

function bench(aheadMs: number, key = pem) {
  installation += 1;
  const clock = handClock();
  const world = smallGithubWorld({ now: clock.now });
  world.addApp('bridge', {
    id: 12,
    installationId: installation,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  });
  const server = githubServer(world);
  const client: GithubClient = createGithubClient({
    url: world.state.url,
    app: { id: 12, installationId: installation, privateKey: key },
    lane: openLane(),
    timeoutMs: 2_000,
    now: () => clock.now() + aheadMs,
    fetch: async (address, sent) => server.request(new Request(address, sent)),
  });
  return { client, asked: () => world.requests.map(({ method, path, status }) => `${method} ${path} ${status}`) };
}

describe.each([0, 90_000, 3_600_000, -90_000, -86_400_000])('a clock that is %i ms ahead', (aheadMs) => {
  it('does not lock the App out', async () => {
    const { client, asked } = bench(aheadMs);
    expect(await client.send(ask)).toMatchObject({ kind: 'answered' });
    expect(await client.send(ask)).toMatchObject({ kind: 'answered' });
    expect(await client.send(who)).toMatchObject({ kind: 'answered', data: { slug: 'bridge' } });
    // The difference is learned once.
    expect(asked().filter((line) => line.endsWith('401')).length).toBeLessThanOrEqual(1);
  });

  it('does not hide from the App who it is', async () => {
    expect(await bench(aheadMs).client.send(who)).toMatchObject({ kind: 'answered', data: { slug: 'bridge' } });
  });
});

it('a wrong key is refused once more than needed if the clocks differ, and the advice names the clock', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString();
  const { client, asked } = bench(90_000, other);
  const words =
    "Check the id, key and installation of the App, and the clock of this machine: it is 90 seconds ahead of GitHub's.";
  expect(await client.send(ask)).toMatchObject({
    failure: { kind: 'unauthorized', why: expect.stringContaining(words) },
  });
  expect(asked()).toHaveLength(2);
  const inTime = await bench(0, other).client.send(ask);
  expect(inTime).toMatchObject({ failure: { kind: 'unauthorized', why: expect.not.stringContaining('clock') } });
});

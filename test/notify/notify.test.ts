/** Whoever the configuration names is told once that a route needs somebody, and once that it is well again. */

import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';

let house: House;
let server: Server;
let posted: string[];
let status: number;
/** A token that no answer and no log may show. */
const token = 'secret-of-the-receiver';

beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (let number = 1; number <= 3; number += 1)
      tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
  });
  [posted, status] = [[], 200];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      if (status < 300) posted.push(body);
      if (status > 0) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
  await house.close();
});

/** A program that keeps everything that it is given, in a file of its name. */
function keeper(name: string): string {
  const file = join(house.folder, name);
  writeFileSync(file, `#!/bin/sh\n{ printf '%s ' "$@"; printf '\\n'; cat; } >> ${file}.out\n`);
  chmodSync(file, 0o755);
  return file;
}
const kept = (name: string): string => {
  const file = join(house.folder, `${name}.out`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

const webhookUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook-of-the-receiver`;

function configure(change: (config: HouseConfig) => void = () => {}): void {
  house.configure((config) => {
    config.routes[0].conflicts = 'ask';
    config.notify = {
      command: [keeper('tell'), 'bridge'],
      webhook: {
        address: webhookUrl(),
        token,
        body: { topic: 'bugs', title: '{title}', message: '{text}', priority: 4 },
      },
      mail: { to: ['ada@example.org', 'bob@example.org'], from: 'bridge@example.org', sendmail: keeper('sendmail') },
    };
    change(config);
  });
}

/** Both sides rename a bug, so that a person has to decide. */
async function conflict(): Promise<void> {
  expect(await house.run('once')).toMatchObject({ code: 0 });
  house.tracker.as('alice').change(2, { summary: 'It fails on Mondays' });
  house.github.as('mona').edit('acme/widget', 2, { title: 'It fails at night' });
  expect(await house.run('once')).toMatchObject({ code: 1 });
}

test('a command, a webhook and a mail say once that a route needs somebody, and once that it is well', async () => {
  configure();
  await conflict();
  expect(posted.map((body) => JSON.parse(body))).toEqual([
    {
      topic: 'bugs',
      title: expect.stringMatching(/^bugferry \S+: route \S+ needs you$/u),
      message: expect.stringContaining('bugferry status says what to do'),
      priority: 4,
    },
  ]);
  expect(JSON.parse(kept('tell').split('\n')[1] ?? '')).toMatchObject({ need: 'items', id: expect.any(String) });
  expect(kept('tell')).toMatch(/^bridge \n/u);
  expect(kept('sendmail')).toMatch(
    /^-i -f bridge@example\.org -- ada@example\.org bob@example\.org \nFrom: [\s\S]*Subject: bugferry \S+: route \S+ needs you\n/u,
  );
  // A second process tells nobody again.
  await house.run('once');
  expect(posted).toHaveLength(1);

  expect(await house.run('decide', 'bug', '2', '--keep', 'tracker')).toMatchObject({ code: 0 });
  expect(posted).toHaveLength(2);
  expect(posted[1]).toContain('is well again');
  expect(kept('tell').match(/"need":"none"/gu)).toHaveLength(1);
  expect(kept('sendmail').match(/^Subject: .* is well again$/gmu)).toHaveLength(1);
  for (const text of [...posted, kept('tell'), kept('sendmail')])
    for (const secret of ['Monday', 'night', 'Problem', house.apiKey, house.token, token, 'bug 2', '#2'])
      expect(text).not.toContain(secret);
});

test('a token that GitHub refuses is a stop', async () => {
  configure();
  await house.run('once');
  configure((config) => {
    config.github.token = 'token-of-nobody';
  });
  expect(await house.run('once')).toMatchObject({ code: 4 });
  expect(posted).toEqual([expect.stringContaining('has stopped')]);
  expect(posted[0]).not.toContain('token-of-nobody');
});

test('who is told of a bug that became private learns nothing about it', async () => {
  configure();
  await conflict();
  house.tracker.as('alice').change(2, { groups: { add: ['security'] } });
  await house.run('once');
  expect(posted.join()).not.toMatch(/security|private|Monday|bug 2/u);
});

describe('a receiver that does not listen', () => {
  /** As if so many minutes had passed since the last attempt. */
  function later(minutes: number): void {
    const { db, close } = openDatabase(house.state, 'write');
    db.prepare('update told_receivers set retry_at = retry_at - ?').run(minutes * 60_000);
    close();
  }

  test('is named with the reason, costs no other receiver its notice, and is tried again, but not at once', async () => {
    configure();
    status = 500;
    await house.run('once');
    house.tracker.as('alice').change(2, { summary: 'It fails on Mondays' });
    house.github.as('mona').edit('acme/widget', 2, { title: 'It fails at night' });
    const { code, err } = await house.run('once');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /notify\.webhook did not take the notice ".* needs you": it answered 500\. It is tried again/u,
      ),
    });
    for (const secret of [token, 'hook-of-the-receiver']) expect(err).not.toContain(secret);
    expect(kept('tell')).toContain('needs you');
    const said = 'notify.webhook was not reached, in 1 attempt: it answered 500.';
    expect((await house.run('status')).out).toContain(said);
    status = 200;
    await house.run('once');
    expect(posted).toEqual([]);
    later(1);
    await house.run('once');
    expect((await house.run('status')).out).not.toContain('notify.webhook');
    expect(posted).toHaveLength(1);
    expect(kept('tell').match(/"need":"items"/gu)).toHaveLength(1);
  });

  test('does not hold up the daemon, which goes on mirroring and ends in time', async () => {
    status = 0;
    configure((config) => {
      config.schedule = { poll: '*/1 * * * * *' };
      config.notify = { webhook: { address: webhookUrl() } };
    });
    await conflict();
    const bridge = house.start('run');
    await bridge.says('started');
    const number = house.tracker.as('alice').file({ summary: 'Filed meanwhile', description: 'It fails.' });
    await vi.waitFor(
      () => expect(house.github.issues('acme/widget').map(({ title }) => title)).toContain('Filed meanwhile'),
      { timeout: 60_000, interval: 100 },
    );
    const stoppedAt = Date.now();
    bridge.child.kill('SIGTERM');
    expect(await bridge.ended).toMatchObject({ code: 0 });
    expect(Date.now() - stoppedAt).toBeLessThan(15_000);
    expect(number).toBeGreaterThan(0);
  });

  test('is found by check, if it is a program that is not there', async () => {
    configure();
    expect(await house.run('check')).toMatchObject({ code: 0 });
    rmSync(join(house.folder, 'sendmail'));
    expect(await house.run('check')).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^failure {2}notify\.mail\.sendmail: this user cannot run \S+sendmail/mu),
    });
  });
});

test('the daemon tells once of a trouble, over a restart too', async () => {
  configure((config) => {
    config.schedule = { poll: '*/1 * * * * *' };
  });
  await house.run('once');
  house.tracker.as('alice').change(2, { summary: 'It fails on Mondays' });
  house.github.as('mona').edit('acme/widget', 2, { title: 'It fails at night' });
  for (const _start of [1, 2]) {
    const bridge = house.start('run');
    await vi.waitFor(() => expect(posted).toHaveLength(1), { timeout: 60_000, interval: 100 });
    // Some cycles more, each of which would tell again.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    bridge.child.kill('SIGTERM');
    expect(await bridge.ended).toMatchObject({ code: 0 });
  }
  expect(posted).toHaveLength(1);
  expect(kept('sendmail').match(/^Subject:/gmu)).toHaveLength(1);
});

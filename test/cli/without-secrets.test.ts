import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';

/** Who only reads the state needs no key, no token and no file with one. */
let house: House;
const unset = (name: string): string => `$\{${name}}`;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  });
  await house.run('once');
  await house.run('once');
  house.configure((config) => {
    config.tracker.apiKey = unset('NO_SUCH_KEY_HERE');
    delete config.github.token;
    config.github.tokenFile = join(house.folder, 'no-such-token');
    config.http = { host: '0.0.0.0', token: unset('NO_SUCH_TOKEN_HERE') };
  });
});
afterEach(() => house.close());

test.each([
  [['status']],
  [['status', '--json']],
  [['explain', 'bug', '1']],
  [['explain', 'acme/widget#1', '--json']],
  [['audit']],
  [['people']],
  [['redirects']],
  [['decide']],
  [['retry', '--all']],
  [['pause', 'widget']],
  [['resume', 'widget']],
  [['state', 'verify']],
  [['state', 'backup', 'BACKUP']],
])('bugferry %j works without the secrets', async (args) => {
  const ran = await house.run(...args.map((each) => (each === 'BACKUP' ? join(house.folder, 'copy.db') : each)));
  expect(ran).toMatchObject({ code: 0 });
});

test.each([[['once']], [['plan']], [['check']], [['audit', '--against', 'anonymous']], [['explain', 'bug', '99']]])(
  'bugferry %j asks a side, and says which secret is missing',
  async (args) => {
    expect(await house.run(...args)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/NO_SUCH_KEY_HERE is not set[\s\S]*no.*cannot be read|cannot be read/u),
    });
  },
);

test('all other mistakes in the file are still told', async () => {
  house.configure((config) => {
    config.routes[0].direction = 'sideways';
    config.state = unset('NO_SUCH_STATE');
  });
  expect(await house.run('status')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/NO_SUCH_STATE[\s\S]*direction/u),
  });
});

test('with a bridge that runs, commands are left for it without the secrets', async () => {
  house.configure(() => {});
  const running = house.start('run');
  await running.says('started');
  house.configure((config) => {
    config.tracker.apiKey = unset('NO_SUCH_KEY_HERE');
  });
  expect(await house.run('resync', 'bug', '1')).toMatchObject({ code: 0, out: expect.stringContaining('Queued') });
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  rmSync(`${house.state}.commands`, { recursive: true, force: true });
});

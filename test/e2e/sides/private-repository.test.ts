import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';
import { quickSchedule } from '../../support/quick-config.ts';
import { pause, type Running, start } from '../process.ts';

/** I9 at a running daemon: what people say in a repository since it is private stays off the tracker. */
const repo = 'acme/widget';
let house: House;
let daemon: Running;

beforeEach(async () => {
  house = await openHouse((tracker) => void tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
  const file = house.configure((config) => {
    config.schedule = { ...quickSchedule, sweep: '0 0 1 1 *' };
  });
  house.github.as('mona').open(repo, { title: 'It crashes', body: 'When I click.' });
  daemon = start(['run', '--config', file]);
});
afterEach(async () => {
  await daemon.end('SIGKILL');
  await house.close();
});

async function until(isSo: () => boolean): Promise<void> {
  for (let count = 0; !isSo(); count += 1) {
    if (count > 3_600) throw new Error(`It did not come to that: ${daemon.output().slice(-2_000)}`);
    await pause(50);
  }
}

const onTracker = (): string =>
  JSON.stringify(house.tracker.bugs().map((bug) => [bug.summary, house.tracker.commentsOf(bug.id)]));
/** Cycles that ended since, whether or not they failed. */
const asked = (): number => house.github.requests.filter(({ path }) => path === `/repos/${repo}`).length;

test('a repository that becomes private under a running daemon', async () => {
  await until(() => onTracker().includes('It crashes') && house.github.issues(repo).length === 2);
  house.github.setPrivate(repo, true);
  const mona = house.github.as('mona');
  mona.open(repo, { title: 'Canary', body: 'Canary' });
  mona.comment(repo, 1, 'Canary');
  mona.edit(repo, 1, { title: 'Canary, too' });
  await until(() => daemon.output().includes(`${repo} is private, and route widget would copy its content`));
  const before = asked();
  await until(() => asked() > before + 3);
  expect(onTracker()).not.toContain('Canary');
  const { code, out } = await house.run('status');
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('Set private: mirror on the route') });
  house.github.setPrivate(repo, false);
  await until(() => ['"Canary"', 'Canary, too'].every((words) => onTracker().includes(words)));
  expect(await daemon.end('SIGTERM')).toBe(0);
});

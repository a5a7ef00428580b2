/** The daemon outlives its terminal and the readers of its output; other commands end as they would with a reader. */

import { expect, onTestFinished, test } from 'vitest';
import { pause } from '../../e2e/process.ts';
import { type House, openHouse, type Started, startHere } from '../../support/bugferry.ts';

async function daemon(...args: readonly string[]): Promise<{ house: House; started: Started }> {
  const house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'First', description: 'It fails.' });
  });
  onTestFinished(() => house.close());
  house.configure((config) => {
    config.schedule = { poll: '*/1 * * * * *' };
  });
  const started = house.start('run', ...args);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  await started.says('started');
  return { house, started };
}

/** Whether it mirrors what happens from now on. */
async function goesOn({ house, started: { child } }: Awaited<ReturnType<typeof daemon>>): Promise<boolean> {
  house.tracker.as('alice').file({ summary: 'Later', description: 'It fails again.' });
  for (let left = 20_000; left > 0 && child.exitCode === null && child.signalCode === null; left -= 200) {
    if (house.github.issues('acme/widget').some(({ title }) => title === 'Later')) return true;
    await pause(200);
  }
  return false;
}

const losses: readonly (readonly [string, readonly string[], (started: Started) => void])[] = [
  ['the reader of its events', ['--json'], ({ child }) => child.stdout?.destroy()],
  ['the reader of its log', [], ({ child }) => child.stderr?.destroy()],
  [
    'both readers',
    ['--json'],
    ({ child }) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  ],
  ['its terminal', [], ({ child }) => void child.kill('SIGHUP')],
  [
    'its terminal and both readers',
    ['--json', '--verbose'],
    ({ child }) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.kill('SIGHUP');
    },
  ],
];

test.each(losses)('the daemon goes on without %s, and ends in order', async (_name, args, lose) => {
  const running = await daemon(...args);
  const { child } = running.started;
  lose(running.started);
  await pause(500);
  expect(await goesOn(running)).toBe(true);
  const ended = new Promise((done) => child.once('exit', (code, signal) => done([code, signal])));
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a command ends as it would with a reader: it writes everything, or says by its code that a route is behind', async () => {
  const house = await openHouse((tracker) => {
    for (let left = 12; left > 0; left -= 1) tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  });
  onTestFinished(() => house.close());
  const endOf = async (command: string): Promise<unknown> => {
    const { child } = house.start(command);
    child.stdout?.destroy();
    return new Promise((done) => child.once('exit', (...how) => done(how)));
  };
  expect(await endOf('once')).toEqual([0, null]);
  expect(house.github.issues('acme/widget')).toHaveLength(12);
  expect(await endOf('status')).toEqual([0, null]);
  house.configure((config) => {
    config.limits.github.createsPerMinute = 1;
  });
  for (const id of [1, 2]) house.tracker.as('alice').comment(id, 'It still does.');
  expect(await endOf('once')).toEqual([0, null]);
  expect(await endOf('status')).toEqual([1, null]);
});

test('a demo that nobody reads any more ends by itself', async () => {
  const { child, says } = startHere(['demo']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await says('tracker');
  child.stdout?.destroy();
  expect(await new Promise((done) => child.once('exit', (...how) => done(how)))).toEqual([0, null]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { pause, type Running } from '../process.ts';
import { type Bridge, openBridge, repo } from './bridge.ts';

/**
 * M1 at the built program: of two opposite decisions one counts, the other is refused, and both sides end equal; also
 * where the state that comes back is older than the decision.
 */
let bridge: Bridge;
let daemon: Running | null = null;
const count = 4;

beforeEach(async () => {
  daemon = null;
  bridge = await openBridge(
    (tracker) => {
      for (let number = 1; number <= count; number += 1)
        tracker.as('alice').file({ summary: `Bug ${number}`, description: 'It fails.' });
    },
    (config) => {
      config.routes[0].conflicts = 'ask';
    },
  );
  await bridge.settled();
});
afterEach(async () => {
  await daemon?.end('SIGKILL');
  await bridge.close();
});

type Tear = (
  tracker: ReturnType<Bridge['tracker']['as']>,
  mona: ReturnType<Bridge['github']['as']>,
  number: number,
) => void;
const tears: Readonly<Record<string, Tear>> = {
  title(tracker, mona, number) {
    tracker.change(number, { summary: `T ${number}` });
    mona.edit(repo, number, { title: `G ${number}` });
  },
  severity(tracker, mona, number) {
    tracker.change(number, { severity: 'major' });
    mona.unlabel(repo, number, 'severity: normal');
    mona.label(repo, number, 'severity: minor');
  },
  status(tracker, mona, number) {
    tracker.change(number, { status: 'RESOLVED', resolution: 'FIXED' });
    mona.close(repo, number, 'not_planned');
  },
};

const seen = (number: number) => {
  const [bug, issue] = [bridge.tracker.bug(number), bridge.github.issue(repo, number)];
  const severity = issue?.labels.find((label) => label.startsWith('severity: '))?.slice('severity: '.length);
  const status = issue?.state === 'open' ? '' : issue?.stateReason === 'completed' ? 'FIXED' : 'WONTFIX';
  return [
    [bug?.summary, bug?.severity, bug?.resolution],
    [issue?.title, severity, status],
  ];
};

async function torn(field: string): Promise<void> {
  for (let number = 1; number <= count; number += 1)
    tears[field]?.(bridge.tracker.as('alice'), bridge.github.as('mona'), number);
  await bridge.turns(2);
  expect((await bridge.bugferry('decide')).out).toContain(field);
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !isSo(); tries += 1) await pause(50);
}

async function expectEqual(): Promise<void> {
  await until(() => [1, 2, 3, 4].every((number) => String(seen(number)[0]) === String(seen(number)[1])));
  for (let number = 1; number <= count; number += 1) expect(seen(number)[1]).toEqual(seen(number)[0]);
  await daemon?.end('SIGTERM');
  daemon = null;
  await bridge.turns(1, '--sweep');
  expect((await bridge.bugferry('decide')).out).toContain('There is no conflict to decide.');
  expect(await bridge.bugferry('verify')).toMatchObject({ code: 0 });
}

const decide = (keep: string) => bridge.bugferry('decide', '--all', '--keep', keep);

test.each(Object.keys(tears))('one after the other, while a daemon runs: %s', async (field) => {
  await torn(field);
  daemon = bridge.begin('run');
  await until(() => daemon?.output().includes('started') === true);
  const [first, second] = [await decide('tracker'), await decide('github')];
  expect([first.code, second.out]).toEqual([0, expect.stringMatching(/There is no conflict|decided already|Queued/u)]);
  await expectEqual();
});

test.each(Object.keys(tears))('at once, while a daemon runs: %s', async (field) => {
  await torn(field);
  daemon = bridge.begin('run');
  await until(() => daemon?.output().includes('started') === true);
  const both = await Promise.all([decide('tracker'), decide('github')]);
  expect(both.map(({ code }) => code)).toContain(0);
  await expectEqual();
});

test.each(Object.keys(tears))('at once, without a daemon: %s', async (field) => {
  await torn(field);
  await Promise.all([decide('tracker'), decide('github')]);
  await bridge.settled();
  await expectEqual();
});

test.each(['restored', 'put back', 'killed', 'run'] as const)(
  'decided after the backup: the state is %s',
  async (way) => {
    await torn('title');
    await bridge.backUp();
    bridge.tracker.as('alice').file({ summary: 'Since the backup', description: 'It fails.' });
    expect(await decide('github')).toMatchObject({ code: 0 });
    await bridge.settled();
    await bridge.comesBack(way);
    await bridge.settled();
    for (let number = 1; number <= count; number += 1) expect(bridge.tracker.bug(number)?.summary).toBe(`G ${number}`);
    await expectEqual();
  },
);

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';

/** I3, I4 and I9: the process is killed in its first cycle after a restore, and the next one does no harm either. */
const repo = 'acme/widget';
let house: House;
const backup = () => join(house.folder, 'old.db');
const alice = () => house.tracker.as('alice');
const mona = () => house.github.as('mona');

beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (let number = 1; number <= 6; number += 1)
      tracker.as('alice').file({ summary: `Bug ${number}`, description: 'It fails.' });
  });
  house.configure((config) => {
    config.routes[0].attachments = { store: 'branch' };
  });
  await turns(3);
});
afterEach(() => house.close());

async function turns(count: number, ...args: readonly string[]): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) expect((await house.run('once', ...args)).code).toBeLessThan(2);
}

/** After the backup, both sides change and agree again; then people act while no bridge runs. */
async function change(): Promise<void> {
  alice().change(1, { status: 'RESOLVED', resolution: 'FIXED' });
  mona().edit(repo, 2, { title: 'Renamed once' });
  alice().attach(3, { bytes: new Uint8Array([1, 2]), file_name: 'a.log', summary: 'The log' });
  alice().comment(4, 'Said before the restore.');
  alice().file({ summary: 'Bug 7', description: 'It fails.' });
  await turns(3);
  await pause(1_100);
  alice().change(1, { status: 'CONFIRMED' });
  mona().edit(repo, 2, { title: 'Bug 2' });
  house.tracker.as('admin').change(3, { groups: { add: ['security'] } });
  mona().comment(repo, 4, 'Said on GitHub meanwhile.');
  alice().comment(5, 'Said meanwhile.');
  mona().open(repo, { title: 'Opened meanwhile', body: 'Steps' });
}

/** Runs a cycle as a process that is killed as soon as that many requests were sent to GitHub. */
async function killedAfter(requests: number, command = 'once'): Promise<void> {
  const before = house.github.requests.length;
  const cycle = house.start(command);
  let hasEnded = false;
  void cycle.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && house.github.requests.length < before + requests) await pause(1);
  cycle.child.kill('SIGKILL');
  await cycle.ended;
}

function lose(): void {
  for (const rest of ['', '-wal', '-shm']) rmSync(`${house.state}${rest}`, { force: true });
}

/** How the state comes back. */
const ways = {
  'state restore': async () => {
    expect(await house.run('state', 'restore', backup())).toMatchObject({ code: 0 });
  },
  'a file put back without a word': async () => {
    lose();
    copyFileSync(backup(), house.state);
  },
  'a lost state': async () => lose(),
  'a lost state, and an adoption that is killed as well': async () => {
    lose();
    await killedAfter(4, 'adopt');
  },
} as const;

test.each<[keyof typeof ways, number]>([
  ...[1, 6, 10, 14, 18, 24].map((requests): [keyof typeof ways, number] => ['state restore', requests]),
  ...[3, 9, 16].map((requests): [keyof typeof ways, number] => ['a file put back without a word', requests]),
  ...[5, 12, 20].map((requests): [keyof typeof ways, number] => ['a lost state', requests]),
  ['a lost state, and an adoption that is killed as well', 8],
])('%s, killed after %i requests', async (way, requests) => {
  expect(await house.run('state', 'backup', backup())).toMatchObject({ code: 0 });
  await change();
  await ways[way]();
  await killedAfter(requests);
  await pause(1_100);
  await turns(3);
  await turns(1, '--sweep');
  await turns(2);
  const issues = house.github.issues(repo);
  expect(issues.map(({ title, state }) => [title, state])).toEqual([
    ['Bug 1', 'open'],
    ['Bug 2', 'open'],
    ['Bug 3 is not public', 'closed'],
    ['Bug 4', 'open'],
    ['Bug 5', 'open'],
    ['Bug 6', 'open'],
    ['Bug 7', 'open'],
    ['Opened meanwhile', 'open'],
  ]);
  const bugs = house.tracker.bugs();
  expect(bugs.map(({ summary, status }) => [summary, status])).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((number) => [`Bug ${number}`, 'CONFIRMED']).concat([['Opened meanwhile', 'CONFIRMED']]),
  );
  const said = [
    ...issues.flatMap(({ number }) => house.github.commentsOf(repo, number).map(({ body }) => body)),
    ...bugs.flatMap(({ id }) => house.tracker.commentsOf(id).map(({ text }) => text)),
  ];
  for (const words of ['Said before the restore.', 'Said on GitHub meanwhile.', 'Said meanwhile.'])
    expect(
      said.filter((each) => each.includes(words)),
      words,
    ).toHaveLength(2);
  expect(house.github.files(repo, 'attachments').size).toBe(0);
  expect(await house.run('verify')).toMatchObject({ code: 0 });
});

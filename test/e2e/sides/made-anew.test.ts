import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';
import { quickSchedule } from '../../support/quick-config.ts';
import { type Running, start } from '../process.ts';

/**
 * I4 at a running daemon: a side that was deleted and made anew under its name stops its route in words, nothing is
 * written, and other routes go on. The daemon runs on and tries again; `once` ends with 3, until a person lets go.
 */
const repo = 'acme/widget';
let house: House;
let daemon: Running | null = null;
const file = () => join(house.folder, 'bridge.yaml');
const mona = () => house.github.as('mona');
const alice = () => house.tracker.as('alice');

beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (const summary of ['First', 'Second']) tracker.as('alice').file({ summary, description: 'It fails.' });
  });
  house.github.addRepo('acme/gadget', { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
  house.configure((config) => {
    config.schedule = { ...quickSchedule, sweep: '0 0 1 1 *' };
    const gadget = { name: 'gadget', tracker: { product: 'Gadget' }, github: { repo: 'acme/gadget' } };
    config.routes.push({ ...config.routes[0], ...gadget, create: { component: 'Firmware' } });
  });
  mona().open(repo, { title: 'By a person', body: 'Steps' });
  for (let count = 0; count < 3; count += 1) expect((await house.run('once')).code).toBeLessThan(2);
  expect([titles().length, summaries().length]).toEqual([3, 3]);
});
afterEach(async () => {
  await daemon?.end('SIGKILL');
  await house.close();
});

function run(): void {
  daemon = start(['run', '--config', file()]);
}

async function stopped(): Promise<void> {
  expect(await daemon?.end('SIGTERM')).toBe(0);
  daemon = null;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let count = 0; !isSo(); count += 1) {
    if (count > 3_600) throw new Error(`It did not come to that: ${daemon?.output().slice(-2_000)}`);
    await pause(50);
  }
}

const titles = (of = repo): readonly string[] => house.github.issues(of).map(({ title }) => title);
const summaries = (product = 'Widget'): readonly string[] =>
  house.tracker.bugs().flatMap((bug) => (bug.product === product ? [bug.summary] : []));

function repositoryAnew(): void {
  house.github.state.repos.delete(repo);
  house.github.addRepo(repo, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
  mona().open(repo, { title: 'In the new repository', body: 'Steps' });
}

function productAnew(): void {
  for (const { id, product } of house.tracker.bugs()) if (product === 'Widget') house.tracker.remove(id);
  alice().file({ summary: 'In the new product', description: 'It fails.' });
}

/** Sides are told apart by hours, as their clocks may differ. */
const hoursAgo = ({ createdAt, changedAt }: Readonly<Record<'createdAt' | 'changedAt', number>>) => ({
  createdAt: createdAt - 7_200_000,
  changedAt: changedAt - 7_200_000,
});

interface Anew {
  readonly make: () => void;
  /** What the daemon, `once` and `status` say. */
  readonly says: RegExp;
  readonly issues: readonly string[];
  readonly bugs: readonly string[];
  /** Whether the other route waits for the same numbers. */
  readonly holdsBoth?: true;
}

function trackerAnew(): void {
  const { state } = house.tracker;
  for (const rows of [state.bugs, state.comments, state.history, state.attachments]) rows.clear();
  state.nextBug = 1;
  alice().file({ summary: 'In the new tracker', description: 'It fails.' });
}

function forget(): void {
  for (const rest of ['', '-wal', '-shm']) rmSync(`${house.state}${rest}`, { force: true });
}

const sides: Readonly<Record<string, Anew>> = {
  'a repository': {
    make: repositoryAnew,
    says: /acme\/widget is another repository, which got its name.*bugferry once --force/su,
    issues: ['In the new repository'],
    bugs: ['First', 'Second', 'By a person', 'In the new repository'],
  },
  'a repository, beside a state that is fresh': {
    make() {
      for (const bug of house.tracker.bugs()) Object.assign(house.tracker.state.bugs.get(bug.id) ?? {}, hoursAgo(bug));
      repositoryAnew();
      forget();
    },
    says: /bug 3 names acme\/widget#1, which was opened after that.*made anew.*bugferry once --force/su,
    issues: ['In the new repository', 'First', 'Second'],
    bugs: ['First', 'Second', 'By a person', 'In the new repository'],
  },
  'a tracker': {
    make: trackerAnew,
    says: /bug 1 is not the one that the bridge knows by this number: .*bugferry once --force/su,
    issues: ['First', 'Second', 'By a person', 'In the new tracker'],
    bugs: ['In the new tracker'],
    holdsBoth: true,
  },
  'a product': {
    make: productAnew,
    says: /bug 3 and bug 2, the newest that the route mirrors, do not exist any more.*bugferry once --force/su,
    issues: ['First', 'Second', 'By a person', 'In the new product'],
    bugs: ['In the new product'],
  },
};

const fileElsewhere = (summary: string): void =>
  void alice().file({ product: 'Gadget', summary, description: 'It fails.' });

/** Both routes have had a turn since: the other one mirrored a bug that is filed now. */
async function otherRouteGoesOn(summary: string): Promise<void> {
  fileElsewhere(summary);
  await until(() => titles('acme/gadget').includes(summary));
}

const sorted = (list: readonly string[]): readonly string[] => list.toSorted();

async function expectStopped({ says, holdsBoth }: Anew): Promise<void> {
  const before = [titles(), summaries()];
  if (holdsBoth) fileElsewhere('Meanwhile');
  else await otherRouteGoesOn('Meanwhile');
  await until(() => says.test(daemon?.output() ?? ''));
  if (holdsBoth) await pause(3_000);
  else await otherRouteGoesOn('Later');
  expect([titles(), summaries()]).toEqual(before);
  expect(await house.run('status')).toMatchObject({ code: 1, out: expect.stringMatching(says) });
  await stopped();
  const once = start(['once', '--config', file()]);
  expect([await once.ended, once.output()]).toEqual([3, expect.stringMatching(says)]);
  expect([titles(), summaries()]).toEqual(before);
}

async function expectLetGo({ issues, bugs }: Anew): Promise<void> {
  const forced = start(['once', '--force', '--config', file()]);
  expect(await forced.ended, forced.output()).toBeLessThan(2);
  run();
  await until(() => titles().length >= issues.length && summaries().length >= bugs.length);
  await until(() => titles('acme/gadget').includes('Meanwhile'));
  // In a new tracker, these get numbers of former pairs.
  for (const summary of ['At last', 'Once more']) await otherRouteGoesOn(summary);
  expect([sorted(titles()), sorted(summaries())]).toEqual([sorted(issues), sorted(bugs)]);
  await stopped();
}

test.each(Object.entries(sides))('%s made anew under its name', async (name, anew) => {
  // A daemon cannot go on with a state that is taken from it.
  const isRunning = !name.includes('fresh');
  if (isRunning) run();
  if (isRunning) await otherRouteGoesOn('Before');
  anew.make();
  if (!isRunning) run();
  await expectStopped(anew);
  await expectLetGo(anew);
});

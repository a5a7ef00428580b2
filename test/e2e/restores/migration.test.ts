import { afterEach, expect, test } from 'vitest';
import { pause } from '../process.ts';
import { type Bridge, openBridge, repo, type Way } from './bridge.ts';

/**
 * L8 at the built program: a state from the middle of a migration comes back, and the mirror starts instead of another
 * migration. What the imports made is found at once; nothing is doubled, in doubt or left public.
 */
let bridge: Bridge | undefined;
afterEach(() => bridge?.close());

const count = 12;

/** Ends with imports on their way, and a backup of that moment. */
async function migrateHalf(args: readonly string[], importsBefore: number): Promise<Bridge> {
  const all = await openBridge(
    (tracker) => {
      for (let number = 1; number <= count; number += 1)
        tracker.as('alice').file({ summary: `Bug ${number}`, description: 'It fails.' });
      tracker.as('alice').change(3, { status: 'RESOLVED', resolution: 'FIXED', target_milestone: '1.1' });
      tracker.as('alice').attach(4, { bytes: new Uint8Array([1]), file_name: 'a.log', summary: 'A log' });
      tracker.as('alice').comment(6, 'Said before.');
    },
    (config) => {
      Object.assign(config.routes[0], { milestones: true, attachments: { store: 'branch' } });
    },
  );
  const { github } = all;
  github.limits.importDelaysMs = [3_000];
  const isMade = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && /\/(import\/)?issues$/u.test(path);
  const migration = all.begin('migrate', '--no-verify', ...args);
  for (let tries = 0; tries < 800 && github.requests.filter(isMade).length < importsBefore; tries += 1) await pause(10);
  await all.backUp();
  await pause(500);
  await migration.end('SIGKILL');
  await pause(3_100);
  return all;
}

const rows: readonly (readonly [Way, importsBefore: number, args: readonly string[], killedAfter: number])[] = [
  ['restored', count, [], 0],
  ['restored', 4, [], 0],
  ['put back', count, [], 0],
  ['lost', count, [], 0],
  ['adopted', 6, [], 0],
  ['restored twice', count, [], 0],
  ['killed', count, [], 3],
  ['killed', count, [], 20],
  ['run', count, [], 0],
  ['restored', 5, ['--writer', 'api'], 0],
  ['killed', 5, ['--writer', 'api'], 9],
  ['restored', count, ['--numbers', 'keep'], 0],
];

test.each(rows)('%s, after %i imports, migrate %j, killed after %s', async (way, importsBefore, args, killedAfter) => {
  bridge = await migrateHalf(args, importsBefore);
  const { tracker, github } = bridge;
  const [alice, mona] = [tracker.as('alice'), github.as('mona')];
  tracker.hide(2);
  alice.change(5, { summary: 'Renamed' });
  alice.comment(6, 'Said since.');
  const isThere = github.issues(repo).find(({ title }) => title === 'Bug 1')?.number;
  if (isThere !== undefined) mona.comment(repo, isThere, 'I have seen it.');
  await bridge.comesBack(way, killedAfter);
  await bridge.turns(2);
  const { code, out } = await bridge.bugferry('status');
  expect([code, out]).toEqual([0, expect.not.stringContaining('in doubt')]);
  await bridge.settled();
  expect(await bridge.bugferry('migrate')).toMatchObject({ code: 0 });
  const seen = github.issues(repo);
  const titles = Array.from({ length: count }, (_, index) => ({ 2: 'Renamed' })[index - 2] ?? `Bug ${index + 1}`);
  const given = seen.map(({ title }) => title).toSorted();
  const wanted = titles.map((title) => (title === 'Bug 2' ? 'Bug 2 is not public' : title)).toSorted();
  // What was never on GitHub needs no issue that says so.
  expect([wanted, wanted.filter((title) => !title.includes('not public'))]).toContainEqual(given);
  const issueOf = (title: string) => seen.find((issue) => issue.title === title);
  expect(issueOf('Bug 3')).toMatchObject({ state: 'closed', stateReason: 'completed', milestone: '1.1' });
  const words = [
    ...seen.flatMap(({ number }) => github.commentsOf(repo, number).map(({ body }) => body)),
    ...tracker.bugs().flatMap(({ id }) => tracker.commentsOf(id).map(({ text }) => text)),
  ];
  const times = (word: string): number => words.filter((each) => each.includes(word)).length;
  expect([times('Said before.'), times('Said since.')]).toEqual([2, 2]);
  expect(times('I have seen it.')).toBe(isThere === undefined ? 0 : 2);
  expect(tracker.bugs()).toHaveLength(count);
  expect(bridge.files()).toHaveLength(1);
  expect(await bridge.bugferry('verify')).toMatchObject({ code: 0 });
});

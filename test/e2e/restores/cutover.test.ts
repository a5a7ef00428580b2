import { afterEach, expect, test } from 'vitest';
import { pause } from '../process.ts';
import { type Bridge, openBridge, repo, type Way } from './bridge.ts';
import { shown } from './play.ts';

/**
 * M5 at the built program: a backup from before a cutover comes back. Issues stay open, what people did since stands,
 * and the cutover can be undone, as with a state that went nowhere.
 */
let bridge: Bridge | undefined;
afterEach(() => bridge?.close());

const statuses = ({ tracker }: Bridge): readonly string[] =>
  tracker.bugs().map(({ status, resolution }) => `${status} ${resolution}`.trim());

/** A day before the backup: bugs of all kinds, and two issues of people. */
async function lived(direction: string): Promise<Bridge> {
  const all = await openBridge(
    (tracker) => {
      for (let number = 1; number <= 11; number += 1)
        tracker.as('alice').file({ summary: `Bug ${number}`, description: 'It fails.' });
    },
    (config) => {
      Object.assign(config.routes[0], {
        direction,
        milestones: true,
        assignee: true,
        attachments: { store: 'branch' },
      });
    },
  );
  const { tracker, github } = all;
  await all.settled();
  if (direction === 'both') {
    for (const title of ['Bug 12', 'Bug 13']) {
      github.as('mona').open(repo, { title, body: 'Steps' });
      await all.turns(1);
    }
  }
  const alice = tracker.as('alice');
  alice.change(3, { status: 'IN_PROGRESS', target_milestone: '1.1', keywords: { add: ['crash'] } });
  alice.change(4, { status: 'RESOLVED', resolution: 'FIXED' });
  alice.change(5, { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 });
  alice.attach(6, { bytes: new Uint8Array([1]), file_name: 'a.log', summary: 'A log' });
  tracker.hide(7);
  await all.settled();
  return all;
}

interface Outcome {
  readonly cut: unknown;
  readonly undone: unknown;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

async function cutOver(way: Way, direction: string, steps: string, killedAfter?: number): Promise<Outcome> {
  bridge = await lived(direction);
  const all = bridge;
  const { tracker, github } = all;
  const pairs = () => Object.fromEntries(tracker.bugs().map(({ id }) => [`bug ${id}`, shown(all, id)]));
  const before = statuses(all);
  await all.backUp();
  expect(await all.bugferry('cutover', '--yes', steps)).toMatchObject({ code: 0 });
  await pause(1_100);
  tracker.as('alice').change(8, { status: 'CONFIRMED' });
  tracker.as('alice').change(9, { resolution: 'FIXED' });
  github.as('mona').comment(repo, 10, 'It goes on here.');
  await all.comesBack(way, killedAfter);
  await all.settled();
  const cut = pairs();
  const { code, out } = await all.bugferry('cutover', '--undo');
  expect([code, out]).toEqual([expect.toBeOneOf([0, 1]), out]);
  await all.settled();
  return { cut, undone: pairs(), before, after: statuses(all) };
}

const routes = {
  both: ['both', 'comment,close'],
  'to GitHub': ['to-github', 'comment,close'],
  // Where nothing is said on the bug, nobody notices a state that was put back.
  'to GitHub, without a comment': ['to-github', 'close'],
} as const;

const rows: readonly (readonly [Way, keyof typeof routes, killedAfter: number])[] = [
  ['restored', 'both', 0],
  ['lost', 'both', 0],
  ['adopted', 'both', 0],
  ['restored twice', 'both', 0],
  ['put back', 'both', 0],
  ['killed', 'both', 9],
  ['killed', 'both', 25],
  ['run', 'both', 0],
  ['put back', 'to GitHub', 0],
  ['restored', 'to GitHub', 0],
  ['restored', 'to GitHub, without a comment', 0],
  ['adopted', 'to GitHub, without a comment', 0],
  ['killed', 'to GitHub, without a comment', 9],
];

const twins = new Map<string, Outcome>();

test.each(rows)('%s, %s, killed after %i', async (way, route, killedAfter) => {
  const [direction, steps] = routes[route];
  const twin = twins.get(route) ?? (await cutOver('twin', direction, steps));
  if (!twins.has(route)) await bridge?.close();
  twins.set(route, twin);
  // Bug 9 is closed by people as well, and stays so.
  expect(twin.after).toEqual(twin.before.map((status, index) => (index === 8 ? 'RESOLVED FIXED' : status)));
  expect(await cutOver(way, direction, steps, killedAfter)).toEqual(twin);
});

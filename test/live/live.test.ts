import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { pause } from '../e2e/process.ts';
import { addressOf, noActions } from './actions.ts';
import type { Keys } from './keys.ts';
import { live } from './live.ts';
import { violations } from './oracle.ts';

/** The harness itself, on the sandbox's tracker: what it is for needs a live one. */
let tracker: TrackerWorld;
let served: { readonly url: string; close(): Promise<void> };
let keys: Keys;

beforeAll(async () => {
  tracker = createTrackerWorld({ now: Date.now, url: '' });
  served = await serveTracker(tracker, { port: 0, faults: noFaults, clock: { sleep: pause } });
  const account = (name: string) => ({ login: tracker.user(name).login, key: tracker.user(name).apiKey });
  keys = {
    bridge: account('bridge'),
    insider: account('alice'),
    member: account('bob'),
    product: 'Widget',
    bug: { component: 'Core', version: '1.0', op_sys: 'All', platform: 'All' },
    create: { component: 'Core' },
    group: 'security',
    moves: {
      product: 'Gadget',
      there: { component: 'Firmware', version: 'A1', target_milestone: '---' },
      back: { component: 'Core', version: '1.0', target_milestone: '---' },
      create: { component: 'Firmware', version: 'A1' },
    },
  };
});
afterAll(() => served.close());

test('people on both sides, moves, faults and a kill end in step, and verify and status agree', async () => {
  for (let count = 1; count <= 4; count += 1)
    tracker.as('alice').file({ summary: `Bug ${count}`, description: 'It fails.' });
  const hidden = tracker.as('bob').file({ summary: 'Only for its reporter', description: 'It leaks.' });
  tracker.hide(hidden);
  const said: string[] = [];
  const lived = await live({
    url: served.url,
    keys,
    seed: 7,
    busyMs: 8_000,
    restarts: 1,
    report: (line) => said.push(line),
  });
  expect(lived.complaints, said.join('\n')).toEqual([]);
  expect(tracker.commentsOf(hidden)).toHaveLength(1);
  expect(lived.acts).toBeGreaterThan(10);
  expect(lived.writes).toBeGreaterThan(5);
}, 900_000);

const repo = 'acme/oracle';
const marker = (bug: number, comment?: number): string =>
  `\n\n<!-- bugferry:1 live bug=${bug}${comment === undefined ? '' : ` comment=${comment}`} -->`;

/** Both sides as they should be: one bug with two comments, and its issue. */
function mirrored(): { github: GithubWorld; bug: number; comments: readonly number[] } {
  const alice = tracker.as('alice');
  const bug = alice.file({ summary: 'It crashes', description: 'Always.', severity: 'major' });
  alice.comment(bug, 'One.');
  alice.comment(bug, 'Two.');
  const comments = tracker.commentsOf(bug).map(({ id }) => id);
  const github = createGithubWorld({ now: Date.now, url: '', webUrl: 'https://github.com' });
  for (const login of ['bugferry-bot', 'mona']) github.addUser(login);
  github.addRepo(repo, { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
  const bot = github.as('bugferry-bot');
  bot.open(repo, { title: 'It crashes', body: `Always.${marker(bug)}`, labels: ['severity: major'] });
  bot.comment(repo, 1, `One.${marker(bug, comments[1])}`);
  bot.comment(repo, 1, `Two.${marker(bug, comments[2])}`);
  return { github, bug, comments };
}

describe('the oracle', () => {
  type Damage = (world: ReturnType<typeof mirrored>) => void;
  const bot = ({ github }: ReturnType<typeof mirrored>) => github.as('bugferry-bot');
  const firstCopy = ({ github }: ReturnType<typeof mirrored>) => github.commentsOf(repo, 1)[0]?.id ?? 0;
  const damages: readonly (readonly [string, Damage, RegExp])[] = [
    [
      'a second issue',
      (world) => bot(world).open(repo, { title: 'It crashes', body: `Always.${marker(world.bug)}` }),
      /has 2 issues: 1, 2/u,
    ],
    ['another title', (world) => bot(world).edit(repo, 1, { title: 'It works' }), /titles of bug .* differ/u],
    [
      'a title with garbled characters',
      (world) => bot(world).edit(repo, 1, { title: 'It crashÃ©s' }),
      /titles of bug .* differ/u,
    ],
    ['another state', (world) => bot(world).close(repo, 1), /states of bug .* differ/u],
    ['another severity', (world) => bot(world).label(repo, 1, 'severity: minor'), /severities of bug .* differ/u],
    [
      'a missing copy',
      (world) => bot(world).deleteComment(repo, firstCopy(world)),
      /comment 1 of bug \d+ has 0 copies/u,
    ],
    [
      'a doubled copy',
      (world) => bot(world).comment(repo, 1, `One.${marker(world.bug, world.comments[1])}`),
      /comment 1 of bug \d+ has 2 copies/u,
    ],
    [
      'a copy that stands too late',
      (world) => {
        bot(world).deleteComment(repo, firstCopy(world));
        bot(world).comment(repo, 1, `One.${marker(world.bug, world.comments[1])}`);
      },
      /in the order 2, 1/u,
    ],
    [
      'an issue without a bug',
      ({ github }) => github.as('mona').open(repo, { title: 'Opened', body: '' }),
      /issue acme\/oracle\/issues\/2 has no bug/u,
    ],
    [
      'a secret',
      (world) => bot(world).comment(repo, 1, 'Said in private'),
      /"Said in private" is private, and GitHub shows it/u,
    ],
  ];
  const judge = async (damage: Damage) => {
    const world = mirrored();
    damage(world);
    const actions = noActions();
    actions.secrets.set('Said in private', null);
    if (world.github.issues(repo).some(({ author }) => author === 'mona')) actions.opened.add(addressOf(repo, 2));
    const routed = [{ product: keys.product, repo, create: keys.create }];
    const found = await violations({ url: served.url, keys, github: world.github, routed, actions });
    // The other bugs of this tracker have no issue here.
    return found.filter((line) => !/^bug \d+ has 0 issues/u.test(line));
  };

  test('finds nothing where both sides are the same', async () => {
    expect(await judge(() => undefined)).toEqual([]);
  });

  test.each(damages)('finds %s', async (_name, damage, words) => {
    expect((await judge(damage)).join('\n')).toMatch(words);
  });
});

/** A withdrawal that fails is told to a person in every place, whatever became of its pair. */

import { expect, test } from 'vitest';
import { needOf } from '../../../src/explain/notice.ts';
import { statusOf } from '../../../src/explain/route-status.ts';
import type { AuditedPair } from '../../../src/model/reports/audit.ts';
import { isExposed } from '../../../src/model/reports/audit.ts';
import type { Route } from '../../../src/model/route.ts';
import { unwatched } from '../../../src/model/runtime.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { audit } from '../../../src/sync/withdraw/list-published.ts';
import { bot, contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const route: Route = {
  ...widgetRoute,
  assignee: true,
  people: { github: new Map([['alice@example.test', 'hubot']]), tracker: new Map(), nobody: [] },
};

async function turns(world: Stage, user: string, count = 3): Promise<void> {
  const context = contextOn(world, route, { limits: { ...testLimits, brakeShare: 1 }, user });
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
}

const statusIn = ({ store, clock }: Stage) => statusOf(store, route, { tracker: [], github: [] }, clock.now());

async function auditIn({ store }: Stage): Promise<readonly AuditedPair[]> {
  const found: AuditedPair[] = [];
  for await (const pair of audit({ route, store, watch: unwatched, against: null })) found.push(pair);
  return found;
}

interface Case {
  /** Whose key the bridge has: an insider still sees what is hidden. */
  readonly user?: string;
  readonly begin?: (world: Stage) => void;
  readonly refuse: (world: Stage) => void;
  readonly hide?: (world: Stage) => void;
}

const archive = (world: Stage) => world.github.setRepo(repo, { isArchived: true });
const demote = (world: Stage) => world.github.allow(repo, bot, null);
const hidePart = ({ tracker }: Stage) =>
  void tracker.as('admin').change(1, { comment_is_private: { [tracker.commentsOf(1)[1]?.id ?? 0]: true } });
const fromGithub = (world: Stage) => void world.github.as('mona').open(repo, { title: 'From mona', body: 'Words.' });

test.each<[what: string, of: Case]>([
  ['a bug that the account no longer sees, on an archived repository', { refuse: archive }],
  ['a bug that the account still sees, on an archived repository', { refuse: archive, user: 'bridge-insider' }],
  ['a bug whose issue the account may not lock', { refuse: demote }],
  ['a bug of an issue that people opened, on an archived repository', { refuse: archive, begin: fromGithub }],
  ['a comment, on an archived repository', { refuse: archive, hide: hidePart }],
])('%s: is named until it is withdrawn', async (_what, of) => {
  const { user = 'bridge', begin = () => {}, refuse, hide = ({ tracker }) => tracker.hide(1) } = of;
  const world = stage();
  begin(world);
  if (begin !== fromGithub) {
    const bug = world.tracker.as('alice').file({ summary: 'Canary', description: 'Words.' });
    world.tracker.as('alice').comment(bug, 'More words.');
  }
  await turns(world, user);
  refuse(world);
  hide(world);
  await turns(world, user);
  const status = statusIn(world);
  expect(status).toMatchObject({ standing: 'needs you', needsPerson: true, isInStep: false, open: { skips: 1 } });
  expect(needOf(status)).toBe('items');
  expect(status.skips.filter(({ needsPerson }) => needsPerson)).toMatchObject([
    { reason: expect.stringContaining('could not be withdrawn from GitHub yet') },
  ]);
  const asking = world.store.pairs.list({ route: 'widget', filter: 'person', words: '', before: null }, 9);
  expect(asking.map(({ bug }) => bug)).toEqual([1]);

  world.github.setRepo(repo, { isArchived: false });
  world.github.allow(repo, bot, 'write');
  await turns(world, user);
  expect(statusIn(world)).toMatchObject({ needsPerson: false, open: { skips: 0 } });
});

test('what GitHub dropped without a word is named, and is nothing that may be there', async () => {
  const world = stage();
  const bug = world.tracker
    .as('alice')
    .file({ summary: 'Canary', description: 'Words.', assigned_to: 'alice@example.test' });
  await turns(world, 'bridge');
  const issue = 1;
  // So that no refused lock says that something is left.
  world.github.as('mona').lock(repo, issue, true);
  await turns(world, 'bridge', 1);
  demote(world);
  world.tracker.hide(bug);
  await turns(world, 'bridge');
  expect(world.github.issue(repo, issue)?.labels).not.toEqual([]);
  expect(statusIn(world).skips).toMatchObject([{ reason: expect.stringContaining('labels'), needsPerson: true }]);
  const exposed = (await auditIn(world)).filter(isExposed);
  expect(exposed.map((pair) => pair.bug)).toEqual([bug]);
  expect(exposed[0]?.published).toMatchObject([{ name: 'labels; assignees', ground: 'to-go' }]);

  world.github.allow(repo, bot, 'write');
  await turns(world, 'bridge');
  expect((await auditIn(world)).filter(isExposed)).toEqual([]);
});

/** I9: what a state does not know, and is hidden by now, is withdrawn at once, however little a cycle may write. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { backupState, restoreState } from '../../src/store/backup.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

const folder = mkdtempSync(join(tmpdir(), 'many-hidden-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const both: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const limits = { ...testLimits, brakeShare: 1 };

async function turn(world: Stage, route: Route, user: string, writesPerCycle: number): Promise<void> {
  world.clock.advance(61_000);
  await cycle(contextOn(world, route, { limits: { ...limits, writesPerCycle }, user }), { isForced: false });
}

const canariesOn = ({ github }: Stage): readonly string[] =>
  github.issues(repo).flatMap(({ title, body }) => (/Canary/u.test(title + body) ? [title] : []));

test.each<[what: string, route: Route, user: string, isLost: boolean]>([
  ['an older state', both, 'bridge', false],
  ['an older state of a one-way route', { ...both, direction: 'to-github' }, 'bridge', false],
  ["an older state of an insider's bridge", { ...both, visibilityCheck: 'none' }, 'bridge-insider', false],
  ['a lost state', both, 'bridge', true],
])('%s: all that was mirrored since, and hidden, goes in the first cycle', async (_what, route, user, isLost) => {
  const file = join(folder, `${route.direction}-${user}-${isLost}.db`);
  const bare = stage();
  const opened = (at: string): Stage => ({
    ...bare,
    store: openStore(at, { mode: 'write', now: bare.clock.now, scrub }),
  });
  const world = opened(file);
  const alice = world.tracker.as('alice');
  // Bugs that stay public, and change while the state is older, come first in every order.
  const open = [1, 2, 3, 4].map((each) => alice.file({ summary: `Open ${each}`, description: 'Seen by all.' }));
  for (let index = 0; index < 3; index += 1) await turn(world, route, user, 500);
  await backupState(file, `${file}.backup`);
  const ids = [1, 2, 3, 4, 5].map((each) => alice.file({ summary: `Canary ${each}`, description: 'Canary words.' }));
  for (let index = 0; index < 3; index += 1) await turn(world, route, user, 500);
  expect(canariesOn(world)).toHaveLength(5);

  world.store.close();
  for (const id of ids) world.tracker.hide(id);
  for (const id of open) alice.comment(id, 'Said meanwhile.');
  if (!isLost) await restoreState(file, `${file}.backup`, world.clock.now());
  const now = opened(isLost ? ':memory:' : file);
  await turn(now, route, user, 2);
  expect(canariesOn(now)).toEqual([]);
});

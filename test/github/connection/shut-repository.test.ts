/** A side that refuses every write stops its route, in words; nothing is parked, and all of it crosses afterwards. */

import { expect, test } from 'vitest';
import { classifyAnswer } from '../../../src/github/connection/classify-answer.ts';
import { SideError } from '../../../src/model/outcome.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

const bugs = 12;

async function turn(world: Stage, work: typeof cycle | typeof sweep = cycle): Promise<string | null> {
  world.clock.advance(120_000);
  const context = contextOn(world, widgetRoute, { limits: { ...testLimits, brakeShare: 1 } });
  try {
    await work(context, { isForced: false });
    return null;
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
    return `${failure.kind} at ${failure.side}: ${failure.message}`;
  }
}

async function mirrored(): Promise<Stage> {
  const world = stage();
  for (let bug = 1; bug <= bugs; bug += 1)
    world.tracker.as('alice').file({ summary: `Bug ${bug}`, description: 'Always.' });
  for (let count = 0; count < 3; count += 1) await turn(world);
  return world;
}

type Act = (world: Stage) => void;
const each =
  (act: (world: Stage, bug: number) => void): Act =>
  (world) => {
    for (let bug = 1; bug <= bugs; bug += 1) act(world, bug);
  };

test.each<[what: string, act: Act]>([
  ['comments', each(({ tracker }, bug) => tracker.as('alice').comment(bug, 'More of it.'))],
  ['new bugs', each(({ tracker }) => tracker.as('alice').file({ summary: 'Another', description: 'Always.' }))],
  ['titles', each(({ tracker }, bug) => tracker.as('alice').change(bug, { summary: `Bug ${bug} renamed` }))],
  ['statuses', each(({ tracker }, bug) => tracker.as('alice').change(bug, { status: 'IN_PROGRESS' }))],
])('an archived repository stops its route: %s', async (_what, act) => {
  const world = await mirrored();
  world.github.setRepo(repo, { isArchived: true });
  expect(await turn(world)).toBeNull();
  act(world);
  const before = world.github.requests.length;
  for (const work of [cycle, cycle, sweep, cycle]) {
    const said = await turn(world, work);
    if (work === cycle) expect(said).toMatch(/^refused at github: .*archived.*Unarchive the repository/u);
  }
  expect(world.store.outbox.count('widget').parked).toBe(0);
  // Whatever is under way may still be sent; the rest is not.
  const writes = world.github.requests.slice(before).filter(({ method }) => method !== 'GET');
  expect(writes.length).toBeLessThan(bugs * 2);
  world.github.setRepo(repo, { isArchived: false });
  for (let count = 0; count < 3; count += 1) expect(await turn(world)).toBeNull();
  expect(world.store.outbox.count('widget')).toMatchObject({ planned: 0, parked: 0 });
});

test.each([
  ['Repository was archived so is read-only.', true],
  ['Resource protected by organization SAML enforcement.', true],
  ['Although you appear to have the correct authorization, the organization has an IP allow list enabled.', true],
  ['Sorry. Your account was suspended.', true],
  ['Unable to create comment because issue is locked.', false],
  ['Must have admin rights to Repository.', false],
])('%s: is it about every write? %s', (message, isOfEverything) => {
  const failure = classifyAnswer({ status: 403, headers: {}, data: { message } }, { about: 'comment', now: 0 });
  expect(failure).toMatchObject({ kind: 'refused' });
  expect('isOfEverything' in failure).toBe(isOfEverything);
});

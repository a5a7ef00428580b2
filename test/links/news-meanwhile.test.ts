import { expect, test } from 'vitest';
import { bugId } from '../../src/model/ids.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';

/**
 * Copies of a pair are minimized, which takes a while. Meanwhile another issue, which blocks the pair's, gets its bug:
 * only from then on can the tracker name it, and nothing else has the pair planned again.
 * @returns what the pair's bug waits for in the end
 */
async function waitsFor(run = cycle): Promise<readonly number[]> {
  const world = stage();
  const { tracker, github, clock } = world;
  const alice = tracker.as('alice');
  const bug = alice.file({ summary: 'It fails', description: 'Always.' });
  const comments = ['One', 'Two', 'Three', 'Four'].map((text) => alice.comment(bug, text));
  const context = contextOn(
    world,
    { ...widgetRoute, dependencies: true },
    { limits: testLimits, user: 'bridge-insider' },
  );
  const passes = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      clock.advance(61_000);
      await run(context, { isForced: false });
    }
  };
  await passes(4);
  const [pair = 0] = github.issues(repo).map(({ number }) => number);
  const other = github.as('mona').open(repo, { title: 'It blocks', body: 'All.' });
  github.as('mona').block(repo, pair, other);
  for (const comment of comments) tracker.as('admin').tag(comment, { add: ['spam'] });
  alice.change(bug, { whiteboard: 'its thread is read' });
  await passes(5);
  return tracker.bug(bug)?.depends_on ?? [];
}

test('a relation that can be named only since a moment ago travels, whatever else is written at that moment', async () => {
  expect(await waitsFor()).toEqual([2]);
});

test('a planted fault is caught: what marks a link while its operations are performed is forgotten', async () => {
  const fault: Fault = {
    file: 'sync/perform/perform.ts',
    from: 'if (wantsAgain) planAgain(context, job.link);',
    to: "const now = context.store.links.byId(job.link.id); if (wantsAgain) planAgain(context, job.link); else if (now !== null) context.store.links.save({ ...now, urgency: 'none' });",
  };
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await waitsFor(broken)).toEqual([]);
});

/**
 * A comment comes with a file. The file is stored, and while comments of other bugs are written the process dies.
 * @returns the states of the bug's comments in the end
 */
async function afterDeath(run = cycle): Promise<readonly string[]> {
  const world = stage();
  const { tracker, clock, store } = world;
  const alice = tracker.as('alice');
  const bugs = Array.from({ length: 12 }, (_, index) =>
    alice.file({ summary: `Problem ${index}`, description: 'It fails.' }),
  );
  const [last = 0] = bugs.slice(-1);
  const route = { ...widgetRoute, attachments: branchRule };
  const pass = async (count: number): Promise<void> => {
    const context = contextOn(world, route, { limits: testLimits });
    for (let left = count; left > 0; left -= 1) {
      clock.advance(61_000);
      await run(context, { isForced: false });
    }
  };
  await pass(6);
  for (const bug of bugs.slice(0, 8)) alice.comment(bug, 'News.');
  alice.attach(last, { bytes: new TextEncoder().encode('x'), file_name: 'crash.log', comment: 'The log.' });
  let isDead = false;
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  world.between = (side, method, when) => {
    if (side !== 'github' || method !== 'comment' || when !== 'before') return;
    isDead = true;
    die();
  };
  clock.advance(61_000);
  // Calls of a dead process never return.
  void run(contextOn(world, route, { limits: testLimits, isDead: () => isDead }), { isForced: false });
  await death;
  world.between = () => undefined;
  await pass(12);
  const link = store.links.byBug(bugId(last));
  return link === null ? [] : store.commentLinks.ofLink(link.id).map(({ state }) => state);
}

test('a comment whose file was stored right before the process died crosses with the next one', async () => {
  expect(await afterDeath()).toEqual(['mirrored', 'mirrored']);
});

test('a planted fault is caught: nothing remembers what waits for a file', async () => {
  const fault: Fault = { file: 'sync/observe/persist-plan.ts', from: 'isToCome(id) || ', to: '' };
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect(await afterDeath(broken)).toEqual(['mirrored', 'pending']);
});

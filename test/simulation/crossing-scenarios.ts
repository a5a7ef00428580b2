import type { Context } from '../../src/kernel/context.ts';
import { bugId } from '../../src/model/ids.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import type { Scenario } from './scenarios.ts';
import { contextOn, repo, stage } from './stage.ts';

/**
 * What few seeds come upon: two pairs are written to at once, and what is done to one changes the other while its
 * request is on the way.
 */

/**
 * A bug that a long comment names gets its issue between the two parts of the copy: the first part has to say so in the
 * end.
 */
export const namesWhatIsMadeMeanwhile: Scenario = async (engine) => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const context = (): Context => contextOn(world, widgetRoute, { limits: testLimits, user: 'bridge-insider' });
  const turn = async (now = context()): Promise<void> => {
    world.clock.advance(61_000);
    await engine.cycle(now, { isForced: false });
  };
  const bug = alice.file({ summary: 'It fails', description: 'Always.' });
  for (let count = 0; count < 4; count += 1) await turn();
  const other = alice.file({ summary: 'It fails elsewhere', description: 'At times.' });
  alice.comment(bug, `See bug ${other}.\n\n${'A line of a *log*.\n'.repeat(3_000)}`);
  const { github, ...rest } = context();
  let parts = 0;
  const isMade = () => (world.store.links.byBug(bugId(other))?.issue ?? null) !== null;
  const crossing: Context['github'] = {
    ...github,
    async create(draft) {
      await until(() => parts === 2);
      return github.create(draft);
    },
    async comment(...args) {
      parts += 1;
      const outcome = await github.comment(...args);
      if (parts === 2) await until(isMade);
      return outcome;
    },
  };
  await turn({ ...rest, github: crossing });
  await turn();
  await engine.sweep(context(), { isForced: false });
  for (let count = 0; count < 3; count += 1) await turn();
  const [first] = world.github.commentsOf(repo, world.github.issues(repo)[0]?.number ?? 0);
  return [
    ...(parts === 2 ? [] : [`the copy has ${parts} parts`]),
    ...(first?.body.includes(`See [bug ${other}](https://github.com/${repo}/issues/`)
      ? []
      : [`I1: the copy names bug ${other} without its issue`]),
  ];
};

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

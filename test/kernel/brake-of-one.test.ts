/** I11: nobody stops a route alone, by changing all at once what anybody may change. */

import { expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const limits = { ...testLimits, brakeShare: 0.3 };
const honest = 14;

async function turn(world: Stage, route: Route, count = 1) {
  let last = null;
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    last = await cycle(contextOn(world, route, { limits }), { isForced: false });
  }
  return last?.refusal?.why ?? null;
}

/** Alice, who has rights, has filed as many bugs as a person without rights on each side. */
async function mirrored(route: Route): Promise<Stage> {
  const world = stage({ listLagMs: 0, hasMarkdown: true, version: 'harmony' });
  for (let index = 0; index < honest; index += 1) {
    world.tracker.as('alice').file({ summary: `honest ${index}`, description: 'It fails.' });
    world.tracker.as('carol').file({ summary: `hers ${index}`, description: 'It fails.' });
    world.github.as('hubot').open(repo, { title: `his ${index}`, body: 'Steps' });
  }
  await turn(world, route, 4);
  for (const { id } of world.tracker.bugs()) world.tracker.as('carol').comment(id, 'Me too.');
  await turn(world, route, 2);
  return world;
}

const bugsOf = ({ tracker }: Stage, login: string) => tracker.bugs().filter(({ creator }) => creator.startsWith(login));

const attacks: Readonly<Record<string, readonly [(world: Stage) => void, change?: Partial<Route>]>> = {
  'titles of bugs': [
    (world) => {
      for (const { id } of bugsOf(world, 'carol')) world.tracker.as('carol').change(id, { summary: `another ${id}` });
    },
  ],
  'bugs that are closed': [
    (world) => {
      const closed = { status: 'RESOLVED', resolution: 'INVALID' };
      for (const { id } of bugsOf(world, 'carol')) world.tracker.as('carol').change(id, closed);
    },
  ],
  'issues that are closed, and bugs of another person': [
    (world) => {
      const his = world.github.issues(repo).filter(({ author }) => author === 'hubot');
      for (const { number } of his) world.github.as('hubot').close(repo, number, 'completed');
      for (const { id } of bugsOf(world, 'carol')) world.tracker.as('carol').change(id, { summary: `another ${id}` });
    },
  ],
  "comments on everybody's bugs": [
    (world) => {
      for (const { id } of world.tracker.bugs()) {
        const [, said] = world.tracker.commentsOf(id);
        if (said?.creator.startsWith('carol') === true) world.tracker.editComment(said.id, `${said.text} edited`);
        world.tracker.as('carol').comment(id, 'Me again.');
      }
    },
  ],
  "the CC list of everybody's bugs": [
    (world) => {
      for (const { id } of world.tracker.bugs())
        world.tracker.as('carol').change(id, { cc: { add: ['carol@example.test'] } });
    },
    { table: ['cc'] },
  ],
};

test.each(Object.entries(attacks))('%s', async (_name, [attack, change = {}]) => {
  const route = { ...widgetRoute, ...change };
  const world = await mirrored(route);
  attack(world);
  world.tracker.as('alice').file({ summary: 'honest and new', description: 'It fails.' });
  expect(await turn(world, route)).toBeNull();
  expect(world.github.issues(repo).map(({ title }) => title)).toContain('honest and new');
});

/** Twenty issues of three people, whose bugs the tracker gives to the owner of their component. */
async function firstRun(change: (world: Stage) => void = () => undefined, waitMs = 0): Promise<readonly unknown[]> {
  const world = stage({ listLagMs: 0 });
  const bug = world.tracker.as('alice').file({ summary: 'one', description: 'It fails.' });
  const owner = world.tracker.bug(bug)?.assigned_to ?? '';
  for (let index = 0; index < 20; index += 1)
    world.github
      .as(['hubot', 'mona', 'octo'][index % 3] ?? 'mona')
      .open(repo, { title: `issue ${index}`, body: 'Steps' });
  const people = { github: new Map([[owner, 'mona']]), tracker: new Map([['mona', owner]]), nobody: [] };
  const route = { ...widgetRoute, people, assignee: true };
  await turn(world, waitMs === 0 ? route : { ...route, assignee: false });
  world.clock.advance(waitMs);
  change(world);
  const why = await turn(world, route);
  return [why, world.github.issues(repo).filter(({ assignees }) => assignees.includes('mona')).length];
}

test('what a side gives the first bugs of a route stops nothing', async () => {
  expect(await firstRun()).toStrictEqual([null, 21]);
});

const retitled = ({ tracker }: Stage) => {
  for (const { id } of tracker.bugs()) tracker.as('alice').change(id, { summary: `another ${id}` });
};

test.each([
  ['other values of new bugs', retitled, 0, 1],
  ['the same values of bugs that are hours old', () => undefined, 7_200_000, 0],
] as const)('the brake refuses %s', async (_name, change, waitMs, assigned) => {
  expect(await firstRun(change, waitMs)).toStrictEqual([expect.stringContaining('the plan would change'), assigned]);
});

import { expect, test } from 'vitest';
import { setAsideOf } from '../../src/explain/set-aside.ts';
import { openStore } from '../../src/store/open.ts';
import type { adoptState } from '../../src/sync/adopt.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

const throwing = (file: string, from: string, about: string): Fault => ({
  file,
  from,
  to: `if (JSON.stringify(${about} ?? null).includes('POISON')) throw new RangeError('it says POISON');\n${from}`,
});

const stages: readonly Fault[] = [
  throwing('sync/observe/observe-items.ts', 'const said = from.length > 0 ? null : claimOf(', 'item'),
  throwing('rules/links/match.ts', 'const isOurs = isMadeByUs(item, accounts);', 'item'),
  throwing(
    'sync/observe/observe-thread.ts',
    "const isTooEarly = side === 'github' && thread.isWhole",
    'thread.comments',
  ),
  throwing('sync/observe/read-threads.ts', 'const body = readBody(route, link, issue,', 'link'),
  throwing('sync/withdraw/check-visibility.ts', 'const check = { at: clock.now(), of: bugDigest(bug) };', 'bug'),
  throwing('sync/observe/select.ts', "const target = link.github?.reason === 'duplicate' ?", 'link'),
  throwing('rules/plan/plan.ts', "if (link.state !== 'live') return nothing;", 'link'),
  throwing('sync/observe/bind-ends.ts', 'const both = absorb === null ? keep : joinedLinks(keep, absorb);', 'item'),
  throwing('sync/settle/settle-older.ts', '  const older = store.olderPairs.get(link.id);', 'link'),
];
const route = { ...widgetRoute, visibilityCheck: 'anonymous' as const };
const contextOf = (world: Stage) => contextOn(world, route, { limits: testLimits });
const aside = ({ store }: Stage): readonly string[] => [
  ...new Set(setAsideOf(store, route).flatMap(({ about }) => about.split(' = '))),
];

type Engine = { readonly adoptState: typeof adoptState; readonly cycle: typeof cycle };

/** I11, I4: a throw while one pair is adopted costs that pair and nothing else, and makes nothing a second time. */
test.each(stages)('a throw in $file, while one item is adopted', async (fault) => {
  const world = stage();
  for (const word of ['One', 'POISON', 'Two']) {
    const bug = world.tracker.as('alice').file({ summary: `${word} kettle`, description: `${word} leaks.` });
    world.tracker.as('alice').comment(bug, `${word} once more`);
    world.github.as('mona').open(repo, { title: `${word} pan`, body: `${word} is hot.` });
  }
  const turn = async (on: Stage, run: Engine['cycle']) => {
    world.clock.advance(61_000);
    await run(contextOf(on), { isForced: true });
  };
  for (let index = 0; index < 4; index += 1) await turn(world, cycle);
  const lost = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
  const src = plant(fault);
  const faulty: Engine = { ...(await import(`${src}/sync/adopt.ts`)), ...(await import(`${src}/sync/cycle.ts`)) };
  world.clock.advance(61_000);
  expect((await faulty.adoptState(contextOf(lost))).pairs).toBeGreaterThanOrEqual(4);
  const named = aside(lost);
  expect(named.length).toBeGreaterThan(0);
  expect(['bug 2', 'acme/widget#5', 'acme/widget#2', 'bug 5']).toEqual(expect.arrayContaining([...named]));
  for (let index = 0; index < 3; index += 1) await turn(lost, faulty.cycle);
  for (let index = 0; index < 3; index += 1) {
    world.clock.advance(61_000);
    await cycle({ ...contextOf(lost), version: '0.0.1' }, { isForced: true });
  }
  const words = ['One', 'POISON', 'Two'].flatMap((word) => [`${word} kettle`, `${word} pan`]);
  expect(
    world.github
      .issues(repo)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(words.toSorted());
  expect(
    world.tracker
      .bugs()
      .map(({ summary }) => summary)
      .sort(),
  ).toEqual(words.toSorted());
  expect(aside(lost)).toEqual([]);
});

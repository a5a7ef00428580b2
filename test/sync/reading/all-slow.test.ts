/** I11: a cycle in which every request about any of forty bugs and issues takes half a minute, on both sides. */

import { expect, test } from 'vitest';
import type { Context } from '../../../src/kernel/context.ts';
import type { Side } from '../../../src/model/ids.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { branchRule, testLimits, widgetRoute } from '../../support/routes.ts';

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous', attachments: branchRule };
const limits = { ...testLimits, writesPerCycle: 500 };
const [slowCount, takesMs] = [40, 30_000];

interface House {
  readonly world: Stage;
  isAttacked: boolean;
  isAnswered: boolean;
  cycle(): Promise<number>;
  sweep(): Promise<number>;
}

const isSlow = (id: number): boolean => id <= slowCount;

/** Which read of any of the forty items a request is: `tracker comment`; null if it is none. */
async function partOf(side: Side, url: URL, init: RequestInit | undefined, answer: Response): Promise<string | null> {
  const method = init?.method ?? 'GET';
  if (method !== 'GET' && !url.pathname.endsWith('graphql')) return null;
  const [, one, part = 'item'] = /\/(?:bug|issues)\/(\d+)(?:\/(\w+))?/u.exec(url.pathname) ?? [];
  if (one !== undefined) {
    const ids = [one, ...url.searchParams.getAll('ids')].map(Number);
    return ids.some(isSlow) ? `${side} ${part}` : null;
  }
  if (url.pathname.endsWith('graphql')) {
    const { variables } = JSON.parse(String(init?.body)) as { variables?: Record<string, unknown> };
    return Object.values(variables ?? {}).some((value) => typeof value === 'number' && value > 0 && isSlow(value))
      ? `${side} graphql`
      : null;
  }
  const text = await answer.clone().text();
  const rows = [...text.matchAll(/"summary":"P\w+ (\d+)"|issues\/(\d+)[#"]/gu)].map(([, bug, issue]) =>
    Number(bug ?? issue),
  );
  return rows.some(isSlow) ? `${side} list` : null;
}

function house(): House {
  const world = stage();
  const { tracker, github } = world.servers;
  const slowly =
    (side: Side, send: typeof fetch): typeof fetch =>
    async (input, init) => {
      const answer = await send(input, init);
      if (!found.isAttacked) return answer;
      const part = await partOf(side, new URL(String(input)), init, answer);
      if (part === null) return answer;
      world.clock.advance(takesMs);
      if (found.isAnswered) return answer;
      throw Object.assign(new Error('The operation was aborted due to timeout'), { name: 'TimeoutError' });
    };
  Object.assign(world.servers, { tracker: slowly('tracker', tracker), github: slowly('github', github) });
  const context = contextOn(world, route, { limits, edges: { pageSize: 100 } });
  const minutes = async (run: (on: Context) => Promise<unknown>): Promise<number> => {
    world.clock.advance(61_000);
    const beganAt = world.clock.now();
    await run(context);
    return (world.clock.now() - beganAt) / 60_000;
  };
  const found: House = {
    world,
    isAttacked: false,
    isAnswered: false,
    cycle: () => minutes((on) => cycle(on, { isForced: true })),
    sweep: () => minutes((on) => sweep(on, { isForced: true })),
  };
  return found;
}

async function mirrored(): Promise<House> {
  const found = house();
  const { tracker, github } = found.world;
  for (let at = 1; at <= slowCount + 2; at += 1)
    tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let at = 0; at < 6; at += 1) await found.cycle();
  expect(github.issues(repo)).toHaveLength(slowCount + 2);
  return found;
}

const titleOf = ({ github }: Stage, issue: number): string =>
  github.issues(repo).find(({ number }) => number === issue)?.title ?? '';

/** How long a cycle and a full comparison may take at most, in minutes. */
const minutesMax = 10;

test.each([
  [true, 15],
  [false, 60],
])('everything about forty bugs and issues is slow; answered: %s', async (isAnswered, cyclesMax) => {
  const found = await mirrored();
  const { world } = found;
  const [healthy, hidden] = [slowCount + 1, slowCount + 2];
  const mona = world.github.as('mona');
  for (let at = 1; at <= hidden; at += 1) {
    world.tracker.as('alice').change(at, { summary: `Pot ${at}` });
    world.tracker.as('alice').comment(at, `So hot, ${at}.`);
    const comment = mona.comment(repo, at, 'Hot.');
    if (at % 2 === 0) mona.deleteComment(repo, comment);
  }
  Object.assign(found, { isAttacked: true, isAnswered });
  const minutes = [await found.cycle(), await found.cycle()];
  world.tracker.as('admin').change(hidden, { groups: { add: ['security'] } });
  minutes.push(await found.cycle());
  expect(titleOf(world, hidden)).toBe(`Bug ${hidden} is not public`);
  while (titleOf(world, healthy) !== `Pot ${healthy}` && minutes.length < cyclesMax) minutes.push(await found.cycle());
  expect([titleOf(world, healthy), minutes]).toEqual([`Pot ${healthy}`, minutes]);
  expect(Math.max(...minutes)).toBeLessThan(minutesMax);
  expect(await found.sweep()).toBeLessThan(minutesMax);
});

import type { Route } from '../../src/model/route.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** Fields of the tracker that show in fields of an organisation's issues. */
export const fieldRoute: Route = {
  ...widgetRoute,
  labels: [
    { from: 'severity', as: '{value}', both: true, field: 'Severity' },
    { from: 'keywords', as: '{value}', both: true, field: 'Keywords' },
    { from: 'version', as: '{value}', both: false, field: 'Version' },
    { from: 'cf_impact', as: '{value}', both: true, field: 'Impact' },
  ],
};

export type Cycle = typeof cycle;
export type Offered = NonNullable<Parameters<GithubWorld['setFields']>[1]>;

export async function run(world: Stage, on: Route = fieldRoute, turn: Cycle = cycle, user = 'bridge'): Promise<void> {
  for (let index = 0; index < 5; index += 1) {
    world.clock.advance(61_000);
    await turn(contextOn(world, on, { limits: testLimits, user }), { isForced: false });
  }
}

/** One bug with a value in each field, and its issue. */
export async function mirroredWith(
  offered: Offered,
  keywords: readonly string[],
  turn: Cycle = cycle,
  user = 'bridge',
): Promise<Stage> {
  const world = stage();
  world.github.setFields(repo, offered);
  world.tracker.as('alice').file({ summary: 'A', severity: 'major', keywords, version: '1.0', cf_impact: 'high' });
  await run(world, fieldRoute, turn, user);
  return world;
}

export const fields = (world: Stage) => world.github.issue(repo, 1)?.fields;
export const said = (world: Stage) => world.github.commentsOf(repo, 1).map(({ body }) => body);

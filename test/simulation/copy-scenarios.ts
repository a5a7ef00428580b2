import { testLimits, widgetRoute } from '../support/routes.ts';
import type { Scenario } from './scenarios.ts';
import type { Engine } from './simulate.ts';
import { contextOn, repo, type Stage, stage } from './stage.ts';

/** What people on GitHub do to comments that have crossed. Few seeds end with it undisturbed. */

interface Crossed {
  readonly world: Stage;
  /** The comment, or its copy, on GitHub. */
  readonly comment: number;
  turns(count: number): Promise<void>;
}

async function crossed(engine: Engine, isOfGithub: boolean): Promise<Crossed> {
  const world = stage();
  const route = { ...widgetRoute, copies: 'restore', deletions: 'note' } as const;
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  const turns = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      world.clock.advance(61_000);
      await engine.cycle(contextOn(world, route, { limits: testLimits, user: 'bridge-insider' }), { isForced: false });
    }
  };
  await turns(3);
  const issue = world.github.issues(repo)[0]?.number ?? 0;
  if (isOfGithub) world.github.as('mona').comment(repo, issue, 'Said on GitHub.');
  else world.tracker.as('alice').comment(1, 'Said on the tracker.');
  await turns(3);
  return { world, turns, comment: world.github.commentsOf(repo, issue)[0]?.id ?? 0 };
}

/** Somebody writes over a copy, on a route that restores copies. */
export const writesOverCopy: Scenario = async (engine) => {
  const { world, turns, comment } = await crossed(engine, false);
  world.github.as('mona').editComment(repo, comment, 'Defaced.');
  await turns(4);
  const [copy] = world.github.commentsOf(repo, 1);
  return copy?.body.includes('Said on the tracker.') ? [] : [`I1: the copy says "${copy?.body}"`];
};

/** Somebody deletes a comment that the tracker has, on a route that notes deletions. */
export const deletesComment: Scenario = async (engine) => {
  const { world, turns, comment } = await crossed(engine, true);
  world.github.as('mona').deleteComment(repo, comment);
  await turns(4);
  const notes = world.tracker.commentsOf(1).filter(({ text }) => text.includes('was deleted on GitHub'));
  return notes.length === 1 ? [] : [`I3: the deletion is noted ${notes.length} times`];
};

import type { Route } from '../../../src/model/route.ts';
import { random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';

const fans = ['mona', 'hubot', 'octo'];

/** A fifth of the seeds, so that the others run as they did. */
const hasVoters = (seed: number): boolean => seed % 5 === 4;

export const withVoters = (seed: number, route: Route): Route =>
  hasVoters(seed) ? { ...route, table: [...route.table, 'votes'], thumbsUp: true } : route;

/** People vote for bugs and like issues. Draws of its own. */
export function voters(seed: number, { tracker, github }: Stage): () => void {
  if (!hasVoters(seed)) return () => undefined;
  const draw = random(seed + 140_000_000);
  return () => {
    const issues = github.issues(repo);
    if (draw.chance(0.6)) tracker.vote(draw.pick(tracker.bugs()).id, draw.below(5));
    if (issues.length > 0 && draw.chance(0.6)) github.as(draw.pick(fans)).thumbUp(repo, draw.pick(issues).number);
  };
}

/**
 * Creations are left out, and worlds in which something else was refused for good: that is tried again now and then.
 */
const changing: readonly string[] = ['update', 'comment', 'rewrite', 'erase', 'minimize'];

/** I2: whatever people vote for, nothing is written. `run` makes a full comparison, which sees all of it. */
export async function voteViolations(
  seed: number,
  { tracker, github, calls, store }: Stage,
  run: () => Promise<void>,
): Promise<readonly string[]> {
  if (!hasVoters(seed) || store.outbox.parked('widget').length > 0) return [];
  const before = calls.length;
  for (const { id } of tracker.bugs()) tracker.vote(id, 40 + id);
  for (const { number } of github.issues(repo)) for (const fan of fans) github.as(fan).thumbUp(repo, number);
  await run();
  const written = calls.slice(before).filter(({ method }) => changing.includes(method));
  return written.map(({ side, method }) => `I2: votes alone led to ${method} on ${side}`);
}

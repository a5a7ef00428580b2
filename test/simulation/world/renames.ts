import { random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';

const labels = [
  'severity: major',
  'severity: normal',
  'severity: huge',
  'crash',
  'Regression',
  'help wanted',
  'status: in progress',
  'tag: easy',
];
const milestones = ['1.1', '2.0', 'Sprint 5'];

const people = ['mona', 'hubot', 'hubot-two'];

/**
 * In one of seven seeds people take other logins: everything that they wrote shows another name, and nothing becomes
 * newer. `people` of the route keeps the old login. Draws of its own, so that other seeds run as they did.
 */
export function loginChangers(seed: number, { github }: Stage): () => void {
  if (seed % 7 !== 4) return () => undefined;
  const draw = random(seed + 70_000_000);
  return () => {
    if (draw.chance(0.7)) return;
    const first = draw.pick(people);
    const now = github.state.renamed.get(first)?.login ?? first;
    github.renameUser(now, `${now}-${draw.below(10)}`);
  };
}

/**
 * In one of five seeds people rename labels and milestones: all issues change at once, and none becomes newer. Draws of
 * its own, so that other seeds run as they did.
 */
export function renamers(seed: number, { github }: Stage): () => void {
  if (seed % 5 !== 2) return () => undefined;
  const draw = random(seed + 90_000_000);
  const { renameLabel, renameMilestone } = github.as('mona');
  return () => {
    const [rename, names] = draw.chance(0.7)
      ? ([renameLabel, labels] as const)
      : ([renameMilestone, milestones] as const);
    if (draw.chance(0.5)) return;
    try {
      rename(repo, draw.pick(names), draw.pick(names));
    } catch (error) {
      // There is none of that name, or another has the new one.
      if (!(error instanceof Error && error.constructor.name === 'Refusal')) throw error;
    }
  };
}

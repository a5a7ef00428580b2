import type { Link } from '../../../src/model/link.ts';
import type { Route } from '../../../src/model/route.ts';
import { random } from '../../support/random.ts';
import { remarksOn, repo, type Stage } from '../stage.ts';

/** Two of these stand for no priority of the tracker, and the organisation has no type for some priorities. */
const types = ['Highest', 'High', 'Normal', 'Task', 'Epic'];
const priorities = ['Highest', 'High', 'Normal', 'Low'];

/** A fifteenth of the seeds shows priorities as types of issues, so that the others stay what they are. */
export const hasTypes = (seed: number): boolean => seed % 15 === 14;

export const withTypes = (route: Route): Route => ({
  ...route,
  labels: [...route.labels, { from: 'priority', as: '{value}', both: true, isType: true }],
});

/** People choose priorities and types. Draws of its own, so that other seeds run as they did. */
export function typists(seed: number, world: Stage): () => void {
  if (!hasTypes(seed)) return () => undefined;
  const draw = random(seed + 50_000_000);
  world.github.setTypes(repo, types);
  return () => {
    const bugs = world.tracker.bugs().filter(({ product }) => product === 'Widget');
    const issues = world.github.issues(repo);
    if (bugs.length > 0 && draw.chance(0.6))
      world.tracker.as('alice').change(draw.pick(bugs).id, { priority: draw.pick(priorities) });
    if (issues.length > 0 && draw.chance(0.6))
      world.github.as('mona').type(repo, draw.pick(issues).number, draw.pick([...types, null]));
  };
}

/**
 * I1: both sides say the same, but for what the organisation has no type for; a type that says nothing is put right and
 * explained once. What people set again and again is left alone, and says that it needs a person.
 */
export function typeViolations({ tracker, github, store }: Stage, links: readonly Link[]): readonly string[] {
  const found: string[] = [];
  for (const link of links.filter(({ state }) => state === 'live')) {
    const [bug, issue] = [tracker.bug(link.bug ?? 0), github.issue(repo, link.issue ?? 0)];
    if (bug === null || issue === null) continue;
    const pair = `bug ${bug.id} and issue ${issue.number}`;
    if (store.findings.ofLink(link.id).skips.some(({ reason }) => reason.startsWith('priority was reset'))) continue;
    if (types.includes(bug.priority) && issue.type !== bug.priority)
      found.push(`I1: type of ${pair}: ${bug.priority} / ${issue.type}`);
    const markers = remarksOn(github, issue.number);
    if (new Set(markers).size < markers.length) found.push(`I4: ${pair} explain a type twice: ${markers.join()}`);
    const isStrange = issue.type !== null && !priorities.includes(issue.type);
    if (isStrange && types.includes(bug.priority))
      found.push(`I1: the type ${issue.type} of ${pair} stands for nothing`);
  }
  return found;
}

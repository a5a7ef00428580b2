import type { Link } from '../../../src/model/link.ts';
import type { People } from '../../../src/model/people.ts';
import type { Route } from '../../../src/model/route.ts';
import type { Random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';

/** Octo has no part in the repository, so that GitHub drops her silently; the admin is on no map. */
const pairs = [
  ['alice', 'mona'],
  ['bob', 'hubot'],
  ['carol', 'octo'],
] as const;
const optedOut = 'bridge-insider@example.test';
const loginOf = (name: string) => `${name}@example.test`;

/** The route with people, half of the time with an account that has opted out. `login` is what alice has on GitHub. */
export function withPeople(route: Route, hasOptedOut: boolean, login = 'mona'): Route {
  const mapped = pairs.map(([tracker, github]) => [loginOf(tracker), github === 'mona' ? login : github] as const);
  const people: People = {
    github: new Map(mapped),
    tracker: new Map(mapped.map(([tracker, github]) => [github, tracker])),
    nobody: hasOptedOut ? [optedOut] : [],
  };
  return { ...route, people, assignee: true, milestones: true };
}

interface Action {
  readonly weight: number;
  readonly act: () => void;
}

/** Bugs and issues change hands and milestones. */
export function assignmentActions(stage: Stage, random: Random): readonly Action[] {
  const [alice, mona] = [stage.tracker.as('alice'), stage.github.as('mona')];
  const someBug = () => random.pick(stage.tracker.bugs().filter(({ product }) => product === 'Widget')).id;
  const onIssue = (act: (issue: number) => void) => () => {
    const issues = stage.github.issues(repo);
    if (issues.length > 0) act(random.pick(issues).number);
  };
  /** The login that somebody has by now. */
  const named = (login: string): string => stage.github.state.renamed.get(login)?.login ?? login;
  const takers = [...['alice', 'bob', 'carol', 'admin'].map(loginOf), optedOut];
  return [
    { weight: 3, act: () => alice.change(someBug(), { assigned_to: random.pick(takers) }) },
    { weight: 2, act: () => alice.change(someBug(), { target_milestone: random.pick(['---', '1.1', '2.0']) }) },
    {
      weight: 2,
      act: onIssue((issue) => mona.assign(repo, issue, named(random.pick(['mona', 'hubot', 'hubot-two'])))),
    },
    {
      weight: 2,
      act: onIssue((issue) =>
        mona.unassign(repo, issue, ...random.pick([['mona'], ['hubot'], ['mona', 'hubot', 'hubot-two']]).map(named)),
      ),
    },
    { weight: 2, act: onIssue((issue) => mona.milestone(repo, issue, random.pick(['1.1', '2.0', 'Sprint 5', null]))) },
  ];
}

/** I1: of people whom the map knows, and milestones that the tracker knows, both sides say the same. */
export function assignments(stage: Stage, link: Link, hasOptedOut: boolean): readonly string[] {
  const [bug, issue] = [stage.tracker.bug(link.bug ?? 0), stage.github.issue(repo, link.issue ?? 0)];
  if (bug === null || issue === null) return [];
  const found: string[] = [];
  const say = (what: string, here: unknown, there: unknown) =>
    found.push(`I1: ${what} of bug ${bug.id} and issue ${issue.number}: ${String(here)} / ${String(there)}`);
  const taker = pairs.find(([tracker]) => loginOf(tracker) === bug.assigned_to)?.[1];
  const isOptedOut = hasOptedOut && bug.assigned_to === optedOut;
  const isUnmapped =
    issue.assignees.length > 0 && issue.assignees.every((login) => pairs.every(([, mapped]) => login !== mapped));
  const isThere = taker !== undefined && stage.github.state.users.has(taker);
  if (isThere && taker !== 'octo' && !isUnmapped && !issue.assignees.includes(taker))
    say('assignees', bug.assigned_to, issue.assignees);
  if (isOptedOut && !isUnmapped && issue.assignees.length > 0) say('nobody', bug.assigned_to, issue.assignees);
  const milestone = issue.milestone ?? '---';
  if (milestone !== 'Sprint 5' && milestone !== bug.target_milestone)
    say('milestones', bug.target_milestone, issue.milestone);
  return found;
}

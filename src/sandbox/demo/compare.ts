import type { TrackerBug, TrackerComment } from '../tracker/world/state.ts';
import type { Places } from './people.ts';
import { bridgeLogin, type DemoStage, demoRoutes } from './stage.ts';

/**
 * Compares the two worlds of the demo only by what their readers see, without the bridge, its code or its state: the
 * pages contain the names by which both ends refer to each other.
 */
export interface Comparison {
  readonly pairs: number;
  readonly comments: number;
  readonly hidden: number;
  /** One line for each difference; empty if both sides agree. */
  readonly differences: readonly string[];
}

type Worlds = Pick<DemoStage, 'tracker' | 'github' | 'trackerUrl' | 'githubUrl'>;

export function compareWorlds(stage: Worlds): Comparison {
  const found = { pairs: 0, comments: 0, hidden: 0, differences: [] as string[] };
  for (const { product, repo } of demoRoutes) {
    const bugs = stage.tracker.bugs().filter((bug) => bug.product === product);
    const matched = new Set<number>();
    for (const bug of bugs) {
      const issues = issuesOf(stage, repo, bug);
      for (const { number } of issues) matched.add(number);
      if (bug.groups.length > 0) {
        found.hidden += 1;
        if (issues.length > 0) found.differences.push(`bug ${bug.id} is private, and yet ${repo} shows it`);
      } else if (issues.length !== 1) found.differences.push(`bug ${bug.id} has ${issues.length} issues in ${repo}`);
      else comparePair(stage, repo, bug, issues[0]?.number ?? 0, found);
    }
    for (const { number, isPull } of stage.github.issues(repo)) {
      if (!isPull && !matched.has(number)) found.differences.push(`${repo}#${number} has no bug`);
    }
  }
  return found;
}

interface Findings {
  pairs: number;
  comments: number;
  hidden: number;
  readonly differences: string[];
}

/**
 * The issue of a bug: the one whose body ends with the bug's marker, or the one that the bug's description names as its
 * source.
 */
function issuesOf({ tracker, github, githubUrl }: Worlds, repo: string, bug: TrackerBug) {
  const description = tracker.commentsOf(bug.id)[0]?.text ?? '';
  const source = new RegExp(`^GitHub user \\S+ wrote \\(${githubUrl}/${repo}/issues/(\\d+)\\):`).exec(description)?.[1];
  return github
    .issues(repo)
    .filter(({ number, body }) => number === Number(source) || body.includes(` bug=${bug.id} -->`));
}

/** Finds items on the other side. Throws if one has not arrived. */
export function placesOf(stage: Worlds): Places {
  return {
    issueOf(id) {
      const bug = stage.tracker.bug(id);
      const repo = demoRoutes.find(({ product }) => product === bug?.product)?.repo;
      const issue = bug === null || repo === undefined ? undefined : issuesOf(stage, repo, bug)[0];
      if (repo === undefined || issue === undefined)
        throw new Error(`Bug ${id} has no issue in the sandbox GitHub yet.`);
      return { repo, number: issue.number };
    },
    bugOf(repo, number) {
      const found = stage.tracker
        .bugs()
        .find((bug) => issuesOf(stage, repo, bug).some((issue) => issue.number === number));
      if (found === undefined) throw new Error(`${repo}#${number} has no bug in the sandbox tracker yet.`);
      return found.id;
    },
  };
}

function comparePair(stage: Worlds, repo: string, bug: TrackerBug, number: number, found: Findings): void {
  const issue = stage.github.issue(repo, number);
  if (issue === null) return;
  found.pairs += 1;
  const expected: readonly (readonly [string, string, string])[] = [
    ['title', squeezed(bug.summary), squeezed(issue.title)],
    ['status', viewOf(bug), issue.state === 'open' ? 'open' : (issue.stateReason ?? 'completed')],
    ['labels', labelsOf(bug).join(', '), issue.labels.filter(isOurs).toSorted().join(', ')],
  ];
  for (const [what, left, right] of expected) {
    if (left !== right)
      found.differences.push(`${what} of bug ${bug.id} is "${left}" and of ${repo}#${number} "${right}"`);
  }
  compareComments(stage, repo, bug, number, found);
}

/** The other side must have exactly one copy of each public comment that a person wrote. */
function compareComments(
  { tracker, github }: Worlds,
  repo: string,
  bug: TrackerBug,
  number: number,
  found: Findings,
): void {
  const comments = github.commentsOf(repo, number);
  const [, ...said] = tracker.commentsOf(bug.id);
  for (const comment of said) {
    if (comment.creator === tracker.user('bridge').login || isGenerated(comment)) continue;
    const copies = comments.filter(({ body }) => body.includes(` bug=${bug.id} comment=${comment.id} -->`)).length;
    const wanted = comment.isPrivate ? 0 : 1;
    if (copies !== wanted)
      found.differences.push(`comment ${comment.id} of bug ${bug.id} has ${copies} copies in ${repo}#${number}`);
    if (comment.isPrivate) found.hidden += 1;
    else found.comments += 1;
  }
  for (const comment of comments) {
    if (comment.author === bridgeLogin) continue;
    const place = `#issuecomment-${comment.id}`;
    const copies = said.filter(({ text }) =>
      new RegExp(`^GitHub user \\S+ wrote \\(\\S+${place}\\):`).test(text),
    ).length;
    const shown = said.some(
      ({ text }) => text.includes(place) && squeezed(withoutOld(text)).includes(squeezed(comment.body)),
    );
    if (copies !== 1 || !shown)
      found.differences.push(`comment ${comment.id} of ${repo}#${number} has ${copies} copies on bug ${bug.id}`);
    found.comments += 1;
  }
}

/** A report of an edit shows both texts, word by word; this leaves the new one. */
const withoutOld = (text: string): string => text.replace(/\[-[\s\S]*?-\]/g, '').replace(/\{\+([\s\S]*?)\+\}/g, '$1');

const isGenerated = ({ text }: TrackerComment): boolean =>
  text.trim() === '' || /^\*\*\* .* duplicate of .* \*\*\*$/.test(text.trim());

function viewOf({ resolution }: TrackerBug): string {
  if (resolution === '') return 'open';
  return resolution === 'FIXED' ? 'completed' : resolution === 'DUPLICATE' ? 'duplicate' : 'not_planned';
}

/** The labels that the demo's routes show. */
function labelsOf({ component, severity, keywords, status }: TrackerBug): readonly string[] {
  const progress = status === 'IN_PROGRESS' ? ['status: in progress'] : [];
  return [`component: ${component}`, `severity: ${severity}`, ...keywords, ...progress].toSorted();
}

const isOurs = (label: string): boolean =>
  /^(component|severity|status): /.test(label) || ['crash', 'regression', 'security'].includes(label);
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

import type { Link } from '../../../src/model/link.ts';
import type { LabelRule, Route } from '../../../src/model/route.ts';
import type { Random } from '../../support/random.ts';
import { remarksOn, repo, type Stage } from '../stage.ts';
import type { Action } from './people.ts';

/**
 * Tags and custom fields as labels, and labels that cannot travel: what people do with them, and what has to come of
 * it.
 */
const rules: readonly LabelRule[] = [
  { from: 'whiteboard', as: 'tag: {value}', both: true },
  { from: 'cf_area', as: 'area: {value}', both: true },
  { from: 'cf_impact', as: 'impact: {value}', both: false },
];
const tags = ['easy', 'good first bug'];
const areas = ['docs', 'net', 'ui'];
/** For these there is no value, or nothing that travels back. */
const impossible = ['severity: huge', 'area: nowhere', 'tag: a]b', 'component: Nope'];
const robot = 'robot[bot]';

/** A third of the seeds has them, so that the others stay what they are. */
export const hasLabels = (seed: number): boolean => seed % 3 === 1;

export const withLabels = (route: Route): Route => ({ ...route, labels: [...route.labels, ...rules] });

export function labelActions(stage: Stage, random: Random): readonly Action[] {
  const { tracker, github } = stage;
  github.addUser(robot);
  github.allow(repo, robot, 'write');
  const someBug = () => random.pick(tracker.bugs().filter(({ product }) => product === 'Widget')).id;
  const some = (list: readonly string[]) => list.filter(() => random.chance(0.4));
  const onIssue = (act: (issue: number) => void) => () => {
    const issues = github.issues(repo);
    if (issues.length > 0) act(random.pick(issues).number);
  };
  const words = () => random.pick(['', 'ask carol', 'see [] there']);
  const whiteboard = () => [words(), ...some(tags).map((tag) => `[${tag}]`)].join(' ');
  const label = () =>
    random.pick([...tags.map((tag) => `tag: ${tag}`), ...areas.map((area) => `area: ${area}`), 'impact: low']);
  return [
    { weight: 3, act: () => tracker.as('alice').change(someBug(), { whiteboard: whiteboard() }) },
    { weight: 2, act: () => tracker.as('alice').change(someBug(), { cf_area: some(areas) }) },
    { weight: 1, act: () => tracker.as('alice').change(someBug(), { cf_impact: random.pick(['---', 'low', 'high']) }) },
    { weight: 3, act: onIssue((issue) => github.as('mona').label(repo, issue, label())) },
    { weight: 2, act: onIssue((issue) => github.as('mona').unlabel(repo, issue, label())) },
    {
      weight: 3,
      act: onIssue((issue) => github.as(random.pick(['mona', robot])).label(repo, issue, random.pick(impossible))),
    },
  ];
}

/** I1, I4 and I12 of labels. */
export function labelViolations(stage: Stage, links: readonly Link[]): readonly string[] {
  const { tracker, github } = stage;
  const found: string[] = [];
  for (const link of links.filter(({ state }) => state === 'live')) {
    const [bug, issue] = [tracker.bug(link.bug ?? 0), github.issue(repo, link.issue ?? 0)];
    if (bug === null || issue === null) continue;
    const shown = issue.labels
      .filter((label) => /^(?:tag|area|impact): |huge$|Nope$/u.test(label))
      .map((label) => label.toLowerCase());
    const impact = bug.custom['cf_impact'] === '---' ? [] : [`impact: ${String(bug.custom['cf_impact'])}`];
    const tagged = tags.filter((tag) => bug.whiteboard.includes(`[${tag}]`)).map((tag) => `tag: ${tag}`);
    const wanted = [...tagged, ...[bug.custom['cf_area']].flat().map((area) => `area: ${String(area)}`), ...impact];
    if (shown.toSorted().join() !== wanted.toSorted().join())
      found.push(
        `I1: labels of bug ${bug.id} and issue ${issue.number}: ${wanted.toSorted().join()} / ${shown.toSorted().join()}`,
      );
    const markers = remarksOn(github, issue.number);
    if (new Set(markers).size < markers.length)
      found.push(`I4: issue ${issue.number} explains a label twice: ${markers.join()}`);
  }
  const texts = tracker.bugs().flatMap(({ id }) => tracker.commentsOf(id).map(({ text }) => text));
  for (const text of texts)
    if (/was removed again|was restored/u.test(text)) found.push(`I2: an explanation crossed: "${text}"`);
  return found;
}

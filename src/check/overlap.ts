import type { Route, Selection } from '../model/route.ts';
import type { Verdict } from './verdict.ts';

/**
 * What routes leave to those after them: a bug or an issue belongs to the first route that selects it, whatever its
 * direction.
 */
export const judgeOverlaps = (routes: readonly Route[]): readonly Verdict[] =>
  routes.flatMap((route, index) => judged(route, routes.slice(0, index)) ?? []);

function judged(route: Route, earlier: readonly Route[]): Verdict | null {
  const about = `route ${route.name}`;
  const readsBugs = route.direction !== 'to-tracker';
  const readsIssues = route.direction !== 'to-github';
  const ofBugs = readsBugs ? takersOfBugs(route.selection, earlier) : [];
  const ofIssues = readsIssues ? takersOfIssues(route, earlier) : [];
  const taken = [
    ...(ofBugs.length > 0 ? [`all its bugs belong to ${listed(ofBugs)}`] : []),
    ...(ofIssues.length > 0 ? [`all its issues belong to ${listed(ofIssues)}`] : []),
  ];
  if (taken.length > 0) {
    const isIdle = taken.length === Number(readsBugs) + Number(readsIssues);
    const words = `${taken.join(', and ')}, which the configuration names first${isIdle ? ': nothing is left to mirror' : ''}`;
    return { level: isIdle ? 'failure' : 'warning', about, words: `${words}. ${remedy}` };
  }
  const shared = readsBugs ? earlier.filter((each) => mayShare(each.selection, route.selection)) : [];
  if (shared.length === 0) return null;
  const isNarrower = shared.every((each) => takersOfBugs(each.selection, [route]).length > 0);
  const words = `a bug that ${listed(shared)} also selects belongs there, because the configuration names it first`;
  return { level: isNarrower ? 'ok' : 'warning', about, words };
}

const remedy =
  'Put the narrower route first, choose another product, component, repository or label, or remove a route.';

/** The earlier routes that together take every bug of this selection; none if they leave any. */
function takersOfBugs(selection: Selection, earlier: readonly Route[]): readonly Route[] {
  const takers = earlier.filter((each) => takesAllOf(selection, each.selection));
  const whole = takers.find((each) => each.selection.components === null);
  if (whole !== undefined) return [whole];
  const { components } = selection;
  const used = takers.filter((each) => components?.some((component) => hasComponent(each, component)));
  return components?.every((component) => used.some((each) => hasComponent(each, component))) ? used : [];
}

const hasComponent = ({ selection }: Route, component: string): boolean =>
  selection.components?.includes(component) === true;

/** Whether `other` takes all bugs of the selection that have a component of its own. */
const takesAllOf = (selection: Selection, other: Selection): boolean =>
  other.product === selection.product &&
  (other.keyword === null || other.keyword.toLowerCase() === selection.keyword?.toLowerCase()) &&
  (other.createdSinceAt === null || other.createdSinceAt <= (selection.createdSinceAt ?? 0)) &&
  (!other.openOnly || selection.openOnly);

const mayShare = (one: Selection, other: Selection): boolean =>
  one.product === other.product &&
  (one.components === null ||
    other.components === null ||
    one.components.some((component) => other.components?.includes(component) === true));

/** The first earlier route that takes every issue of this one; none if each leaves some. */
function takersOfIssues(route: Route, earlier: readonly Route[]): readonly Route[] {
  const nameOf = ({ owner, repo }: Route): string => `${owner}/${repo}`.toLowerCase();
  return earlier
    .filter((each) => nameOf(each) === nameOf(route))
    .filter(({ label }) => label === null || label.toLowerCase() === route.label?.toLowerCase())
    .slice(0, 1);
}

/** `route a`, or `routes a and b` */
const listed = (routes: readonly Route[]): string =>
  `${routes.length === 1 ? 'route' : 'routes'} ${routes.map(({ name }) => name).join(' and ')}`;

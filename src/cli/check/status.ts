import { isOpenView, statusSteps, statusView } from '../../fields/status.ts';
import { bugId } from '../../model/ids.ts';
import type { Bug } from '../../model/item.ts';
import type { Route, Vocabulary } from '../../model/route.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** The status map against the tracker's own workflow. */
export const status: Topic = { name: 'status', fine: 'every status shows on GitHub, and every way back exists', find: findStatus };

/** Statuses of the map that the tracker lacks do no harm: a default map fits two workflows. */
function findStatus({ route, vocabulary }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
  const { workflow } = vocabulary;
  if (workflow === null) return [warning('the tracker does not tell its workflow; statuses that cannot be reached will be parked')];
  const { toGithub, reopened, completed, notPlanned } = route.status;
  const statuses = Object.keys(workflow);
  const unmapped = statuses.filter((status) => toGithub[status] === undefined);
  const unknown = [...new Set([reopened, completed[0], notPlanned[0]])].filter((status) => !statuses.includes(status));
  if (unknown.length > 0)
    return unknown.map((status) => failure(`status.toTracker names ${status}; the tracker has ${statuses.join(', ')}`));
  return [
    ...unmapped.map((status) => warning(`status.toGithub does not name ${status}; bugs in that status wait for a person`)),
    ...(route.direction === 'to-github' ? [] : deadEnds(route, vocabulary, statuses).map((words) => warning(words))),
  ];
}

function deadEnds(route: Route, vocabulary: Vocabulary, statuses: readonly string[]): readonly string[] {
  return statuses.flatMap((status) => {
    const bug = bugIn(route, status);
    if (statusView(route.status, bug.status, bug.resolution) === null) return [];
    const views = ['open', 'completed', 'not_planned'];
    const ways = views.map((view) => statusSteps(route.status, vocabulary, bug, view, null));
    return ways.flatMap((way, index) => (way.kind === 'impossible' ? [`a ${status} bug cannot become ${views[index]}: ${way.why}`] : []));
  });
}

/** A bug of which only the status matters. */
function bugIn({ status: map, selection }: Route, status: string): Bug {
  const isOpen = isOpenView(statusView(map, status, '') ?? '');
  const nobody = { login: '', name: '' };
  const place = {
    kind: 'bug',
    id: bugId(0),
    url: '',
    product: selection.product,
    summary: '',
    creator: nobody,
    createdAt: 0,
    changedAt: 0,
  } as const;
  return {
    ...place,
    status,
    resolution: isOpen ? '' : map.completed[1],
    dupeOf: null,
    values: {},
    keywords: [],
    assignee: null,
    milestone: null,
    seeAlso: [],
    isPrivate: false,
  };
}

/** Target milestones, where the route keeps them the same. */
export const milestones: Topic = {
  name: 'milestones',
  fine: ({ route }) =>
    route.milestones ? 'the tracker tells the milestones of the product' : 'the route does not keep milestones the same',
  find: findMilestones,
};

function findMilestones({ route, vocabulary: { values } }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
  if (!route.milestones || values.milestone !== undefined) return [];
  const words = `the tracker tells no milestones of ${route.selection.product}, so those of issues cannot cross; check the rights of the account`;
  return [warning(words)];
}

/** What the route takes from the tracker. */
export const selection: Topic = { name: 'selection', fine: 'the product, and what the route takes of it, exist', find: findSelection };

function findSelection({ route, vocabulary: { values } }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
  const { product, components, keyword } = route.selection;
  const known = values.component;
  if (known === undefined) {
    return [failure(`the tracker shows our account no product ${product}; check its spelling and the rights of the account`)];
  }
  const missing = (components ?? []).filter((component) => !known.includes(component));
  const strange = keyword !== null && values.keywords !== undefined && !values.keywords.includes(keyword);
  return [
    ...missing.map((component) => failure(`product ${product} has no component "${component}"; it has ${known.join(', ')}`)),
    ...(keyword !== null && values.keywords === undefined
      ? [warning(`the tracker does not tell its keywords, so nobody has looked whether it has "${keyword}"; compare its spelling`)]
      : []),
    ...(strange ? [failure(`the tracker has no keyword "${keyword}"; it has ${values.keywords?.join(', ') || 'none'}`)] : []),
  ];
}

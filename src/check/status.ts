import { bugId } from '../model/ids.ts';
import type { Bug } from '../model/item.ts';
import type { Route, Vocabulary } from '../model/route.ts';
import { isOpenView, statusSteps, statusView } from '../rules/fields/status.ts';
import { lacksKeyword } from '../rules/labels/labels-and-fields.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** Checks the status map against the workflow of the tracker. */
export const status: Topic = {
  name: 'status',
  fine: 'every status maps to GitHub, and every way back exists',
  find: findStatus,
};

/** Extra statuses in the map do no harm: the default map covers two workflows. */
function findStatus({ route, vocabulary }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
  const { workflow } = vocabulary;
  if (workflow === null)
    return [warning('the tracker does not report its workflow; unreachable statuses will be parked')];
  const { toGithub, reopened, completed, notPlanned } = route.status;
  const statuses = Object.keys(workflow);
  const unmapped = statuses.filter((status) => toGithub[status] === undefined);
  const unknown = [...new Set([reopened, completed[0], notPlanned[0]])].filter((status) => !statuses.includes(status));
  if (unknown.length > 0)
    return unknown.map((status) => failure(`status.toTracker names ${status}; the tracker has ${statuses.join(', ')}`));
  return [
    ...unmapped.map((status) => warning(`status.toGithub does not name ${status}; bugs with that status need you`)),
    ...(route.direction === 'to-github' ? [] : deadEnds(route, vocabulary, statuses).map((words) => warning(words))),
  ];
}

function deadEnds(route: Route, vocabulary: Vocabulary, statuses: readonly string[]): readonly string[] {
  return statuses.flatMap((status) => {
    const bug = bugIn(route, status);
    if (statusView(route.status, bug.status, bug.resolution) === null) return [];
    const views = ['open', 'completed', 'not_planned'];
    const ways = views.map((view) => statusSteps(route.status, vocabulary, bug, view, null));
    return ways.flatMap((way, index) =>
      way.kind === 'impossible' ? [`a ${status} bug cannot become ${views[index]}: ${way.why}`] : [],
    );
  });
}

/** A placeholder bug with this status. */
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

/** Target milestones, if the route mirrors them. */
export const milestones: Topic = {
  name: 'milestones',
  fine: ({ route }) =>
    route.milestones ? 'the tracker reports the milestones of the product' : 'the route does not mirror milestones',
  find: findMilestones,
};

function findMilestones({ route, vocabulary: { values } }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
  if (!route.milestones || values.milestone !== undefined) return [];
  const words = `the tracker reports no milestones of ${route.selection.product}, so milestones of issues cannot cross; check the rights of the account`;
  return [warning(words)];
}

/** The bugs that the route selects. */
export const selection: Topic = {
  name: 'selection',
  fine: 'the product and everything that the route selects exist',
  find: findSelection,
};

function findSelection({
  route: { selection: selected },
  vocabulary: { values },
  unknownNames,
}: Pick<Site, 'route' | 'vocabulary' | 'unknownNames'>): readonly Finding[] {
  const { keyword } = selected;
  return [
    ...unknownNames.map(failure),
    ...(keyword !== null && values.keywords === undefined
      ? [warning(`the tracker does not report its keywords, so "${keyword}" was not checked; check its spelling`)]
      : []),
    ...(keyword !== null && lacksKeyword({ values }, keyword)
      ? [failure(`the tracker has no keyword "${keyword}"; it has ${values.keywords?.join(', ') || 'none'}`)]
      : []),
  ];
}

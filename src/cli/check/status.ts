import { isOpenView, statusSteps, statusView } from '../../core/status.ts';
import { bugId } from '../../model/ids.ts';
import type { Bug } from '../../model/item.ts';
import type { Route, Vocabulary } from '../../model/route.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** The status map against the tracker's own workflow. */
export const status: Topic = { name: 'status', fine: 'every status shows on GitHub, and every way back exists', find };

/** Statuses of the map that the tracker lacks do no harm: a default map fits two workflows. */
function find({ route, vocabulary }: Pick<Site, 'route' | 'vocabulary'>): readonly Finding[] {
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

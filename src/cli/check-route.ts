import { isOpenView, statusSteps, statusView } from '../core/status.ts';
import { bugId } from '../model/ids.ts';
import type { Bug } from '../model/item.ts';
import type { CreateValues, Route, Vocabulary } from '../model/route.ts';

export interface Verdict {
  readonly level: 'ok' | 'warning' | 'failure';
  readonly about: string;
  /** What was found, and what to do about it. */
  readonly words: string;
}

/** Compares what a route asks for with what the tracker knows. One line each for what is wrong, and one for each part that is right. */
export function checkRoute(route: Route, vocabulary: Vocabulary): readonly Verdict[] {
  const part = (name: string, found: readonly Verdict[], ok: string): readonly Verdict[] =>
    found.length > 0 ? found : [{ level: 'ok', about: `route ${route.name}, ${name}`, words: ok }];
  return [
    ...part('selection', checkSelection(route, vocabulary), `product ${route.selection.product} and its components exist`),
    ...part('create', checkCreate(route, vocabulary), 'the tracker accepts the values of new bugs'),
    ...part('status', checkStatus(route, vocabulary), 'every status shows on GitHub, and every way back exists'),
    ...part('labels', checkLabels(route, vocabulary), 'the tracker tells the values that labels stand for'),
  ];
}

function checkSelection({ name, selection }: Route, { values }: Vocabulary): readonly Verdict[] {
  const about = `route ${name}, selection`;
  const known = values.component;
  if (known === undefined) {
    const words = `the tracker shows our account no product ${selection.product}; check its spelling and the rights of the account`;
    return [{ level: 'failure', about, words }];
  }
  const missing = (selection.components ?? []).filter((component) => !known.includes(component));
  const keyword = selection.keyword;
  const strange = keyword !== null && values.keywords !== undefined && !values.keywords.includes(keyword);
  return [
    ...missing.map((component) =>
      failure(about, `product ${selection.product} has no component "${component}"; it has ${known.join(', ')}`),
    ),
    ...(strange ? [failure(about, `the tracker has no keyword "${keyword}"; it has ${values.keywords?.join(', ') || 'none'}`)] : []),
  ];
}

const createFields = ['component', 'version', 'op_sys', 'platform', 'severity', 'priority'] as const satisfies (keyof CreateValues)[];

function checkCreate({ name, create, direction }: Route, { values }: Vocabulary): readonly Verdict[] {
  if (direction === 'to-github') return [];
  return createFields.flatMap((field) => {
    const [known, value] = [values[field], create[field]];
    if (known === undefined || known.includes(value)) return [];
    const shown = value === '' ? 'nothing' : `"${value}"`;
    return [failure(`route ${name}, create`, `create.${field} is ${shown}, which the tracker does not accept; it has ${known.join(', ')}`)];
  });
}

/** Statuses of the map that the tracker lacks do no harm: a default map fits two workflows. */
function checkStatus(route: Route, vocabulary: Vocabulary): readonly Verdict[] {
  const about = `route ${route.name}, status`;
  const { workflow } = vocabulary;
  if (workflow === null) return [warning(about, 'the tracker does not tell its workflow; statuses that cannot be reached will be parked')];
  const { toGithub, reopened, completed, notPlanned } = route.status;
  const statuses = Object.keys(workflow);
  const unmapped = statuses.filter((status) => toGithub[status] === undefined);
  const unknown = [...new Set([reopened, completed[0], notPlanned[0]])].filter((status) => !statuses.includes(status));
  if (unknown.length > 0)
    return unknown.map((status) => failure(about, `status.toTracker names ${status}; the tracker has ${statuses.join(', ')}`));
  return [
    ...unmapped.map((status) => warning(about, `status.toGithub does not name ${status}; bugs in that status wait for a person`)),
    ...(route.direction === 'to-github' ? [] : deadEnds(route, vocabulary, statuses).map((words) => warning(about, words))),
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

function checkLabels({ name, labels }: Route, { values }: Vocabulary): readonly Verdict[] {
  return labels.flatMap(({ from, as, both }) => {
    if (values[from] !== undefined || !both) return [];
    return [
      warning(`route ${name}, labels`, `the tracker does not tell its values of ${from}, so labels like "${as}" are taken as they come`),
    ];
  });
}

const failure = (about: string, words: string): Verdict => ({ level: 'failure', about, words });
const warning = (about: string, words: string): Verdict => ({ level: 'warning', about, words });

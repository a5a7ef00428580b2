import type { BugId } from '../../model/ids.ts';
import type { Bug, Value } from '../../model/item.ts';
import type { Base, Link } from '../../model/link.ts';
import type { BugPatch, IssuePatch } from '../../model/plan/draft.ts';
import type { StatusMap, StatusView, Vocabulary } from '../../model/route.ts';

/**
 * Status is a lens. A *view* is GitHub's version of a bug's status: `open`, `open: LABEL`, `completed`, `not_planned`,
 * `duplicate`. `statusView` gets it, `statusSteps` puts it back:
 *
 *   GetPut  putting the view that was read asks for no step
 *   PutGet  after the steps, the view that is read is the one that was put
 *
 * One exception: GitHub may say `duplicate` without naming the other issue. Then the bug is closed as not planned.
 */
export const encodeView = (view: StatusView): string =>
  view.label === null ? view.state : `${view.state}: ${view.label}`;

/** The view of a status; null if the map lacks the status. */
export function statusView(map: StatusMap, status: string, resolution: string): string | null {
  const shown = map.toGithub[status];
  if (shown === undefined) return null;
  if (isView(shown)) return encodeView(shown);
  const byResolution = shown[resolution] ?? shown['*'];
  return byResolution === undefined ? null : encodeView(byResolution);
}

export const isOpenView = (view: string): boolean => view === 'open' || view.startsWith('open: ');

/**
 * What GitHub shows instead of a status with which a cutover closed the bug; null if the tracker shows another one by
 * now. The sides agreed on two statuses: this one closes no issue.
 */
export function openDespite(base: Base | null, view: Value | null | undefined): string | null {
  const [tracker, github] = [base?.tracker.status, base?.github.status];
  if (typeof tracker !== 'string' || typeof github !== 'string' || tracker !== view) return null;
  return isOpenView(github) && !isOpenView(tracker) ? github : null;
}

/** The change that gives an issue its status back after the bridge closed it, if a cutover closed the bug. */
export function openingDespite(map: StatusMap, { base, tracker, github }: Link): IssuePatch {
  const view = tracker === null ? null : openDespite(base, statusView(map, tracker.status, tracker.resolution));
  const labels = statusLabels(map).filter((label) => view === encodeView({ state: 'open', label }));
  if (view === null || github === null) return {};
  const missing = labels.filter((label) => !github.labels.includes(label));
  return {
    ...(github.state === 'open' ? {} : { state: 'open' }),
    ...(missing.length === 0 ? {} : { labels: { add: missing, remove: [] } }),
  };
}

/** The labels that show a status, and therefore belong to the bridge. */
export function statusLabels(map: StatusMap): readonly string[] {
  const views = Object.values(map.toGithub).flatMap((shown) => (isView(shown) ? [shown] : Object.values(shown)));
  return [...new Set(views.flatMap((view) => (view.label === null ? [] : [view.label])))];
}

type StatusSteps =
  | { readonly kind: 'steps'; readonly steps: readonly BugPatch[]; readonly view: string }
  | { readonly kind: 'impossible'; readonly why: string };

/**
 * The changes that bring a bug to a view, each a separate request. The tracker's workflow decides how many are needed:
 * RESOLVED to IN_PROGRESS goes through CONFIRMED.
 */
export function statusSteps(
  map: StatusMap,
  vocabulary: Vocabulary,
  bug: Bug,
  view: string,
  duplicateOf: BugId | null,
): StatusSteps {
  const steps = (list: readonly BugPatch[], reached = view): StatusSteps => ({
    kind: 'steps',
    steps: list,
    view: reached,
  });
  if (statusView(map, bug.status, bug.resolution) === view) return steps([]);
  if (view === 'duplicate' && duplicateOf !== null && duplicateOf !== bug.id) return steps([{ dupeOf: duplicateOf }]);
  if (isOpenView(view)) {
    const target = openStatus(map, view);
    if (target === null) return impossible(`no tracker status shows on GitHub as "${view}"`);
    return walk(map, vocabulary, bug.status, target, (status) => ({ status }), steps);
  }
  const [status, resolution] = view === 'completed' ? map.completed : map.notPlanned;
  const reached = statusView(map, status, resolution) ?? view;
  // A VERIFIED bug keeps its status if only the resolution has to change.
  if (bug.resolution !== '' && statusView(map, bug.status, resolution) === reached)
    return steps([{ resolution }], reached);
  return walk(
    map,
    vocabulary,
    bug.status,
    status,
    (hop) => (hop === status ? { status, resolution } : { status: hop }),
    (list) => steps(list, reached),
  );
}

/** The statuses on the workflow's way to an open one, including the last; null if there is no way. */
export const wayTo = (map: StatusMap, { workflow }: Vocabulary, from: string, to: string): readonly string[] | null =>
  shortestPath(workflow, from, to, (status) => isOpenView(statusView(map, status, '') ?? ''), map.reopened);

function openStatus(map: StatusMap, view: string): string | null {
  if (statusView(map, map.reopened, '') === view) return map.reopened;
  return Object.keys(map.toGithub).find((status) => statusView(map, status, '') === view) ?? null;
}

function walk(
  map: StatusMap,
  vocabulary: Vocabulary,
  from: string,
  to: string,
  patch: (status: string) => BugPatch,
  found: (steps: readonly BugPatch[]) => StatusSteps,
): StatusSteps {
  if (from === to) return found([patch(to)]);
  const path = shortestPath(
    vocabulary.workflow,
    from,
    to,
    (status) => isOpenView(statusView(map, status, '') ?? ''),
    map.reopened,
  );
  return path === null ? impossible(`the tracker's workflow has no way from ${from} to ${to}`) : found(path.map(patch));
}

/**
 * Breadth first, through open statuses only: a closed one on the way would need a resolution that nobody chose. If
 * there are several ways, `preferred` decides: the others may be closed to a product, as UNCONFIRMED is by a setting.
 * Without a known workflow, the direct way is tried.
 */
function shortestPath(
  workflow: Vocabulary['workflow'],
  from: string,
  to: string,
  mayPass: (status: string) => boolean,
  preferred: string,
): readonly string[] | null {
  if (workflow === null || workflow[from] === undefined) return [to];
  const cameFrom = new Map<string, string>();
  const queue = [from];
  for (const status of queue) {
    const nexts = workflow[status] ?? [];
    for (const next of [...nexts.filter((each) => each === preferred), ...nexts]) {
      if (next === from || cameFrom.has(next)) continue;
      cameFrom.set(next, status);
      if (next === to) return wayBack(cameFrom, from, to);
      if (mayPass(next)) queue.push(next);
    }
  }
  return null;
}

function wayBack(cameFrom: ReadonlyMap<string, string>, from: string, to: string): readonly string[] {
  const path: string[] = [];
  for (let status: string | undefined = to; status !== undefined && status !== from; status = cameFrom.get(status))
    path.unshift(status);
  return path;
}

const impossible = (why: string): StatusSteps => ({ kind: 'impossible', why });

function isView(shown: StatusView | Readonly<Record<string, StatusView>>): shown is StatusView {
  return typeof shown['state'] === 'string';
}

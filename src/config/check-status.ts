import type { StatusView } from '../model/route.ts';
import type { Complaint, Path } from './problem.ts';
import { statusMapOf } from './routes.ts';
import type { WrittenRoute } from './schema/route.ts';

/**
 * The status map must be a lens: the status that a GitHub state sets on the tracker must map back to the same state.
 * Otherwise each cycle would undo the one before.
 */
export function statusComplaints(route: WrittenRoute, path: Path): Complaint[] {
  return [
    ...roundTrips(route, [...path, 'status', 'toTracker']),
    ...sharedLabels(route, [...path, 'status', 'toGithub']),
  ];
}

function roundTrips(route: WrittenRoute, path: Path): Complaint[] {
  const map = statusMapOf(route);
  const targets = [
    { name: 'reopened', state: 'open', status: map.reopened, resolution: '' },
    { name: 'completed', state: 'completed', status: map.completed[0], resolution: map.completed[1] },
    { name: 'not_planned', state: 'not_planned', status: map.notPlanned[0], resolution: map.notPlanned[1] },
  ];
  return targets.flatMap(({ name, state, status, resolution }) => {
    const view = viewOf(map.toGithub, status, resolution);
    if (view !== null && view.state === state && view.label === null) return [];
    const bug = resolution === '' ? status : `${status} ${resolution}`;
    const want = state === 'open' ? 'open without a label' : state;
    const seen = view === null ? 'does not map it' : `maps it to ${viewText(view)}`;
    const message = `status.toTracker.${name} sets ${bug}, but status.toGithub ${seen}; it must map it to ${want}`;
    return [{ path: [...path, name], message }];
  });
}

function viewOf(
  toGithub: ReturnType<typeof statusMapOf>['toGithub'],
  status: string,
  resolution: string,
): StatusView | null {
  const shown = Object.hasOwn(toGithub, status) ? toGithub[status] : undefined;
  if (shown === undefined) return null;
  if (isView(shown)) return shown;
  const named = Object.hasOwn(shown, resolution) ? shown[resolution] : undefined;
  return named ?? (resolution === '' ? undefined : shown['*']) ?? null;
}

const isView = (shown: StatusView | Readonly<Record<string, StatusView>>): shown is StatusView =>
  typeof shown['state'] === 'string';

const viewText = (view: StatusView): string =>
  view.label === null ? view.state : `${view.state} with the label "${view.label}"`;

/** A label with two statuses could not be read back. GitHub ignores case in labels. */
function sharedLabels(route: WrittenRoute, path: Path): Complaint[] {
  const owners = new Map<string, string>();
  const complaints: Complaint[] = [];
  for (const [status, shown] of Object.entries(statusMapOf(route).toGithub)) {
    if (!isView(shown) || shown.label === null) continue;
    const owner = owners.get(shown.label.toLowerCase());
    if (owner === undefined) owners.set(shown.label.toLowerCase(), status);
    else
      complaints.push({
        path: [...path, status],
        message: `${status} and ${owner} have the same label; each needs its own`,
      });
  }
  return complaints;
}

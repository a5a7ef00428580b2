import { bugHidden, bugMissing, notABug } from './errors.ts';
import type { TrackerBug, TrackerState } from './state.ts';
import { maySee, type Viewer } from './users.ts';

/**
 * The bug that a text in a path or a body means, if the viewer may see it. Throws code 100 for an unknown alias (and for what is
 * neither), 101 for a missing bug, 102 for a hidden one.
 */
export function bugFor(state: TrackerState, viewer: Viewer, idOrAlias: string): TrackerBug {
  const bug = /^\d+$/.test(idOrAlias) ? state.bugs.get(Number(idOrAlias)) : bugWithAlias(state, idOrAlias);
  if (bug === undefined) throw /^\d+$/.test(idOrAlias) ? bugMissing(Number(idOrAlias)) : notABug(idOrAlias);
  if (!maySee(viewer, bug)) throw bugHidden(bug.id, viewer === null);
  return bug;
}

/** Several bugs, each once, in the order asked for; one that cannot be had fails them all. */
export function bugsFor(state: TrackerState, viewer: Viewer, idsOrAliases: readonly string[]): readonly TrackerBug[] {
  const bugs = idsOrAliases.map((id) => bugFor(state, viewer, id));
  return [...new Map(bugs.map((bug) => [bug.id, bug])).values()];
}

export const bugWithAlias = (state: TrackerState, alias: string): TrackerBug | undefined =>
  [...state.bugs.values()].find((bug) => bug.alias.some((name) => name.toLowerCase() === alias.toLowerCase()));

/** All bugs as the lists show them, which may be as they stood a moment ago; ascending by id. */
export function listedBugs(state: TrackerState, lagMs: number): readonly TrackerBug[] {
  const rows = new Map<number, TrackerBug | null>(state.bugs);
  const shownAt = state.now() - lagMs;
  for (const past of state.past.toReversed()) {
    if (past.until > shownAt && state.bugs.has(past.id)) rows.set(past.id, past.bug);
  }
  return [...rows.values()].filter((bug) => bug !== null).sort((one, other) => one.id - other.id);
}

import { flagShape } from '../attachments/flags.ts';
import { type FieldChoice, isPartWanted, isWanted } from '../installation/field-choice.ts';
import { wireTime } from '../installation/times.ts';
import { isIn, maySee, type Viewer } from '../installation/users.ts';
import { isOpen } from '../installation/workflow.ts';
import { bugHidden, bugMissing, notABug } from '../server/errors.ts';
import type { TrackerBug, TrackerState } from '../world/state.ts';

/**
 * The bug that a text in a path or a body names, if the viewer may see it. Throws code 100 for an unknown alias (and for any other text),
 * 101 for a missing bug, 102 for a hidden one.
 */
export function bugFor(state: TrackerState, viewer: Viewer, idOrAlias: string): TrackerBug {
  const bug = /^\d+$/.test(idOrAlias) ? state.bugs.get(Number(idOrAlias)) : bugWithAlias(state, idOrAlias);
  if (bug === undefined) throw /^\d+$/.test(idOrAlias) ? bugMissing(Number(idOrAlias)) : notABug(idOrAlias);
  if (!maySee(viewer, bug)) throw bugHidden(bug.id, viewer === null);
  return bug;
}

/** Several bugs, each once, in the requested order; one that the viewer may not see fails all. */
export function bugsFor(state: TrackerState, viewer: Viewer, idsOrAliases: readonly string[]): readonly TrackerBug[] {
  const bugs = idsOrAliases.map((id) => bugFor(state, viewer, id));
  return [...new Map(bugs.map((bug) => [bug.id, bug])).values()];
}

export const bugWithAlias = (state: TrackerState, alias: string): TrackerBug | undefined =>
  [...state.bugs.values()].find((bug) => bug.alias.some((name) => name.toLowerCase() === alias.toLowerCase()));

/** All bugs as lists show them, possibly in an earlier state; ascending by id. */
export function listedBugs(state: TrackerState, lagMs: number): readonly TrackerBug[] {
  const rows = new Map<number, TrackerBug | null>(state.bugs);
  const shownAt = state.now() - lagMs;
  for (const past of state.past.toReversed()) {
    if (past.until > shownAt && state.bugs.has(past.id)) rows.set(past.id, past.bug);
  }
  return [...rows.values()].filter((bug) => bug !== null).sort((one, other) => one.id - other.id);
}

export type Shape = Record<string, unknown>;

/**
 * A bug as the REST interface shows it to the viewer. `hasToken` adds the update token, which single reads show to logged-in users, and
 * searches never.
 */
export function bugShape(state: TrackerState, viewer: Viewer, bug: TrackerBug, choice: FieldChoice, hasToken = false): Shape {
  const { createdAt, changedAt, hours, custom, ...plain } = bug;
  const fields: Shape = {
    ...plain,
    ...custom,
    flags: bug.flags.map(flagShape),
    creation_time: wireTime(createdAt),
    last_change_time: wireTime(changedAt),
    is_open: isOpen(bug.status),
    classification: 'Unclassified',
  };
  if (isIn(viewer, state.settings.timetrackinggroup)) {
    Object.assign(fields, { actual_time: hours.actual, estimated_time: hours.estimated, remaining_time: hours.remaining });
  }
  if (viewer !== null && hasToken) fields['update_token'] = `${Math.floor(changedAt / 1000)}-${bug.id}-${viewer.id}`;
  const shown: Shape = {};
  for (const [field, value] of Object.entries(fields)) if (isWanted(choice, field)) shown[field] = value;
  addTags(shown, choice);
  addDetails(shown, state, bug, choice);
  return shown;
}

/** Personal tags, always empty here, are shown only on request. */
function addTags(shown: Shape, choice: FieldChoice): void {
  if (isWanted(choice, 'tags', ['extra'])) shown['tags'] = [];
}

/** Each person is shown as a login and a record, either both or neither. */
function addDetails(shown: Shape, state: TrackerState, bug: TrackerBug, choice: FieldChoice): void {
  for (const field of ['creator', 'assigned_to', 'qa_contact'] as const) {
    if (field in shown && bug[field] !== '') {
      shown[`${field}_detail`] = personShape(state, bug[field], choice, field);
    }
  }
  if ('cc' in shown) {
    shown['cc_detail'] = bug.cc.map((login) => personShape(state, login, choice, 'cc'));
  }
}

/** The record of a person, with the wanted parts of its field. */
function personShape(state: TrackerState, login: string, choice: FieldChoice, field: string): Shape {
  const user = state.users.find((candidate) => candidate.login === login);
  const record: Shape = { id: user?.id ?? 0, name: login, email: login, real_name: user?.realName ?? '' };
  return Object.fromEntries(Object.entries(record).filter(([part]) => isPartWanted(choice, field, part)));
}

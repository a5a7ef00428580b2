import { createHash } from 'node:crypto';
import { flagShape } from '../attachments/flags.ts';
import { type FieldChoice, isPartWanted, isWanted } from '../installation/field-choice.ts';
import { personRecord } from '../installation/person.ts';
import { wireTime } from '../installation/times.ts';
import { isIn, maySee, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { isOpen } from '../installation/workflow.ts';
import { bugHidden, bugMissing, notABug } from '../server/errors.ts';
import type { TrackerBug, TrackerState, User } from '../world/state.ts';

/**
 * The bug that a text in a path or a body names, if the viewer may see it. Throws code 100 for an unknown alias (and
 * for any other text), 101 for a missing bug, 102 for a hidden one.
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
 * A bug as the REST interface shows it to the viewer. `hasToken` adds the update token, which single reads show to
 * logged-in users, and searches never.
 */
export function bugShape(
  state: TrackerState,
  viewer: Viewer,
  bug: TrackerBug,
  choice: FieldChoice,
  hasToken = false,
): Shape {
  const { createdAt, changedAt, hours, custom, votes: _rich, ...plain } = bug;
  const isRich = way(state, 'bugKeys') === 'rich';
  const fields: Shape = {
    ...plain,
    ...shownCustom(state, custom),
    flags: bug.flags.map(flagShape),
    creation_time: wireTime(createdAt),
    last_change_time: wireTime(changedAt),
    is_open: isOpen(bug.status),
    classification: 'Unclassified',
    alias: aliasShape(state, bug),
    ...(isRich ? richKeys(state, bug) : {}),
  };
  if (isRich && !isIn(viewer, state.settings.timetrackinggroup)) delete fields['deadline'];
  if (isIn(viewer, state.settings.timetrackinggroup)) {
    Object.assign(fields, {
      actual_time: hours.actual,
      estimated_time: hours.estimated,
      remaining_time: hours.remaining,
    });
  }
  if (viewer !== null && hasToken) fields['update_token'] = updateToken(state, viewer, bug);
  const shown: Shape = {};
  for (const [field, value] of Object.entries(fields)) if (isWanted(choice, field)) shown[field] = value;
  if (!way(state, 'nested')) addExtras(shown, state, bug, choice);
  addDetails(shown, state, bug, choice);
  return shown;
}

function shownCustom({ customFields }: TrackerState, custom: TrackerBug['custom']): Shape {
  const unseen = customFields.filter(({ isUnseen }) => isUnseen === true).map(({ name }) => name);
  return Object.fromEntries(Object.entries(custom).filter(([name]) => !unseen.includes(name)));
}

/** The second in which it was given out, and 43 characters that depend on what it was given out for. */
function updateToken({ url, now }: TrackerState, viewer: User, { id, changedAt }: TrackerBug): string {
  const second = Math.floor(now() / 1000);
  return `${second}-${createHash('sha256').update(`${url} ${viewer.id} ${id} ${changedAt} ${second}`).digest('base64url')}`;
}

/** Shown only on request. Personal tags are always empty here. */
function addExtras(shown: Shape, state: TrackerState, bug: TrackerBug, choice: FieldChoice): void {
  if (isWanted(choice, 'tags', ['extra'])) shown['tags'] = [];
  if (way(state, 'showsDuplicates') && isWanted(choice, 'duplicates', ['extra']))
    shown['duplicates'] = duplicatesOf(state, bug);
}

export const duplicatesOf = (state: TrackerState, bug: TrackerBug): readonly number[] =>
  [...state.bugs.values()].filter(({ dupe_of }) => dupe_of === bug.id).map(({ id }) => id);

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
  return Object.fromEntries(
    Object.entries(personRecord(state, login)).filter(([part]) => isPartWanted(choice, field, part)),
  );
}

/** What harmony adds. Only insiders of hours see the deadline there. */
function richKeys(state: TrackerState, bug: TrackerBug): Shape {
  const closed = (state.history.get(bug.id) ?? []).findLast(({ field, added }) => field === 'status' && !isOpen(added));
  return {
    comment_count: state.comments.get(bug.id)?.length ?? 0,
    duplicates: duplicatesOf(state, bug),
    regressions: [],
    regressed_by: [],
    mentors: [],
    mentors_detail: [],
    votes: bug.votes ?? 0,
    cf_last_resolved: closed === undefined ? null : wireTime(closed.at),
    cf_user_story: '',
  };
}

/** The aliases of a bug, in the form of the version. */
export const aliasShape = (state: TrackerState, { alias }: Pick<TrackerBug, 'alias'>): unknown =>
  way(state, 'aliases') === 'many' ? alias : (alias[0] ?? null);

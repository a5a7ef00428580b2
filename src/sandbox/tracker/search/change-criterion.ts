import { chartTime, databaseTime } from '../chart/date.ts';
import { type ChartField, invalidPair } from '../chart/field.ts';
import type { CriterionValue } from '../chart/operator.ts';
import { localTime } from '../installation/times.ts';
import { userNamed } from '../installation/users.ts';
import type { HistoryRow, TrackerBug } from '../world/state.ts';
import type { Criterion } from './criterion.ts';
import type { Scope } from './scope.ts';
import { areSame } from './words.ts';

interface Row {
  readonly at: number;
  readonly who: string;
  readonly removed: string;
  readonly added: string;
}

/**
 * Criteria on changes of a field: `changedbefore` and `changedafter` take a time (inclusive, and with respect for its
 * zone), `changedfrom` and `changedto` a value, `changedby` a login. Comments count as changes of the field `longdesc`.
 */
export function changeCriterion(
  scope: Scope,
  name: string,
  field: ChartField,
  operator: string,
  wanted: CriterionValue,
): Criterion {
  if (field.holding === 'content') throw invalidPair(name, operator);
  const isValue = operator === 'changedfrom' || operator === 'changedto';
  if (['owner_idle_time', 'last_visit_ts'].includes(name) || (name === 'longdescs.count' && isValue))
    throw invalidPair(name, operator);
  const { state } = scope;
  if (name === 'creation_ts' && (operator === 'changedbefore' || operator === 'changedafter')) {
    return { kind: 'bug', test: createdTest(scope, operator, wanted.text) };
  }
  const satisfies = rowTest(scope, operator, wanted.text);
  const isComment = ['longdesc', 'longdescs.count'].includes(name) && !isValue;
  const rowsOf = (bug: TrackerBug): readonly Row[] =>
    isComment
      ? scope.commentsOf(bug).map(({ at, creator }) => ({ at, who: creator, removed: '', added: '' }))
      : (state.history.get(bug.id) ?? []).map((row) => (isOf(scope, name, field, row) ? row : nothing));
  const rows = (bug: TrackerBug): readonly number[] =>
    rowsOf(bug).flatMap((row, index) => (row !== nothing && satisfies(row) ? [index] : []));
  return { kind: 'rows', table: isComment ? 'comments' : 'history', rows };
}

const nothing: Row = { at: 0, who: '', removed: '', added: '' };

/** Only insiders see changes of a private attachment. */
function isOf({ state, isInsider }: Scope, name: string, field: ChartField, row: HistoryRow): boolean {
  if (row.field !== (field.historyName ?? name)) return false;
  return isInsider || row.attachment === null || state.attachments.get(row.attachment)?.isPrivate !== true;
}

function rowTest({ state, viewer }: Scope, operator: string, text: string): (row: Row) => boolean {
  if (operator === 'changedfrom') return ({ removed }) => areSame(removed, text);
  if (operator === 'changedto') return ({ added }) => areSame(added, text);
  if (operator === 'changedby') {
    const login = text === '%user%' && viewer !== null ? viewer.login : userNamed(state, text).login;
    return ({ who }) => who === login;
  }
  const time = chartTime(text, state.now(), state.timeZone);
  const isBefore = operator === 'changedbefore';
  return ({ at }) => (isBefore ? localTime(at, state.timeZone) <= time : localTime(at, state.timeZone) >= time);
}

/** A bug's creation time changes once. */
function createdTest({ state }: Scope, operator: string, text: string): (bug: TrackerBug) => boolean {
  const time = databaseTime(text);
  return ({ createdAt }) => {
    const created = localTime(createdAt, state.timeZone);
    return time !== null && (operator === 'changedbefore' ? created <= time : created >= time);
  };
}

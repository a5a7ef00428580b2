import { bugShape, bugsFor, type Shape } from '../bugs/bugs.ts';
import { changeBugs } from '../bugs/change-bug.ts';
import { fileBug } from '../bugs/file-bug.ts';
import { historyShape } from '../bugs/history.ts';
import { parseTime, wholeSecond, wireTime } from '../installation/times.ts';
import { searchBugs } from '../search/search.ts';
import { type Call, userOf } from '../server/call.ts';
import { missingArgument } from '../server/errors.ts';
import { scalarText } from '../server/request.ts';

/** GET /rest/bug */
export function search({ state, viewer, query, fields }: Call): unknown {
  return { bugs: searchBugs(state, viewer, query).map((bug) => bugShape(state, viewer, bug, fields)) };
}

/** GET /rest/bug/ID?ids=..., where one bug that the caller may not see fails the whole request. */
export function getBugs(call: Call): unknown {
  const { state, viewer, fields } = call;
  return { bugs: bugsFor(state, viewer, idsOf(call)).map((bug) => bugShape(state, viewer, bug, fields, true)), faults: [] };
}

/** POST /rest/bug, which answers 200. */
export function createBug(call: Call): unknown {
  const { state, request } = call;
  return { id: fileBug(state, userOf(call), request, wholeSecond(state.now())) };
}

/** PUT /rest/bug/ID. Ids in the body replace the one in the path. */
export function updateBugs(call: Call): unknown {
  const { state, name } = call;
  const { ids, ...request } = call.request;
  const wanted = ids === undefined ? [name] : (Array.isArray(ids) ? ids : [ids]).map(scalarText);
  const changed = changeBugs(state, userOf(call), wanted, request, wholeSecond(state.now()));
  return { bugs: changed.map(({ id, changes }): Shape => ({ ...summaryOf(call, id), changes })) };
}

/** GET /rest/bug/ID/history?new_since=..., exclusive. */
export function getHistory(call: Call): unknown {
  const { state, viewer, query } = call;
  const since = query.get('new_since');
  const sinceAt = since === null ? null : parseTime(since, state.timeZone);
  return { bugs: bugsFor(state, viewer, idsOf(call)).map((bug) => historyShape(state, viewer, bug, sinceAt)) };
}

/** The bugs of a read: the one in the path and those of `ids`, a repeated parameter without commas. */
export function idsOf({ name, query }: Call): readonly string[] {
  const ids = [...(name === '' ? [] : [name]), ...query.getAll('ids')];
  if (ids.length === 0) throw missingArgument('Bug.get requires', 'ids');
  return ids;
}

function summaryOf({ state }: Call, id: number): Shape {
  const bug = state.bugs.get(id);
  return { id, alias: bug?.alias ?? [], last_change_time: wireTime(bug?.changedAt ?? 0) };
}

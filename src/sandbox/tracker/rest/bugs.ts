import { aliasShape, bugShape, bugsFor, type Shape } from '../bugs/bugs.ts';
import { changeBugs } from '../bugs/change-bug.ts';
import { fileBug } from '../bugs/file-bug.ts';
import { historyShape } from '../bugs/history.ts';
import { changeTags, tagsOnCreation } from '../comments/tags.ts';
import { parseTime, wholeSecond, wireTime } from '../installation/times.ts';
import { way } from '../installation/versions.ts';
import { searchBugs } from '../search/search.ts';
import { type Call, userOf } from '../server/call.ts';
import { scalarText } from '../server/request.ts';
import type { TrackerBug } from '../world/state.ts';
import { idsOf } from './ids.ts';
import { nestedShapes } from './nested.ts';

/** GET /rest/bug */
export function search(call: Call): unknown {
  const { state, viewer, query } = call;
  const found = searchBugs(state, viewer, query);
  if (query.get('count_only') === '1' && way(state, 'countOnly')) return { bug_count: found.length };
  return { bugs: found.map((bug) => bugOf(call, bug)) };
}

/** GET /rest/bug/ID?ids=..., where one bug that the caller may not see fails the whole request. */
export function getBugs(call: Call): unknown {
  const { state, viewer } = call;
  return { bugs: bugsFor(state, viewer, idsOf(call)).map((bug) => bugOf(call, bug, true)), faults: [] };
}

const bugOf = (call: Call, bug: TrackerBug, hasToken = false): Shape => ({
  ...bugShape(call.state, call.viewer, bug, call.fields, hasToken),
  ...nestedShapes(call, bug),
});

/** POST /rest/bug, which answers 200. */
export function createBug(call: Call): unknown {
  const { state, request } = call;
  const user = userOf(call);
  const add = tagsOnCreation(state, user, request);
  const id = fileBug(state, user, request, wholeSecond(state.now()));
  const [description] = state.comments.get(id) ?? [];
  if (description !== undefined && add.length > 0) changeTags(state, user, description.id, { add, remove: [] });
  return { id };
}

/** PUT /rest/bug/ID. Ids in the body replace the one in the path. */
export function updateBugs(call: Call): unknown {
  const { state, name } = call;
  const { ids, ...request } = call.request;
  const wanted = ids === undefined ? [name] : (Array.isArray(ids) ? ids : [ids]).map(scalarText);
  const changed = changeBugs(state, userOf(call), wanted, request, wholeSecond(state.now()));
  return { bugs: changed.map(({ id, changes, alias }): Shape => ({ ...summaryOf(call, id, alias), changes })) };
}

/** GET /rest/bug/ID/history?new_since=..., exclusive. */
export function getHistory(call: Call): unknown {
  const { state, viewer, query } = call;
  const since = query.get('new_since');
  const sinceAt = since === null ? null : parseTime(since, state.timeZone);
  return { bugs: bugsFor(state, viewer, idsOf(call)).map((bug) => historyShape(state, viewer, bug, sinceAt)) };
}

function summaryOf({ state }: Call, id: number, alias: readonly string[]): Shape {
  return { id, alias: aliasShape(state, { alias }), last_change_time: wireTime(state.bugs.get(id)?.changedAt ?? 0) };
}

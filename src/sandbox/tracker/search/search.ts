import { listedBugs } from '../bugs/bugs.ts';
import { chartTest } from '../chart/chart.ts';
import { isOn } from '../installation/settings.ts';
import { localTime, parseTime } from '../installation/times.ts';
import { maySee, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { missingArgument, TrackerError } from '../server/errors.ts';
import type { TrackerBug, TrackerState } from '../world/state.ts';
import { ordered } from './order.ts';
import { type Parameters, queryParameters, searchParameters, textIn } from './parameters.ts';
import { quicksearch } from './quicksearch.ts';
import { type Scope, searchScope } from './scope.ts';
import { searchClause } from './search-clause.ts';

/**
 * GET /rest/bug (spec 4.3). Unknown arguments do not narrow the search, so a wrong one finds everything; the list is
 * silently cut at the tracker's maximum; only internal names sort. Throws 1000 for a search without criteria, where
 * that is forbidden, 50 for an offset without a limit, 52 for a limit that is not a number, and the errors of criteria
 * (criterion.ts).
 */
export function searchBugs(state: TrackerState, viewer: Viewer, query: URLSearchParams): readonly TrackerBug[] {
  const scope = searchScope(state, viewer);
  const asked = withTimes(scope, readParameters(state, query));
  const parameters = asked.has('quicksearch') ? quicksearch(scope, asked) : asked;
  if (!parameters.has('limit') && parameters.has('offset')) throw missingArgument('Bug.search() requires', 'limit');
  const test = chartTest(scope, searchClause(scope, searchParameters(parameters)));
  if (test === null && !isOn(state.settings, 'search_allow_no_criteria')) throw nothingAsked();
  const { limit, offset } = window(parameters, state.maxSearchResults);
  const found = listedBugs(state, state.listLagMs).filter(
    (bug) => isSeen(state, viewer, bug) && (test === null || test(bug)),
  );
  return ordered(scope, found, textIn(parameters, 'order') ?? '').slice(offset, offset + limit);
}

function readParameters(state: TrackerState, query: URLSearchParams): Parameters {
  const all = queryParameters(query);
  return way(state, 'searchesTags') ? all : new Map([...all].filter(([name]) => name !== 'tags'));
}

/** Even a list that lags never shows a bug that has been hidden meanwhile. */
const isSeen = (state: TrackerState, viewer: Viewer, bug: TrackerBug): boolean =>
  maySee(viewer, bug) && maySee(viewer, state.bugs.get(bug.id) ?? bug);

const nothingAsked = (): TrackerError =>
  new TrackerError(1000, 400, 'You may not search, or create saved searches, without any search terms.');

/** These two read a time with its zone and convert it to the server's. */
function withTimes({ state }: Scope, asked: Parameters): Parameters {
  const local = (text: string): string => localTime(parseTime(text, state.timeZone), state.timeZone);
  const times = ['last_change_time', 'creation_time'];
  return new Map([...asked].map(([name, values]) => [name, times.includes(name) ? values.map(local) : values]));
}

/** A limit of 0, or one that is not a number, means the maximum and drops the offset. */
function window(parameters: Parameters, max: number): { readonly limit: number; readonly offset: number } {
  const limitText = textIn(parameters, 'limit');
  const offsetText = textIn(parameters, 'offset');
  if (limitText === undefined || (Number.parseFloat(limitText) || 0) === 0) return { limit: max, offset: 0 };
  const limit = Math.min(Number.parseFloat(limitText), max);
  if (limit !== max && !/^\d+$/.test(limitText)) throw notNumeric('limit');
  if (offsetText !== undefined && !/^\d+$/.test(offsetText)) throw notNumeric('offset');
  return { limit, offset: Number(offsetText ?? 0) };
}

const notNumeric = (name: string): TrackerError =>
  new TrackerError(52, 400, `Invalid parameter ${name} passed to Bugzilla::Search::new: It must be numeric.`);

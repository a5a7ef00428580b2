import { listedBugs } from './bugs.ts';
import { chartTest, type Test } from './chart.ts';
import { missingArgument, TrackerError } from './errors.ts';
import type { TrackerBug, TrackerState } from './state.ts';
import { parseTime } from './times.ts';
import { maySee, type Viewer } from './users.ts';
import { isOpen, statuses } from './workflow.ts';

/**
 * GET /rest/bug. Arguments that are not understood do not narrow the search, so that a wrong one finds everything; the list is
 * silently cut at the tracker's maximum; only internal names sort.
 */
export function searchBugs(state: TrackerState, viewer: Viewer, query: URLSearchParams): readonly TrackerBug[] {
  const tests = [...criteria(query), chartTest(query)].filter((test) => test !== null);
  const { limit, offset } = window(query, state.maxSearchResults);
  const found = listedBugs(state, state.listLagMs).filter((bug) => isSeen(state, viewer, bug) && tests.every((test) => test(bug)));
  return ordered(found, query.get('order') ?? '').slice(offset, offset + limit);
}

/** A list that lags behind still never shows what has been hidden meanwhile. */
const isSeen = (state: TrackerState, viewer: Viewer, bug: TrackerBug): boolean =>
  maySee(viewer, bug) && maySee(viewer, state.bugs.get(bug.id) ?? bug);

/** A limit of 0 means the maximum, and forgets the offset. */
function window(query: URLSearchParams, max: number): { readonly limit: number; readonly offset: number } {
  const limitText = query.get('limit');
  const offsetText = query.get('offset');
  if (limitText === null && offsetText !== null) throw missingArgument('Bug.search() requires', 'limit');
  if (limitText !== null && /^-\d/.test(limitText)) {
    throw new TrackerError(52, 400, 'Invalid parameter limit passed to Bugzilla::Search::new: It must be numeric.');
  }
  const limit = /^\d+$/.test(limitText ?? '') ? Number(limitText) : 0;
  if (limit === 0) return { limit: max, offset: 0 };
  return { limit: Math.min(limit, max), offset: /^\d+$/.test(offsetText ?? '') ? Number(offsetText) : 0 };
}

type Choose = (bug: TrackerBug) => string;
/** Each value is compared as a whole; several values are alternatives. An unknown one finds nothing. */
const exact: Readonly<Record<string, Choose>> = {
  product: (bug) => bug.product,
  component: (bug) => bug.component,
  version: (bug) => bug.version,
  target_milestone: (bug) => bug.target_milestone,
  severity: (bug) => bug.severity,
  bug_severity: (bug) => bug.severity,
  priority: (bug) => bug.priority,
  platform: (bug) => bug.platform,
  rep_platform: (bug) => bug.platform,
  op_sys: (bug) => bug.op_sys,
  classification: () => 'Unclassified',
};

/** All words must occur somewhere in the value. */
const words: Readonly<Record<string, (bug: TrackerBug) => readonly string[]>> = {
  summary: (bug) => [bug.summary],
  short_desc: (bug) => [bug.summary],
  whiteboard: (bug) => [bug.whiteboard],
  url: (bug) => [bug.url],
  creator: (bug) => [bug.creator],
  reporter: (bug) => [bug.creator],
  assigned_to: (bug) => [bug.assigned_to],
  qa_contact: (bug) => [bug.qa_contact],
  cc: (bug) => bug.cc,
};

/** One of the values must be an element. */
const elements: Readonly<Record<string, (bug: TrackerBug) => readonly (string | number)[]>> = {
  alias: (bug) => bug.alias,
  see_also: (bug) => bug.see_also,
  depends_on: (bug) => bug.depends_on,
  blocks: (bug) => bug.blocks,
  groups: (bug) => bug.groups,
};

function criteria(query: URLSearchParams): readonly (Test | null)[] {
  return [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    if (exact[name] !== undefined) return exactTest(exact[name], values);
    if (words[name] !== undefined) return wordsTest(words[name], values);
    if (elements[name] !== undefined) return elementsTest(elements[name], values);
    return specialTest(name, values);
  });
}

function specialTest(name: string, values: readonly string[]): Test | null {
  const [first = ''] = values;
  switch (name) {
    case 'id':
    case 'bug_id':
      return elementsTest((bug) => [bug.id, ...bug.alias], values);
    case 'status':
    case 'bug_status':
      return statusTest(values);
    case 'resolution':
      return (bug) => values.some((value) => bug.resolution === (value === '---' ? '' : value));
    case 'keywords':
      return (bug) => commaParts(values).every((word) => bug.keywords.includes(word));
    case 'last_change_time': {
      const since = parseTime(first, 'UTC');
      return (bug) => bug.changedAt >= since;
    }
    case 'creation_time': {
      const since = parseTime(first, 'UTC');
      return (bug) => bug.createdAt >= since;
    }
    case 'tag':
    case 'tags':
      return () => false;
    default:
      return null;
  }
}

const commaParts = (values: readonly string[]): readonly string[] => values.flatMap((value) => value.split(',')).map((part) => part.trim());

function exactTest(choose: Choose, values: readonly string[]): Test {
  const wanted = values.map((value) => value.toLowerCase());
  return (bug) => wanted.includes(choose(bug).toLowerCase());
}

function wordsTest(valuesOf: (bug: TrackerBug) => readonly string[], values: readonly string[]): Test {
  const asked = values.map((value) => value.toLowerCase().split(/\s+/));
  return (bug) => valuesOf(bug).some((value) => asked.some((all) => all.every((word) => value.toLowerCase().includes(word))));
}

function elementsTest(elementsOf: (bug: TrackerBug) => readonly (string | number)[], values: readonly string[]): Test {
  const wanted = commaParts(values);
  return (bug) => elementsOf(bug).some((element) => wanted.includes(String(element)));
}

/** Unknown statuses are dropped; when none is left, nothing is asked. */
function statusTest(values: readonly string[]): Test | null {
  const known = values.flatMap((value) => {
    if (value === '__open__') return statuses.filter(isOpen);
    if (value === '__closed__') return statuses.filter((status) => !isOpen(status));
    return value === '__all__' ? statuses : statuses.filter((status) => status === value.toUpperCase());
  });
  return known.length === 0 ? null : (bug) => known.includes(bug.status);
}

const sortKeys: Readonly<Record<string, (bug: TrackerBug) => string | number>> = {
  bug_id: (bug) => bug.id,
  changeddate: (bug) => bug.changedAt,
  'bugs.delta_ts': (bug) => bug.changedAt,
  opendate: (bug) => bug.createdAt,
  short_desc: (bug) => bug.summary,
  product: (bug) => bug.product,
  component: (bug) => bug.component,
};

/** What cannot be sorted by is left out; without any order the rows come as they are stored. */
function ordered(bugs: readonly TrackerBug[], order: string): readonly TrackerBug[] {
  const terms = order.split(',').flatMap((term) => {
    const [name = '', direction = 'ASC'] = term.trim().split(/\s+/);
    const key = sortKeys[name];
    return key === undefined ? [] : [{ key, sign: direction.toUpperCase() === 'DESC' ? -1 : 1 }];
  });
  return bugs.toSorted((one, other) => {
    for (const { key, sign } of terms) {
      if (key(one) !== key(other)) return key(one) < key(other) ? -sign : sign;
    }
    return 0;
  });
}

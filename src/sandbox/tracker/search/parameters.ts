/**
 * The arguments of a search under the names that the advanced search screen uses (spec 4.3). Every name has at least
 * one value; unknown names are ignored, so a wrong name finds everything.
 */
export type Parameters = ReadonlyMap<string, readonly string[]>;

const internalNames: ReadonlyMap<string, string> = new Map([
  ['blocks', 'blocked'],
  ['creation_time', 'creation_ts'],
  ['creator', 'reporter'],
  ['depends_on', 'dependson'],
  ['id', 'bug_id'],
  ['is_cc_accessible', 'cclist_accessible'],
  ['is_confirmed', 'everconfirmed'],
  ['is_creator_accessible', 'reporter_accessible'],
  ['last_change_time', 'delta_ts'],
  ['platform', 'rep_platform'],
  ['severity', 'bug_severity'],
  ['status', 'bug_status'],
  ['summary', 'short_desc'],
  ['tags', 'tag'],
  ['url', 'bug_file_loc'],
  ['whiteboard', 'status_whiteboard'],
]);

/** Names from before the last renaming, which searches still accept. */
export const olderNames: ReadonlyMap<string, string> = new Map([
  ['attachments.thedata', 'attach_data.thedata'],
  ['changedin', 'days_elapsed'],
  ['long_desc', 'longdesc'],
  ['tags', 'tag'],
]);

export function queryParameters(query: URLSearchParams): Parameters {
  return new Map([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
}

/** Replaces names of the interface by internal ones, and sets the interface's kind of match for some fields. */
export function searchParameters(asked: Parameters): Parameters {
  const named = new Map([...asked].map(([name, values]) => [internalNames.get(name) ?? name, values]));
  for (const name of ['short_desc', 'longdesc', 'status_whiteboard', 'bug_file_loc']) {
    if (named.has(name) && !named.has(`${name}_type`)) named.set(`${name}_type`, ['allwordssubstr']);
  }
  if (named.has('keywords') && !named.has('keywords_type')) named.set('keywords_type', ['allwords']);
  return renamed(asCharts(named));
}

/** Times and people become criteria after those of the custom search, and so belong to any group still open there. */
function asCharts(parameters: Map<string, readonly string[]>): Map<string, readonly string[]> {
  let next = Math.max(0, ...fieldNumbers(parameters)) + 1;
  const move = (field: string, operator: string): void => {
    const values = parameters.get(field);
    if (values === undefined) return;
    parameters.delete(field);
    parameters
      .set(`f${next}`, [field])
      .set(`o${next}`, [operator])
      .set(`v${next}`, [values.join(' ')]);
    next += 1;
  };
  for (const field of ['delta_ts', 'creation_ts']) move(field, 'greaterthaneq');
  for (const field of ['assigned_to', 'reporter', 'qa_contact', 'longdesc', 'cc']) move(field, 'anywordssubstr');
  return parameters;
}

function renamed(parameters: Map<string, readonly string[]>): Parameters {
  const idType = parameters.get('bugidtype');
  if (idType !== undefined) parameters.set('bug_id_type', [idType[0] === 'exclude' ? 'nowords' : 'anyexact']);
  for (const [older, name] of olderNames) {
    const values = parameters.get(older);
    if (values !== undefined) parameters.set(name, values);
  }
  return parameters;
}

/** The numbers n of all parameters `fn`, ascending. */
export const fieldNumbers = (parameters: Parameters): readonly number[] =>
  [...parameters.keys()]
    .flatMap((name) => /^f(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);

/** A parameter that has one value. */
export const textIn = (parameters: Parameters, name: string): string | undefined => parameters.get(name)?.join(',');

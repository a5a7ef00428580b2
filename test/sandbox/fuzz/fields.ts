import type { TrackerState } from '../../../src/sandbox/tracker/world/state.ts';
import type { Random } from '../../support/random.ts';

/** Makes a value that the tracker can understand, so that requests get behind its first checks. */
export type Make = (random: Random, state: TrackerState) => unknown;
export type Makes = Readonly<Record<string, Make>>;

const one =
  (...values: readonly unknown[]): Make =>
  (random) =>
    random.pick(values);
const idIn =
  (rows: (state: TrackerState) => Iterable<number>): Make =>
  (random, state) => {
    const ids = [...rows(state)];
    return ids.length === 0 || random.chance(0.03) ? 4711 : random.pick(ids);
  };
export const bugOf = idIn(({ bugs }) => bugs.keys());
export const attachmentOf = idIn(({ attachments }) => attachments.keys());
export const commentOf = idIn(({ comments }) => [...comments.values()].flat().map(({ id }) => id));
const flagIdOf = idIn(({ bugs, attachments }) =>
  [...bugs.values(), ...attachments.values()].flatMap(({ flags }) => flags.map(({ id }) => id)),
);
const login = one(
  ...['admin', 'alice', 'bob', 'bridge', 'carol', 'bridge-insider', 'disabled'].map((name) => `${name}@example.test`),
);

const list =
  (make: Make, most = 2): Make =>
  (random, state) =>
    Array.from({ length: random.below(most + 1) }, () => make(random, state));
const change =
  (make: Make, ...actions: readonly string[]): Make =>
  (random, state) =>
    Object.fromEntries(actions.filter(() => random.chance(0.6)).map((action) => [action, list(make)(random, state)]));

const flag =
  (...names: readonly string[]): Make =>
  (random, state) => ({
    ...(random.chance(0.8) ? { name: random.pick(names) } : { type_id: 1 + random.below(4) }),
    status: random.pick(['?', '+', '-', 'X']),
    ...(random.chance(0.3) ? { requestee: login(random, state) } : {}),
    ...(random.chance(0.2) ? { new: true } : {}),
    ...(random.chance(0.15) ? { id: flagIdOf(random, state) } : {}),
  });

const keyword = one('crash', 'regression', 'Security', 'crash', 'regression', 'nope');
const url: Make = (random, state) =>
  random.chance(0.4) ? String(bugOf(random, state)) : `https://github.com/o/r/issues/${1 + random.below(9)}`;
const text = one('words', 'Hello\r\nyou', 'Ünïcode 😀', '<script>fuzz()</script>', 'a & b', `${'a'.repeat(60)}!`, '');
const hours = one(0, 1, '2.5', 7.25);
const day = one('2027-01-31', '2026-1-2', '');
const truth = one(true, false, 0, 1, '0', '1');
const choices: Makes = {
  severity: one('blocker', 'normal', 'minor', 'ENHANCEMENT'),
  priority: one('High', '---', 'Lowest'),
  platform: one('All', 'PC', 'Other'),
  op_sys: one('All', 'linux', 'Windows'),
};

const custom: Makes = {
  cf_branch: text,
  cf_area: list(one('docs', 'net', 'ui')),
  cf_due: one('2027-02-03 04:05:06', '2027-02-03', ''),
  cf_notes: text,
  cf_impact: one('---', 'low', 'high'),
  cf_parent: bugOf,
};

const single: Makes = {
  ...choices,
  ...custom,
  summary: one('A summary', 'Another\nsummary', 'ß İ 😀'),
  url: one('http://example.test/', ''),
  whiteboard: text,
  deadline: day,
  is_cc_accessible: truth,
  is_creator_accessible: truth,
  estimated_time: hours,
  remaining_time: hours,
  assigned_to: login,
  qa_contact: login,
  status: one('UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED', 'confirmed'),
  flags: list(flag('needinfo', 'blocker')),
};
const alias: Make = (random) => `alias-${random.below(30)}`;
const needed: Makes = {
  product: one('Widget', 'Widget', 'Widget', 'Widget', 'Widget', 'Widget', 'Gadget', 'Secret'),
  component: one('Core', 'UI', 'Core', 'Core', 'Firmware', 'Vault'),
};

export const creation: Makes = {
  ...single,
  ...needed,
  version: one('unspecified', 'unspecified', '1.0'),
  description: text,
  comment_is_private: truth,
  target_milestone: one('---', '2.0'),
  alias,
  cc: list(login),
  keywords: list(keyword),
  groups: list(one('security')),
  see_also: list(url),
  depends_on: list(bugOf),
  blocks: list(bugOf),
};
/** A product with a component of its own. */
export const place = (random: Random): Readonly<Record<string, string>> => {
  const [product = '', component = ''] = random
    .pick(['Widget Core', 'Widget UI', 'Widget Core', 'Gadget Firmware', 'Secret Vault'])
    .split(' ');
  return { product, component };
};
export const requiredOnCreate = ['product', 'component', 'version', 'summary'] as const;

export const update: Makes = {
  ...single,
  ...needed,
  version: one('unspecified', '1.0', '1.1', 'A1'),
  target_milestone: one('---', '1.1', '2.0', 'Rev B'),
  resolution: one('FIXED', 'INVALID', 'WONTFIX', 'DUPLICATE', ''),
  dupe_of: bugOf,
  ids: list(bugOf, 3),
  alias: change(alias, 'add', 'remove', 'set'),
  cc: change(login, 'add', 'remove'),
  keywords: change(keyword, 'add', 'remove', 'set'),
  groups: change(one('security', 'security', 'insider'), 'add', 'remove'),
  see_also: change(url, 'add', 'remove'),
  depends_on: change(bugOf, 'add', 'remove', 'set'),
  blocks: change(bugOf, 'add', 'remove', 'set'),
  comment: (random, state) => ({
    body: text(random, state),
    ...(random.chance(0.4) ? { is_private: truth(random, state) } : {}),
  }),
  comment_is_private: (random, state) => ({ [String(commentOf(random, state))]: random.chance(0.5) }),
  work_time: hours,
  reset_assigned_to: truth,
  reset_qa_contact: truth,
};

const attachmentFields: Makes = {
  file_name: one('a.txt', 'b.patch', '../c.png'),
  summary: one('A file', '<b>file</b>'),
  content_type: one('text/plain', 'image/png', 'text/x-diff'),
  comment: text,
  is_patch: truth,
  is_private: truth,
  flags: list(flag('review', 'approval')),
};
export const attachmentCreation: Makes = {
  ...attachmentFields,
  data: one('aGVsbG8=', 'aGk', 'YQ==', '!!!!'),
  ids: list(bugOf),
};
export const requiredOnAttachment = ['data', 'file_name', 'summary', 'content_type'] as const;
export const attachmentUpdate: Makes = { ...attachmentFields, is_obsolete: truth, ids: list(attachmentOf) };
export const commentCreation: Makes = { comment: text, is_private: truth, work_time: hours, id: bugOf };
export const tagChange: Makes = {
  add: list(one('spam', 'Obsolete', 'good-one', 'spam', 'no')),
  remove: list(one('spam', 'obsolete')),
  comment_id: commentOf,
};

const searchTime = one('2026-11-21T09:00:00Z', '2026-11-21', '2026-11-21 09:44:30', '2027-01-01T00:00:00+0200');
const chartFields = [
  ...[
    'bug_id',
    'short_desc',
    'bug_status',
    'longdesc',
    'longdescs.isprivate',
    'longdescs.count',
    'content',
    'delta_ts',
    'creation_ts',
    'alias',
    'cc',
  ],
  ...[
    'attachments.filename',
    'attach_data.thedata',
    'attachments.isprivate',
    'attachments.submitter',
    'flagtypes.name',
    'requestees.login_name',
  ],
  ...[
    'commenter',
    'comment_tag',
    'keywords',
    'see_also',
    'blocked',
    'dependson',
    'bug_group',
    'assigned_to',
    'reporter',
    'work_time',
    'deadline',
  ],
  ...[
    'percentage_complete',
    'owner_idle_time',
    'days_elapsed',
    'last_visit_ts',
    'cf_due',
    'cf_area',
    'cf_notes',
    'everconfirmed',
    'product',
    'OP',
    'CP',
    'tag',
  ],
];
const chartOperators = [
  ...[
    'equals',
    'notequals',
    'anyexact',
    'substring',
    'casesubstring',
    'notsubstring',
    'regexp',
    'notregexp',
    'lessthan',
    'lessthaneq',
    'greaterthan',
  ],
  ...[
    'greaterthaneq',
    'anywords',
    'allwords',
    'nowords',
    'anywordssubstr',
    'allwordssubstr',
    'nowordssubstr',
    'matches',
    'notmatches',
    'isempty',
  ],
  ...['isnotempty', 'changedbefore', 'changedafter', 'changedfrom', 'changedto', 'changedby'],
];
const quicksearches = one(
  'ALL widget',
  'crash',
  '-crash',
  'a|b',
  'P1-3',
  'review?bob',
  '"two words"',
  'sev:blocker',
  'cc:bob',
  '#hello',
  '@alice',
  '!crash',
  '3',
);

export const criteria: Makes = {
  id: bugOf,
  alias,
  product: needed['product'] as Make,
  component: needed['component'] as Make,
  status: single['status'] as Make,
  resolution: one('FIXED', '---', ''),
  summary: one('summary', 'another'),
  whiteboard: one('words'),
  creator: one('bob', 'alice'),
  assigned_to: one('alice', 'bob'),
  cc: one('bob', 'carol'),
  keywords: one('crash', 'crash,regression'),
  creation_time: searchTime,
  last_change_time: searchTime,
  limit: one('1', '5', '0', '20'),
  offset: one('0', '2'),
  order: one('bug_id', 'changeddate DESC,bug_id', 'priority,bug_severity', 'bugs.delta_ts', 'estimated_time'),
  include_fields: one('id,summary', '_all', '_default,_extra', 'cc.name', 'id'),
  exclude_fields: one('cc', '_custom', 'flags'),
  quicksearch: quicksearches,
  f1: one(...chartFields),
  o1: one(...chartOperators),
  v1: one('1', 'a', 'words', 'bob@example.test', '2026-11-21', '-1d', '%reporter%', '---'),
  f2: one(...chartFields),
  o2: one(...chartOperators),
  v2: one('2', 'crash', 'alice@example.test', '%user%'),
  n1: one('1', '0'),
  j1: one('OR', 'AND', 'AND_G'),
  j_top: one('OR', 'AND', 'AND_G'),
  'field0-0-0': one(...chartFields),
  'type0-0-0': one(...chartOperators),
  'value0-0-0': one('words', '3'),
  chfield: one('bug_status', '[Bug creation]', 'cc'),
  chfieldfrom: one('-2d', '2026-11-01'),
  chfieldto: one('now', '2026-11-30'),
  chfieldvalue: one('RESOLVED'),
  email1: login,
  emailtype1: one('exact', 'substring', 'regexp'),
  emailcc1: one('1'),
  emailreporter1: one('1'),
  deadlinefrom: day,
};

/** What other reads than a search take. */
export const reading: Makes = {
  ids: bugOf,
  names: one('Widget', 'alice@example.test', 'security', 'bug_status'),
  match: one('ali', '*example*', 'zz'),
  type: one('accessible', 'selectable'),
  new_since: searchTime,
  comment_ids: commentOf,
  attachment_ids: attachmentOf,
  include_fields: criteria['include_fields'] as Make,
  exclude_fields: criteria['exclude_fields'] as Make,
  membership: one('1'),
  limit: one('1', '3'),
  product_id: one('2', '3', '4'),
  login,
  groups: one('insider', 'editbugs'),
  callback: one('call', 'a.b[0]', 'alert(1)'),
};

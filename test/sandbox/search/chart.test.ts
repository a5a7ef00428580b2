import { describe, expect, it } from 'vitest';
import { areSame, contains } from '../../../src/sandbox/tracker/search/words.ts';
import { type SearchResult, searchedTracker } from '../recorded/searched.ts';

const recorded = searchedTracker();

/** One criterion of the custom search. */
const chart = (field: string, operator: string, value = '', number = 1): string =>
  `f${number}=${field}&o${number}=${operator}&v${number}=${encodeURIComponent(value)}`;

type Row = readonly [field: string, operator: string, value: string, among: string, found: SearchResult];

const texts: readonly Row[] = [
  ['short_desc', 'equals', 'has FLAGS', '', [21]],
  ['short_desc', 'equals', 'has', '', []],
  ['short_desc', 'notequals', 'Has flags', '20,21,22', [20, 22]],
  ['short_desc', 'anyexact', 'Has flags, Two aliases', '', [21, 28]],
  ['short_desc', 'substring', 'HAS ', '', [20, 21]],
  ['short_desc', 'substr', 'see also', '', [20]],
  ['short_desc', 'casesubstring', 'HAS ', '', []],
  ['short_desc', 'casesubstring', 'Has ', '', [20, 21]],
  ['short_desc', 'notsubstring', 'has', '20,21,22', [22]],
  ['short_desc', 'regexp', '^has (see|flags)', '', [20, 21]],
  ['short_desc', 'notregexp', '^has', '20,21,22', [22]],
  ['short_desc', 'regexp', '(', '', '400/32000'],
  ['short_desc', 'lessthan', 'Has flags', '20,21,28', []],
  ['short_desc', 'greaterthan', 'Has flags', '20,21,28', [20, 28]],
  ['short_desc', 'lessthaneq', 'Has flags', '20,21,28', [21]],
  ['short_desc', 'greaterthaneq', 'Has flags', '20,21,28', [20, 21, 28]],
  ['short_desc', 'anywords', 'flag links', '', [20]],
  ['short_desc', 'anywordssubstr', 'flag links', '', [20, 21]],
  ['short_desc', 'allwords', 'see links', '', [20]],
  ['short_desc', 'allwords', 'see link', '', []],
  ['short_desc', 'allwordssubstr', 'link,se', '', [20]],
  ['short_desc', 'nowords', 'flags link', '20,21,22', [20, 22]],
  ['short_desc', 'nowordssubstr', 'flags link', '20,21,22', [22]],
  ['short_desc', 'anywords', ', ', '20,21', [20, 21]],
  ['short_desc', 'isempty', '', '20,21', []],
  ['status_whiteboard', 'isempty', '', '20,27', [20]],
  ['status_whiteboard', 'isnotempty', '', '', [27]],
  ['bug_file_loc', 'substring', 'example.test/a', '', [27]],
  ['resolution', 'anyexact', '---,FIXED', '12,22,23', [22, 23]],
  ['resolution', 'isempty', '', '12,22,23', [23]],
  ['product', 'notequals', 'Widget', '1,26,34', [26, 34]],
  ['classification', 'equals', 'Unclassified', '1,2', [1, 2]],
  ['bug_severity', 'regexp', '^block', '', [29, 35, 43, 52, 55]],
  ['version', 'anyexact', '2.0', '', [15, 16, 17, 18, 19]],
  ['target_milestone', 'notequals', '---', '14,15', [15]],
  ['assigned_to_realname', 'substring', 'bølle', '9,11', [9]],
  ['assigned_to', 'equals', '%user%', '1,9,29', [1, 29]],
  ['assigned_to', 'equals', '%reporter%', '1,12', [1]],
  ['reporter', 'notequals', '%user%', '1,12', [12]],
  ['assigned_to', 'equals', '%visitor%', '', '400/32000'],
  ['reporter', 'equals', '%group.security%', '1,12', [1]],
  ['reporter', 'notequals', '%group.security%', '1,12', [12]],
  ['reporter', 'equals', '%group.Secret%', '', '400/804'],
];

const sets: readonly Row[] = [
  ['keywords', 'equals', 'crash', '', [1]],
  ['keywords', 'notequals', 'regression', '11,15,16', [16]],
  ['keywords', 'anyexact', 'crash,security', '', [1, 15, 25]],
  ['keywords', 'allwords', 'regression security', '', [15]],
  ['keywords', 'anywords', 'regression security', '', [11, 15, 25]],
  ['keywords', 'nowords', 'regression security', '11,15,16', [16]],
  ['keywords', 'allwordssubstr', 'regress secur', '', [15]],
  ['keywords', 'nowordssubstr', 'regress', '11,15,16', [16]],
  ['keywords', 'notregexp', '^reg', '11,16', [16]],
  ['keywords', 'isempty', '', '14,15,16', [14, 16]],
  ['keywords', 'isnotempty', '', '14,15,16', [15]],
  ['keywords', 'equals', '---', '14,15', [14]],
  ['cf_area', 'anyexact', 'docs,net', '', [27]],
  ['cf_area', 'anyexact', '---,docs', '26,27', [26]],
  ['cf_area', 'allwords', 'net ui', '', [27]],
  ['cf_area', 'allwords', 'net docs', '', []],
  ['cf_area', 'notequals', 'net', '26,27', [26]],
  ['cf_area', 'isempty', '', '26,27', [26]],
  ['cf_branch', 'substring', 'RELEASE', '', [27]],
  ['cf_branch', 'isempty', '', '26,27', [26]],
  ['cf_impact', 'equals', '---', '26,27', [26]],
  ['cf_due', 'greaterthan', '2026-12-24 17:59:59', '', [27]],
  ['cf_due', 'lessthan', '2026-12-24 17:59:59', '26,27', [26]],
  ['cf_due', 'isnotempty', '', '', [27]],
  ['deadline', 'equals', '2027-01-31', '', [27]],
  ['deadline', 'isempty', '', '26,27', [26]],
  ['blocked', 'equals', '15', '', [16, 17, 18, 19]],
  ['blocked', 'greaterthan', '15', '15,16,17', [17]],
  ['dependson', 'notequals', '16', '14,15', [14]],
  ['dependson', 'isnotempty', '', '14,15', [15]],
  ['blocked', 'equals', 'x', '', '400/52'],
  ['see_also', 'substring', 'github.com/o/r', '', [20]],
  ['see_also', 'isempty', '', '20,21', [21]],
  ['bug_group', 'equals', 'security', '', [25, 26]],
  ['bug_group', 'isempty', '', '24,25', [24]],
  ['cc', 'substring', 'bob', '', [11, 21, 27]],
  ['cc', 'notequals', 'bob@example.test', '11,12', [12]],
  ['cc', 'nowordssubstr', 'bob carol', '11,12,21', [12]],
  ['cc', 'isempty', '', '11,20', [20]],
  ['cc', 'isnotempty', '', '11,20', [11]],
  ['cc', 'equals', '%user%', '1,11', []],
  ['alias', 'substring', 'al-', '', [28]],
  ['alias', 'isnotempty', '', '', [11, 28]],
  // A bug without an alias has none that could be different.
  ['alias', 'notequals', 'orig-bug', '1,11,28', [28]],
];

const hanging: readonly Row[] = [
  ['longdesc', 'substring', 'acme', '', [1]],
  ['longdesc', 'changedby', 'carol@example.test', '1,2,3', []],
  ['longdescs.count', 'greaterthan', '20', '', [37]],
  ['longdescs.count', 'changedfrom', '1', '', '400/32000'],
  ['longdescs.isprivate', 'equals', '1', '', [1, 9, 33]],
  ['longdescs.isprivate', 'isempty', '', '', '400/32000'],
  ['commenter', 'notequals', 'alice@example.test', '1,9,32', [32]],
  ['comment_tag', 'substring', 'spa', '', [31]],
  ['attachments.filename', 'equals', 'log14.txt', '', [48]],
  ['attachments.description', 'substring', 'HTML', '', [10]],
  ['attachments.mimetype', 'anyexact', 'text/html', '', [10]],
  ['attachments.filename', 'isempty', '', '1,9', []],
  ['attachments.filename', 'isnotempty', '', '1,9', [1, 9]],
  ['attachments.isobsolete', 'equals', '1', '', [10]],
  ['attachments.isobsolete', 'isempty', '', '', '400/32000'],
  ['attachments.submitter', 'equals', 'alice@example.test', '9,10,11', [9, 10]],
  ['attach_data.thedata', 'substring', 'log 14', '', [48]],
  ['flagtypes.name', 'equals', 'blocker+', '', [21]],
  ['flagtypes.name', 'substring', 'needinfo', '', [21]],
  ['flagtypes.name', 'notsubstring', 'needinfo?', '20,21', [20]],
  ['flagtypes.name', 'isempty', '', '20,21', [20]],
  ['flagtypes.name', 'isnotempty', '', '20,21', [21]],
  ['requestees.login_name', 'equals', 'carol@example.test', '', [21]],
  ['requestees.login_name', 'notequals', 'carol@example.test', '20,21', [20]],
  ['setters.login_name', 'equals', 'alice@example.test', '20,21', [21]],
  ['content', 'matches', 'acme', '', [1]],
  ['content', 'matches', '+original -aliases', '', [11]],
  ['content', 'matches', '+original -report', '', []],
  ['content', 'notmatches', '"same problem"', '11,12', [11]],
  ['content', 'equals', 'acme', '', '400/32000'],
  ['short_desc', 'matches', 'acme', '', '400/32000'],
  ['tag', 'isempty', '', '1,2', [1, 2]],
  ['tag', 'equals', 'mine', '', []],
  ['work_time', 'greaterthan', '0', '', [30]],
  ['percentage_complete', 'greaterthan', '0', '', [30]],
  ['everconfirmed', 'equals', '0', '24,25', [24]],
  ['cclist_accessible', 'equals', '0', '', []],
  ['last_visit_ts', 'greaterthan', '2000-01-01', '', []],
  ['owner_idle_time', 'equals', '1d', '', '400/32000'],
  ['owner_idle_time', 'greaterthan', '100y', '1,2', []],
  ['owner_idle_time', 'lessthan', '100y', '1,2', [1, 2]],
];

const changes: readonly Row[] = [
  ['bug_status', 'changedto', 'verified', '', [22]],
  ['bug_status', 'changedfrom', 'VERIFIED', '', []],
  ['bug_status', 'changedfrom', 'RESOLVED', '21,22', [22]],
  ['bug_status', 'changedby', 'alice@example.test', '21,22,23', [22, 23]],
  ['bug_status', 'changedby', 'nope@example.test', '', '404/51'],
  ['bug_status', 'changedafter', '2000-01-01', '21,22', [22]],
  ['bug_status', 'changedbefore', '2000-01-01', '21,22', []],
  ['bug_status', 'changedbefore', '2026-10-13T19:53:33Z', '22', [22]],
  ['bug_status', 'changedafter', 'soon', '', '400/56'],
  ['dependson', 'changedto', '16, 17, 18, 19', '', [15]],
  ['creation_ts', 'changedbefore', '2000-01-01', '1', []],
  ['creation_ts', 'changedafter', '2000-01-01', '1', [1]],
];

const title = '%s %s "%s" among %s';
const find = ([field, operator, value, among]: Row): Promise<SearchResult> =>
  recorded.find(`${chart(field, operator, value)}${among === '' ? '' : `&id=${among}`}`);

describe('a criterion', () => {
  it.each(texts)(`on one value: ${title}`, async (...row) => expect(await find(row)).toEqual(row[4]));
  it.each(sets)(`on a set: ${title}`, async (...row) => expect(await find(row)).toEqual(row[4]));
  it.each(hanging)(`on what hangs on a bug: ${title}`, async (...row) => expect(await find(row)).toEqual(row[4]));
  it.each(changes)(`on changes: ${title}`, async (...row) => expect(await find(row)).toEqual(row[4]));

  it.each([
    ['an unknown field', chart('nonsense', 'equals', '1'), '400/108'],
    ['an unknown operator', chart('bug_id', 'nonsense', '1'), '400/68000'],
    ['an operator of a later version', chart('bug_status', 'everchanged', '1'), '400/68000'],
    ['a name of the interface', chart('summary', 'equals', 'x'), '400/108'],
    ['an unknown field without an operator', 'f1=nonsense&v1=1&id=1', [1]],
    ['an unknown field without a value', 'f1=nonsense&o1=equals&v1=&id=1', [1]],
    ['a word where a number must be', chart('bug_id', 'lessthan', 'abc'), '400/52'],
    ['a word where a number may be', chart('bug_id', 'anyexact', 'abc,3'), [3]],
    ['a name inherited from the language', chart('constructor', 'equals', '1'), '400/108'],
    ['an operator inherited from the language', chart('bug_id', 'constructor', '1'), '400/68000'],
  ] as const)('of %s', async (_what, query, found) => expect(await recorded.find(query)).toEqual(found));

  it.each([
    ['work_time', 'bob', '400/108'],
    ['longdescs.isprivate', 'bridge', '401/304'],
  ])('on %s is refused to %s', async (name, caller, found) => {
    expect(await recorded.find(chart(name, 'equals', '1'), caller)).toBe(found);
  });

  it('does not show private comments and attachments to outsiders', async () => {
    expect(await recorded.find(chart('longdesc', 'substring', 'acme'), 'bridge')).toEqual([]);
    expect(await recorded.find(chart('content', 'matches', 'acme'), 'bridge')).toEqual([]);
    expect(await recorded.find(`id=1&${chart('longdescs.count', 'equals', '4')}`)).toEqual([1]);
    expect(await recorded.find(`id=1&${chart('longdescs.count', 'equals', '3')}`, 'bridge')).toEqual([1]);
    expect(await recorded.find(chart('attachments.isprivate', 'equals', '1'))).not.toEqual([]);
    expect(await recorded.find(chart('attachments.isprivate', 'equals', '1'), 'bridge')).toEqual([]);
  });

  it('does not tell outsiders what happened to private attachments', async () => {
    const { world, find: search } = searchedTracker();
    const secret = [...world.state.attachments.values()].find(({ isPrivate }) => isPrivate);
    const row = {
      at: world.now(),
      who: 'alice@example.test',
      field: 'attachments.description',
      removed: 'old',
      added: 'new',
    };
    world.state.history.set(9, [{ ...row, attachment: secret?.id ?? 0 }]);
    expect(await search(chart('attachments.description', 'changedfrom', 'old'))).toEqual([9]);
    expect(await search(chart('attachments.description', 'changedfrom', 'old'), 'bridge')).toEqual([]);
  });

  it('never finds a hidden bug', async () => {
    expect(await recorded.find(chart('bug_group', 'equals', 'security'), 'bridge')).toEqual([]);
    expect(await recorded.find(`n1=1&${chart('bug_group', 'equals', 'nothing')}&id=25,26`, 'nobody')).toEqual([]);
  });
});

const is = (id: number, number: number): string => chart('bug_id', 'equals', String(id), number);

describe('criteria', () => {
  it.each([
    ['are joined by AND', `${is(1, 1)}&${is(2, 2)}`, []],
    ['are joined by OR at the top', `j_top=OR&${is(1, 1)}&${is(2, 2)}`, [1, 2]],
    ['count by number and not by place', `${is(2, 10)}&j_top=OR&${is(1, 9)}`, [1, 2]],
    [
      'nest',
      `f1=OP&j1=OR&${is(1, 2)}&f3=OP&${is(2, 4)}&${chart('short_desc', 'isnotempty', '', 5)}&f6=CP&f7=CP`,
      [1, 2],
    ],
    ['close by themselves', `f1=OP&j1=OR&${is(1, 2)}&${is(2, 3)}`, [1, 2]],
    ['are negated one by one', `id=1,2&n1=1&${is(1, 1)}`, [2]],
    ['are negated with 1 and not with 0', `id=1,2&n1=0&${is(1, 1)}`, [1]],
    ['are negated together', `id=1,2,3&f1=OP&n1=1&j1=OR&${is(1, 2)}&${is(2, 3)}&f4=CP`, [3]],
    ['of which nothing is left have no effect', 'id=1&f1=OP&n1=1&f2=bug_id&f3=CP', [1]],
    ['cannot be closed without being opened', 'f1=CP', '400/68000'],
    ['cannot be joined otherwise', `j_top=XOR&${is(1, 1)}`, '400/68000'],
    ['on people join what is still open', `j_top=OR&${is(3, 1)}&creator=carol&product=Widget`, [3, 35, 42, 45, 46, 55]],
    [
      'of the older form are joined by OR in a row',
      'field0-0-0=bug_id&type0-0-0=equals&value0-0-0=1&field0-0-1=bug_id&type0-0-1=equals&value0-0-1=2',
      [1, 2],
    ],
    [
      'of the older form are joined by AND between rows',
      'field0-0-0=bug_id&type0-0-0=equals&value0-0-0=1&field0-1-0=bug_id&type0-1-0=equals&value0-1-0=2',
      [],
    ],
    ['of the older form are negated by chart', 'id=1,2&negate0=1&field0-0-0=bug_id&type0-0-0=equals&value0-0-0=1', [2]],
  ] as const)('%s', async (_what, query, found) => expect(await recorded.find(query)).toEqual(found));
});

describe('criteria of one row', () => {
  const { world, find: search } = searchedTracker({ isEmpty: true });
  const alice = world.as('alice');
  const both = alice.file({ summary: 'both in one', version: '1.0' });
  alice.comment(both, 'red and blue');
  const apart = alice.file({ summary: 'one each', version: '1.0' });
  alice.comment(apart, 'red');
  alice.comment(apart, 'blue');
  const colours = `${chart('longdesc', 'substring', 'red')}&${chart('longdesc', 'substring', 'blue', 2)}`;

  it('are satisfied by any rows of the bug when they are only joined', async () =>
    expect(await search(colours)).toEqual([both, apart]));
  it('must be satisfied by the same row in a group', async () =>
    expect(await search(`j_top=AND_G&${colours}`)).toEqual([both]));
  it.each([
    ['different fields', `j_top=AND_G&${chart('longdesc', 'substring', 'red')}&${is(1, 2)}`],
    ['a field that has no rows', `j_top=AND_G&${chart('longdescs.count', 'greaterthan', '1')}`],
    ['a group inside', `j_top=AND_G&f1=OP&${is(1, 2)}&f3=CP`],
  ])('refuse %s', async (_what, query) => expect(await search(query)).toBe('400/32000'));
});

describe('texts compare as in the database', () => {
  it.each([
    ['Café', 'CAFE', true],
    ['Bølle', 'bolle', true],
    ['cafe', 'cafes', false],
  ])('"%s" is the same as "%s": %s', (one, other, isSame) => expect(areSame(one, other)).toBe(isSame));

  it.each([
    ['the Café', 'café', true],
    ['the café', 'CAFÈ', true],
    ['the café', 'cafe', false],
    ['Ünïcode', 'unicode', false],
    ['the 🦊', '🦊', true],
    ['anything', '', true],
  ])('"%s" contains "%s": %s', (text, part, isIn) => expect(contains(text, part)).toBe(isIn));
});

import { describe, expect, it } from 'vitest';
import { searchedTracker } from '../recorded/searched.ts';

const recorded = searchedTracker();
const allResolutions = ['---', 'FIXED', 'INVALID', 'WONTFIX', 'DUPLICATE', 'WORKSFORME']
  .map((name) => `resolution=${name}`)
  .join('&');
const all = Array.from({ length: 57 }, (_, index) => index + 1);

describe('a search by parameters', () => {
  it.each([
    ['id=3&id=1', [1, 3]],
    ['id=5,7,99', [5, 7]],
    ['id=7x', [7]],
    ['id=orig-bug', []],
    ['id=1,2,3,4&bug_id_type=nowords&limit=2', [5, 6]],
    ['id=1,2&bugidtype=exclude&limit=2', [3, 4]],
    ['alias=al-one&alias=orig-bug', [11, 28]],
    ['alias=al', []],
    ['product=Secret&product=Nope', [26]],
    ['product=Nope', []],
    ['product=gadget&limit=1', [34]],
    ['component=Firmware&priority=High', [41, 47, 54]],
    ['version=2.0&target_milestone=2.0&limit=1', [15]],
    ['severity=blocker&bug_severity=blocker&limit=1', [29]],
    ['platform=All&op_sys=All&limit=1', [1]],
    ['classification=Unclassified&limit=1', [1]],
    ['classification=Other', []],
    ['summary=startup+widget', [1]],
    ['summary=startup&summary=widget', [1]],
    ['summary=startup&summary=flags', []],
    ['summary_type=substring&summary=startup+widget', [1]],
    ['short_desc=startup+widget&short_desc_type=substring', []],
    ['short_desc=flags+links&short_desc_type=anywordssubstr', [20, 21]],
    ['summary=unicode', []],
    ['summary=%C3%BCn%C3%AFcode', [2]],
    ['whiteboard=wb2', [27]],
    ['url=example.test', [27]],
    ['keywords=regression,security', [15]],
    ['keywords=regression&keywords=crash', []],
    ['keywords=regression,crash&keywords_type=anywords', [1, 11, 15]],
    ['creator=bo&id=11,12', [12]],
    ['reporter=bo&id=11,12', [12]],
    ['creator=carol&creator=bob&id=11,12,35', [12, 35]],
    ['assigned_to=bob&id=1,9', [9]],
    ['qa_contact=carol&limit=1', [1]],
    ['cc=bob&id=11,12', [11]],
    ['longdesc=nothing+acme', [1]],
    ['commenter=bob@example.test&id=31,32', [32]],
    ['see_also=https://github.com/o/r/issues/1', [20]],
    ['see_also=github', []],
    ['blocks=15', [16, 17, 18, 19]],
    ['depends_on=17,16', [15, 16]],
    ['cf_area=net', [27]],
    ['cf_branch=release/1.x', [27]],
    ['cf_branch=release&cf_branch_type=substring', [27]],
    ['cf_impact=high', [27]],
    ['deadline=2027-01-31', [27]],
    ['deadlinefrom=2027-01-01&deadlineto=2027-12-31', [27]],
    ['deadlineto=2027-01-01&id=26,27', [26]],
    ['is_confirmed=0&id=24,25', [24]],
    ['is_cc_accessible=0', []],
    ['flagtypes_name=blocker%2B', [21]],
    ['requestees_login_name=bob@example.test', [21]],
    ['attachments_filename=log14.txt', [48]],
    ['tags=mine', []],
    ['tag=mine', []],
    ['content=acme', [1]],
    ['status=VERIFIED', [22]],
    ['status=RESOLVED&status=VERIFIED&id=21,22,34', [22, 34]],
    ['status=__open__&id=12,15', [15]],
    ['status=__closed__&id=12,15', [12]],
    ['bug_status=OLVED&bug_status_type=substring&id=12,15', [12]],
    ['resolution=DUPLICATE', [12, 13, 14]],
    ['resolution=---&id=12,15', [15]],
    ['resolution=---&resolution=FIXED&id=12,15,22', [15, 22]],
    ['resolution=NOPE', []],
  ] as const)('%s', async (query, found) => expect(await recorded.find(query)).toEqual(found));

  it.each([
    'status=NOPE',
    'status=RESOLVED,VERIFIED',
    'status=resolved',
    'status=__all__',
    'is_open=1',
    'dupe_of=11',
    'ids=1,2',
    'groups=security',
    'flags=blocker',
    'comment_count=3',
    'count_only=1',
    'nonsense=1',
    'product=',
    'summary=+',
    'creator=',
    'resolution=',
    allResolutions,
    'actual_time=1',
  ])('%s finds everything', async (query) => expect(await recorded.find(query)).toEqual(all));

  it.each([
    ['email1=bob&emailtype1=substring&emailcc1=1', [11, 21, 27]],
    ['email1=bob@example.test&emailassigned_to1=1&id=9,11,12', [9]],
    ['email1=bob@example.test&emailtype1=exact&emailreporter1=1&emailcc1=1&id=9,11,12', [11, 12]],
    ['email1=bob@example.test&emaillongdesc1=1&id=3,32', [32]],
    ['email1=bob&emailtype1=notsubstring&emailreporter1=1&id=11,12', [11]],
    [
      'email1=bob&emailtype1=substring&emailcc1=1&email2=alice&emailtype2=substring&emailreporter2=1&id=11,21,27',
      [11, 21, 27],
    ],
    ['email1=bob@example.test&id=1', [1]],
  ] as const)('people: %s', async (query, found) => expect(await recorded.find(query)).toEqual(found));

  it('asks for time tracking fields only on behalf of time trackers', async () => {
    expect(await recorded.find('estimated_time=10')).toEqual([30]);
    expect(await recorded.find('estimated_time=10', 'bob')).toContain(1);
  });
});

describe('a search by changes', () => {
  const { world, find } = searchedTracker({ isEmpty: true });
  const alice = world.as('alice');
  const hours = (count: number): number => count * 3_600_000;
  const file = (summary: string): number => alice.file({ summary, version: '1.0', stampedMsAgo: hours(72) });
  const [moved, closed, quiet] = [file('moved'), file('closed'), file('quiet')] as const;
  alice.change(moved, { version: '1.1', stampedMsAgo: hours(48) });
  alice.change(moved, { version: '2.0', stampedMsAgo: hours(24) });
  alice.change(closed, { status: 'RESOLVED', resolution: 'FIXED', stampedMsAgo: hours(12) });

  it.each([
    ['since a time', 'chfieldfrom=2026-11-20', [moved, closed]],
    ['since a time counted back', 'chfieldfrom=-30h', [moved, closed]],
    ['until a day', 'chfieldto=2026-11-20', [quiet]],
    ['until now', 'chfieldfrom=-20h&chfieldto=Now', [closed]],
    ['of a field', 'chfield=version&chfieldfrom=2026-11-01', [moved]],
    ['of a field, the last day included', 'chfield=version&chfieldfrom=2026-11-20&chfieldto=2026-11-20', [moved]],
    ['of a field into a value', 'chfield=version&chfieldvalue=1.1', [moved]],
    [
      'of a field into a value at a time when it had another',
      'chfield=version&chfieldvalue=1.1&chfieldfrom=2026-11-20',
      [],
    ],
    ['of one of several fields', 'chfield=version&chfield=resolution&chfieldfrom=-4d', [moved, closed]],
    ['by being filed', 'chfield=[Bug creation]&chfieldfrom=2026-11-18&chfieldto=2026-11-18', [moved, closed, quiet]],
    ['of a field at no time and into nothing', 'chfield=version', [moved, closed, quiet]],
    ['of a field that does not exist', 'chfield=nonsense&chfieldvalue=x', '400/108'],
    ['at no time that a calendar has', 'chfield=version&chfieldfrom=someday', '400/56'],
  ] as const)('%s', async (_what, query, found) => expect(await find(query)).toEqual(found));
});

describe('the length of a list', () => {
  it.each([
    ['limit=2', [1, 2]],
    ['limit=2&offset=2', [3, 4]],
    ['limit=2&offset=500', []],
    ['limit=0&offset=55', all],
    ['limit=abc&offset=55', all],
    ['limit=1000000&offset=55', [56, 57]],
    ['limit=20000.5&offset=55', [56, 57]],
    ['offset=5', '400/50'],
    ['limit=-1', '400/52'],
    ['limit=1.5', '400/52'],
    ['limit=5x', '400/52'],
    ['limit=5&offset=x', '400/52'],
    ['limit=5&offset=-1', '400/52'],
  ] as const)('%s', async (query, found) => expect(await recorded.find(query)).toEqual(found));

  it.each([
    ['limit=20', 10],
    ['limit=20&offset=50', 7],
    ['limit=0&offset=50', 10],
    ['limit=3', 3],
    ['product=Widget', 10],
  ])('is cut at the maximum of the tracker: %s', async (query, length) => {
    expect(await searchedTracker({ maxSearchResults: 10 }).find(query)).toHaveLength(length);
  });
});

describe('the order of a list', () => {
  it.each([
    ['bug_id DESC', [41, 34, 22, 12, 1]],
    ['BUG_ID desc', [41, 34, 22, 12, 1]],
    ['bugs.bug_id DESC', [41, 34, 22, 12, 1]],
    ['changeddate DESC,bug_id', [41, 34, 22, 12, 1]],
    ['bugs.delta_ts,bug_id', [1, 12, 22, 34, 41]],
    ['opendate DESC,bug_id DESC', [41, 34, 22, 12, 1]],
    ['product,bug_id', [34, 41, 1, 12, 22]],
    ['priority,bug_id', [1, 41, 34, 12, 22]],
    ['bug_status,bug_id', [1, 41, 12, 34, 22]],
    ['map_assigned_to.login_name,bug_id', [1, 12, 22, 34, 41]],
    ['reporter,bug_id DESC', [41, 34, 22, 1, 12]],
    ['short_desc DESC', [1, 22, 34, 12, 41]],
    ['longdescs.count DESC,bug_id', [41, 1, 34, 22, 12]],
    ['nonsense,bug_id DESC', [41, 34, 22, 12, 1]],
    ...[
      'id DESC',
      'last_change_time DESC',
      'delta_ts DESC',
      'creation_ts DESC',
      'Importance',
      '-bug_id',
      'relevance',
      'cc DESC',
      '',
    ].map((order) => [order, [1, 12, 22, 34, 41]] as const),
  ] as const)('by "%s"', async (order, found) => {
    expect(await recorded.find(`id=1,12,22,34,41&order=${encodeURIComponent(order)}`)).toEqual(found);
  });
});

describe('a search that asks for nothing', () => {
  const strict = searchedTracker({ settings: { search_allow_no_criteria: '0' } });
  it.each([
    'limit=5',
    'nonsense=1',
    'status=__all__',
    allResolutions,
    'status=NOPE',
    'f1=bug_id',
    'product=',
    'quicksearch=ALL',
    'order=bug_id',
  ])('%s is refused where that is forbidden, and finds everything elsewhere', async (query) => {
    expect(await strict.find(query)).toBe('400/1000');
    expect(await recorded.find(query)).toEqual(query === 'limit=5' ? [1, 2, 3, 4, 5] : all);
  });

  it.each(['id=1', 'last_change_time=2000-01-01', 'creator=alice', 'quicksearch=ALL+crash'])(
    '%s asks for something',
    async (query) => {
      expect(await strict.find(`${query}&id=1`)).toEqual([1]);
    },
  );
});

describe('the fields of what is found', () => {
  const keys = async (query: string): Promise<readonly string[]> =>
    Object.keys((await recorded.show(`id=9&${query}`)) as object).sort();

  it.each([
    ['include_fields=id,summary', ['id', 'summary']],
    ['include_fields=id+summary', ['id', 'summary']],
    ['include_fields=id&include_fields=summary', ['id', 'summary']],
    ['include_fields=id,summary&include_fields=status', ['status']],
    ['include_fields=nonsense', []],
    ['include_fields=_custom', ['cf_area', 'cf_branch', 'cf_due', 'cf_impact', 'cf_notes']],
    ['include_fields=_extra', ['tags']],
    ['include_fields=id,tags', ['id', 'tags']],
    ['include_fields=id,creator', ['creator', 'creator_detail', 'id']],
    ['include_fields=creator_detail', []],
    ['include_fields=creator.name', ['creator', 'creator_detail']],
    ['include_fields=id,comments,history,attachments,description,votes,update_token', ['id']],
    ['include_fields=id,summary&exclude_fields=summary', ['id']],
    ['include_fields=id&exclude_fields=_all', ['id']],
    ['exclude_fields=_all', []],
  ] as const)('%s', async (query, names) => expect(await keys(query)).toEqual(names));

  it('are the default ones, to which the custom ones belong, unless others are named', async () => {
    const defaults = await keys('');
    expect(defaults).toEqual(await keys('include_fields=_default'));
    expect(defaults).toContain('cf_branch');
    expect(defaults).not.toContain('tags');
    expect(await keys('exclude_fields=_custom')).toEqual(defaults.filter((name) => !name.startsWith('cf_')));
    expect(await keys('include_fields=_all')).toEqual([...defaults, 'tags'].sort());
    expect(await keys('exclude_fields=creator')).toEqual(defaults.filter((name) => !name.startsWith('creator')));
  });

  it.each([
    ['include_fields=creator.name', { name: 'alice@example.test' }],
    [
      'include_fields=creator&exclude_fields=creator.email,creator.id',
      { name: 'alice@example.test', real_name: 'Alice Anderson' },
    ],
    ['exclude_fields=creator.email,creator.id', { name: 'alice@example.test', real_name: 'Alice Anderson' }],
    [
      'include_fields=_default,creator.name&exclude_fields=creator.id,creator.real_name',
      { email: 'alice@example.test', name: 'alice@example.test' },
    ],
  ])('a person in parts: %s', async (query, record) => {
    expect(await recorded.show(`id=9&${query}`)).toMatchObject({ creator_detail: record });
    expect(
      Object.keys(((await recorded.show(`id=9&${query}`)) as { creator_detail: object }).creator_detail).sort(),
    ).toEqual(Object.keys(record).sort());
  });
});

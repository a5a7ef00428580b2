/**
 * Requests that stand beside the recorded ones, with what the measured server answered to them as far as it is known:
 * the HTTP status, and the error's code or a part of the body. Bug 58 is alice's, filed for the request.
 */
export interface Neighbour {
  readonly caller: string;
  /** `METHOD /path?query`. */
  readonly request: string;
  readonly body: unknown;
  readonly status: number;
  /** The code of an error, or a part of the answer. */
  readonly answer: number | object;
}

type Row = readonly [request: string, body: unknown, status: number, answer: number | object];

const by = (caller: string, ...rows: readonly Row[]): readonly Neighbour[] =>
  rows.map(([request, body, status, answer]) => ({ caller, request, body, status, answer }));

const none = undefined;
const found = (...ids: readonly number[]): object => ({ bugs: ids.map((id) => ({ id })) });
const changed = (fields: Readonly<Record<string, readonly [removed: string, added: string]>>): object => ({
  bugs: [
    {
      id: 58,
      changes: Object.fromEntries(Object.entries(fields).map(([name, [removed, added]]) => [name, { removed, added }])),
    },
  ],
});
const unchanged = { bugs: [{ id: 58, changes: {} }] };
const widget = { product: 'Widget', component: 'Core', version: '1.0', summary: 's' };
const file = { data: 'eA==', file_name: 'f.txt', summary: 's', content_type: 'text/plain' };
const search = '/rest/bug?include_fields=id&';

const searches: readonly Neighbour[] = by(
  'alice',
  [`GET ${search}status=NOPE&limit=2`, none, 200, found(1, 2)],
  [`GET ${search}status=RESOLVED,VERIFIED&limit=2`, none, 200, found(1, 2)],
  [`GET ${search}status=__open__&id=12,15`, none, 200, found(15)],
  [`GET ${search}blocks=15`, none, 200, found(16, 17, 18, 19)],
  [`GET ${search}depends_on=17`, none, 200, found(15, 16)],
  [`GET ${search}resolution=DUPLICATE`, none, 200, found(12, 13, 14)],
  [`GET ${search}resolution=---&id=12,15`, none, 200, found(15)],
  [`GET ${search}resolution=FIXED&resolution=WONTFIX`, none, 200, found(22, 34, 39, 44, 49, 54)],
  [`GET ${search}f1=see_also&o1=substring&v1=github.com/o/r`, none, 200, found(20)],
  [`GET ${search}url=example.test/a`, none, 200, found(27)],
  [`GET ${search}qa_contact=carol&limit=1`, none, 200, found(1)],
  [`GET ${search}assigned_to=bob@example.test&limit=2`, none, 200, found(9, 10)],
  [`GET ${search}component=Nope`, none, 200, found()],
  [`GET ${search}keywords=security`, none, 200, found(15, 25)],
  [`GET ${search}product=Gadget&component=Firmware&limit=1&offset=1`, none, 200, found(41)],
  [`GET ${search}op_sys=Linux`, none, 200, found()],
  [`GET ${search}id=99,1`, none, 200, found(1)],
  [`GET ${search}creation_time=2099-01-01`, none, 200, found()],
  [`GET ${search}creation_time=now`, none, 400, 56],
  [`GET ${search}f1=bug_id&o1=nonsense&v1=1`, none, 400, 68000],
  [`GET ${search}f1=bug_id&o1=lessthan&v1=3`, none, 200, found(1, 2)],
  [`GET ${search}id=1,2,3&order=bug_id DESC`, none, 200, found(3, 2, 1)],
  [`GET ${search}quicksearch=ALL problem&product=Gadget&limit=1`, none, 200, found(34)],
  ['GET /rest/bug?id=9&include_fields=id,history,comment_count', none, 200, { bugs: [{ id: 9 }] }],
);

const reads: readonly Neighbour[] = [
  ...by(
    'alice',
    ['GET /rest/bug/?ids=1&ids=2&include_fields=id', none, 200, { ...found(1, 2), faults: [] }],
    ['GET /rest/bug/1,2', none, 400, 100],
    ['GET /rest/bug/0', none, 404, 101],
    ['GET /rest/bug/comment/999999', none, 400, 111],
    ['GET /rest/bug/comment/1?comment_ids=999999', none, 400, 111],
    ['GET /rest/bug/999999/comment', none, 404, 101],
    ['GET /rest/bug/999999/history', none, 404, 101],
    [
      'GET /rest/bug/orig-bug/history?new_since=2099-01-01',
      none,
      200,
      { bugs: [{ id: 11, alias: ['orig-bug'], history: [] }] },
    ],
    ['GET /rest/bug/1/history?new_since=tomorrow', none, 400, 56],
    ['GET /rest/bug/attachment/999999', none, 200, { bugs: {}, attachments: {} }],
    ['GET /rest/bug/999999/attachment', none, 404, 101],
    ['GET /rest/bug/1/attachment', none, 200, { bugs: { 1: [] }, attachments: {} }],
    ['GET /rest/product?type=accessible&include_fields=name', none, 200, { products: [{}, {}, {}] }],
    ['GET /rest/timezone', none, 200, { timezone: '+0000' }],
    ['GET /rest/bug_user_last_visit/1', none, 200, 100500],
    ['PATCH /rest/bug/1', none, 404, 32614],
    ['GET /rest/user?ids=3', none, 200, { users: [{ name: 'bob@example.test' }] }],
  ),
  ...by(
    'bridge',
    [
      'GET /rest/bug/1/comment?include_fields=count',
      none,
      200,
      { bugs: { 1: { comments: [{ count: 0 }, { count: 1 }, { count: 3 }] } } },
    ],
    ['GET /rest/bug/33/comment', none, 200, { bugs: { 33: { comments: [] } } }],
    ['GET /rest/bug/attachment/4', none, 401, 304],
    ['GET /rest/bug/25/history', none, 401, 102],
    ['GET /rest/bug/25/attachment', none, 401, 102],
    ['GET /rest/group', none, 400, 805],
  ),
  ...by(
    'nobody',
    ['GET /rest/user?ids=3', none, 401, 505],
    ['GET /rest/bug/1?include_fields=id,update_token', none, 200, found(1)],
    ['GET /rest/bug/attachment/4', none, 401, 304],
    ['GET /rest/product/Secret', none, 200, { products: [] }],
  ),
];

const creations: readonly Neighbour[] = [
  ...by(
    'alice',
    ['POST /rest/bug', {}, 400, 50],
    ['POST /rest/bug', { ...widget, summary: '' }, 400, 107],
    ['POST /rest/bug', { ...widget, summary: 's'.repeat(256) }, 400, 104],
    ['POST /rest/bug', { ...widget, alias: '123' }, 400, 103],
    ['POST /rest/bug', { ...widget, status: 'VERIFIED', resolution: 'FIXED' }, 400, 123],
    ['POST /rest/bug', { ...widget, groups: ['nope'] }, 401, 120],
    ['POST /rest/bug', { ...widget, blocks: [1], depends_on: [2] }, 200, {}],
    ['POST /rest/bug', { ...widget, cf_branch: 'b', cf_area: ['net'], cf_impact: 'high' }, 200, {}],
    ['POST /rest/bug', { ...widget, cf_impact: 'nope' }, 404, 51],
    ['POST /rest/bug', { ...widget, severity: 'nope' }, 404, 51],
    ['POST /rest/bug', { ...widget, version: '9' }, 404, 51],
    ['POST /rest/bug', { ...widget, qa_contact: 'nobody@example.test' }, 404, 51],
    ['POST /rest/bug', { ...widget, dupe_of: 1 }, 400, 53],
    ['POST /rest/bug/1/comment', { comment: 'x'.repeat(65_536) }, 400, 114],
    ['POST /rest/bug/orig-bug/comment', { comment: 'x' }, 201, {}],
    ['POST /rest/bug/1/attachment', { ...file, file_name: '' }, 400, 603],
    ['POST /rest/bug/1/attachment', { ...file, is_patch: true, content_type: undefined }, 201, {}],
    ['POST /rest/bug/1/attachment', { ...file, data: Buffer.alloc(1_024_000).toString('base64') }, 201, {}],
    ['POST /rest/bug/999999/attachment', file, 404, 101],
    ['PUT /rest/bug/attachment/1', { zzz: 1 }, 400, 67399],
    ['PUT /rest/bug/attachment/1', { summary: 'n' }, 200, { attachments: [{ changes: { summary: { added: 'n' } } }] }],
    ['PUT /rest/bug/comment/2/tags', { add: ['t'.repeat(25)] }, 400, 127],
    ['PUT /rest/bug/comment/2/tags', {}, 200, []],
  ),
  ...by(
    'bridge',
    ['POST /rest/bug/25/attachment', file, 401, 102],
    ['PUT /rest/bug/attachment/4', { summary: 'n' }, 400, 32000],
  ),
  ...by(
    'nobody',
    ['PUT /rest/bug/comment/2/tags', { add: ['abc'] }, 401, 410],
    ['PUT /rest/bug/attachment/1', { summary: 'n' }, 401, 410],
  ),
];

const updates: readonly Neighbour[] = [
  ...by(
    'alice',
    ['PUT /rest/bug/58', { cc: { set: ['bob@example.test'] } }, 200, unchanged],
    ['PUT /rest/bug/58', { update_token: 'old', delta_ts: 'old' }, 200, unchanged],
    ['PUT /rest/bug/58', { token: '1-x', summary: 'n' }, 400, 32000],
    ['PUT /rest/bug/58', { summary: 's'.repeat(256) }, 400, 104],
    ['PUT /rest/bug/58', { whiteboard: 'w'.repeat(256) }, 400, 104],
    ['PUT /rest/bug/58', { deadline: '2027-01-02' }, 200, changed({ deadline: ['', '2027-01-02'] })],
    ['PUT /rest/bug/58', { estimated_time: 2.5 }, 200, { bugs: [{ id: 58, changes: { estimated_time: {} } }] }],
    ['PUT /rest/bug/58', { status: 'IN_PROGRESS' }, 200, changed({ status: ['CONFIRMED', 'IN_PROGRESS'] })],
    ['PUT /rest/bug/58', { status: 'UNCONFIRMED' }, 400, 123],
    ['PUT /rest/bug/58', { see_also: { add: ['https://github.com/o/r/issues/1/'] } }, 400, 112],
    ['PUT /rest/bug/58', { see_also: { add: ['github.com/o/r/issues/1'] } }, 400, 112],
    ['PUT /rest/bug/58', { see_also: { add: ['https://gitlab.com/o/r/issues/1'] } }, 400, 112],
    [
      'PUT /rest/bug/58',
      { see_also: { add: ['https://github.com/O/R/issues/7'] } },
      200,
      changed({ see_also: ['', 'https://github.com/O/R/issues/7'] }),
    ],
    [
      'PUT /rest/bug/58',
      { see_also: { add: ['https://bugs.launchpad.net/ubuntu/+bug/12'] } },
      200,
      changed({ see_also: ['', 'https://launchpad.net/bugs/12'] }),
    ],
    [
      'PUT /rest/bug/58',
      { see_also: { add: ['1'] } },
      200,
      changed({ see_also: ['', 'http://tracker.example.test/show_bug.cgi?id=1'] }),
    ],
    ['PUT /rest/bug/58', { see_also: { add: ['999999'] } }, 404, 101],
    ['PUT /rest/bug/58', { alias: { remove: ['not-there'] } }, 200, unchanged],
    ['PUT /rest/bug/58', { depends_on: { set: [1, 2] } }, 200, changed({ depends_on: ['', '1, 2'] })],
    ['PUT /rest/bug/58', { groups: { add: ['nope'] } }, 401, 120],
    ['PUT /rest/bug/21', { flags: [{ name: 'needinfo', status: 'X' }] }, 400, 132],
    ['PUT /rest/bug/21', { flags: [{ id: 999, status: 'X' }] }, 404, 51],
    ['PUT /rest/bug/58', { dupe_of: 'orig-bug' }, 200, { bugs: [{ id: 58, changes: { dupe_of: { added: '11' } } }] }],
    [
      'PUT /rest/bug/58',
      { cf_impact: 'high', cf_notes: 'a' },
      200,
      changed({ cf_impact: ['---', 'high'], cf_notes: ['', 'a'] }),
    ],
    ['PUT /rest/bug/58', { cf_branch: 'b'.repeat(256) }, 400, 104],
    ['PUT /rest/bug/1', { comment_is_private: { 2: true } }, 200, { bugs: [{ id: 1, changes: {} }] }],
    ['PUT /rest/bug/58', { qa_contact: '' }, 200, changed({ qa_contact: ['carol@example.test', ''] })],
    ['PUT /rest/bug/58', { is_cc_accessible: false }, 200, changed({ is_cc_accessible: ['1', '0'] })],
  ),
  ...by(
    'bob',
    ['PUT /rest/bug/58', { status: 'RESOLVED', resolution: 'FIXED' }, 400, 123],
    ['PUT /rest/bug/58', { comment: { body: 'mine' } }, 200, unchanged],
    ['PUT /rest/bug/58', { whiteboard: 'w' }, 401, 115],
  ),
  ...by(
    'bridge',
    ['PUT /rest/bug/58', { comment: { body: 'x', is_private: true } }, 401, 113],
    ['PUT /rest/bug/1', { comment_is_private: { 2: true } }, 401, 113],
    ['PUT /rest/bug/58', { see_also: { add: ['25'] } }, 401, 102],
    ['PUT /rest/bug/58', { depends_on: { add: [25] } }, 401, 102],
  ),
];

export const neighbours: readonly Neighbour[] = [...searches, ...reads, ...creations, ...updates];

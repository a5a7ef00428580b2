import { describe, expect, test } from 'vitest';
import { openTracker, type Tracker, type TrackerOptions } from '../../../src/bugzilla/api/tracker.ts';
import { fakeTracker, type Reply, type TrackerRequest } from './fake-tracker.ts';

const at = Date.parse('2026-11-21T10:00:00.900Z');

function clientOf(body: unknown, options: Partial<TrackerOptions> = {}) {
  const fake = fakeTracker((): Reply => ({ body }));
  return { ...fake, tracker: openTracker({ url: 'http://tracker.example.test/', fetch: fake.fetch, ...options }) };
}

const addressOf = ({ method, url }: TrackerRequest): string =>
  `${method} ${decodeURIComponent(url.replace('http://tracker.example.test/rest', ''))}`;

const bugs = { bugs: [{ id: 7 }] };
const threads = {
  bugs: { 7: { comments: [] } },
  comments: { 9: { id: 9, bug_id: 7, creation_time: '2026-11-21T10:00:00Z' } },
};
const files = { bugs: { 7: [] }, attachments: { 9: { id: 9, bug_id: 7 } } };
const histories = { bugs: [{ id: 7, alias: [], history: [] }] };
const updated = { bugs: [{ id: 7, changes: {} }] };
const updatedFiles = { attachments: [{ id: 9, changes: {} }] };

describe('a read asks for', () => {
  const table: readonly (readonly [string, unknown, (tracker: Tracker) => Promise<unknown>])[] = [
    ['GET /bug/7', bugs, (tracker) => tracker.getBug(7)],
    ['GET /bug/an alias', bugs, (tracker) => tracker.getBug('an alias')],
    ['GET /bug/7?include_fields=summary,id', bugs, (tracker) => tracker.getBug(7, { includeFields: ['summary'] })],
    ['GET /bug/7?exclude_fields=cc', bugs, (tracker) => tracker.getBug(7, { excludeFields: ['cc', 'id'] })],
    ['GET /bug/7/history', histories, (tracker) => tracker.bugHistory(7)],
    [
      'GET /bug/7/history?new_since=2026-11-21T10:00:00Z',
      histories,
      (tracker) => tracker.bugHistory(7, { newSince: at }),
    ],
    ['GET /bug/7/history?ids=8&ids=x', histories, (tracker) => tracker.bugHistory([7, 8, 'x', 7])],
    ['GET /bug/7/attachment?exclude_fields=data', files, (tracker) => tracker.getAttachments(7)],
    ['GET /bug/7/attachment?ids=8', files, (tracker) => tracker.getAttachments([7, 8], { data: true })],
    ['GET /bug/attachment/9', files, (tracker) => tracker.getAttachment(9)],
    ['GET /bug/attachment/9?exclude_fields=data', files, (tracker) => tracker.getAttachment(9, { data: false })],
    ['GET /bug/7/comment', threads, (tracker) => tracker.getComments(7)],
    [
      'GET /bug/7/comment?ids=8&new_since=2026-11-21T10:00:00Z',
      threads,
      (tracker) => tracker.getComments([7, 8], { newSince: at }),
    ],
    ['GET /bug/comment/9', threads, (tracker) => tracker.getComment(9)],
    ['GET /bug/comment/tags/a/b', ['a/b'], (tracker) => tracker.searchCommentTags('a/b')],
    ['GET /bug/comment/tags/spa?limit=3', [], (tracker) => tracker.searchCommentTags('spa', { limit: 3 })],
    ['GET /version', { version: '5.2' }, (tracker) => tracker.version()],
    ['GET /time', {}, (tracker) => tracker.time()],
    ['GET /valid_login?login=me', { result: true }, (tracker) => tracker.validLogin('me')],
    ['GET /field/bug', { fields: [] }, (tracker) => tracker.fields()],
    ['GET /field/bug/bug_status', { fields: [] }, (tracker) => tracker.fields('bug_status')],
    ['GET /product?type=accessible', { products: [] }, (tracker) => tracker.products()],
    ['GET /product?names=Widget&names=Gadget', { products: [] }, (tracker) => tracker.products(['Widget', 'Gadget'])],
    ['GET /parameters', { parameters: {} }, (tracker) => tracker.parameters()],
  ];

  test.each(table)('%s', async (address, body, read) => {
    const { asked, tracker } = clientOf(body);
    await read(tracker);
    expect(asked.map(addressOf)).toEqual([address]);
  });

  test('nothing at all where nothing is asked for', async () => {
    const { asked, tracker } = clientOf({});
    expect(await tracker.getBugs([])).toEqual([]);
    expect(await tracker.bugHistory([])).toEqual([]);
    expect(await tracker.getComments([])).toEqual(new Map());
    expect(await tracker.getAttachments([])).toEqual(new Map());
    expect(await tracker.updateBug([], {})).toEqual([]);
    expect(await tracker.products([])).toEqual([]);
    expect(await tracker.readComments([])).toEqual({ found: new Map(), leftOut: [] });
    expect(asked).toEqual([]);
  });

  test.each(['', '.', '..'])('no bug named "%s", whose address would be that of all bugs', async (name) => {
    const { asked, tracker } = clientOf(bugs);
    await expect(tracker.getBug(name)).rejects.toMatchObject({ name: 'TrackerError', kind: 'invalid' });
    await expect(tracker.updateBug(name, {})).rejects.toMatchObject({ kind: 'invalid' });
    await expect(tracker.createComment(name, { comment: 'x' })).rejects.toMatchObject({ kind: 'invalid' });
    expect(asked).toEqual([]);
  });
});

describe('a search asks for', () => {
  const table: readonly (readonly [string, Parameters<Tracker['searchBugs']>[0]])[] = [
    ['/bug', {}],
    ['/bug?product=Widget&product=Gadget&status=CONFIRMED', { product: ['Widget', 'Gadget'], status: 'CONFIRMED' }],
    ['/bug?resolution=---', { resolution: '' }],
    ['/bug?resolution=FIXED&resolution=---', { resolution: ['FIXED', ''] }],
    [
      '/bug?creation_time=2026-11-21T10:00:00Z&last_change_time=1970-01-01T00:00:00Z',
      { creation_time: at, last_change_time: 0 },
    ],
    ['/bug?summary=it crashes&whiteboard=[a]&url=x', { summary: 'it crashes', whiteboard: ['[a]'], url: 'x' }],
    [
      '/bug?limit=10&offset=20&order=changeddate DESC,bug_id',
      { limit: 10, offset: 20, order: ['changeddate DESC', 'bug_id'] },
    ],
    ['/bug?quicksearch=crash', { quicksearch: 'crash' }],
    ['/bug?keywords=crash&cf_area=ui&cf_area=net', { other: { keywords: 'crash', cf_area: ['ui', 'net'] } }],
    ['/bug?f1=bug_id&o1=greaterthan&v1=5', { charts: [{ field: 'bug_id', operator: 'greaterthan', value: 5 }] }],
    ['/bug?f1=alias&o1=isempty&n1=1', { charts: [{ field: 'alias', operator: 'isempty', not: true }] }],
    ['/bug?f1=bug_id&o1=anyexact&v1=1,2', { charts: [{ field: 'bug_id', operator: 'anyexact', value: [1, 2] }] }],
  ];

  test.each(table)('%s', async (address, search) => {
    const { asked, tracker } = clientOf({ bugs: [] });
    await tracker.searchBugs(search);
    expect(asked.map(addressOf).map((each) => each.replaceAll('+', ' '))).toEqual([`GET ${address}`]);
  });

  test('any of several texts, although the tracker would want all of them', async () => {
    const { asked, tracker } = clientOf({ bugs: [] });
    await tracker.searchBugs({
      product: 'Widget',
      summary: ['it crashes', 'hole'],
      charts: [{ field: 'alias', operator: 'isempty' }],
    });
    await tracker.searchBugs({ whiteboard: ['a', 'b'], url: ['x', 'y'] });
    expect(asked.map(({ query }) => String(query).replaceAll('+', ' '))).toEqual([
      'product=Widget&f1=alias&o1=isempty&f2=OP&j2=OR&f3=short_desc&o3=allwordssubstr&v3=it crashes&f4=short_desc&o4=allwordssubstr&v4=hole&f5=CP',
      'f1=OP&j1=OR&f2=status_whiteboard&o2=allwordssubstr&v2=a&f3=status_whiteboard&o3=allwordssubstr&v3=b&f4=CP' +
        '&f5=OP&j5=OR&f6=bug_file_loc&o6=allwordssubstr&v6=x&f7=bug_file_loc&o7=allwordssubstr&v7=y&f8=CP',
    ]);
  });

  test('charts in groups, numbered without a gap', async () => {
    const { asked, tracker } = clientOf({ bugs: [] });
    const condition = (field: string) => ({ field, operator: 'equals', value: 'x' });
    const charts = [{ any: [condition('a'), { all: [condition('b'), condition('c')], not: true }] }, condition('d')];
    await tracker.searchBugs({ charts });
    expect(asked.map(({ query }) => String(query))).toEqual([
      'f1=OP&j1=OR&f2=a&o2=equals&v2=x&f3=OP&n3=1&f4=b&o4=equals&v4=x&f5=c&o5=equals&v5=x&f6=CP&f7=CP&f8=d&o8=equals&v8=x',
    ]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e20, Date.UTC(10_000, 0)])(
    'nothing about a time that is none (%d)',
    async (time) => {
      const { asked, tracker } = clientOf(bugs);
      for (const ask of [
        () => tracker.searchBugs({ last_change_time: time }),
        () => tracker.getComments(7, { newSince: time }),
        () => tracker.bugHistory(7, { newSince: time }),
        () => tracker.readComments([7], { since: time * 2 }),
      ]) {
        await expect(ask()).rejects.toMatchObject({ name: 'TrackerError', kind: 'invalid' });
      }
      expect(asked).toEqual([]);
    },
  );

  test('nothing when a list is empty, since it would vanish and find every bug', async () => {
    const { asked, tracker } = clientOf(bugs);
    await expect(tracker.searchBugs({ product: [] })).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('product'),
    });
    await expect(tracker.searchBugs({ resolution: [] })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(tracker.searchBugs({ other: { keywords: [] } })).rejects.toMatchObject({ kind: 'invalid' });
    expect(asked).toEqual([]);
  });

  test.each([{ offset: 1 }, { order: 'bug_id' }, { quicksearch: 'x' }])(
    'nothing for all bugs together with %o',
    async (more) => {
      const { asked, tracker } = clientOf(bugs);
      await expect(tracker.searchBugs({ limit: 0, ...more })).rejects.toMatchObject({ kind: 'invalid' });
      expect(asked).toEqual([]);
    },
  );
});

describe('a write sends', () => {
  const every = {
    cc: { add: ['a'], remove: ['b'] },
    keywords: { set: [] },
    comment: { body: 'x', is_private: true },
    cf_area: ['ui'],
  };
  const flags = [{ id: 3, status: 'X' as const }];
  const file = { file_name: 'a.txt', summary: 'a', content_type: 'text/plain' };
  const table: readonly (readonly [string, unknown, unknown, (tracker: Tracker) => Promise<unknown>])[] = [
    ['PUT /bug/7', every, updated, (tracker) => tracker.updateBug(7, every)],
    ['PUT /bug/7', { flags, ids: [7, 'x'] }, updated, (tracker) => tracker.updateBug([7, 'x'], { flags })],
    [
      'PUT /bug/7',
      { comment_is_private: { 12: true } },
      updated,
      (tracker) => tracker.updateBug(7, { comment_is_private: { 12: true } }),
    ],
    [
      'POST /bug/7/attachment',
      { ...file, data: 'aGk=', ids: [7] },
      { ids: [9] },
      (tracker) => tracker.createAttachment(7, { ...file, data: 'hi' }),
    ],
    [
      'POST /bug/7/attachment',
      { ...file, data: 'AP8=', ids: [7, 8] },
      { ids: [9] },
      (tracker) => tracker.createAttachment([7, 8], { ...file, data: Uint8Array.of(0, 255) }),
    ],
    [
      'PUT /bug/attachment/9',
      { is_obsolete: true },
      updatedFiles,
      (tracker) => tracker.updateAttachment(9, { is_obsolete: true }),
    ],
    [
      'PUT /bug/attachment/9',
      { flags, ids: [9, 10] },
      updatedFiles,
      (tracker) => tracker.updateAttachment([9, 10], { flags }),
    ],
    [
      'POST /bug/x/comment',
      { comment: 'hi', is_private: true, work_time: 1.5 },
      { id: 3 },
      (tracker) => tracker.createComment('x', { comment: 'hi', is_private: true, work_time: 1.5 }),
    ],
    [
      'PUT /bug/comment/9/tags',
      { comment_id: 9, add: ['spam'], remove: [] },
      ['spam'],
      (tracker) => tracker.updateCommentTags(9, { add: ['spam'] }),
    ],
    [
      'POST /bug',
      { product: 'Widget', component: 'Core', version: '1.0', summary: 's', groups: [] },
      { id: 3 },
      (tracker) =>
        tracker.createBug({ product: 'Widget', component: 'Core', version: '1.0', summary: 's', groups: [] }),
    ],
  ];

  test.each(table)('%s %j', async (address, body, answer, write) => {
    const { asked, tracker } = clientOf(answer);
    await write(tracker);
    expect(asked.map(addressOf)).toEqual([address]);
    expect(asked[0]?.body).toEqual(body);
  });
});

describe('the key', () => {
  const secret = 'aVerySecretKey/With+Signs';
  const answers = (asked: TrackerRequest): Reply => {
    if (asked.path === '/whoami') return { status: 404, body: { error: true, code: 32614, message: 'not found' } };
    if (asked.path === '/valid_login') return { body: { result: asked.query.get('api_key') === secret } };
    return {
      status: 400,
      body: { error: true, code: 50, message: `no such thing: ${asked.url} ${JSON.stringify(asked.body)}` },
    };
  };
  const keyed = (options: Partial<TrackerOptions> = {}) => {
    const fake = fakeTracker(answers);
    const tracker = openTracker({
      url: 'http://tracker.example.test',
      apiKey: secret,
      login: 'me',
      fetch: fake.fetch,
      ...options,
    });
    return { ...fake, tracker };
  };

  test('is checked once, before the first request, however many come at once', async () => {
    const { asked, tracker } = keyed();
    await Promise.allSettled([tracker.getBug(1), tracker.getBug(2), tracker.createComment(1, { comment: 'x' })]);
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /whoami',
      'GET /valid_login',
      'GET /valid_login',
      'GET /bug/1',
      'GET /bug/2',
      'POST /bug/1/comment',
    ]);
    expect(await tracker.hello()).toBe('me');
    expect(await tracker.whoAmI()).toBe('me');
  });

  test('travels in the body of a write and never in its address', async () => {
    const { asked, tracker } = keyed();
    await expect(tracker.createComment(1, { comment: 'x' })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(tracker.updateBug(1, { summary: 'x' })).rejects.toMatchObject({ kind: 'invalid' });
    const writes = asked.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ body, query }) => [body['api_key'], String(query)])).toEqual([
      [secret, ''],
      [secret, ''],
    ]);
  });

  test('stands in no error, however the tracker repeats it', async () => {
    const { tracker } = keyed();
    for (const call of [() => tracker.getBug(1), () => tracker.createComment(1, { comment: 'x' })]) {
      const failure = await call().catch((error: unknown) => error);
      const shown = `${String(failure)} ${JSON.stringify(failure)} ${failure instanceof Error ? failure.stack : ''}`;
      expect(shown).toContain('[key]');
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(encodeURIComponent(secret));
    }
  });

  test('that is ignored fails every request, and is tried again with the next', async () => {
    const { asked, tracker } = keyed({ login: 'somebody else', apiKey: 'another' });
    await expect(tracker.getBug(1)).rejects.toMatchObject({ kind: 'credentials' });
    const before = asked.length;
    await expect(tracker.createComment(1, { comment: 'x' })).rejects.toMatchObject({ kind: 'credentials' });
    expect(asked.length).toBe(before * 2);
    expect(asked.every(({ path }) => path === '/whoami' || path === '/valid_login')).toBe(true);
  });

  test('is not there for an anonymous reader, who has no key to check', async () => {
    const { asked, tracker } = keyed({ apiKey: '' });
    await expect(tracker.getBug(1)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await tracker.hello()).toBeNull();
    expect(asked.map(({ path, query }) => `${path}?${query}`)).toEqual(['/bug/1?']);
  });
});

import { describe, expect, it } from 'vitest';
import { type Answered, contentOf, openServer, type Server } from './client.ts';

const bug = '/rest/bug/1?include_fields=id,summary';
const typeOf = ({ headers }: Answered): string | null => headers.get('Content-Type');
const codeOf = ({ body }: Answered): unknown => (body as { code?: number } | null)?.code ?? null;

/** What a body with this type comes to: the status, the code, and the text of the comment that was written. */
async function comment(server: Server, body: unknown, type: string | null, query = ''): Promise<readonly unknown[]> {
  const path = `/rest/bug/1/comment?api_key=${server.world.user('alice').apiKey}${query}`;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await server.ask(path, {
    method: 'POST',
    body: text,
    headers: type === null ? {} : { 'Content-Type': type },
  });
  return [answer.status, codeOf(answer), server.world.commentsOf(1)[2]?.text ?? null];
}

describe('the form of an answer', () => {
  it.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/xml', 'application/json'],
    ['application/vnd.github+json', 'application/json'],
    ['text/html', 'text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['application/json, text/html', 'application/json'],
    ['application/json;q=0.5, text/html', 'text/html'],
    ['*/*, text/html;q=0.1', 'text/html'],
    ['text/javascript', 'text/javascript'],
  ])('for a client that likes %j is %s', async (accept, type) => {
    const answer = await openServer().ask(bug, { headers: { Accept: accept } });
    expect([answer.status, typeOf(answer)]).toEqual([200, `${type}; charset=UTF-8`]);
  });

  it('is a page with the JSON for people in a browser, in which what people wrote stays text', async () => {
    const { text } = await openServer().ask('/rest/bug/2?include_fields=summary,cc,id', {
      headers: { Accept: 'text/html' },
    });
    expect(/<pre>(.*)<\/pre>/s.exec(text)?.[1]?.replaceAll('&quot;', '"')).toBe(
      '{\n   "bugs" : [\n      {\n         "cc" : [],\n         "cc_detail" : [],\n         "id" : 2,\n         "summary" : "Menu \\"File\\" &lt;wraps&gt; &amp; jumps"\n      }\n   ],\n   "faults" : []\n}\n',
    );
  });

  it('is a page for errors too', async () => {
    const answer = await openServer().ask('/rest/nonsense', { headers: { Accept: 'text/html' } });
    expect([answer.status, typeOf(answer), answer.text]).toEqual([
      404,
      'text/html; charset=UTF-8',
      expect.stringContaining('&quot;code&quot; : 32614'),
    ]);
  });

  it.each([
    ['&callback=my.cb[0]', '*/*', '/**/my.cb[0]('],
    ['&callback=cb', 'text/html', '/**/cb('],
    ['', 'application/javascript', '/**/callback('],
  ])('is a script when a function is named: %j, %s', async (query, accept, start) => {
    const answer = await openServer().ask(`${bug}${query}`, { headers: { Accept: accept } });
    expect([typeOf(answer), answer.text]).toEqual(['text/javascript; charset=UTF-8', expect.stringMatching(/\)$/)]);
    expect(answer.text.startsWith(start)).toBe(true);
  });

  it('is no script for a function’s name that is more than a name', async () => {
    const answer = await openServer().ask(`${bug}&callback=alert(1)`);
    expect([answer.status, codeOf(answer), typeOf(answer)]).toEqual([400, 32611, 'application/json; charset=UTF-8']);
  });

  it('has a tag by which it is known again', async () => {
    const server = openServer();
    const etag = (await server.ask(bug)).headers.get('ETag') ?? '';
    const again = async (tag: string): Promise<number> =>
      (await server.ask(bug, { headers: { 'If-None-Match': tag } })).status;
    expect([await again(etag), await again(`"${etag}"`), await again(`x, ${etag}`), await again('x')]).toEqual([
      304, 304, 304, 200,
    ]);
    expect((await server.ask(bug, { headers: { 'If-None-Match': etag } })).text).toBe('');
    server.world.as('bob').change(1, { summary: 'Another' });
    expect(await again(etag)).toBe(200);
  });

  it('brings a cookie for anonymous reads, once', async () => {
    const server = openServer();
    const cookieOf = ({ headers }: Answered): string | null => headers.get('Set-Cookie');
    const cookie = cookieOf(await server.ask(bug));
    expect(cookie).toMatch(/^Bugzilla_login_request_cookie=\w{10}; path=\/; HttpOnly$/);
    expect(cookieOf(await server.ask(bug, { headers: { Cookie: cookie ?? '' } }))).toBeNull();
    expect(cookieOf(await server.ask(bug, { as: 'bob' }))).toBeNull();
    expect(cookieOf(await server.ask('/rest/bug', { method: 'POST', body: {} }))).toBeNull();
  });
});

describe('the form of a body', () => {
  const json = { comment: 'hello' };
  it.each<readonly [string, unknown, string | null, readonly unknown[]]>([
    ['JSON', json, 'application/json', [201, null, 'hello']],
    ['JSON with its alphabet', json, 'application/json; charset=utf-8', [201, null, 'hello']],
    ['JSON as plain text', json, 'text/plain', [201, null, 'hello']],
    ['JSON as something like it', json, 'application/vnd.api+json', [201, null, 'hello']],
    ['JSON without a type', json, null, [400, 50, null]],
    ['a form', 'comment=hello+there', 'application/x-www-form-urlencoded', [201, null, 'hello there']],
    ['a form without a type', 'comment=hello', null, [201, null, 'hello']],
    ['nothing', '', 'application/json', [400, 50, null]],
    ['a list', ['x'], 'application/json', [200, null, null]],
    ['a text', '"x"', 'application/json', [200, null, null]],
    ['a number', '5', 'application/json', [200, null, null]],
    ['zero', '0', 'application/json', [400, 50, null]],
    ['null, with something in the query', 'null', 'application/json', [400, 50, null]],
    ['broken JSON', '{"comment": "x"', 'application/json', [400, 32000, null]],
    ['half a character', '{"comment": "\\ud83e"}', 'application/json', [400, 32000, null]],
    ['a whole one', '{"comment": "\\ud83e\\udd8a"}', 'application/json', [201, null, '🦊']],
  ])('%s', async (_name, body, type, expected) => {
    expect(await comment(openServer(), body, type)).toEqual(expected);
  });

  it('gives nothing at all, not even a type, for JSON that is no object', async () => {
    const answer = await openServer().ask('/rest/bug/1/comment', { method: 'POST', as: 'alice', body: ['x'] });
    expect([answer.status, answer.text, typeOf(answer)]).toEqual([200, '', null]);
  });

  it('is mangled when its bytes are no UTF-8, and kept', async () => {
    const server = openServer();
    const body = new Uint8Array(Buffer.from('{"comment":"café"}', 'latin1'));
    const path = `/rest/bug/1/comment?api_key=${server.world.user('alice').apiKey}`;
    const { trackerServer } = await import('../../../src/sandbox/tracker/server/server.ts');
    const answer = await trackerServer(server.world).request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect([answer.status, server.world.commentsOf(1)[2]?.text]).toEqual([201, 'caf\uFFFD']);
  });

  it('makes the server fail inside on a change without a type', async () => {
    const server = openServer();
    const answer = await server.ask('/rest/bug/1', { method: 'PUT', as: 'alice', body: '{"whiteboard":"x"}' });
    expect([answer.status, codeOf(answer), server.world.bug(1)?.whiteboard]).toEqual([200, 100500, '']);
  });

  it('counts less than the query, in which a name counts once', async () => {
    expect(
      await comment(openServer(), { comment: 'body' }, 'application/json', '&comment=query&comment=again'),
    ).toEqual([201, null, 'query']);
  });

  it('is not looked at on a read', async () => {
    const server = openServer();
    const answer = await server.ask('/rest/bug/1', { headers: { 'Content-Type': 'application/json' } });
    expect(answer.status).toBe(200);
  });

  it('may part its pairs by semicolons, and stands for search words when it has no pairs', async () => {
    const server = openServer();
    const ids = async (query: string): Promise<unknown> =>
      (await server.ask(`/rest/bug?${query}`)).text.match(/"id":\d+(?=[,}])/g)?.length;
    expect(await ids('id=1;include_fields=id')).toBe(1);
    expect((await server.ask('/rest/bug?regression')).body).toEqual({ bugs: [] });
  });
});

describe('trouble', () => {
  it('a tracker that is shut down answers everything with a page', async () => {
    const server = openServer({ settings: { shutdownhtml: 'Back at noon' } });
    for (const path of ['/rest/bug/1', '/rest/version', '/']) {
      const answer = await server.ask(path);
      expect([
        answer.status,
        typeOf(answer),
        answer.headers.get('Retry-After'),
        answer.text.includes('Back at noon'),
      ]).toEqual([503, 'text/html; charset=UTF-8', '3600', true]);
    }
  });

  it('a mail server that is down fails what has been written', async () => {
    const server = openServer({ settings: { mail_delivery_method: 'SMTP', smtpserver: '192.0.2.1:9' } });
    const answer = await server.ask('/rest/bug/1/comment', {
      method: 'POST',
      as: 'alice',
      body: { comment: 'committed' },
    });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 68000, message: expect.stringContaining('(192.0.2.1) port 9') },
    ]);
    expect(server.world.commentsOf(1)[2]?.text).toBe('committed');
    const filing = { product: 'Widget', component: 'Core', version: '1.0', summary: 'third' };
    expect(codeOf(await server.ask('/rest/bug', { method: 'POST', as: 'bob', body: filing }))).toBe(68000);
    expect(server.world.bug(3)?.summary).toBe('third');
  });

  it.each<readonly [string, string, unknown, string | null]>([
    ['nobody of a change that changes nothing', 'alice', {}, null],
    ['the assignee of what the reporter does', 'bob', { whiteboard: 'x' }, 'alice'],
    ['nobody of what they do themselves', 'bridge', { whiteboard: 'x' }, null],
    ['the reporter alone of who else is told', 'admin', { cc: { add: ['admin@example.test'] } }, 'bridge'],
    ['nobody of whom the reporter tells', 'bridge', { cc: { add: ['admin@example.test'] } }, null],
  ])('mail tells %s', async (_name, as, body, reported) => {
    const server = openServer({ settings: { mail_delivery_method: 'SMTP' } });
    const mine = { summary: 'mine', component: 'UI', assigned_to: 'bridge@example.test' };
    if (as === 'bridge' || reported === 'bridge') server.world.as('bridge').file(mine);
    else server.world.as('bob').file({ summary: 'mine', component: 'Core' });
    if (reported === 'bridge') server.world.as('admin').change(3, { assigned_to: 'alice@example.test' });
    const answer = await server.ask('/rest/bug/3', { method: 'PUT', as, body });
    const to = /to '(\w+)@/.exec(answer.text)?.[1] ?? null;
    expect([answer.status, to]).toEqual([reported === null ? 200 : 400, reported]);
  });

  it.each([
    ['HEAD', '/rest/bug/1', 404],
    ['DELETE', '/rest/bug/1', 404],
    ['PATCH', '/rest/bug/1', 404],
    ['PUT', '/rest/bug', 404],
    ['POST', '/rest/bug/comment/render', 404],
    ['GET', '/rest/bug/1/', 404],
    ['GET', '/rest/bug/1/nonsense', 404],
    ['GET', '/rest/bug/%E0%A4', 400],
    ['GET', `/rest/bug?id=${'1,'.repeat(5000)}`, 414],
  ])('%s %s is answered with %i', async (method, path, status) => {
    expect((await openServer().ask(path, { method, as: 'alice' })).status).toBe(status);
  });

  it('OPTIONS tells what may be done', async () => {
    const answer = await openServer().ask('/rest/bug/1/comment', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('Allow')]).toEqual([200, 'GET, POST']);
  });

  it('a failure that nobody thought of becomes an error in the body, without where it happened', async () => {
    const server = openServer();
    server.world.state.history.set(1, JSON.parse('[null]'));
    const answer = await server.ask('/rest/bug/1/history');
    expect([answer.status, answer.body]).toMatchObject([200, { error: true, code: 100500 }]);
    expect(answer.text).not.toContain('.ts');
  });
});

describe('nonsense', () => {
  const values: readonly unknown[] = [
    null,
    true,
    0,
    -1,
    1e300,
    '',
    'x',
    '\u0000',
    [],
    [null],
    [[]],
    ['x'],
    {},
    { add: null },
    { add: 'x' },
    { set: [{}] },
  ];
  const names = [
    ...[
      'summary',
      'product',
      'component',
      'version',
      'status',
      'resolution',
      'dupe_of',
      'alias',
      'cc',
      'keywords',
      'groups',
      'see_also',
    ],
    ...[
      'depends_on',
      'blocks',
      'flags',
      'comment',
      'comment_is_private',
      'deadline',
      'assigned_to',
      'qa_contact',
      'ids',
      'id',
      'work_time',
    ],
    ...[
      'cf_branch',
      'cf_area',
      'cf_due',
      'is_private',
      'add',
      'remove',
      'comment_id',
      'data',
      'file_name',
      'content_type',
      'is_patch',
      'callback',
    ],
  ];
  const endpoints = [
    ['POST', '/rest/bug', { product: 'Widget', component: 'UI', version: '1.0', summary: 's' }],
    ['PUT', '/rest/bug/1', {}],
    ['POST', '/rest/bug/1/comment', { comment: 'c' }],
    ['PUT', '/rest/bug/comment/3/tags', {}],
    ['POST', '/rest/bug/1/attachment', { data: 'aGk=', file_name: 'a.txt', summary: 's', content_type: 'text/plain' }],
  ] as const;

  it.each(endpoints)(
    '%s %s never breaks the server, and changes nothing where it answers an error',
    async (method, path, base) => {
      const faults: string[] = [];
      for (const name of names) {
        const server = openServer();
        for (const value of values) {
          const before = contentOf(server);
          const answer = await server.ask(path, { method, as: 'alice', body: { ...base, [name]: value } });
          const isError = codeOf(answer) !== null;
          if (answer.status >= 500 || (answer.text !== '' && answer.body === null && name !== 'callback'))
            faults.push(`${name}=${JSON.stringify(value)} gives ${answer.status}`);
          if (isError && contentOf(server) !== before)
            faults.push(`${name}=${JSON.stringify(value)} is refused and changes something: ${answer.text}`);
        }
      }
      expect(faults).toEqual([]);
    },
  );
});

describe('the older interface', () => {
  const call = async (server: Server, method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> =>
    (await server.ask('/jsonrpc.cgi', { method: 'POST', body: { id: 7, method, params: [params] } })).body;

  it('reads bugs, with the key in the body', async () => {
    const server = openServer();
    server.world.hide(2);
    const Bugzilla_api_key = server.world.user('alice').apiKey;
    const fields = { include_fields: ['id'] };
    expect(await call(server, 'Bug.get', { ids: [1, 2], Bugzilla_api_key, ...fields })).toEqual({
      id: 7,
      result: { bugs: [{ id: 1 }, { id: 2 }], faults: [] },
      error: null,
    });
    expect(await call(server, 'Bug.get', { ids: [2], ...fields })).toMatchObject({
      id: 7,
      result: null,
      error: { code: 102 },
    });
    expect(await call(server, 'Bug.possible_duplicates', { summary: 'it crashes', ...fields })).toMatchObject({
      result: { bugs: [{ id: 1 }] },
    });
    for (const method of ['Bug.nonsense', 'constructor', ''])
      expect(await call(server, method, {})).toMatchObject({ result: null, error: { code: 67399 } });
  });
});

describe('a server of the 5.3 line', () => {
  // Recorded of 5.3.3: create_unicode_raw_utf8 and create_unicode_escaped.
  it.each([
    ['', 'raw', 'D\u00c3\u00ab \u00f0\u009f\u00a6\u008a'],
    ['; charset=utf-8', 'raw', 'D\u00c3\u00ab \u00f0\u009f\u00a6\u008a'],
    ['', 'escaped', 'D\u00eb \ud83e\udd8a'],
  ])('reads the bytes of JSON as Latin-1, and escapes rightly (%j, %s)', async (charset, how, stored) => {
    const body = how === 'raw' ? '{"comment":"Dë 🦊"}' : '{"comment":"D\\u00eb \\ud83e\\udd8a"}';
    const server = openServer({ version: '5.3' });
    expect(await comment(server, body, `application/json${charset}`)).toEqual([201, null, stored]);
    expect(await comment(openServer(), body, `application/json${charset}`)).toEqual([201, null, 'Dë 🦊']);
  });
});

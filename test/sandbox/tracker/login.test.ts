import { describe, expect, it } from 'vitest';
import { type Answered, openServer, type Server } from './client.ts';

const alice = 'login=alice%40example.test&password=alice-sandbox';
const wrong = 'login=alice%40example.test&password=nope';
const minuteMs = 60_000;

/** A bug that alice sees and anonymous readers do not. */
function openHiding(): Server {
  const server = openServer();
  server.world.hide(2);
  return server;
}

async function tokenOf(server: Server, more = ''): Promise<string> {
  const { body } = await server.ask(`/rest/login?${alice}${more}`);
  return (body as { token: string }).token;
}

const outcome = ({ status, body }: Answered): readonly unknown[] => [status, (body as { code?: number }).code ?? null];

describe('saying who one is', () => {
  it.each([
    ['login and password', alice],
    ['their long names', alice.replace('login', 'Bugzilla_login').replace('password', 'Bugzilla_password')],
    ['a login in capitals', alice.replace('alice', 'ALICE')],
  ])('works by %s', async (_name, query) => {
    expect(outcome(await openHiding().ask(`/rest/bug/2?${query}`))).toEqual([200, null]);
  });

  it('works by API key under both names, in the query and in the body of a write', async () => {
    const server = openHiding();
    const key = server.world.user('alice').apiKey;
    for (const name of ['api_key', 'Bugzilla_api_key']) {
      expect(outcome(await server.ask(`/rest/bug/2?${name}=${key}`))).toEqual([200, null]);
      expect(
        outcome(await server.ask('/rest/bug/2', { method: 'PUT', body: { whiteboard: name, [name]: key } })),
      ).toEqual([200, null]);
    }
  });

  it.each(['X-BUGZILLA-API-KEY', 'X-BUGZILLA-TOKEN', 'Authorization'])(
    'does not work by the header %s',
    async (header) => {
      const server = openHiding();
      const { apiKey } = server.world.user('alice');
      const given = header === 'Authorization' ? `Bearer ${apiKey}` : apiKey;
      expect(outcome(await server.ask('/rest/bug/2', { headers: { [header]: given } }))).toEqual([401, 102]);
    },
  );

  it.each<readonly [string, string, readonly [number, number]]>([
    ['a wrong key', 'api_key=nope', [400, 306]],
    ['a wrong password', wrong, [401, 300]],
    ['an unknown login', 'login=eve%40example.test&password=x', [401, 300]],
    ['a token that was never given out', 'token=2-nonesuch', [400, 32000]],
  ])('is refused for %s, even where nobody needs to be known', async (_name, query, expected) => {
    expect(outcome(await openServer().ask(`/rest/bug/1?${query}`))).toEqual(expected);
  });

  it('takes a key in the wrong case for a wrong one, and a text that looks like no token for none', async () => {
    const server = openServer();
    expect(outcome(await server.ask(`/rest/bug/1?api_key=${server.world.user('alice').apiKey.toUpperCase()}`))).toEqual(
      [400, 306],
    );
    expect(outcome(await server.ask('/rest/bug/1?token=nonesuch'))).toEqual([200, null]);
  });

  it('knows a key that was taken back, and an account that was closed', async () => {
    const server = openServer();
    const { users } = server.world.state;
    users.splice(
      0,
      users.length,
      ...users.map((user) => (user.id === 2 ? { ...user, revokedKeys: ['oldKey'] } : user)),
    );
    const revoked = await server.ask('/rest/bug/1?api_key=oldKey');
    expect([...outcome(revoked), revoked.text.includes('revoked')]).toEqual([400, 306, true]);
    const closed = await server.ask('/rest/bug/1', { as: 'disabled' });
    expect([...outcome(closed), closed.body]).toMatchObject([
      401,
      301,
      {
        message: expect.stringMatching(
          /^left the company If you believe .* email to admin@example.test explaining why\.$/,
        ),
      },
    ]);
  });

  it('goes by password before token before key', async () => {
    const server = openServer();
    const bobs = server.world.user('bob').apiKey;
    const whoIs = async (query: string): Promise<unknown> =>
      (await server.ask(`/rest/user/alice%40example.test?include_fields=saved_searches&${query}`)).body;
    const itself = { users: [{ saved_searches: [] }] };
    expect(await whoIs(`${alice}&api_key=${bobs}`)).toEqual(itself);
    expect(await whoIs(`token=${await tokenOf(server)}&api_key=${bobs}`)).toEqual(itself);
    expect(await whoIs(`api_key=${bobs}`)).toEqual({ users: [{}] });
    expect(outcome(await server.ask(`/rest/bug/1?${wrong}&api_key=${bobs}`))).toEqual([401, 300]);
  });

  it('files no bug by login and password, which it takes for fields of the bug', async () => {
    const body = {
      product: 'Widget',
      component: 'UI',
      version: '1.0',
      summary: 's',
      login: 'alice@example.test',
      password: 'alice-sandbox',
    };
    const server = openServer();
    expect(outcome(await server.ask('/rest/bug', { method: 'POST', body }))).toEqual([400, 53]);
    expect(server.world.bugs()).toHaveLength(2);
  });
});

describe('tokens', () => {
  it('are good until their owner logs out', async () => {
    const server = openHiding();
    const token = await tokenOf(server);
    expect(token).toMatch(/^2-\w{10}$/);
    for (const name of ['token', 'Bugzilla_token'])
      expect(outcome(await server.ask(`/rest/bug/2?${name}=${token}`))).toEqual([200, null]);
    expect((await server.ask(`/rest/logout?token=${token}`)).body).toEqual({ result: null });
    expect(outcome(await server.ask(`/rest/bug/2?token=${token}`))).toEqual([400, 32000]);
  });

  it('end when they have not been used for thirty days', async () => {
    const server = openHiding();
    const token = await tokenOf(server);
    const useAfter = async (days: number): Promise<readonly unknown[]> => {
      server.clock.now += days * 24 * 60 * minuteMs;
      return outcome(await server.ask(`/rest/bug/2?token=${token}`));
    };
    expect([await useAfter(20), await useAfter(20), await useAfter(31)]).toEqual([
      [200, null],
      [200, null],
      [400, 32000],
    ]);
  });

  it('may be bound to the address that asked for them', async () => {
    const server = openHiding();
    const bound = await tokenOf(server, '&restrict_login=1');
    expect(outcome(await server.ask(`/rest/bug/2?token=${bound}`))).toEqual([200, null]);
    const row = server.world.state.tokens.get(bound);
    if (row !== undefined) server.world.state.tokens.set(bound, { ...row, address: '198.51.100.7' });
    expect(outcome(await server.ask(`/rest/bug/2?token=${bound}`))).toEqual([400, 32000]);
  });

  it('are given to nobody else, and not twice the same', async () => {
    const server = openServer();
    expect(await tokenOf(server)).not.toBe(await tokenOf(server));
    expect((await server.ask('/rest/login?login=alice%40example.test')).body).toMatchObject({
      code: 50,
      message: expect.stringContaining('requires a password'),
    });
    expect((await server.ask('/rest/login', { as: 'alice' })).body).toMatchObject({
      code: 50,
      message: expect.stringContaining('requires a login'),
    });
  });
});

describe('wrong passwords', () => {
  it('lock an address out of the account after the fifth, but not its keys, nor other accounts', async () => {
    const server = openServer();
    const codes: unknown[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) codes.push(...outcome(await server.ask(`/rest/login?${wrong}`)));
    expect(codes).toEqual([401, 300, 401, 300, 401, 300, 401, 300, 400, 32000]);
    const locked = await server.ask(`/rest/login?${alice}`);
    expect(locked.body).toMatchObject({
      code: 32000,
      message:
        'Your IP (192.0.2.1) has been locked out of this account until 2026-11-21 10:14 UTC, as you have exceeded the maximum number of login attempts.',
    });
    expect(outcome(await server.ask('/rest/bug/1', { as: 'alice' }))).toEqual([200, null]);
    expect(outcome(await server.ask('/rest/login?login=bob%40example.test&password=bob-sandbox'))).toEqual([200, null]);
    server.clock.now += 30 * minuteMs;
    expect(outcome(await server.ask(`/rest/login?${alice}`))).toEqual([200, null]);
  });

  it('are forgotten after a right one', async () => {
    const server = openServer();
    for (let attempt = 1; attempt <= 4; attempt++) await server.ask(`/rest/login?${wrong}`);
    await tokenOf(server);
    expect(outcome(await server.ask(`/rest/login?${wrong}`))).toEqual([401, 300]);
  });
});

describe('an installation that wants a login', () => {
  it.each([
    ['/rest/bug/1', 410],
    ['/rest/bug?limit=1', 410],
    ['/rest/time', 410],
    ['/rest/version', null],
    ['/rest/parameters', null],
    [`/rest/login?${alice}`, null],
  ])('answers anonymous readers at %s with %s', async (path, code) => {
    const server = openServer({ settings: { requirelogin: '1' } });
    expect(outcome(await server.ask(path))).toEqual([code === null ? 200 : 401, code]);
    if (code !== null) expect(outcome(await server.ask(path, { as: 'bob' }))).toEqual([200, null]);
  });
});

describe('an installation that hides addresses from anonymous readers', () => {
  const settings = { webservice_email_filter: '1' };

  it('cuts them in bugs, comments and users', async () => {
    const server = openServer({ settings });
    server.world.as('alice').change(1, { cc: { add: ['carol@example.test'] } });
    const [bug, comments, user] = await Promise.all(
      ['/rest/bug/1', '/rest/bug/1/comment', '/rest/user/bob%40example.test'].map((path) => server.ask(path)),
    );
    expect([bug?.text, comments?.text, user?.text].join()).not.toContain('@example.test');
    expect(bug?.body).toMatchObject({
      bugs: [{ creator: 'bob', cc: ['carol'], cc_detail: [{ name: 'carol', email: 'carol' }] }],
    });
  });

  it('leaves them in history, in texts, and for those who have logged in', async () => {
    const server = openServer({ settings });
    server.world.as('alice').change(1, { whiteboard: 'ask eve@example.test' });
    expect((await server.ask('/rest/bug/1/history')).text).toContain('alice@example.test');
    expect((await server.ask('/rest/bug/1')).text).toContain('eve@example.test');
    expect((await server.ask('/rest/bug/1', { as: 'bob' })).text).toContain('"creator":"bob@example.test"');
  });
});

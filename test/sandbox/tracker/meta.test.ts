import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../../src/sandbox/tracker/installation/product-parts.ts';
import { type TrackerVersion, trackerVersions } from '../../../src/sandbox/tracker/installation/versions.ts';
import { openServer, type Server } from './client.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

async function read(server: Server, path: string, as?: string): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await server.ask(path, as === undefined ? {} : { as });
  return body as Readonly<Record<string, unknown>>;
}

const rowsOf = async (server: Server, path: string, list: string, as?: string): Promise<Rows> =>
  (await read(server, path, as))[list] as Rows;
const valuesOf = async (
  server: Server,
  path: string,
  list: string,
  key: string,
  as?: string,
): Promise<readonly unknown[]> => (await rowsOf(server, path, list, as)).map((row) => row[key]);

describe('users', () => {
  it.each<readonly [string, readonly string[]]>([
    ['/rest/user/bob%40example.test', ['bob']],
    ['/rest/user/BOB%40example.test', ['bob']],
    ['/rest/user/3', ['bob']],
    ['/rest/user?ids=3&ids=999', ['bob']],
    ['/rest/user?names=bob%40example.test&names=alice%40example.test&ids=3', ['bob', 'alice']],
    ['/rest/user?match=bob', ['bob']],
    ['/rest/user?match=BØLLE', ['bob']],
    ['/rest/user?match=bo', []],
    ['/rest/user?match=b*', ['bob', 'bridge-insider', 'bridge']],
    ['/rest/user?match=*insider*', ['bridge-insider']],
    ['/rest/user?match=bridge&limit=1', ['bridge-insider']],
    ['/rest/user?match=disab', []],
    ['/rest/user?match=disab&include_disabled=1', ['disabled']],
    ['/rest/user?match=example&groups=insider', ['admin', 'alice', 'bridge-insider']],
    ['/rest/user?match=example&group_ids=9', ['admin', 'alice', 'bridge-insider', 'bridge', 'carol']],
  ])('%s finds %j', async (path, expected) => {
    expect(await valuesOf(openServer(), path, 'users', 'name', 'carol')).toEqual(
      expected.map((name) => `${name}@example.test`),
    );
  });

  it.each<readonly [string, string | undefined, number, number]>([
    ['/rest/user/eve%40example.test', 'carol', 404, 51],
    ['/rest/user?names=bob%40example.test&names=eve', undefined, 404, 51],
    ['/rest/user?ids=x', 'carol', 400, 52],
    ['/rest/user', 'carol', 400, 50],
    ['/rest/user?match=bob', undefined, 401, 505],
    ['/rest/user/3', undefined, 401, 505],
    ['/rest/user?match=bob&groups=nonesuch', 'carol', 404, 51],
  ])('%s is refused to %s', async (path, as, status, code) => {
    const answer = await openServer().ask(path, as === undefined ? {} : { as });
    expect([answer.status, answer.body]).toMatchObject([status, { code }]);
  });

  it.each<readonly [string | undefined, readonly string[]]>([
    [undefined, ['id', 'name', 'real_name']],
    ['bob', ['can_login', 'email', 'groups', 'id', 'name', 'real_name']],
    ['carol', ['can_login', 'email', 'groups', 'id', 'name', 'real_name', 'saved_reports', 'saved_searches']],
    ['admin', ['can_login', 'email', 'email_enabled', 'groups', 'id', 'login_denied_text', 'name', 'real_name']],
  ])('%s sees these fields of carol: %j', async (as, expected) => {
    const [user = {}] = await rowsOf(openServer(), '/rest/user/carol%40example.test', 'users', as);
    expect(Object.keys(user).sort()).toEqual(expected);
    expect(user['groups'] ?? []).toHaveLength(as === 'carol' || as === 'admin' ? 1 : 0);
  });
});

describe('groups', () => {
  it('are listed for those who keep them, and for nobody else', async () => {
    const server = openServer();
    expect(await rowsOf(server, '/rest/group', 'groups', 'admin')).toHaveLength(17);
    expect(await valuesOf(server, '/rest/group/security?ids=9', 'groups', 'name', 'admin')).toEqual([
      'security',
      'canconfirm',
    ]);
    expect([await read(server, '/rest/group', 'alice'), await read(server, '/rest/group')]).toMatchObject([
      { code: 805 },
      { code: 410 },
    ]);
  });

  it('show their members when asked', async () => {
    const [group = {}] = await rowsOf(openServer(), '/rest/group/insider?membership=1', 'groups', 'admin');
    expect((group['membership'] as Rows).map(({ id }) => id)).toEqual([1, 2, 7]);
  });
});

describe('settings', () => {
  const settings = { requirelogin: '0', maxattachmentsize: '20' };

  it.each<readonly [string | undefined, number, boolean]>([
    [undefined, 2, false],
    ['bob', 31, true],
    ['admin', 103, true],
  ])('%s sees %i of them', async (as, count, hasSize) => {
    const { parameters } = (await read(openServer({ settings }), '/rest/parameters', as)) as {
      parameters: Record<string, string>;
    };
    expect([Object.keys(parameters).length, parameters['maxattachmentsize']]).toEqual([
      count,
      hasSize ? '20' : undefined,
    ]);
  });

  it('tell where the tracker stands and how long its lists are', async () => {
    const server = openServer({ maxSearchResults: 12 });
    const path = '/rest/parameters?include_fields=urlbase,max_search_results';
    expect(await read(server, path, 'admin')).toEqual({
      parameters: { urlbase: 'http://tracker.example.test/', max_search_results: '12' },
    });
  });
});

describe('products', () => {
  it.each<readonly [string, string | undefined, readonly string[]]>([
    ['/rest/product/widget', undefined, ['Widget']],
    ['/rest/product/3', undefined, ['Gadget']],
    ['/rest/product?ids=4&names=Widget', 'bridge', ['Widget']],
    ['/rest/product?ids=4&names=Widget', 'alice', ['Secret', 'Widget']],
    ['/rest/product?type=accessible', 'alice', ['Gadget', 'Secret', 'Widget']],
    ['/rest/product?type=nonesuch', 'alice', []],
    ['/rest/product/Nope', 'alice', []],
  ])('%s for %s is %j', async (path, as, expected) => {
    expect(await valuesOf(openServer(), path, 'products', 'name', as)).toEqual(expected);
  });

  it('are numbered in the order of their names, the hidden ones left out', async () => {
    const server = openServer();
    for (const path of ['/rest/product_accessible', '/rest/product_enterable', '/rest/product_selectable']) {
      expect([await read(server, path, 'alice'), await read(server, path)]).toEqual([
        { ids: [3, 4, 2] },
        { ids: [3, 2] },
      ]);
    }
  });

  it('have parts with numbers of their own', async () => {
    const rows = await rowsOf(openServer(), '/rest/product?type=accessible', 'products', 'alice');
    const parts = rows.flatMap((row) => row['components'] as Rows);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(4);
  });
});

describe('fields', () => {
  it('are found by name and number, and only by their internal name', async () => {
    const server = openServer();
    expect(await valuesOf(server, '/rest/field/bug?names=short_desc&ids=14', 'fields', 'name')).toEqual([
      'priority',
      'short_desc',
    ]);
    for (const name of ['status', '999'])
      expect(await read(server, `/rest/field/bug/${name}`)).toMatchObject({ code: 51 });
  });

  it('say what kind they are of, and which have values', async () => {
    const rows = await rowsOf(openServer(), '/rest/field/bug', 'fields');
    const ofKind = (kind: number): readonly unknown[] =>
      rows.filter(({ type }) => type === kind).map(({ name }) => name);
    expect([ofKind(3), ofKind(5), ofKind(7), ofKind(8)]).toEqual([
      ['cf_area'],
      ['cf_due', 'deadline', 'last_visit_ts'],
      ['see_also'],
      ['keywords', 'tag'],
    ]);
    const valued = rows.filter((row) => 'values' in row && row['type'] !== 2).map(({ name }) => name);
    expect(valued).toEqual(['cf_area', 'version', 'keywords', 'target_milestone']);
    const ids = rows.map(({ id }) => Number(id));
    expect(ids.toSorted((one, other) => one - other)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.slice(0, 3).map(({ name }) => name)).toEqual(['bug_id', 'cf_branch', 'cf_area']);
  });

  it.each(trackerVersions)(
    'have versions by their age across products, milestones by their place, and no choice first: %s',
    async (version) => {
      const server = openServer({ version });
      const valuesOf = async (name: string): Promise<readonly unknown[]> => {
        const [field = {}] = await rowsOf(server, `/rest/field/bug/${name}`, 'fields', 'alice');
        const values = field['values'] as Rows;
        return values.map(({ name: value, sort_key: key, visibility_values: products }) => [
          value,
          key,
          ...(products as readonly unknown[]),
        ]);
      };
      const products = ['Widget', 'Gadget', 'Secret'];
      expect(await valuesOf('version')).toEqual([
        ...products.map((product) => ['unspecified', 0, product]),
        ...['1.0', '1.1', '2.0'].map((name) => [name, 0, 'Widget']),
        ...['A1', 'A2'].map((name) => [name, 0, 'Gadget']),
      ]);
      expect(await valuesOf('target_milestone')).toEqual([
        ...products.map((product) => ['---', 0, product]),
        ['1.1', 10, 'Widget'],
        ['Rev B', 10, 'Gadget'],
        ['2.0', 20, 'Widget'],
        ['Future', 90, 'Widget'],
      ]);
      expect(await valuesOf('component')).toEqual([
        ['Core', 0, 'Widget'],
        ['UI', 0, 'Widget'],
        ['Firmware', 0, 'Gadget'],
        ['Vault', 0, 'Secret'],
      ]);
      expect(await valuesOf('cf_impact')).toEqual([
        ['---', 0],
        ['high', 10],
        ['low', 10],
      ]);
    },
  );

  it('have versions of one product in their own order, each with its number', async () => {
    const [widget = {}] = await rowsOf(openServer(), '/rest/product/Widget', 'products', 'alice');
    expect((widget['versions'] as Rows).map(({ id, name }) => [id, name])).toEqual([
      [5, '1.0'],
      [6, '1.1'],
      [7, '2.0'],
      [2, 'unspecified'],
    ]);
    expect((widget['milestones'] as Rows).map(({ id, name, sort_key: key }) => [id, name, key])).toEqual([
      [2, '---', 0],
      [5, '1.1', 10],
      [6, '2.0', 20],
      [7, 'Future', 90],
    ]);
    // As a live 5.2 sorts them.
    const sorted =
      '---|.5|00.8|0.9|1-9|1.0|1.0-beta|1.0rc1|1.09|1.9|1.9.1|1.9a|1.10|2|9|10|A2|a3|A10|B 2|Trunk|unspecified|ü'.split(
        '|',
      );
    expect(sorted.toSorted().toSorted(compareVersions)).toEqual(sorted);
  });

  it('give parts alone if asked', async () => {
    const server = openServer();
    const [field] = await rowsOf(
      server,
      '/rest/field/bug/cf_impact?include_fields=values.name,values.sort_key',
      'fields',
      'alice',
    );
    expect(field).toEqual({
      values: [
        { name: '---', sort_key: 0 },
        { name: 'high', sort_key: 10 },
        { name: 'low', sort_key: 10 },
      ],
    });
    const products = await rowsOf(
      server,
      '/rest/product/Widget?include_fields=name,components.name,versions.id',
      'products',
      'alice',
    );
    expect(products[0]).toMatchObject({ name: 'Widget', components: [{ name: 'Core' }, { name: 'UI' }] });
    expect(Object.keys(products[0] ?? {}).toSorted()).toEqual(['components', 'name', 'versions']);
  });

  it('hide the parts of hidden products', async () => {
    const server = openServer();
    const parts = async (as?: string): Promise<readonly unknown[]> => {
      const [field = {}] = await rowsOf(server, '/rest/field/bug/component', 'fields', as);
      return (field['values'] as Rows).map(({ name }) => name);
    };
    expect([await parts(), await parts('alice')]).toEqual([
      ['Core', 'UI', 'Firmware'],
      ['Core', 'UI', 'Firmware', 'Vault'],
    ]);
  });

  it.each<readonly [string, unknown]>([
    ['component/2/values', { values: ['Core', 'UI'] }],
    ['target_milestone/3/values', { values: ['---', 'Rev B'] }],
    ['version/values?product_id=3', { values: ['A1', 'A2', 'unspecified'] }],
    ['resolution/values', { values: ['', 'FIXED', 'INVALID', 'WONTFIX', 'DUPLICATE', 'WORKSFORME'] }],
    ['status/values', { values: ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED'] }],
    ['component/values', expect.objectContaining({ code: 50 })],
    ['component/4/values', expect.objectContaining({ code: 106 })],
    ['component/99/values', expect.objectContaining({ code: 106 })],
    ['product/values', expect.objectContaining({ code: 108 })],
    ['constructor/2/values', expect.objectContaining({ code: 108 })],
    ['short_desc/values', expect.objectContaining({ code: 108 })],
  ])('/rest/field/bug/%s gives an anonymous reader %j', async (path, expected) => {
    expect(await read(openServer(), `/rest/field/bug/${path}`)).toEqual(expected);
  });
});

describe('the rest', () => {
  it.each<readonly [string, string | undefined, number, unknown]>([
    ['/rest/version', undefined, 200, { version: '5.2' }],
    ['/rest/timezone', undefined, 200, { timezone: '+0000' }],
    ['/rest/extensions', undefined, 200, { extensions: {} }],
    ['/rest/last_audit_time?class=Product', undefined, 200, { last_audit_time: '2026-11-21T09:44:30Z' }],
    ['/rest/classification/1', 'alice', 400, expect.objectContaining({ code: 900 })],
    ['/rest/bug_user_last_visit/1', 'alice', 200, expect.objectContaining({ error: true, code: 100500 })],
    ['/rest/valid_login?login=alice%40example.test', 'alice', 200, { result: true }],
    ['/rest/valid_login?login=bob%40example.test', 'alice', 200, { result: false }],
    ['/rest/valid_login?login=bob%40example.test', undefined, 200, { result: false }],
    ['/rest/valid_login', 'alice', 400, expect.objectContaining({ code: 50 })],
    ['/rest/whoami', 'alice', 404, expect.objectContaining({ code: 32614 })],
  ])('%s for %s', async (path, as, status, body) => {
    const answer = await openServer().ask(path, as === undefined ? {} : { as });
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  it('names the extensions of a harmony, by which programs know what it can do', async () => {
    const server = openServer();
    server.world.state.version = 'harmony';
    expect(await read(server, '/rest/extensions')).toMatchObject({
      extensions: { BMO: { version: '0.1' }, Review: { version: '1' } },
    });
  });

  it('tells when the installation was last changed', async () => {
    const server = openServer();
    server.clock.now += 3_600_000;
    server.world.addProduct('Gizmo');
    expect(await read(server, '/rest/last_audit_time')).toEqual({ last_audit_time: '2026-11-21T10:44:30Z' });
  });
});

describe('what an installation tells to a key', () => {
  const [mine, key] = [{ as: 'bridge' }, { id: 5, name: 'bridge@example.test', real_name: 'Bridge Bot' }];
  // As measured: docs of the versions are silent on it.
  it.each<readonly [TrackerVersion, boolean, boolean]>([
    ['5.0', false, true],
    ['5.2', false, true],
    ['5.3', true, true],
    ['harmony', true, false],
  ])('differs by version: %s', async (version, account, parameters) => {
    const server = openServer();
    server.world.state.version = version;
    const missing = { status: 404, body: { code: 32614 } };
    expect(await server.ask('/rest/whoami', mine)).toMatchObject(account ? { status: 200, body: key } : missing);
    expect(await server.ask('/rest/whoami')).toMatchObject(
      account ? { status: 401, body: { code: version === '5.3' ? '410' : 410 } } : missing,
    );
    const shown = { status: 200, body: { parameters: { use_see_also: '1' } } };
    expect(await server.ask('/rest/parameters', mine)).toMatchObject(
      parameters ? shown : { status: 200, body: { error: true, code: 100302 } },
    );
  });
});

import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { type AuthChoice, keyScrubber } from '../../src/bugzilla/connection/credentials.ts';
import { TrackerError } from '../../src/bugzilla/connection/errors.ts';
import { fakeTracker, openLane, type Reply, type TrackerRequest } from './api/fake-tracker.ts';
import { recorded } from './api/recorded.ts';

const apiKey = 'k3y/with space+sign';
const anything = z.unknown();

function clientOf(
  answer: (asked: TrackerRequest) => Reply | Promise<Reply>,
  auth: AuthChoice = 'auto',
  login: string | null = null,
  timeoutMs = 5000,
) {
  const fake = fakeTracker(answer);
  const lane = openLane();
  const client = createTrackerClient({
    url: 'http://tracker.example.test/bugs/',
    apiKey,
    login,
    auth,
    lane,
    timeoutMs,
    now: () => 0,
    fetch: fake.fetch,
  });
  return { ...fake, client, lane };
}

const as = (name: string): Reply => ({ status: recorded(name).response.status, body: recorded(name).response.body });

/** How the families take a key: which of the ways of sending it counts. */
const families = {
  '5.2': (asked: TrackerRequest) => asked.query.get('api_key') === apiKey,
  harmony: (asked: TrackerRequest) => asked.headers.get('x-bugzilla-api-key') === apiKey,
  redhat: (asked: TrackerRequest) => asked.headers.get('authorization') === `Bearer ${apiKey}`,
};

/** A tracker that ignores credentials it does not know, as all of them do. */
function tracker(family: keyof typeof families, login: string, hasWhoami: boolean) {
  return (asked: TrackerRequest): Reply => {
    const isKnown = families[family](asked);
    if (asked.path === '/version') return as('meta_version_auth');
    if (asked.path === '/time') return as('meta_time');
    if (asked.path === '/whoami') {
      if (!hasWhoami) return as('auth_whoami');
      return isKnown ? { body: { id: 7, name: login, real_name: 'A' } } : as('auth_anon_post_comment');
    }
    if (asked.path === '/user') return { body: { users: asked.query.get('names') === login ? [{ id: 7 }] : [] } };
    if (asked.path === '/valid_login')
      return as(isKnown && asked.query.get('login') === login ? 'auth_valid_login_key' : 'auth_valid_login_other');
    if (asked.path === '/parameters') return as(isKnown ? 'meta_parameters_nonadmin' : 'meta_parameters');
    return { body: {} };
  };
}

describe('a request', () => {
  test('goes below /rest of the installation, encoded, through the lane', async () => {
    const { asked, client, lane } = clientOf(() => ({ body: {} }), 'query');
    await client.read(['bug', 'a/b'], { ids: [2, 3], product: 'A & B' }, anything);
    expect(asked[0]?.url).toBe(
      'http://tracker.example.test/bugs/rest/bug/a%2Fb?ids=2&ids=3&product=A+%26+B&api_key=k3y%2Fwith+space%2Bsign',
    );
    await client.create(['bug'], {}, anything);
    await client.edit(['bug', 1], {}, anything);
    expect(lane.costs).toEqual(['read', 'create', 'edit']);
  });

  test('is ASCII from end to end, whatever it says', async () => {
    const { asked, client } = clientOf(() => ({ body: {} }), 'query');
    const words = 'ünï 中 🦊 \ud800 \\u00e9';
    await client.create(['bug', words.replaceAll('\ud800', '')], { [words]: [words, { deep: words }] }, anything);
    await client.edit(['bug', 1], { summary: words }, anything);
    await client.read(['bug'], { summary: 'ünï 中 🦊' }, anything);
    for (const { url, text, headers } of asked)
      expect(`${url}${text}${JSON.stringify([...headers])}`).toMatch(/^[\x20-\x7e]*$/);
    expect(asked[0]?.body).toMatchObject({ [words]: [words, { deep: words }] });
    expect(asked[1]?.body).toMatchObject({ summary: words });
    expect(asked[2]?.query.get('summary')).toBe('ünï 中 🦊');
  });

  test.each([
    ['http://tracker.example.test', 'http://tracker.example.test/rest/x'],
    ['http://tracker.example.test:8080/bugs//', 'http://tracker.example.test:8080/bugs/rest/x'],
    ['http://tracker.example.test/rest/', 'http://tracker.example.test/rest/x'],
    ['http://tracker.example.test/bugs/rest.cgi', 'http://tracker.example.test/bugs/rest.cgi/x'],
    ['http://tracker.example.test/forest', 'http://tracker.example.test/forest/rest/x'],
    ['http://tracker.example.test/?id=1#top', 'http://tracker.example.test/rest/x'],
  ])('to %s goes to %s', async (url, expected) => {
    const { asked, fetch } = fakeTracker(() => ({ body: {} }));
    await createTrackerClient({ url, apiKey: null, auth: 'auto', lane: openLane(), timeoutMs: 5000, fetch }).read(
      ['x'],
      {},
      anything,
    );
    expect(asked.map((one) => one.url)).toEqual([expected]);
  });

  test('asks for JSON and says what it sends', async () => {
    const { asked, client } = clientOf(() => ({ body: {} }), 'query');
    await client.edit(['bug', 1], { summary: 'x' }, anything);
    expect(asked[0]?.headers.get('accept')).toBe('application/json');
    expect(asked[0]?.headers.get('content-type')).toBe('application/json');
    expect(asked[0]).toMatchObject({ method: 'PUT', body: { summary: 'x' } });
  });

  test.each<[AuthChoice, string | null, string | null, string | null]>([
    ['query', apiKey, null, null],
    ['header', null, apiKey, null],
    ['bearer', null, null, `Bearer ${apiKey}`],
    ['auto', apiKey, apiKey, null],
  ])('sends the key as %s', async (auth, parameter, header, bearer) => {
    const { asked, client } = clientOf(() => ({ body: {} }), auth);
    await client.read(['bug', 1], {}, anything);
    await client.create(['bug', 1, 'comment'], { comment: 'x' }, anything);
    expect(asked[0]?.query.get('api_key')).toBe(parameter);
    expect(asked[1]?.body['api_key'] ?? null).toBe(parameter);
    expect(asked[1]?.url).not.toContain('?');
    for (const one of asked) {
      expect(one.headers.get('x-bugzilla-api-key')).toBe(header);
      expect(one.headers.get('authorization')).toBe(bearer);
    }
  });

  test('takes the time of the answer from the server', async () => {
    const { client } = clientOf(() => ({ body: {}, headers: { date: 'Thu, 01 Jan 1970 00:04:00 GMT' } }));
    expect((await client.read(['bug', 1], {}, anything)).readAt).toBe(240_000);
  });

  test.each([
    'Thu, 01 Jan 1970 00:06:00 GMT',
    'Sat, 03 Jan 1970 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Sun, 01 Jan 1967 00:00:00 GMT',
  ])('does not take it from a date that is far from our clock: %s', async (date) => {
    const { client } = clientOf(() => ({ body: {}, headers: { date } }));
    expect((await client.read(['bug', 1], {}, anything)).readAt).toBeNull();
  });

  test('goes on with a time of its own after that', async () => {
    const { client } = clientOf(() => ({ body: {}, headers: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' } }));
    expect((await client.read(['bug', 1], {}, anything)).readAt).toBe(0);
  });

  test('that takes too long is given up, its result unknown', async () => {
    const never = createTrackerClient({
      url: 'http://tracker.example.test',
      apiKey,
      auth: 'query',
      lane: openLane(),
      timeoutMs: 5,
      now: () => 0,
      fetch: (_input, init) =>
        new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    });
    await expect(never.create(['bug'], {}, anything)).rejects.toMatchObject({ kind: 'unknown-outcome', status: null });
  });

  test('is not sent on to where a redirect points', async () => {
    const { asked, client } = clientOf(() => ({
      status: 307,
      headers: { location: 'http://evil.example.test/' },
      body: '',
    }));
    await expect(client.create(['bug'], {}, anything)).rejects.toMatchObject({ kind: 'refused', status: 307 });
    expect(asked).toHaveLength(1);
  });
});

describe('the key never shows', () => {
  test.each([
    [
      'in an error of the tracker',
      { status: 400, body: { error: true, code: 53, message: `api_key=${encodeURIComponent(apiKey)} and ${apiKey}` } },
    ],
    [
      'in a redirect',
      {
        status: 302,
        headers: {
          location: `http://x.example.test/api_key=${new URLSearchParams({ k: apiKey }).toString().slice(2)}`,
        },
        body: '',
      },
    ],
  ])('%s', async (_name, reply) => {
    const { client } = clientOf(() => reply);
    const failure: unknown = await client.read(['bug', 1], {}, anything).catch((caught: unknown) => caught);
    expect(failure).toBeInstanceOf(TrackerError);
    const shown = `${failure instanceof Error ? `${failure.message}${failure.stack}` : ''}${JSON.stringify(failure)}`;
    expect(shown).toContain('[key]');
    expect(shown).not.toMatch(/k3y/);
  });

  test('in a failure of the network', async () => {
    const { client } = clientOf(() =>
      Promise.reject(new Error(`cannot parse http://x/?api_key=${encodeURIComponent(apiKey)}`)),
    );
    await expect(client.read(['bug', 1], {}, anything)).rejects.toThrow('[key]');
  });

  test.each(['k3y\nk3y', 'k3y\u2603', 'k\u00e93y', '\ufeffk3y\u0000'])(
    'when it cannot be sent at all (%j)',
    async (unsendable) => {
      const { fetch, asked } = fakeTracker(() => ({ body: {} }));
      const url = 'http://tracker.example.test';
      const client = createTrackerClient({
        url,
        apiKey: unsendable,
        auth: 'auto',
        lane: openLane(),
        timeoutMs: 5000,
        fetch,
      });
      const failure: unknown = await client.read(['bug', 1], {}, anything).catch((caught: unknown) => caught);
      expect(failure).toMatchObject({ kind: 'credentials', status: null });
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(/k3y|3y\b|2603|9731/);
      expect(asked).toEqual([]);
    },
  );

  test('with the white space around it that a file adds', async () => {
    const { fetch, asked } = fakeTracker(() => ({ body: {} }));
    const url = 'http://tracker.example.test';
    await createTrackerClient({ url, apiKey: ' k3y\n', auth: 'auto', lane: openLane(), timeoutMs: 5000, fetch }).read(
      ['x'],
      {},
      anything,
    );
    expect(asked.map(({ query }) => query.get('api_key'))).toEqual(['k3y']);
  });

  test.each([
    'http://me:s3cret@tracker.example.test',
    'http://s3cret@tracker.example.test',
    'ht!tp://me:s3cret@tracker.example.test',
    'me:s3cret@tracker.example.test',
    'ftp://me:s3cret@tracker.example.test',
    's3cret',
  ])('nor a password in an address that is refused (%s)', (url) => {
    const open = (): unknown => createTrackerClient({ url, apiKey, auth: 'auto', lane: openLane(), timeoutMs: 5000 });
    expect(open).toThrow(TypeError);
    try {
      open();
    } catch (failure) {
      expect(inspect(failure, { depth: 9, showHidden: true }).replace(/\n +at .*/g, '')).not.toMatch(/s3cret/);
    }
  });

  test('and an empty key scrubs nothing', () => {
    expect(keyScrubber('')('abc')).toBe('abc');
  });
});

describe('hello', () => {
  test.each([
    ['harmony', true, 'header', 'bridge@example.test'],
    ['5.2', true, 'query', 'bridge@example.test'],
    ['5.2', false, 'query', 'bridge@example.test'],
    ['redhat', false, 'bearer', 'bridge@example.test'],
  ] as const)('finds out how %s (whoami: %s) takes the key: as %s', async (family, hasWhoami, style, login) => {
    const { asked, client } = clientOf(tracker(family, login, hasWhoami), 'auto', login);
    expect(await client.hello()).toEqual({ login, id: 7, version: '5.2', style, skewMs: 0 });
    await client.read(['bug', 1], {}, anything);
    const last = asked.at(-1);
    expect(last !== undefined && families[family](last)).toBe(true);
    if (style !== 'query') expect(last?.url).not.toContain('k3y');
  });

  test.each<[string, Reply]>([
    ['no list', { body: {} }],
    ['an empty list', { body: { users: [] } }],
    ['a refusal', { status: 401, body: { error: true, code: 410, message: 'You must log in.' } }],
    ['a page', { status: 500, body: '<html>' }],
  ])('takes %s about our number as no number', async (_, reply) => {
    const login = 'bridge@example.test';
    const others = tracker('5.2', login, false);
    const { client } = clientOf((asked) => (asked.path === '/user' ? reply : others(asked)), 'auto', login);
    expect(await client.hello()).toEqual({ login, version: '5.2', style: 'query', skewMs: 0 });
  });

  test('without a login, an answer that anonymous readers do not get confirms the key', async () => {
    const { client } = clientOf(tracker('5.2', 'bridge@example.test', false));
    expect(await client.hello()).toEqual({ login: null, version: '5.2', style: 'query', skewMs: 0 });
  });

  test.each([
    [
      'the tracker ignores how the key is sent',
      'harmony',
      'query',
      'bridge@example.test',
      /ignores the API key when it is sent as "query"/,
    ],
    ['nobody takes it', 'redhat', 'header', null, /ignores the API key/],
    ['the key is somebody else’s', '5.2', 'auto', 'else@example.test', /does not belong to else@example\.test/],
  ] as const)('refuses when %s', async (_name, family, auth, login, message) => {
    const { client } = clientOf(tracker(family, 'bridge@example.test', false), auth, login);
    await expect(client.hello()).rejects.toMatchObject({
      kind: 'credentials',
      message: expect.stringMatching(message),
    });
  });

  test('refuses a wrong key with the tracker’s own words, which say more than "log in first"', async () => {
    const { asked, client } = clientOf(
      (one) => {
        if (one.path === '/whoami') return as('auth_whoami');
        return as(one.query.has('api_key') ? 'auth_api_key_wrong' : 'auth_anon_post_comment');
      },
      'auto',
      'bridge@example.test',
    );
    await expect(client.hello()).rejects.toMatchObject({ kind: 'credentials', code: 306 });
    expect(asked.length).toBeGreaterThan(2);
  });

  test('does not try a key again that was read and found wrong in the header', async () => {
    const { asked, client } = clientOf((one) =>
      as(one.headers.has('x-bugzilla-api-key') ? 'auth_api_key_wrong' : 'auth_whoami'),
    );
    await expect(client.hello()).rejects.toMatchObject({ code: 306 });
    expect(asked).toHaveLength(1);
  });

  test('says what to do when the tracker has no way to tell whose key it is', async () => {
    const { client } = clientOf(() => as('err_unknown_resource'));
    await expect(client.hello()).rejects.toThrow('set our login');
  });

  test('does not take an ill tracker for a wrong key', async () => {
    const { asked, client } = clientOf(() => ({ status: 503, headers: { 'retry-after': '60' }, body: '<html>' }));
    await expect(client.hello()).rejects.toMatchObject({ kind: 'unavailable', retryAt: 60_000 });
    expect(asked).toHaveLength(1);
  });
});

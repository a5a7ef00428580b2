import { describe, expect, test } from 'vitest';
import type { TrackerReplica } from '../../src/model/replica.ts';
import type { Kept } from '../../src/model/survey.ts';
import { type Case, testCases, trackerClient } from '../support/faults/scenarios.ts';
import { fakeTracker, type Reply, type TrackerRequest } from './api/fake-tracker.ts';

/**
 * A pull request becomes an attachment only where the tracker says that it has a type for it; a stock tracker is not
 * even asked.
 */
const address = 'https://github.com/acme/widget/pull/14';
const pull = { number: 14, url: address, title: 'A fix', text: 'GitHub user mona opened a pull request.' };

interface Kind {
  readonly version: string;
  readonly extensions: Reply;
  /** What an attachment of bug 12 holds, and its type. */
  readonly attached?: readonly [content: string, type: string, isObsolete?: 1];
}

const types = { body: { extensions: { BMO: { version: '0.1' }, Review: { version: '1' } } } };
const harmony: Kind = { version: '20200805.1', extensions: types };
const pullType = 'text/x-github-pull-request';

function reply(kind: Kind, { method, path, query }: TrackerRequest): Reply {
  if (path === '/whoami') return { body: { id: 1, name: 'bridge@example.test' } };
  if (path === '/version') return { body: { version: kind.version } };
  if (path === '/time') return { body: { db_time: '2026-01-05T08:00:00Z' } };
  if (path === '/bug/comment/render') return { body: { html: '' } };
  if (path === '/extensions') return kind.extensions;
  if (method === 'POST') return { status: 201, body: { attachments: { 7: {} } } };
  if (method === 'PUT')
    return { body: { attachments: [{ id: 7, last_change_time: '2026-01-05T08:00:00Z', changes: {} }] } };
  if (!path.includes('/attachment')) return { body: { bugs: [] } };
  const [content = '', type = '', isObsolete = 0] = kind.attached ?? [];
  const data = query.has('exclude_fields') ? {} : { data: Buffer.from(content).toString('base64') };
  const file = { id: 5, bug_id: 12, content_type: type, is_obsolete: isObsolete, ...data };
  if (path === '/bug/attachment/5') return { body: { bugs: {}, attachments: { 5: file } } };
  return { body: { bugs: { 12: kind.attached === undefined ? [] : [file] }, attachments: {} } };
}

/** A replica that has greeted the tracker, and what it asked since. */
async function open(kind: Kind, { src = new URL('../../src', import.meta.url).pathname, kept = keeper() } = {}) {
  const { asked, fetch } = fakeTracker((one) => reply(kind, one));
  const client = await trackerClient(src, { fetch, apiKey: 'secret' });
  const { bugzillaReplica } = (await import(
    `${src}/bugzilla/replica.ts`
  )) as typeof import('../../src/bugzilla/replica.ts');
  const replica: TrackerReplica = bugzillaReplica({
    client,
    product: 'Widget',
    url: 'x:',
    pageSize: 10,
    kept,
    warn: () => undefined,
  });
  await replica.hello();
  const greeted = asked.length;
  return { replica, since: () => asked.slice(greeted) };
}

/** Keeps everything for ever. */
function keeper(): Kept {
  const told = new Map<string, unknown>();
  const get = <T>(name: string) => (told.get(name) ?? null) as T | null;
  return { recent: get, last: get, since: get, keep: (name, content) => void told.set(name, content) };
}

/** What becomes of two pull requests, and which requests that takes. */
async function twice(kind: Kind, src?: string) {
  const { replica, since } = await open(kind, src === undefined ? {} : { src });
  const first = await replica.attachPull(12, pull);
  const second = await replica.attachPull(12, { ...pull, number: 15, url: `${address.slice(0, -1)}5` });
  return { kinds: [first.kind, second.kind], asked: since().map(({ method, path }) => `${method} ${path}`) };
}

const list = 'GET /bug/12/attachment';
const post = 'POST /bug/12/attachment';

describe('a pull request is attached', () => {
  test('as its address, with a comment', async () => {
    const { replica, since } = await open(harmony);
    expect(await replica.attachPull(12, pull)).toEqual({ kind: 'applied', item: null });
    const { data, ...others } = since().at(-1)?.body ?? {};
    expect(Buffer.from(String(data), 'base64').toString()).toBe(address);
    const file = { file_name: 'pull-request-14.txt', summary: 'A fix', content_type: pullType, is_patch: false };
    expect(others).toMatchObject({ ...file, comment: pull.text });
    expect(others).not.toHaveProperty('is_private');
  });

  test('and changed, with a comment or without', async () => {
    const { replica, since } = await open(harmony);
    for (const text of ['It was closed.', null])
      expect(await replica.changePull(7, { title: 'Better', isObsolete: true }, text)).toEqual({
        kind: 'applied',
        item: null,
      });
    const change = { summary: 'Better', is_obsolete: true };
    expect(since().map(({ path, body }) => [path, body])).toMatchObject([
      ['/bug/attachment/7', { ...change, comment: 'It was closed.' }],
      ['/bug/attachment/7', change],
    ]);
    expect(since()[1]?.body).not.toHaveProperty('comment');
  });

  test('and read with one request for many bugs, without contents', async () => {
    expect(await read()).toEqual([[list, ['13', '14'], 'data']]);
  });

  test.each<readonly [string, Partial<Kind>, Partial<typeof pull>]>([
    ['a tracker that has no such extension', { extensions: { body: { extensions: {} } } }, {}],
    [
      'a tracker that does not tell its extensions',
      { extensions: { status: 404, body: { error: true, code: 32_000 } } },
      {},
    ],
    ['a bug to which somebody attached it', { attached: [`${address}/\n`, pullType] }, {}],
    [
      'an Enterprise Server, which the extension does not know',
      {},
      { url: 'https://github.example.test/acme/widget/pull/14' },
    ],
    ['an address that is too long for it', {}, { url: `https://github.com/acme/${'w'.repeat(250)}/pull/14` }],
  ])('not to %s', async (_where, kind, change) => {
    const { replica, since } = await open({ ...harmony, ...kind });
    expect(await replica.attachPull(12, { ...pull, ...change })).toMatchObject({ kind: 'refused' });
    expect(since().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test.each<readonly [string, Kind['attached']]>([
    ['another pull request', [`${address}4`, pullType]],
    ['a text with its address', [address, 'text/plain']],
    ['one that somebody took back', [address, pullType, 1]],
  ])('beside %s', async (_what, attached) => {
    const { replica } = await open({ ...harmony, ...(attached === undefined ? {} : { attached }) });
    expect(await replica.attachPull(12, pull)).toMatchObject({ kind: 'applied' });
  });

  test('later, if the tracker is out of reach', async () => {
    const { replica, since } = await open({
      ...harmony,
      extensions: { status: 503, headers: { 'retry-after': '60' }, body: '' },
    });
    expect(await replica.attachPull(12, pull)).toMatchObject({ kind: 'later' });
    expect(since().map(({ method }) => method)).toEqual(['GET']);
  });
});

/** The requests that read what the attachments of three bugs show. */
async function read(src?: string) {
  const { replica, since } = await open(harmony, src === undefined ? {} : { src });
  await replica.shownPulls([12, 13, 14]);
  return since()
    .map(({ method, path, query }) => [`${method} ${path}`, query.getAll('ids'), query.get('exclude_fields')])
    .slice(0, 1);
}

const refused = { kinds: ['refused', 'refused'], asked: [] };

describe('which requests it takes', () => {
  test('one question for many pull requests', async () => {
    expect(await twice(harmony)).toEqual({
      kinds: ['applied', 'applied'],
      asked: ['GET /extensions', list, post, list, post],
    });
  });

  test.each(['5.0.6', '5.2', '5.3.3', '5.0.4.rh122', '4.4.13'])('none on a stock %s', async (version) => {
    expect(await twice({ ...harmony, version })).toEqual(refused);
  });

  test.each(['20200805.1', '20260820.1', '5.9.1+'])('the question on %s', async (version) => {
    expect((await twice({ ...harmony, version })).asked[0]).toBe('GET /extensions');
  });
});

const cases: readonly Case[] = [
  {
    name: 'a stock tracker is asked',
    file: 'bugzilla/pulls.ts',
    from: 'if (/^(?:[34]\\.|5\\.[0-8](?!\\d))/u.test(version)) return false;',
    to: '',
    scenario: (src) => twice({ version: '5.2', extensions: { body: { extensions: {} } } }, src),
    right: refused,
  },
  {
    name: 'every pull request asks',
    file: 'bugzilla/pulls.ts',
    from: "recalled(kept, 'pull requests', () => hasExtension(client), isUnanswered)",
    to: 'hasExtension(client)',
    scenario: (src) => twice(harmony, src),
    right: { kinds: ['applied', 'applied'], asked: ['GET /extensions', list, post, list, post] },
  },
  {
    name: 'any tracker with extensions counts',
    file: 'bugzilla/pulls.ts',
    from: "Object.hasOwn(body.extensions, 'BMO')",
    to: 'Object.keys(body.extensions).length > 0',
    scenario: async (src) =>
      (await twice({ ...harmony, extensions: { body: { extensions: { Voting: {} } } } }, src)).kinds,
    right: ['refused', 'refused'],
  },
  {
    name: 'what somebody attached is attached again',
    file: 'bugzilla/pulls.ts',
    from: 'if (await isAttached(context.client, ref, url))',
    to: 'if (false)',
    scenario: async (src) => (await twice({ ...harmony, attached: [address, pullType] }, src)).kinds,
    right: ['refused', 'applied'],
  },
  {
    name: 'what attachments show is read bug by bug',
    file: 'bugzilla/pulls.ts',
    from: 'readAttachments(client, refs, asking)',
    to: 'readAttachments(client, refs, { batchSize: 1 })',
    scenario: read,
    right: [[list, ['13', '14'], 'data']],
  },
];

testCases(cases);

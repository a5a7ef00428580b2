import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../src/sandbox/faults.ts';
import type { GithubPerson } from '../../src/sandbox/github/people.ts';
import { githubServer, serveGithub } from '../../src/sandbox/github/server.ts';
import type { GithubWorld } from '../../src/sandbox/github/world.ts';
import { handClock, smallGithubWorld } from '../contract/github-replica.ts';
import { validateRequest, validateResponse } from '../support/openapi.ts';

const base = '/repos/acme/widget';
const minuteMs = 60_000;

interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface Asking {
  readonly login?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

let clock: ReturnType<typeof handClock>;
let world: GithubWorld;
let mona: GithubPerson;
let fault: Fault;

beforeEach(() => {
  fault = { kind: 'none' };
  clock = handClock();
  start();
});

function start(listLagMs = 0): void {
  world = smallGithubWorld({ now: clock.now, listLagMs });
  mona = world.as('mona');
}

/** Asks without a socket, and checks every request and answer against GitHub's own description. */
async function ask(method: string, address: string, { login = 'bugferry', body, headers = {} }: Asking = {}): Promise<Said> {
  const app = githubServer(world, { faults: () => fault, sleep: async (ms) => clock.advance(ms) });
  const response = await app.request(address, {
    method,
    headers: { authorization: `Bearer token-of-${login}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  const said = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null };
  const path = new URL(address, 'http://sandbox').pathname;
  if (isJson || text === '') expect(validateResponse(method, path, said.status, said.body)).toEqual([]);
  return said;
}

const get = (address: string, asking: Asking = {}): Promise<Said> => ask('GET', address, asking);
const entries = ({ body }: Said): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(body) ? body : []);
const numbers = (said: Said): unknown[] => entries(said).map((issue) => issue['number']);
const linkOf = (said: Said, rel: string): string | undefined =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(said.headers.get('link') ?? '')?.[1];

describe('answers', () => {
  it('every route answers as GitHub describes it', async () => {
    const number = mona.open('acme/widget', { title: 'One', body: 'Words', labels: ['bug'] });
    mona.openPull('acme/widget', { title: 'Two' });
    const id = mona.comment('acme/widget', number, 'Words');
    const routes: readonly [string, string, number, unknown?][] = [
      ['GET', '/user', 200],
      ['GET', '/rate_limit', 200],
      ['GET', base, 200],
      ['GET', `${base}/issues?state=all&sort=updated&direction=desc&per_page=100`, 200],
      ['POST', `${base}/issues`, 201, { title: 'New', body: 'Words', labels: ['fresh'] }],
      ['GET', `${base}/issues/${number}`, 200],
      ['PATCH', `${base}/issues/${number}`, 200, { state: 'closed', state_reason: 'not_planned' }],
      ['GET', `${base}/issues/${number}/comments`, 200],
      ['POST', `${base}/issues/${number}/comments`, 201, { body: 'Words' }],
      ['GET', `${base}/issues/comments?sort=updated&direction=asc`, 200],
      ['GET', `${base}/issues/comments/${id}`, 200],
      ['PATCH', `${base}/issues/comments/${id}`, 200, { body: 'Other words' }],
      ['DELETE', `${base}/issues/comments/${id}`, 204],
      ['GET', `${base}/labels`, 200],
      ['POST', `${base}/labels`, 201, { name: 'severity/major', color: 'aa0000', description: 'Hurts' }],
      ['GET', `${base}/labels/severity%2Fmajor`, 200],
      ['GET', `${base}/issues/${number}/labels`, 200],
      ['POST', `${base}/issues/${number}/labels`, 200, { labels: ['Severity/Major'] }],
      ['DELETE', `${base}/issues/${number}/labels/SEVERITY%2Fmajor`, 200],
      ['PUT', `${base}/issues/${number}/labels`, 200, { labels: ['bug'] }],
    ];
    for (const [method, address, status, body] of routes) {
      const { pathname, searchParams } = new URL(address, 'http://sandbox');
      expect(validateRequest(method, pathname, searchParams, body)).toEqual([]);
      expect([method, address, (await ask(method, address, { body })).status]).toEqual([method, address, status]);
    }
    expect(world.requests.map((line) => [line.method, line.path, line.status])).toEqual(
      routes.map(([method, address, status]) => [method, decodeURIComponent(new URL(address, 'http://sandbox').pathname), status]),
    );
  });

  it('an issue shows its database id, whole seconds and the page for people', async () => {
    const number = mona.open('acme/widget', { title: 'One', labels: ['Bug'] });
    const { body, headers } = await get(`${base}/issues/${number}`);
    expect(body).toMatchObject({
      number,
      id: world.issue('acme/widget', number)?.id,
      state: 'open',
      state_reason: null,
      body: null,
      html_url: `http://github.invalid/acme/widget/issues/${number}`,
      created_at: '2026-01-15T12:00:00Z',
      labels: [{ name: 'Bug' }],
      user: { login: 'mona' },
    });
    expect(headers.get('date')).toBe('Thu, 15 Jan 2026 12:00:00 GMT');
  });

  it.each([
    ['nothing known', `${base}/issues/77`, 404],
    ['no number', `${base}/issues/abc`, 404],
    ['an unknown repository', '/repos/acme/nothing/issues', 404],
    ['a private repository', '/repos/acme/secret/issues', 404],
  ])('for %s there is none', async (_name, address, status) => {
    expect(await get(address)).toMatchObject({ status, body: { message: 'Not Found' } });
  });

  it('an unknown address is not found', async () => {
    const response = await githubServer(world).request('/nowhere/at/all');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ message: 'Not Found' });
  });

  it('a body that is no JSON is a bad request', async () => {
    const headers = { authorization: 'token token-of-bugferry' };
    expect((await githubServer(world).request(`${base}/issues`, { method: 'POST', headers, body: '{' })).status).toBe(400);
  });
});

describe('who may do what', () => {
  it.each([
    ['a wrong token', { authorization: 'Bearer wrong' }, 'Bad credentials'],
    ['no token', { authorization: '' }, 'Requires authentication'],
  ])('%s gets 401', async (_name, headers, message) => {
    expect(await get('/user', { headers })).toMatchObject({ status: 401, body: { message } });
  });

  it('a revoked token is a wrong one', async () => {
    world.setToken('bugferry', null);
    expect(await get('/user')).toMatchObject({ status: 401, body: { message: 'Bad credentials' } });
  });

  it('labels of somebody without push are silently dropped', async () => {
    const issue = await ask('POST', `${base}/issues`, { login: 'hubot', body: { title: 'Mine', labels: ['bug'] } });
    expect(issue).toMatchObject({ status: 201, body: { labels: [] } });
    const edited = await ask('PATCH', `${base}/issues/1`, { login: 'hubot', body: { title: 'Still mine', labels: ['bug'] } });
    expect(edited).toMatchObject({ status: 200, body: { title: 'Still mine', labels: [] } });
  });

  it('others’ issues and comments are not for somebody without push', async () => {
    const number = mona.open('acme/widget', { title: 'Hers' });
    const id = mona.comment('acme/widget', number, 'Hers');
    expect((await ask('PATCH', `${base}/issues/${number}`, { login: 'hubot', body: { title: 'Mine' } })).status).toBe(403);
    expect(await ask('POST', `${base}/issues/${number}/comments`, { login: 'hubot', body: { body: 'Hi' } })).toMatchObject({ status: 201 });
    expect(world.issue('acme/widget', number)?.title).toBe('Hers');
    expect((await ask('DELETE', `${base}/issues/comments/${id}`, { login: 'hubot' })).status).toBe(403);
    expect(world.commentsOf('acme/widget', number)).toHaveLength(2);
  });
});

describe('what is gone', () => {
  it('a deleted issue answers 410 on every one of its addresses', async () => {
    const number = mona.open('acme/widget', { title: 'Spam' });
    mona.deleteIssue('acme/widget', number);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { title: 'T' }],
      ['GET', '/comments', undefined],
      ['POST', '/comments', { body: 'B' }],
    ] as const) {
      expect((await ask(method, `${base}/issues/${number}${path}`, { body })).status).toBe(410);
    }
  });

  it('a transferred issue answers 301 with its new address, which leads to it', async () => {
    const number = mona.open('acme/widget', { title: 'Elsewhere', labels: ['Bug'] });
    mona.comment('acme/widget', number, 'Words');
    const oldId = world.issue('acme/widget', number)?.id;
    const arrived = mona.transfer('acme/widget', number, 'acme/gadget');
    const { status, headers } = await get(`${base}/issues/${number}`);
    const location = new URL(headers.get('location') ?? '');
    expect(status).toBe(301);
    expect(location.pathname).toMatch(/^\/repositories\/\d+\/issues\/\d+$/);
    const there = await get(location.pathname);
    expect(there.body).toMatchObject({ number: arrived, title: 'Elsewhere', comments: 1, labels: [{ name: 'Bug' }] });
    expect(world.issue('acme/gadget', arrived)?.id).not.toBe(oldId);
    expect(numbers(await get(`${base}/issues?state=all`))).toEqual([]);
  });

  it('a transferred issue answers 404 to those who may not look where it went', async () => {
    const number = mona.open('acme/widget', { title: 'Secret' });
    mona.transfer('acme/widget', number, 'acme/secret');
    expect((await get(`${base}/issues/${number}`)).status).toBe(404);
    expect((await get(`${base}/issues/${number}`, { login: 'mona' })).status).toBe(301);
  });

  it('a transferred issue is new where it arrives', async () => {
    const number = mona.open('acme/widget', { title: 'Elsewhere' });
    clock.advance(minuteMs);
    mona.transfer('acme/widget', number, 'acme/gadget');
    expect(numbers(await get('/repos/acme/gadget/issues?since=2026-01-15T12:01:00Z'))).toEqual([1]);
  });

  it('a comment goes with its issue', async () => {
    const number = mona.open('acme/widget', { title: 'Spam' });
    const id = mona.comment('acme/widget', number, 'Words');
    mona.deleteIssue('acme/widget', number);
    expect((await get(`${base}/issues/comments/${id}`)).status).toBe(404);
    expect((await get(`${base}/issues/comments`)).body).toEqual([]);
  });

  it('only an administrator deletes issues', () => {
    const number = mona.open('acme/widget', { title: 'Kept' });
    expect(() => world.as('bugferry').deleteIssue('acme/widget', number)).toThrow('admin');
    expect(world.issue('acme/widget', number)).not.toBeNull();
  });

  it('a number is never given twice', () => {
    const number = mona.open('acme/widget', { title: 'First' });
    mona.deleteIssue('acme/widget', number);
    expect(mona.open('acme/widget', { title: 'Second' })).toBe(number + 1);
  });
});

describe('lists', () => {
  it('show open issues and pull requests, newest first, thirty at a time unless asked otherwise', async () => {
    for (let at = 0; at < 35; at += 1) mona.open('acme/widget', { title: `Issue ${at}` });
    mona.close('acme/widget', 35);
    mona.openPull('acme/widget', { title: 'Pull' });
    const said = await get(`${base}/issues`);
    expect(numbers(said).slice(0, 3)).toEqual([36, 34, 33]);
    expect(said.body).toHaveLength(30);
    expect(entries(said)[0]).toMatchObject({ pull_request: { html_url: 'http://github.invalid/acme/widget/pull/36' } });
    expect(entries(said)[1]).not.toHaveProperty('pull_request');
  });

  it('are filtered and sorted as asked', async () => {
    mona.open('acme/widget', { title: 'One', labels: ['Bug', 'ui'] });
    clock.advance(minuteMs);
    world.as('hubot').open('acme/widget', { title: 'Two' });
    clock.advance(minuteMs);
    mona.open('acme/widget', { title: 'Three', labels: ['bug'] });
    clock.advance(minuteMs);
    mona.comment('acme/widget', 1, 'Bump');
    mona.close('acme/widget', 2);
    const found = async (query: string): Promise<unknown[]> => numbers(await get(`${base}/issues?${query}`));
    expect(await found('state=all')).toEqual([3, 2, 1]);
    expect(await found('state=closed')).toEqual([2]);
    expect(await found('state=all&labels=BUG')).toEqual([3, 1]);
    expect(await found('state=all&labels=bug,ui')).toEqual([1]);
    expect(await found('state=all&creator=hubot')).toEqual([2]);
    expect(await found('state=all&sort=updated&direction=asc')).toEqual([3, 1, 2]);
    expect(await found('state=all&sort=comments')).toEqual([1, 3, 2]);
    expect(await found('state=all&sort=created&direction=asc')).toEqual([1, 2, 3]);
    expect(await found('state=all&since=2026-01-15T12:03:00Z')).toEqual([2, 1]);
    expect(await found('state=all&since=2026-01-15T12:03:01Z')).toEqual([]);
  });

  it('of comments include those on pull requests and heed the direction only with a sort', async () => {
    const number = mona.open('acme/widget', { title: 'One' });
    const pull = mona.openPull('acme/widget', { title: 'Two' });
    const first = mona.comment('acme/widget', number, 'First');
    clock.advance(minuteMs);
    const second = mona.comment('acme/widget', pull, 'Second');
    clock.advance(minuteMs);
    mona.editComment('acme/widget', first, 'First, edited');
    const found = async (query: string): Promise<unknown[]> => entries(await get(`${base}/issues/comments?${query}`)).map(({ id }) => id);
    expect(await found('')).toEqual([first, second]);
    expect(await found('direction=desc')).toEqual([first, second]);
    expect(await found('sort=created&direction=desc')).toEqual([second, first]);
    expect(await found('sort=updated&direction=asc')).toEqual([second, first]);
    expect(await found('since=2026-01-15T12:02:00Z')).toEqual([first]);
    const said = await get(`${base}/issues/comments`);
    expect(entries(said)[1]).toMatchObject({ html_url: `http://github.invalid/acme/widget/pull/${pull}#issuecomment-${second}` });
  });

  it('lead on by links that name the repository by its id', async () => {
    for (let at = 0; at < 7; at += 1) mona.open('acme/widget', { title: `Issue ${at}` });
    const found: unknown[] = [];
    let next: string | undefined = `${base}/issues?state=all&direction=asc&per_page=3`;
    const seen: string[] = [];
    while (next !== undefined) {
      const said: Said = await get(next);
      found.push(...numbers(said));
      const link = linkOf(said, 'next');
      next = link === undefined ? undefined : `${new URL(link).pathname}${new URL(link).search}`;
      if (link !== undefined) seen.push(link);
    }
    expect(found).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(seen[0]).toMatch(/^http:\/\/github\.invalid\/repositories\/\d+\/issues\?state=all&direction=asc&per_page=3&page=2$/);
    expect((await get(`${base}/issues?per_page=100`)).headers.get('link')).toBeNull();
  });

  it('refuse a page that is too far, while the links lead there', async () => {
    world.limits.pagedItemsMax = 4;
    for (let at = 0; at < 9; at += 1) mona.open('acme/widget', { title: `Issue ${at}` });
    expect((await get(`${base}/issues?per_page=2&page=3`)).status).toBe(422);
    const second = await get(`${base}/issues?direction=asc&per_page=2&page=2`);
    const link = linkOf(second, 'next') ?? '';
    expect(link).toContain('after=');
    expect(linkOf(second, 'last')).toBeUndefined();
    const third = await get(`${new URL(link).pathname}${new URL(link).search}`);
    expect(numbers(third)).toEqual([5, 6]);
    expect(linkOf(third, 'next')).toContain('after=');
  });

  it('have a hundred entries a page at most', async () => {
    for (let at = 0; at < 101; at += 1) mona.open('acme/widget', { title: `Issue ${at}` });
    expect((await get(`${base}/issues?per_page=500`)).body).toHaveLength(100);
  });

  it('may lag behind what single reads show', async () => {
    start(5000);
    const number = mona.open('acme/widget', { title: 'One' });
    mona.comment('acme/widget', number, 'Words');
    const listed = async (): Promise<number[]> => {
      const issues = await get(`${base}/issues`);
      const comments = await get(`${base}/issues/${number}/comments`);
      const repoComments = await get(`${base}/issues/comments`);
      return [issues, comments, repoComments].map((said) => entries(said).length);
    };
    expect(await get(`${base}/issues/${number}`)).toMatchObject({ status: 200, body: { comments: 1 } });
    clock.advance(4999);
    expect(await listed()).toEqual([0, 0, 0]);
    clock.advance(1);
    expect(await listed()).toEqual([1, 1, 1]);
  });
});

describe('editing', () => {
  it('ignores a reason unless the state changes, and reopening gives its own', async () => {
    const patch = async (body: unknown): Promise<unknown> => {
      return (await ask('PATCH', `${base}/issues/1`, { body })).body;
    };
    const state = (name: string, reason: string | null): unknown => expect.objectContaining({ state: name, state_reason: reason });
    mona.open('acme/widget', { title: 'One' });
    expect(await patch({ state_reason: 'completed' })).toEqual(state('open', null));
    expect(await patch({ state: 'closed' })).toEqual(state('closed', 'completed'));
    expect(await patch({ state: 'closed', state_reason: 'not_planned' })).toEqual(state('closed', 'completed'));
    expect(await patch({ state: 'open' })).toEqual(state('open', 'reopened'));
    expect(await patch({ state: 'closed', state_reason: 'duplicate' })).toEqual(state('closed', 'duplicate'));
  });

  it('makes an issue newer only when something changed', async () => {
    mona.open('acme/widget', { title: 'One', body: 'Words', labels: ['a'] });
    const before = world.issue('acme/widget', 1)?.updatedAt;
    clock.advance(minuteMs);
    await ask('PATCH', `${base}/issues/1`, { body: { title: 'One', body: 'Words', labels: ['A'], state: 'open' } });
    expect(world.issue('acme/widget', 1)?.updatedAt).toBe(before);
    for (const body of [{ title: 'Two' }, { body: 'More' }, { labels: [] }, { state: 'closed' }]) {
      clock.advance(minuteMs);
      await ask('PATCH', `${base}/issues/1`, { body });
      expect(world.issue('acme/widget', 1)?.updatedAt).toBe(Math.floor(clock.now() / 1000) * 1000);
    }
  });

  it('creates unknown labels on the way, once and in the first case', async () => {
    await ask('POST', `${base}/issues`, { body: { title: 'One', labels: ['Fresh'] } });
    await ask('POST', `${base}/issues`, { body: { title: 'Two', labels: ['FRESH', 'fresh'] } });
    expect((await get(`${base}/labels`)).body).toMatchObject([{ name: 'Fresh', color: 'ededed' }]);
    expect(world.issue('acme/widget', 2)?.labels).toEqual(['Fresh']);
  });

  it.each([
    ['a title too long', 'POST', '/issues', { title: 'x'.repeat(257) }, { resource: 'Issue', code: 'custom', field: 'title' }],
    ['no title', 'POST', '/issues', { title: ' ' }, { resource: 'Issue', code: 'missing_field', field: 'title' }],
    [
      'a body too long',
      'POST',
      '/issues',
      { title: 'T', body: 'x'.repeat(65_537) },
      { resource: 'Issue', code: 'custom', field: 'body', message: 'body is too long (maximum is 65536 characters)' },
    ],
    [
      'a comment too long',
      'POST',
      '/issues/1/comments',
      { body: 'x'.repeat(65_537) },
      { resource: 'IssueComment', code: 'unprocessable', field: 'data', message: 'Body is too long (maximum is 65536 characters)' },
    ],
    ['an empty comment', 'POST', '/issues/1/comments', { body: '' }, { resource: 'IssueComment', field: 'data' }],
    [
      'a long label',
      'POST',
      '/labels',
      { name: 'x'.repeat(51) },
      { resource: 'Label', code: 'custom', field: 'name', message: 'name is too long (maximum is 50 characters)' },
    ],
    [
      'a long label on an issue',
      'POST',
      '/issues/1/labels',
      { labels: ['x'.repeat(51)] },
      { resource: 'Label', code: 'invalid', field: 'name', value: 'x'.repeat(51) },
    ],
    ['a label twice', 'POST', '/labels', { name: 'BUG' }, { resource: 'Label', code: 'already_exists', field: 'name' }],
    ['a colour that is none', 'POST', '/labels', { name: 'new', color: '#ff0000' }, { resource: 'Label', code: 'invalid', field: 'color' }],
    ['a strange reason', 'PATCH', '/issues/1', { state: 'closed', state_reason: 'wontfix' }, { field: 'state_reason' }],
    ['an unknown original', 'PATCH', '/issues/1', { state: 'closed', duplicate_issue_id: 5 }, { field: 'duplicate_issue_id' }],
  ])('refuses %s in GitHub’s words and changes nothing', async (_name, method, path, body, flaw) => {
    mona.open('acme/widget', { title: 'One', labels: ['bug'] });
    const before = [world.issues('acme/widget'), world.commentsOf('acme/widget', 1)];
    const said = await ask(method, `${base}${path}`, { body });
    expect(said).toMatchObject({ status: 422, body: { message: 'Validation Failed', errors: [flaw] } });
    expect([world.issues('acme/widget'), world.commentsOf('acme/widget', 1)]).toEqual(before);
  });
});

describe('ETags', () => {
  it('spare an unchanged answer, for nothing', async () => {
    const first = await get(`${base}/issues?state=all`);
    const etag = first.headers.get('etag') ?? '';
    const again = await get(`${base}/issues?state=all`, { headers: { 'if-none-match': etag } });
    expect(etag).toMatch(/^W\/"[0-9a-f]+"$/);
    expect(again.status).toBe(304);
    expect(again.headers.get('x-ratelimit-used')).toBe(first.headers.get('x-ratelimit-used'));
    expect(await get(`${base}/issues?state=all`)).toMatchObject({ status: 200 });
  });

  it.each<[string, (etag: string) => Asking]>([
    ['of another token', (etag) => ({ login: 'mona', headers: { 'if-none-match': etag } })],
    ['without its quotes', (etag) => ({ headers: { 'if-none-match': etag.replaceAll('"', '') } })],
  ])('%s do not count', async (_name, asking) => {
    const etag = (await get(`${base}/issues`)).headers.get('etag') ?? '';
    expect((await get(`${base}/issues`, asking(etag))).status).toBe(200);
  });

  it('of another address or another state do not count', async () => {
    const etag = (await get(`${base}/issues`)).headers.get('etag') ?? '';
    expect((await get(`${base}/issues?state=all`, { headers: { 'if-none-match': etag } })).status).toBe(200);
    mona.open('acme/widget', { title: 'One' });
    expect((await get(`${base}/issues`, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
});

describe('limits', () => {
  it('an allowance is counted by account and by hour', async () => {
    world.limits.primaryPerHour = 2;
    expect((await get('/user')).headers.get('x-ratelimit-remaining')).toBe('1');
    expect((await get('/rate_limit')).body).toMatchObject({ rate: { used: 1, remaining: 1 } });
    expect((await get('/user')).headers.get('x-ratelimit-remaining')).toBe('0');
    const over = await get('/user');
    expect(over).toMatchObject({ status: 403, body: { message: expect.stringContaining('API rate limit exceeded') } });
    expect(over.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(over.headers.get('x-ratelimit-reset'))).toBe(Math.ceil(clock.now() / 1000) + 3600);
    expect((await get('/user', { login: 'mona' })).status).toBe(200);
    clock.advance(60 * minuteMs);
    expect((await get('/user')).status).toBe(200);
  });

  it('content has limits of its own, by minute and by hour, and people’s does not count', async () => {
    Object.assign(world.limits, { creationsPerMinute: 2, creationsPerHour: 3, refusalStatus: 429 });
    const post = async (): Promise<Said> => ask('POST', `${base}/issues`, { body: { title: 'T' } });
    mona.open('acme/widget', { title: 'Website' });
    await post();
    clock.advance(10_000);
    await post();
    const over = await post();
    expect(over.status).toBe(429);
    expect(over.body).toMatchObject({
      message: expect.stringContaining('secondary rate limit'),
      documentation_url: expect.stringContaining('secondary-rate-limits'),
    });
    expect(over.headers.get('retry-after')).toBe('50');
    expect(Number(over.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
    clock.advance(50_000);
    expect((await post()).status).toBe(201);
    clock.advance(10 * minuteMs);
    expect((await post()).headers.get('retry-after')).toBe(String(49 * 60));
    expect(world.creations).toHaveLength(3);
  });

  it('content is counted by account in a sliding minute, and the wait may be left unsaid', async () => {
    Object.assign(world.limits, { creationsPerMinute: 2 });
    const post = async (login = 'bugferry'): Promise<Said> => ask('POST', `${base}/issues`, { login, body: { title: 'T' } });
    for (const waitMs of [10_000, 50_000, 0]) {
      expect((await post()).status).toBe(201);
      clock.advance(waitMs);
    }
    expect((await post()).headers.get('retry-after')).toBe('10');
    expect((await post('mona')).status).toBe(201);
    world.limits.sendsRetryAfter = false;
    const over = await post();
    expect([over.status, over.headers.get('retry-after')]).toEqual([403, null]);
  });

  it('an answer that something is not there counts, and a look at the limits does not', async () => {
    expect((await get(`${base}/issues/9`)).headers.get('x-ratelimit-used')).toBe('1');
    expect((await get('/rate_limit')).headers.get('x-ratelimit-used')).toBe('1');
  });
});

describe('faults', () => {
  const post = (): Promise<Said> => ask('POST', `${base}/issues`, { body: { title: 'T' } });

  it.each([true, false])('a dropped connection has no answer (took effect: %s)', async (after) => {
    fault = { kind: 'drop', after };
    await expect(post()).rejects.toThrow('dropped');
    expect(world.issues('acme/widget')).toHaveLength(after ? 1 : 0);
    expect(world.requests.at(-1)).toMatchObject({ method: 'POST', status: 0, login: 'bugferry' });
  });

  it.each([
    [500, false, true],
    [502, true, true],
    [503, true, false],
  ] as const)('a %i (in HTML: %s, took effect: %s)', async (status, isHtml, after) => {
    fault = { kind: 'status', status, isHtml, after };
    const said = await post();
    expect(said.status).toBe(status);
    expect(said.headers.get('content-type')).toMatch(isHtml ? /html/ : /json/);
    expect(world.issues('acme/widget')).toHaveLength(after ? 1 : 0);
  });

  it.each([
    [403, 30],
    [429, null],
  ] as const)('a %i asks for a pause of %s seconds', async (status, retryAfterSeconds) => {
    fault = { kind: 'limited', status, retryAfterSeconds };
    const app = githubServer(world, { faults: () => fault });
    const response = await app.request(`${base}/issues`, { headers: { authorization: 'Bearer token-of-bugferry' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfterSeconds === null ? null : String(retryAfterSeconds));
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('secondary rate limit') });
  });

  it('a slow answer comes late', async () => {
    const before = clock.now();
    fault = { kind: 'slow', delayMs: 120 };
    expect((await post()).status).toBe(201);
    expect(clock.now()).toBe(before + 120);
  });
});

describe('over a socket', () => {
  let close: () => Promise<void> = async () => {};
  afterEach(() => close());

  it('serves on the loopback interface, tells its address in every link, and drops connections for real', async () => {
    const served = await serveGithub(world, { port: 0, faults: () => fault });
    close = served.close;
    const number = mona.open('acme/widget', { title: 'One' });
    const headers = { authorization: 'Bearer token-of-bugferry' };
    const response = await fetch(`${served.url}${base}/issues/${number}`, { headers });
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(response.headers.get('date')).toBe('Thu, 15 Jan 2026 12:00:00 GMT');
    expect(await response.json()).toMatchObject({ html_url: `${served.url}/acme/widget/issues/${number}` });
    fault = { kind: 'drop', after: true };
    const lost = fetch(`${served.url}${base}/issues`, { method: 'POST', headers, body: JSON.stringify({ title: 'Lost' }) });
    await expect(lost).rejects.toThrow();
    expect(world.issues('acme/widget').map((issue) => issue.title)).toEqual(['One', 'Lost']);
  });
});

describe('pages for people', () => {
  const page = async (address: string): Promise<{ status: number; text: string }> => {
    const response = await githubServer(world).request(address);
    return { status: response.status, text: await response.text() };
  };

  it('show an issue with its texts escaped and its markers hidden', async () => {
    const number = mona.open('acme/widget', {
      title: '<b>Crash</b>',
      body: 'A & B\n  <script>alert(1)</script><!-- bugferry:1 -->',
      labels: ['a<b'],
    });
    const id = mona.comment('acme/widget', number, 'Me too');
    mona.close('acme/widget', number, 'not_planned');
    const { status, text } = await page(`/acme/widget/issues/${number}`);
    expect(status).toBe(200);
    expect(text).toContain('&lt;b&gt;Crash&lt;/b&gt;');
    expect(text).toContain('A &amp; B\n  &lt;script&gt;');
    expect(text).toContain('a&lt;b');
    expect(text).toContain('Closed: not planned');
    expect(text).toContain(`id="issuecomment-${id}"`);
    expect(text).not.toContain('bugferry:1');
    expect(text).not.toContain('<script');
  });

  it('list what is there', async () => {
    mona.open('acme/widget', { title: 'One' });
    mona.openPull('acme/widget', { title: 'Two' });
    const { text } = await page('/acme/widget/issues');
    expect(text).toContain('href="/acme/widget/issues/1"');
    expect(text).toContain('href="/acme/widget/pull/2"');
  });

  it.each(['/acme/secret/issues', '/acme/nothing/issues', '/acme/widget/issues/9'])('do not show %s', async (address) => {
    expect((await page(address)).status).toBe(404);
  });

  it('cost nothing and are no requests to the API', async () => {
    await page('/acme/widget/issues');
    expect(world.requests).toEqual([]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { githubServer } from '../../../src/sandbox/github/server/server.ts';
import { validateRequest } from '../../openapi/openapi.ts';
import { ask, base, clock, get, minuteMs, mona, numbers, start, world } from './setup.ts';

beforeEach(() => start());

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
      routes.map(([method, address, status]) => [
        method,
        decodeURIComponent(new URL(address, 'http://sandbox').pathname),
        status,
      ]),
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
    expect((await githubServer(world).request(`${base}/issues`, { method: 'POST', headers, body: '{' })).status).toBe(
      400,
    );
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
    const edited = await ask('PATCH', `${base}/issues/1`, {
      login: 'hubot',
      body: { title: 'Still mine', labels: ['bug'] },
    });
    expect(edited).toMatchObject({ status: 200, body: { title: 'Still mine', labels: [] } });
  });

  it('others’ issues and comments are not for somebody without push', async () => {
    const number = mona.open('acme/widget', { title: 'Hers' });
    const id = mona.comment('acme/widget', number, 'Hers');
    expect((await ask('PATCH', `${base}/issues/${number}`, { login: 'hubot', body: { title: 'Mine' } })).status).toBe(
      403,
    );
    expect(
      await ask('POST', `${base}/issues/${number}/comments`, { login: 'hubot', body: { body: 'Hi' } }),
    ).toMatchObject({ status: 201 });
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

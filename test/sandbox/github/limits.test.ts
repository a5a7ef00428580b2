import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { githubServer, serveGithub } from '../../../src/sandbox/github/server/server.ts';
import { ask, base, clock, faults, type GithubAnswer, get, minuteMs, mona, setFault, start, world } from './setup.ts';

beforeEach(() => start());

describe('limits', () => {
  it('an allowance is counted by account and by hour', async () => {
    world.limits.primaryPerHour = 2;
    expect((await get('/user')).headers.get('x-ratelimit-remaining')).toBe('1');
    expect((await get('/rate_limit')).body).toMatchObject({ resources: { core: { used: 1, remaining: 1 } } });
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
    const post = async (): Promise<GithubAnswer> => ask('POST', `${base}/issues`, { body: { title: 'T' } });
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
    const post = async (login = 'bugferry'): Promise<GithubAnswer> =>
      ask('POST', `${base}/issues`, { login, body: { title: 'T' } });
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

  it('content may be off altogether', async () => {
    world.limits.creationsPerMinute = 0;
    expect((await ask('POST', `${base}/issues`, { body: { title: 'T' } })).headers.get('retry-after')).toBe('60');
    expect(world.issues('acme/widget')).toEqual([]);
  });

  it('an answer that something is not there counts, and a look at the limits does not', async () => {
    expect((await get(`${base}/issues/9`)).headers.get('x-ratelimit-used')).toBe('1');
    expect((await get('/rate_limit')).headers.get('x-ratelimit-used')).toBe('1');
  });
});

describe('faults', () => {
  const post = (): Promise<GithubAnswer> => ask('POST', `${base}/issues`, { body: { title: 'T' } });

  it.each([true, false])('a dropped connection has no answer (took effect: %s)', async (after) => {
    setFault({ kind: 'drop', after });
    await expect(post()).rejects.toThrow('dropped');
    expect(world.issues('acme/widget')).toHaveLength(after ? 1 : 0);
    expect(world.requests.at(-1)).toMatchObject({ method: 'POST', status: 0, login: 'bugferry' });
  });

  it.each([
    [500, false, true],
    [502, true, true],
    [503, true, false],
  ] as const)('a %i (in HTML: %s, took effect: %s)', async (status, isHtml, after) => {
    setFault({ kind: 'status', status, isHtml, after });
    const said = await post();
    expect(said.status).toBe(status);
    expect(said.headers.get('content-type')).toMatch(isHtml ? /html/ : /json/);
    expect(world.issues('acme/widget')).toHaveLength(after ? 1 : 0);
  });

  it.each([
    [403, 30],
    [429, null],
  ] as const)('a %i asks for a pause of %s seconds', async (status, retryAfterSeconds) => {
    setFault({ kind: 'limited', status, retryAfterSeconds });
    const app = githubServer(world, { faults });
    const response = await app.request(`${base}/issues`, { headers: { authorization: 'Bearer token-of-bugferry' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfterSeconds === null ? null : String(retryAfterSeconds));
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('secondary rate limit') });
  });

  it('a slow answer comes late', async () => {
    const before = clock.now();
    setFault({ kind: 'slow', delayMs: 120 });
    expect((await post()).status).toBe(201);
    expect(clock.now()).toBe(before + 120);
  });
});

describe('over a socket', () => {
  let close: () => Promise<void> = async () => {};
  afterEach(() => close());

  it('serves on the loopback interface, tells its address in every link, and drops connections for real', async () => {
    const served = await serveGithub(world, { port: 0, faults });
    close = served.close;
    const number = mona.open('acme/widget', { title: 'One' });
    const headers = { authorization: 'Bearer token-of-bugferry' };
    const response = await fetch(`${served.url}${base}/issues/${number}`, { headers });
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(response.headers.get('date')).toBe('Thu, 15 Jan 2026 12:00:00 GMT');
    expect(await response.json()).toMatchObject({ html_url: `${served.url}/acme/widget/issues/${number}` });
    setFault({ kind: 'drop', after: true });
    const lost = fetch(`${served.url}${base}/issues`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ title: 'Lost' }),
    });
    await expect(lost).rejects.toThrow();
    expect(world.issues('acme/widget').map((issue) => issue.title)).toEqual(['One', 'Lost']);
  });
});

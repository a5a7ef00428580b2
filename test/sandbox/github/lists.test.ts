import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Asking,
  base,
  clock,
  entries,
  type GithubAnswer,
  get,
  linkOf,
  minuteMs,
  mona,
  numbers,
  start,
  world,
} from './setup.ts';

beforeEach(() => start());

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
    const found = async (query: string): Promise<unknown[]> =>
      entries(await get(`${base}/issues/comments?${query}`)).map(({ id }) => id);
    expect(await found('')).toEqual([first, second]);
    expect(await found('direction=desc')).toEqual([first, second]);
    expect(await found('sort=created&direction=desc')).toEqual([second, first]);
    expect(await found('sort=updated&direction=asc')).toEqual([second, first]);
    expect(await found('since=2026-01-15T12:02:00Z')).toEqual([first]);
    const said = await get(`${base}/issues/comments`);
    expect(entries(said)[1]).toMatchObject({
      html_url: `http://github.invalid/acme/widget/pull/${pull}#issuecomment-${second}`,
    });
  });

  it('lead on by links that name the repository by its id', async () => {
    for (let at = 0; at < 7; at += 1) mona.open('acme/widget', { title: `Issue ${at}` });
    const found: unknown[] = [];
    let next: string | undefined = `${base}/issues?state=all&direction=asc&per_page=3`;
    const seen: string[] = [];
    while (next !== undefined) {
      const said: GithubAnswer = await get(next);
      found.push(...numbers(said));
      const link = linkOf(said, 'next');
      next = link === undefined ? undefined : `${new URL(link).pathname}${new URL(link).search}`;
      if (link !== undefined) seen.push(link);
    }
    expect(found).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(seen[0]).toMatch(
      /^http:\/\/github\.invalid\/repositories\/\d+\/issues\?state=all&direction=asc&per_page=3&page=2$/,
    );
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

  it('have a hundred items a page at most', async () => {
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

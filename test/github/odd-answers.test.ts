import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { Issue } from '../../src/model/item.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import { openLane } from './open-lane.ts';
import {
  type Answers,
  answering,
  type Script,
  type ScriptedServer,
  scriptedReplica,
  scriptedServer,
} from './scripted-server.ts';

/** Answers that the sandbox does not give, scripted one by one. */
const now = (): number => Date.UTC(2026, 0, 10, 12);

describe('what a real server may do besides', () => {
  const issue = {
    id: 9001,
    number: 5,
    html_url: 'https://github.com/acme/widget/issues/5',
    title: 'Old',
    body: '',
    state: 'open',
    labels: [],
    user: { login: 'mona' },
    comments: 0,
    created_at: '2026-01-10T12:00:00Z',
    updated_at: '2026-01-10T12:00:00Z',
  };
  const seenIssue = { number: 5, title: 'Old', body: '', state: 'open', reason: null, labels: [] } as unknown as Issue;
  let server: ScriptedServer;
  let replica: GithubReplica;
  let answers: Answers;

  beforeEach(async () => {
    answers = {};
    ({ server, replica } = await scriptedReplica(() => answers));
  });
  afterEach(() => server.close());

  const path = '/repos/acme/widget';
  const there = answering(200, { id: 7, has_issues: true });
  const issuesOff = answering(200, { id: 7, has_issues: false });
  const gone404 = answering(404, { message: 'Not Found' });
  const gone410 = answering(410, { message: 'Gone' });
  const renamed = answering(
    301,
    { message: 'Moved Permanently' },
    { location: 'https://api.github.com/repositories/7' },
  );

  it('a thread whose next page is its first costs that thread alone', async () => {
    const link = `<${server.url}${path}/issues/5/comments?page=1>; rel="next"`;
    Object.assign(answers, {
      [`GET ${path}`]: there,
      [`GET ${path}/issues/5/comments`]: answering(200, [], { link }),
      [`GET ${path}/issues/6/comments`]: answering(200, []),
    });
    const read = await replica.threads([5, 6].map((ref) => ({ ref, sinceAt: null })));
    expect(read.map((thread) => thread.ref)).toEqual([6]);
    expect(server.arrivals.length).toBeLessThan(6);
  });

  it.each([
    ['404', gone404, 'missing'],
    ['410', gone410, 'deleted'],
    ['301', renamed, 'moved'],
  ])('an issue that answers %s is gone while its repository is there', async (_name, answer, kind) => {
    Object.assign(answers, { [`GET ${path}/issues/5`]: answer, [`GET ${path}`]: there });
    expect(await replica.probe(5)).toMatchObject({ kind: 'gone', gone: { kind } });
    expect(await replica.update(seenIssue, { title: 'New' })).toMatchObject({ kind: 'gone', gone: { kind } });
  });

  it.each([
    ['is renamed', renamed, renamed],
    ['cannot be seen', gone404, gone404],
    ['has its issues disabled', gone410, issuesOff],
  ])('no issue is gone because the repository %s', async (_name, answer, repository) => {
    Object.assign(answers, {
      [`GET ${path}/issues/5`]: answer,
      [`POST ${path}/issues/5/comments`]: answer,
      [`GET ${path}`]: repository,
    });
    await expect(replica.probe(5)).rejects.toMatchObject({ name: 'SideError', kind: 'refused' });
    expect(await replica.update(seenIssue, { title: 'New' })).toMatchObject({ kind: 'refused' });
    expect(await replica.comment(5, 'Words')).toMatchObject({ kind: 'refused' });
  });

  it.each([301, 302, 404, 410, 451])('a page with %i does not say that an issue is gone', async (status) => {
    const page: Script = (_arrival, response) =>
      void response.writeHead(status, { 'content-type': 'text/html', location: '/login' }).end('<html>Gone</html>');
    Object.assign(answers, { [`GET ${path}/issues/5`]: page, [`GET ${path}`]: there });
    await expect(replica.probe(5)).rejects.toMatchObject({ kind: 'later' });
    expect(await replica.update(seenIssue, { title: 'New' })).toMatchObject({ kind: 'later' });
    await expect(replica.placeOf({ repo: 'acme/widget', number: 5 })).rejects.toMatchObject({ kind: 'later' });
  });

  describe('what moved', () => {
    const moved = (to: string) =>
      answering(301, { message: 'Moved Permanently' }, { location: `https://api.github.com/repositories/${to}` });
    const called = (name: unknown) => answering(200, { id: 7, full_name: name });
    const messageOf = (read: Promise<unknown>): Promise<string> =>
      read.then(JSON.stringify, String).then((text) => text.replaceAll('\\"', '"'));

    it.each([
      ['a list of changes', () => replica.changes(null)],
      ['a full list', () => replica.list(null)],
      ['an issue', () => replica.probe(5)],
      ['an issue before its update', () => replica.update(seenIssue, { title: 'New' })],
    ])('a renamed repository is named when %s is read', async (_name, read) => {
      Object.assign(answers, {
        [`GET ${path}/issues/5`]: moved('7/issues/5'),
        [`PATCH ${path}/issues/5`]: moved('7/issues/5'),
        [`GET ${path}/issues`]: moved('7/issues'),
        [`GET ${path}`]: moved('7'),
        'GET /repositories/7': called('acme/gizmo'),
      });
      expect(await messageOf(read())).toContain(
        'The repository acme/widget is now acme/gizmo. Write "repo: acme/gizmo" under "github" of the route.',
      );
    });

    it('a transferred issue is named with its new number', async () => {
      Object.assign(answers, {
        [`GET ${path}/issues/5`]: moved('9/issues/8'),
        [`GET ${path}`]: there,
        'GET /repositories/9': called('acme/gadget'),
      });
      expect(await replica.probe(5)).toMatchObject({
        kind: 'gone',
        gone: { kind: 'moved', why: expect.stringContaining('It is now acme/gadget#8.') },
      });
    });

    it.each([
      ['is not shown', gone404],
      ['has no name', answering(200, { id: 7 })],
      ['has a name that is none', called('acme/gizmo\n"x": y')],
      ['moves on', moved('8')],
    ])('the address is said if the new repository %s', async (_name, answer) => {
      Object.assign(answers, { [`GET ${path}/issues`]: moved('7/issues'), 'GET /repositories/7': answer });
      const message = await messageOf(replica.changes(null));
      expect(message).toContain('It has moved to https://api.github.com/repositories/7/issues.');
      expect(message).not.toContain('is now');
    });
  });

  it('does not take a part that is missing for now as a closing by a person', async () => {
    const nodes = [{ closer: null }];
    const data = { repository: { issue: { state: 'CLOSED', timelineItems: { nodes } } } };
    answers['POST /graphql'] = answering(200, {
      data,
      errors: [{ message: 'Something went wrong while executing your query.' }],
    });
    await expect(replica.closer(5 as never)).rejects.toMatchObject({ kind: 'later' });
    answers['POST /graphql'] = answering(200, { data });
    expect(await replica.closer(5 as never)).toBeNull();
  });

  it('an issue that takes no writes but can be read is not gone', async () => {
    Object.assign(answers, { [`GET ${path}/issues/5`]: answering(200, issue) });
    expect(await replica.comment(5, 'Words')).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('no permission to write'),
    });
    expect(await replica.update(seenIssue, { title: 'New' })).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['404', gone404],
    ['410', gone410],
    ['301', renamed],
  ])('a repository that answers %s to a new issue refuses it', async (_name, answer) => {
    answers[`POST ${path}/issues`] = answer;
    expect(await replica.create({ title: 'T', body: '', labels: [] })).toMatchObject({ kind: 'refused' });
  });

  it.each<[string, Script]>([
    [
      'is cut off',
      (_arrival, response) => response.writeHead(201, { 'content-type': 'application/json' }).end('{"id": 90'),
    ],
    [
      'breaks off',
      (_arrival, response) => {
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': '500' });
        response.write('{"id": 90', () => response.socket?.destroy());
      },
    ],
    [
      'is a page of a proxy',
      (_arrival, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    ['lacks what we need', answering(201, { id: 9001 })],
  ])('a write is in doubt when its answer of success %s', async (_name, answer) => {
    Object.assign(answers, {
      [`POST ${path}/issues`]: answer,
      [`POST ${path}/issues/5/comments`]: answer,
      [`PATCH ${path}/issues/5`]: answer,
    });
    answers[`GET ${path}/issues/5`] = answering(200, issue);
    expect(await replica.create({ title: 'T', body: '', labels: [] })).toMatchObject({ kind: 'unknown' });
    expect(await replica.comment(5, 'Words')).toMatchObject({ kind: 'unknown' });
    expect(await replica.update(seenIssue, { title: 'New' })).toMatchObject({ kind: 'unknown' });
  });

  it.each<[string, Script, string]>([
    [
      'is cut off',
      (_arrival, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id": 90'),
      'later',
    ],
    [
      'is a page of a proxy',
      (_arrival, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'later',
    ],
    ['has another form', answering(200, [{ id: 9001 }]), 'refused'],
  ])('a list that %s is not taken for an empty one', async (_name, answer, kind) => {
    answers[`GET ${path}/issues?state=all&sort=updated&direction=asc&per_page=100`] = answer;
    await expect(replica.list(null)).rejects.toMatchObject({ name: 'SideError', kind });
  });

  it('an update whose fresh read fails has certainly written nothing', async () => {
    answers[`GET ${path}/issues/5`] = answering(502, {});
    expect(await replica.update(seenIssue, { title: 'New' })).toMatchObject({
      kind: 'later',
      at: null,
      wholeSide: false,
    });
    expect(server.arrivals.map(({ method }) => method)).toEqual(['GET']);
  });

  describe('hello', () => {
    it('says who we are and what we speak', async () => {
      Object.assign(answers, { 'GET /user': answering(200, { login: 'bugferry' }), [`GET ${path}`]: there });
      expect(await replica.hello()).toMatchObject({ login: 'bugferry', version: 'API 2026-03-10' });
    });

    it('names the version of an Enterprise Server', async () => {
      const enterprise = answering(200, { id: 7, has_issues: true }, { 'x-github-enterprise-version': '3.19.0' });
      Object.assign(answers, { 'GET /user': answering(200, { login: 'bugferry' }), [`GET ${path}`]: enterprise });
      expect((await replica.hello()).version).toContain('3.19.0');
    });

    it('takes a token that belongs to no user', async () => {
      const refusal = answering(403, { message: 'Resource not accessible by integration' });
      Object.assign(answers, { 'GET /user': refusal, [`GET ${path}`]: there });
      expect((await replica.hello()).login).toBeNull();
    });

    it('takes a server that does not say who asks, nor whether it has issues', async () => {
      answers[`GET ${path}`] = answering(200, { id: 7 });
      expect(await replica.hello()).toMatchObject({ login: null, version: 'API 2026-03-10' });
    });

    it.each<[string, Record<string, Script>, string, RegExp]>([
      [
        'a wrong token',
        { 'GET /user': answering(401, { message: 'Bad credentials' }) },
        'unauthorized',
        /Bad credentials.*Check the token/u,
      ],
      ['a repository that cannot be seen', {}, 'refused', /acme\/widget/u],
      [
        'a renamed one',
        { [`GET ${path}`]: renamed },
        'refused',
        /moved to https:\/\/api\.github\.com\/repositories\/7/u,
      ],
      ['one without issues', { [`GET ${path}`]: issuesOff }, 'refused', /disabled/u],
      ['a GitHub that is down', { 'GET /user': answering(503, {}) }, 'later', /503/u],
    ])('does not accept %s', async (_name, given, kind, words) => {
      Object.assign(answers, { 'GET /user': answering(200, { login: 'bugferry' }) }, given);
      await expect(replica.hello()).rejects.toMatchObject({
        name: 'SideError',
        kind,
        message: expect.stringMatching(words),
      });
    });
  });

  it('pages of a thread are followed to the end, and its clock is that of the first', async () => {
    const comment = (id: number): object => ({
      id,
      html_url: `https://github.com/acme/widget/issues/5#issuecomment-${id}`,
      issue_url: 'https://api.github.com/repos/acme/widget/issues/5',
      body: `Words ${id}`,
      user: null,
      created_at: '2026-01-10T12:00:00Z',
      updated_at: '2026-01-10T12:00:00Z',
    });
    answers[`GET ${path}/issues/5/comments?per_page=100`] = answering(200, [comment(1)], {
      date: 'Sat, 10 Jan 2026 11:00:00 GMT',
      link: `<${server.url}/repositories/7/issues/5/comments?per_page=100&page=2>; rel="next"`,
    });
    answers['GET /repositories/7/issues/5/comments?per_page=100&page=2'] = answering(200, [comment(2)], {
      date: 'Sat, 10 Jan 2026 11:00:09 GMT',
    });
    const [thread] = await replica.threads([{ ref: 5, sinceAt: null }]);
    expect(thread).toMatchObject({
      isWhole: true,
      readAt: Date.UTC(2026, 0, 10, 11),
      comments: [{ id: 1 }, { id: 2 }],
    });
  });
});

describe('a server that sends no Link header', () => {
  const stampOf = (second: number): string => new Date(Date.UTC(2026, 0, 10, 12, 0, second)).toISOString();
  const issueRow = (number: number): object => ({
    id: 9000 + number,
    number,
    html_url: `http://host/acme/widget/issues/${number}`,
    title: 'T',
    state: 'open',
    labels: [],
    user: null,
    created_at: stampOf(0),
    // Many of one second, so that the second alone cannot lead on.
    updated_at: stampOf(Math.floor(number / 8)),
  });
  const commentRow = (id: number): object => ({
    id,
    html_url: `http://host/acme/widget/issues/1#issuecomment-${id}`,
    body: `Words ${id}`,
    user: null,
    created_at: stampOf(0),
    updated_at: stampOf(0),
  });
  const many = Array.from({ length: 20 }, (_each, at) => at + 1);

  /** `everything` ignores how much and which page is asked for. */
  async function replicaOf(
    pages: 'numbered' | 'everything',
  ): Promise<{ replica: GithubReplica; server: ScriptedServer }> {
    const server = await scriptedServer((arrival, response) => {
      const url = new URL(arrival.url, 'http://host');
      const size = Number(url.searchParams.get('per_page'));
      const page = Number(url.searchParams.get('page') ?? 1);
      const since = url.searchParams.get('since') ?? '';
      const isAscending = url.searchParams.get('direction') !== 'desc';
      const rows = many.map((at) => (url.pathname.endsWith('/comments') ? commentRow(at) : issueRow(at)));
      const shown = rows.filter(
        (row) => 'updated_at' in row && String(row.updated_at).slice(0, 19) >= since.slice(0, 19),
      );
      if (!isAscending) shown.reverse();
      answering(200, pages === 'everything' ? rows : shown.slice((page - 1) * size, page * size))(arrival, response);
    });
    const client = createGithubClient({ url: server.url, token: 't', lane: openLane(), timeoutMs: 2_000, now });
    return { replica: githubReplica({ client, owner: 'acme', repo: 'widget', pageSize: 5 }), server };
  }

  it.each(['numbered', 'everything'] as const)(
    'is read to its end, page by page, when its pages are %s',
    async (pages) => {
      const { replica, server } = await replicaOf(pages);
      const issues = new Set<number>();
      const comments = new Set<number>();
      let next: string | null = null;
      do {
        const listing = await replica.list(next);
        for (const item of listing.items) issues.add(Number(item.number));
        for (const comment of listing.comments) comments.add(comment.id);
        ({ next } = listing);
      } while (next !== null && server.arrivals.length < 60);
      const [thread] = await replica.threads([{ ref: 1, sinceAt: null }]);
      await server.close();
      expect(next).toBeNull();
      expect([...issues]).toEqual(many);
      expect([...comments]).toEqual(many);
      expect(thread?.comments.map(({ id }) => id)).toEqual(many);
      expect(server.arrivals.length).toBeLessThan(40);
    },
  );

  it('is polled to the end of what is new', async () => {
    const { replica, server } = await replicaOf('numbered');
    const nothing = { sinceAt: null, etag: null, old: [], shownAt: null, settledAt: null, isReached: false };
    const page = await replica.changes(JSON.stringify({ issues: nothing, comments: nothing }));
    await server.close();
    expect(page.items.map((item) => Number(item.number))).toEqual(many);
    expect(page.comments.map(({ id }) => id)).toEqual(many);
  });
});

describe('the app', () => {
  it('is greeted by its slug', async () => {
    const server = await scriptedServer((arrival, response) => {
      const answer = arrival.url === '/app' ? { slug: 'bugferry-acme' } : { id: 7, has_issues: true };
      answering(200, answer)(arrival, response);
    });
    const client = {
      ...createGithubClient({ url: server.url, token: 't', lane: openLane(), timeoutMs: 2_000, now: now }),
      isApp: true,
    };
    expect((await githubReplica({ client, owner: 'acme', repo: 'widget' }).hello()).login).toBe('bugferry-acme[bot]');
    await server.close();
  });
});

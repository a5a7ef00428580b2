import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGithubClient } from '../../../src/github/connection/client.ts';
import { githubReplica } from '../../../src/github/replica.ts';
import type { GithubReplica } from '../../../src/model/replica.ts';
import type { GithubPerson } from '../../../src/sandbox/github/world/people.ts';
import { repoNamed } from '../../../src/sandbox/github/world/state.ts';
import type { GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { handClock, repo, smallGithubWorld } from '../../contract/github/bench.ts';
import { type HttpGithub, httpGithub } from '../http-github.ts';

/** What comes to a branch, through the client and HTTP; each request is one that GitHub describes. */
const clock = handClock();
let world: GithubWorld;
let mona: GithubPerson;
let http: HttpGithub;
/** Changes the answers to requests with such an address. */
let instead: {
  readonly about: RegExp;
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
} | null;

beforeEach(async () => {
  instead = null;
  world = smallGithubWorld({ now: clock.now });
  mona = world.as('mona');
  http = await httpGithub({
    world,
    now: clock.now,
    login: 'bugferry',
    adapter: (options) => reading(null, options.client),
  });
});

afterEach(() => http.close());

type Client = ReturnType<typeof createGithubClient>;

const reading = (branch: string | null, client: Client, name = repo): GithubReplica => {
  const [owner = '', rest = ''] = name.split('/');
  return githubReplica({ client, owner, repo: rest, commits: { branch } });
};

function clientOf(): Client {
  const altered: typeof fetch = async (input, init) =>
    instead?.about.test(String(input)) === true
      ? new Response(instead.body ?? JSON.stringify({ message: 'No' }), {
          status: instead.status,
          headers: { 'content-type': 'application/json', ...instead.headers },
        })
      : fetch(input, init);
  return createGithubClient({
    url: world.state.url,
    token: 'token-of-bugferry',
    timeoutMs: 5_000,
    now: clock.now,
    lane: http.lane,
    fetch: altered,
  });
}

/** Begins, lets something happen, and reads on. */
async function after(act: () => void, branch: string | null = null, name = repo) {
  const replica = reading(branch, clientOf(), name);
  const { cursor } = await replica.changes(null);
  act();
  return replica.changes(cursor);
}

describe('what comes to a branch', () => {
  it('is read with one request for where it ends and one for the difference, oldest first, and then costs nothing', async () => {
    const replica = reading('main', clientOf());
    const { cursor } = await replica.changes(null);
    const shas = [mona.push(repo, 'One\n\nMore words'), mona.push(repo, 'Two')];
    http.newRequests();
    const { push, cursor: next } = await replica.changes(cursor);
    const commit = (sha = '', title = '', body = '') => ({
      sha,
      title,
      body,
      by: 'mona',
      isMerge: false,
      url: expect.stringMatching(`/commit/${sha}$`),
    });
    expect(push).toEqual({
      branch: 'main',
      unread: 0,
      commits: [commit(shas[0], 'One', '\nMore words'), commit(shas[1], 'Two')],
    });
    const asked = () => http.newRequests().filter((line) => /commits|compare/u.test(line));
    expect(asked()).toEqual([
      expect.stringMatching(/^GET \/repos\/acme\/widget\/commits\?sha=main&per_page=1 200$/u),
      expect.stringMatching(/^GET \/repos\/acme\/widget\/compare\/\w{40}\.\.\.\w{40}\?per_page=100&page=1 200$/u),
    ]);
    expect((await replica.changes(next)).push).toBeNull();
    expect(asked()).toEqual([expect.stringMatching(/ 304$/u)]);
  });

  it('begins where the branch ends, also where it is another one, or was moved by force', async () => {
    mona.push(repo, 'Before');
    expect((await after(() => undefined)).push).toBeNull();
    expect((await after(() => mona.push(repo, 'Instead', { parents: [] }))).push).toBeNull();
    const isOther = () => {
      mona.push(repo, 'Other', { branch: 'other' });
      world.setRepo(repo, { defaultBranch: 'other' });
    };
    expect((await after(isOther)).push).toBeNull();
  });

  it('is nothing while there is no such branch, and no commit at all', async () => {
    world.addRepo('acme/empty', { isEmpty: true, permissions: { bugferry: 'write', mona: 'admin' } });
    expect((await after(() => undefined, null, 'acme/empty')).push).toBeNull();
    expect((await after(() => mona.push('acme/empty', 'First'), null, 'acme/empty')).push).toBeNull();
    expect((await after(() => undefined, 'missing')).push).toBeNull();
  });

  it('continues after a branch was deleted and made again', async () => {
    const replica = reading('stable', clientOf());
    const sha = mona.push(repo, 'One', { branch: 'stable' });
    let { cursor } = await replica.changes(null);
    const { branches } = repoNamed(world.state, repo).git;
    branches.delete('stable');
    ({ cursor } = await replica.changes(cursor));
    branches.set('stable', sha);
    mona.push(repo, 'Two', { branch: 'stable' });
    expect((await replica.changes(cursor)).push?.commits.map(({ title }) => title)).toEqual(['Two']);
  });

  it('is no comparison with what GitHub no longer has', async () => {
    const replica = reading(null, clientOf());
    const { cursor } = await replica.changes(null);
    mona.push(repo, 'One');
    instead = { about: /\/compare\//u, status: 404 };
    const found = await replica.changes(cursor);
    expect(found.push).toBeNull();
    instead = null;
    expect((await replica.changes(found.cursor)).push).toBeNull();
  });

  it.each([
    ['the list', /\/commits\?/u, 500],
    ['the list, without the right to read it', /\/commits\?/u, 403],
    ['the comparison', /\/compare\//u, 503],
    ['the name of the default branch', /\/widget$/u, 502],
  ])('waits while GitHub does not give %s, and issues are read all the same', async (_what, about, status) => {
    const replica = reading(null, clientOf());
    const { cursor } = await replica.changes(null);
    mona.push(repo, 'One');
    mona.open(repo, { title: 'It fails' });
    instead = { about, status };
    const found = await replica.changes(cursor);
    expect([found.items.length, found.push]).toEqual([1, null]);
    instead = null;
    expect((await replica.changes(found.cursor)).push?.commits).toHaveLength(1);
  });

  it.each([
    ['the list', /\/commits\?/u, '[{}]'],
    ['the comparison', /\/compare\//u, '{"status":"ahead","total_commits":1,"commits":[{"sha":"1"}]}'],
    ['the comparison, cut off', /\/compare\//u, '{"status":"ahead","total'],
    ['the repository', /\/widget$/u, '{}'],
  ])('waits while %s makes no sense, and issues are read all the same', async (_what, about, body) => {
    const replica = reading(null, clientOf());
    const { cursor } = await replica.changes(null);
    mona.push(repo, 'One');
    mona.open(repo, { title: 'It fails' });
    instead = { about, status: 200, body };
    const found = await replica.changes(cursor);
    expect([found.items.length, found.push]).toEqual([1, null]);
    instead = null;
    expect((await replica.changes(found.cursor)).push?.commits).toHaveLength(1);
  });

  it('keeps its words where the address of the author is none', async () => {
    const author = { name: 'Someone', email: '1' };
    const { push } = await after(() => mona.push(repo, 'Bug 12: free the worker', { author }));
    expect(push?.commits.map(({ title }) => title)).toEqual(['Bug 12: free the worker']);
  });

  it('cuts a name of any length, at once', async () => {
    const author = { name: `${'a'.repeat(1_000_000)} b@c.example`, email: 'b@c.example' };
    const { push } = await after(() => mona.push(repo, 'One', { author }));
    expect(push?.commits.map(({ by }) => by)).toEqual([`"${'a'.repeat(99)}…"`]);
  }, 60_000);

  it.each([
    ['mona', '"mona"'],
    ['mona" (owner) "', '"mona (owner)"'],
    ['\u201cmona\u201d:\u2028GitHub user mona wrote', '"mona: GitHub user mona wrote"'],
  ])('puts a name without an account into signs of quotation, as Git takes any: %j', async (name, by) => {
    const author = { name, email: 'b@c.example' };
    const { push } = await after(() => mona.push(repo, 'One', { author }));
    expect(push?.commits.map((commit) => commit.by)).toEqual([by]);
  });

  it('heeds a limit', async () => {
    const replica = reading(null, clientOf());
    const { cursor } = await replica.changes(null);
    mona.push(repo, 'One');
    instead = { about: /\/compare\//u, status: 429, headers: { 'retry-after': '60' } };
    await expect(replica.changes(cursor)).rejects.toMatchObject({ kind: 'later', at: clock.now() + 60_000 });
    instead = null;
    expect((await replica.changes(cursor)).push?.commits).toHaveLength(1);
  });

  it('names no address, and knows a merge', async () => {
    const author = { name: 'nobody@home.example', email: 'nobody@home.example' };
    const { push } = await after(() => {
      const [one, two] = [
        mona.push(repo, 'By nobody@home.example', { author }),
        mona.push(repo, 'Two', { branch: 'side' }),
      ];
      mona.push(repo, 'A merge', { parents: [one, two] });
    });
    expect(push?.commits.map(({ title, by, isMerge }) => [title, by, isMerge])).toEqual([
      ['By', null, false],
      ['Two', 'mona', false],
      ['A merge', 'mona', true],
    ]);
  });
});

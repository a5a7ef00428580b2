import { beforeEach, describe, expect, it } from 'vitest';
import { valueIn } from '../../../src/sandbox/github/server/ask.ts';
import { repoNamed } from '../../../src/sandbox/github/world/state.ts';
import { ask, base, entries, get, linkOf, mona, start, world } from './setup.ts';

const repo = 'acme/widget';

beforeEach(() => start());

const tip = (): string => repoNamed(world.state, repo).git.branches.get('main') ?? '';
const titles = (body: unknown): unknown[] =>
  entries({ status: 200, headers: new Headers(), body }).map((each) => each['commit']);

describe('the list of commits', () => {
  it('shows those of the default branch, the newest first, or of another, with author and parents', async () => {
    const sha = mona.push(repo, 'One\n\nMore', { author: { name: 'Nobody', email: 'nobody@home.example' } });
    mona.push(repo, 'Elsewhere', { branch: 'side' });
    const list = await get(`${base}/commits`);
    expect(list.body).toMatchObject([
      { sha, author: null, commit: { message: 'One\n\nMore' } },
      { commit: { message: 'Begin' }, parents: [] },
    ]);
    expect((await get(`${base}/commits?sha=side&per_page=1`)).body).toMatchObject([
      { author: { login: 'mona' }, parents: [{ sha }], commit: { message: 'Elsewhere' } },
    ]);
    expect(titles((await get(`${base}/commits?sha=${sha}`)).body)).toHaveLength(2);
  });

  it('answers 304 while nothing is pushed, 404 for no such branch, and 409 without any commit', async () => {
    const etag = (await get(`${base}/commits?per_page=1`)).headers.get('etag') ?? '';
    const again = () => get(`${base}/commits?per_page=1`, { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    mona.push(repo, 'One');
    expect((await again()).status).toBe(200);
    expect((await get(`${base}/commits?sha=none`)).status).toBe(404);
    world.addRepo('acme/empty', { isEmpty: true, permissions: { bugferry: 'write' } });
    expect(await get('/repos/acme/empty/commits')).toMatchObject({
      status: 409,
      body: { message: 'Git Repository is empty.' },
    });
  });
});

describe('a comparison', () => {
  it('shows what the second has besides the first, oldest first, and how they stand to each other', async () => {
    const from = tip();
    const [one, two] = [mona.push(repo, 'One'), mona.push(repo, 'Two')];
    const ahead = {
      status: 'ahead',
      ahead_by: 2,
      behind_by: 0,
      total_commits: 2,
      merge_base_commit: { sha: from },
      commits: [{ sha: one }, { sha: two }],
    };
    expect((await get(`${base}/compare/${from}...main`)).body).toMatchObject(ahead);
    expect((await get(`${base}/compare/${two}...${from}`)).body).toMatchObject({
      status: 'behind',
      behind_by: 2,
      total_commits: 0,
      commits: [],
    });
    expect((await get(`${base}/compare/${two}...${two}`)).body).toMatchObject({ status: 'identical', commits: [] });
    const other = mona.push(repo, 'Other', { parents: [one] });
    expect((await get(`${base}/compare/${two}...${other}`)).body).toMatchObject({
      status: 'diverged',
      ahead_by: 1,
      behind_by: 1,
    });
    expect((await get(`${base}/compare/${from}...none`)).status).toBe(404);
  });

  it('shows all of a merged branch', async () => {
    const from = tip();
    const [side, own] = [mona.push(repo, 'On the side', { branch: 'side' }), mona.push(repo, 'Own')];
    const merge = mona.push(repo, 'A merge', { parents: [own, side] });
    expect((await get(`${base}/compare/${from}...${merge}`)).body).toMatchObject({
      total_commits: 3,
      commits: [{ sha: side }, { sha: own }, { sha: merge, parents: [{ sha: own }, { sha: side }] }],
    });
  });

  it('shows the newest 250 at once, or all in pages', async () => {
    const from = tip();
    const shas = Array.from({ length: 252 }, (_, index) => mona.push(repo, `Commit ${index}`));
    const whole = (await get(`${base}/compare/${from}...main`)).body as {
      readonly commits: readonly { readonly sha: string }[];
    };
    expect([whole.commits.length, whole.commits[0]?.sha]).toEqual([250, shas[2]]);
    const page = await get(`${base}/compare/${from}...main?per_page=100&page=3`);
    expect(page.body).toMatchObject({
      total_commits: 252,
      commits: [{ sha: shas[200] }, ...shas.slice(201).map((sha) => ({ sha }))],
    });
    expect(linkOf(page, 'prev')).toContain('page=2');
  });
});

it('closes what the commits say they fix, when the default branch is moved over HTTP', async () => {
  const number = mona.open(repo, { title: 'It fails' });
  const { tree } = repoNamed(world.state, repo).git.commits.get(tip()) ?? {};
  const commit = { message: `Fixes #${number}`, tree, parents: [tip()] };
  const sha = valueIn((await ask('POST', `${base}/git/commits`, { body: commit })).body, 'sha');
  await ask('PATCH', `${base}/git/refs/heads/main`, { body: { sha } });
  expect((await get(`${base}/issues/${number}`)).body).toMatchObject({ state: 'closed' });
  expect((await get(`${base}/issues/${number}/events`)).body).toMatchObject([{ event: 'closed', commit_id: sha }]);
});

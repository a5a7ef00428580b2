import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { githubReplica } from '../../src/github/replica.ts';
import type { Issue } from '../../src/model/item.ts';
import type { Changes } from '../../src/model/replica.ts';
import type { GithubPerson } from '../../src/sandbox/github/world/people.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { type GithubBench, handClock, smallGithubWorld } from '../contract/github/replica.ts';
import { type HttpGithub, httpGithub } from './http-github.ts';

const repo = 'acme/widget';
const issuesUrl = '/repos/acme/widget/issues?state=all&sort=updated&direction=desc&per_page=';
const commentsUrl = '/repos/acme/widget/issues/comments?sort=updated&direction=desc&per_page=';

let clock: GithubBench['clock'];
let world: GithubWorld;
let mona: GithubPerson;
let github: HttpGithub;

let adapter = githubReplica;

beforeEach(() => start(100));
afterEach(() => github.close());

async function start(pageSize: number, listLagMs = 0, dateAheadMs = 0): Promise<void> {
  await github?.close();
  clock = handClock();
  world = smallGithubWorld({ now: clock.now, listLagMs });
  mona = world.as('mona');
  github = await httpGithub({ world, now: clock.now, login: 'bugferry', pageSize, dateAheadMs, adapter });
}

const numbersOf = ({ items }: Changes<Issue>): number[] => items.map((item) => Number(item.number));
const titled = (title: string): number => mona.open(repo, { title });

/** A cursor with ETags, long after everything that happened before. */
async function settledCursor(): Promise<string> {
  clock.advance(3_600_000);
  const { cursor } = await github.replica.changes(null);
  clock.advance(3_600_000);
  const settled = await github.replica.changes(cursor);
  github.newRequests();
  return settled.cursor;
}

describe('the cost of a poll', () => {
  it('is two answers of 304 while nothing happens, poll after poll', async () => {
    titled('Old');
    let cursor = await settledCursor();
    for (let polls = 0; polls < 3; polls += 1) {
      clock.advance(60_000);
      ({ cursor } = await github.replica.changes(cursor));
      expect(github.newRequests()).toEqual([`GET ${issuesUrl}100 304`, `GET ${commentsUrl}100 304`]);
    }
  });

  it('is nothing of the allowance while nothing happens', async () => {
    const cursor = await settledCursor();
    const used = world.state.hours.get('bugferry')?.used;
    await github.replica.changes(cursor);
    expect(world.state.hours.get('bugferry')?.used).toBe(used);
  });

  it('is one page of the list that changed', async () => {
    const cursor = await settledCursor();
    const number = titled('New');
    expect(numbersOf(await github.replica.changes(cursor))).toEqual([number]);
    expect(github.newRequests()).toEqual([`GET ${issuesUrl}100 200`, `GET ${commentsUrl}100 304`]);
  });

  it('is two answers of 304 again after a change', async () => {
    let cursor = await settledCursor();
    titled('New');
    ({ cursor } = await github.replica.changes(cursor));
    github.newRequests();
    expect(numbersOf(await github.replica.changes(cursor))).toEqual([]);
    expect(github.newRequests()).toEqual([`GET ${issuesUrl}100 304`, `GET ${commentsUrl}100 304`]);
  });

  it('is a page of each list for the first cursor, and nothing changed is two answers of 304 from there', async () => {
    titled('Old');
    clock.advance(900_000);
    const { cursor } = await github.replica.changes(null);
    expect(github.newRequests()).toEqual([`GET ${issuesUrl}100 200`, `GET ${commentsUrl}100 200`]);
    await github.replica.changes(cursor);
    expect(github.newRequests()).toEqual([`GET ${issuesUrl}100 304`, `GET ${commentsUrl}100 304`]);
  });
});

describe('the cursor', () => {
  const sinceOf = (cursor: string): number | null =>
    (JSON.parse(cursor) as { issues: { sinceAt: number | null } }).issues.sinceAt;
  const second = (at: number): number => Math.floor(at / 1000) * 1000;

  it('is the time of the newest change shown, and follows no other clock', async () => {
    const begun = await github.replica.changes(null);
    expect(sinceOf(begun.cursor)).toBeNull();
    titled('Old');
    const oldAt = second(clock.now());
    clock.advance(3_600_000);
    const settled = await github.replica.changes(begun.cursor);
    expect(sinceOf(settled.cursor)).toBe(oldAt);
    clock.advance(3_600_000);
    expect(sinceOf((await github.replica.changes(settled.cursor)).cursor)).toBe(oldAt);
    titled('New');
    expect(sinceOf((await github.replica.changes(settled.cursor)).cursor)).toBe(second(clock.now()));
  });

  it.each([
    ['a year behind', 365 * 86_400_000],
    ['an hour ahead', -3_600_000],
  ])('loses nothing when the clock of the stamps is %s of the one in the Date header', async (_name, aheadMs) => {
    await start(100, 0, aheadMs);
    titled('Old');
    clock.advance(600_000);
    let { cursor } = await github.replica.changes(null);
    for (let polls = 0; polls < 3; polls += 1) {
      clock.advance(600_000);
      const number = titled('New');
      mona.comment(repo, number, 'Words');
      const page = await github.replica.changes(cursor);
      expect(numbersOf(page)).toContain(number);
      expect(page.comments.map((comment) => comment.ref)).toContain(number);
      ({ cursor } = page);
    }
  });

  it.each([
    ['an issue is stamped with the year 2099 by one answer', 2],
    ['an issue keeps a stamp of the year 2099', 20],
  ])('loses nothing when %s', async (_name, pollsMax) => {
    const wrong = titled('Wrong');
    let cursor = await settledCursor();
    const record = world.state.repos.get(repo)?.issues.get(wrong);
    if (record === undefined) throw new Error('there is no such issue');
    const right = record.updatedAt;
    for (let polls = 0; polls < 5; polls += 1) {
      record.updatedAt = polls < pollsMax ? Date.UTC(2099, 0, 1) : right;
      clock.advance(60_000);
      const number = polls === 0 ? wrong : titled(`New ${polls}`);
      const page = await github.replica.changes(cursor);
      expect(numbersOf(page)).toContain(number);
      expect(sinceOf(page.cursor)).toBeLessThanOrEqual(clock.now());
      ({ cursor } = page);
    }
    expect(numbersOf(await github.replica.changes(cursor))).toEqual([]);
  });

  it('goes back when it is years ahead of the date of the answers', async () => {
    titled('Old');
    const cursor = await settledCursor();
    const ahead = cursor.replaceAll(/"(sinceAt|edgeAt)":\d+/gu, `"$1":${Date.UTC(2099, 0, 1)}`);
    const missed = titled('Opened meanwhile');
    clock.advance(7_200_000);
    const page = await github.replica.changes(ahead);
    expect(numbersOf(page)).toContain(missed);
    const next = titled('Opened afterwards');
    expect(numbersOf(await github.replica.changes(page.cursor))).toEqual([next]);
  });

  it('shows what changes again in the second in which it was begun', async () => {
    const number = titled('Old');
    const { cursor } = await github.replica.changes(null);
    mona.edit(repo, number, { title: 'New' });
    expect((await github.replica.changes(cursor)).items.map((item) => item.title)).toEqual(['New']);
  });

  it('does not pass what one list had not shown when the other was read much later', async () => {
    let cursor = await settledCursor();
    let missed = 0;
    github.before = (_method, address) => {
      if (!address.startsWith('/repos/acme/widget/issues/comments')) return;
      github.before = () => {};
      clock.advance(60_000);
      missed = titled('Opened between the two reads');
      clock.advance(1_800_000);
      mona.comment(repo, titled('Talk'), 'Words, half an hour later');
    };
    ({ cursor } = await github.replica.changes(cursor));
    expect(missed).toBeGreaterThan(0);
    expect(numbersOf(await github.replica.changes(cursor))).toContain(missed);
  });

  it('is read again with an overlap, for a change that shows up after a later one', async () => {
    await start(100, 20_000);
    const old = titled('Old');
    let cursor = await settledCursor();
    clock.advance(5_000);
    const slow = titled('Slow to appear');
    clock.advance(5_000);
    mona.edit(repo, old, { title: 'Appears at once' });
    const early = await github.replica.changes(cursor);
    ({ cursor } = early);
    clock.advance(20_000);
    expect(numbersOf(early)).toEqual([old]);
    expect(numbersOf(await github.replica.changes(cursor))).toContain(slow);
  });

  it('is begun so that what a list of all did not show yet is news', async () => {
    await github.close();
    await start(100);
    titled('Long ago');
    clock.advance(3_600_000);
    const fresh = titled('A moment ago');
    mona.comment(repo, fresh, 'Words');
    const begun = await github.replica.changes(null);
    world.setListLag(() => 20_000);
    expect((await github.replica.list(null)).items.map(({ number }) => Number(number))).not.toContain(fresh);
    world.setListLag(() => 0);
    clock.advance(30_000);
    const next = await github.replica.changes(begun.cursor);
    expect([numbersOf(next), next.comments.map(({ text }) => text)]).toEqual([[fresh], ['Words']]);
    expect(numbersOf(await github.replica.changes(next.cursor))).toEqual([]);
  });

  it('is not moved by a read that failed half way', async () => {
    const cursor = await settledCursor();
    const number = titled('New');
    github.before = (_method, address) => {
      if (address.includes('/issues/comments')) world.setToken('bugferry', null);
    };
    await expect(github.replica.changes(cursor)).rejects.toMatchObject({ kind: 'unauthorized' });
    github.before = () => {};
    world.setToken('bugferry', 'token-of-bugferry');
    expect(numbersOf(await github.replica.changes(cursor))).toEqual([number]);
  });
});

describe('more changes than a page holds', () => {
  it('are walked from the oldest on, each once', async () => {
    await start(3);
    titled('Old');
    const cursor = await settledCursor();
    const opened: number[] = [];
    for (let at = 0; at < 11; at += 1) {
      clock.advance(5_000);
      opened.push(titled(`Issue ${at}`));
    }
    expect(numbersOf(await github.replica.changes(cursor))).toEqual(opened);
    const [first, ...others] = github.newRequests().filter((line) => !line.includes('comments'));
    expect(first).toBe(`GET ${issuesUrl}3 200`);
    expect(others.length).toBeGreaterThan(3);
    expect(others.every((line) => line.includes('direction=asc') && line.includes('since='))).toBe(true);
  });

  it('are complete although one already read is deleted during the walk', async () => {
    await start(3);
    const cursor = await settledCursor();
    const opened: number[] = [];
    for (let at = 0; at < 9; at += 1) {
      clock.advance(5_000);
      opened.push(titled(`Issue ${at}`));
    }
    let asked = 0;
    github.before = (_method, address) => {
      if (address.includes('/comments')) return;
      asked += 1;
      if (asked === 2) mona.deleteIssue(repo, opened[8] ?? 0);
      if (asked === 4) mona.deleteIssue(repo, opened[0] ?? 0);
    };
    expect(numbersOf(await github.replica.changes(cursor))).toEqual(expect.arrayContaining(opened.slice(0, 8)));
  });

  it('show each issue once, and in the end as it is', async () => {
    await start(3);
    const cursor = await settledCursor();
    const opened = [0, 1, 2, 3, 4, 5].map((at) => {
      clock.advance(5_000);
      return titled(`Issue ${at}`);
    });
    let asked = 0;
    github.before = (_method, address) => {
      if (address.includes('/comments')) return;
      asked += 1;
      if (asked === 3) for (const number of [opened[0], opened[5]]) mona.edit(repo, number ?? 0, { title: 'Edited' });
    };
    const first = await github.replica.changes(cursor);
    expect(numbersOf(first).toSorted((one, other) => one - other)).toEqual(opened);
    const second = await github.replica.changes(first.cursor);
    const titles = new Map([...first.items, ...second.items].map((item) => [Number(item.number), item.title]));
    expect([...titles].sort(([one], [other]) => one - other)).toEqual(
      opened.map((number, at) => [number, at === 0 || at === 5 ? 'Edited' : `Issue ${at}`]),
    );
  });

  it('are walked no further than to where the first page begins', async () => {
    await start(3);
    const cursor = await settledCursor();
    for (let at = 0; at < 9; at += 1) {
      clock.advance(5_000);
      titled(`Issue ${at}`);
    }
    github.newRequests();
    await github.replica.changes(cursor);
    // Of nine changes the first page brings three; the walk brings the others, two anew with each page, and one to know
    // that it is through.
    expect(github.newRequests().filter((line) => !line.includes('comments'))).toHaveLength(1 + 4);
  });

  it('are complete where the first page begins in the middle of a second', async () => {
    await start(3);
    const cursor = await settledCursor();
    const opened = [0, 1, 2, 3, 4, 5, 6].map((at) => {
      if (at < 2 || at > 5) clock.advance(5_000);
      return titled(`Issue ${at}`);
    });
    expect(numbersOf(await github.replica.changes(cursor)).toSorted((one, other) => one - other)).toEqual(opened);
  });
});

/** What is settled is not read again; what may still turn up late is. Each answers which issues were missed. */
const settling = {
  /** An issue takes 50 seconds to appear, between a change that was shown and the poll after it. */
  async 'late, after a poll that brought nothing'(): Promise<readonly number[]> {
    await start(100, 50_000);
    const old = titled('Old');
    let cursor = await settledCursor();
    const slow = titled('Slow to appear');
    clock.advance(5_000);
    mona.edit(repo, old, { title: 'Appears at once' });
    ({ cursor } = await polled(cursor));
    clock.advance(30_000);
    ({ cursor } = await polled(cursor));
    clock.advance(20_000);
    await polled(cursor);
    return [slow].filter((number) => !seen.has(number));
  },
  /** It appears where the first page does not reach, so that the page is unchanged. */
  async 'late, below the first page'(): Promise<readonly number[]> {
    await start(3, 50_000);
    const old = [0, 1, 2, 3, 4, 5].map((at) => titled(`Old ${at}`));
    let cursor = await settledCursor();
    const slow = titled('Slow to appear');
    for (const number of old.slice(1)) {
      clock.advance(1_000);
      mona.edit(repo, number, { title: 'Appears at once' });
    }
    ({ cursor } = await polled(cursor));
    for (let polls = 0; polls < 10; polls += 1) {
      clock.advance(60_000);
      ({ cursor } = await polled(cursor));
    }
    mona.edit(repo, old[0] ?? 0, { title: 'Once more' });
    await polled(cursor);
    return [slow].filter((number) => !seen.has(number));
  },
};

const seen = new Set<number>();

async function polled(cursor: string): Promise<Changes<Issue>> {
  const page = await github.replica.changes(cursor);
  for (const number of numbersOf(page)) seen.add(number);
  return page;
}

describe('a settled list', () => {
  beforeEach(() => seen.clear());
  afterEach(() => {
    adapter = githubReplica;
  });

  it('does not fill the pages of the next changes', async () => {
    await start(5);
    titled('Old');
    let cursor = await settledCursor();
    for (let turn = 0; turn < 3; turn += 1) {
      const opened = [0, 1, 2, 3].map((at) => {
        clock.advance(1_000);
        const number = titled(`Issue ${at}`);
        mona.comment(repo, number, 'Words');
        return number;
      });
      github.newRequests();
      const page = await github.replica.changes(cursor);
      expect(numbersOf(page)).toEqual(opened);
      expect(page.comments.map((comment) => comment.ref)).toEqual(opened);
      // One page holds them all and one row that is known; so nothing lies between.
      expect(github.newRequests()).toEqual([`GET ${issuesUrl}5 200`, `GET ${commentsUrl}5 200`]);
      clock.advance(60_000);
      ({ cursor } = await github.replica.changes(page.cursor));
      expect(github.newRequests()).toEqual([`GET ${issuesUrl}5 304`, `GET ${commentsUrl}5 304`]);
    }
  });

  it.each(Object.entries(settling))('leaves out nothing that shows up %s', async (_name, run) => {
    expect(await run()).toEqual([]);
  });
});

describe('issues that are switched off', () => {
  afterEach(() => {
    adapter = githubReplica;
  });

  async function told(): Promise<unknown> {
    await start(100);
    mona.openPull(repo, { title: 'A pull request' });
    clock.advance(1_000);
    titled('Old');
    const cursor = await settledCursor();
    world.setRepo(repo, { hasIssues: false });
    return github.replica.changes(cursor).then(
      () => null,
      (error: unknown) => error,
    );
  }

  it('are reported at once, although lists still answer', async () => {
    expect(await told()).toMatchObject({
      kind: 'refused',
      side: 'github',
      message: expect.stringContaining('has issues disabled'),
    });
    await expect(github.replica.changes(null)).resolves.toMatchObject({ items: [] });
    expect(await github.replica.comment(2, 'Words')).toMatchObject({ kind: 'later', wholeSide: true });
    expect(await github.replica.create({ title: 'New', body: '', labels: [] })).toMatchObject({
      kind: 'later',
      wholeSide: true,
      why: expect.stringMatching(/Issues has been disabled in this repository\. Enable issues/u),
    });
  });
});

it.each([
  ['sso', /single sign-on at https:\/\/github\.com\/orgs\/acme\/sso/u],
  ['allow-list', /list of allowed addresses\.$/u],
  ['terms', /Ask GitHub Support/u],
] as const)('a repository that is barred by %s is refused with advice that fits', async (bar, words) => {
  world.limits.bar = bar;
  await expect(github.replica.changes(null)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(words),
  });
});

it('an issue that is full is refused, and the advice says that nothing helps', async () => {
  world.limits.commentsPerIssue = 1;
  const number = titled('Full');
  expect(await github.replica.comment(number, 'One')).toMatchObject({ kind: 'applied' });
  expect(await github.replica.comment(number, 'Two')).toMatchObject({
    kind: 'refused',
    why: expect.stringContaining('no further comment'),
  });
});

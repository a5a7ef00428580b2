import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GithubPerson } from '../../src/sandbox/github/world/people.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { type GithubBench, handClock, smallGithubWorld } from '../contract/github/replica.ts';
import { type HttpGithub, httpGithub } from './http-github.ts';

const repo = 'acme/widget';
let clock: GithubBench['clock'];
let world: GithubWorld;
let mona: GithubPerson;
let github: HttpGithub;

beforeEach(async () => {
  clock = handClock();
  world = smallGithubWorld({ now: clock.now });
  mona = world.as('mona');
  github = await httpGithub({ world, now: clock.now, login: 'bugferry', pageSize: 2 });
});
afterEach(() => github.close());

/** Reads everything; `between` runs after each page. */
async function readAll(
  between: (pagesRead: number) => void = () => {},
): Promise<{ issues: number[]; comments: number[] }> {
  const found: { issues: number[]; comments: number[] } = { issues: [], comments: [] };
  let page: string | null = null;
  for (let pagesRead = 1; pagesRead < 200; pagesRead += 1) {
    const listing = await github.replica.list(page);
    found.issues.push(...listing.items.map((item) => Number(item.number)));
    found.comments.push(...listing.comments.map((comment) => comment.id));
    page = listing.next;
    if (page === null) return found;
    between(pagesRead);
  }
  throw new Error('The list does not end.');
}

const openMany = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => mona.open(repo, { title: `Issue ${at}` }));

describe('a list whose items share one second', () => {
  it('has each of them once', async () => {
    const opened = openMany(9);
    const said = opened.map((number) => mona.comment(repo, number, 'Words'));
    expect(await readAll()).toEqual({ issues: opened, comments: said });
  });

  it.each([1, 2, 3, 4, 5, 6])('loses none when one that was read is edited after page %i', async (turn) => {
    const opened = openMany(9);
    const { issues } = await readAll((pagesRead) => {
      if (pagesRead !== turn) return;
      clock.advance(60_000);
      for (const number of opened.slice(0, turn)) mona.edit(repo, number, { title: 'Edited' });
    });
    expect([...new Set(issues)].sort((one, other) => one - other)).toEqual(opened);
  });

  it.each([1, 2, 3, 4])('loses none when one that was read is deleted after page %i', async (turn) => {
    const opened = openMany(9);
    const { issues } = await readAll((pagesRead) => {
      if (pagesRead === turn) mona.deleteIssue(repo, opened[0] ?? 0);
    });
    expect([...new Set(issues)].sort((one, other) => one - other)).toEqual(opened);
  });
});

describe('a list over many seconds', () => {
  it('asks by time and not by page number', async () => {
    for (let at = 0; at < 6; at += 1) {
      clock.advance(10_000);
      mona.open(repo, { title: `Issue ${at}` });
    }
    await readAll();
    expect(github.newRequests().filter((line) => /[?&]page=/u.test(line))).toEqual([]);
  });

  it('is not disturbed by issues that are deleted between its pages', async () => {
    const opened = openMany(8);
    for (const number of opened) {
      clock.advance(10_000);
      mona.edit(repo, number, { body: 'Later' });
    }
    const { issues } = await readAll((pagesRead) => {
      if (pagesRead <= 2) mona.deleteIssue(repo, opened[pagesRead - 1] ?? 0);
    });
    expect([...new Set(issues)].sort((one, other) => one - other)).toEqual(opened);
  });

  it('can be gone on with by another process', async () => {
    const opened = openMany(5);
    const first = await github.replica.list(null);
    const second = await github.replica.list(first.next);
    const third = await github.replica.list(second.next);
    const moved = await httpGithub({ world, now: clock.now, login: 'bugferry', pageSize: 2 });
    const fourth = await moved.replica.list(third.next);
    await moved.close();
    const found = [first, second, third, fourth].flatMap(({ items }) => items.map((item) => Number(item.number)));
    expect(found).toEqual(opened.slice(0, found.length));
    expect(third.next).not.toContain('http');
  });

  it.each([
    ['in one second', 400, 0],
    ['over a few seconds, many in each', 400, 25],
    ['one after the other', 400, 4_000],
  ])('takes two readings at most of a crowd of changes: %s', async (_how, count, everyMs) => {
    const large = await httpGithub({ world, now: clock.now, login: 'bugferry', pageSize: 10 });
    const opened: number[] = [];
    for (let at = 0; at < count; at += 1) {
      clock.advance(everyMs);
      opened.push(mona.open(repo, { title: `Issue ${at}` }));
    }
    const found: number[] = [];
    let page: string | null = null;
    do {
      const listing = await large.replica.list(page);
      found.push(...listing.items.map((item) => Number(item.number)));
      page = listing.next;
    } while (page !== null);
    const requests = large.newRequests().filter((line) => !line.includes('comments')).length;
    await large.close();
    expect(found).toEqual(opened);
    expect(requests).toBeLessThanOrEqual((2 * count) / 10 + 2);
  });
});

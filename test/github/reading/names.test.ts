import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { githubReplica } from '../../../src/github/replica.ts';
import type { GithubPerson } from '../../../src/sandbox/github/world/people.ts';
import type { GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { type GithubBench, handClock, smallGithubWorld } from '../../contract/github/replica.ts';
import { type HttpGithub, httpGithub } from '../http-github.ts';

const repo = 'acme/widget';
const minuteMs = 60_000;

let clock: GithubBench['clock'];
let world: GithubWorld;
let mona: GithubPerson;
let github: HttpGithub;
let cursor: string;

beforeEach(() => start());
afterEach(() => github.close());

async function start(pageSize = 100): Promise<void> {
  await github?.close();
  clock = handClock();
  world = smallGithubWorld({ now: clock.now });
  mona = world.as('mona');
  const watching: typeof githubReplica = (options) =>
    githubReplica({ ...options, namedKinds: ['labels', 'milestones'] });
  github = await httpGithub({ world, now: clock.now, login: 'bugferry', pageSize, adapter: watching });
}

/** An issue with a label and a milestone, long ago, and a cursor that knows the names. */
async function settled(): Promise<number> {
  const number = mona.open(repo, { title: 'Old', labels: ['severity: major', 'kept'] });
  mona.milestone(repo, number, 'v1');
  clock.advance(60 * minuteMs);
  ({ cursor } = await github.replica.changes(null));
  await untilQuiet();
  return number;
}

/** Until lists of changes show nothing more of what has happened, whatever its versions. */
async function untilQuiet(): Promise<void> {
  for (let polls = 0; polls < 3; polls += 1) await poll(20 * minuteMs);
  github.newRequests();
}

/** The issues that a poll shows, with their labels and milestone. */
async function poll(afterMs = 0, isRenamed = false): Promise<readonly string[]> {
  clock.advance(afterMs);
  const page = await github.replica.changes(cursor, isRenamed);
  ({ cursor } = page);
  return page.items.map(
    ({ number, labels, milestone }) => `${number}: ${[...labels].sort().join(', ')} (${milestone})`,
  );
}

const requested = (): readonly string[] =>
  github.newRequests().map((line) => line.replace(/^GET \/repos\/acme\/widget(.*)$/u, '$1'));

describe('a new name', () => {
  it('of a label is seen on every issue that has it, closed ones too, within ten minutes', async () => {
    const number = await settled();
    const closed = mona.open(repo, { title: 'Closed', labels: ['severity: major'] });
    mona.close(repo, closed);
    mona.open(repo, { title: 'Without', labels: ['kept'] });
    await untilQuiet();
    await poll(10 * minuteMs);
    mona.renameLabel(repo, 'severity: major', 'severity: blocker');
    expect(await poll(minuteMs)).toEqual([]);
    const seen = await poll(9 * minuteMs);
    expect(seen.toSorted()).toEqual([`${number}: kept, severity: blocker (v1)`, `${closed}: severity: blocker (null)`]);
  });

  it('of a milestone is seen likewise', async () => {
    const number = await settled();
    mona.renameMilestone(repo, 'v1', 'v2');
    expect(await poll(10 * minuteMs)).toEqual([`${number}: kept, severity: major (v2)`]);
  });

  it('in another case counts, and so does one of many', async () => {
    await start(3);
    const number = await settled();
    for (let count = 0; count < 10; count += 1) mona.label(repo, number, `area ${count}`);
    await untilQuiet();
    mona.renameLabel(repo, 'area 8', 'Area 8');
    expect((await poll(10 * minuteMs))[0]).toContain('Area 8');
  });

  it('is seen at once when a webhook says so', async () => {
    const number = await settled();
    mona.renameLabel(repo, 'kept', 'other');
    expect(await poll(1_000)).toEqual([]);
    expect(await poll(1_000, true)).toEqual([`${number}: other, severity: major (v1)`]);
  });

  it('is looked for again, as the list of its issues may lag', async () => {
    const number = await settled();
    mona.renameLabel(repo, 'kept', 'other');
    await poll(1_000, true);
    expect(await poll(minuteMs)).toEqual([]);
    expect(await poll(10 * minuteMs)).toEqual([`${number}: other, severity: major (v1)`]);
    expect(await poll(10 * minuteMs)).toEqual([]);
  });

  it('of a milestone replaces the old one in later writes', async () => {
    const number = await settled();
    const other = mona.open(repo, { title: 'Other' });
    const [issue] = (await github.replica.changes(cursor)).items;
    if (issue === undefined) throw new Error('No issue is shown.');
    await github.replica.update(issue, { milestone: 'v1' });
    mona.renameMilestone(repo, 'v1', 'v2');
    const seen = new Set(await poll(10 * minuteMs));
    expect([...seen].toSorted()).toEqual([`${number}: kept, severity: major (v2)`, `${other}:  (v2)`]);
    const third = mona.open(repo, { title: 'Third' });
    const [fresh] = (await github.replica.changes(cursor)).items.filter((item) => item.number === third);
    if (fresh === undefined) throw new Error('No issue is shown.');
    await github.replica.update(fresh, { milestone: 'v1' });
    expect(world.issue(repo, third)?.milestone).toBe('v1');
  });
});

describe('a look at the names', () => {
  it('costs a page of each at first, and then answers of 304 every ten minutes', async () => {
    mona.open(repo, { title: 'Old', labels: ['kept'] });
    clock.advance(60 * minuteMs);
    ({ cursor } = await github.replica.changes(null));
    github.newRequests();
    await poll();
    expect(requested().slice(2)).toEqual(['/labels?per_page=100 200', '/milestones?state=all&per_page=100 200']);
    for (let minutes = 1; minutes < 10; minutes += 1) await poll(minuteMs);
    expect(requested().filter((line) => !line.startsWith('/issues'))).toEqual([]);
    await poll(minuteMs);
    expect(requested().slice(2)).toEqual(['/labels?per_page=100 304', '/milestones?state=all&per_page=100 304']);
  });

  it('shows no issue because a label is new, gone or has another colour', async () => {
    const number = await settled();
    mona.label(repo, number, 'new');
    expect(await poll(minuteMs)).toHaveLength(1);
    expect(await poll(20 * minuteMs)).toEqual([]);
    mona.unlabel(repo, number, 'new');
    expect(await poll(minuteMs)).toHaveLength(1);
    expect(await poll(20 * minuteMs)).toEqual([]);
  });

  it('goes on from a cursor that knows no names', async () => {
    await settled();
    const { names, ...others } = JSON.parse(cursor) as Record<string, unknown>;
    expect(names).toBeDefined();
    cursor = JSON.stringify(others);
    mona.renameLabel(repo, 'kept', 'other');
    expect(await poll(20 * minuteMs)).toEqual([]);
    mona.renameLabel(repo, 'other', 'another');
    expect(await poll(20 * minuteMs)).toHaveLength(1);
  });
});

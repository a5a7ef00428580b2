import { beforeEach, describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/model/item.ts';
import { repo } from '../../contract/github/bench.ts';
import { announced, type Bench, benchOf, counted, json, renameAll, seenOf, times } from './bench.ts';

let on: Bench;
beforeEach(() => {
  on = benchOf();
});

describe('writes that are announced', () => {
  it('share a look among fifteen, and each asks for nothing more than whether it changed since', async () => {
    const issues = await announced(on, 45);
    expect(new Set(await renameAll(on, issues))).toEqual(new Set(['applied']));
    const lines = on.lines();
    expect([
      times(lines, /graphql/u),
      times(lines, /^GET .* 304$/u),
      times(lines, /^GET .* 200$/u),
      times(lines, /^PATCH/u),
    ]).toEqual([3, 45, 0, 45]);
    expect(on.world.issues(repo).filter(({ title }) => title.startsWith('Better')).length).toBe(45);
  });

  it('share a look when several begin at once', async () => {
    const issues = await announced(on, 10);
    await Promise.all(issues.map((issue) => on.replica.update(issue, { title: 'Better' })));
    expect(counted(on.lines())).toBe(1);
  });

  it('take a look of their own when there is only one', async () => {
    const issues = await announced(on, 1);
    await renameAll(on, issues);
    expect(on.lines()).toEqual(['GET /issues/1 200', 'PATCH /issues/1 200']);
  });

  it('are looked at anew, together, when the look has become too old', async () => {
    const [first, ...others] = await announced(on, 6);
    await renameAll(on, first === undefined ? [] : [first]);
    on.clock.advance(20_000);
    await renameAll(on, others);
    expect(counted(on.lines())).toBe(2);
  });

  it('look one by one where an issue has just changed, as the same second may bring more', async () => {
    const issues = await announced(on, 3);
    on.mona.comment(repo, 2, 'Words');
    await renameAll(on, issues);
    expect(on.lines()).toEqual(['POST /graphql 200', ...looked(1, 304), ...looked(2, 200), ...looked(3, 304)]);
  });

  it('say how an issue is gone, without harm to the others', async () => {
    const issues = await announced(on, 4);
    on.mona.deleteIssue(repo, 2);
    const arrived = on.mona.transfer(repo, 3, 'acme/gadget');
    expect(await renameAll(on, issues)).toEqual(['applied', 'gone', 'gone', 'applied']);
    expect(on.world.issue('acme/gadget', arrived)?.title).toBe('Issue 2');
    expect(times(on.lines(), /graphql/u)).toBe(1);
  });
});

describe('duplicates in a shared look', () => {
  const closed = async (isOlder: boolean): Promise<readonly string[]> => {
    on.world.state.limits.isOlderGraphql = isOlder;
    const numbers = [0, 1, 2].map((index) => on.mona.open(repo, { title: `Issue ${index}` }));
    on.mona.close(repo, 2, 'duplicate', 1);
    on.mona.close(repo, 3, 'not_planned');
    on.clock.advance(60_000);
    const issues: Issue[] = [];
    for (const number of numbers) issues.push(await seenOf(on, number));
    on.replica.announce(numbers);
    on.lines();
    expect(await renameAll(on, issues)).toEqual(['applied', 'applied', 'applied']);
    return on.lines().filter((line) => /^GET .* 200$/u.test(line));
  };

  it('are told apart without the argument that GitHub drops', async () => {
    expect(await closed(false)).toEqual([]);
  });

  it('are read by themselves at a server that tells them apart only with it', async () => {
    expect(await closed(true)).toEqual(['GET /issues/2 200']);
  });
});

const looked = (number: number, status: number): readonly string[] => [
  `GET /issues/${number} ${status}`,
  `PATCH /issues/${number} 200`,
];

describe('a GitHub that shares no looks', () => {
  it.each<[string, () => Response]>([
    ['has no GraphQL', () => json({ message: 'Not Found' }, 404)],
    ['lacks a field', () => json({ errors: [{ message: "Field 'stateReason' doesn't exist on type 'Issue'" }] })],
    [
      'has no points left for it',
      () => json({ errors: [{ type: 'RATE_LIMIT', message: 'API rate limit already exceeded' }] }),
    ],
    ['fails', () => new Response('<html>', { status: 502 })],
    ['says nothing', () => json({})],
    [
      'shows no repository',
      () => json({ data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve' }] }),
    ],
  ])('%s: every write looks by itself, and it is asked once in ten minutes', async (_name, answer) => {
    const queries: string[] = [];
    on.graphql = (query) => {
      queries.push(query);
      return answer();
    };
    const issues = await announced(on, 20);
    expect(new Set(await renameAll(on, issues))).toEqual(new Set(['applied']));
    expect([queries.length, times(on.lines(), /^GET .* 200$/u)]).toEqual([1, 20]);
  });

  it('spells a value differently: then the issue is read by itself, and it is no change', async () => {
    const shown = (number: number): object => ({
      ...{
        number,
        title: `Issue ${number - 1}`,
        body: '',
        state: 'OPEN',
        stateReason: null,
        milestone: null,
        issueType: null,
      },
      ...{
        labels: { nodes: [{ name: 'old' }] },
        assignees: { nodes: [{ login: 'copilot' }] },
        updatedAt: '2026-01-15T12:00:00Z',
      },
    });
    on.graphql = () =>
      json({ data: { repository: { issue1: shown(1), issue2: { number: 2, title: null }, issue3: shown(3) } } });
    const issues = await announced(on, 3);
    expect(await renameAll(on, issues)).toEqual(['applied', 'applied', 'applied']);
    expect(times(on.lines(), /^GET .* 200$/u)).toBe(3);
  });

  it('names neither contents nor credentials in what it asks', async () => {
    const queries: string[] = [];
    on.graphql = (query) => {
      queries.push(query);
      return null;
    };
    await renameAll(on, await announced(on, 3));
    expect(queries.join()).not.toMatch(/token|Issue 0|Better/u);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { judgeMeasured } from '../../src/check/measured.ts';
import type { CaseResult, Measured } from '../../src/model/rehearsal.ts';
import type { FaultSource } from '../../src/sandbox/server/faults.ts';
import { caseCount } from '../../src/wire/rehearse.ts';
import { openHouse } from '../support/bugferry.ts';

const url = 'https://api.github.com';
const now = Date.UTC(2026, 10, 22);

const held: CaseResult = {
  id: 'title-moves',
  family: 'moves',
  assumes: 'A new title moves updated_at of the issue.',
  usedIn: ['github/reading/changes.ts'],
  verdict: 'as-assumed',
  expected: 'moves',
  seen: 'moves',
  why: null,
  means: null,
};
const differs: CaseResult = {
  ...held,
  verdict: 'differs',
  seen: 'stays',
  means: 'Such changes are found by the sweep only.',
};
const measured: Measured = {
  bugferry: '0.0.0',
  server: url,
  serverVersion: 'GitHub',
  repository: 'acme/scratch',
  startedAt: '2026-11-20T09:00:00.000Z',
  endedAt: '2026-11-20T09:20:00.000Z',
  requests: 5,
  cases: [held],
};

const judged = (change: Partial<Measured>) =>
  judgeMeasured({ ...measured, ...change }, { url, file: 'result.json', now, caseCount }).map(
    ({ level, words }) => `${level}: ${words}`,
  );

describe('the result of a rehearsal', () => {
  test('is fine if nothing differs', () => {
    expect(judged({})).toEqual(['ok: 1 of 1 assumptions held on 2026-11-20, 0 were not tried']);
  });

  test('is a warning for each difference, with what it means', () => {
    expect(judged({ cases: [held, differs] })).toEqual([
      'warning: title-moves: A new title moves updated_at of the issue. Here: stays. Such changes are found by the sweep only.',
    ]);
  });

  test('says how many cases an unfinished rehearsal tried', () => {
    expect(judged({ endedAt: null }).at(-1)).toBe(
      `ok: 1 of ${caseCount} assumptions held so far, since 2026-11-20, 0 were not tried`,
    );
  });

  test('is a warning with reasons if many cases were not tried', () => {
    const untried: CaseResult = {
      ...held,
      verdict: 'not-tried',
      seen: null,
      why: 'the account does not administer the repository',
    };
    const typeless = { ...untried, why: 'the owner has no issue types' };
    expect(judged({ cases: [held, typeless, untried, untried] })[0]).toBe(
      'warning: 3 of 4 assumptions were not tried (2: the account does not administer the repository; 1: the owner has no issue types); rehearse with more rights',
    );
    expect(judged({ cases: [held, held, held, untried] })).toEqual([expect.stringContaining('1 were not tried')]);
  });

  test('is a warning if it is about another server, unfinished or old', () => {
    expect(judged({ server: 'https://ghe.example.org/api/v3' })[0]).toContain(
      'it is about https://ghe.example.org/api/v3',
    );
    expect(judged({ endedAt: null })[0]).toContain('did not end');
    expect(judged({ startedAt: '2026-01-01T00:00:00.000Z' })[0]).toContain('rehearse again');
  });
});

test('check --measured reads the file, and says so if there is none', async () => {
  const house = await openHouse(() => {});
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-measured-'));
  const file = join(folder, 'result.json');
  const rest = { made: {}, names: 0, branches: [], creations: [], left: [] };
  writeFileSync(file, JSON.stringify({ ...measured, ...rest, server: house.githubUrl, cases: [differs] }));
  const found = await house.run('check', '--measured', file);
  expect(found.out).toMatch(/^warning +rehearsal .*title-moves: A new title/mu);
  expect(await house.run('check', '--measured', join(folder, 'none.json'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('does not exist; bugferry rehearse writes it'),
  });
  await house.close();
  rmSync(folder, { recursive: true });
});

test('appears even if a side does not answer, or stops answering', async () => {
  let answers = Number.POSITIVE_INFINITY;
  const faults: FaultSource = (side) => {
    if (side !== 'tracker') return { kind: 'none' };
    answers -= 1;
    return answers < 0 ? { kind: 'drop', after: false } : { kind: 'none' };
  };
  const house = await openHouse(() => {}, { faults });
  onTestFinished(() => house.close());
  const file = join(house.folder, 'result.json');
  const unused = { made: {}, names: 0, branches: [], creations: [], left: [] };
  writeFileSync(file, JSON.stringify({ ...measured, ...unused, server: house.githubUrl, cases: [differs] }));
  for (const count of [0, 5]) {
    answers = count;
    const { code, out } = await house.run('check', '--measured', file);
    expect(code).toBe(4);
    expect(out).toMatch(/^warning +rehearsal .*title-moves: A new title/mu);
    expect(out).toMatch(/^failure +route widget/mu);
  }
});

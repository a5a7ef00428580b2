import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMeasured } from '../../src/config/measured.ts';
import { limitsSchema } from '../../src/config/schema/schema.ts';
import { durationInWords } from '../../src/model/duration.ts';
import type { CaseResult, Progress } from '../../src/model/rehearsal.ts';
import { families } from '../../src/rehearse/table.ts';
import { usualMs, usualWork } from '../../src/wire/rehearse.ts';
import { read } from '../docs/documents.ts';
import { allCases, openStage, repository, type Stage, settleMs } from './stage.ts';

const differing = (cases: readonly CaseResult[]) => cases.filter(({ verdict }) => verdict === 'differs');
const untried = (cases: readonly CaseResult[]) =>
  cases.filter(({ verdict }) => verdict === 'not-tried').map(({ id, why }) => `${id}: ${why}`);

describe('a rehearsal in the sandbox', () => {
  test('finds everything as assumed, and leaves nothing', async () => {
    const stage = openStage({ hasFiles: true });
    const { cases, left, endedAt } = await stage.run();
    expect(differing(cases)).toEqual([]);
    expect(untried(cases)).toEqual([]);
    expect(cases.map(({ id }) => id)).toEqual(allCases.map(({ each }) => each.id));
    const pull = '1 closed pull request';
    expect({ left, endedAt }).toEqual({ left: [pull], endedAt: expect.any(String) });
    const repo = [...stage.world.state.repos.values()].find(({ name }) => name === 'scratch');
    expect(stage.world.issues(repository).map(({ isPull, state }) => [isPull, state])).toEqual([[true, 'closed']]);
    expect([repo?.labels.size, repo?.milestones.length, repo?.releases.length, repo?.git.tags.size]).toEqual([
      0, 0, 0, 0,
    ]);
    expect(repo?.hooks).toEqual([]);
    expect([...(repo?.git.branches.keys() ?? [])]).toEqual(['main']);
  });

  test('costs what is said before it begins', async () => {
    const stage = openStage({ hasFiles: true });
    const { creations, requests } = await stage.run();
    const reads = stage.log.filter((line) => line.startsWith('GET')).length;
    const work = { reads, writes: stage.log.length - reads - creations.length, creations: creations.length };
    // The contents of files are read past the count.
    expect(stage.log.length - requests).toBeLessThanOrEqual(6);
    for (const [name, count] of Object.entries({
      ...work,
      waits: stage.sleeps.filter((ms) => ms === settleMs).length,
    })) {
      const said = Object.entries(usualWork).find(([key]) => key === name)?.[1] ?? 0;
      expect([name, count, Math.abs(count - said) <= 0.1 * said]).toEqual([name, count, true]);
    }
  });

  test('stays below the limits on content, whatever an hour allows', async () => {
    const stage = openStage({ tickMs: 200 });
    stage.world.limits.creationsPerMinute = 15;
    const { cases } = await stage.run();
    expect(differing(cases)).toEqual([]);
    expect(stage.log.filter((line) => / (?:403|429)$/u.test(line))).toEqual([]);
    expect(stage.events.some(({ kind }) => kind === 'waiting')).toBe(true);
  });

  test('waits when GitHub asks for it, and goes on', async () => {
    const stage = openStage();
    let count = 0;
    stage.plant = (_passing, response) => {
      count += 1;
      if (count % 50 !== 0) return response;
      const body = { message: 'You have exceeded a secondary rate limit.' };
      return new Response(JSON.stringify(body), {
        status: 403,
        headers: { ...Object.fromEntries(response.headers), 'retry-after': '90' },
      });
    };
    // A limited request had no effect at GitHub; here it had, so what a repetition finds does not matter.
    const { endedAt } = await stage.run();
    expect(endedAt).not.toBeNull();
    expect(
      stage.events.filter((event) => event.kind === 'waiting' && event.why.includes('rate limit')).length,
    ).toBeGreaterThan(5);
  });

  test('says what it cannot try with few rights in an account of a person', async () => {
    const stage = openStage({ permission: 'write', isOrganisation: false, hasFiles: true });
    const { cases, left } = await stage.run();
    expect(differing(cases)).toEqual([]);
    const reasons = new Set(untried(cases).map((line) => line.replace(/^[^:]*: /u, '')));
    expect([...reasons].sort()).toEqual([
      'the account does not administer the repository',
      'the owner has no issue fields, or this account does not see them',
      'the owner has no issue types, or is not an organisation',
    ]);
    expect(left).toEqual([expect.stringMatching(/^\d+ closed issues/u), expect.stringMatching(/^1 closed pull/u)]);
    expect(stage.world.issues(repository).every(({ state }) => state === 'closed')).toBe(true);
    expect(differing((await stage.run()).cases)).toEqual([]);
  });

  test('cannot try files in a repository without a commit', async () => {
    const { cases } = await openStage({ isEmpty: true, hasFiles: true }).run();
    expect(differing(cases)).toEqual([]);
    expect(untried(cases).every((line) => line.endsWith('create it with a README'))).toBe(true);
  });
});

describe('docs/rehearsing.md', () => {
  const text = read('docs/rehearsing.md');

  test('has the families with their cases', () => {
    const rows = [...text.matchAll(/^\| ([\w ]+) \| (\d+) \|/gmu)].map(([, name, count]) => [name, Number(count)]);
    expect(rows).toEqual(families.map(({ name, cases }) => [name, cases.length]));
    expect(text).toContain(`The ${allCases.length} cases are:`);
  });

  test('tells the costs that are measured', () => {
    const { reads, writes, creations, waits } = usualWork;
    expect(text.replace(/\s+/gu, ' ')).toContain(`${reads} reads, ${writes} edits and ${creations} creations`);
    expect(text).toContain(`before each of ${waits} looks`);
    const least = durationInWords(usualMs({ limits: limitsSchema.parse({}) }));
    expect(least).toMatch(/^\d+ min$/u);
    expect(text).toMatch(new RegExp(`it took .*\\b${Number.parseInt(least, 10)}\\b`, 'su'));
  });
});

describe('a repository of others', () => {
  const refused = async (stage: Stage): Promise<string> => {
    const words = await stage.run().then(
      () => 'nothing was refused',
      (error: unknown) => String(error),
    );
    expect(stage.log.filter((line) => !line.startsWith('GET'))).toEqual([]);
    return words;
  };

  test('is refused for an issue, also among those of a rehearsal', async () => {
    const stage = openStage();
    stage.world.as('bridge').open(repository, { title: 'It crashes' });
    expect(await refused(stage)).toContain('acme/scratch#1 "It crashes" was not made by a rehearsal');
    const other = openStage();
    other.world.as('bridge').open(repository, { title: 'Rehearsal: one of ours' });
    other.world.addUser('mona');
    other.world.as('mona').open(repository, { title: 'Rehearsal: of my band' });
    expect(await refused(other)).toContain('acme/scratch#2');
  });

  test('is refused for a pull request, and for files', async () => {
    const stage = openStage();
    stage.world.as('bridge').openPull(repository, { title: 'Rehearsal: a change' });
    expect(await refused(stage)).toContain('acme/scratch#1');
    const other = openStage();
    other.plant = async ({ path }, response) =>
      path.includes('/git/trees/') ? Response.json({ tree: [{ path: 'README.md' }, { path: 'src' }] }) : response;
    expect(await refused(other)).toContain('acme/scratch contains src');
  });
});

describe('a rehearsal that is killed', () => {
  /** What the next process reads. */
  function reread(progress: Progress | null): Progress {
    const folder = mkdtempSync(join(tmpdir(), 'bugferry-rehearsal-'));
    writeFileSync(join(folder, 'result.json'), JSON.stringify(progress));
    const found = readMeasured(join(folder, 'result.json'));
    rmSync(folder, { recursive: true });
    if (found === null) throw new Error('nothing was saved');
    return found;
  }

  test.each([40, 133, 250, 401, 500])(
    'at request %i is resumed, and repeats no case that was done',
    async (killedAt) => {
      const stage = openStage();
      // From then on nothing is answered, although the first request still has its effect.
      stage.plant = (_passing, response) => {
        if (stage.log.length >= killedAt) throw Object.assign(new Error('killed'), { code: 'ECONNREFUSED' });
        return response;
      };
      await expect(stage.run()).rejects.toThrow('killed');
      const before = reread(stage.saved());
      expect(before.endedAt).toBeNull();
      stage.plant = (_passing, response) => response;
      stage.events.length = 0;
      const { cases, endedAt } = await stage.run({ progress: before });
      expect(endedAt).not.toBeNull();
      expect(differing(cases)).toEqual([]);
      expect(cases.map(({ id }) => id)).toEqual(allCases.map(({ each }) => each.id));
      const again = stage.events.flatMap((event) => (event.kind === 'running' ? event.id : []));
      expect(again.filter((id) => before.cases.some((each) => each.id === id))).toEqual([]);
      expect(stage.world.issues(repository).filter(({ isPull }) => !isPull)).toEqual([]);
    },
  );
});

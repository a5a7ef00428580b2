import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ground } from '../../src/model/reports/audit.ts';
import type { TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { type House, openHouse } from '../support/bugferry.ts';

/**
 * Two servers, one route that copies files too, and three bugs: an ordinary one, one with a file, and one that began on
 * GitHub.
 */
let house: House;

const bytes = new TextEncoder().encode('it crashed');

function fill(tracker: TrackerWorld): void {
  const alice = tracker.as('alice');
  const first = alice.file({ summary: 'First problem', description: 'It fails.' });
  alice.comment(first, 'It fails again.');
  const second = alice.file({ summary: 'Second problem', description: 'It fails, too.' });
  alice.attach(second, { bytes, file_name: 'crash.log', summary: 'A log' });
}

beforeEach(async () => {
  house = await openHouse(fill);
  house.configure((config) => {
    config.routes[0].attachments = { store: 'branch' };
  });
  house.github.as('mona').open('acme/widget', { title: 'People see it too', body: 'Here.' });
  for (let count = 0; count < 4; count += 1) await house.run('once');
});
afterEach(() => house.close());

interface Pair {
  readonly bug: number;
  readonly isWithdrawn: boolean;
  readonly checkedAt: number | null;
  readonly standing: readonly { readonly what: string; readonly name: string; readonly ground: Ground }[];
  readonly withdrawals: readonly { readonly comments: number; readonly files: number; readonly isIssue: boolean }[];
}

async function audited(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly pairs: readonly Pair[] }> {
  const ran = await house.run('audit', '--json', ...args);
  return { code: ran.code, pairs: ran.json<Pair>().filter((line) => 'standing' in line) };
}

const grounds = (pairs: readonly Pair[]): readonly Ground[] => [
  ...new Set(pairs.flatMap(({ standing }) => standing.map(({ ground }) => ground))),
];

describe('audit', () => {
  test('lists all tracker content on GitHub with reasons, asks GitHub for stored files, and the tracker nothing', async () => {
    const before = [house.github.requests.length, house.requests()] as const;
    const { code, pairs } = await audited();
    const asked = house.github.requests.slice(before[0]);
    expect([asked.every(({ path }) => path.includes('/git/')), house.requests()]).toEqual([true, before[1]]);
    expect(code).toBe(0);
    expect(grounds(pairs)).toEqual(['shown']);
    const names = (index: number) => pairs[index]?.standing.map(({ what, name }) => `${what}: ${name}`);
    expect(names(0)).toEqual(['issue: title, status and labels', 'comment: the description', 'comment: comment 1']);
    expect(names(1)).toContain('file: attachment 1 (crash.log)');
    expect(names(2)).toEqual(['issue: status, labels and title']);
    expect(pairs.every(({ checkedAt }) => checkedAt !== null)).toBe(true);
  });

  test('lists the rest, and says so, if the attachment store cannot be listed', async () => {
    const known = (await audited()).pairs;
    house.configure((config) => {
      config.routes[0].attachments = { store: 'branch' };
      config.github.url = 'http://127.0.0.1:9';
    });
    const { code, pairs } = await audited();
    expect({ code, pairs }).toEqual({ code: 4, pairs: known });
    expect((await house.run('audit')).out).toMatch(
      /The attachment store was not listed: .*\n {2}Everything else published is allowed to be\./u,
    );
    house.configure((config) => {
      config.routes[0].attachments = { store: 'branch' };
      config.github.token = '$' + '{NO_SUCH_TOKEN_HERE}';
    });
    expect(await audited()).toEqual({ code: 0, pairs: known });
    expect((await house.run('audit')).out).toContain('not listed: a secret of the configuration is missing.');
  });

  test('says it in words', async () => {
    const { code, out, err } = await house.run('audit');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('visible to readers without an account, the bug at ');
    expect(out).toContain('started on GitHub: texts written there are not listed');
    expect(out).toContain('Everything published is allowed to be.');
  });

  test('lists withdrawn content, and what could not be removed', async () => {
    house.tracker.as('alice').change(2, { groups: { add: ['security'] } });
    house.configure((config) => {
      config.routes[0].attachments = { store: 'branch' };
    });
    for (let count = 0; count < 2; count += 1) await house.run('once', '--sweep');
    const { code, pairs } = await audited();
    expect(code).toBe(0);
    expect(pairs[1]).toMatchObject({
      bug: 2,
      isWithdrawn: true,
      standing: [],
      withdrawals: [{ isIssue: true, files: 1 }],
    });
    expect((await house.run('audit')).out).toMatch(
      /withdrawn: the issue, except for a neutral line.*1 file.*because.*left: /u,
    );
  });

  test('content that readers without an account no longer see ends in exit code 1', async () => {
    expect(await audited('--against', 'anonymous')).toMatchObject({ code: 0 });
    const tracker = house.tracker.as('bridge-insider');
    const said = house.tracker.commentsOf(1)[1]?.id ?? 0;
    tracker.change(1, { comment_is_private: { [said]: true } });
    tracker.change(2, { groups: { add: ['security'] } });
    expect((await audited()).code).toBe(0);
    const { code, pairs } = await audited('--against', 'anonymous');
    expect(code).toBe(1);
    expect(pairs[0]?.standing.flatMap(({ name, ground }) => (ground === 'refuted' ? [name] : []))).toEqual([
      'comment 1',
    ]);
    expect(grounds(pairs.slice(1, 2))).toEqual(['refuted']);
    expect(grounds(pairs.slice(2))).toEqual(['shown']);
    const words = (await house.run('audit', '--against', 'anonymous')).out;
    expect(words).toContain('NOT VISIBLE to a reader without an account; bugferry once --sweep withdraws it');
  });

  test('reads many bugs with few requests', async () => {
    const alice = house.tracker.as('alice');
    for (let number = 0; number < 60; number += 1)
      alice.file({ summary: `Problem ${number}`, description: 'It fails.' });
    for (let count = 0; count < 3; count += 1) await house.run('once');
    const before = house.requests();
    const { code, pairs } = await audited('--against', 'anonymous');
    expect([code, pairs.length > 60]).toEqual([0, true]);
    expect(house.requests() - before).toBeLessThan(10);
  });

  test('a tracker that shows nothing without an account confirms nothing', async () => {
    Object.assign(house.tracker.state.settings, { requirelogin: '1' });
    const { code, err } = await house.run('audit', '--against', 'anonymous');
    expect([code, err]).toEqual([4, expect.stringContaining('shows nothing without an account')]);
  });

  test.each([
    [['--route', 'gone'], 'There is no route gone;'],
    [['--against', 'root'], 'anonymous'],
  ])('%j is wrong usage', async (args, words) => {
    expect(await house.run('audit', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});

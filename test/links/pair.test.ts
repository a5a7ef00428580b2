import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';

/** Pairs that a person makes of an existing bug and an existing issue, on a route that is new or paused. */
let house: House;
const repo = 'acme/widget';

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    tracker.as('alice').file({ summary: 'It hangs', description: 'Sometimes.' });
  });
  house.github.as('mona').open(repo, { title: 'Fails for me', body: 'Every day.' });
});
afterEach(() => house.close());

const route = (change: HouseConfig): void =>
  void house.configure((config) => {
    Object.assign(config.routes[0], change);
  });
const titles = () => [house.tracker.bug(1)?.summary, house.github.issue(repo, 1)?.title];
const counts = () => [house.tracker.state.bugs.size, house.github.issues(repo).length];
const waiting = (): number =>
  existsSync(`${house.state}.commands`) ? readdirSync(`${house.state}.commands`).length : 0;

function file(text: string): string {
  const name = join(house.folder, 'pairs.csv');
  writeFileSync(name, text);
  return name;
}

describe('pair', () => {
  test('makes a bug and an issue of other people one pair before the first run, and says who said so', async () => {
    route({ conflicts: 'tracker' });
    const { code, out } = await house.run('pair', 'bug', '1', `${repo}#1`);
    expect(code).toBe(0);
    expect(out).toContain('bug 1 = acme/widget#1: paired by command');
    for (const _time of [1, 2]) await house.run('once');
    expect(titles()).toEqual(['It fails', 'It fails']);
    expect(counts()).toEqual([2, 2]);
    const { out: story } = await house.run('explain', 'bug', '1');
    expect(story).toContain('paired by command');
    expect(story).toContain('title "Fails for me" lost the conflict');
    expect(house.tracker.commentsOf(1).map(({ text }) => text)).toEqual([
      'Always.',
      expect.stringContaining('Every day.'),
    ]);
  });

  test('overwrites nothing where a person decides conflicts', async () => {
    route({ conflicts: 'ask' });
    expect(await house.run('pair', `${repo}#1`, '1')).toMatchObject({ code: 1 });
    await house.run('once');
    expect(titles()).toEqual(['It fails', 'Fails for me']);
    expect((await house.run('decide')).out).toContain('bug 1 = acme/widget#1  title');
  });

  test('takes an issue without the label of the route, and mirrors it from then on', async () => {
    route({ conflicts: 'tracker', github: { repo, label: 'mirror' } });
    await house.run('pair', 'bug', '1', `${repo}#1`);
    for (const _time of [1, 2]) await house.run('once');
    house.github.as('mona').comment(repo, 1, 'Still so.');
    await house.run('once');
    expect(counts()).toEqual([2, 2]);
    expect(house.tracker.commentsOf(1).at(-1)?.text).toContain('Still so.');
  });

  test('joins what the bridge has seen of both, and drops the counterparts that it had planned', async () => {
    house.configure((config) => {
      config.limits.writesPerCycle = 1;
      config.routes[0].conflicts = 'tracker';
    });
    await house.run('once');
    // Bug 1 got its issue; bug 2 and issue 1 wait for theirs.
    expect(counts()).toEqual([2, 2]);
    expect(await house.run('pair', 'bug', '2', `${repo}#1`)).toMatchObject({ code: expect.any(Number) });
    for (const _time of [1, 2, 3, 4, 5, 6]) await house.run('once');
    expect(counts()).toEqual([2, 2]);
    expect(house.github.issue(repo, 1)?.title).toBe('It hangs');
    expect((await house.run('status')).out).toContain('2 pairs');
  });

  test('is left for the bridge that runs', async () => {
    house.configure((config) => {
      config.schedule = { poll: '* * * * * *' };
    });
    await house.run('pause', 'widget');
    const running = house.start('run');
    await running.says('started');
    expect(await house.run('pair', 'bug', '1', `${repo}#1`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Queued for'),
    });
    expect(waiting()).toBe(1);
    await house.run('resume', 'widget');
    await running.says('bug 1 = acme/widget#1: paired by command');
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  test.each<[string, readonly string[], string, () => unknown]>([
    ['of a bug of another product', ['bug', '3', `${repo}#1`], 'bug 3 is not selected: the route takes product', other],
    ['of a private bug', ['bug', '3', `${repo}#1`], 'bug 3', hidden],
    [
      'of a bug that does not exist',
      ['bug', '77', `${repo}#1`],
      'the tracker has no bug 77; check the number',
      () => {},
    ],
    [
      'of an issue that does not exist',
      ['bug', '1', `${repo}#77`],
      'GitHub has no acme/widget#77; check the number',
      () => {},
    ],
    ['of a pull request', ['bug', '1', `${repo}#2`], 'is a pull request', pull],
  ])('%s is refused in words', async (_name, args, words, prepare) => {
    prepare();
    const asked = await house.run('pair', ...args, '--dry-run');
    expect(asked).toMatchObject({ code: 1, out: expect.stringContaining(words) });
    expect([existsSync(house.state), waiting()]).toEqual([false, 0]);
    const { code, out } = await house.run('pair', ...args);
    expect([code, out]).toEqual([1, expect.stringContaining(`not paired: `)]);
    expect(out).toContain(words);
    expect(waiting()).toBe(0);
    if (prepare === pull) expect((await house.run('explain', `${repo}#2`)).out).toContain(words);
  });

  test('of a bug or an issue that has a pair is refused, and the pair stays', async () => {
    for (const _time of [1, 2]) await house.run('once');
    house.github.as('mona').open(repo, { title: 'Another' });
    const before = await house.run('explain', 'bug', '1', '--json');
    for (const args of [
      ['bug', '1', `${repo}#4`],
      ['bug', '2', `${repo}#1`],
    ]) {
      const { out } = await house.run('pair', ...args, '--dry-run');
      expect(out).toMatch(/not paired: (bug \d|acme\/widget#\d) has a pair already: bug \d = acme\/widget#\d/u);
      expect((await house.run('pair', ...args)).out).toContain('has a pair already');
    }
    const pair = (ran: typeof before) => ran.json<{ link: { bug: number; issue: number } }>()[0]?.link.issue;
    expect(pair(await house.run('explain', 'bug', '1', '--json'))).toBe(pair(before));
  });

  test.each([
    [['bug', '1'], 'does not name a bug and an issue'],
    [['bug', '1', 'bug', '2'], 'does not name a bug and an issue'],
    [['bug', '1', 'other/repo#1'], 'No route has the repository other/repo'],
  ])('%j is wrong usage', async (args, words) => {
    expect(await house.run('pair', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});

const other = () => house.tracker.as('alice').file({ summary: 'Elsewhere', description: 'x', product: 'Gadget' });
const hidden = () => house.tracker.as('alice').file({ summary: 'Secret', description: 'x', groups: ['security'] });
const pull = () => house.github.as('mona').openPull(repo, { title: 'A patch' });

describe('pairs import', () => {
  test('says what each line would do, and does it', async () => {
    house.github.as('mona').open(repo, { title: 'Hangs for me' });
    route({ conflicts: 'tracker' });
    const csv = file(`\uFEFFbug,issue\r\n1,${repo}#1\r\n\r\n"bug 2";"https://github.com/${repo}/issues/2"\r\n`);
    const dry = await house.run('pairs', 'import', csv, '--dry-run');
    expect(dry.out).toBe(
      'line 2: bug 1 = acme/widget#1: would become a pair\nline 4: bug 2 = acme/widget#2: would become a pair\n',
    );
    expect([dry.code, existsSync(house.state), waiting()]).toEqual([0, false, 0]);
    expect(await house.run('pairs', 'import', csv)).toMatchObject({ code: 0 });
    for (const _time of [1, 2]) await house.run('once');
    expect(counts()).toEqual([2, 2]);
  });

  test.each([
    ['a line without an issue', `1,${repo}#1\n2\n`, 'Line 2: it must name a bug and an issue'],
    ['two bugs', '1,2\n', 'Line 1: it must name a bug and an issue'],
    ['the same bug twice', `1,${repo}#1\nbug 1,${repo}#2\n`, 'Line 2: line 1 names bug 1 too'],
    ['the same issue twice', `1,${repo}#1\n2,ACME/Widget#1\n`, 'Line 2: line 1 names acme/widget#1 too'],
    ['a third column', `1,${repo}#1,x\n`, 'Line 1: it must name'],
  ])('with %s queues nothing', async (_name, text, words) => {
    const csv = file(text);
    expect(await house.run('pairs', 'import', csv)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
    expect(waiting()).toBe(0);
    const { out, code } = await house.run('pairs', 'import', csv, '--dry-run');
    expect([out, code]).toEqual([expect.stringContaining(words.slice(1)), 1]);
  });

  test.each(['', 'bug,issue\n', 'x,y\n\n'])('of a file without pairs says so: %j', async (text) => {
    const csv = file(text);
    expect(await house.run('pairs', 'import', csv)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${csv} names no pairs. A line is a bug and an issue: 12,acme/widget#5`),
    });
  });

  test('of a file that does not exist is wrong usage', async () => {
    expect(await house.run('pairs', 'import', 'none.csv')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Cannot read none.csv: ENOENT.'),
    });
  });
});

import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { bot } from '../simulation/stage.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { scrub } from '../support/scrub.ts';

/** What people ask for from outside: with a bridge that runs, and without one. */
let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.', stampedMsAgo: 86_400_000 });
    tracker.as('alice').file({ summary: 'It hangs', description: 'Sometimes.' });
  });
});
afterEach(() => house.close());

/** Commands that nobody has done yet. */
const waiting = (): number => readdirSync(`${house.state}.commands`).length;

/** Closing bug 1 is refused for want of a comment, so that it is parked; then the setting is put right. */
async function parkOne(): Promise<void> {
  await house.run('once');
  const setting = (value: string) =>
    Object.assign(house.tracker.state, {
      settings: { ...house.tracker.state.settings, commentonchange_resolution: value },
    });
  setting('1');
  house.github.as('mona').close('acme/widget', 1, 'completed');
  expect(await house.run('once')).toMatchObject({ code: 1 });
  setting('0');
}

interface RouteStatus {
  readonly parked: readonly { readonly number: number }[];
  readonly isInStep: boolean;
  readonly lagMs: number;
}

async function status(): Promise<RouteStatus | undefined> {
  const { json } = await house.run('status', '--json');
  return json<{ routes: readonly RouteStatus[] }>()[0]?.routes[0];
}

const dayMs = 86_400_000;
const endsAt = Math.floor(Date.now() / dayMs + 300) * dayMs;
const announced = { deprecation: '@1773100800', sunset: new Date(endsAt).toUTCString() };
const ended = `GitHub ends the interface version that bugferry uses on ${new Date(endsAt).toISOString().slice(0, 10)}`;

describe('status', () => {
  test('ends with 0 when all is in step, and with 1 for what is parked, with its number', async () => {
    await house.run('once');
    await house.run('once');
    expect(await house.run('status')).toMatchObject({ code: 0, out: expect.stringContaining('in step: 2 pairs') });
    await parkOne();
    const { code, out } = await house.run('status');
    expect(code).toBe(1);
    const number = (await status())?.parked[0]?.number;
    expect(out).toMatch(new RegExp(`parked {4}${number}\\. .*bug 1`));
    expect(out).toContain(`bugferry retry ${number} does so now`);
  });

  test('ends with 1 before everything has been read', async () => {
    house.github.as('mona').open('acme/widget', { title: 'Waits for its bug' });
    house.configure((config) => {
      config.limits.writesPerCycle = 1;
    });
    await house.run('once');
    expect(await house.run('status')).toMatchObject({ code: 1, out: expect.stringContaining('catching up') });
  });

  test('tells the end of the interface version as long as GitHub announces one', async () => {
    interface Told {
      readonly routes: readonly { readonly sides: { readonly github: { readonly retirement: unknown } } }[];
    }
    const retirement = async () =>
      (await house.run('status', '--json')).json<Told>()[0]?.routes[0]?.sides.github.retirement;
    house.github.limits.retirement = announced;
    expect((await house.run('once')).err).toContain(ended);
    await house.run('once');
    expect(await house.run('status')).toMatchObject({ code: 0, out: expect.stringContaining(ended) });
    expect(await retirement()).toEqual({ sinceAt: Date.UTC(2026, 2, 10), endsAt });
    house.github.limits.retirement = { ...announced, sunset: new Date(endsAt + 100 * dayMs).toUTCString() };
    expect((await house.run('once')).err).not.toContain('ends the interface version');
    expect((await house.run('status')).out).not.toContain('outdated');
    house.github.limits.retirement = null;
    await house.run('once');
    expect((await house.run('status')).out).not.toContain('ends the interface version');
    expect(await retirement()).toBeNull();
  });

  test('tells when the token expires, and after that why GitHub refuses it', async () => {
    const tell = async (inMs: number | null) => {
      house.github.setToken(bot, house.token, { tokenEndsAt: inMs === null ? null : Date.now() + inMs });
      await house.run('once', '--sweep');
      return (await house.run('status')).out;
    };
    expect(await tell(60.5 * dayMs)).toMatch(/GitHub: last read .*; the token expires on 20\S+, in 60 days/u);
    expect(await tell(3.5 * dayMs)).toMatch(
      /\n {2}token {5}GitHub's token expires on 20\S+, in 3 days\n +Create a new token and replace the old one/u,
    );
    expect(await house.run('check')).toMatchObject({
      out: expect.stringMatching(/the token expires on \S+ in 3 days/u),
    });
    house.github.setToken(bot, null);
    await house.run('once', '--sweep');
    const { out } = await house.run('status');
    expect(out).toMatch(/401 .*Bad credentials/u);
    expect(out.match(/^ {2}failed/gmu)).toHaveLength(1);
    expect(out).toMatch(/token {5}GitHub's token expires on/u);
    expect(await tell(null)).not.toMatch(/token expire/u);
  });

  test('tells how long ago the sides were read', async () => {
    await house.run('once');
    const lagMs = (await status())?.lagMs ?? Number.NaN;
    expect(lagMs).toBeGreaterThanOrEqual(0);
    expect(lagMs).toBeLessThan(60_000);
  });

  test('calls nothing that has passed a time to come, after the clock was set back', async () => {
    await house.run('once');
    const store = openStore(house.state, { mode: 'write', now: Date.now, scrub });
    const at = Date.now() + 4 * dayMs;
    for (const side of ['tracker', 'github'] as const) {
      const row = store.cursors.get('widget', side);
      if (row !== null) store.cursors.put('widget', side, { ...row, polledAt: at, sweptAt: at });
    }
    store.failures.save('widget', { of: 'cycle', kind: 'later', side: 'github', why: 'no answer', at });
    store.close();
    const { out } = await house.run('status');
    expect(out).toContain('GitHub: last read 4 days in the future (');
    expect(out).toContain('last compared in full 4 days in the future (');
    expect(out).toContain('That was 4 days in the future (');
    expect(out).not.toContain('in 4 days');
  });
});

describe('retry', () => {
  test('tries the operation of this number again, and no longer shows it when it is done', async () => {
    await parkOne();
    const number = String((await status())?.parked[0]?.number);
    expect(await house.run('once')).toMatchObject({ code: 1 });
    const { code, out } = await house.run('retry', number);
    expect(out).toMatch(/acme\/widget#1 -> bug 1 .*status/);
    expect(code).toBe(0);
    expect(house.tracker.bug(1)).toMatchObject({ status: 'RESOLVED', resolution: 'FIXED' });
    expect(waiting()).toBe(0);
    expect(await house.run('retry', number)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`has the number ${number}`),
    });
  });

  test('of all tries everything, and says when there is nothing', async () => {
    await parkOne();
    expect(await house.run('retry', '--all')).toMatchObject({ code: 0 });
    expect(await house.run('retry', '--all')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing is parked'),
    });
  });

  test('of nothing, and of both numbers and all, is wrong usage', async () => {
    await house.run('once');
    expect(await house.run('retry')).toMatchObject({ code: 2 });
    expect(await house.run('retry', '1', '--all')).toMatchObject({ code: 2 });
  });

  test('is left for the bridge that runs, which does it in its next cycle', async () => {
    await parkOne();
    house.configure((config) => {
      config.schedule = { poll: '* * * * * *' };
    });
    const running = house.start('run');
    await running.says('started');
    expect(await house.run('retry', '--all')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Queued for the next cycle of the running bridge'),
    });
    await running.says('set to completed');
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    expect(house.tracker.bug(1)).toMatchObject({ status: 'RESOLVED' });
    expect(await house.run('retry', '--all')).toMatchObject({ out: expect.stringContaining('Nothing is parked') });
  });
});

describe('resync', () => {
  test('finds what no list showed: a comment that came without a change of its bug', async () => {
    // The second one sees what the first one wrote, so that no look of the bridge's own tells of the bug any more.
    for (const _time of [1, 2]) await house.run('once');
    // Changed without a word in any list, as an administrator may do in the database itself.
    const { bugs, comments } = house.tracker.state;
    const [bug, [description]] = [house.tracker.bug(1), house.tracker.commentsOf(1)];
    if (bug === null || description === undefined) throw new Error('There is no bug');
    bugs.set(bug.id, { ...bug, changedAt: bug.changedAt - 86_400_000 });
    comments.set(bug.id, [description, { ...description, id: 4711, text: 'Said long ago' }]);
    expect(await house.run('resync', 'bug', '1')).toMatchObject({ code: 0 });
    expect(
      house.github
        .commentsOf('acme/widget', 1)
        .map(({ body }) => body)
        .join(),
    ).toContain('Said long ago');
    const writes = house.writes();
    expect(await house.run('resync', 'issue', 'ACME/widget#1')).toMatchObject({ code: 0 });
    expect(house.writes()).toBe(writes);
  });

  test('of what was deleted gives it up', async () => {
    await house.run('once');
    house.tracker.remove(2);
    expect(await house.run('resync', 'bug', '2')).toMatchObject({ code: 0 });
    expect((await house.run('explain', 'bug', '2')).out).toMatch(/deleted|does not exist/);
  });

  test('takes in a bug that no list has shown yet', async () => {
    await house.run('once');
    house.tracker.as('alice').file({ summary: 'New', description: '' });
    expect(await house.run('resync', 'bug', '3')).toMatchObject({
      code: 0,
      out: expect.stringContaining('bug 3 -> acme/widget#3'),
      err: expect.stringContaining('Bug 3 is not mirrored yet; if it stays so, bugferry explain bug 3 says why.'),
    });
  });

  test('waits while a side lets nobody in, and is done as soon as it does', async () => {
    await house.run('once');
    house.github.setToken('bugferry-bot', null);
    expect(await house.run('resync', 'bug', '1')).toMatchObject({ code: 4 });
    expect(waiting()).toBe(1);
    house.github.setToken('bugferry-bot', house.token);
    expect(await house.run('once')).toMatchObject({ code: 0 });
    expect(waiting()).toBe(0);
  });

  test.each([
    ['of a repository without a route', ['issue', 'acme/other#1'], 'No route has the repository of acme/other#1'],
    ['of nothing', ['bug', 'twelve'], 'is neither a bug nor an issue; try: bugferry resync bug 12'],
  ])('%s is wrong usage', async (_name, args, words) => {
    await house.run('once');
    expect(await house.run('resync', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});

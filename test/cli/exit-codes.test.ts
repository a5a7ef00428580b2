import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openStore } from '../../src/store/open.ts';
import { type House, main, openHouse } from '../support/bugferry.ts';
import { scrub } from '../support/scrub.ts';

const repo = 'acme/widget';
const bugs = 12;

let house: House;

beforeEach(async () => {
  house = await openHouse(fill);
});
afterEach(() => house.close());

function fill(tracker: TrackerWorld): void {
  for (let number = 1; number <= bugs; number += 1)
    tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
}

describe('exit codes', () => {
  test('4: a side has asked for a pause that is still in force, so neither side is asked anything', async () => {
    await house.run('once');
    const until = Date.now() + 600_000;
    const store = openStore(house.state, { mode: 'write', now: Date.now, scrub });
    store.budgets.backOff('github', until, 'GitHub asks to slow down');
    store.close();
    const asked = house.github.requests.length;
    const words = `skipped, because GitHub is paused until ${new Date(until).toISOString().slice(0, 10)}`;
    for (const command of [['plan'], ['once'], ['once', '--sweep']]) {
      expect(await house.run(...command)).toMatchObject({ code: 4, err: expect.stringContaining(words) });
    }
    expect(house.github.requests.length).toBe(asked);
    expect((await house.run('status')).out).toMatch(/paused, resumes in \d+ min .*: GitHub asks to slow down/);
  });

  test('0: once and plan with both sides well', async () => {
    expect(await house.run('plan')).toMatchObject({ code: 0 });
    const once = await house.run('once');
    expect(once).toMatchObject({ code: 0, err: '' });
    expect(once.out).toContain('bug 1 -> acme/widget#1');
    expect(house.github.issues(repo)).toHaveLength(bugs);
    expect(await house.run('once')).toMatchObject({ code: 0, out: expect.stringContaining('in step: 12 pairs') });
    expect(await house.run('status')).toMatchObject({ code: 0, out: expect.stringContaining('in step: 12 pairs') });
  });

  test('1: nobody can read the output, which stops no work that is begun', async () => {
    const full = openSync('/dev/full', 'w');
    const runInto = async (...args: readonly string[]) => {
      const file = house.configure(() => {});
      const child = spawn(process.execPath, [main, ...args, '--config', file], { stdio: ['ignore', full, 'pipe'] });
      const err: string[] = [];
      child.stderr?.on('data', (part: Buffer) => err.push(part.toString()));
      const code = await new Promise((done) => child.on('close', done));
      return { code, err: err.join('') };
    };
    const unsaid = { code: 1, err: expect.stringMatching(/^bugferry: The output cannot be written: ENOSPC.*\n$/u) };
    expect(await runInto('once')).toEqual(unsaid);
    expect(house.github.issues(repo)).toHaveLength(bugs);
    expect(await runInto('status', '--json')).toEqual(unsaid);
    expect(await runInto('status')).toEqual(unsaid);
    closeSync(full);
  });

  test('1: something is parked, and status and explain say what and why', async () => {
    await house.run('once');
    // The account loses the right to close bugs.
    const { users } = house.tracker.state;
    users.splice(
      0,
      users.length,
      ...users.map((user) => (user.login.startsWith('bridge@') ? { ...user, groups: [] } : user)),
    );
    house.github.as('mona').close(repo, 1, 'completed');
    expect(await house.run('once')).toMatchObject({ code: 1, out: expect.stringContaining('parked: ') });
    const status = await house.run('status');
    expect(status.code).toBe(1);
    expect(status.out).toMatch(/needs you: 12 pairs, .*1 parked/);
    expect(status.out).toMatch(/parked\s+\d+\. bug 1 = acme\/widget#1: set status to completed/);
    expect(status.out).toContain('You are not allowed');
    const explained = await house.run('explain', 'issue', 'acme/widget#1');
    expect(explained).toMatchObject({
      code: 1,
      out: expect.stringContaining('parked after 1 attempt (set status to completed, on the tracker): '),
    });
    expect(await house.run('plan')).toMatchObject({ code: 1 });
  });

  test('1: a conflict that a person has to decide, with both values', async () => {
    house.configure((config) => {
      config.routes[0].conflicts = 'ask';
    });
    await house.run('once');
    house.tracker.as('admin').change(2, { summary: 'By the tracker' });
    house.github.as('mona').edit(repo, 2, { title: 'By GitHub' });
    expect(await house.run('plan')).toMatchObject({
      code: 1,
      out: expect.stringContaining('title is "By the tracker" on the tracker and "By GitHub" on GitHub'),
    });
    expect(await house.run('once')).toMatchObject({ code: 1 });
    expect(await house.run('status')).toMatchObject({
      code: 1,
      out: expect.stringContaining('bug 2 = acme/widget#2: title is "By the tracker"'),
    });
  });

  const wrongUses: readonly (readonly [string, readonly string[], string])[] = [
    ['an unknown command', ['bogus'], "unknown command 'bogus'"],
    ['a verb of the state file', ['restore', 'file'], '(Did you mean state restore?)'],
    ['a verb that is missing', ['state'], 'Run bugferry state --help for options and examples.'],
    ['an unknown option', ['once', '--bogus'], "unknown option '--bogus'"],
    ['no configuration', ['once', '--config', '/nowhere/bridge.yaml'], 'the file does not exist'],
    ['no state file yet', ['status'], 'does not exist yet'],
    ['a name that means nothing', ['explain', 'bug', 'twelve'], 'is neither a bug nor an issue'],
  ];
  test.each(wrongUses)('2: %s', async (_name, args, message) => {
    const ran = await house.run(...args);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    expect(ran.err).not.toContain('    at ');
  });

  test('2: a configuration with several problems shows all of them', async () => {
    house.configure((config) => {
      config.bogus = 1;
      config.routes[0].direction = 'sideways';
    });
    const { code, err } = await house.run('once');
    expect(code).toBe(2);
    expect(err).toMatch(/2 problems/);
    expect(err).toContain('bogus');
    expect(err).toContain('direction');
  });

  test('3: the brake refuses, nothing is written, and --force carries it out', async () => {
    await house.run('once');
    await house.run('once');
    for (let bug = 1; bug <= bugs; bug += 1) house.tracker.as('admin').change(bug, { severity: 'trivial' });
    const writes = house.writes();
    const page = `${house.folder}/plan.html`;
    const refused = 'The brake would refuse this: the plan would change 12 of 12 pairs';
    expect(await house.run('plan', '--html', page)).toMatchObject({ code: 3, out: expect.stringContaining(refused) });
    expect(readFileSync(page, 'utf8')).toContain(refused);
    expect(await house.run('once')).toMatchObject({ code: 3, err: expect.stringContaining('12 of 12 pairs') });
    expect(house.writes()).toBe(writes);
    expect(await house.run('status')).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        / {2}refused: 12 pairs, 12 to compare\n[\s\S]*refused .*the brake stopped the plan .*12 of 12 pairs[\s\S]*bugferry once --force carries it out/,
      ),
    });
    const { routes } = JSON.parse((await house.run('status', '--json')).out);
    expect(routes[0]).toMatchObject({
      isInStep: false,
      needsPerson: true,
      refusals: [{ of: 'plan', why: expect.stringContaining('12 of 12') }],
    });
    expect(await house.run('once', '--force')).toMatchObject({ code: 0 });
    expect((await house.run('status')).out).not.toContain('refused');
    expect(house.github.issue(repo, 12)?.labels).toContain('severity: trivial');
  });

  test.each([
    [
      'github',
      'GitHub',
      () =>
        house.github.issues(repo).map(
          ({ number }) =>
            () =>
              house.github.as('mona').deleteIssue(repo, number),
        ),
    ],
    [
      'tracker',
      'the tracker',
      () =>
        // Without its newest bugs, the tracker has gone back.
        house.tracker
          .bugs()
          .slice(0, -1)
          .map(
            ({ id }) =>
              () =>
                house.tracker.remove(id),
          ),
    ],
  ] as const)(
    '3: a full comparison with %s is refused, which status tells until it goes through',
    async (of, side, writes) => {
      await house.run('once');
      await house.run('once');
      for (const vanish of writes()) vanish();
      expect(await house.run('once', '--sweep')).toMatchObject({
        code: 3,
        err: expect.stringContaining('give up at least 4 of 12 pairs'),
      });
      const why = expect.stringContaining('give up at least 4 of 12 pairs');
      for (let cycle = 0; cycle < 2; cycle += 1) {
        const { code, out } = await house.run('status');
        const report = new RegExp(
          ` {2}refused: [\\s\\S]*refused .*the brake stopped the full comparison with ${side} .*at least 4 of 12 pairs`,
          'u',
        );
        expect([code, out]).toEqual([1, expect.stringMatching(report)]);
        expect(out).toContain('bugferry once --sweep --force carries it out');
        const { routes } = JSON.parse((await house.run('status', '--json')).out);
        expect(routes[0]).toMatchObject({ isInStep: false, needsPerson: true, refusals: [{ of, why }] });
        // A cycle that finds nothing wrong says nothing of the comparison.
        expect(await house.run('once')).toMatchObject({ code: 1 });
      }
      expect(await house.run('once', '--sweep', '--force')).toMatchObject({ code: 0 });
      const { code, out } = await house.run('status');
      expect([code, out]).toEqual([0, expect.not.stringContaining('refused')]);
    },
  );

  test('4: a wrong key, for every command that asks', async () => {
    const key = 'wrongwrongwrongwrongwrongwrongwrong';
    house.configure((config) => {
      config.tracker.apiKey = key;
    });
    for (const command of ['once', 'plan', 'check']) {
      const { code, out, err } = await house.run(command);
      expect([command, code]).toEqual([command, 4]);
      expect(out + err).toContain('API key');
      expect(out + err).not.toContain(key);
      expect(out).not.toContain('in step');
    }
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '130: %s ended once before its work was done, and the next one does the rest',
    async (name) => {
      house.configure((config) => {
        config.limits.github.pauseBetweenWritesMs = 150;
      });
      const once = house.start('once');
      await once.says('created');
      once.child.kill(name);
      expect(await once.ended).toMatchObject({ code: 130, out: expect.stringContaining('writes to go') });
      house.configure(() => {});
      expect(await house.run('once')).toMatchObject({ code: 0, out: expect.stringContaining('in step: 12 pairs') });
      expect(house.github.issues(repo)).toHaveLength(bugs);
    },
  );

  test('4: a side that does not answer', async () => {
    house.configure((config) => {
      config.github.url = 'http://127.0.0.1:9';
    });
    for (const command of ['once', 'plan', 'check'])
      expect([command, (await house.run(command)).code]).toEqual([command, 4]);
    expect(house.github.issues(repo)).toHaveLength(0);
  });
});

describe('the daemon', () => {
  test('carries changes over until it is told to end, and nobody else may write meanwhile', async () => {
    house.configure((config) => {
      config.schedule = { poll: '*/1 * * * * *' };
    });
    const daemon = house.start('run', '--json');
    await daemon.says('"kind":"done"');
    for (const command of ['run', 'once']) {
      expect(await house.run(command)).toMatchObject({
        code: 2,
        err: expect.stringContaining('Another bugferry process is running'),
      });
    }
    expect(await house.run('status')).toMatchObject({ err: '' });
    expect(await house.run('plan')).toMatchObject({ err: '' });
    const { number } = house.github.issues(repo)[0] ?? { number: 0 };
    const comment = house.github.as('mona').comment(repo, number, 'Hello from GitHub');
    await daemon.says(`:comment:${comment}`);
    daemon.child.kill('SIGTERM');
    const ended = await daemon.ended;
    expect(ended.code).toBe(0);
    expect(ended.err).toContain('stopped');
    expect(ended.err).not.toContain(house.apiKey);
    const done = ended
      .json<{ kind: string; result?: { kind: string } }>()
      .filter(({ kind, result }) => kind === 'done' && result?.kind !== 'already');
    const logged = ended.err.split('\n').flatMap((line) => (line.includes('"operation"') ? [JSON.parse(line)] : []));
    expect(done.length).toBeGreaterThan(bugs);
    expect(logged).toHaveLength(done.length);
    const facts = {
      route: 'widget',
      link: expect.any(Number),
      side: expect.any(String),
      ms: expect.any(Number),
      attempt: expect.any(Number),
    };
    for (const line of logged)
      expect(line).toMatchObject({ ...facts, operation: expect.any(String), outcome: 'applied' });
    expect(readFileSync(house.state).length).toBeGreaterThan(0);
    expect(await house.run('once')).toMatchObject({ code: 0 });
    expect(
      house.tracker
        .bugs()
        .flatMap(({ id }) => house.tracker.commentsOf(id))
        .filter(({ text }) => text.includes('Hello from GitHub')),
    ).toHaveLength(1);
  });

  test('stops in the middle of a backfill with nothing in doubt, and the next start goes on', async () => {
    house.configure((config) => {
      config.limits.github.pauseBetweenWritesMs = 150;
    });
    const daemon = house.start('run', '--json');
    await daemon.says('"kind":"done"');
    daemon.child.kill('SIGTERM');
    expect(await daemon.ended).toMatchObject({ code: 0 });
    const sofar = house.github.issues(repo).length;
    expect(sofar).toBeGreaterThan(0);
    expect(sofar).toBeLessThan(bugs);
    const [status] = (await house.run('status', '--json')).json<{ routes: readonly { outbox: unknown }[] }>();
    expect(status?.routes[0]?.outbox).toMatchObject({ sent: 0 });
    house.configure(() => {});
    await house.run('once');
    expect(house.github.issues(repo)).toHaveLength(bugs);
  });

  test('goes on while a side refuses the credentials, and says so', async () => {
    house.configure((config) => {
      config.schedule = { poll: '*/1 * * * * *' };
    });
    house.github.setToken('bugferry-bot', null);
    const daemon = house.start('run');
    await daemon.says('The next cycle tries again');
    house.github.setToken('bugferry-bot', house.token);
    await daemon.says('created');
    daemon.child.kill('SIGINT');
    expect(await daemon.ended).toMatchObject({ code: 0 });
  });
});

import { describe, expect, test } from 'vitest';
import type { EngineEvent } from '../../src/kernel/context.ts';
import type { Side } from '../../src/model/ids.ts';
import { SideError } from '../../src/model/outcome.ts';
import {
  cyclePass,
  type DaemonOptions,
  daemon,
  type RouteRun,
  type ScheduledJob,
  sweepPass,
} from '../../src/sync/daemon.ts';
import type { RouteRunner } from '../../src/sync/route-runner.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const never = new AbortController().signal;
const unforced = { isForced: () => false, signal: never };

function working(name = 'widget'): RouteRunner & { renewed: number; asked: number } {
  const set = stage();
  set.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  const runner = {
    name,
    ...shared(set),
    renewed: 0,
    asked: 0,
    route: widgetRoute,
    isConcerned: () => true,
    async context() {
      runner.asked += 1;
      return contextOn(set, { ...widgetRoute, name }, { limits: testLimits });
    },
    known: () => null,
    renew() {
      runner.renewed += 1;
    },
  };
  return runner;
}

const shared = ({ store, clock }: Stage) => ({ store, clock, tell: () => {} });

const broken = (name: string, error: unknown, set = stage()): RouteRunner => ({
  name,
  ...shared(set),
  route: widgetRoute,
  isConcerned: () => true,
  context: () => Promise.reject(error),
  known: () => null,
  renew: () => {},
});

describe('a pass', () => {
  test('goes on to the next route when one cannot be worked on, whatever the reason', async () => {
    const down = new SideError('later', 'The tracker cannot be reached');
    const bug = new TypeError('of our own');
    const runs = await cyclePass([broken('one', down), broken('two', bug), working('three')], unforced);
    expect(runs).toMatchObject([
      { kind: 'failed', route: 'one', error: down },
      { kind: 'failed', route: 'two', error: bug },
      { kind: 'cycle', route: 'three', report: { applied: 2 } },
    ]);
  });

  test.each<[string, SideError, string]>([
    ['the tracker fails', new SideError('later', 'no answer', { side: 'tracker' }), 'Bug 1 is not public'],
    ['the tracker refuses', new SideError('refused', 'no such product', { side: 'tracker' }), 'Bug 1 is not public'],
    ['GitHub fails', new SideError('later', 'no answer', { side: 'github' }), 'Bug 1 is not public'],
    ['GitHub refuses', new SideError('refused', 'another repository', { side: 'github' }), 'It fails'],
    ['GitHub rejects the token', new SideError('unauthorized', 'no token', { side: 'github' }), 'It fails'],
  ])('whose login fails later, where %s: what is hidden', async (_what, failure, title) => {
    const set = stage();
    set.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    const context = contextOn(set, widgetRoute, { limits: testLimits });
    let isIn = true;
    const runner: RouteRunner = {
      ...broken('widget', failure, set),
      context: async () => (isIn ? context : Promise.reject(failure)),
      known: () => context,
    };
    for (const isNow of [true, true, false]) {
      isIn = isNow;
      if (!isNow) set.tracker.hide(1);
      set.clock.advance(61_000);
      await cyclePass([runner], unforced);
    }
    expect(set.github.issue(repo, 1)?.title).toBe(title);
  });

  test('begins no further route once it is asked to stop', async () => {
    const stop = new AbortController();
    const first: RouteRunner = {
      ...working('first'),
      renew: () => {},
      context: async () => {
        stop.abort();
        throw new SideError('later', 'interrupted');
      },
    };
    const second = working('second');
    expect(await cyclePass([first, second], { isForced: () => false, signal: stop.signal })).toHaveLength(1);
    expect(second.asked).toBe(0);
  });

  test('tells people about a route after its run, also one that failed, and not about one that rests', async () => {
    const told: string[] = [];
    const telling = (runner: RouteRunner): RouteRunner => ({
      ...runner,
      report: async () => {
        told.push(runner.name);
      },
    });
    const resting = working('three');
    resting.store.pauses.save('three', { at: 0, why: null });
    await cyclePass(
      [telling(working('one')), telling(broken('two', new Error('no'))), telling(resting), working('four')],
      unforced,
    );
    expect(told).toEqual(['one', 'two']);
  });

  test('goes on when people cannot be told, keeps why, and heeds what the side asks for', async () => {
    const runner = working();
    const at = runner.clock.now() + 600_000;
    const mute = {
      ...runner,
      report: () => Promise.reject(new SideError('later', 'slow down', { at, side: 'github' })),
    };
    expect(await cyclePass([mute], unforced)).toMatchObject([{ kind: 'cycle', route: 'widget' }]);
    expect(runner.store.failures.ofRoute('widget')).toMatchObject([{ of: 'cycle', why: 'slow down' }]);
    expect(runner.store.budgets.backoffOf('github', runner.clock.now())).toMatchObject({ until: at });
  });

  test('of sweeps learns afresh what was learnt from the sides', async () => {
    const runner = working();
    await cyclePass([runner], unforced);
    expect(runner.renewed).toBe(0);
    expect(await sweepPass([runner], unforced)).toMatchObject([
      { kind: 'sweep', report: { buried: 0, frozen: 0, refusal: null } },
    ]);
    expect(runner.renewed).toBe(1);
  });
});

describe('a read that a side puts off to a certain time', () => {
  const minuteMs = 60_000;

  /** GitHub turns the first read away; `asked` counts the requests that reach either side. */
  function turnedAway(retryAfterSeconds: number) {
    const set = stage();
    const context = contextOn(set, widgetRoute, { limits: testLimits });
    let isFirst = true;
    set.faults = (side, cost) => {
      if (side !== 'github' || cost !== 'read' || !isFirst) return { kind: 'none' };
      isFirst = false;
      return { kind: 'limited', status: 429, retryAfterSeconds };
    };
    const events: EngineEvent[] = [];
    const runner = (name: string): RouteRunner => ({
      name,
      ...shared(set),
      tell: (event) => events.push(event),
      route: widgetRoute,
      isConcerned: () => true,
      context: async () => context,
      known: () => context,
      renew: () => {},
    });
    return { set, events, runners: [runner('one'), runner('two')] };
  }

  test('leaves every route of that side alone until then, polls and sweeps alike', async () => {
    const { set, events, runners } = turnedAway(600);
    const until = set.clock.now() + 600_000;
    const why = expect.stringContaining('asked to wait');
    expect(await cyclePass(runners, unforced)).toMatchObject([
      { kind: 'failed', route: 'one' },
      { kind: 'backoff', route: 'two', side: 'github', until, why },
    ]);
    expect(events).toMatchObject([{ kind: 'backoff', route: 'one', side: 'github', until }]);
    expect(set.store.budgets.backoffOf('tracker', set.clock.now())).toBeNull();
    const asked = set.calls.length;
    for (let minute = 0; minute < 10; minute += 1) {
      const runs = [...(await cyclePass(runners, unforced)), ...(await sweepPass(runners, unforced))];
      expect(runs.map(({ kind }) => kind)).toEqual(['backoff', 'backoff', 'backoff', 'backoff']);
      set.clock.advance(minuteMs);
    }
    expect(set.calls.length).toBe(asked);
    expect((await cyclePass(runners, unforced)).map(({ kind }) => kind)).toEqual(['cycle', 'cycle']);
  });

  test('leaves both sides alone if it does not know which one asked', async () => {
    const set = stage();
    const at = set.clock.now() + minuteMs;
    await cyclePass([broken('one', new SideError('later', 'slow down', { at }), set)], unforced);
    for (const side of ['tracker', 'github'] as const) {
      expect(set.store.budgets.backoffOf(side, set.clock.now())).toEqual({
        until: at,
        askedUntil: at,
        why: 'slow down',
      });
    }
  });

  test.each([
    ['that does not say until when', new SideError('later', 'down', { side: 'github' })],
    ['that is refused for good', new SideError('unauthorized', 'no', { side: 'github', at: 9e15 })],
  ])('is not one %s: the next pass tries again', async (_what, error) => {
    const set = stage();
    const runner = broken('one', error, set);
    await cyclePass([runner], unforced);
    expect(await cyclePass([runner], unforced)).toMatchObject([{ kind: 'failed' }]);
  });
});

describe('what is known to be hidden when the tracker asks for a pause', () => {
  const pauseMs = 600_000;

  /** GitHub takes no change while a bug becomes private; then the tracker asks for a pause. */
  async function caught(pausing: readonly Side[]) {
    const set = stage();
    const bug = set.tracker.as('alice').file({ summary: 'Canary title', description: 'Canary text' });
    const context = contextOn(set, widgetRoute, { limits: { ...testLimits, brakeShare: 1 }, user: 'bridge-insider' });
    const place = { name: 'widget', ...shared(set), route: widgetRoute, isConcerned: () => true, renew: () => {} };
    const runner = (known: RouteRunner['known']): RouteRunner => ({ ...place, known, context: async () => context });
    const go = async (known: RouteRunner['known'] = () => context) => {
      set.clock.advance(61_000);
      return cyclePass([runner(known)], unforced);
    };
    for (let count = 0; count < 3; count += 1) await go();
    set.tracker.as('alice').change(bug, { groups: { add: ['security'] } });
    set.between = (side, method, when) => {
      if (when === 'before' && side === 'github' && ['update', 'lock'].includes(method))
        throw new SideError('later', 'It is out of order', { side });
    };
    await go();
    set.between = () => undefined;
    for (const side of pausing) set.store.budgets.backOff(side, set.clock.now() + pauseMs, 'slow down');
    const title = () => set.github.issues(repo).map((issue) => issue.title);
    const asked = (side: Side) => set.calls.filter((call) => call.side === side).length;
    expect(title()).toEqual(['Canary title']);
    return { set, context, go, title, asked };
  }

  test('goes from GitHub, once, while the tracker is asked nothing', async () => {
    const { go, title, asked } = await caught(['tracker']);
    const before = asked('tracker');
    expect(await go()).toMatchObject([{ kind: 'backoff', side: 'tracker' }]);
    expect(title()).toEqual(['Bug 1 is not public']);
    const after = asked('github');
    await go();
    expect([asked('tracker'), asked('github')]).toEqual([before, after]);
  });

  test.each([
    ['as long as GitHub has asked for a pause too', ['tracker', 'github'], true],
    ['as long as neither side was greeted by this process', ['tracker'], false],
  ] as const)('waits %s', async (_what, pausing, isKnown) => {
    const { context, go, title, asked } = await caught(pausing);
    const before = [asked('tracker'), asked('github')];
    expect(await go(() => (isKnown ? context : null))).toMatchObject([{ kind: 'backoff' }]);
    expect([asked('tracker'), asked('github')]).toEqual(before);
    expect(title()).toEqual(['Canary title']);
  });

  test('waits as long as GitHub asked, and not for what our own caution adds; then the pause is over', async () => {
    const { set, go, title } = await caught([]);
    const { budgets } = set.store;
    const now = set.clock.now();
    budgets.backOff('github', now + 9 * pauseMs, 'slow down', { askedUntil: now + 70_000, times: 5 });
    expect(await go()).toMatchObject([{ kind: 'backoff', side: 'github' }]);
    expect(title()).toEqual(['Canary title']);
    expect(await go()).toMatchObject([{ kind: 'backoff', side: 'github' }]);
    expect(title()).toEqual(['Bug 1 is not public']);
    expect(budgets.lastBackoff('github')).toMatchObject({ times: 0 });
    expect(await go()).toMatchObject([{ kind: 'cycle' }]);
  });

  test.each<readonly [string, Fault]>([
    [
      'a withdrawal waits for our own caution',
      {
        file: 'kernel/backoff.ts',
        from: '(store.budgets.backoffOf(side, now)?.askedUntil ?? 0) > now',
        to: 'store.budgets.backoffOf(side, now) !== null',
      },
    ],
    [
      'a withdrawal calms nothing',
      { file: 'sync/withdraw/withdraw.ts', from: "        endBackoff(context, 'github');\n", to: '' },
    ],
  ])('a planted fault is caught: %s', async (_name, fault) => {
    const { set, context, title } = await caught([]);
    const { budgets } = set.store;
    budgets.backOff('github', set.clock.now() + 9 * pauseMs, 'slow down', { askedUntil: set.clock.now(), times: 5 });
    const faulty: typeof import('../../src/sync/daemon.ts') = await import(`${plant(fault)}/sync/daemon.ts`);
    const place = { name: 'widget', ...shared(set), route: widgetRoute, isConcerned: () => true, renew: () => {} };
    await faulty.cyclePass([{ ...place, known: () => context, context: async () => context }], unforced);
    expect([title(), budgets.lastBackoff('github')?.times]).not.toEqual([['Bug 1 is not public'], 0]);
  });

  test('is tried again in the next pass if GitHub does not accept it, and the run says so', async () => {
    const { set, go, title } = await caught(['tracker']);
    set.between = (side) => {
      if (side === 'github') throw new SideError('unauthorized', 'The token has expired', { side });
    };
    expect(await go()).toMatchObject([{ kind: 'failed', error: { message: 'The token has expired' } }]);
    set.between = () => undefined;
    await go();
    expect(title()).toEqual(['Bug 1 is not public']);
  });
});

describe('the daemon', () => {
  /** The clock is in the hands of the test: jobs run when it says so. */
  function started(options: Partial<DaemonOptions> & Pick<DaemonOptions, 'runners'>) {
    const jobs = new Map<string, ScheduledJob>();
    const runs: RouteRun[] = [];
    const running = daemon({
      times: { poll: 'poll times', sweep: 'sweep times' },
      schedule(job) {
        jobs.set(job.name, job);
        return { stop: async () => {}, nextAt: () => null, hasPassedSince: () => false };
      },
      isForced: false,
      signal: never,
      ran: (list) => runs.push(...list),
      ...options,
    });
    return {
      running,
      runs,
      tick: (name: 'poll' | 'sweep') => jobs.get(name)?.run(),
      times: () => [...jobs.values()].map((job) => job.expression),
    };
  }

  test('begins at once, and goes on by the clock', async () => {
    const { running, runs, tick, times } = started({ runners: [working()] });
    await tick('poll');
    await tick('sweep');
    await running.stop();
    expect(runs.map(({ kind }) => kind)).toEqual(['cycle', 'cycle', 'sweep']);
    expect(times()).toEqual(['poll times', 'sweep times']);
  });

  test('never works on two passes at a time', async () => {
    const runner = working();
    const gate = Promise.withResolvers<void>();
    const slow: RouteRunner = {
      ...runner,
      context: async () => {
        const context = await runner.context();
        await gate.promise;
        return context;
      },
    };
    const { running, runs, tick } = started({ runners: [slow] });
    const later = [tick('poll'), tick('sweep')];
    await Promise.resolve();
    expect(runner.asked).toBe(1);
    expect(runs).toEqual([]);
    gate.resolve();
    await Promise.all(later);
    await running.stop();
    expect(runs.map(({ kind }) => kind)).toEqual(['cycle', 'cycle', 'sweep']);
  });

  test('waits for the running pass when it is stopped', async () => {
    const { running, runs } = started({ runners: [working()] });
    await running.stop();
    expect(runs).toHaveLength(1);
  });

  test('runs only the routes that a hint names, and takes hints that come together at once', async () => {
    const concerned = (name: string, repo: string): RouteRunner => ({
      ...working(name),
      isConcerned: (hint) => hint.repo === repo,
    });
    const { running, runs } = started({ runners: [concerned('one', 'a/one'), concerned('two', 'a/two')] });
    await running.between(() => undefined);
    for (const ref of [1, 1, 2]) running.hint({ side: 'github', ref, repo: 'a/two', isThread: false });
    running.hint({ side: 'github', ref: 1, repo: 'a/elsewhere', isThread: false });
    await running.between(() => undefined);
    await running.stop();
    expect(runs.map(({ kind, route }) => `${kind} ${route}`)).toEqual(['cycle one', 'cycle two', 'cycle two']);
  });

  test('makes one pass over all routes when it is woken several times at once', async () => {
    const { running, runs } = started({ runners: [working()] });
    await running.between(() => undefined);
    running.runSoon();
    running.runSoon();
    await running.between(() => undefined);
    running.runSoon();
    await running.stop();
    expect(runs).toHaveLength(3);
  });

  test('runs outside work between two passes, and goes on when that throws', async () => {
    const order: string[] = [];
    const { running } = started({ runners: [working()], ran: () => order.push('round') });
    const failing = running.between(() => {
      order.push('between');
      throw new Error('of the caller');
    });
    running.runSoon();
    await expect(failing).rejects.toThrow('of the caller');
    await running.stop();
    expect(order).toEqual(['round', 'between', 'round']);
  });

  test('forces only the first cycle that a route finishes', async () => {
    const set = stage();
    for (let number = 0; number < 12; number += 1)
      set.tracker.as('alice').file({ summary: `Problem ${number}`, description: '' });
    const context = contextOn(set, widgetRoute, { limits: { ...testLimits, brakeShare: 0.1 } });
    let isDown = false;
    const runner: RouteRunner = {
      name: 'widget',
      ...shared(set),
      route: widgetRoute,
      isConcerned: () => true,
      renew: () => {},
      known: () => context,
      context: async () => {
        if (isDown) throw new SideError('later', 'down');
        return context;
      },
    };
    const settle = async () => {
      for (let count = 0; count < 3; count += 1) {
        set.clock.advance(60_000);
        await cyclePass([runner], unforced);
      }
    };
    const changeAll = () => {
      set.clock.advance(60_000);
      for (const { id, severity } of set.tracker.bugs()) {
        set.tracker.as('admin').change(id, { severity: severity === 'minor' ? 'major' : 'minor' });
      }
    };
    await settle();
    changeAll();
    isDown = true;
    const { running, runs, tick } = started({ runners: [runner], isForced: true });
    await tick('poll');
    isDown = false;
    await tick('poll');
    changeAll();
    await tick('poll');
    await running.stop();
    const refusals = runs.flatMap((run) => (run.kind === 'cycle' ? [run.report.refusal !== null] : []));
    expect(refusals).toEqual([false, true]);
  });

  describe('makes up for a full comparison', () => {
    /**
     * A daemon over the routes whose state says that they were last compared then; a moment of the expression is at
     * 1000.
     */
    function restarted(runners: readonly RouteRunner[], sweptAt: number | null) {
      for (const { name, store } of runners) {
        for (const side of ['tracker', 'github'] as const) {
          store.cursors.put(name, side, {
            changes: null,
            listing: null,
            isComplete: true,
            polledAt: 0,
            readAt: 0,
            sweptAt,
            early: [],
          });
        }
      }
      const jobs = new Map<string, ScheduledJob>();
      return started({
        runners,
        schedule(job) {
          jobs.set(job.name, job);
          return { stop: async () => {}, nextAt: () => null, hasPassedSince: (at) => at < 1_000 };
        },
      });
    }

    test.each([
      ['that was missed while it was down', 999, ['cycle', 'sweep']],
      ['that never was', null, ['cycle', 'sweep']],
      ['once: not one that was made', 1_000, ['cycle']],
    ])('%s', async (_what, sweptAt, kinds) => {
      const { running, runs } = restarted([working()], sweptAt);
      await running.between(() => undefined);
      running.runSoon();
      await running.stop();
      expect(runs.map(({ kind }) => kind)).toEqual([...kinds, 'cycle']);
    });

    test('but not of a route that is read for the first time', async () => {
      const { running, runs } = started({ runners: [working()] });
      running.runSoon();
      await running.stop();
      expect(runs.map(({ kind }) => kind)).toEqual(['cycle', 'cycle']);
    });

    test('that a pause held back, in the first cycle after the pause', async () => {
      const runner = working();
      const { store, clock } = runner;
      const { running, runs, tick } = started({ runners: [runner] });
      await running.between(() => undefined);
      store.budgets.backOff('github', clock.now() + 3_600_000, 'slow down');
      await tick('sweep');
      await tick('poll');
      expect(runs.map(({ kind }) => kind)).toEqual(['cycle', 'backoff', 'backoff']);
      await clock.sleep(3_600_000);
      await tick('poll');
      await running.stop();
      expect(runs.slice(3).map(({ kind }) => kind)).toEqual(['cycle', 'sweep']);
    });

    test('that failed, 60 cycles later', async () => {
      const runner = working();
      let isFailing = false;
      const renewing: RouteRunner = {
        ...runner,
        renew: () => {
          if (isFailing) throw new SideError('later', 'The tracker is being backed up');
        },
        context: () => runner.context(),
      };
      const { running, runs, tick } = started({ runners: [renewing] });
      await running.between(() => undefined);
      isFailing = true;
      await tick('sweep');
      for (let cycles = 0; cycles < 60; cycles += 1) await tick('poll');
      isFailing = false;
      expect(runs.filter(({ kind }) => kind !== 'cycle')).toMatchObject([{ kind: 'failed' }]);
      await tick('poll');
      await running.stop();
      expect(runs.at(-1)?.kind).toBe('sweep');
    });
  });
});

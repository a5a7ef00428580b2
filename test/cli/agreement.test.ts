import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ControlCommand } from '../../src/model/control.ts';
import type { Side } from '../../src/model/ids.ts';
import type { Standing } from '../../src/model/route-status.ts';
import type { Store } from '../../src/model/store.ts';
import { scrubOf } from '../../src/runtime/scrub.ts';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { fileControlQueue } from '../../src/store/control-queue.ts';
import { openStore } from '../../src/store/open.ts';
import { updateOf } from '../contract/store/samples.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { placesOf } from '../support/places.ts';

/**
 * Whatever the state: `status` (text, JSON, exit code), the pages, the metrics, `readyz`, `health`, `explain`, the issue
 * that lists what needs a person, and the notice say the same of it.
 */
let house: House;
let port: number;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  });
  await house.run('once');
  await house.run('once');
  port = await freePort();
  configure();
});
afterEach(() => house.close());

const configure = (change: Readonly<Record<string, unknown>> = {}) =>
  house.configure((config) => {
    config.http = { port };
    config.routes[0] = { ...config.routes[0], ...change };
  });

function inState(change: (store: Store, now: number) => void): void {
  const store = openStore(house.state, { mode: 'write', now: Date.now, scrub: scrubOf([]), warn: () => {} });
  change(store, Date.now());
  store.close();
}

const minuteMs = 60_000;

const fail = (kind: 'later' | 'unauthorized' | 'refused', why: string, of: 'cycle' | 'sweep' = 'cycle') =>
  inState((store, now) => store.failures.save('widget', { of, kind, side: 'github', why, at: now }));

const readAgo = (minutes: number, side: Side) =>
  inState((store, now) => {
    const row = store.cursors.get('widget', side);
    if (row !== null) store.cursors.put('widget', side, { ...row, polledAt: now - minutes * minuteMs });
  });

/** Something that only a person can settle. */
const ask = () =>
  inState((store, now) => {
    const [link] = store.links.after('widget', null, 1);
    if (link === undefined) throw new Error('There is no link.');
    const skip = { link: link.id, about: 'bug 1', reason: 'no such version', needsPerson: true };
    store.findings.replace(link.id, [], [skip], now);
  });

const daysAgo = (days: number, field: 'sweptAt') =>
  inState((store, now) => {
    const row = store.cursors.get('widget', 'github');
    if (row !== null) store.cursors.put('widget', 'github', { ...row, [field]: now - days * 86_400_000 });
  });

const queue = (command: ControlCommand) => fileControlQueue(house.state, Date.now).add(command);

const refused = (of: 'plan' | 'tracker') =>
  inState((store, now) => store.refusals.save('widget', { of, at: now, why: '32 of 50 pairs would change' }));

interface Said {
  readonly standing: Standing;
  readonly code: number;
  readonly isReady: boolean;
  readonly inStep: number;
  readonly halted: number;
  /** Words that tell the reason, wherever a reason is told. */
  readonly why?: string;
}

const well: Said = { standing: 'in step', code: 0, isReady: true, inStep: 1, halted: 0 };
const stopped: Said = { standing: 'failed', code: 1, isReady: false, inStep: 0, halted: 1 };

const table: readonly (readonly [name: string, arrange: () => unknown, said: Said])[] = [
  ['all is well', () => {}, well],
  ['a dead token', () => fail('unauthorized', 'GitHub refused the token'), { ...stopped, why: 'refused the token' }],
  [
    'issues that are switched off',
    () => fail('refused', 'its issues are switched off'),
    { ...stopped, why: 'switched off' },
  ],
  [
    'a side that is down',
    () => fail('later', 'no answer'),
    { ...well, standing: 'failed', code: 1, inStep: 0, halted: 1, why: 'no answer' },
  ],
  [
    'a side that is down for the second cycle',
    () => {
      fail('later', 'no answer');
      fail('later', 'no answer');
    },
    { ...stopped, why: 'the last 2 cycles failed, the latest at GitHub' },
  ],
  [
    'a side that is down, and a conflict',
    () => {
      fail('later', 'no answer');
      ask();
    },
    { ...well, standing: 'failed', code: 1, inStep: 0, halted: 1, why: 'no answer' },
  ],
  [
    'a full comparison that failed once',
    () => fail('refused', 'page 7 is missing', 'sweep'),
    { ...well, why: 'page 7 is missing' },
  ],
  ['a plan that the brake refused', () => refused('plan'), { ...stopped, standing: 'refused', why: '32 of 50' }],
  [
    'a full comparison that the brake refused',
    () => refused('tracker'),
    { ...stopped, standing: 'refused', why: '32 of 50' },
  ],
  [
    'a pause by a person',
    () => house.run('pause', 'widget', '--why', 'the tracker moves'),
    { ...well, standing: 'paused', code: 1, inStep: 0, why: 'the tracker moves' },
  ],
  [
    'a pause by a person, with a dead token',
    async () => {
      await house.run('pause', 'widget');
      fail('unauthorized', 'GitHub refused the token');
    },
    { ...stopped, why: 'refused the token' },
  ],
  ['a tracker that was not polled for 30 minutes', () => readAgo(30, 'tracker'), well],
  [
    'a tracker that was not polled for 70 minutes',
    () => readAgo(70, 'tracker'),
    {
      ...well,
      standing: 'not read lately',
      code: 1,
      isReady: false,
      inStep: 0,
      why: 'the tracker was last read 70 min ago',
    },
  ],
  [
    'a pause by a person, and a bridge that no longer runs',
    async () => {
      await house.run('pause', 'widget');
      readAgo(90, 'github');
    },
    {
      ...well,
      standing: 'not read lately',
      code: 1,
      isReady: false,
      inStep: 0,
      why: 'GitHub was last read 2 h ago',
    },
  ],
  [
    'sides that were never polled',
    () =>
      house.configure((config) => Object.assign(config, { http: { port }, state: `${house.folder}/new.db` })) &&
      startState(),
    { ...well, standing: 'not read lately', code: 1, isReady: false, inStep: 0, why: 'the tracker was never read' },
  ],
  [
    'an item that needs a person',
    () => ask(),
    { ...well, standing: 'needs you', code: 1, inStep: 0, why: 'no such version' },
  ],
  [
    'a pair that is frozen',
    async () => {
      house.tracker.hide(1);
      await house.run('once', '--sweep');
      await house.run('once');
    },
    well,
  ],
  [
    'a route that is switched off',
    () => configure({ enabled: false }),
    { ...well, standing: 'off', why: 'enabled: false' },
  ],
  [
    'a parked operation',
    () =>
      inState((store) => {
        const [link] = store.links.after('widget', null, 1);
        if (link === undefined) throw new Error('There is no link.');
        const operation = updateOf(link.id, 'update', 'It fails on Mondays');
        store.outbox.replace('widget', [link.id], [operation]);
        store.outbox.mark(operation.key, { state: 'parked', attempts: 5, why: 'the title is refused' });
      }),
    { ...well, standing: 'needs you', code: 1, inStep: 0, why: 'the title is refused' },
  ],
  [
    'a pause that the running bridge has not taken yet',
    () => queue({ kind: 'pause', route: 'widget', why: 'the tracker moves' }),
    { ...well, standing: 'paused', code: 1, inStep: 0, why: 'the tracker moves' },
  ],
  [
    'a command that no cycle has taken yet, whether a bridge runs or not',
    () => queue({ kind: 'resync', route: 'widget', side: 'tracker', ref: 1 }),
    { ...well, standing: 'catching up', code: 1, inStep: 0, why: 'the next cycle will read bug 1 again' },
  ],
  [
    'sides that were never compared in full',
    () =>
      inState((store) => {
        const row = store.cursors.get('widget', 'tracker');
        if (row !== null) store.cursors.put('widget', 'tracker', { ...row, sweptAt: null });
      }),
    { ...well, standing: 'catching up', code: 1, inStep: 0, why: 'not compared in full yet' },
  ],
  [
    'a side of which changes are left to read',
    () =>
      inState((store) => {
        const row = store.cursors.get('widget', 'github');
        if (row !== null) store.cursors.put('widget', 'github', { ...row, hasMore: true });
      }),
    { ...well, standing: 'catching up', code: 1, inStep: 0, why: 'more changes of GitHub are still to be read' },
  ],
  [
    'sides that were last compared nine days ago',
    () => daysAgo(9, 'sweptAt'),
    {
      ...well,
      standing: 'not read lately',
      code: 1,
      inStep: 0,
      why: 'last compared in full 9 days ago',
    },
  ],
  [
    'bugs without a counterpart that will never get one',
    () =>
      inState((store) => {
        const links = store.links.after('widget', null, 10);
        for (const link of links) store.links.save({ ...link, issue: null, github: null, base: null, urgency: 'none' });
      }),
    { ...well, standing: 'nothing mirrored', code: 1, inStep: 0, why: 'None of 1 bug of Widget' },
  ],
  [
    'an item that is set aside',
    () =>
      inState((store, now) =>
        store.setAside.put({
          route: 'widget',
          side: 'tracker',
          ref: 1,
          stage: 'plan',
          cause: 'fault',
          why: 'no such row',
          version: '1',
          at: now,
          retryAt: null,
          content: '',
        }),
      ),
    { ...well, standing: 'set aside', code: 1, inStep: 0, why: 'bugferry itself failed' },
  ],
  [
    'something that waits',
    () => inState((store) => touch(store)),
    { ...well, standing: 'catching up', code: 1, inStep: 0 },
  ],
];

const touch = (store: Store) => {
  for (const link of store.links.after('widget', null, 1)) store.links.save({ ...link, urgency: 'live' });
};

/** As a bridge leaves it that was stopped before its first cycle. */
function startState(): void {
  openStore(`${house.folder}/new.db`, { mode: 'write', now: Date.now, scrub: scrubOf([]), warn: () => {} }).close();
}

/** In these, `explain` and the page of a pair say why nothing of the route crosses. */
const stoppedStandings: ReadonlySet<Standing> = new Set(['off', 'failed', 'refused', 'not read lately', 'paused']);

test.each(table)('%s', async (_name, arrange, { standing, code, isReady, inStep, halted, why = '' }) => {
  await arrange();
  const { status, json, page, routePage, pairPage, readyz, health, metrics, explain, ...others } = await placesOf(
    house,
    port,
  );
  expect(status).toMatchObject({ code, out: expect.stringContaining(`${standing}: `) });
  expect(status.out.toLowerCase()).toContain(why.toLowerCase());
  expect(json).toMatchObject({ standing });
  expect((await house.run('status', '--json')).code).toBe(code);

  expect(page).toContain(`>${standing}</span>`);
  expect(page.includes('>Everything is in step</h1>')).toBe(standing === 'in step');
  expect(page.toLowerCase()).toContain(why.toLowerCase());
  expect(routePage).toContain(`>${standing}</span>`);
  expect(JSON.parse(readyz)).toMatchObject({ ready: isReady, routes: [{ isReady }] });
  expect(health).toMatchObject({ code: isReady ? 0 : 4 });
  if (!isReady || standing === 'failed') expect(readyz.toLowerCase()).toContain(why.toLowerCase());
  if (standing !== 'in step') expect(health.out).toContain(`widget: ${standing}. `);
  if (standing === 'off') expect(metrics).not.toContain('bugferry_in_step{');
  else {
    expect(metrics).toContain(`bugferry_in_step{route="widget"} ${inStep}\n`);
    expect(metrics).toContain(`bugferry_standing{route="widget",standing="${standing}"} 1`);
    expect(metrics).toContain(`bugferry_halted{route="widget"} ${halted}\n`);
  }
  for (const place of [explain.out, pairPage])
    if (stoppedStandings.has(standing) && json.links.whole > 0) {
      expect(place).toContain(`route widget: ${json.verdict.headline}. `);
      expect(place.toLowerCase()).toContain(why.toLowerCase());
      expect(place).not.toContain('nothing is waiting');
    }
  expect(others.dashboardIssue.includes('Nothing public needs a person.')).toBe(
    !json.needsPerson && !(standing === 'failed' && json.verdict.tone === 'bad'),
  );
  if (json.needsPerson) expect(others.notice).toContain('bugferry status says what to do');
});

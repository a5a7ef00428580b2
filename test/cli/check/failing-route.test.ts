import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../../src/sandbox/server/free-port.ts';
import { openStore } from '../../../src/store/open.ts';
import { changeUser } from '../../contract/tracker/scenario.ts';
import { pause } from '../../e2e/process.ts';
import { type House, openHouse, type Started } from '../../support/bugferry.ts';
import { scrub } from '../../support/scrub.ts';

/** A route whose cycles fail says so wherever anybody looks, from the first failure until it works again. */
const repo = 'acme/widget';
const bugs = 12;
let house: House;
let answers503 = false;

async function open(): Promise<void> {
  const faults = (side: string) =>
    answers503 && side === 'tracker'
      ? ({ kind: 'status', status: 503, isHtml: false, after: false } as const)
      : ({ kind: 'none' } as const);
  house = await openHouse(
    (tracker) => {
      for (let number = 1; number <= bugs; number += 1)
        tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
    },
    { faults },
  );
}

interface Trouble {
  readonly name: string;
  readonly breaks: () => void;
  readonly mends: () => void;
  readonly side: 'tracker' | 'github';
  readonly kind: string;
  /** What is said of it everywhere. */
  readonly words: RegExp;
  readonly needsPerson: boolean;
}

const troubles: readonly Trouble[] = [
  {
    name: 'a token that was revoked',
    breaks: () => house.github.setToken('bugferry-bot', null),
    mends: () => house.github.setToken('bugferry-bot', house.token),
    side: 'github',
    kind: 'unauthorized',
    words: /failed(?:, the latest)? at GitHub: GitHub answered 401 .*Check the token/u,
    needsPerson: true,
  },
  {
    name: 'a repository whose issues were switched off',
    breaks: () => house.github.setRepo(repo, { hasIssues: false }),
    mends: () => house.github.setRepo(repo, { hasIssues: true }),
    side: 'github',
    kind: 'refused',
    words: /failed(?:, the latest)? at GitHub: The repository acme\/widget has issues disabled\. Enable them/u,
    needsPerson: true,
  },
  {
    name: 'an account of the tracker that was disabled',
    breaks: () => changeUser(house.tracker, 'bridge', { disabledText: 'left the company' }),
    mends: () => changeUser(house.tracker, 'bridge', { disabledText: null }),
    side: 'tracker',
    kind: 'unauthorized',
    words: /failed(?:, the latest)? at the tracker: /u,
    needsPerson: true,
  },
  {
    name: 'a tracker that is down',
    breaks: () => {
      answers503 = true;
    },
    mends: () => {
      answers503 = false;
    },
    side: 'tracker',
    kind: 'later',
    words: /failed(?:, the latest)? at the tracker: The tracker failed on GET/u,
    needsPerson: false,
  },
];

async function statusNow() {
  const [text, json] = [await house.run('status'), await house.run('status', '--json')];
  expect(json.code).toBe(text.code);
  const [status] = JSON.parse(json.out).routes;
  return { ...text, status };
}

/** The same while a daemon may change it between two looks. */
async function statusInDetail() {
  const { code, out } = await house.run('status', '--json');
  return { code, ...JSON.parse(out).routes[0] };
}

describe('once, then status', () => {
  beforeEach(open);
  afterEach(() => house.close());

  test.each(troubles)('tells of $name at once, and no more after a cycle that went through', async (trouble) => {
    await house.run('once');
    await house.run('once');
    expect(await statusNow()).toMatchObject({ code: 0, status: { isInStep: true, isHalted: false, failures: [] } });
    trouble.breaks();
    for (const count of [1, 2]) {
      expect(await house.run('once')).toMatchObject({ code: 4 });
      const { code, out, status } = await statusNow();
      expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(trouble.words) });
      expect(out).toContain(count === 1 ? 'the last cycle failed' : 'the last 2 cycles failed');
      expect(out).toMatch(/ failed: /u);
      expect(out).toMatch(/The next cycle tries again/);
      expect(out).not.toMatch(/in step:/);
      const { needsPerson, side, kind } = trouble;
      expect(status).toMatchObject({
        isInStep: false,
        isHalted: true,
        needsPerson,
        failures: [{ of: 'cycle', side, kind, count, needsPerson }],
      });
    }
    trouble.mends();
    expect(await house.run('once')).toMatchObject({ code: 0 });
    const { code, out, status } = await statusNow();
    expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('failed') });
    expect(status).toMatchObject({ isInStep: true, isHalted: false, failures: [] });
  });

  test('tells of a pause that is still in force what it is for', async () => {
    await house.run('once');
    await house.run('once');
    const store = openStore(house.state, { mode: 'write', now: Date.now, scrub });
    store.budgets.backOff('github', Date.now() + 600_000, 'GitHub asks to slow down');
    store.close();
    expect(await house.run('once')).toMatchObject({ code: 4 });
    expect((await statusNow()).out).toMatch(/paused, resumes in \d+ min .*GitHub asks to slow down/);
  });

  test('tells of a full comparison that failed, which a cycle that goes through does not make good', async () => {
    await house.run('once');
    await house.run('once');
    const sweeps = async (isDown: boolean) => {
      answers503 = isDown;
      const { code } = await house.run('once', '--sweep');
      answers503 = false;
      await house.run('once');
      return code;
    };
    expect(await sweeps(true)).toBe(4);
    expect(await statusNow()).toMatchObject({
      code: 0,
      out: expect.stringMatching(/the last full comparison failed at the tracker/),
    });
    expect(await sweeps(true)).toBe(4);
    expect(await statusNow()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/ failed: [\s\S]*the last 2 full comparisons failed/),
    });
    expect(await sweeps(false)).toBe(0);
    expect(await statusNow()).toMatchObject({ code: 0, out: expect.not.stringContaining('failed') });
  });
});

describe('beside the daemon', () => {
  let daemon: Started;
  let server: string;

  beforeAll(async () => {
    await open();
    const port = await freePort();
    house.configure((config) => {
      config.http = { port };
      config.schedule = { poll: '*/1 * * * * *', sweep: '0 0 1 1 *' };
    });
    server = `http://127.0.0.1:${port}`;
    await house.run('once');
    await house.run('once');
    daemon = house.start('run');
    await daemon.says('started');
    await until(async () => (await fetch(`${server}/readyz`)).ok && (await statusInDetail()).code === 0);
  });
  afterAll(async () => {
    daemon.child.kill('SIGTERM');
    await daemon.ended;
    await house.close();
  });

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    const giveUpAt = Date.now() + 240_000;
    while (!(await isSo())) {
      if (Date.now() > giveUpAt) throw new Error('it did not come to that in 240 s');
      await pause(100);
    }
  }

  const text = async (path: string) => (await fetch(`${server}${path}`)).text();
  const gauge = async (name: string) =>
    Number(new RegExp(`^bugferry_${name}\\{route="widget"[^}]*\\} (\\d+)$`, 'mu').exec(await text('/metrics'))?.[1]);
  const gauges = async () => ({ inStep: await gauge('in_step'), halted: await gauge('halted') });

  async function allSayWell(): Promise<void> {
    expect(await statusNow()).toMatchObject({ code: 0, out: expect.not.stringMatching(/failed|refused/u) });
    expect(await text('/')).toContain('Everything is in step');
    expect(await gauges()).toEqual({ inStep: 1, halted: 0 });
    expect(await house.run('health', '--ready')).toMatchObject({ code: 0, out: 'ready\n  widget: in step\n' });
  }

  test.each(troubles)('status, page, metrics and health tell of $name, and all forget it together', async (trouble) => {
    await allSayWell();
    trouble.breaks();
    await until(async () => (await statusInDetail()).failures.length > 0);
    const { code, out } = await statusNow();
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(trouble.words) });
    const page = (await text('/')).replaceAll('&#39;', "'");
    expect(page).toMatch(trouble.words);
    expect(page).toContain('>failed<');
    expect(page).not.toMatch(/>in step<|Everything is in step/u);
    expect(await gauges()).toEqual({ inStep: 0, halted: 1 });
    expect(await gauge('failures')).toBeGreaterThan(0);
    const health = await house.run('health', '--ready');
    expect(health).toMatchObject({ code: trouble.needsPerson ? 4 : 0, out: expect.stringMatching(trouble.words) });
    trouble.mends();
    await until(async () => (await statusInDetail()).failures.length === 0);
    await allSayWell();
  });

  test('status, page, metrics and health tell of a plan that the brake refused', async () => {
    await allSayWell();
    for (let bug = 1; bug <= bugs; bug += 1) house.tracker.as('admin').change(bug, { severity: 'trivial' });
    await until(async () => (await statusInDetail()).refusals.length > 0);
    const words = /12 of 12 pairs/u;
    expect(await statusNow()).toMatchObject({ code: 1, out: expect.stringMatching(words) });
    expect(await text('/')).toMatch(words);
    expect(await gauges()).toEqual({ inStep: 0, halted: 1 });
    expect(await house.run('health', '--ready')).toMatchObject({ code: 4, out: expect.stringMatching(words) });
    for (let bug = 1; bug <= bugs; bug += 1) house.tracker.as('admin').change(bug, { severity: 'normal' });
    await until(async () => (await statusInDetail()).refusals.length === 0);
    await until(async () => (await statusInDetail()).code === 0);
    await allSayWell();
  });
});

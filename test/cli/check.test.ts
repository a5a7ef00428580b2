import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkRoute } from '../../src/cli/check-route.ts';
import type { Route, Vocabulary } from '../../src/model/route.ts';
import { changeUser } from '../contract/tracker-scene.ts';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';
import { widgetRoute } from '../support/routes.ts';

const vocabulary: Vocabulary = {
  values: {
    component: ['Core', 'UI'],
    version: ['unspecified'],
    severity: ['normal', 'minor'],
    priority: ['---'],
    platform: ['All'],
    op_sys: ['All'],
    keywords: ['crash'],
  },
  workflow: {
    UNCONFIRMED: ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED'],
    CONFIRMED: ['IN_PROGRESS', 'RESOLVED'],
    IN_PROGRESS: ['CONFIRMED', 'RESOLVED'],
    RESOLVED: ['CONFIRMED', 'VERIFIED'],
    VERIFIED: ['CONFIRMED'],
  },
};
const { create, selection, status } = widgetRoute;
const { keywords: _keywords, ...untold } = vocabulary.values;

describe('a route compared with what the tracker knows', () => {
  test('that fits is ok in all parts', () => {
    expect(checkRoute(widgetRoute, vocabulary).map(({ level }) => level)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  const rows: readonly (readonly [string, Partial<Route>, Partial<Vocabulary>, 'failure' | 'warning', RegExp])[] = [
    ['a product it does not show', {}, { values: {} }, 'failure', /shows our account no product Widget/],
    [
      'a component it lacks',
      { selection: { ...selection, components: ['Core', 'Gear'] } },
      {},
      'failure',
      /no component "Gear"; it has Core, UI/,
    ],
    ['a keyword it lacks', { selection: { ...selection, keyword: 'crush' } }, {}, 'failure', /no keyword "crush"; it has crash/],
    ['a severity it does not accept', { create: { ...create, severity: 'S1' } }, {}, 'failure', /create.severity is "S1".*normal, minor/],
    ['no component for new bugs', { create: { ...create, component: '' } }, {}, 'failure', /create.component is nothing/],
    [
      'a closing status it lacks',
      { status: { ...status, completed: ['CLOSED', 'FIXED'] } },
      {},
      'failure',
      /toTracker names CLOSED; the tracker has UNCONFIRMED/,
    ],
    [
      'a status the map lacks',
      {},
      { workflow: { ...vocabulary.workflow, WAITING: ['CONFIRMED', 'RESOLVED'] } },
      'warning',
      /does not name WAITING/,
    ],
    [
      'a status without a way out',
      {},
      { workflow: { ...vocabulary.workflow, VERIFIED: [] } },
      'warning',
      /a VERIFIED bug cannot become open: .*no way/,
    ],
    ['a workflow it does not tell', {}, { workflow: null }, 'warning', /does not tell its workflow/],
    ['keywords it does not tell', {}, { values: untold }, 'warning', /values of keywords/],
  ];
  test.each(rows)('%s', (_name, route, known, level, words) => {
    const verdicts = checkRoute({ ...widgetRoute, ...route }, { ...vocabulary, ...known });
    expect(verdicts.filter((verdict) => words.test(verdict.words)).map((verdict) => verdict.level)).toEqual([level]);
  });

  test('that never files bugs needs no values for them', () => {
    const route: Route = { ...widgetRoute, direction: 'to-github', create: { ...create, component: '' } };
    expect(checkRoute(route, vocabulary).every(({ level }) => level === 'ok')).toBe(true);
  });
});

describe('check and explain ask both sides', () => {
  let house: House;

  beforeEach(async () => {
    house = await openHouse((tracker) => {
      tracker.as('alice').file({ summary: 'In Core', description: '', component: 'Core' });
      tracker.as('alice').file({ summary: 'In UI', description: '', component: 'UI' });
      tracker.hide(tracker.as('alice').file({ summary: 'Hidden', description: '', component: 'Core' }));
    });
  });
  afterEach(() => house.close());

  const onlyCore = (config: HouseConfig) => {
    config.routes[0].tracker.component = 'Core';
  };

  test('check says ok line by line and writes nothing', async () => {
    const { code, out } = await house.run('check');
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(Array.from({ length: 9 }, () => 'ok'));
    expect(out).toContain('as bridge@example.test');
    expect(out).toContain('as bugferry-bot');
    expect(house.writes()).toBe(0);
  });

  test('check fails for an account that may only read', async () => {
    house.github.allow('acme/widget', 'bugferry-bot', 'read');
    const { code, out } = await house.run('check');
    expect(code).toBe(2);
    expect(out).toMatch(/failure {2}route widget, rights: give the account/);
  });

  test('check warns of a tracker account that may not change bugs of others, where bugs are to be changed', async () => {
    changeUser(house.tracker, 'bridge', { groups: ['canconfirm'] });
    const { code, out } = await house.run('check');
    expect(code).toBe(0);
    expect(out).toMatch(/warning {2}route widget, tracker rights: bridge@example.test is not in .*editbugs.*ask an administrator/);
    house.configure((config) => {
      config.routes[0].direction = 'to-github';
    });
    expect((await house.run('check')).out).not.toContain('editbugs');
  });

  test('check fails for a component that does not exist', async () => {
    house.configure((config) => {
      config.routes[0].tracker.component = ['Core', 'Gear'];
    });
    expect(await house.run('check')).toMatchObject({ code: 2, out: expect.stringContaining('no component "Gear"') });
  });

  const unlinked: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a bug of another component', ['bug', '2'], /route widget: the route does not take component UI/],
    ['a hidden bug', ['bug', '3'], /not authorized/],
    ['a bug that does not exist', ['bug', '99'], /does not exist/],
    ['a repository without a route', ['issue', 'acme/other#1'], /no route has the repository acme\/other/],
    ['an issue that does not exist', ['issue', 'acme/widget#99'], /404/],
  ];
  test.each(unlinked)('explain tells why nothing happens to %s', async (_name, args, words) => {
    house.configure(onlyCore);
    await house.run('once');
    const { code, out } = await house.run('explain', ...args);
    expect(code).toBe(0);
    expect(out).toContain('is not mirrored.');
    expect(out).toMatch(words);
  });

  test('explain tells the whole story of a bug, by either end', async () => {
    house.configure(onlyCore);
    await house.run('once');
    house.tracker.as('admin').change(1, { severity: 'minor' });
    await house.run('once');
    const byBug = await house.run('explain', 'bug', '1');
    expect(byBug.out).toMatch(/bug 1 = acme\/widget#1 {2}"In Core"/);
    expect(byBug.out).toMatch(/\d UTC {2}the issue was opened: http/);
    expect(byBug.out).toMatch(/\d UTC {2}on the issue, severity went from normal to minor/);
    expect((await house.run('explain', 'issue', 'ACME/Widget#1')).out).toBe(byBug.out);
  });

  test('explain tells that a bug is frozen because it was hidden', async () => {
    await house.run('once');
    house.tracker.hide(1);
    await house.run('once', '--sweep');
    const { out } = await house.run('explain', 'bug', '1');
    expect(out).toMatch(/frozen: .*; nothing is written until the tracker shows its item again/);
  });
});

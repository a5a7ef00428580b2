import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { type House, openHouse } from '../support/bugferry.ts';

/** A route that the configuration switches off, beside one that runs. */
let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  });
  await house.run('once');
  switchOff();
});
afterEach(() => house.close());

const switchOff = (http?: { readonly port: number }) =>
  house.configure((config) => {
    const [widget] = config.routes;
    config.routes = [
      { ...widget, enabled: false, contact: 'ada@example.test' },
      {
        ...widget,
        name: 'gadget',
        tracker: { product: 'Gadget' },
        create: { component: 'Firmware' },
        github: { repo: 'acme/gadget' },
        contact: 'the gadget list',
      },
    ];
    config.http = http;
    config.schedule = { poll: '0 0 1 1 *', sweep: '0 0 1 1 *' };
  });

test('is neither read nor written, keeps its pairs, and goes on when it is switched on', async () => {
  house.tracker.as('alice').change(1, { summary: 'It fails on Mondays' });
  for (const args of [['once'], ['once', '--sweep']]) expect(await house.run(...args)).toMatchObject({ code: 0 });
  expect(house.github.issue('acme/widget', 1)?.title).toBe('It fails');
  expect(
    (await house.run('plan', '--json'))
      .json<{ routes: readonly { route: string }[] }>()[0]
      ?.routes.map(({ route }) => route),
  ).toEqual(['gadget']);
  house.configure(() => {});
  await house.run('once');
  expect(house.github.issue('acme/widget', 1)?.title).toBe('It fails on Mondays');
});

test('is told as off by status and check, with whom to ask about each route', async () => {
  await house.run('once');
  const { code, out, err } = await house.run('status');
  expect(code).toBe(0);
  expect(out).toMatch(/widget .* off: 1 pair\n {2}contact {3}ada@example\.test\n {2}off/u);
  expect(out).toContain('the gadget list');
  expect(err).not.toContain('which the configuration does not have');
  const check = await house.run('check');
  expect(check.out).toMatch(/warning {2}route widget: switched off/u);
  expect(check.out).toContain('route gadget: its contact is the gadget list');
});

test('is told as off by the page, health and the metrics', async () => {
  const port = await freePort();
  switchOff({ port });
  const running = house.start('run');
  await running.says('started');
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  for (let count = 0; count < 600 && !(await read('/readyz')).includes('"ready":true'); count += 1)
    await new Promise((done) => setTimeout(done, 100));
  expect(JSON.parse(await read('/readyz'))).toMatchObject({
    ready: true,
    routes: [
      { route: 'widget', isReady: true, why: expect.stringContaining('enabled: false') },
      { route: 'gadget', isReady: true },
    ],
  });
  expect(await read('/')).toContain('Nothing to mirror yet');
  expect(await read('/routes/widget')).toMatch(/>off<[\s\S]*enabled: false[\s\S]*ada@example\.test/u);
  const metrics = await read('/metrics');
  expect(metrics).toContain('bugferry_resting{route="widget"} 1');
  expect(metrics).toContain('bugferry_resting{route="gadget"} 0');
  expect(metrics).not.toContain('bugferry_in_step{route="widget"}');
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

test('a contact is one line', async () => {
  house.configure((config) => {
    config.routes[0].contact = 'Ada\nBob';
  });
  expect(await house.run('status')).toMatchObject({
    code: 2,
    err: expect.stringContaining('contact must be one line'),
  });
});

test('is read by nobody, also where it never ran', async () => {
  rmSync(house.state);
  await house.run('once');
  expect((await house.run('status')).out).toMatch(/^widget .* off: 0 pairs$/mu);
});

test('if all routes are off, each command says so', async () => {
  house.configure((config) => {
    config.routes = config.routes.map((route: object) => ({ ...route, enabled: false }));
  });
  const off = 'All routes of the configuration are switched off (enabled: false).';
  for (const command of ['once', 'adopt'])
    expect([command, await house.run(command)]).toMatchObject([command, { code: 0, err: `${off}\n` }]);
  for (const command of ['plan', 'verify', 'migrate', 'cutover'])
    expect([command, await house.run(command)]).toMatchObject([
      command,
      { code: 2, err: expect.stringContaining(off) },
    ]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';

/** A product, a component or a repository that does not exist: a search finds nothing there, as if all were in step. */
let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  });
});
afterEach(() => house.close());

const wrong: readonly (readonly [string, (route: HouseConfig) => void, words: string])[] = [
  ['a product', (route) => Object.assign(route.tracker, { product: 'Widgit' }), 'sees no product "Widgit"'],
  [
    'a product in other case',
    (route) => Object.assign(route.tracker, { product: 'widgets' }),
    'sees no product "widgets"',
  ],
  [
    'a component',
    (route) => {
      route.tracker.component = 'Kernel';
      route.create.component = 'Kernel';
    },
    'has no component "Kernel"; it has',
  ],
  [
    'a repository',
    (route) => Object.assign(route.github, { repo: 'acme/nope' }),
    'check github.repo in the configuration',
  ],
];

test.each(wrong)('%s that does not exist', async (_name, change, words) => {
  house.configure((config) => change(config.routes[0]));
  for (const command of ['plan', 'once', 'verify']) {
    const { code, err, out } = await house.run(command);
    expect([command, code]).toEqual([command, 4]);
    expect(err).toContain(words);
    expect(out).not.toContain('in step');
  }
  const status = await house.run('status');
  expect(status).toMatchObject({ code: 1, out: expect.stringContaining('failed: ') });
  expect(status.out).toContain(words);
  expect((await house.run('check')).code).not.toBe(0);

  // Once it is right, the next cycle works: nothing of the mistake was kept.
  house.configure(() => {});
  expect(await house.run('once')).toMatchObject({ code: 0, out: expect.stringContaining('created') });
});

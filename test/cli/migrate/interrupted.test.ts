import { afterEach, beforeEach, expect, test } from 'vitest';
import { type House, openHouse } from '../../support/bugferry.ts';

/** What halts a migration or a cutover is known afterwards, and what is left of it. */
let house: House;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (let number = 1; number <= 4; number += 1)
      tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.', stampedMsAgo: 86_400_000 });
  });
  house.github.allow('acme/widget', 'bugferry-bot', 'admin');
  house.configure((config) => {
    config.routes[0].direction = 'to-github';
  });
});
afterEach(() => house.close());

test('a migration that a side halts leaves a route that failed', async () => {
  await house.run('once');
  // The product was renamed.
  const { state } = house.tracker;
  for (const [at, product] of state.products.entries())
    if (product.name === 'Widget') state.products[at] = { ...product, name: 'Gizmo' };
  for (const [id, bug] of state.bugs) state.bugs.set(id, { ...bug, product: 'Gizmo' });
  expect((await house.run('migrate')).code).toBe(3);
  expect((await house.run('status')).out).toMatch(/failed: [\s\S]*the last cycle failed at the tracker/u);
});

test('a cutover that the tracker refuses as a whole gives no advice to switch, and nothing of it is left', async () => {
  await house.run('migrate', '--no-verify');
  const { code, out, err } = await house.run('cutover', '--yes', 'close', '--status', 'RESOLVED/GONEAWAY');
  expect(code, out + err).toBe(1);
  expect(out).not.toMatch(/direction: to-tracker/u);
  expect((await house.run('status')).out).not.toContain('cutover');
});

test('where nobody is known yet, the command is named that belongs there', async () => {
  await house.run('migrate', '--rehearse', 'acme/none');
  const rehearsed = await house.run('people', '--rehearse', 'acme/none');
  expect(rehearsed).toMatchObject({ code: 1, out: expect.stringContaining('bugferry migrate --rehearse acme/none') });
  expect(rehearsed.out).not.toContain('bugferry once');
});

test('the comments of a cutover lead to its advice', async () => {
  await house.run('migrate', '--no-verify');
  const { code, out } = await house.run('cutover', '--yes', 'comment');
  expect([code, /direction: to-tracker/u.test(out)]).toEqual([0, true]);
});

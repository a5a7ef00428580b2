import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Component, Product } from '../../src/sandbox/tracker/world/state.ts';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';

/** What the tracker lacked is put right on the tracker, and not in the configuration: the next cycle sees that. */
let house: House;
beforeEach(async () => {
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
});
afterEach(() => house.close());

/** Puts a changed copy in the place of the product: the products that a world begins with are shared with all others. */
function changeProduct(change: (product: Product) => Partial<Product>): void {
  const { products } = house.tracker.state;
  const index = products.findIndex(({ name }) => /^(?:Widget|Gizmo|Hidden)$/u.test(name));
  const product = products[index] as Product;
  products[index] = { ...product, ...change(product) };
}

/** Renames the product, as an administrator does. */
function rename(name: string): void {
  changeProduct(() => ({ name }));
  for (const bug of house.tracker.bugs()) Object.assign(bug, { product: name });
}

const absent: readonly (readonly [string, () => void, () => void, (route: HouseConfig) => void])[] = [
  ['a product that is renamed, and renamed back', () => rename('Gizmo'), () => rename('Widget'), () => undefined],
  [
    'a product that is made later',
    () => undefined,
    () => house.tracker.addProduct('Sprocket'),
    (route) => Object.assign(route.tracker, { product: 'Sprocket' }),
  ],
  [
    'a component that is made later',
    () => undefined,
    () =>
      changeProduct(({ components }) => {
        const [first] = components as readonly [Component, ...Component[]];
        return { components: [...components, { ...first, id: 900, name: 'Kernel' }] };
      }),
    (route) => Object.assign(route.create, { component: 'Kernel' }),
  ],
  [
    'a keyword that is made later, on a route that mirrors nothing without it',
    () => undefined,
    () => {
      const { state } = house.tracker;
      Object.assign(state, { keywords: [...state.keywords, { id: 900, name: 'upstream', description: '' }] });
    },
    (route) => Object.assign(route.tracker, { keyword: 'upstream' }),
  ],
  [
    'a product that our account may not see yet',
    () => changeProduct(() => ({ name: 'Hidden' })),
    () => changeProduct(() => ({ name: 'Widget' })),
    () => undefined,
  ],
];

test.each(absent)('%s', async (_name, breaks, mends, change) => {
  house.configure((config) => change(config.routes[0]));
  breaks();
  for (let turn = 0; turn < 3; turn += 1) expect((await house.run('once')).code).toBe(4);
  expect((await house.run('status')).out).toContain('failed: ');
  mends();
  expect(await house.run('once')).toMatchObject({ code: 0, err: '' });
  expect((await house.run('status')).out).not.toContain('failed');
});

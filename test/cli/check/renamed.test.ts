import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { type House, openHouse } from '../../support/bugferry.ts';

/** Names that change outside of the bridge: nothing is made twice, and nothing is taken off GitHub because of them. */
let house: House;

const alice = () => house.tracker.as('alice');
const mona = () => house.github.as('mona');

beforeEach(async () => {
  house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'First problem', description: 'It fails.' });
    tracker.as('alice').file({ summary: 'Second problem', description: 'It fails, too.' });
  });
  mona().open('acme/widget', { title: 'People see it too', body: 'Here.' });
  for (let count = 0; count < 3; count += 1) await house.run('once');
});
afterEach(() => house.close());

const titles = (repo: string) =>
  house.github.issues(repo).map(({ title, state, isLocked }) => [title, state, isLocked]);

/** What each command says that works on the route, or reports about it. */
async function said(fragment: string): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const args of [['once'], ['once', '--sweep'], ['plan'], ['check'], ['status']]) {
    const { code, out, err } = await house.run(...args);
    expect([code, args.join(' ')]).not.toEqual([0, args.join(' ')]);
    texts[args.join(' ')] = `${out}${err}`.replace(/\s+/gu, ' ');
  }
  const run = house.start('run');
  await run.says(fragment);
  run.child.kill('SIGTERM');
  const ended = await run.ended;
  texts['run'] = `${ended.out}${ended.err}`.replaceAll('\\"', '"');
  return texts;
}

async function settled(): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    const { code, out, err } = await house.run('once', '--sweep');
    expect([code, out + err]).toEqual([0, expect.any(String)]);
  }
}

/** All goes on, in both directions, on the issues and bugs that were there. */
async function goesOn(repo: string): Promise<void> {
  const before = titles(repo);
  alice().comment(1, 'Said on the tracker.');
  mona().comment(repo, 1, 'Said on GitHub.');
  mona().comment(repo, 2, 'Said on GitHub as well.');
  await settled();
  expect(titles(repo)).toEqual(before);
  expect(house.tracker.bugs()).toHaveLength(3);
  const texts = [1, 2, 3].flatMap((number) => house.github.commentsOf(repo, number).map(({ body }) => body));
  expect(texts.filter((text) => text.includes('Said on the tracker.'))).toHaveLength(1);
  const onBugs = house.tracker.bugs().flatMap(({ id }) => house.tracker.commentsOf(id).map(({ text }) => text));
  expect(onBugs.filter((text) => text.includes('Said on GitHub.'))).toHaveLength(1);
  expect(onBugs.filter((text) => text.includes('Said on GitHub as well.'))).toHaveLength(1);
  expect((await house.run('status')).code).toBe(0);
}

describe('a renamed repository', () => {
  const words = 'The repository acme/widget is now acme/gizmo. Write "repo: acme/gizmo" under "github" of the route.';

  test('stops its route with its new name, and its pairs go on under that name', async () => {
    const before = titles('acme/widget');
    house.github.renameRepo('acme/widget', 'gizmo');
    alice().comment(1, 'Meanwhile.');
    for (const [command, text] of Object.entries(await said('is now acme/gizmo')))
      expect(text, command).toContain(words);
    expect(titles('acme/gizmo')).toEqual(before);
    house.configure((config) => {
      config.routes[0].github.repo = 'acme/gizmo';
    });
    await settled();
    expect(titles('acme/gizmo')).toEqual(before);
    await goesOn('acme/gizmo');
  });

  test('goes on although another repository has its old name', async () => {
    house.github.renameRepo('acme/widget', 'gizmo');
    house.configure((config) => {
      config.routes[0].github.repo = 'acme/gizmo';
    });
    await settled();
    house.github.addRepo('acme/widget', { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
    await goesOn('acme/gizmo');
    expect(titles('acme/widget')).toEqual([]);
  });

  test.each([0, 2, 6])('is not taken for the one that got its old name, with %i issues', async (count) => {
    const before = titles('acme/widget');
    house.github.renameRepo('acme/widget', 'gizmo');
    house.github.addRepo('acme/widget', { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
    for (let opened = 0; opened < count; opened += 1) mona().open('acme/widget', { title: 'Of others', body: 'Here.' });
    alice().file({ summary: 'Third problem', description: 'It fails as well.' });
    alice().comment(1, 'Meanwhile.');
    for (const [command, text] of Object.entries(await said('which got its name')))
      expect(text, command).toContain('Write "repo: acme/gizmo" under "github" of the route');
    expect(titles('acme/widget')).toEqual(Array.from({ length: count }, () => ['Of others', 'open', false]));
    expect(house.tracker.bugs()).toHaveLength(4);
    house.configure((config) => {
      config.routes[0].github.repo = 'acme/gizmo';
    });
    await settled();
    expect(titles('acme/gizmo')).toEqual([...before, ['Third problem', 'open', false]]);
    const texts = [1, 2, 3].flatMap((number) => house.github.commentsOf('acme/gizmo', number).map(({ body }) => body));
    expect(texts).toEqual([expect.stringContaining('Meanwhile.')]);
    expect((await house.run('status')).code).toBe(0);
  });

  /** The repository is deleted, and another one gets its name, with so many issues of people. */
  function makeAnew(issues: number): void {
    house.github.state.repos.delete('acme/widget');
    house.github.addRepo('acme/widget', { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
    for (let opened = 0; opened < issues; opened += 1)
      mona().open('acme/widget', { title: `Anew ${opened}`, body: 'Here.' });
    alice().file({ summary: 'Third problem', description: 'It fails.' });
  }
  const letsGo = 'their bugs stay as they are, and are not mirrored any more';

  test.each([
    [0, ['once']],
    [2, ['once']],
    [6, ['once']],
    [2, ['once', '--sweep']],
  ] as const)(
    'is not taken for one made anew under its name with %i issues, until a person lets go: %s',
    async (count, command) => {
      makeAnew(count);
      const words = await said('which got its name');
      for (const [asked, text] of Object.entries(words)) {
        expect(text, asked).toContain('run bugferry once --force');
        expect(text, asked).toContain(letsGo);
      }
      expect(titles('acme/widget')).toHaveLength(count);
      expect(await house.run(...command, '--force')).toMatchObject({ code: 0 });
      await settled();
      const anew = Array.from({ length: count }, (_each, index) => `Anew ${index}`);
      expect(titles('acme/widget').map(([title]) => title)).toEqual([...anew, 'Third problem']);
      expect(house.tracker.bugs().map(({ summary }) => summary)).toEqual([
        ...['First problem', 'Second problem', 'People see it too', 'Third problem'],
        ...anew,
      ]);
      expect((await house.run('status')).code).toBe(0);
    },
  );

  test('is not let go of as long as it exists under another name', async () => {
    house.github.renameRepo('acme/widget', 'gizmo');
    house.github.addRepo('acme/widget', { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
    alice().file({ summary: 'Third problem', description: 'It fails.' });
    const { code, err } = await house.run('once', '--force');
    expect([code, err]).toEqual([3, expect.stringContaining('Write "repo: acme/gizmo" under "github"')]);
    expect(err).not.toContain(letsGo);
    expect(titles('acme/widget')).toEqual([]);
  });

  test('is noticed by a daemon before it writes there', async () => {
    const run = house.start('run');
    await run.says('started');
    house.github.renameRepo('acme/widget', 'gizmo');
    house.github.addRepo('acme/widget', { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
    alice().file({ summary: 'Third problem', description: 'It fails as well.' });
    await run.says('which got its name');
    expect(titles('acme/widget')).toEqual([]);
    run.child.kill('SIGTERM');
    await run.ended;
  });

  test('is the same whatever the case of its name', async () => {
    house.configure((config) => {
      config.routes[0].github.repo = 'Acme/Widget';
    });
    await goesOn('acme/widget');
  });

  test('is not taken for another one that the configuration names', async () => {
    house.configure((config) => {
      config.routes[0].github.repo = 'acme/gadget';
    });
    alice().comment(1, 'Meanwhile.');
    for (const [command, text] of Object.entries(await said('is another repository')))
      expect(text, command).toContain('Write "repo: acme/widget" under "github" of the route');
    expect(titles('acme/gadget')).toEqual([]);
    house.configure(() => undefined);
    await goesOn('acme/widget');
  });
});

/** As an administrator does it: no bug becomes newer. */
function renameProduct({ state }: TrackerWorld, from: string, to: string): void {
  const at = state.products.findIndex(({ name }) => name === from);
  const product = state.products[at];
  if (product !== undefined) state.products[at] = { ...product, name: to };
  for (const [id, bug] of state.bugs) if (bug.product === from) state.bugs.set(id, { ...bug, product: to });
}

function renameComponent({ state }: TrackerWorld, from: string, to: string): void {
  for (const [at, product] of state.products.entries())
    state.products[at] = {
      ...product,
      components: product.components.map((each) => (each.name === from ? { ...each, name: to } : each)),
    };
  for (const [id, bug] of state.bugs) if (bug.component === from) state.bugs.set(id, { ...bug, component: to });
}

describe('a renamed product', () => {
  const words = 'our account sees no product "Widget", and its bugs are in "Gizmo" now';
  const line = 'write "product: Gizmo" under "tracker" of route widget';

  test.each([1, 3])('stops its route with its new name, and moves none of its %i bugs', async (count) => {
    if (count === 1) for (const number of [1, 2]) house.tracker.state.bugs.delete(number);
    const before = titles('acme/widget');
    renameProduct(house.tracker, 'Widget', 'Gizmo');
    mona().comment('acme/widget', 3, 'Meanwhile.');
    for (const [command, text] of Object.entries(await said('sees no product'))) {
      expect(text, command).toContain(words);
      expect(text, command).toContain(line);
    }
    expect(titles('acme/widget')).toEqual(before);
    if (count === 1) return;
    house.configure((config) => {
      config.routes[0].tracker.product = 'Gizmo';
    });
    await house.run('once');
    expect(titles('acme/widget')).toEqual(before);
    await goesOn('acme/widget');
    expect(house.github.issue('acme/widget', 1)?.body).not.toContain('moved');
  });

  test('is followed by the configuration before the bridge has seen it', async () => {
    const before = titles('acme/widget');
    renameProduct(house.tracker, 'Widget', 'Gizmo');
    mona().comment('acme/widget', 1, 'Meanwhile.');
    house.configure((config) => {
      config.routes[0].tracker.product = 'Gizmo';
    });
    await house.run('once');
    expect(titles('acme/widget')).toEqual(before);
    await goesOn('acme/widget');
  });
});

describe('a renamed component', () => {
  test.each(['create', 'selection'] as const)('that the %s names stops the route with its new name', async (where) => {
    house.configure((config) => {
      if (where === 'selection') config.routes[0].tracker.component = 'Core';
    });
    await house.run('once');
    renameComponent(house.tracker, 'Core', 'Kernel');
    if (where === 'create') mona().open('acme/widget', { title: 'A new one', body: 'There.' });
    else alice().file({ summary: 'A new one', component: 'Kernel' });
    // What the bridge knows of the tracker is a day old, until something does not fit.
    await house.run('once');
    const texts = Object.entries(await said('has no component'));
    for (const [command, text] of texts) {
      expect(text, command).toContain('product Widget has no component "Core"');
      expect(text, command).toContain(`under "${where === 'create' ? 'create' : 'tracker'}" of route widget`);
    }
    house.configure((config) => {
      config.routes[0].create.component = 'Kernel';
      if (where === 'selection') config.routes[0].tracker.component = 'Kernel';
    });
    await settled();
    expect(house.tracker.bugs().map(({ component }) => component)).toEqual(Array(4).fill('Kernel'));
    expect(titles('acme/widget')).toHaveLength(4);
  });
});

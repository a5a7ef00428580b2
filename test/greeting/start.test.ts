import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';

/** What a start asks of both sides before it looks for changes, counted by the servers. */
let house: House;

const repo = 'acme/widget';
const routes = 2;
const passesMax = 200;

/** The polls, and the look at mirrored bugs. */
const floor = routes + 1;

beforeEach(async () => {
  house = await openHouse((tracker) => {
    const alice = tracker.as('alice');
    tracker.addProduct('Gizmo');
    // Fewer than this in all would say nothing about how many the tracker returns at once.
    for (let index = 1; index <= 20; index += 1) alice.file({ summary: `Old bug ${index}`, product: 'Gizmo' });
    for (let index = 1; index <= 4; index += 1) alice.file({ summary: `Bug ${index}`, description: 'It fails.' });
  });
  house.configure(twoRoutes);
  // What was written is looked at again until its second is over. Stamps have whole seconds, so that one quiet pass may
  // still come too early, and a quick machine makes dozens of passes in one second.
  let quiet = 0;
  for (let pass = 0; pass < passesMax && quiet < 2; pass += 1) {
    const { tracker, github } = await asked('once');
    quiet = tracker === floor && github.length === 0 ? quiet + 1 : 0;
  }
  if (quiet < 2) throw new Error(`The mirror is not at rest after ${passesMax} passes.`);
});
afterEach(() => house.close());

function twoRoutes(config: HouseConfig): void {
  config.routes.push({
    name: 'gadget',
    tracker: { product: 'Gadget' },
    github: { repo: 'acme/gadget' },
    create: { component: 'Firmware', version: 'A1' },
  });
}

function repository() {
  const found = [...house.github.state.repos.values()].find(({ name }) => name === 'widget');
  if (found === undefined) throw new Error('There is no repository.');
  return found;
}

interface RunRequests {
  readonly code: number;
  readonly tracker: number;
  /** The paths of requests to GitHub that count. */
  readonly github: readonly string[];
  readonly free: readonly string[];
}

async function asked(...args: readonly string[]): Promise<RunRequests> {
  const [before, from] = [house.requests(), house.github.requests.length];
  const { code } = await house.run(...args);
  const lines = house.github.requests.slice(from);
  const paths = (isFree: boolean) => lines.filter(({ status }) => (status === 304) === isFree).map(({ path }) => path);
  return { code, tracker: house.requests() - before, github: paths(false), free: paths(true) };
}

test('beside an unchanged mirror, a start asks the tracker once for each route and once in all, and GitHub nothing that counts', async () => {
  const { code, tracker, github, free } = await asked('once');
  expect({ code, tracker, github }).toEqual({ code: 0, tracker: floor, github: [] });
  // The repository once, and the lists of issues and comments.
  expect(free.length).toBe(3 * routes);
});

describe('asked anew is', () => {
  test('everything that `check` shows', async () => {
    const { tracker, github } = await asked('check');
    expect(github).toContain('/user');
    expect(tracker).toBeGreaterThan(floor + 4);
  });

  test('everything with another key or token', async () => {
    const other = 'token-of-another-day';
    house.github.setToken('bugferry-bot', other, {});
    house.configure((config) => {
      twoRoutes(config);
      config.tracker.auth = 'query';
      config.github.token = other;
    });
    const { code, tracker, github } = await asked('once');
    expect(code).toBe(0);
    expect(github).toEqual(expect.arrayContaining(['/user', '/repos/acme/widget', '/repos/acme/gadget']));
    expect(tracker).toBeGreaterThan(floor);
  });

  test('everything after a refused write', async () => {
    repository().isArchived = true;
    house.tracker.as('alice').change(house.tracker.bugs().at(-1)?.id ?? 0, { summary: 'Another title' });
    await house.run('once');
    repository().isArchived = false;
    // The other route has asked for what belongs to the account already.
    const { tracker, github } = await asked('once');
    expect(github).toContain('/repos/acme/widget');
    expect(tracker).toBeGreaterThan(floor);
  });

  test('everything once the account is refused', async () => {
    const { apiKey } = house.tracker.user('bridge');
    house.configure((config) => {
      twoRoutes(config);
      config.tracker.apiKey = `${apiKey.slice(0, -1)}x`;
    });
    await house.run('once');
    house.configure(twoRoutes);
    expect((await asked('once')).github).toContain('/user');
  });
});

describe('a route that stays refused', () => {
  /** The other route goes on, and no side is greeted again. */
  const atRest = { code: 4, tracker: floor - 1, github: [] };

  test('makes no start greet everything again', async () => {
    repository().isPrivate = true;
    await asked('once');
    await asked('once');
    const { code, tracker, github } = await asked('once');
    expect({ code, tracker, github }).toEqual(atRest);
  });
});

test('a stored answer never decides who may read: a repository that became private is refused at once', async () => {
  repository().isPrivate = true;
  const { err } = await house.run('once');
  expect(err).toContain(`${repo} is private`);
});

describe('a tracker that shows nothing to everybody any more', () => {
  const saidNothing = 'the tracker shows nothing to readers without an account';

  test('is noticed at once, whatever runs, and publishes nothing', async () => {
    house.tracker.as('alice').file({ summary: 'Another bug' });
    Object.assign(house.tracker.state.settings, { requirelogin: '1' });
    const writes = () => house.github.requests.filter(({ method }) => method !== 'GET').length;
    const before = writes();
    for (const command of ['once', 'once', 'plan', 'verify'])
      expect((await house.run(command)).err).toContain(saidNothing);
    expect(writes()).toBe(before);
    Object.assign(house.tracker.state.settings, { requirelogin: '0' });
    expect((await house.run('once')).code).toBe(0);
    expect(writes()).toBeGreaterThan(before);
  });
});

import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Standing } from '../../src/model/route-status.ts';
import { bridgeLogin } from '../../src/sandbox/demo/stage.ts';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';
import { placesOf } from '../support/places.ts';

/**
 * What goes wrong in the world, as it is met: after one more `once`, every place says what is wrong and what to do.
 * test/cli/agreement.test.ts has the other states, which it writes into the state file.
 */
let house: House;
let port: number;
let breaker: Server | null = null;
/** The status of every answer of GitHub; null while it works. */
let githubAnswers: 503 | null = null;

const hourMs = 3_600_000;

/** @param aheadMs how far both sides are ahead of this machine from the beginning */
async function open(aheadMs = 0): Promise<void> {
  house = await openHouse(
    (tracker) => {
      late(aheadMs, tracker);
      for (const summary of ['It fails', 'It drips', 'It leaks'])
        tracker.as('alice').file({ summary, description: 'Always.' });
    },
    {
      faults: (side) =>
        side === 'github' && githubAnswers !== null
          ? { kind: 'status', status: githubAnswers, isHtml: true, after: false }
          : { kind: 'none' },
    },
  );
  late(aheadMs, house.github);
  port = await freePort();
  configure();
  await house.run('once');
  await house.run('once');
}

async function close(): Promise<void> {
  githubAnswers = null;
  breaker?.closeAllConnections();
  breaker?.close();
  breaker = null;
  await house.close();
}

beforeEach(() => open());
afterEach(close);

const configure = (change: (config: HouseConfig) => void = () => {}): void =>
  void house.configure((config) => {
    Object.assign(config, { http: { port } });
    change(config);
  });

type World = { readonly state: { readonly now: () => number } };

/** Sets the clock of a side. The clock of this machine is wrong if both sides contradict it. */
function late(ms: number, ...worlds: readonly World[]): void {
  for (const world of worlds) {
    const { now } = world.state;
    Object.assign(world.state, { now: () => now() + ms });
  }
}

/** Puts a server before a side that answers 500 wherever the answer would name the word. */
async function breakOn(word: string, side: 'tracker' | 'github'): Promise<void> {
  const behind = side === 'tracker' ? house.trackerUrl : house.githubUrl;
  breaker = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const { method = 'GET', url = '/' } = request;
    const answer = await fetch(`${behind}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (text.includes(word)) {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops</h1>');
      return;
    }
    const kept = [...answer.headers].filter(([name]) => !/^(?:content-length|content-encoding|transfer-)/u.test(name));
    response.writeHead(answer.status, Object.fromEntries(kept)).end(text);
  });
  await new Promise<void>((resolve) => breaker?.listen(0, '127.0.0.1', resolve));
  const { port: at } = breaker.address() as AddressInfo;
  configure((config) => {
    config[side].url = `http://127.0.0.1:${at}`;
  });
}

interface Said {
  readonly standing: Standing;
  readonly once: number;
  /** Whether `explain` and the pair page of bug 1, which is not at fault, have to say it. */
  readonly ofAll: boolean;
  readonly isReady: boolean;
  /** The first thing on the page. */
  readonly head: string;
  readonly what: RegExp;
  readonly todo: RegExp;
  /** What the public issue that lists what needs a person says; null while the next cycle may end it. */
  readonly listed: RegExp | null;
}

const clock: Omit<Said, 'head' | 'what' | 'todo' | 'listed'> = {
  standing: 'needs you',
  once: 1,
  ofAll: true,
  isReady: true,
};
const stopped: Omit<Said, 'head' | 'what' | 'todo' | 'listed'> = {
  standing: 'failed',
  once: 4,
  ofAll: true,
  isReady: false,
};
const ownClock: Said = {
  ...clock,
  head: 'The clock of this machine is wrong',
  what: /the clock of this machine is 2 hours (?:ahead of|behind) those of both sides/iu,
  todo: /Set the clock of this machine \(NTP\)\./u,
  listed: /The clock of this machine is wrong/u,
};
const trackerClock: Said = {
  ...clock,
  head: 'The tracker&#39;s clock is wrong',
  what: /The tracker's clock is \d+ (?:seconds|minutes|hours|days) (?:ahead of|behind) GitHub's and that of this machine/iu,
  todo: /Set the clock of the tracker's database \(NTP\)\./u,
  listed: /The tracker's clock is wrong/u,
};
const trackerDown: Said = {
  ...stopped,
  isReady: true,
  head: 'The tracker does not answer',
  what: /The tracker cannot be reached; check the address and the network/u,
  todo: /The next cycle tries again. If the failure stays, run bugferry check\./u,
  listed: null,
};

const rows: readonly (readonly [string, () => unknown, Said])[] = [
  ['a clock of this machine that is behind', () => late(2 * hourMs, house.tracker, house.github), ownClock],
  ['a clock of this machine that is ahead', () => close().then(() => open(-2 * hourMs)), ownClock],
  ["a tracker's clock that is two hours ahead", () => late(2 * hourMs, house.tracker), trackerClock],
  ["a tracker's clock that is ninety seconds ahead", () => late(90_000, house.tracker), trackerClock],
  ["a tracker's clock that is nine days ahead", () => late(216 * hourMs, house.tracker), trackerClock],
  [
    "GitHub's clock",
    () => late(-2 * hourMs, house.github),
    {
      ...clock,
      head: 'The clocks of both sides differ',
      what: /GitHub's clock is 2 hours behind the tracker's and that of this machine/u,
      todo: /Set the clock that is wrong \(NTP\); the clock of github.com is right\./u,
      listed: /The clocks of both sides differ/u,
    },
  ],
  ['a tracker that is down', () => house.stopTracker(), trackerDown],
  [
    'a tracker that is down for the second cycle',
    async () => {
      await house.stopTracker();
      await house.run('once');
    },
    { ...trackerDown, isReady: false, what: /the last 2 cycles failed/iu, listed: /The tracker does not answer/u },
  ],
  [
    'a tracker that is down beside a wrong clock',
    async () => {
      late(2 * hourMs, house.tracker, house.github);
      await house.run('once');
      await house.stopTracker();
    },
    { ...trackerDown, listed: /The clock of this machine is wrong/u },
  ],
  [
    'a GitHub that is down',
    () => {
      githubAnswers = 503;
    },
    { ...trackerDown, head: 'GitHub does not answer', what: /GitHub answered 503/u },
  ],
  [
    'a dead token',
    () => house.github.setToken(bridgeLogin, 'another'),
    {
      ...stopped,
      head: 'GitHub refuses the credentials',
      what: /401|token/u,
      todo: /Run bugferry check, and fix what it names\..* the configuration or the environment, restart the bridge/u,
      listed: /GitHub refuses the credentials/u,
    },
  ],
  [
    "a token that dies while the tracker fails, too: only the latest failure was GitHub's",
    async () => {
      await house.stopTracker();
      await house.run('once');
      house.github.setToken(bridgeLogin, 'another');
    },
    {
      ...stopped,
      head: 'GitHub refuses the credentials',
      what: /the last 2 cycles failed, the latest at GitHub: .*401/iu,
      todo: /Run bugferry check, and fix what it names\./u,
      listed: /GitHub refuses the credentials/u,
    },
  ],
  [
    'a product that the tracker does not have',
    () =>
      configure((config) => {
        for (const { tracker } of config.routes) tracker.product = 'Widgit';
      }),
    {
      ...stopped,
      head: 'The setup for the tracker is wrong',
      what: /sees no product .*Widgit/u,
      todo: /Run bugferry check, and fix what it names\..* After a change to the configuration, restart/u,
      listed: /The setup for the tracker is wrong/u,
    },
  ],
  [
    'a route that was removed',
    async () => {
      house.tracker
        .as('alice')
        .file({ product: 'Gadget', component: 'Firmware', summary: 'It beeps', description: 'Always.' });
      const gadget = { name: 'gadget', tracker: { product: 'Gadget' }, github: { repo: 'acme/gadget' } };
      configure((config) => config.routes.push({ ...gadget, create: { component: 'Firmware' } }));
      await house.run('once');
      configure();
    },
    {
      ...clock,
      head: 'Pairs of a route are left alone',
      what: /the state holds pairs of route gadget, which the configuration does not have/iu,
      todo: /give it the old name again; if it is to stop, configure it with enabled: false/u,
      listed: /Pairs of a route are left alone/u,
    },
  ],
  [
    'a bug on which the tracker fails',
    async () => {
      await breakOn('It drips', 'tracker');
      house.tracker.as('alice').change(2, { priority: 'Highest' });
    },
    {
      ...{ standing: 'set aside', once: 1, ofAll: false, isReady: true },
      head: '1 item is set aside',
      what: /bug 2\b.*The tracker failed while|The tracker fails on bug 2\b/isu,
      todo: /Ask an administrator of the tracker for the cause\. bugferry tries again after .*, and when the bug changes; bugferry resync bug 2/u,
      listed: /`bug 2 = acme\/widget#2`/u,
    },
  ],
  [
    'an issue on which GitHub fails',
    async () => {
      await breakOn('It drips', 'github');
      house.github.as('mona').edit('acme/widget', 2, { title: 'It drips at night' });
    },
    {
      ...{ standing: 'set aside', once: 1, ofAll: false, isReady: true },
      head: '1 item is set aside',
      what: /acme\/widget#2/u,
      todo: /bugferry resync/u,
      listed: /acme\/widget#2/u,
    },
  ],
];

/** What a person reads of a page. */
const textOf = (page: string): string =>
  page
    .replace(/^.*<main/su, '')
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/gu, ' ');

test.each(rows)('%s: every place says so, and what to do', async (_name, arrange, said) => {
  const { standing, head, what, todo, isReady, ofAll, listed } = said;
  await arrange();
  const once = await house.run('once');
  const places = await placesOf(house, port);
  const { status, health, explain } = places;

  expect(once.code).toBe(said.once);
  expect(`${once.out}${once.err}`).toMatch(standing === 'failed' ? /bugferry: route widget: / : what);
  if (standing !== 'failed') expect(once.out).toMatch(todo);

  expect(status).toMatchObject({ code: 1, out: expect.stringContaining(`${standing}: `) });
  expect(places.json).toMatchObject({ standing, isInStep: false });
  expect(places.page).toContain(`<h1>${head}</h1>`);
  for (const place of [status.out, places.page, places.routePage, places.readyz, health.out]) {
    expect(textOf(place)).toMatch(what);
    expect(textOf(place)).toMatch(todo);
  }
  expect(JSON.parse(places.readyz)).toMatchObject({ ready: isReady });
  expect(health).toMatchObject({ code: isReady ? 0 : 4, out: expect.stringContaining(`widget: ${standing}. `) });
  expect(places.metrics).toContain(`bugferry_standing{route="widget",standing="${standing}"} 1`);
  expect(places.metrics).toContain('bugferry_in_step{route="widget"} 0');
  expect(places.dashboardIssue).toMatch(listed ?? /Nothing public needs a person\./u);
  if (places.json.needsPerson) expect(places.notice).toMatch(/bugferry status says what to do/u);
  for (const place of [explain.out, textOf(places.pairPage)]) {
    if (ofAll) {
      expect(place).toMatch(what);
      expect(place).toMatch(todo);
    } else expect(place).toContain('in step; nothing is waiting');
  }
});

test('a clock that is right again needs nobody, and what has to be known of one item is with that item', async () => {
  late(2 * hourMs, house.tracker, house.github);
  await house.run('once');
  expect((await house.run('status')).code).toBe(1);
  late(-2 * hourMs, house.tracker, house.github);
  await house.run('once');
  expect(await house.run('status')).toMatchObject({ code: 0, out: expect.stringContaining('in step: 3 pairs') });

  await breakOn('It drips', 'tracker');
  house.tracker.as('alice').change(2, { priority: 'Highest' });
  await house.run('once');
  expect(await house.run('explain', 'bug', '2')).toMatchObject({ code: 1, out: expect.stringContaining('set aside') });
});

test.each([
  ['beside mirrored bugs', 'Widget', 'acme/widget', 'in step: 3 pairs'],
  ['of a product without bugs', 'Gadget', 'acme/gadget', 'in step: nothing to mirror yet'],
] as const)('issues that a one-way route leaves alone need nobody: %s', async (_name, product, repo, words) => {
  if (product === 'Gadget') rmSync(house.state);
  const change = { direction: 'to-github', tracker: { product }, github: { repo } };
  configure((config) => Object.assign(config.routes[0], change));
  for (const title of ['One', 'Two', 'Three', 'Four']) house.github.as('mona').open(repo, { title, body: 'It.' });
  await house.run('once');
  await house.run('once');
  const places = await placesOf(house, port);
  expect(places.status).toMatchObject({ code: 0, out: expect.stringContaining(words) });
  expect(places.json.isInStep).toBe(true);
  // One line for each, whatever would have to be written for it.
  const names = places.json.skips.map(({ about }) => about);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toHaveLength(4);
  expect(textOf(places.routePage)).toContain('4 items: the route is one-way (to-github)');
});

test('thirty seconds between two clocks are nothing', async () => {
  late(30_000, house.tracker);
  await house.run('once');
  expect(await house.run('status')).toMatchObject({ code: 0, out: expect.stringContaining('in step: 3 pairs') });
});

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { type House, openHouse, runHere } from '../support/bugferry.ts';
import { pause, type Running, start } from './process.ts';

/**
 * Every command that asks a side, as the built program, against two servers that answer late: all of its work is done,
 * and the process does not end before. What a command waits for has to keep its process alive, which no test within one
 * process shows. It is waiting and not computing, so much of it happens at the same time. A tracker that takes more
 * than a second is left alone for a while after each answer.
 */
const delays = [
  { trackerMs: 0, githubMs: 3_000 },
  { trackerMs: 1_100, githubMs: 1_100 },
  { trackerMs: 3_000, githubMs: 0 },
] as const;
type Delays = (typeof delays)[number];
const repo = 'acme/widget';

/** Each is a process that has to start first, and 50 that start at once wait for the processor, not for an answer. */
vi.setConfig({ maxConcurrency: 8 });

/**
 * So many processes at once come late to their own connections, which a server closes after five seconds; what that
 * loses is another matter.
 */
const keepConnections = (message: unknown): void => {
  (message as { readonly server: Server }).server.keepAliveTimeout = 600_000;
};
beforeAll(() => subscribe('http.server.request.start', keepConnections));
afterAll(() => unsubscribe('http.server.request.start', keepConnections));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Scenario {
  /** By default the command alone, with the configuration of the house. */
  readonly args?: (house: House) => readonly string[];
  /** What happens before the servers get slow. */
  readonly before?: (house: House) => Promise<void> | void;
  /** Resolves once a command that does not end by itself has done its work. */
  readonly until?: (house: House) => boolean;
  /** Whether the work is whole. */
  readonly after: (house: House, ended: Ended) => Promise<void> | void;
}

function fill(tracker: TrackerWorld): void {
  const alice = tracker.as('alice');
  alice.comment(alice.file({ summary: 'Filed on the tracker', description: 'It fails.' }), 'A comment');
}

const openIssue = ({ github }: House): void => {
  github.as('mona').open(repo, { title: 'Opened on GitHub', body: 'Steps' });
};

/** Both pairs are made, with all that belongs to them. */
function isWhole({ tracker, github }: House): boolean {
  const names = ['Filed on the tracker', 'Opened on GitHub'].join();
  const titles = (all: readonly string[]): string => all.toSorted().join();
  const issues = github.issues(repo);
  return (
    titles(issues.map(({ title }) => title)) === names &&
    titles(tracker.bugs().map(({ summary }) => summary)) === names &&
    tracker.bugs().every(({ see_also: pages }) => pages.length === 1) &&
    issues.every(({ labels }) => labels.includes('component: Core')) &&
    issues.flatMap(({ number }) => github.commentsOf(repo, number)).filter(({ body }) => body.includes('A comment'))
      .length === 1
  );
}

const paired = async (house: House): Promise<void> => {
  openIssue(house);
  for (let cycle = 0; cycle < 2; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
  expect(isWhole(house)).toBe(true);
};

const changeTracker = (
  { tracker: { state } }: House,
  settings: Partial<House['tracker']['state']['settings']>,
): void => {
  Object.assign(state, { settings: { ...state.settings, ...settings } });
};

/** Closing bug 1 is refused for want of a comment and parked; then the setting is put right. */
const parked = async (house: House): Promise<void> => {
  await paired(house);
  changeTracker(house, { commentonchange_resolution: '1' });
  house.github.as('mona').close(repo, 2, 'completed');
  expect(await house.run('once')).toMatchObject({ code: 1 });
  changeTracker(house, { commentonchange_resolution: '0' });
};

/** Ended well, and said this. */
const says =
  (words: RegExp) =>
  (_house: House, { code, output }: Ended): void => {
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(words) });
  };

const scenarios: Readonly<Record<string, Scenario>> = {
  // Clocks are the last thing that it looks at.
  check: { after: says(/clocks: this machine and both sides have the same time/u) },
  init: {
    args: (house) => initOptions(house),
    after: says(/clocks: this machine and both sides have the same time[\s\S]*Next: bugferry plan/u),
  },
  plan: {
    before: openIssue,
    after: says(/"Filed on the tracker"[\s\S]*"Opened on GitHub"[\s\S]* 6 writes\./u),
  },
  once: {
    before: openIssue,
    after(house, ended) {
      says(/2 pairs/u)(house, ended);
      expect(isWhole(house)).toBe(true);
    },
  },
  run: {
    before: openIssue,
    until: isWhole,
    after: says(/stopped/u),
  },
  verify: { before: paired, after: says(/2 pairs compared, no differences/u) },
  audit: {
    args: () => ['audit', '--against', 'anonymous'],
    before: paired,
    after: says(
      /everything published was checked again without an account[\s\S]*Everything published is allowed to be/u,
    ),
  },
  archive: {
    args: ({ folder }) => ['archive', join(folder, 'site')],
    before: paired,
    after: says(/2 bugs, 3 comments, 0 attachments that everyone may read/u),
  },
  adopt: {
    async before(house) {
      await paired(house);
      for (const rest of ['', '-wal', '-shm']) rmSync(`${house.state}${rest}`, { force: true });
    },
    after: says(/2 pairs restored; nothing to write/u),
  },
  explain: {
    args: () => ['explain', 'bug', '3'],
    async before(house) {
      await paired(house);
      house.tracker.as('alice').file({ summary: 'New', description: 'Just filed.' });
    },
    after: says(/Bug 3 is not mirrored[\s\S]*route widget takes it/u),
  },
  pair: {
    args: () => ['pair', 'bug', '1', `${repo}#1`],
    before: openIssue,
    // Two titles, one of which a person has to choose.
    after: (_house, { output }) => expect(output).toContain(`bug 1 = ${repo}#1: paired by command`),
  },
  pairs: {
    args: (house) => ['pairs', 'import', listOfPairs(house), '--dry-run'],
    before: openIssue,
    after: says(/line 1: bug 1 = acme\/widget#1: would become a pair/u),
  },
  resync: {
    args: () => ['resync', 'bug', '1'],
    async before(house) {
      await paired(house);
      house.tracker.as('alice').change(1, { summary: 'Renamed on the tracker' });
    },
    after(house, ended) {
      says(/title set to "Renamed on the tracker"/u)(house, ended);
      expect(house.github.issue(repo, 2)).toMatchObject({ title: 'Renamed on the tracker' });
    },
  },
  retry: {
    args: () => ['retry', '--all'],
    before: parked,
    after(house, ended) {
      says(/status set to/u)(house, ended);
      expect(house.tracker.bug(1)).toMatchObject({ status: 'RESOLVED', resolution: 'FIXED' });
    },
  },
  migrate: {
    args: () => ['migrate', '--no-verify'],
    before: ({ github }) => github.allow(repo, 'bugferry-bot', 'admin'),
    after(house, ended) {
      says(/widget: 1 issue created/u)(house, ended);
      expect(house.github.issues(repo)).toMatchObject([{ title: 'Filed on the tracker' }]);
    },
  },
  cutover: {
    args: () => ['cutover', '--yes', 'comment,close'],
    before: paired,
    after(house, ended) {
      says(/2 bugs updated, 0 were up to date/u)(house, ended);
      expect(house.tracker.bugs().map(({ status }) => status)).toEqual(['RESOLVED', 'RESOLVED']);
    },
  },
  // Its 600 requests would take too long here. A repository that is in use is refused after a few.
  rehearse: {
    args: () => ['rehearse', '--repo', 'acme/used', '--yes'],
    before({ github }) {
      github.addRepo('acme/used', { permissions: { 'bugferry-bot': 'admin' } });
      github.allow('acme/used', 'mona', 'write');
      github.as('mona').open('acme/used', { title: 'In use' });
    },
    after(_house, { code, output }) {
      expect({ code, output }).toEqual({
        code: 2,
        output: expect.stringMatching(/Nothing was written: acme\/used#1 "In use"/u),
      });
    },
  },
};

function listOfPairs({ folder }: House): string {
  const file = join(folder, 'pairs.csv');
  writeFileSync(file, `1,${repo}#1\n`);
  return file;
}

function initOptions(house: House): readonly string[] {
  const [key, token] = [join(house.folder, 'key'), join(house.folder, 'token')];
  writeFileSync(key, house.apiKey);
  writeFileSync(token, house.token);
  const secrets = ['--api-key-file', key, '--token-file', token, '--login', 'bridge@example.test'];
  const places = [
    '--url',
    house.trackerUrl,
    '--github-url',
    house.githubUrl,
    '--product',
    'Widget',
    '--repo',
    repo,
    '--direction',
    'both',
  ];
  return ['init', ...secrets, ...places, '--config', join(house.folder, 'new.yaml')];
}

async function play(name: string, scenario: Scenario, { trackerMs, githubMs }: Delays): Promise<void> {
  let isSlow = false;
  const delayMs = { tracker: trackerMs, github: githubMs };
  const house = await openHouse(fill, {
    faults: (side) => (isSlow ? { kind: 'slow', delayMs: delayMs[side] } : { kind: 'none' }),
    sleep: pause,
  });
  try {
    await scenario.before?.(house);
    isSlow = true;
    const args = scenario.args?.(house) ?? [name];
    const running = start(args.includes('--config') ? args : [...args, '--config', house.configure(() => {})]);
    if (scenario.until !== undefined) await stopOnce(scenario.until, house, running);
    const code = await running.ended;
    isSlow = false;
    await scenario.after(house, { code, output: running.output() });
  } finally {
    await house.close();
  }
}

/** Stops it between two cycles: one under way may need longer than a stop may take, as slow as everything is here. */
async function stopOnce(isDone: (house: House) => boolean, house: House, running: Running): Promise<void> {
  const asked = () => house.requests() + house.github.requests.length;
  const quietMs = 8_000;
  let [seen, since] = [asked(), Date.now()];
  while ((!isDone(house) || Date.now() - since < quietMs) && running.child.exitCode === null) {
    await pause(100);
    if (seen !== asked()) [seen, since] = [asked(), Date.now()];
  }
  running.child.kill('SIGTERM');
}

describe.concurrent.each(delays)('a tracker that answers after $trackerMs ms, a GitHub after $githubMs ms', (delay) => {
  test.each(Object.entries(scenarios))(
    '%s does all of its work',
    (name, scenario) => play(name, scenario, delay),
    400_000,
  );
});

/** These read their own files, or serve. `health` asks the daemon and no side. */
const ownFiles = {
  status: [],
  decide: [],
  pause: ['widget'],
  resume: ['widget'],
  redirects: [],
  state: ['verify'],
  people: [],
} as const;
const askNobody = [...Object.keys(ownFiles), 'health', 'demo', 'sandbox', 'completion'];

test('what is said to ask neither side does not', async () => {
  const house = await openHouse(fill);
  try {
    await paired(house);
    const asked = () => house.requests() + house.github.requests.length;
    const before = asked();
    for (const [name, args] of Object.entries(ownFiles))
      expect({ name, ran: await house.run(name, ...args) }).toMatchObject({ ran: { code: 0 } });
    expect(asked()).toBe(before);
  } finally {
    await house.close();
  }
});

test('every command is here, or asks neither side', async () => {
  const { out } = await runHere(['--help']);
  const commands = [...(/Commands:\n([\s\S]*?)\n\n/u.exec(out)?.[1] ?? '').matchAll(/^ {2}([a-z]+)/gmu)].flatMap(
    ([, name]) => name ?? [],
  );
  expect(commands.filter((name) => name !== 'help').toSorted()).toEqual(
    [...Object.keys(scenarios), ...askNobody].toSorted(),
  );
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveGithub } from '../../src/sandbox/github/server/server.ts';
import { createGithubWorld } from '../../src/sandbox/github/world/world.ts';
import { type FaultSource, noFaults } from '../../src/sandbox/server/faults.ts';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openStore } from '../../src/store/open.ts';
import { repo, type Stage } from '../simulation/stage.ts';
import { serversOf } from '../support/edges.ts';
import { quickLimits, quickSchedule, stockStatus } from '../support/quick-config.ts';
import { scrub } from '../support/scrub.ts';
import { pause, type Running } from './process.ts';

export interface Served {
  readonly configFile: string;
  /** The worlds and what the bridge remembers of them now, for the oracle of the simulation. */
  stage(): Stage;
  /** How many requests that change something have arrived on both sides. */
  writes(): number;
  /**
   * Something that changes whenever either side really changes. A request that is refused leaves it as it was: what a
   * side refuses is parked, and every full comparison tries that once more, so that where one comes every four seconds
   * requests never end.
   */
  contentOfBoth(): string;
  /**
   * Waits until nothing has changed on either side for so long, in which a bridge compared both in full twice: one that
   * has no processor is quiet, too. Throws when that takes more than ten minutes.
   */
  untilQuiet(quietMs: number, bridge: Pick<Running, 'output'>): Promise<void>;
  /** How many requests of any kind have arrived at the tracker. */
  trackerRequests(): number;
  close(): Promise<void>;
}

interface Serving {
  readonly listLagMs?: number;
  readonly answerMs?: number;
  readonly trouble?: FaultSource;
  readonly http?: { readonly http?: object };
}

/**
 * Both sandbox servers on loopback ports, and a configuration file for them.
 * @param answerMs how late the answers to writes are, so that a kill often comes between a write and its answer
 * @param trouble what goes wrong with requests
 * @param http the section of the configuration that opens the HTTP server, if any
 * @param listLagMs how long what was made takes to show up in lists: with it, a marker alone does not tell in time what
 *   was made
 */
export async function serve({
  listLagMs = 0,
  answerMs = 0,
  trouble = noFaults,
  http = {},
}: Serving = {}): Promise<Served> {
  let writes = 0;
  let trackerRequests = 0;
  const faults: FaultSource = (side, cost) => {
    if (side === 'tracker') trackerRequests += 1;
    if (cost !== 'read') writes += 1;
    return cost === 'read' || answerMs === 0 ? trouble(side, cost) : { kind: 'slow', delayMs: answerMs };
  };
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-e2e-'));
  const port = await freePort();
  const tracker = createTrackerWorld({ now: Date.now, url: `http://127.0.0.1:${port}`, listLagMs });
  const github = createGithubWorld({ now: Date.now, url: '', webUrl: 'https://github.com', listLagMs });
  for (const login of ['bugferry-bot', 'mona', 'hubot', 'hubot-two', 'octo']) github.addUser(login);
  github.addRepo(repo, {
    permissions: { 'bugferry-bot': 'write', mona: 'admin', hubot: 'write', 'hubot-two': 'write' },
  });
  const servers = [
    await serveTracker(tracker, { port, faults, clock: { sleep: pause } }),
    await serveGithub(github, { port: 0, faults, sleep: pause }),
  ];
  const state = join(folder, 'bugferry.db');
  const configFile = join(folder, 'bridge.json');
  const { apiKey, login } = tracker.user('bridge');
  writeFileSync(
    configFile,
    JSON.stringify({
      ...configOf({ tracker: servers[0]?.url, github: servers[1]?.url, apiKey, login, state }),
      ...http,
    }),
  );
  const clock = { now: Date.now, sleep: async () => undefined, advance: () => undefined };
  const contentOfBoth = (): string => {
    const taken = github.requests.filter(({ method, status }) => method !== 'GET' && status < 400).length;
    return [taken, ...tracker.bugs().map(({ changedAt }) => changedAt)].join();
  };
  return {
    configFile,
    stage: () => ({
      tracker,
      github,
      clock,
      calls: [],
      servers: serversOf({ tracker, github, clock }),
      faults: noFaults,
      between: () => undefined,
      store: openStore(state, { mode: 'copy', now: Date.now, scrub }),
    }),
    writes: () => writes,
    contentOfBoth,
    async untilQuiet(quietMs, bridge) {
      const comparisons = (): number => bridge.output().split('compared in full').length;
      let [seen, since, before] = ['', Date.now(), comparisons()];
      const giveUpAt = Date.now() + 600_000;
      while (Date.now() - since < quietMs || comparisons() < before + 2) {
        if (Date.now() > giveUpAt)
          throw new Error(`The bridge does not come to rest: ${bridge.output().slice(-2_000)}`);
        const content = contentOfBoth();
        if (content !== seen) [seen, since, before] = [content, Date.now(), comparisons()];
        await pause(250);
      }
    },
    trackerRequests: () => trackerRequests,
    async close() {
      for (const server of servers) await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly tracker: string | undefined;
  readonly github: string | undefined;
  readonly apiKey: string;
  readonly login: string;
  readonly state: string;
}

/** The route of the simulations, as an operator would write it, without the pauses that the real GitHub asks for. */
const configOf = ({ tracker, github, apiKey, login, state }: Place) => ({
  instance: 'acme',
  tracker: { url: tracker, apiKey, login },
  github: { url: github, token: 'token-of-bugferry-bot' },
  state,
  people: { 'alice@example.test': 'mona', 'bob@example.test': 'hubot', 'carol@example.test': 'octo' },
  schedule: quickSchedule,
  limits: quickLimits(500),
  routes: [
    {
      name: 'widget',
      tracker: { product: 'Widget' },
      github: { repo },
      create: { component: 'Core' },
      assignee: true,
      milestones: true,
      dependencies: true,
      table: ['alias', 'url', 'cc', 'depends_on'],
      status: stockStatus,
    },
  ],
});

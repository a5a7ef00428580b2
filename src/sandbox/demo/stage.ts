import { serveGithub } from '../github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../github/world/world.ts';
import { type FaultSource, noFaults } from '../server/faults.ts';
import { freePort } from '../server/free-port.ts';
import { serveTracker } from '../tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld, type TrackerWorldOptions } from '../tracker/world/world.ts';

/** The account under which the bridge works on the sandbox GitHub. */
export const bridgeLogin = 'bugferry-bot';

/** The products that outsiders may see, and their repositories. */
export const demoRoutes = [
  { name: 'widget', product: 'Widget', component: 'Core', repo: 'acme/widget' },
  { name: 'gadget', product: 'Gadget', component: 'Firmware', repo: 'acme/gadget' },
] as const;

/** Two servers on the loopback interface: a tracker and an empty GitHub. */
export interface DemoStage {
  readonly tracker: TrackerWorld;
  readonly github: GithubWorld;
  readonly trackerUrl: string;
  readonly githubUrl: string;
  readonly apiKey: string;
  readonly token: string;
  /** The number of writes that have reached either server so far. */
  writes(): number;
  /** The number of requests of any kind that have reached the tracker so far. */
  requests(): number;
  /** Switches the tracker off for good. */
  stopTracker(): Promise<void>;
  close(): Promise<void>;
}

export interface DemoStageOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Adds the first bugs. */
  readonly fill: (tracker: TrackerWorld) => void;
  /** Faults for requests to either server; none by default. */
  readonly faults?: FaultSource;
  /** Delays slow answers; without it they come at once. */
  readonly sleep?: (delayMs: number) => Promise<void>;
  /**
   * Where the pages of GitHub seem to be. Null for its own address, which the tracker then takes in see_also, as no
   * stock one would.
   */
  readonly webUrl?: string | null;
  /** How the tracker differs from the measured one. */
  readonly installation?: Partial<TrackerWorldOptions>;
}

export async function openDemoStage({
  now,
  fill,
  faults = noFaults,
  sleep = async () => {},
  webUrl = 'https://github.com',
  installation = {},
}: DemoStageOptions): Promise<DemoStage> {
  let [writes, requests] = [0, 0];
  const counted: FaultSource = (side, cost) => {
    if (side === 'tracker') requests += 1;
    if (cost !== 'read') writes += 1;
    return faults(side, cost);
  };
  // The tracker has to know its address before it is filled.
  const port = await freePort();
  // The content has its own dates. If the machine's clock is behind them, the sandbox runs ahead, so that new changes
  // are newest.
  let aheadMs = 0;
  const worldNow = () => now() + aheadMs;
  const github = createGithubWorld({ now: worldNow, url: '', ...(webUrl === null ? {} : { webUrl }) });
  const takesSeeAlso = (url: string) =>
    webUrl === null && /^\/[^/]+\/[^/]+\/issues\/\d+$/u.test(url.replace(github.state.url, ''));
  const tracker = createTrackerWorld({ takesSeeAlso, ...installation, now: worldNow, url: `http://127.0.0.1:${port}` });
  fill(tracker);
  aheadMs = Math.max(0, ...tracker.bugs().map(({ changedAt }) => changedAt + 60_000 - now()));
  for (const login of [bridgeLogin, 'mona', 'hubot']) github.addUser(login);
  for (const { repo } of demoRoutes)
    github.addRepo(repo, { permissions: { [bridgeLogin]: 'write', mona: 'admin', hubot: 'write' } });
  // A classic token, which shows its scopes.
  github.setToken(bridgeLogin, `token-of-${bridgeLogin}`, { tokenScopes: ['repo'] });
  const servedTracker = await serveTracker(tracker, { port, faults: counted, clock: { sleep } });
  let stopping: Promise<void> | null = null;
  const stopTracker = (): Promise<void> => {
    stopping ??= servedTracker.close();
    return stopping;
  };
  const servedGithub = await serveGithub(github, { port: 0, faults: counted, sleep });
  return {
    tracker,
    github,
    trackerUrl: servedTracker.url,
    githubUrl: servedGithub.url,
    apiKey: tracker.user('bridge').apiKey,
    token: `token-of-${bridgeLogin}`,
    writes: () => writes,
    requests: () => requests,
    stopTracker,
    async close() {
      await stopTracker();
      await servedGithub.close();
    },
  };
}

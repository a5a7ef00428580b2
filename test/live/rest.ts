import type { RouteStatus } from '../../src/model/route-status.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { pause, type Running, start } from '../e2e/process.ts';
import type { Way } from './way.ts';

export interface Resting {
  readonly way: Pick<Way, 'writes' | 'slowestMs'>;
  readonly github: Pick<GithubWorld, 'requests'>;
  /**
   * How many pairs the bridge has yet to look at, how many requests it has yet to send or does not know the outcome of,
   * how many comments that a tracker confirmed and lost it looks for again, and how many items that a side failed on it
   * tries again by itself, by its own word.
   */
  readonly wishes: () => Promise<number>;
  readonly report: (line: string) => void;
}

/** As much of the daemon as the wait looks at. */
interface Daemon extends Pick<Running, 'output'> {
  readonly child: Pick<Running['child'], 'exitCode'>;
}

const quietMs = 9_000;
const quietPerAnswer = 4;
const quietMaxMs = 600_000;
/** A wish that a side put off is tried again after half a minute, then after a minute, and then after two. */
const waitingMaxMs = 240_000;

/**
 * Waits until neither side was written to for longer than two full comparisons are apart, and the bridge has no wish
 * left. It leaves a slow tracker alone for as long as its answers take, so that silence says less the slower it is; and
 * what a side put off makes no noise until its time comes.
 * @returns what is wrong, a line each
 */
export async function untilQuiet(place: Resting, daemon: Daemon): Promise<readonly string[]> {
  const { way, github, wishes, report } = place;
  const beganAt = Date.now();
  const counts = () =>
    `${way.writes()} ${github.requests.filter(({ method, status }) => method !== 'GET' && status < 400).length}`;
  let [seen, since] = ['', beganAt];
  let silentAt: number | null = null;
  for (;;) {
    if (daemon.child.exitCode !== null) return [`the daemon ended by itself with ${daemon.child.exitCode}`];
    if (Date.now() - beganAt > quietMaxMs) return [`it does not become quiet: ${seen}`];
    if (counts() !== seen) [seen, since] = [counts(), Date.now()];
    const isSilent = Date.now() - since >= quietMs + quietPerAnswer * way.slowestMs(Date.now());
    if (isSilent && daemon.output().includes('"compared in full"')) {
      silentAt ??= Date.now();
      const left = await wishes();
      // What was put off may have been written while the bridge was asked; then it has to be silent once more.
      if (counts() === seen && (left === 0 || Date.now() - silentAt > waitingMaxMs)) break;
      await pause(2_000);
    }
    await pause(250);
  }
  report(`quiet after ${Math.round((Date.now() - beganAt) / 1000)} s`);
  return [];
}

/** Asks `status`. */
export async function wishesOf(configFile: string): Promise<number> {
  const asked = start(['status', '--json', '--config', configFile]);
  await asked.ended;
  const { routes }: { readonly routes: readonly RouteStatus[] } = JSON.parse(asked.output().replace(/^[^{]*/u, ''));
  return wishesIn(routes);
}

type Wishing = Pick<RouteStatus, 'setAside' | 'unshown'> & {
  readonly links: Pick<RouteStatus['links'], 'wanting'>;
  readonly outbox: Pick<RouteStatus['outbox'], 'planned' | 'sent'>;
};

export function wishesIn(routes: readonly Wishing[]): number {
  const again = ({ setAside }: Wishing): number => setAside.filter(({ retryAt }) => retryAt !== null).length;
  return routes.reduce(
    (sum, route) => sum + route.links.wanting + route.outbox.planned + route.outbox.sent + route.unshown + again(route),
    0,
  );
}

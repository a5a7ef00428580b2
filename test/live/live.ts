import { pause, type Running } from '../e2e/process.ts';
import {
  actorOf,
  begin,
  end,
  inPlace,
  judge,
  type Lived,
  lastWordsOf,
  type Place,
  type PlaceOptions,
  quiet,
} from './place.ts';

export interface LiveOptions extends PlaceOptions {
  /** How long people are at work. The first run before and the rest afterwards come on top. */
  readonly busyMs: number;
  /** How often the daemon is stopped or killed meanwhile. */
  readonly restarts: number;
}

/**
 * People edit both sides by seed, requests go wrong on the way, and the daemon is stopped and killed. Then people
 * pause, an oracle that never asks the bridge compares both sides, and `verify` and `status` have to agree with it.
 */
export const live = (options: LiveOptions): Promise<Lived> => inPlace(options, (place) => run(place, options));

async function run(place: Place, { busyMs, restarts, report }: LiveOptions): Promise<readonly string[]> {
  const { draw } = place;
  let daemon: Running | null = null;
  try {
    daemon = begin(place);
    const first = await quiet(place, daemon);
    if (first.length > 0) return [...first, lastWordsOf(daemon)];
    const issues = place.routed.flatMap(({ repo }) => place.github.issues(repo));
    report(`first run done: ${issues.length} issues`);
    place.isBusy = true;
    const acting = act(place);
    for (let life = 0; life <= restarts; life += 1) {
      await pause(busyMs / (restarts + 1));
      if (daemon.child.exitCode !== null)
        return [`the daemon ended by itself with ${daemon.child.exitCode}`, lastWordsOf(daemon)];
      if (life === restarts) break;
      await end(place, daemon, draw.chance(0.6) ? 'SIGKILL' : 'SIGTERM');
      daemon = begin(place);
      report(`life ${life + 2} of ${restarts + 1}, ${place.actions.acts} acts`);
    }
    place.isBusy = false;
    await acting;
    const unsettled = await quiet(place, daemon);
    const code = await end(place, daemon, 'SIGTERM');
    const ended = code === 0 ? [] : [`SIGTERM ended it with ${code}`];
    return [...unsettled, ...ended, ...(await judge(place))];
  } finally {
    place.isBusy = false;
    await daemon?.end('SIGKILL');
  }
}

/** One act after the other on either side, until people pause. */
async function act(place: Place): Promise<void> {
  const actOnce = await actorOf(place);
  while (place.isBusy) await actOnce();
}

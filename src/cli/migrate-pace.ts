import type { Config } from '../config/config.ts';
import type { Pace } from '../core/pace.ts';

/** How fast the configuration allows both sides to be asked. */
export function paceOf({ limits: { github, tracker } }: Config): Pace {
  const { pointsPerMinute, pauseBetweenWritesMs, createsPerMinute, createsPerHour } = github;
  return { pointsPerMinute, pauseBetweenWritesMs, createsPerMinute, createsPerHour, trackerRequestsPerSecond: tracker.requestsPerSecond };
}

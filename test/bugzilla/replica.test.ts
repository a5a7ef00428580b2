import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { bugzillaReplica } from '../../src/bugzilla/replica.ts';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { trackerReplicaContract } from '../contract/tracker/replica.ts';
import type { TrackerBench } from '../contract/tracker/scenario.ts';
import { some } from '../tiers/depth.ts';
import { openLane } from './api/fake-tracker.ts';

const minutesMs = 60_000;

trackerReplicaContract('a Bugzilla over HTTP', (bench) => open(bench, 0));
// The contract asks for the time of the database; only who has measured the difference can tell it.
for (const { is, skewMs } of some(
  [
    { is: 'ahead of', skewMs: 7 * minutesMs },
    { is: 'behind', skewMs: -7 * minutesMs },
  ],
  1,
))
  trackerReplicaContract(`a Bugzilla whose web server is ${is} its database`, (bench) => open(bench, skewMs));

async function open({ world, clock, user, product, faults, pageSize, labels }: TrackerBench, dateSkewMs: number) {
  const served = await serveTracker(world, { port: 0, faults, clock, dateSkewMs });
  const client = createTrackerClient({
    url: served.url,
    apiKey: world.user(user).apiKey,
    login: world.user(user).login,
    auth: 'auto',
    lane: openLane(),
    timeoutMs: 10_000,
    now: clock.now,
  });
  const replica = bugzillaReplica({ client, product, url: world.url, pageSize, labels, warn: () => {} });
  await replica.hello();
  return { replica, close: () => served.close() };
}

import { createTrackerClient } from '../../src/bugzilla/client.ts';
import { bugzillaReplica } from '../../src/bugzilla/replica.ts';
import { serveTracker } from '../../src/sandbox/tracker/server.ts';
import { trackerReplicaContract } from '../contract/tracker-replica.ts';
import { openLane } from './fake-tracker.ts';

trackerReplicaContract('a Bugzilla over HTTP', async ({ world, clock, user, product, faults, pageSize }) => {
  const served = await serveTracker(world, { port: 0, faults, clock });
  const client = createTrackerClient({
    url: served.url,
    apiKey: world.user(user).apiKey,
    login: world.user(user).login,
    auth: 'auto',
    lane: openLane(),
    timeoutMs: 10_000,
    now: clock.now,
  });
  const replica = bugzillaReplica({ client, product, url: world.url, pageSize, warn: () => {} });
  return { replica, close: () => served.close() };
});

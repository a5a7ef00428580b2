import { directTrackerReplica } from '../../../src/sandbox/tracker/replica.ts';
import { trackerReplicaContract } from '../../contract/tracker/replica.ts';

trackerReplicaContract('straight on the sandbox', async ({ world, ...options }) => ({
  replica: directTrackerReplica(world, options),
  close: async () => {},
}));

import { describe } from 'vitest';
import { trackerEvidence } from './tracker-evidence.ts';
import { trackerLabels } from './tracker-labels.ts';
import { trackerReads } from './tracker-reads.ts';
import type { OpenTracker } from './tracker-scene.ts';
import { trackerThreads } from './tracker-threads.ts';
import { trackerTrouble } from './tracker-trouble.ts';
import { trackerWrites } from './tracker-writes.ts';

/**
 * What any TrackerReplica must do, near misses included. Run it against the direct door of the sandbox and against the real client
 * on the sandbox's HTTP door. A test arranges with the world's people, acts through the replica only, and looks at the world itself.
 */
export function trackerReplicaContract(name: string, open: OpenTracker): void {
  describe(`a tracker replica: ${name}`, () => {
    trackerReads(open);
    trackerThreads(open);
    trackerWrites(open);
    trackerLabels(open);
    trackerEvidence(open);
    trackerTrouble(open);
  });
}

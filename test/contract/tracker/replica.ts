import { describe } from 'vitest';
import { trackerEvidence } from './evidence.ts';
import { trackerLabels } from './labels.ts';
import { trackerPulls } from './pulls.ts';
import { trackerReads } from './reads.ts';
import type { OpenTracker } from './scenario.ts';
import { trackerThreads } from './threads.ts';
import { trackerTrouble } from './trouble.ts';
import { trackerWrites } from './writes.ts';

/**
 * What a TrackerReplica must do, near misses included. It runs against the real client on the sandbox's HTTP server. A
 * test arranges with the world's people, acts through the replica only, and looks at the world itself.
 */
export function trackerReplicaContract(name: string, open: OpenTracker): void {
  describe(`a tracker replica: ${name}`, () => {
    trackerReads(open);
    trackerThreads(open);
    trackerWrites(open);
    trackerPulls(open);
    trackerLabels(open);
    trackerEvidence(open);
    trackerTrouble(open);
  });
}

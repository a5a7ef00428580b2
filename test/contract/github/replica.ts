/**
 * What a GithubReplica must do, near misses included. It runs against the real client on the sandbox's HTTP server. A
 * test arranges with the world's people, acts through the replica only, and looks at the world itself: an answer that
 * merely says the right thing is not enough.
 */

import { describe } from 'vitest';
import { type GithubSetup, githubSession } from './bench.ts';
import { changesCases } from './changes.ts';
import { closerCases } from './closer.ts';
import { dependencyCases } from './dependencies.ts';
import { editorCases } from './editor.ts';
import { existingCases } from './existing.ts';
import { fieldCases } from './fields.ts';
import { issueCases } from './issue.ts';
import { labelCases } from './labels.ts';
import { listCases } from './list.ts';
import { madeSinceCases } from './made-since.ts';
import { minimizeCases } from './minimize.ts';
import { troubleCases } from './trouble.ts';
import { typeCases } from './types.ts';
import { updateCases } from './update.ts';
import { writeCases } from './write.ts';

export { type GithubBench, type GithubUnderTest, handClock, smallGithubWorld } from './bench.ts';

export function githubReplicaContract(name: string, setup: GithubSetup): void {
  describe(`${name}, as a GithubReplica`, () => {
    const session = githubSession(setup);
    issueCases(session);
    changesCases(session);
    listCases(session);
    writeCases(session);
    madeSinceCases(session);
    updateCases(session);
    closerCases(session);
    editorCases(session);
    dependencyCases(session);
    labelCases(session);
    typeCases(session);
    fieldCases(session);
    existingCases(session);
    minimizeCases(session);
    troubleCases(session);
  });
}

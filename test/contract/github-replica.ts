/**
 * What any GithubReplica must do, near misses included. Run it against the direct door of the sandbox and against the
 * real client on the sandbox's HTTP door. A test arranges with the world's people, acts through the replica only, and
 * looks at the world itself: an answer that merely says the right thing is not enough.
 */
import { describe } from 'vitest';
import { type GithubSetup, githubSession } from './github-bench.ts';
import { changesCases } from './github-changes.ts';
import { dependencyCases } from './github-dependencies.ts';
import { fieldCases } from './github-fields.ts';
import { foldCases } from './github-folds.ts';
import { issueCases } from './github-issue.ts';
import { labelCases } from './github-labels.ts';
import { listCases } from './github-list.ts';
import { madeSinceCases } from './github-made-since.ts';
import { standingCases } from './github-standing.ts';
import { troubleCases } from './github-trouble.ts';
import { typeCases } from './github-types.ts';
import { updateCases } from './github-update.ts';
import { writeCases } from './github-write.ts';

export { type GithubBench, type GithubUnderTest, handClock, smallGithubWorld } from './github-bench.ts';

export function githubReplicaContract(name: string, setup: GithubSetup): void {
  describe(`${name}, as a GithubReplica`, () => {
    const session = githubSession(setup);
    issueCases(session);
    changesCases(session);
    listCases(session);
    writeCases(session);
    madeSinceCases(session);
    updateCases(session);
    dependencyCases(session);
    labelCases(session);
    typeCases(session);
    fieldCases(session);
    standingCases(session);
    foldCases(session);
    troubleCases(session);
  });
}

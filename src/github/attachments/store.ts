import type { AttachmentStore } from '../../model/attachment.ts';
import type { AttachmentRule } from '../../model/route.ts';
import type { GithubClient } from '../connection/client.ts';
import { branchStore } from './branch-store.ts';
import { releaseStore } from './release-store.ts';

/** The attachment store of a route; null if its files stay on the tracker. */
export function githubAttachmentStore(client: GithubClient, rule: AttachmentRule): AttachmentStore | null {
  const { owner, repo } = rule;
  switch (rule.store) {
    case 'branch':
    case 'repo':
      return branchStore({ client, owner, repo, branch: rule.branch });
    case 'release':
      return releaseStore({ client, owner, repo, tag: rule.tag });
    case 'link':
      return null;
  }
}

import type { Shelf } from '../../model/attachment.ts';
import type { AttachmentRule } from '../../model/route.ts';
import type { GithubClient } from '../connection/client.ts';
import { branchShelf } from './branch-store.ts';
import { releaseShelf } from './release-store.ts';
import { uploadShelf } from './upload-store.ts';

/** The shelf that a route asks for; null when its files stay on the tracker. */
export function githubShelf(client: GithubClient, rule: AttachmentRule): Shelf | null {
  const { owner, repo } = rule;
  switch (rule.store) {
    case 'branch':
    case 'repo':
      return branchShelf({ client, owner, repo, branch: rule.branch });
    case 'release':
      return releaseShelf({ client, owner, repo, tag: rule.tag });
    case 'upload':
      return uploadShelf({ client, owner, repo });
    case 'link':
      return null;
  }
}

import type { GithubReplica } from '../model/replica.ts';
import { changes } from './changes.ts';
import type { GithubClient } from './client.ts';
import { withDependencies } from './dependencies.ts';
import { readError } from './failure.ts';
import { fold } from './fold.ts';
import { hello } from './hello.ts';
import { offeredFields } from './issue-fields.ts';
import { whoLabeled } from './label-deeds.ts';
import { list } from './list.ts';
import { lock } from './lock.ts';
import { look } from './look.ts';
import { madeSince } from './made-since.ts';
import { repositoryOf } from './repository.ts';
import { erase, rewrite } from './standing-comment.ts';
import { threads } from './threads.ts';
import { update } from './update.ts';
import { createComment, createIssue } from './write.ts';

export interface GithubReplicaOptions {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
  /** At most 100, which is GitHub's own limit. */
  readonly pageSize?: number;
  /** Whether issues show which others block them, which takes a request for each that is blocked. */
  readonly dependencies?: boolean;
}

/** The issues of one repository. Pull requests, and comments on them, never appear. */
export function githubReplica({ client, owner, repo, pageSize = 100, dependencies = false }: GithubReplicaOptions): GithubReplica {
  const repository = repositoryOf(client, { owner, repo }, pageSize);
  const replica: GithubReplica = {
    side: 'github',
    hello: () => hello(repository),
    changes: (cursor) => changes(repository, cursor),
    list: (page) => list(repository, page),
    threads: (asks) => threads(repository, asks),
    async probe(ref) {
      const found = await look(repository, ref);
      if (found.kind === 'there') return { kind: 'there', item: found.issue };
      if (found.failure.kind === 'gone') return { kind: 'gone', gone: found.failure.gone };
      throw readError(found.failure);
    },
    madeSince: (at, isKnown) => madeSince(repository, at, isKnown),
    create: (draft) => createIssue(repository, draft),
    update: (seen, patch) => update(repository, seen, patch),
    comment: (ref, text) => createComment(repository, ref, text),
    rewrite: (ref, comment, text, mayReplace) => rewrite(repository, { ref, comment }, text, mayReplace),
    erase: (ref, comment) => erase(repository, { ref, comment }),
    fold: (ref, comment, wanted) => fold(repository, { ref, comment }, wanted),
    lock: (ref, isLocked) => lock(repository, ref, isLocked),
    whoLabeled: (ref, deed) => whoLabeled(repository, ref, deed),
    fields: () => offeredFields(client, owner),
  };
  return dependencies ? withDependencies(repository, replica) : replica;
}

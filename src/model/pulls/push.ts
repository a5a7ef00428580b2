import type { LinkId } from '../ids.ts';

/** The parts of a commit that a comment shows. */
export interface Commit {
  readonly sha: string;
  readonly url: string;
  /** The first line of its message. */
  readonly title: string;
  /** The rest of its message. */
  readonly body: string;
  /**
   * The login of its author; never an e-mail address. If GitHub knows no account, the name in signs of quotation: Git
   * takes any. Null if it has none.
   */
  readonly by: string | null;
  readonly isMerge: boolean;
}

/** The new commits of a branch between two polls. */
export interface Push {
  readonly branch: string;
  /** The oldest first. */
  readonly commits: readonly Commit[];
  /** How many further commits it has, which were not read. */
  readonly unread: number;
}

/** The commits of one push that name the bug or the issue of a link. */
export interface LinkPush extends Pick<Push, 'branch' | 'unread'> {
  readonly link: LinkId;
  /** The address of the newest of its commits, which no other push has. */
  readonly url: string;
  readonly commits: readonly ToldCommit[];
  readonly isTold: boolean;
}

export type ToldCommit = Pick<Commit, 'sha' | 'url' | 'title' | 'by'>;

/** Reports on a bug the commits of one push that name it. */
export interface TellsOfPush {
  readonly kind: 'push';
  readonly on: 'tracker';
  /** As in `LinkPush`. */
  readonly push: string;
}

export interface LinkPushes {
  /** Replaces the record of the same push at the same link. */
  save(push: LinkPush): void;
  /** In the order in which they were saved first. */
  ofLink(link: LinkId): readonly LinkPush[];
  /** Moves all of one link to another, when two one-ended links turn out to be the same. */
  move(from: LinkId, to: LinkId): void;
}

/** How a commit is named to people. */
export const commitName = (sha: string): string => `commit ${sha.slice(0, 12)}`;

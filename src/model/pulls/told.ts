/** Comments on bugs about pull requests and commits: the operations, and their records. */

import type { LinkId } from '../ids.ts';
import type { Bug, Comment } from '../item.ts';
import type { LinkPull, PullState, ShownPull } from './pull.ts';
import type { LinkPush } from './push.ts';

/** Reports on a bug the state of a pull request that names it. */
export interface TellsOfPull {
  readonly kind: 'pull';
  readonly on: 'tracker';
  /** Its number. */
  readonly pull: number;
  /** Null if there is no news: only its attachment is brought up to date. */
  readonly tells: PullState | null;
}

/** The answer to a write about a pull request on a bug. */
export interface ToldPull {
  /** Null if the answer only says that the write is stored. */
  readonly item: Bug | Comment | null;
  /** What the attachment shows after it; null if there is none. */
  readonly shown: ShownPull | null;
  /** The attachment that it changed; null if it changed none. */
  readonly changed: number | null;
  /** By our clock. */
  readonly sentAt: number;
}

export interface LinkPulls {
  /** Replaces the record of the same pull request at the same link. */
  save(pull: LinkPull): void;
  /** By number, ascending. */
  ofLink(link: LinkId): readonly LinkPull[];
  /** The records of a pull request of the route's repository, by link, ascending. */
  ofPull(route: string, number: number): readonly LinkPull[];
  /** Moves all of one link to another, when two one-ended links turn out to be the same. */
  move(from: LinkId, to: LinkId): void;
}

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

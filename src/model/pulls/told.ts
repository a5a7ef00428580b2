/** What bugs are told of pull requests and commits: the wishes, and what is kept of them. */

import type { LinkId } from '../ids.ts';
import type { Bug, Comment } from '../item.ts';
import type { LinkPull, PullState, ShownPull } from './pull.ts';
import type { LinkPush } from './push.ts';

/** Tells a bug what became of a pull request that names it. */
export interface TellsOfPull {
  readonly kind: 'pull';
  readonly on: 'tracker';
  /** Its number. */
  readonly pull: number;
  /** Null if there is no news: only its attachment is brought up to date. */
  readonly tells: PullState | null;
}

/** The answer to a write that told a bug of a pull request. */
export interface ToldPull {
  /** Null if it shows nothing but that the write is stored. */
  readonly item: Bug | Comment | null;
  /** What the attachment shows after it; null if there is none. */
  readonly shown: ShownPull | null;
  /** The attachment that it changed; null if it changed none. */
  readonly changed: number | null;
  /** By our clock. */
  readonly sentAt: number;
}

export interface LinkPulls {
  /** Replaces what was known of the same pull request at the same link. */
  save(pull: LinkPull): void;
  /** By number, ascending. */
  ofLink(link: LinkId): readonly LinkPull[];
  /** Where a pull request of the route's repository stands, ascending. */
  ofPull(route: string, number: number): readonly LinkPull[];
  /** Moves all of one link to another, when two one-ended links turn out to be the same. */
  move(from: LinkId, to: LinkId): void;
}

/** Tells a bug of the commits of one push that name it. */
export interface TellsOfPush {
  readonly kind: 'push';
  readonly on: 'tracker';
  /** As in `LinkPush`. */
  readonly push: string;
}

export interface LinkPushes {
  /** Replaces what was known of the same push at the same link. */
  save(push: LinkPush): void;
  /** In the order in which they were saved first. */
  ofLink(link: LinkId): readonly LinkPush[];
  /** Moves all of one link to another, when two one-ended links turn out to be the same. */
  move(from: LinkId, to: LinkId): void;
}

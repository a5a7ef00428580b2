import type { LinkId } from '../ids.ts';
import type { Bug, Comment, Person } from '../item.ts';

/** `closed` without having been merged. */
export type PullState = 'open' | 'merged' | 'closed';

/** A pull request, as the lists of its repository show it. */
export interface Pull {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly state: PullState;
  readonly author: Person;
  readonly changedAt: number;
  /** When it was merged or closed; null while it is open. */
  readonly endedAt: number | null;
}

/** A pull request that names the bug or the issue of a link. */
export interface LinkPull extends Pick<Pull, 'number' | 'url' | 'title' | 'state'> {
  readonly link: LinkId;
  /** The login of its author. */
  readonly login: string;
  /** The states that the bug's comments report. */
  readonly told: readonly PullState[];
  /** What its attachment on the bug showed last; null if it has none, or if that is not known. */
  readonly shown: ShownPull | null;
}

/** The attachment that represents a pull request, as it shows. */
export interface ShownPull {
  /** Its summary. */
  readonly title: string;
  readonly isObsolete: boolean;
}

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

import type { LinkId } from '../ids.ts';
import type { Person } from '../item.ts';

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
  /** The states that the bug was told. */
  readonly told: readonly PullState[];
}

/** Tells a bug what became of a pull request that names it. */
export interface TellsOfPull {
  readonly kind: 'pull';
  readonly on: 'tracker';
  /** Its number. */
  readonly pull: number;
  readonly tells: PullState;
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

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

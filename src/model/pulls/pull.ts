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
  /** What its attachment on the bug showed last; null if it has none, or if that is not known. */
  readonly shown: ShownPull | null;
}

/** What an attachment shows of the pull request that it stands for. */
export interface ShownPull {
  /** Its summary. */
  readonly title: string;
  readonly isObsolete: boolean;
}

import type { Side } from './ids.ts';

/**
 * Something that a person asks of the bridge from outside its process:
 *
 *   retry    operations that are parked or wait for their time get another chance at once
 *   resync   one bug or issue, and what it is linked to, is read afresh and planned anew
 */
export type ControlCommand =
  | { readonly kind: 'retry'; readonly route: string; readonly numbers: readonly number[] }
  | { readonly kind: 'resync'; readonly route: string; readonly side: Side; readonly ref: number };

/** Where commands wait until the process that may write the state takes them up. They survive that process. */
export interface ControlQueue {
  add(command: ControlCommand): void;
  /** Those of a route, the oldest first. `done` forgets one; doing it twice does no harm. */
  of(route: string): readonly WaitingCommand[];
}

export interface WaitingCommand {
  readonly command: ControlCommand;
  done(): void;
}

/** A word from a side that something about one item has changed. It says where to look and nothing else: what is true, reading tells. */
export interface Hint {
  readonly side: Side;
  /** The number of the bug or the issue. */
  readonly ref: number;
  /** `owner/name` of the issue; null for a bug. */
  readonly repo: string | null;
  /** Whether a comment was written or edited, so that its thread is to be read too. */
  readonly isThread: boolean;
}

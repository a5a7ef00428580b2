import type { Side } from './ids.ts';

/**
 * A request to the bridge from outside its process:
 *
 *   retry    tries parked or waiting operations again at once
 *   resync   reads one bug or issue and its counterpart again, and plans their link again
 */
export type ControlCommand =
  | { readonly kind: 'retry'; readonly route: string; readonly numbers: readonly number[] }
  | { readonly kind: 'resync'; readonly route: string; readonly side: Side; readonly ref: number };

/** Holds commands until the process that may write the state picks them up. They survive that process. */
export interface ControlQueue {
  add(command: ControlCommand): void;
  /** The commands for a route, oldest first. `done` removes one; calling it twice does no harm. */
  of(route: string): readonly WaitingCommand[];
}

export interface WaitingCommand {
  readonly command: ControlCommand;
  done(): void;
}

/** A side's notice that something has changed. It only says where to look; the bridge then reads it. */
export type Hint = ItemHint | NamesHint;

export interface ItemHint {
  readonly side: Side;
  /** The number of the bug or the issue. */
  readonly ref: number;
  /** `owner/name` of the issue; null for a bug. */
  readonly repo: string | null;
  /** True if a comment was written or edited, so that the thread has to be read too. */
  readonly isThread: boolean;
}

/** A label or a milestone has another name. */
export interface NamesHint {
  readonly side: 'github';
  readonly ref: null;
  readonly repo: string;
}

import { type IssueNumber, type Side, sides } from './ids.ts';
import type { Conflict } from './plan/operation.ts';

/**
 * A request to the bridge from outside its process:
 *
 *   retry    tries parked or waiting operations again at once
 *   resync   reads one bug or issue and its counterpart again, and plans their link again
 *   decide   ends a conflict, as it was when the person saw it
 *   pair     makes a bug and an issue a pair
 *   pause    pauses the route: it only withdraws what is private
 *   resume   ends that
 */
export type ControlCommand =
  | { readonly kind: 'retry'; readonly route: string; readonly numbers: readonly number[] }
  | { readonly kind: 'resync'; readonly route: string; readonly side: Side; readonly ref: number }
  | { readonly kind: 'decide'; readonly route: string; readonly decision: Decision }
  | { readonly kind: 'pair'; readonly route: string; readonly pair: HandPair }
  | { readonly kind: 'pause'; readonly route: string; readonly why: string | null }
  | { readonly kind: 'resume'; readonly route: string };

/** The side that a person chose, and the two values that the person saw. */
export interface Decision extends Pick<Conflict, 'link' | 'field' | 'tracker' | 'github'> {
  readonly keep: Side;
}

/** A bug and an issue that a person calls a pair. */
export interface HandPair {
  readonly bug: number;
  readonly issue: number;
}

/** Holds commands until the process that may write the state picks them up. They survive that process. */
export interface ControlQueue {
  add(command: ControlCommand): void;
  /** The commands for a route, oldest first. `done` removes one; calling it twice does no harm. */
  of(route: string): readonly WaitingCommand[];
  /** What was put aside because it is no command. */
  broken(): readonly BrokenCommand[];
}

export interface BrokenCommand {
  readonly file: string;
  /** A predicate: `it is empty`. */
  readonly why: string;
}

export interface WaitingCommand {
  /** When it was given. */
  readonly at: number;
  readonly command: ControlCommand;
  done(): void;
}

/** Whether a value is a command: its file may be damaged, or come from another version. */
export function isControlCommand(value: unknown): value is ControlCommand {
  if (!isRecord(value) || typeof value['route'] !== 'string') return false;
  switch (value['kind']) {
    case 'retry':
      return Array.isArray(value['numbers']) && value['numbers'].every(Number.isSafeInteger);
    case 'resync':
      return isSide(value['side']) && Number.isSafeInteger(value['ref']);
    case 'decide': {
      const decision = value['decision'];
      if (!isRecord(decision) || typeof decision['field'] !== 'string') return false;
      return Number.isSafeInteger(decision['link']) && isSide(decision['keep']) && hasBoth(decision);
    }
    case 'pair': {
      const pair = value['pair'];
      return isRecord(pair) && Number.isSafeInteger(pair['bug']) && Number.isSafeInteger(pair['issue']);
    }
    case 'pause':
      return value['why'] === null || typeof value['why'] === 'string';
    default:
      return value['kind'] === 'resume';
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isSide = (value: unknown): boolean => sides.some((side) => side === value);
const hasBoth = (values: Readonly<Record<string, unknown>>): boolean => sides.every((side) => side in values);

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
interface NamesHint {
  readonly side: 'github';
  readonly ref: null;
  readonly repo: string;
}

/**
 * Routes that a person has paused: nothing is mirrored on them until a person resumes them. What is private is
 * withdrawn all the same.
 */
export interface Pauses {
  /** Keeps the first time when a route is paused already. */
  save(route: string, pause: Pause): void;
  remove(route: string): void;
  of(route: string): Pause | null;
}

export interface Pause {
  readonly at: number;
  /** The person's own words; null without any. */
  readonly why: string | null;
}

/** The issue in which each route lists what needs a person. */
export interface Dashboards {
  of(route: string): KeptDashboard | null;
  save(route: string, kept: KeptDashboard): void;
}

export interface KeptDashboard {
  /** Null while it is not known whether it was opened. */
  readonly issue: IssueNumber | null;
  /** Digest of the text that it shows; empty if that is not known. */
  readonly digest: string;
  /** When a request that writes it was last sent. */
  readonly sentAt: number;
}

/** A person has paused the route: whoever migrates it has to end that first. The message is for the operator. */
export class RoutePaused extends Error {
  override readonly name = 'RoutePaused';
}

/** How long after a state was put back another unknown write can only come from another bridge. */
export const strictMs = 4 * 3_600_000;

/** The newest write of our own account on a side that the state did not know when it met it. */
export interface UnknownWrite {
  readonly side: Side;
  /** When it was made, by the side's own clock; null if there was none. */
  readonly at: number | null;
  readonly about: string;
  /** Writes up to then are explained: the state had been put back, or another bridge was stopped. */
  readonly explainedUntil: number | null;
  /** Until when, by our own clock, a later one can only come from another bridge. */
  readonly strictUntil: number | null;
  /** Whether the route stops until a person has looked. */
  readonly isHalted: boolean;
}

export interface UnknownWrites {
  note(route: string, side: Side, write: { readonly at: number; readonly about: string }): void;
  ofRoute(route: string): readonly UnknownWrite[];
  /** Takes what was met up to then on the side for explained, and lets the route go on. */
  explain(route: string, side: Side, until: { readonly at: number; readonly strictUntil: number | null }): void;
  halt(route: string): void;
}

/** What is stored as a moment of our own clock. */
export interface Moments {
  /**
   * Whatever was stored at a moment that now lies ahead was stored by a clock that was set back since, and counts as
   * stored now: retries, pauses that a side asked for, requests in doubt, receipts, and what was spent. Otherwise a
   * wait of a minute would become one of hours. What an earlier version stored without its moment comes nearer by as
   * much as the last read of a side lies ahead.
   */
  followClock(now: number): void;
}

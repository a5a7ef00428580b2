/**
 * How much a route needs somebody, in rising order: not at all; for some of its items, while the others cross; because
 * nothing crosses.
 */
export const needs = ['none', 'items', 'stopped'] as const;
export type Need = (typeof needs)[number];

export type Receiver = 'command' | 'webhook' | 'mail';

/** What a receiver knows of a route. */
export interface Told {
  /** What it was last told; `none` before that. */
  readonly need: Need;
  /** When, in epoch milliseconds; 0 for never. */
  readonly at: number;
  /** How often the next notice was tried in vain, when it is due again, and why the last attempt failed. */
  readonly attempts: number;
  readonly retryAt: number;
  readonly why: string | null;
}

/** A receiver that did not take the last notice about a route. */
export interface Unreached extends Pick<Told, 'attempts' | 'retryAt'> {
  readonly receiver: Receiver;
  readonly why: string;
}

/** What the receivers of notices know: survives a restart, so that nothing is told twice. */
export interface ToldReceivers {
  of(route: string, receiver: Receiver): Told;
  save(route: string, receiver: Receiver, told: Told): void;
  unreached(route: string): readonly Unreached[];
  /** Forgets those that the configuration no longer names. */
  keepOnly(route: string, receivers: readonly Receiver[]): void;
}

/** For people outside the bridge: no names, no values, nothing about single bugs. */
export interface Notice {
  /** The same for every attempt. */
  readonly id: string;
  readonly instance: string;
  readonly route: string;
  readonly need: Need;
  readonly title: string;
  readonly text: string;
}

/**
 * What a request costs its side: `create` makes content (an issue, a bug, a comment), `edit` changes some.
 */
export type Cost = 'read' | 'create' | 'edit';

/** A rate-limited queue in front of one side. Edges put every request through it. */
export interface Lane {
  run<T>(cost: Cost, request: () => Promise<T>): Promise<T>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** A pause that a side asked for. */
export interface Pause {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly why: string;
  /** How often in a row it has asked; 0 once it has done again what it was asked. */
  readonly times: number;
}

/** Only a scrubber brands: text of this type has passed one. */
declare const clean: unique symbol;
export type Clean = string & { readonly [clean]: true };

/** Takes secrets out of what the bridge keeps and shows about its own work. What it carries from side to side never passes here. */
export interface Scrub {
  /** Words of the bridge and of servers: our secrets go, and whatever has the form of one. */
  words(text: string): Clean;
  /** Values that people wrote and that are compared later: our secrets go, and nothing else, for a password may be an example. */
  values(text: string): Clean;
}

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

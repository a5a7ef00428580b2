import type { Side } from '../../src/model/ids.ts';
import type { Cost } from '../../src/model/runtime.ts';
import type { FaultSource } from '../../src/sandbox/server/faults.ts';

/**
 * Holds answers of a sandbox back until a test has looked at what there is only in between, so that it is there for as
 * long as a slow machine needs to look, and is not gone before a fast one does.
 */
export interface Gate {
  /** For the sandbox: what is held is done at once, and answered when the gate is opened. */
  readonly faults: FaultSource;
  readonly sleep: () => Promise<void>;
  /** Holds what `isHeld` picks of the requests from now on; resolves when the first of them has come. */
  shut(isHeld: (side: Side, cost: Cost) => boolean): Promise<void>;
  open(): void;
}

export function openGate(): Gate {
  let picks: (side: Side, cost: Cost) => boolean = () => false;
  let [come, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    faults: (side, cost) => (picks(side, cost) ? { kind: 'slow', delayMs: 0 } : { kind: 'none' }),
    sleep() {
      come.resolve();
      return opened.promise;
    },
    shut(isHeld) {
      [picks, come, opened] = [isHeld, Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      return come.promise;
    },
    open() {
      picks = () => false;
      opened.resolve();
    },
  };
}

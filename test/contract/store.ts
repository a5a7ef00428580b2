import { afterEach, beforeEach, describe } from 'vitest';
import type { Store } from '../../src/model/store.ts';
import { enclosuresContract } from './store-enclosures.ts';
import { failuresContract } from './store-failures.ts';
import { farewellsContract } from './store-farewells.ts';
import { linksContract, sweepsContract } from './store-links.ts';
import { outboxContract } from './store-outbox.ts';
import { placesContract } from './store-places.ts';
import { receiptsContract } from './store-receipts.ts';
import { entriesContract, recordsContract, transactionContract } from './store-records.ts';
import { refusalsContract } from './store-refusals.ts';

/** What a contract test works with: a fresh store, and the clock that the store was given. */
export interface StoreUnderTest {
  readonly store: Store;
  readonly clock: { nowAt: number };
}

/** What every implementation of the store must do. `open` gives an empty store that reads its time from `now`. */
export function storeContract(name: string, open: (now: () => number) => Store): void {
  describe(`the store contract, kept by ${name}`, () => {
    const clock = { nowAt: 0 };
    let store: Store;
    beforeEach(() => {
      clock.nowAt = 1_000;
      store = open(() => clock.nowAt);
    });
    afterEach(() => store.close());
    const subject: StoreUnderTest = {
      get store() {
        return store;
      },
      clock,
    };
    linksContract(subject);
    sweepsContract(subject);
    entriesContract(subject);
    enclosuresContract(subject);
    farewellsContract(subject);
    outboxContract(subject);
    recordsContract(subject);
    refusalsContract(subject);
    failuresContract(subject);
    placesContract(subject);
    receiptsContract(subject);
    transactionContract(subject);
  });
}

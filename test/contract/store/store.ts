import { afterEach, beforeEach, describe } from 'vitest';
import type { Store } from '../../../src/model/store.ts';
import { attachmentLinksContract } from './attachment-links.ts';
import { cutoverNoticesContract } from './cutover-notices.ts';
import { dashboardsContract } from './dashboards.ts';
import { failuresContract } from './failures.ts';
import { importsContract } from './imports.ts';
import { linkPullsContract } from './link-pulls.ts';
import { linkPushesContract } from './link-pushes.ts';
import { linksContract, sweepsContract } from './links.ts';
import { looksContract } from './looks.ts';
import { outboxContract } from './outbox.ts';
import { pairsContract } from './pairs.ts';
import { pausesContract } from './pauses.ts';
import { placesContract } from './places.ts';
import { receiptsContract } from './receipts.ts';
import { commentLinksContract, recordsContract, transactionContract } from './records.ts';
import { refusalsContract } from './refusals.ts';
import { setAsideContract } from './set-aside.ts';
import { toldReceiversContract } from './told-receivers.ts';

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
    looksContract(subject);
    pairsContract(subject);
    commentLinksContract(subject);
    attachmentLinksContract(subject);
    cutoverNoticesContract(subject);
    importsContract(subject);
    linkPullsContract(subject);
    linkPushesContract(subject);
    outboxContract(subject);
    recordsContract(subject);
    refusalsContract(subject);
    pausesContract(subject);
    dashboardsContract(subject);
    toldReceiversContract(subject);
    failuresContract(subject);
    setAsideContract(subject);
    placesContract(subject);
    receiptsContract(subject);
    transactionContract(subject);
  });
}

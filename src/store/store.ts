import type { Database } from 'better-sqlite3';
import type { Scrub } from '../model/scrub.ts';
import type { Store } from '../model/store.ts';
import { sqliteBudgets } from './budgets.ts';
import { sqliteCursors } from './cursors.ts';
import { sqliteEnclosures } from './enclosures.ts';
import { sqliteEntries } from './entries.ts';
import { sqliteFailures } from './failures.ts';
import { sqliteFarewells } from './farewells.ts';
import { sqliteFindings } from './findings.ts';
import { sqliteLedger } from './ledger.ts';
import { sqliteLinks } from './links.ts';
import { sqliteMentions } from './mentions.ts';
import { sqliteOutbox } from './outbox.ts';
import { sqlitePlaces } from './places.ts';
import { sqliteReceipts } from './receipts.ts';
import { sqliteRefusals } from './refusals.ts';
import { stateTrouble } from './trouble.ts';
import { whyUnwritable } from './unwritable.ts';

interface Behind {
  readonly now: () => number;
  readonly scrub: Scrub;
  readonly close: () => void;
}

/** The store over an open, migrated connection. A transaction within a transaction is a savepoint. */
export function sqliteStore(db: Database, { now, scrub, close }: Behind): Store {
  return {
    transaction: (work) => db.transaction(work)(),
    links: sqliteLinks(db, now, scrub),
    entries: sqliteEntries(db, scrub),
    mentions: sqliteMentions(db),
    enclosures: sqliteEnclosures(db, scrub),
    outbox: sqliteOutbox(db, scrub),
    cursors: sqliteCursors(db),
    ledger: sqliteLedger(db, scrub),
    budgets: sqliteBudgets(db, scrub),
    findings: sqliteFindings(db, scrub),
    farewells: sqliteFarewells(db),
    refusals: sqliteRefusals(db),
    failures: sqliteFailures(db, scrub),
    places: sqlitePlaces(db),
    receipts: sqliteReceipts(db),
    troubleIn: stateTrouble,
    unwritable: () => (db.memory ? null : whyUnwritable(db.name)),
    close,
  };
}

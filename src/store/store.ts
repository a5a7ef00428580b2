import type { Database } from 'better-sqlite3';
import type { Store } from '../model/store.ts';
import { sqliteBudgets } from './budgets.ts';
import { sqliteCursors } from './cursors.ts';
import { sqliteEnclosures } from './enclosures.ts';
import { sqliteEntries } from './entries.ts';
import { sqliteFarewells } from './farewells.ts';
import { sqliteFindings } from './findings.ts';
import { sqliteLedger } from './ledger.ts';
import { sqliteLinks } from './links.ts';
import { sqliteMentions } from './mentions.ts';
import { sqliteOutbox } from './outbox.ts';

/** The store over an open, migrated connection. A transaction within a transaction is a savepoint. */
export function sqliteStore(db: Database, { now, close }: { readonly now: () => number; readonly close: () => void }): Store {
  return {
    transaction: (work) => db.transaction(work)(),
    links: sqliteLinks(db, now),
    entries: sqliteEntries(db),
    mentions: sqliteMentions(db),
    enclosures: sqliteEnclosures(db),
    outbox: sqliteOutbox(db),
    cursors: sqliteCursors(db),
    ledger: sqliteLedger(db),
    budgets: sqliteBudgets(db),
    findings: sqliteFindings(db),
    farewells: sqliteFarewells(db),
    close,
  };
}

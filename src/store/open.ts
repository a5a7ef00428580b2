import type { Database } from 'better-sqlite3';
import type { Scrub } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { openDatabase, type StateMode } from './database.ts';
import { sqliteAttachmentLinks } from './tables/attachment-links.ts';
import { sqliteBudgets } from './tables/budgets.ts';
import { sqliteCommentLinks } from './tables/comment-links.ts';
import { sqliteCursors } from './tables/cursors.ts';
import { sqliteCutoverNotices } from './tables/cutover-notices.ts';
import { sqliteFailures } from './tables/failures.ts';
import { sqliteFindings } from './tables/findings.ts';
import { sqliteLedger } from './tables/ledger.ts';
import { sqliteLinks } from './tables/links.ts';
import { sqliteMentions, sqlitePlaces, sqliteRefusals } from './tables/mentions.ts';
import { sqliteOutbox } from './tables/outbox.ts';
import { sqliteReceipts } from './tables/receipts.ts';
import { stateTrouble, whyUnwritable } from './trouble.ts';

export interface OpenOptions {
  readonly mode: StateMode;
  /** Our clock, epoch milliseconds: the one that times of sweeps are taken from. */
  readonly now: () => number;
  /** What the bridge writes down about its own work passes here; the texts that it carries do not. */
  readonly scrub: Scrub;
  /** Hears that others could read the state, which was put right. */
  readonly warn?: (message: string) => void;
}

/**
 * Opens the state database in `file` (`:memory:` for one that nobody else sees).
 * Throws `StateLocked` when another process writes it, and `StateUnusable` when it is missing (to read), damaged, or from a newer program.
 */
export function openStore(file: string, { mode, now, scrub, warn }: OpenOptions): Store {
  const { db, close } = openDatabase(file, mode, warn);
  return sqliteStore(db, { now, scrub, close });
}

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
    commentLinks: sqliteCommentLinks(db, scrub),
    mentions: sqliteMentions(db),
    attachmentLinks: sqliteAttachmentLinks(db, scrub),
    outbox: sqliteOutbox(db, scrub),
    cursors: sqliteCursors(db),
    ledger: sqliteLedger(db, scrub),
    budgets: sqliteBudgets(db, scrub),
    findings: sqliteFindings(db, scrub),
    cutoverNotices: sqliteCutoverNotices(db),
    refusals: sqliteRefusals(db),
    failures: sqliteFailures(db, scrub),
    places: sqlitePlaces(db),
    receipts: sqliteReceipts(db),
    troubleIn: stateTrouble,
    unwritable: () => (db.memory ? null : whyUnwritable(db.name)),
    close,
  };
}

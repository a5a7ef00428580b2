import type { Database, Statement } from 'better-sqlite3';
import type { Scrub } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { openDatabase, type StateMode } from './database.ts';
import { inPlace } from './in-place.ts';
import { openScratch } from './scratch.ts';
import { steady } from './steady.ts';
import { sqliteAttachmentLinks } from './tables/attachment-links.ts';
import { sqliteCommentLinks, sqliteMentions } from './tables/comment-links.ts';
import { sqliteCutoverNotices } from './tables/cutover-notices.ts';
import { sqliteTakenImports } from './tables/imports.ts';
import { sqliteLinkPulls } from './tables/link-pulls.ts';
import { sqliteLinkPushes } from './tables/link-pushes.ts';
import { sqliteLinks } from './tables/links.ts';
import { sqliteCursors, sqliteLooks } from './tables/looks.ts';
import { sqliteMoments } from './tables/moments.ts';
import { sqliteOlderPairs } from './tables/older-pairs.ts';
import { sqliteOutbox, sqliteReceipts } from './tables/outbox.ts';
import { sqlitePairs } from './tables/pairs.ts';
import { sqliteFailures, sqliteFindings, sqliteLedger } from './tables/reports.ts';
import {
  sqliteBudgets,
  sqliteDashboards,
  sqliteGreetings,
  sqlitePauses,
  sqlitePlaces,
  sqliteRefusals,
  sqliteRetirements,
} from './tables/routes.ts';
import { sqliteSetAsides } from './tables/set-aside.ts';
import { sqliteToldReceivers } from './tables/told-receivers.ts';
import { sqliteUndertakings } from './tables/undertakings.ts';
import { sqliteUnknownWrites } from './tables/unknown-writes.ts';
import { stateTrouble, whyUnwritable } from './trouble.ts';
import { unhurriedOn } from './unhurried.ts';

interface OpenOptions {
  readonly mode: StateMode;
  /** Our clock, epoch milliseconds, which also times sweeps. */
  readonly now: () => number;
  /** Scrubs what the bridge records about its own work, but not the texts that it carries. */
  readonly scrub: Scrub;
  /** Called if other users could read the state. */
  readonly warn?: (message: string) => void;
}

/**
 * Opens the state database in `file` (`:memory:` for a private one). Throws `StateLocked` if another process writes it,
 * and `StateUnusable` if it is missing (to read), damaged, or from a newer version.
 */
export function openStore(file: string, { mode, now, scrub, warn }: OpenOptions): Store {
  const { db, close } = openDatabase(file, mode, warn);
  const disk = unhurriedOn(db);
  return sqliteStore(preparingLate(db, disk.writing), { now, scrub, close, disk });
}

interface Behind {
  readonly now: () => number;
  readonly scrub: Scrub;
  readonly close: () => void;
  readonly disk?: ReturnType<typeof unhurriedOn>;
}

/** The store over an open, migrated connection. A transaction within a transaction is a savepoint. */
export function sqliteStore(db: Database, { now, scrub, close, disk = unhurriedOn(db) }: Behind): Store {
  // One for all: to make a transaction takes longer than to begin and to end it.
  const within = db.transaction((work: () => unknown) => work());
  return {
    transaction: <T>(work: () => T) => within(work) as T,
    unhurried: disk.unhurried,
    flush: disk.flush,
    links: sqliteLinks(db, now, scrub),
    pairs: sqlitePairs(db),
    commentLinks: sqliteCommentLinks(db, scrub),
    mentions: sqliteMentions(db),
    attachmentLinks: sqliteAttachmentLinks(db, scrub),
    pulls: sqliteLinkPulls(db),
    pushes: sqliteLinkPushes(db),
    outbox: sqliteOutbox(db, now, scrub),
    cursors: sqliteCursors(db),
    looks: sqliteLooks(db),
    ledger: sqliteLedger(db, scrub),
    budgets: sqliteBudgets(db, now, scrub),
    moments: sqliteMoments(db),
    findings: sqliteFindings(db, scrub),
    cutoverNotices: sqliteCutoverNotices(db),
    imports: sqliteTakenImports(db),
    undertakings: sqliteUndertakings(db),
    olderPairs: sqliteOlderPairs(db),
    unknownWrites: sqliteUnknownWrites(db),
    refusals: sqliteRefusals(db),
    retirements: sqliteRetirements(db),
    greetings: sqliteGreetings(db),
    failures: sqliteFailures(db, scrub),
    setAside: sqliteSetAsides(db, now, scrub),
    pauses: sqlitePauses(db, scrub),
    dashboards: sqliteDashboards(db),
    toldReceivers: sqliteToldReceivers(db, scrub),
    places: sqlitePlaces(db),
    receipts: sqliteReceipts(db, now),
    scratch: () => openScratch(db.memory ? null : db.name),
    troubleIn: stateTrouble,
    assertInPlace: inPlace(db, now),
    unwritable: () => (db.memory ? null : whyUnwritable(db.name)),
    close() {
      disk.close();
      close();
    },
  };
}

/**
 * The same connection, which prepares each statement when it first runs: there are more than a hundred, and a command
 * needs few. All of them are valid: a test prepares them.
 */
const preparingLate = (db: Database, writing: () => void): Database =>
  Object.create(db, {
    prepare: { value: (source: string) => new LateStatement(() => db.prepare(steady(source)), writing) },
  });

/** The methods of a statement that the tables call. */
class LateStatement implements Pick<Statement, 'run' | 'get' | 'all' | 'iterate'> {
  readonly #prepare: () => Statement;
  readonly #writing: () => void;
  #prepared: Statement | null = null;

  constructor(prepare: () => Statement, writing: () => void) {
    this.#prepare = prepare;
    this.#writing = writing;
  }

  get #statement(): Statement {
    this.#prepared ??= this.#prepare();
    return this.#prepared;
  }

  run(...values: readonly unknown[]) {
    this.#writing();
    return this.#statement.run(...values);
  }

  get(...values: readonly unknown[]) {
    return this.#statement.get(...values);
  }

  all(...values: readonly unknown[]) {
    return this.#statement.all(...values);
  }

  iterate(...values: readonly unknown[]) {
    return this.#statement.iterate(...values);
  }
}

import { endBackoff } from '../kernel/backoff.ts';
import { spareAsync, workOn } from '../kernel/set-aside.ts';
import { rereadGithub } from '../kernel/unread.ts';
import type { IssueNumber, LinkId } from '../model/ids.ts';
import type { Begun, ImportDraft, Importer, ImportJob } from '../model/migration.ts';
import { SideError } from '../model/outcome.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import { recordFailure } from '../sync/perform/record-failure.ts';
import { importMs } from '../sync/settle/find-made.ts';
import type { ImportPlan } from './import-bugs.ts';
import type { Migration } from './migration.ts';
import { RefusedInARow } from './refused-in-a-row.ts';
import { patiently, refuseWhilePaused, waitForBackoff } from './until-quiet.ts';

interface Launch {
  readonly key: string;
  readonly link: LinkId;
  readonly draft: ImportDraft;
}

/** An import that GitHub has accepted. */
interface ImportInFlight extends Launch {
  /** That of the operation in the outbox. */
  readonly number: number;
  /** When GitHub accepted it, by its own clock. */
  readonly takenAt: number;
}

/**
 * The maximum in flight, a number that works well for other programs; once reached, it waits until only the lower
 * number is left.
 */
export const inFlightMax = 50;
const inFlightLow = 10;

const attemptsMax = 5;
const firstLookMs = 1_000;
const longestLookMs = 30_000;

/**
 * The imports in flight. The state keeps which import is whose, and what became of it, so that a restart need not read
 * all of GitHub.
 */
export class ImportsInFlight {
  readonly #migration: Migration;
  readonly #importer: Importer;
  readonly #moved: () => void;
  readonly #open = new Map<number, ImportInFlight>();
  readonly #landed = new Map<LinkId, IssueNumber>();
  readonly #parked = new Set<LinkId>();
  readonly #refused: RefusedInARow;
  #begun = 0;
  #lost = 0;

  /** @param moved called whenever an import is sent or has finished */
  constructor(migration: Migration, importer: Importer, moved: () => void) {
    this.#migration = migration;
    this.#importer = importer;
    this.#moved = moved;
    this.#refused = new RefusedInARow(migration.context, ({ row, refusal }) => this.#park(row, refusal));
  }

  /** How many are in flight. */
  get count(): number {
    return this.#open.size;
  }

  /** How many bugs were sent, whatever the outcome. */
  get begun(): number {
    return this.#begun;
  }

  /** How many were sent without an answer. */
  get lost(): number {
    return this.#lost;
  }

  /** Imported issues, by link. */
  get landed(): ReadonlyMap<LinkId, IssueNumber> {
    return this.#landed;
  }

  /** Links whose import GitHub refused, perhaps as all imports of ours. */
  get parked(): ReadonlySet<LinkId> {
    return this.#parked;
  }

  /** Waits while too many are in flight. Throws `SideError`. */
  async makeRoom(): Promise<void> {
    if (this.#open.size >= inFlightMax) await this.settleDown(inFlightLow);
  }

  /** Sends one. `remember` stores the plan, in the transaction that marks the import as sent. Throws `SideError`. */
  async send({ create, draft, originals }: ImportPlan, remember: () => void): Promise<void> {
    const { commentLinks } = this.#migration.context.store;
    this.#begun += 1;
    await this.#launch({ key: create.key, link: create.link, draft }, () => {
      remember();
      // The originals may say something else once the copies are found.
      for (const id of originals) {
        const row = commentLinks.byId(id);
        if (row !== null) commentLinks.save({ ...row, mirrored: row.digest });
      }
    });
  }

  /** Waits until at most `left` are in flight. */
  async settleDown(left: number): Promise<void> {
    const { clock } = this.#migration.context;
    for (let waitMs = firstLookMs; this.#open.size > left; waitMs = Math.min(longestLookMs, waitMs * 2)) {
      const before = this.#open.size;
      const sinceAt = Math.min(...[...this.#open.values()].map(({ takenAt }) => takenAt));
      for (const job of await patiently(this.#migration, () => this.#importer.since(sinceAt))) await this.#arrive(job);
      this.#moved();
      if (this.#open.size < before) waitMs = firstLookMs;
      if (this.#open.size > left) await clock.sleep(waitMs);
    }
  }

  /** Waits for all of them, after the last one. Throws `SideError`, also if GitHub refused all. */
  async end(): Promise<void> {
    await this.settleDown(0);
    await this.#refused.decide();
  }

  /** GitHub took an import. */
  took(): Promise<void> {
    return this.#refused.end();
  }

  async #launch(launch: Launch, remember: () => void): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await waitForBackoff(this.#migration);
      refuseWhilePaused(this.#migration.context, this.#migration.context.route.name);
      const row = begin(this.#migration, launch.key, remember);
      if (row === null) return;
      const outcome = await this.#importer.begin(launch.draft);
      if (outcome.kind === 'applied') {
        const { context } = this.#migration;
        context.store.imports.take(row.number, outcome.item.id);
        endBackoff(context, 'github');
        this.#open.set(outcome.item.id, { ...launch, number: row.number, takenAt: outcome.item.createdAt });
        await this.took();
        this.#moved();
        return;
      }
      const isOver = await this.#fail(row, outcome);
      if (isOver || attempt >= attemptsMax) return;
    }
  }

  /** Records the failure. Returns true if the draft must not be sent again now. Throws `SideError`. */
  async #fail(row: OutboxRow, outcome: Exclude<Begun, { readonly kind: 'applied' }>): Promise<boolean> {
    if (outcome.kind === 'refused') {
      await this.#park(row, outcome.why);
      this.#refused.addParked(outcome);
      return true;
    }
    const { context } = this.#migration;
    const { key } = row.operation;
    await recordFailure(context, row, outcome);
    const kept = context.store.outbox.get(key);
    if (kept !== null && kept.state !== 'sent') context.store.outbox.mark(key, { notBeforeAt: null });
    if (outcome.kind === 'unknown') this.#lost += 1;
    if (outcome.kind === 'unauthorized') await this.#refuse(row, outcome);
    return outcome.kind !== 'later';
  }

  async #refuse(row: OutboxRow, { why, refusal }: Extract<Begun, { readonly kind: 'unauthorized' }>): Promise<void> {
    const isOfAll =
      refusal === null || (await patiently(this.#migration, () => this.#importer.home())).mayImport === false;
    if (isOfAll) throw new SideError('unauthorized', why, { side: 'github' });
    this.#parked.add(row.operation.link);
    await this.#refused.add({ row, refusal }, why);
  }

  async #park(row: OutboxRow, why: string): Promise<void> {
    const { context, tell } = this.#migration;
    const { link, about } = row.operation;
    await recordFailure(context, row, { kind: 'refused', why });
    this.#parked.add(link);
    const bug = context.store.links.byId(link)?.bug ?? null;
    tell({ kind: 'parked', route: context.route.name, about: bug === null ? about : `bug ${bug}`, why });
  }

  async #arrive(job: ImportJob): Promise<void> {
    const launch = this.#open.get(job.id);
    if (launch === undefined || job.state === 'pending') return;
    this.#open.delete(job.id);
    const { context } = this.#migration;
    const link = context.store.links.byId(launch.link);
    // An import that only holds a number has no pair.
    if (link === null) await this.#take(launch, job);
    else await spareAsync(context, workOn(context, link, 'write'), () => this.#take(launch, job));
  }

  async #take(launch: ImportInFlight, job: ImportJob): Promise<void> {
    if (job.issue !== null) {
      this.#landed.set(launch.link, job.issue);
      this.#migration.context.store.imports.land(launch.number, job.issue);
    } else await this.#retryOrPark(launch, job);
  }

  /** GitHub rejects assignees without access to the repository; the rest of the bug can still be imported. */
  async #retryOrPark(launch: ImportInFlight, { faults, why }: ImportJob): Promise<void> {
    const { outbox } = this.#migration.context.store;
    const { assignee, ...rest } = launch.draft;
    const row = outbox.get(launch.key);
    if (row === null) return;
    if (assignee !== undefined && faults.includes('assignee')) {
      outbox.mark(launch.key, { state: 'planned', sentAt: null, notBeforeAt: null });
      await this.#launch({ ...launch, draft: rest }, () => {});
    } else await this.#park(row, `GitHub could not import it: ${why}`);
  }
}

/**
 * Stores that an import is about to leave. From now on, GitHub has to be read again before an issue is created in any
 * other way.
 */
function begin({ context }: Migration, key: string, remember: () => void): OutboxRow | null {
  const { store, clock } = context;
  const now = clock.now();
  return store.transaction(() => {
    remember();
    const row = store.outbox.get(key);
    if (row === null) return null;
    store.imports.forget(row.number);
    store.outbox.mark(key, {
      state: 'sent',
      sentAt: now,
      attempts: row.attempts + 1,
      why: null,
      notBeforeAt: now + importMs,
    });
    store.budgets.spend('github', 'edit', { at: now, points: 1 });
    if (store.cursors.get(context.route.name, 'github')?.isComplete) rereadGithub(context);
    return row;
  });
}

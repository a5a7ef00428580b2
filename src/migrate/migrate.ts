import { isImport } from '../kernel/imports.ts';
import type { LinkId } from '../model/ids.ts';
import type { Importer, ImportHome } from '../model/migration.ts';
import type { Refusal } from '../rules/limits/brake-and-budget.ts';
import { settleRow } from '../sync/settle/settle.ts';
import { adoptSentImports, landedBefore, readBoth } from './adopt.ts';
import { closeImported, minimizeImported } from './finish-imported.ts';
import { importBugs, lacking } from './import-bugs.ts';
import { keepNumbers } from './keep-numbers.ts';
import type { MigrateReport, Migration, Phase } from './migration.ts';
import { only } from './only.ts';
import { landedOf, resume } from './resume.ts';
import { undertaking } from './undertaking.ts';
import { patiently, untilQuiet } from './until-quiet.ts';

/** How often bugs are sent whose issues do not exist afterwards. */
const passesMax = 4;

/**
 * Migrates a whole tracker once, with the plan, the texts and the state of the mirror. It may be stopped at any moment
 * and started again: markers identify the issues that were sent, and existing ones are not created again. Throws
 * `SideError`.
 */
export async function migrate(migration: Migration): Promise<MigrateReport> {
  const { context, importer } = migration;
  return context.store.unhurried(() =>
    undertaking(context, { kind: 'migrate', isDone: ({ stopped }: MigrateReport) => stopped === null }, () =>
      importer === null ? writeThroughCycles(migration) : writeThroughImports(migration, importer),
    ),
  );
}

async function writeThroughCycles(migration: Migration): Promise<MigrateReport> {
  const { context, limit } = migration;
  enter(migration, 'reading');
  await readBoth(migration);
  const before = lacking(context);
  const chosen = limit === null ? null : new Set(before.slice(0, limit));
  enter(migration, 'finishing');
  const refusal = await untilQuiet(migration, (whole) =>
    only(whole, ({ id, hasIssue }) => hasIssue || chosen === null || chosen.has(id)),
  );
  const { parked } = context.store.outbox.count(context.route.name);
  const stopped = refusal === null ? null : stoppedBy(refusal);
  return { imported: before.length - lacking(context).length, parked, placeholders: 0, stopped };
}

async function writeThroughImports(migration: Migration, importer: Importer): Promise<MigrateReport> {
  const { context, numbers } = migration;
  const home = await patiently(migration, () => importer.home());
  enter(migration, 'recovering');
  await recover(migration, importer, home);
  const sent =
    numbers === 'keep' ? await sendInOrder(migration, importer, home) : await sendFreely(migration, importer, home);
  enter(migration, 'finishing');
  await closeImported(migration, importer, new Map());
  await minimizeImported(migration, importer);
  // Only imports create issues here: bugs that were parked, or exceed the limit, do not get one in another way behind
  // the operator's back.
  const refusal = await untilQuiet(migration, (whole) => only(whole, ({ hasIssue }) => hasIssue));
  const { parked } = context.store.outbox.count(context.route.name);
  return { ...sent, parked, stopped: refusal === null ? sent.stopped : stoppedBy(refusal) };
}

const stoppedBy = ({ why }: Refusal): string =>
  `nothing was written to what was mirrored before, because ${why}; check bugferry plan; if it is right, run bugferry once --force, and then bugferry migrate again`;

/**
 * Finds the imports of an earlier run before anything else is sent. With kept numbers, an import that is not in the
 * state may hold a number.
 */
async function recover(migration: Migration, importer: Importer, home: ImportHome): Promise<void> {
  const { store, route } = migration.context;
  const isLeft = store.outbox.eachSent(route.name).some(isImport);
  const isRead = store.cursors.get(route.name, 'tracker')?.isComplete === true;
  // GitHub is read once all bugs are sent.
  if (isLeft && isRead && migration.numbers === 'free' && (await resume(migration, importer))) return;
  if (isLeft || migration.numbers === 'keep')
    return adoptSentImports(migration, importer, { issues: [], isPartial: true });
  // If the state was lost, imports may be pending that no read shows yet.
  const isNew = store.links.after(route.name, null, 1).length === 0;
  if (isNew && home.mayImport !== false) await landedBefore(migration, importer);
  await readBoth(migration);
}

type ImportCounts = Omit<MigrateReport, 'parked'>;

async function sendFreely(migration: Migration, importer: Importer, home: ImportHome): Promise<ImportCounts> {
  const { context } = migration;
  const without = new Set<LinkId>();
  let imported = 0;
  for (let pass = 1; pass <= passesMax; pass += 1) {
    settleFiles(migration);
    const open = lacking(context).filter((id) => !without.has(id));
    const chosen = open.slice(0, roomLeft(migration, imported));
    if (chosen.length > 0) enter(migration, 'importing');
    const found = await importBugs(migration, importer, home, chosen);
    imported += found.landed.size;
    for (const id of found.parked) without.add(id);
    // What was not created is sent again first, so that GitHub is read only once.
    if (found.lost > 0 && pass < passesMax && (await resume(migration, importer))) continue;
    const landed = landedOf(context);
    if (found.begun === 0 && landed.size === 0) break;
    enter(migration, 'adopting');
    // Closed before they are read, so that they are read only once.
    await closeImported(migration, importer, landed);
    await adoptSentImports(migration, importer, { issues: [...landed.values()], isPartial: found.lost > 0 });
  }
  return { imported, placeholders: 0, stopped: null };
}

async function sendInOrder(migration: Migration, importer: Importer, home: ImportHome): Promise<ImportCounts> {
  let [imported, placeholders] = [0, 0];
  for (let pass = 0; pass < passesMax; pass += 1) {
    settleFiles(migration);
    enter(migration, 'importing');
    const kept = await keepNumbers(migration, importer, home, roomLeft(migration, imported));
    imported += kept.imported;
    placeholders += kept.placeholders;
    enter(migration, 'adopting');
    await adoptSentImports(migration, importer, { issues: [], isPartial: true });
    if (!kept.isInDoubt) return { imported, placeholders, stopped: kept.stopped };
  }
  return { imported, placeholders, stopped: 'GitHub lost or refused too many imports. Run again later' };
}

/** Files that a request in doubt may have stored. A bug in doubt is not sent, and storing a file again does no harm. */
function settleFiles({ context }: Migration): void {
  const { store, route } = context;
  store.transaction(() => {
    for (const row of store.outbox.eachSent(route.name))
      if (row.operation.kind === 'file' && row.operation.on === 'github') settleRow(context, row);
  });
}

const roomLeft = ({ limit }: Migration, imported: number): number => (limit ?? Number.MAX_SAFE_INTEGER) - imported;

const enter = ({ context, tell }: Migration, phase: Phase): void =>
  tell({ kind: 'phase', route: context.route.name, phase });

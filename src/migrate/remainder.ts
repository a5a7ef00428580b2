import type { LinkId, Side } from '../model/ids.ts';
import type { CyclePlan } from '../model/plan/plan-input.ts';
import { readThreads } from '../sync/observe/read-threads.ts';
import { planLinks, refusalOf } from '../sync/plan-links.ts';
import type { KnownBefore } from '../sync/settle/settle-older.ts';
import type { Migration } from './migration.ts';
import { madeByMigration } from './undertaking.ts';
import { patiently } from './until-quiet.ts';

/** What the last phase of a migration writes to pairs that are there already. */
export interface Remainder {
  readonly writes: Readonly<Record<Side, number>>;
  /** Why the brake refuses it; null if it does not. */
  readonly refusal: string | null;
}

const batchSize = 200;

/**
 * Call it after both sides were read. Throws `SideError`.
 * @param before what was known of both sides before they were read
 */
export async function remainderOf(migration: Migration, before: KnownBefore): Promise<Remainder> {
  const { context } = migration;
  const { store, route } = context;
  const ids: LinkId[] = [];
  for (const { id, hasBug, hasIssue } of store.links.eachWanting(route.name)) if (hasBug && hasIssue) ids.push(id);
  const changed: CyclePlan['changed'][number][] = [];
  const writes = { tracker: 0, github: 0 };
  for (let at = 0; at < ids.length; at += batchSize) {
    const links = ids.slice(at, at + batchSize).flatMap((id) => store.links.byId(id) ?? []);
    await patiently(migration, () => readThreads(context, links, []));
    const planned = await patiently(migration, () => planLinks(context, links, before));
    changed.push(...planned.changed);
    for (const { on } of planned.ready) writes[on] += 1;
  }
  const links = store.links.count(route.name).whole;
  const madeNow = () => madeByMigration(context);
  return { writes, refusal: refusalOf(context, { changed, links }, madeNow)?.why ?? null };
}

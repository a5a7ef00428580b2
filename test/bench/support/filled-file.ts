import { closeSync, fsyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { commentLinksPerLink, firstRemembered } from './filled-state.ts';

/**
 * Adds this many pairs to the state file that nobody has open, each like the one that it knows already: with a
 * description and two comments. The database makes them by itself, which takes a fraction of the time.
 */
export function fillFile(file: string, count: number): void {
  const db = new Database(file);
  try {
    // In a write-ahead log all of it would be written twice; and what the file is worth if this is cut off is nothing.
    db.pragma('journal_mode = delete');
    db.pragma('synchronous = off');
    const numbers =
      'with recursive numbers (number) as (select @first union all select number + 1 from numbers where number + 1 < @end)';
    const range = { first: firstRemembered, end: firstRemembered + count };
    if (count < 1) return;
    const links = columns(db, 'links', {
      bug: 'number',
      issue: 'number',
      tracker: "json_set(model.tracker, '$.id', number)",
      github: "json_set(model.github, '$.number', number, '$.id', number)",
    });
    db.prepare(
      `${numbers} insert into links (${links.names}) select ${links.values} from numbers, links model where model.bug = 1`,
    ).run(range);
    const source = `number * ${commentLinksPerLink} + nth`;
    const commentLinks = columns(db, 'comment_links', {
      link: 'links.id',
      source,
      count: 'nth',
      copy: `iif(nth = 0, model.copy, ${source})`,
    });
    const nths = Array.from({ length: commentLinksPerLink }, (_, nth) => `select ${nth} as nth`).join(' union all ');
    const first = 'select * from comment_links where link = (select id from links where bug = 1) order by id limit 1';
    db.prepare(
      `${numbers} insert into comment_links (${commentLinks.names})
       select ${commentLinks.values} from numbers cross join links on links.bug = number cross join (${nths}) cross join (${first}) model`,
    ).run(range);
  } finally {
    db.close();
  }
  // Whoever writes to the file next would wait until all of it has reached the disk.
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** All columns of a table but its id, and what stands in them: the model's values, but for those that are told. */
function columns(
  db: Database.Database,
  table: string,
  given: Readonly<Record<string, string>>,
): { names: string; values: string } {
  const rows = db
    .prepare<[string], { readonly name: string }>("select name from pragma_table_info(?) where name <> 'id'")
    .all(table);
  const names = rows.map(({ name }) => name);
  return { names: names.join(', '), values: names.map((name) => given[name] ?? `model.${name}`).join(', ') };
}

import type { Database } from 'better-sqlite3';
import { type EntryId, entryId } from '../model/ids.ts';
import type { Mentions } from '../model/store.ts';

export function sqliteMentions(db: Database): Mentions {
  const clear = db.prepare('delete from mentions where entry = ?');
  const insert = db.prepare('insert or ignore into mentions (entry, mention) values (?, ?)');
  const of = db.prepare<[string], { readonly entry: number }>('select entry from mentions where mention = ? order by entry');
  return {
    replace: db.transaction((entry: EntryId, mentions: readonly string[]) => {
      clear.run(entry);
      for (const mention of mentions) insert.run(entry, mention);
    }),
    of: (mention) => of.all(mention).map(({ entry }) => entryId(entry)),
  };
}

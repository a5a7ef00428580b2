import type { Database } from 'better-sqlite3';
import type { LinkId } from '../../model/ids.ts';
import type { Receipt, Receipts } from '../../model/receipt.ts';
import { readJson } from '../json.ts';

interface Row {
  readonly content: string;
}

export function sqliteReceipts(db: Database): Receipts {
  const get = db.prepare<[LinkId], Row>('select content from receipts where link = ?');
  const save = db.prepare('insert or replace into receipts (link, content) values (?, ?)');
  const remove = db.prepare('delete from receipts where link = ?');
  const ofRoute = db.prepare<[string], Row>(
    'select content from receipts join links on links.id = receipts.link where links.route = ? order by link',
  );
  return {
    get(link) {
      const row = get.get(link);
      return row === undefined ? null : readJson<Receipt>(row.content);
    },
    save(receipt) {
      save.run(receipt.link, JSON.stringify(receipt));
    },
    remove(link) {
      remove.run(link);
    },
    ofRoute: (route) => ofRoute.all(route).map(({ content }) => readJson<Receipt>(content)),
  };
}

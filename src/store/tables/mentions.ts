import type { Database } from 'better-sqlite3';
import { type CommentLinkId, commentLinkId } from '../../model/ids.ts';
import type { Mentions, Places, Refusals, Refused } from '../../model/store.ts';

export function sqliteMentions(db: Database): Mentions {
  const clear = db.prepare('delete from mentions where comment_link = ?');
  const insert = db.prepare('insert or ignore into mentions (comment_link, mention) values (?, ?)');
  const of = db.prepare<[string], { readonly comment_link: number }>(
    'select comment_link from mentions where mention = ? order by comment_link',
  );
  return {
    replace: db.transaction((commentLink: CommentLinkId, mentions: readonly string[]) => {
      clear.run(commentLink);
      for (const mention of mentions) insert.run(commentLink, mention);
    }),
    of: (mention) => of.all(mention).map(({ comment_link: id }) => commentLinkId(id)),
  };
}

interface Row {
  readonly field: string;
  readonly name: string;
  readonly field_id: number | null;
}

export function sqlitePlaces(db: Database): Places {
  const clear = db.prepare('delete from places where route = ?');
  const insert = db.prepare('insert into places (route, field, name, field_id) values (?, ?, ?, ?)');
  const ofRoute = db.prepare<[string], Row>('select field, name, field_id from places where route = ? order by field');
  return {
    save(route, places) {
      db.transaction(() => {
        clear.run(route);
        for (const [field, { name, fieldId }] of Object.entries(places)) insert.run(route, field, name, fieldId);
      })();
    },
    ofRoute: (route) => Object.fromEntries(ofRoute.all(route).map(({ field, name, field_id: fieldId }) => [field, { name, fieldId }])),
  };
}

export function sqliteRefusals(db: Database): Refusals {
  const save = db.prepare('insert or replace into refusals (route, of, at, why) values (@route, @of, @at, @why)');
  const remove = db.prepare('delete from refusals where route = ? and of = ?');
  const ofRoute = db.prepare<[string], Refused>('select of, at, why from refusals where route = ? order by at, of');
  return {
    save(route, { of, at, why }) {
      save.run({ route, of, at, why });
    },
    remove(route, of) {
      remove.run(route, of);
    },
    ofRoute: (route) => ofRoute.all(route),
  };
}

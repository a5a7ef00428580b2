import type { Database } from 'better-sqlite3';
import { linkId } from '../../model/ids.ts';
import type { LinkPull, LinkPulls, PullState } from '../../model/pulls/pull.ts';

interface Row {
  readonly link: number;
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly login: string;
  readonly state: PullState;
  readonly told_open: number;
  readonly told_merged: number;
  readonly told_closed: number;
  readonly shown_title: string | null;
  readonly shown_obsolete: number | null;
}

export function sqliteLinkPulls(db: Database): LinkPulls {
  const save = db.prepare(`
    insert or replace into link_pulls (link, number, url, title, login, state, told_open, told_merged, told_closed, shown_title, shown_obsolete)
    values (@link, @number, @url, @title, @login, @state, @open, @merged, @closed, @shownTitle, @shownObsolete)`);
  const ofLink = db.prepare<[number], Row>('select * from link_pulls where link = ? order by number');
  const ofPull = db.prepare<[number, string], Row>(
    'select link_pulls.* from link_pulls join links on links.id = link_pulls.link where number = ? and links.route = ? order by link',
  );
  const move = db.prepare('update or ignore link_pulls set link = ? where link = ?');
  return {
    save({ told, shown, ...pull }) {
      const is = (state: PullState): number => (told.includes(state) ? 1 : 0);
      const ofShown = {
        shownTitle: shown?.title ?? null,
        shownObsolete: shown === null ? null : Number(shown.isObsolete),
      };
      save.run({ ...pull, open: is('open'), merged: is('merged'), closed: is('closed'), ...ofShown });
    },
    ofLink: (link) => ofLink.all(link).map(linkPullOf),
    ofPull: (route, number) => ofPull.all(number, route).map(linkPullOf),
    move(from, to) {
      move.run(to, from);
    },
  };
}

function linkPullOf({
  told_open: open,
  told_merged: merged,
  told_closed: closed,
  link,
  shown_title,
  shown_obsolete,
  ...pull
}: Row): LinkPull {
  const told: PullState[] = [];
  if (open === 1) told.push('open');
  if (merged === 1) told.push('merged');
  if (closed === 1) told.push('closed');
  const shown = shown_title === null ? null : { title: shown_title, isObsolete: shown_obsolete === 1 };
  return { ...pull, link: linkId(link), told, shown };
}

import type { Database } from 'better-sqlite3';
import { linkId } from '../../model/ids.ts';
import type { LinkPush, LinkPushes, ToldCommit } from '../../model/pulls/push.ts';

interface Row {
  readonly link: number;
  readonly url: string;
  readonly branch: string;
  readonly commits: string;
  readonly unread: number;
  readonly is_told: number;
}

export function sqliteLinkPushes(db: Database): LinkPushes {
  const save = db.prepare(`
    insert into link_pushes (link, url, branch, commits, unread, is_told)
    values (@link, @url, @branch, @commits, @unread, @isTold)
    on conflict (link, url) do update
    set branch = excluded.branch, commits = excluded.commits, unread = excluded.unread, is_told = excluded.is_told`);
  const ofLink = db.prepare<[number], Row>('select * from link_pushes where link = ? order by id');
  const move = db.prepare('update or ignore link_pushes set link = ? where link = ?');
  return {
    save({ commits, isTold, ...push }) {
      save.run({ ...push, commits: JSON.stringify(commits.map(asKept)), isTold: isTold ? 1 : 0 });
    },
    ofLink: (link) => ofLink.all(link).map(linkPushOf),
    move(from, to) {
      move.run(to, from);
    },
  };
}

const asKept = ({ sha, url, title, by }: ToldCommit): ToldCommit => ({ sha, url, title, by });

function linkPushOf({ link, url, branch, commits, unread, is_told: isTold }: Row): LinkPush {
  return { link: linkId(link), url, branch, commits: JSON.parse(commits), unread, isTold: isTold === 1 };
}

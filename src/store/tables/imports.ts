import type { Database } from 'better-sqlite3';
import { type IssueNumber, issueNumber, type LinkId, linkId } from '../../model/ids.ts';
import type { TakenImport, TakenImports } from '../../model/migration.ts';
import { recordOrNull } from '../columns.ts';

interface Row {
  readonly number: number;
  readonly link: number;
  readonly job: number;
  readonly issue: number | null;
}

export function sqliteTakenImports(db: Database): TakenImports {
  const take = db.prepare('insert or replace into imports (number, job) values (?, ?)');
  const land = db.prepare<[IssueNumber, number]>('update imports set issue = ? where number = ?');
  const forget = db.prepare('delete from imports where number = ?');
  const columns = 'imports.number, outbox.link, imports.job, imports.issue';
  const joined = `select ${columns} from outbox join imports on imports.number = outbox.number where outbox.state = 'sent'`;
  const ofRoute = db.prepare<[string], Row>(`${joined} and outbox.route = ? order by outbox.position`);
  const ofLink = db.prepare<[LinkId], Row>(`${joined} and outbox.link = ?`);
  return {
    take(number, job) {
      take.run(number, job);
    },
    land(number, issue) {
      land.run(issue, number);
    },
    forget(number) {
      forget.run(number);
    },
    ofRoute: (route) => ofRoute.all(route).map(importOf),
    ofLink: (link) => recordOrNull(ofLink.get(link), importOf),
  };
}

const importOf = ({ number, link, job, issue }: Row): TakenImport => ({
  number,
  link: linkId(link),
  job,
  issue: issue === null ? null : issueNumber(issue),
});

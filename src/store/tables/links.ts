import type { Database } from 'better-sqlite3';
import { type BugId, bugId, type IssueNumber, issueNumber, type LinkId, linkId, type Side } from '../../model/ids.ts';
import type { Link, LinkState, Urgency } from '../../model/link.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import type { LinkCount, Links } from '../../model/store.ts';
import { cleanOrNull, readJsonOrNull, writeJsonOrNull } from '../json.ts';
import { unlessTaken } from '../lock.ts';

interface Row {
  readonly id: number;
  readonly route: string;
  readonly repo: string;
  readonly origin: Side;
  readonly bug: number | null;
  readonly issue: number | null;
  readonly state: LinkState;
  readonly reason: string | null;
  readonly frozen_by: Side | null;
  readonly base: string | null;
  readonly tracker: string | null;
  readonly github: string | null;
  readonly urgency: number;
  readonly thread_read_at: number | null;
  readonly claim: number | null;
  readonly is_pointed_tracker: number;
  readonly is_pointed_github: number;
  readonly proof: string | null;
  readonly is_withdrawn: number;
}

/** The column holds the position in this list, so that the most urgent sorts highest. */
const urgencies: readonly Urgency[] = ['none', 'backfill', 'live'];

type Columns = Omit<Row, 'id' | 'reason'> & { readonly reason: Clean | null };

const insertSql = `
  insert into links (route, repo, origin, bug, issue, state, reason, frozen_by, base, tracker, github, urgency, thread_read_at, claim,
    is_pointed_tracker, is_pointed_github, proof, is_withdrawn, tracker_met_at, github_met_at)
  values (@route, @repo, @origin, @bug, @issue, @state, @reason, @frozen_by, @base, @tracker, @github, @urgency, @thread_read_at, @claim,
    @is_pointed_tracker, @is_pointed_github, @proof, @is_withdrawn, @now, @now)`;

// An end that is new on the link, or on its route, counts as met now: a sweep that began earlier could not have known it.
const updateSql = `
  update links set route = @route, repo = @repo, origin = @origin, bug = @bug, issue = @issue, state = @state, reason = @reason,
    frozen_by = @frozen_by, base = @base, tracker = @tracker, github = @github, urgency = @urgency,
    thread_read_at = @thread_read_at, claim = @claim,
    is_pointed_tracker = @is_pointed_tracker, is_pointed_github = @is_pointed_github,
    proof = @proof, is_withdrawn = @is_withdrawn,
    tracker_met_at = iif(bug is @bug and route = @route, tracker_met_at, @now),
    github_met_at = iif(issue is @issue and repo = @repo and route = @route, github_met_at, @now)
  where id = @id`;

// The body of an issue, whose copy is 0, goes on being one when it says something neutral: then nothing is mirrored in it.
const withdrawingSql = `
  select * from links where route = @route and urgency > 0 and state <> 'tombstone' and bug is not null and (
    frozen_by = 'tracker' or is_withdrawn = 1 or json_extract(tracker, '$.isPrivate') = 1
    or json_extract(tracker, '$.product') <> @product or json_extract(proof, '$.isShown') = 0)
  union
  select links.* from commentLinks indexed by comment_links_withdrawn cross join links on links.id = commentLinks.link
    where commentLinks.state = 'withdrawn' and commentLinks.copy is not null and (commentLinks.copy <> 0 or commentLinks.mirrored is not null)
      and links.route = @route and links.state <> 'tombstone'
  union
  select links.* from attachmentLinks indexed by attachment_links_withdrawn cross join links on links.id = attachmentLinks.link
    where attachmentLinks.state = 'withdrawn' and links.route = @route and links.state <> 'tombstone' and (attachmentLinks.path is not null
      or exists (select 1 from commentLinks where commentLinks.link = links.id and commentLinks.origin = 'tracker' and commentLinks.state = 'mirrored'
        and commentLinks.attachment = cast(attachmentLinks.source as integer) and commentLinks.copy is not null
        and (commentLinks.copy <> 0 or commentLinks.mirrored is not null)))`;

/** `now` is our clock, by which sweeps are timed too. */
export function sqliteLinks(db: Database, now: () => number, scrub: Scrub): Links {
  const insert = db.prepare<[Columns & { readonly now: number }]>(insertSql);
  const update = db.prepare<[Columns & { readonly id: number; readonly now: number }]>(updateSql);
  const remove = db.prepare('delete from links where id = ?');
  return {
    add(link) {
      const result = unlessTaken(
        () => takenMessage(link),
        () => insert.run({ ...columnsOf(link, scrub), now: now() }),
      );
      return { ...link, id: linkId(Number(result.lastInsertRowid)) };
    },
    save(link) {
      const result = unlessTaken(
        () => takenMessage(link),
        () => update.run({ ...columnsOf(link, scrub), id: link.id, now: now() }),
      );
      if (result.changes === 0) throw new Error(`Link ${link.id} cannot be saved: it was removed`);
    },
    remove(id) {
      remove.run(id);
    },
    ...lookups(db),
    ...walks(db),
    ...sweeps(db),
    ...resets(db),
  };
}

function lookups(db: Database): Pick<Links, 'byId' | 'byBug' | 'byIssue' | 'claiming' | 'dependents'> {
  const byId = db.prepare<[LinkId], Row>('select * from links where id = ?');
  const byBug = db.prepare<[BugId], Row>('select * from links where bug = ?');
  const byIssue = db.prepare<[string, IssueNumber], Row>('select * from links where repo = ? and issue = ?');
  const claiming = {
    tracker: db.prepare<[string, number], Row>('select * from links where repo = ? and claim = ? and issue is null order by id'),
    github: db.prepare<[string, number], Row>('select * from links where repo = ? and claim = ? and bug is null order by id'),
  };
  // The conditions on the length are those of the two indexes: only links with relations are looked at.
  const dependents = db.prepare<[{ repo: string; bug: number | null; issue: number | null }], Row>(`
    select * from links where repo = @repo and json_array_length(tracker, '$.dependsOn') > 0
      and @bug in (select value from json_each(tracker, '$.dependsOn'))
    union
    select * from links where repo = @repo and json_array_length(github, '$.blockedBy') > 0
      and @issue in (select value from json_each(github, '$.blockedBy'))`);
  return {
    byId: (id) => linkOrNull(byId.get(id)),
    byBug: (bug) => linkOrNull(byBug.get(bug)),
    byIssue: (repo, issue) => linkOrNull(byIssue.get(repo, issue)),
    claiming: (repo, side, claim) => claiming[side].all(repo, claim).map(linkOf),
    dependents: (repo, bug, issue) => dependents.all({ repo, bug, issue }).map(linkOf),
  };
}

function walks(
  db: Database,
): Pick<Links, 'wanting' | 'eachWanting' | 'withdrawing' | 'withdrawn' | 'changed' | 'routes' | 'after' | 'count'> {
  const wanted = "route = ? and urgency > 0 and state <> 'tombstone'";
  const wanting = db.prepare<[string, number], Row>(`select * from links where ${wanted} order by urgency desc, id limit ?`);
  const wantingEnds = db.prepare<[string], Pick<Row, 'id' | 'bug' | 'issue'>>(
    `select id, bug, issue from links where ${wanted} order by urgency desc, id`,
  );
  const wantingCount = db.prepare<[string], { readonly links: number }>(`select count(*) as links from links where ${wanted}`);
  const withdrawing = db.prepare<{ route: string; product: string }, Row>(withdrawingSql);
  const changed = db.prepare<[string], Row>(
    `select * from links where ${wanted} and urgency = 2 and state = 'live' and bug is not null and issue is not null order by id`,
  );
  const withdrawn = db.prepare<[string], { readonly links: number }>(
    'select count(*) as links from links where route = ? and is_withdrawn = 1',
  );
  const routeAfter = db.prepare<[string], { readonly route: string | null }>('select min(route) as route from links where route > ?');
  const after = db.prepare<[string, number, number], Row>('select * from links where route = ? and id > ? order by id limit ?');
  const byState = db.prepare<[string], { readonly state: LinkState; readonly links: number; readonly whole: number }>(
    'select state, count(*) as links, sum(bug is not null and issue is not null) as whole from links where route = ? group by state',
  );
  return {
    wanting: (route, limit) => wanting.all(route, limit).map(linkOf),
    *eachWanting(route) {
      for (const { id, bug, issue } of wantingEnds.iterate(route)) yield { id: linkId(id), hasBug: bug !== null, hasIssue: issue !== null };
    },
    withdrawing: (route, product) => withdrawing.all({ route, product }).map(linkOf),
    changed: (route) => changed.all(route).map(linkOf),
    withdrawn: (route) => withdrawn.get(route)?.links ?? 0,
    routes() {
      const names: string[] = [];
      const next = () => routeAfter.get(names.at(-1) ?? '')?.route ?? null;
      for (let name = next(); name !== null; name = next()) names.push(name);
      return names;
    },
    after: (route, id, limit) => after.all(route, id ?? 0, limit).map(linkOf),
    count(route): LinkCount {
      const rows = byState.all(route);
      const linksIn = (state: LinkState) => rows.find((row) => row.state === state)?.links ?? 0;
      return {
        byState: { live: linksIn('live'), frozen: linksIn('frozen'), tombstone: linksIn('tombstone') },
        whole: rows.find((row) => row.state === 'live')?.whole ?? 0,
        wanting: wantingCount.get(route)?.links ?? 0,
      };
    },
  };
}

function sweeps(db: Database): Pick<Links, 'markSwept' | 'unswept'> {
  // The unary plus keeps the search on the ref, which is nearly unique, and off the route, which is not.
  const mark = {
    tracker: db.prepare('update links set tracker_met_at = max(tracker_met_at, @sweepAt) where bug = @ref and +route = @route'),
    github: db.prepare('update links set github_met_at = max(github_met_at, @sweepAt) where issue = @ref and +route = @route'),
  };
  const live = "select * from links where route = ? and state = 'live'";
  const unswept = {
    tracker: db.prepare<[string, number, number], Row>(
      `${live} and bug is not null and tracker_met_at < ? order by tracker_met_at, id limit ?`,
    ),
    github: db.prepare<[string, number, number], Row>(
      `${live} and issue is not null and github_met_at < ? order by github_met_at, id limit ?`,
    ),
  };
  return {
    markSwept(route, side, refs, sweepAt) {
      db.transaction(() => {
        for (const ref of refs) mark[side].run({ route, ref, sweepAt });
      })();
    },
    unswept: (route, side, sweepAt, limit) => unswept[side].all(route, sweepAt, limit).map(linkOf),
  };
}

function resets(db: Database): Pick<Links, 'forget' | 'wake'> {
  const forget = db.prepare(
    `update links set base = json_remove(base, '$.tracker.' || @name, '$.github.' || @name) where route = @route and base is not null`,
  );
  const wake = db.prepare("update links set urgency = 1 where route = ? and urgency = 0 and state = 'live'");
  return {
    forget(route, fields) {
      db.transaction(() => {
        // The quotes keep a name from being read as a path.
        for (const field of fields) forget.run({ route, name: JSON.stringify(field) });
      })();
    },
    wake(route) {
      wake.run(route);
    },
  };
}

const linkOrNull = (row: Row | undefined): Link | null => (row === undefined ? null : linkOf(row));

function linkOf(row: Row): Link {
  return {
    id: linkId(row.id),
    route: row.route,
    repo: row.repo,
    origin: row.origin,
    bug: row.bug === null ? null : bugId(row.bug),
    issue: row.issue === null ? null : issueNumber(row.issue),
    state: row.state,
    reason: row.reason,
    frozenBy: row.frozen_by,
    base: readJsonOrNull(row.base),
    tracker: readJsonOrNull(row.tracker),
    github: readJsonOrNull(row.github),
    urgency: urgencies[row.urgency] ?? 'none',
    threadReadAt: row.thread_read_at,
    claim: row.claim,
    pointed: { tracker: row.is_pointed_tracker === 1, github: row.is_pointed_github === 1 },
    proof: readJsonOrNull(row.proof),
    isWithdrawn: row.is_withdrawn === 1,
  };
}

function columnsOf(link: Omit<Link, 'id'>, scrub: Scrub): Columns {
  return {
    route: link.route,
    repo: link.repo,
    origin: link.origin,
    bug: link.bug,
    issue: link.issue,
    state: link.state,
    reason: cleanOrNull(scrub, link.reason),
    frozen_by: link.frozenBy,
    base: writeJsonOrNull(link.base),
    tracker: writeJsonOrNull(link.tracker),
    github: writeJsonOrNull(link.github),
    urgency: urgencies.indexOf(link.urgency),
    thread_read_at: link.threadReadAt,
    claim: link.claim,
    is_pointed_tracker: link.pointed.tracker ? 1 : 0,
    is_pointed_github: link.pointed.github ? 1 : 0,
    proof: writeJsonOrNull(link.proof),
    is_withdrawn: link.isWithdrawn ? 1 : 0,
  };
}

const takenMessage = (link: Omit<Link, 'id'>): string =>
  `Bug ${link.bug ?? '(none)'} or ${link.repo}#${link.issue ?? '(none)'} already belongs to another link of the state database`;

import type { Database } from 'better-sqlite3';
import { type BugId, type IssueNumber, type LinkId, linkId } from '../../model/ids.ts';
import type { Link, NewLink } from '../../model/link.ts';
import type { Authors } from '../../model/people.ts';
import type { Scrub } from '../../model/runtime.ts';
import type { Links } from '../../model/store.ts';
import { type Name, namesOf, recordOrNull, valuesOf, writerOf, writesOf } from '../columns.ts';
import { linkCounter } from './link-count.ts';
import { columns, type LinkRow, linkOf } from './link-row.ts';

// A new end on the link or its route counts as met now: a sweep that began earlier could not have known it.
const sql = writesOf('links', columns, {
  tracker_met_at: { others: ['bug', 'route'], value: '@now' },
  github_met_at: { others: ['issue', 'repo', 'route'], value: '@now' },
});

// The body of an issue, whose copy is 0, remains when it becomes neutral; then it mirrors nothing. An index with
// conditions serves only statements that repeat them, here and in other tables.
const withdrawingSql = `
  select * from links indexed by links_withdrawing where route = @route and urgency > 0 and state <> 'tombstone' and bug is not null and (
    frozen_by = 'tracker' or is_withdrawn = 1 or json_extract(tracker, '$.isPrivate') = 1
    or json_extract(visibility_check, '$.isShown') = 0)
  union
  select links.* from comment_links indexed by comment_links_withdrawn cross join links on links.id = comment_links.link
    where comment_links.state = 'withdrawn' and comment_links.copy is not null and (comment_links.copy <> 0 or comment_links.mirrored is not null)
      and links.route = @route and links.state <> 'tombstone'
  union
  select links.* from attachment_links indexed by attachment_links_withdrawn cross join links on links.id = attachment_links.link
    where attachment_links.state = 'withdrawn' and links.route = @route and links.state <> 'tombstone' and (attachment_links.path is not null
      or exists (select 1 from comment_links where comment_links.link = links.id and comment_links.origin = 'tracker' and comment_links.state = 'mirrored'
        and comment_links.attachment = cast(attachment_links.source as integer) and comment_links.copy is not null
        and (comment_links.copy <> 0 or comment_links.mirrored is not null)))
  union
  select links.* from older_pairs cross join links on links.id = older_pairs.link
    where route = @route and urgency > 0 and state = 'live' and thread_read_at is not null
      and not exists (select 1 from comment_links where comment_links.link = links.id
        and (comment_links.origin = 'tracker' and comment_links.count = 0 or comment_links.source = 0))`;

const isHidden = (link: string): string => `coalesce(json_extract(${link}.tracker, '$.isPrivate') = 1, 0)
  or coalesce(${link}.frozen_by = 'tracker', 0) or coalesce(json_extract(${link}.visibility_check, '$.isShown') = 0, 0)`;

// `holder` is the link that has the bug now.
const formerDueSql = `
  select former.* from links former indexed by links_moved left join links holder on holder.bug = former.claim
  where former.moved_to is not null and former.bug is null and former.route = @route and former.state = 'frozen' and (
    former.urgency > 0
    or (holder.id is not null and (${isHidden('holder')}) <> (coalesce(json_extract(former.visibility_check, '$.isShown') = 0, 0)
      or coalesce(json_extract(former.tracker, '$.isPrivate') = 1, 0)))
    or exists (select 1 from comment_links hidden join comment_links shown on shown.link = former.id and shown.origin = hidden.origin
      and shown.source = hidden.source where hidden.link = holder.id and hidden.origin = 'tracker' and hidden.state = 'withdrawn'
      and shown.state = 'mirrored')
    or exists (select 1 from attachment_links hidden join attachment_links shown on shown.link = former.id and shown.origin = hidden.origin
      and shown.source = hidden.source where hidden.link = holder.id and hidden.origin = 'tracker' and hidden.state = 'withdrawn'
      and shown.state <> 'withdrawn'))
  order by former.id`;

// Few links have a claim: only those that wait.
const twinsOfHiddenSql = `
  select twin.* from links twin indexed by links_claim cross join links holder on holder.bug = twin.claim
  where twin.repo = @repo and twin.claim is not null and twin.bug is null and twin.issue is not null and twin.state = 'live'
    and twin.route = @route and (${isHidden('holder')} or exists (select 1 from comment_links
      where link = holder.id and origin = 'tracker' and count = 0 and state = 'withdrawn'))
  order by twin.id`;

/** `now` is our clock, which also times sweeps. */
export function sqliteLinks(db: Database, now: () => number, scrub: Scrub): Links {
  const { add, save } = writerOf<NewLink, Link>(db, sql, {
    values: (link) => ({ ...valuesOf(columns, link, scrub), now: now() }),
    taken: takenMessage,
    name: ({ id }) => `Link ${id}`,
  });
  const remove = db.prepare('delete from links where id = ?');
  return {
    add: (link) => ({ ...link, id: linkId(add(link)) }),
    save,
    remove(id) {
      remove.run(id);
    },
    ...lookups(db),
    ...walks(db),
    ...moves(db),
    ...sweeps(db),
    ...resets(db),
    ...repositories(db),
  };
}

function lookups(db: Database): Pick<Links, 'byId' | 'byBug' | 'byIssue' | 'claiming' | 'dependents' | 'duplicates'> {
  const byId = db.prepare<[LinkId], LinkRow>('select * from links where id = ?');
  const byBug = db.prepare<[BugId], LinkRow>('select * from links where bug = ?');
  const byIssue = db.prepare<[string, IssueNumber], LinkRow>(
    'select * from links where repo = ? collate nocase and issue = ?',
  );
  const claiming = {
    tracker: db.prepare<[string, number], LinkRow>(
      'select * from links where repo = ? and claim = ? and issue is null order by id',
    ),
    github: db.prepare<[string, number], LinkRow>(
      'select * from links where repo = ? and claim = ? and bug is null order by id',
    ),
  };
  // The conditions on the length match the two indexes, so that only links with relations are read.
  const dependents = db.prepare<[{ repo: string; bug: number | null; issue: number | null }], LinkRow>(`
    select * from links where repo = @repo and json_array_length(tracker, '$.dependsOn') > 0
      and @bug in (select value from json_each(tracker, '$.dependsOn'))
    union
    select * from links where repo = @repo and json_array_length(github, '$.blockedBy') > 0
      and @issue in (select value from json_each(github, '$.blockedBy'))`);
  const duplicates = db.prepare<[BugId], LinkRow>("select * from links where tracker ->> '$.dupeOf' = ? order by id");
  return {
    byId: (id) => recordOrNull(byId.get(id), linkOf),
    byBug: (bug) => recordOrNull(byBug.get(bug), linkOf),
    byIssue: (repo, issue) => recordOrNull(byIssue.get(repo, issue), linkOf),
    claiming: (repo, side, claim) => claiming[side].all(repo, claim).map(linkOf),
    duplicates: (bug) => duplicates.all(bug).map(linkOf),
    dependents: (repo, bug, issue) => dependents.all({ repo, bug, issue }).map(linkOf),
  };
}

function walks(
  db: Database,
): Pick<
  Links,
  | 'wanting'
  | 'urgent'
  | 'eachWanting'
  | 'unmet'
  | 'withdrawing'
  | 'withdrawn'
  | 'changed'
  | 'routes'
  | 'batches'
  | 'after'
  | 'count'
  | 'madeBy'
> {
  const wanted = "route = ? and urgency > 0 and state <> 'tombstone'";
  const wanting = db.prepare<[string, number], LinkRow>(
    `select * from links where ${wanted} order by urgency desc, id limit ?`,
  );
  const urgent = db.prepare<[string], { readonly id: number; readonly people: string }>(
    `select id, coalesce(nullif((select json_group_array(author ->> '$.login') from comment_links where link = links.id and state = 'pending'), '[]'),
       json_array(iif(origin = 'tracker', tracker ->> '$.creator.login', github ->> '$.author.login'))) as people
     from links where ${wanted} and urgency = 2 order by id`,
  );
  const unmet = db.prepare<[string], LinkRow>(
    `select * from links indexed by links_unmet where route = ? and urgency > 0 and state = 'live' and claim is not null
       and bug is null and issue is not null order by id`,
  );
  const wantingEnds = db.prepare<[string], Pick<LinkRow, 'id' | 'bug' | 'issue'>>(
    `select id, bug, issue from links where ${wanted} order by urgency desc, id`,
  );
  const withdrawing = db.prepare<{ route: string }, LinkRow>(withdrawingSql);
  const changed = db.prepare<[string], LinkRow>(
    `select * from links where ${wanted} and urgency = 2 and state = 'live' and bug is not null and issue is not null order by id`,
  );
  const withdrawn = db.prepare<[string], { readonly links: number }>(
    'select count(*) as links from links where route = ? and is_withdrawn = 1',
  );
  const routeAfter = db.prepare<[string], Name>('select min(route) as name from links where route > ?');
  const after = db.prepare<[string, number, number], LinkRow>(
    'select * from links where route = ? and id > ? order by id limit ?',
  );
  const madeBy = db.prepare<[Authors & { readonly route: string }], { readonly links: number }>(
    `select count(*) as links from links where route = @route and state = 'live' and bug is not null and issue is not null
     and (tracker ->> '$.creator.login' = @tracker or github ->> '$.author.login' = @github)`,
  );
  return {
    wanting: (route, limit) => wanting.all(route, limit).map(linkOf),
    urgent: (route) => urgent.all(route).map(({ id, people }) => ({ id: linkId(id), people: JSON.parse(people) })),
    *eachWanting(route) {
      for (const { id, bug, issue } of wantingEnds.iterate(route))
        yield { id: linkId(id), hasBug: bug !== null, hasIssue: issue !== null };
    },
    unmet: (route) => unmet.all(route).map(linkOf),
    withdrawing: (route) => withdrawing.all({ route }).map(linkOf),
    changed: (route) => changed.all(route).map(linkOf),
    withdrawn: (route) => withdrawn.get(route)?.links ?? 0,
    routes: () => namesOf((last) => routeAfter.get(last)),
    *batches(route, size = 500) {
      let last = 0;
      for (;;) {
        const links = after.all(route, last, size).map(linkOf);
        if (links.length === 0) return;
        yield links;
        last = links.at(-1)?.id ?? 0;
      }
    },
    madeBy: (route, { tracker, github }) => madeBy.get({ route, tracker, github })?.links ?? 0,
    after: (route, id, limit) => after.all(route, id ?? 0, limit).map(linkOf),
    count: linkCounter(db),
  };
}

function moves(db: Database): Pick<Links, 'moved' | 'former' | 'formerDue' | 'twinsOfHidden' | 'ofAge'> {
  const moved = db.prepare<[string, string], LinkRow>(
    'select * from links where moved_to = ? and bug is not null and route <> ? order by id',
  );
  const former = db.prepare<[BugId], LinkRow>(
    "select * from links where moved_to is not null and bug is null and claim = ? and state = 'frozen' order by id",
  );
  const formerDue = db.prepare<{ route: string }, LinkRow>(formerDueSql);
  const twinsOfHidden = db.prepare<{ route: string; repo: string }, LinkRow>(twinsOfHiddenSql);
  const ofAge = db.prepare<[number], LinkRow>("select * from links where github ->> '$.createdAt' = ? order by id");
  return {
    moved: (product, route) => moved.all(product, route).map(linkOf),
    former: (bug) => former.all(bug).map(linkOf),
    formerDue: (route) => formerDue.all({ route }).map(linkOf),
    twinsOfHidden: (route, repo) => twinsOfHidden.all({ route, repo }).map(linkOf),
    ofAge: (createdAt) => ofAge.all(createdAt).map(linkOf),
  };
}

function sweeps(db: Database): Pick<Links, 'markSwept' | 'unswept'> {
  // The unary plus keeps the search on the ref, which is nearly unique, and off the route, which is not.
  const mark = {
    tracker: db.prepare(
      'update links set tracker_met_at = max(tracker_met_at, @sweepAt) where bug = @ref and +route = @route',
    ),
    github: db.prepare(
      'update links set github_met_at = max(github_met_at, @sweepAt) where issue = @ref and +route = @route',
    ),
  };
  const live = "select * from links where route = ? and state = 'live'";
  const unswept = {
    tracker: db.prepare<[string, number, number], LinkRow>(
      `${live} and bug is not null and taken_from is null and tracker_met_at < ? order by tracker_met_at, id limit ?`,
    ),
    github: db.prepare<[string, number, number], LinkRow>(
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

function resets(db: Database): Pick<Links, 'forget' | 'markDirty'> {
  const forget = db.prepare(
    `update links set base = json_remove(base, '$.tracker.' || @name, '$.github.' || @name) where route = @route and base is not null`,
  );
  const markDirty = db.prepare("update links set urgency = 1 where route = ? and urgency = 0 and state = 'live'");
  return {
    forget(route, fields) {
      db.transaction(() => {
        // Without the quotes, SQLite would read the name as a path.
        for (const field of fields) forget.run({ route, name: JSON.stringify(field) });
      })();
    },
    markDirty(route) {
      markDirty.run(route);
    },
  };
}

function repositories(db: Database): Pick<Links, 'repos' | 'renameRepo'> {
  const repoAfter = db.prepare<[string, string], Name>(
    'select min(repo) as name from links where route = ? and repo > ?',
  );
  const rename = db.prepare('update links set repo = @to where route = @route and repo = @from');
  return {
    repos: (route) => namesOf((last) => repoAfter.get(route, last)),
    renameRepo(route, from, to) {
      rename.run({ route, from, to });
    },
  };
}

const takenMessage = (link: NewLink): string =>
  `Bug ${link.bug ?? '(none)'} or ${link.repo}#${link.issue ?? '(none)'} already belongs to another link of the state database`;

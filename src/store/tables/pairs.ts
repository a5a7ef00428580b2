/**
 * The lists that people look through on the page. Each is read a page at a time, by an index, and so costs the same
 * however many pairs there are.
 */

import type { Database } from 'better-sqlite3';
import { type Link, type PairFilter, type Pairs, pairFilters } from '../../model/link.ts';
import { type LinkRow, linkOf } from './link-row.ts';

interface PageRequest {
  readonly route: string;
  readonly before: number;
  readonly limit: number;
}

const page = 'id < @before order by id desc limit @limit';

/** The ids of the links that wait for a cycle with this urgency, for as far as the index gives them in their order. */
const urgent = (urgency: 1 | 2): string =>
  `select id from (select id from links where route = @route and urgency > 0 and state <> 'tombstone' and urgency = ${urgency} and ${page})`;

/** Operations and findings are few. */
const operations = (states: string): string =>
  `select link as id from outbox where route = @route and state in (${states}) and link < @before`;
const isAsking =
  "findings.needs_person = 1 and (links.state = 'live' or (links.state = 'frozen' and findings.kind = 'skip'))";
const findings = `select findings.link as id from findings cross join links on links.id = findings.link
  where findings.kind in ('conflict', 'skip') and ${isAsking} and links.route = @route and findings.link < @before`;

/** What is set aside is no operation and no finding. */
const aside = (side: 'tracker' | 'github', isEnd: string): string =>
  `select links.id from set_aside cross join links on ${isEnd}
  where set_aside.route = @route and set_aside.side = '${side}' and links.route = @route and links.id < @before`;
const asideBug = aside('tracker', 'links.bug = set_aside.ref');
const asideIssue = aside('github', 'links.issue = set_aside.ref');

const within = (...ids: readonly string[]): string =>
  `select links.* from (${ids.join(' union ')}) as found cross join links on links.id = found.id order by found.id desc limit @limit`;

/** Where the rows of each list come from without a search. */
const walks: Readonly<Record<PairFilter, string>> = {
  all: `select * from links where route = @route and ${page}`,
  waiting: within(urgent(2), urgent(1), operations("'planned', 'sent'")),
  person: within(operations("'parked'"), findings, asideBug, asideIssue),
  parked: within(operations("'parked'")),
  frozen: `select * from links where route = @route and state <> 'live' and state = 'frozen' and ${page}`,
  withdrawn: `select * from links where route = @route and is_withdrawn = 1 and ${page}`,
  gone: `select * from links where route = @route and state <> 'live' and state = 'tombstone' and ${page}`,
};

const hasOperation = (states: string): string =>
  `exists (select 1 from outbox where outbox.link = links.id and outbox.state in (${states}))`;

const isAside = (side: 'tracker' | 'github', end: 'bug' | 'issue'): string =>
  `exists (select 1 from set_aside where set_aside.route = links.route and set_aside.side = '${side}' and set_aside.ref = links.${end})`;

/** What has to hold for a pair that a search finds. */
const conditions: Readonly<Record<PairFilter, string>> = {
  all: '1',
  waiting: `((links.urgency > 0 and links.state <> 'tombstone') or ${hasOperation("'planned', 'sent'")})`,
  person: `(${hasOperation("'parked'")} or exists (select 1 from findings where findings.link = links.id and ${isAsking})
    or ${isAside('tracker', 'bug')} or ${isAside('github', 'issue')})`,
  parked: hasOperation("'parked'"),
  frozen: "links.state = 'frozen'",
  withdrawn: 'links.is_withdrawn = 1',
  gone: "links.state = 'tombstone'",
};

const search = (condition: string): string => `
  select links.* from titles cross join links on links.id = titles.rowid
  where titles match @words and titles.rowid < @before and +links.route = @route and ${condition} order by titles.rowid desc limit @limit`;

export function sqlitePairs(db: Database): Pairs {
  const prepared = <Parameters extends PageRequest>(of: (filter: PairFilter) => string) =>
    new Map(pairFilters.map((filter) => [filter, db.prepare<[Parameters], LinkRow>(of(filter))]));
  const walked = prepared<PageRequest>((filter) => walks[filter]);
  const searched = prepared<PageRequest & { readonly words: string }>((filter) => search(conditions[filter]));
  return {
    list({ route, filter, words, before }, limit): readonly Link[] {
      const asked = { route, before: before ?? Number.MAX_SAFE_INTEGER, limit };
      const match = matchOf(words);
      const rows =
        match === null ? walked.get(filter)?.all(asked) : searched.get(filter)?.all({ ...asked, words: match });
      return (rows ?? []).map(linkOf);
    },
  };
}

const wordsMax = 10;

/** All words, each as the beginning of one; null without any. */
function matchOf(words: string): string | null {
  const found = words.match(/[\p{L}\p{N}]+/gu) ?? [];
  return found.length === 0
    ? null
    : found
        .slice(0, wordsMax)
        .map((word) => `"${word}" *`)
        .join(' ');
}

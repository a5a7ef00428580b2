import { expect, onTestFinished, test, vi } from 'vitest';
import { bugId, issueNumber, type LinkId, linkId } from '../../src/model/ids.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openStore, sqliteStore } from '../../src/store/open.ts';
import { steady } from '../../src/store/steady.ts';
import { conflictOf, halfLink, lineOf, sampleCommentLink, skipOf } from '../contract/store/samples.ts';
import { random } from '../support/random.ts';
import { scrub } from '../support/scrub.ts';

interface Step {
  readonly detail: string;
}

/** Of some tables everything is read, since they hold what waits alone: writes without a reading, for one. */
const isWalk = (step: string): boolean =>
  /^SCAN (?!json_each|found$|\(subquery-|titles VIRTUAL TABLE INDEX|receipts$|older_pairs USING COVERING INDEX older_pairs_at$|cutover_notices$|comment_links USING COVERING INDEX comment_links_stale$)/u.test(
    step,
  );

/** A store in memory, its connection, and the text of every statement it has prepared. */
function openWatched() {
  const { db, close } = openDatabase(':memory:', 'write');
  onTestFinished(close);
  const statements: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => {
    statements.push(sql);
    return prepare(sql);
  }) as typeof db.prepare;
  const store = sqliteStore(db, { now: () => 1_000, scrub, close });
  // The plan does not depend on the values, so null stands for each of them.
  const planOf = (sql: string) =>
    prepare<[], Step>(`explain query plan ${steady(sql).replaceAll(/\?|@\w+/g, 'null')}`)
      .all()
      .map(({ detail }) => detail)
      .filter((step) => !/^(?:SCALAR SUBQUERY \d+|SCAN CONSTANT ROW)$/u.test(step));
  return { db, store, statements, planOf };
}

test('no statement walks a whole table: each finds its rows by an index', () => {
  const { statements, planOf } = openWatched();
  expect(statements.length).toBeGreaterThan(30);
  const walks = statements.flatMap((sql) =>
    planOf(sql)
      .filter(isWalk)
      .map((step) => `${step}: ${sql}`),
  );
  expect(walks).toStrictEqual([]);
});

test('no statement of a cycle walks all links of a route: each begins with the rows that wait, or are named', () => {
  const { statements, planOf } = openWatched();
  const walksRoute = (sql: string) =>
    planOf(sql).some((step) =>
      /^SEARCH links (?!.*links_(?:withdrawn|withdrawing|unmet|halves) ).*\(route=\?(?: AND state=\?)?\)$/u.test(step),
    );
  const walking = statements.filter(walksRoute).map((sql) => sql.trim().replaceAll(/\s+/gu, ' ').slice(0, 44));
  expect(walking.sort()).toStrictEqual([
    // When all pairs are marked: a side went back, or a state.
    'insert into older_pairs (link, at, tracker_a',
    'insert into older_pairs (link, at, tracker_a',
    // When a cycle would change so much that it matters who made the pairs.
    'select count(*) as links from links where ro',
    // When the configuration changes.
    "update links set base = json_remove(base, '$",
    'update links set urgency = 1 where route = ?',
  ]);
});

test.each([
  ['claim = ? and issue is null', 'links_claim (repo=? AND claim=?)'],
  ['claim = ? and bug is null', 'links_claim (repo=? AND claim=?)'],
  ['order by urgency desc, id limit', 'links_wanting (route=? AND urgency>?)'],
  ['select id, bug, issue from links', 'links_wanting (route=? AND urgency>?)'],
  ['route = ? and id > ?', 'links_route (route=? AND id>?)'],
  ['tracker_met_at < ?', 'links_tracker_met (route=? AND tracker_met_at<?)'],
  ['github_met_at < ?', 'links_github_met (route=? AND github_met_at<?)'],
  ['set tracker_met_at = max', 'links_bug (bug=?)'],
  ['set github_met_at = max', 'links_issue (issue=?)'],
  ['repo = ? collate nocase and issue = ?', 'links_issue (issue=?)'],
  ["'$.dupeOf' = ?", 'links_duplicates (<expr>=?)'],
  ['not_before_at - ?', 'outbox_state (route=? AND state=?)'],
  ['not_before_at is not null', 'outbox_state (route=? AND state=?)'],
])('the statement with "%s" searches the index %s', (fragment, index) => {
  const { statements, planOf } = openWatched();
  const found = statements.filter((sql) => sql.includes(fragment));
  expect(found.map(planOf)).toStrictEqual([[expect.stringContaining(index)]]);
});

test('no statement on links sorts: their limits are reached without reading the rest', () => {
  const { statements, planOf } = openWatched();
  const limited = statements.filter((sql) => sql.includes('limit ?'));
  expect(limited).toHaveLength(9);
  const paged = statements.filter((sql) => sql.includes('limit @limit'));
  expect(paged).toHaveLength(14);
  // What waits comes from three lists, and what needs a person from two: as many rows are sorted as a page has, or as
  // there are operations.
  const sorting = paged.filter((sql) => planOf(sql).some((step) => step.includes('TEMP B-TREE')));
  expect(sorting.every((sql) => sql.includes('as found'))).toBe(true);
  expect(limited.filter((sql) => planOf(sql).some((step) => step.includes('TEMP B-TREE')))).toStrictEqual([]);
});

test('a statement is compiled once, whatever its values are', () => {
  const store = openStore(':memory:', { mode: 'write', now: () => 1_000, scrub });
  onTestFinished(store.close);
  const { id, route } = store.links.add({ ...halfLink(1), urgency: 'live' });
  store.commentLinks.add(sampleCommentLink(id, 1));
  store.ledger.add(lineOf(id, 5));
  const readAll = (): readonly number[] =>
    [
      store.links.wanting(route, 5),
      store.links.after(route, null, 5),
      store.commentLinks.ofLink(id),
      store.ledger.ofLink(id),
    ].map(({ length }) => length);
  expect(readAll()).toStrictEqual([1, 1, 1, 1]);
  // The driver makes a function for the rows of a statement each time that SQLite has compiled it.
  const made = vi.spyOn(globalThis, 'Function');
  onTestFinished(() => made.mockRestore());
  readAll();
  expect(made).not.toHaveBeenCalled();
});

test('what was spent more than two hours ago is forgotten, side by side', () => {
  const { db, store } = openWatched();
  const keptMs = 2 * 3_600_000;
  store.budgets.spend('github', 'edit', { at: 1_000, points: 1 });
  store.budgets.spend('github', 'edit', { at: 1_001, points: 2 });
  store.budgets.spend('tracker', 'edit', { at: 1_000, points: 3 });
  store.budgets.spend('github', 'edit', { at: 1_001 + keptMs, points: 4 });
  expect(db.prepare('select points from spent order by points').pluck().all()).toStrictEqual([2, 3, 4]);
});

test.each(["update ledger set outcome = 'other'", 'delete from ledger'])('the ledger refuses: %s', (sql) => {
  const { db, store } = openWatched();
  store.ledger.add(lineOf(linkId(1), 5));
  expect(() => db.exec(sql)).toThrow(/append-only/);
  expect(store.ledger.ofLink(linkId(1))).toHaveLength(1);
});

test('findings that wait for a person come first, then the newest', () => {
  const { store } = openWatched();
  const one = store.links.add(halfLink(1)).id;
  const other = store.links.add(halfLink(2)).id;
  store.findings.replace(
    one,
    [conflictOf(one, 'github', 'settled'), conflictOf(one, null, 'open')],
    [skipOf(one, 'old', true), skipOf(one, 'old')],
    1,
  );
  store.findings.replace(other, [], [skipOf(other, 'new'), skipOf(other, 'new', true)], 2);
  const { conflicts, skips } = store.findings.ofRoute('kettle', 10);
  expect(conflicts.map(({ github }) => github)).toStrictEqual(['open', 'settled']);
  expect(skips.map(({ reason, needsPerson }) => [reason, needsPerson])).toStrictEqual([
    ['new', true],
    ['old', true],
    ['new', false],
    ['old', false],
  ]);
});

test.each([1, 2, 3, 4])('links are counted as they come, change and go (seed %i)', (seed) => {
  const draw = random(seed);
  const { db, close } = openDatabase(':memory:', 'write');
  onTestFinished(close);
  const { links } = sqliteStore(db, { now: () => 1_000, scrub, close });
  const held: LinkId[] = [];
  const drawn = (number: number) =>
    halfLink(number, {
      route: draw.pick(['kettle', 'pot']),
      ...draw.pick([
        { bug: bugId(number), issue: issueNumber(number) },
        { bug: bugId(number), issue: null },
        { bug: null, issue: issueNumber(number) },
      ]),
      ...draw.pick([
        { state: 'live', reason: null, frozenBy: null },
        { state: 'frozen', reason: 'It moved.', frozenBy: 'tracker' },
        { state: 'tombstone', reason: 'It is gone.', frozenBy: null },
      ] as const),
    });
  let number = 0;
  const add = () => {
    number += 1;
    held.push(links.add(drawn(number)).id);
  };
  const change = () => {
    const id = draw.pick(held);
    links.save({ ...drawn(1_000 + id), id });
  };
  const remove = () => {
    for (const id of held.splice(draw.below(held.length), 1)) links.remove(id);
  };
  for (let count = 0; count < 300; count += 1) (held.length < 3 ? add : draw.pick([add, add, change, remove]))();
  const counted = db.prepare('select * from link_counts where links > 0').all();
  const there = db
    .prepare(
      `select route, state, bug is not null as has_bug, issue is not null as has_issue, count(*) as links
       from links group by 1, 2, 3, 4`,
    )
    .all();
  expect(there.length).toBeGreaterThan(8);
  expect(counted).toEqual(there);
});

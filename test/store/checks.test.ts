import type Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { linkId } from '../../src/model/ids.ts';
import type { LedgerLine } from '../../src/model/store.ts';
import { openDatabase } from '../../src/store/database.ts';
import { sqliteStore } from '../../src/store/open.ts';
import { sampleAttachmentLink } from '../contract/store/attachment-links.ts';
import { conflictOf, halfLink, lineOf, sampleCommentLink, updateOf } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';

/** The tables refuse what no code of ours should ever write: a fault is noticed before it is remembered. */
let db: Database.Database;

beforeEach(() => {
  const opened = openDatabase(':memory:', 'write');
  onTestFinished(opened.close);
  db = opened.db;
  const store = sqliteStore(db, { now: () => 1_000, scrub, close: opened.close });
  const { id } = store.links.add(halfLink(1));
  store.commentLinks.add(sampleCommentLink(id, 7));
  store.pulls.save({ link: id, number: 34, url: 'u', title: 't', login: 'mona', state: 'open', told: [], shown: null });
  store.pushes.save({ link: id, url: 'u', branch: 'main', commits: [], unread: 0, isTold: false });
  store.attachmentLinks.add(sampleAttachmentLink(id, '9'));
  store.outbox.replace('kettle', [id], [updateOf(id, 'title', 'Lid')]);
  store.ledger.add(lineOf(id, 1));
  store.findings.replace(id, [conflictOf(id, null, 'Lid')], [], 1);
  store.budgets.spend('tracker', 'read', { at: 1, points: 1 });
  store.budgets.backOff('tracker', 2_000, 'busy');
  store.cutoverNotices.save({ link: id, was: 'NEW', status: 'RESOLVED', resolution: 'MOVED', isDone: false });
  store.refusals.save('kettle', { of: 'plan', at: 1, why: 'too much' });
  store.failures.save('kettle', { of: 'cycle', kind: 'later', side: null, why: 'busy', at: 1 });
  store.setAside.put({
    ...{ route: 'kettle', side: 'tracker', ref: 12, stage: 'plan', cause: 'fault' },
    ...{ why: 'a mistake', retryAt: null, content: 'd', version: '1', at: 1 },
  });
  const cursor = { changes: null, listing: null, isComplete: false, polledAt: 1, readAt: 1, sweptAt: null, early: [] };
  store.cursors.put('kettle', 'tracker', cursor);
});

const flags: readonly (readonly [table: string, column: string])[] = [
  ['links', 'is_pointed_tracker'],
  ['links', 'is_pointed_github'],
  ['links', 'is_withdrawn'],
  ['comment_links', 'is_stale'],
  ['comment_links', 'is_markdown'],
  ['attachment_links', 'is_patch'],
  ['attachment_links', 'is_obsolete'],
  ['cursors', 'is_complete'],
  ['findings', 'needs_person'],
  ['cutover_notices', 'is_done'],
  ['link_pulls', 'told_open'],
  ['link_pulls', 'told_merged'],
  ['link_pulls', 'told_closed'],
  ['link_pushes', 'is_told'],
];

const words: readonly (readonly [table: string, column: string])[] = [
  ['links', 'origin'],
  ['links', 'state'],
  ['comment_links', 'origin'],
  ['comment_links', 'state'],
  ['comment_links', 'minimized'],
  ['attachment_links', 'origin'],
  ['attachment_links', 'state'],
  ['link_pulls', 'state'],
  ['outbox', 'state'],
  ['cursors', 'side'],
  ['findings', 'kind'],
  ['spent', 'side'],
  ['spent', 'cost'],
  ['pauses', 'side'],
  ['refusals', 'of'],
  ['failures', 'of'],
  ['failures', 'kind'],
  ['failures', 'side'],
  ['set_aside', 'side'],
  ['set_aside', 'stage'],
  ['set_aside', 'cause'],
];

const together: readonly (readonly [table: string, change: string])[] = [
  ['links', 'urgency = 3'],
  ['links', 'bug = null'],
  ['links', "reason = 'why'"],
  ['links', "state = 'frozen'"],
  ['links', "state = 'frozen', reason = 'why'"],
  ['links', "state = 'tombstone', reason = 'why', frozen_by = 'github'"],
  ['comment_links', 'part = 0'],
  ['comment_links', 'copy = 5'],
  ['comment_links', "reason = 'why'"],
  ['comment_links', "state = 'skipped'"],
  ['comment_links', "state = 'skipped', reason = 'why', copy = 5"],
  ['comment_links', "state = 'mirrored', copy_digest = 'c'"],
  ['comment_links', "state = 'mirrored', copy_is_edited = 1"],
  ['comment_links', "state = 'mirrored', copy_minimized = 'spam'"],
  ['comment_links', "origin = 'github', checked_digest = 'd'"],
  ['comment_links', "origin = 'github', minimized = 'spam'"],
  ['attachment_links', "state = 'mirrored'"],
  ['attachment_links', "copy_url = 'https://github.example/raw'"],
  ['attachment_links', "state = 'withdrawn', reason = 'why'"],
  ['attachment_links', "origin = 'github'"],
  ['attachment_links', "state = 'mirrored', copy = 5"],
];

describe('the tables refuse', () => {
  const change = (table: string, to: string) => () => db.prepare(`update ${table} set ${to}`).run();

  test.each(flags)('another number than 0 and 1 in %s.%s', (table, column) => {
    expect(change(table, `${column} = 1`)).not.toThrow();
    expect(change(table, `${column} = 2`)).toThrow(/CHECK constraint failed/);
  });

  test.each(words)('a word that nobody knows in %s.%s', (table, column) => {
    expect(change(table, `${column} = 'other'`)).toThrow(/CHECK constraint failed/);
  });

  test.each(together)('in %s what does not go together: %s', (table, to) => {
    expect(change(table, to)).toThrow(/CHECK constraint failed/);
  });

  test('a line of the ledger about nothing that is known', () => {
    const add = (kind: string, side: string) => () =>
      db
        .prepare(
          "insert into ledger (at, route, link, side, kind, outcome, detail) values (1, 'r', 1, ?, ?, 'applied', '{}')",
        )
        .run(side, kind);
    expect(add('update', 'tracker')).not.toThrow();
    expect(add('upsert', 'tracker')).toThrow(/CHECK constraint failed/);
    expect(add('update', 'gitlab')).toThrow(/CHECK constraint failed/);
  });
});

/** Total by its type: a kind that the code has and the table has not would end a cycle in the middle. */
const ledgerKinds: Readonly<Record<LedgerLine['kind'], true>> = {
  create: true,
  update: true,
  comment: true,
  rewrite: true,
  erase: true,
  minimize: true,
  point: true,
  file: true,
  remark: true,
  pull: true,
  push: true,
  lock: true,
  bind: true,
  agree: true,
  freeze: true,
  thaw: true,
  bury: true,
  conflict: true,
  settle: true,
  withdraw: true,
  restore: true,
};

test.each(Object.keys(ledgerKinds) as LedgerLine['kind'][])(
  'the ledger takes every kind that the code knows: %s',
  (kind) => {
    const { ledger } = sqliteStore(db, { now: () => 1_000, scrub, close: () => undefined });
    expect(() => ledger.add({ ...lineOf(linkId(1), 2), kind })).not.toThrow();
  },
);

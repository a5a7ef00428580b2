import { describe, expect, test } from 'vitest';
import { bugId, commentLinkId, issueNumber, type LinkId, linkId } from '../../../src/model/ids.ts';
import type { CommentLink } from '../../../src/model/link.ts';
import type { Skip } from '../../../src/model/plan/operation.ts';
import type { CursorRow } from '../../../src/model/survey.ts';
import { sampleAttachmentLink } from './attachment-links.ts';
import {
  conflictOf,
  frozen,
  halfLink,
  halfLinkOfIssue,
  lineOf,
  sampleCommentLink,
  skipOf,
  wholeLink,
} from './samples.ts';
import type { StoreUnderTest } from './store.ts';

const hourMs = 3_600_000;

const onTracker = { origin: 'tracker', checkedDigest: 'd1', attachment: 9, minimize: 'spam' } as const;
const copied = {
  state: 'mirrored',
  reason: null,
  copy: { id: 5, digest: 'c', isEdited: true, minimize: 'spam' },
} as const;

export function commentLinksContract(subject: StoreUnderTest): void {
  describe('commentLinks', () => {
    test('a comment link comes back as it was added, and as it was saved', () => {
      const { links, commentLinks } = subject.store;
      const { id } = links.add(halfLink(1));
      const added = commentLinks.add(sampleCommentLink(id, 7));
      expect(added).toStrictEqual({ ...sampleCommentLink(id, 7), id: added.id });
      expect(commentLinks.byId(added.id)).toStrictEqual(added);
      const saved: CommentLink = {
        ...added,
        ...onTracker,
        ...{ state: 'mirrored', reason: null, copy: { id: 0, digest: 'c', isEdited: false, minimize: null } },
        text: null,
        mirrored: 'd1',
        count: null,
      };
      commentLinks.save(saved);
      expect(commentLinks.byId(added.id)).toStrictEqual(saved);
      expect(commentLinks.byId(commentLinkId(999))).toBeNull();
    });

    test('a comment has one comment link in a link; the same number on the other side or in another link is another comment', () => {
      const { links, commentLinks } = subject.store;
      const one = links.add(halfLink(1));
      const other = links.add(halfLink(2));
      commentLinks.add(sampleCommentLink(one.id, 7));
      const github = commentLinks.add(sampleCommentLink(one.id, 7, { origin: 'github' }));
      commentLinks.add(sampleCommentLink(other.id, 7));
      expect(() => commentLinks.add(sampleCommentLink(one.id, 7, { digest: 'd2' }))).toThrow(/comment 7/);
      expect(() => commentLinks.save({ ...github, origin: 'tracker' })).toThrow(/comment 7/);
      expect(commentLinks.ofLink(one.id)).toHaveLength(2);
    });

    test('commentLinks come in the order in which people wrote them', () => {
      const { links, commentLinks } = subject.store;
      const { id } = links.add(halfLink(1));
      const draft = [
        { source: 40, createdAt: 3_000 },
        { source: 9, createdAt: 2_000 },
        { source: 8, createdAt: 2_000 },
        { source: 50, createdAt: 1_000 },
      ];
      for (const { source, createdAt } of draft) commentLinks.add(sampleCommentLink(id, source, { createdAt }));
      expect(commentLinks.ofLink(id).map(({ source }) => source)).toStrictEqual([50, 8, 9, 40]);
    });

    test('marks and what a copy was are kept', () => {
      const { links, commentLinks } = subject.store;
      const { id } = links.add(halfLink(1));
      const added = commentLinks.add(sampleCommentLink(id, 7, { ...copied, wrote: 'w', isStale: true }));
      expect(commentLinks.byId(added.id)).toMatchObject({ wrote: 'w', copy: copied.copy, isStale: true });
      commentLinks.save({ ...added, ...copied, copy: null, wrote: null, isStale: false });
      expect(commentLinks.byId(added.id)).toMatchObject({ wrote: null, copy: null, isStale: false });
    });

    test('links with stale copies are found by their route, each once', () => {
      const { links, commentLinks } = subject.store;
      const [one, other, elsewhere, calm] = [1, 2, 3, 4].map((bug) =>
        links.add(halfLink(bug, bug === 3 ? { route: 'elsewhere' } : {})),
      );
      for (const source of [7, 8]) commentLinks.add(sampleCommentLink(one?.id ?? linkId(0), source, { isStale: true }));
      for (const link of [other, elsewhere])
        commentLinks.add(sampleCommentLink(link?.id ?? linkId(0), 7, { isStale: true }));
      commentLinks.add(sampleCommentLink(calm?.id ?? linkId(0), 7));
      expect(commentLinks.staleLinks(one?.route ?? '')).toStrictEqual([one?.id, other?.id]);
      expect(commentLinks.staleLinks('elsewhere')).toStrictEqual([elsewhere?.id]);
      expect(commentLinks.staleLinks('none')).toStrictEqual([]);
    });

    test('the length of a thread counts its comments and files, of bugs of a route that have an issue', () => {
      const { links, commentLinks, attachmentLinks } = subject.store;
      const origin = 'tracker' as const;
      const [one, silent, ofGithub, elsewhere] = [
        links.add(wholeLink(1, 1, { origin })),
        links.add(wholeLink(2, 2, { origin })),
        links.add(wholeLink(3, 3, { origin: 'github' })),
        links.add(wholeLink(4, 4, { origin, route: 'elsewhere' })),
      ];
      links.add(halfLink(5));
      for (const { id } of [one, ofGithub, elsewhere])
        for (const count of [0, 1, 2]) commentLinks.add(sampleCommentLink(id, 10 + count, { ...onTracker, count }));
      commentLinks.add(sampleCommentLink(one.id, 30, { origin: 'github', count: null }));
      attachmentLinks.add(sampleAttachmentLink(one.id, '9'));
      const { route } = one;
      const all = commentLinks.lengths(route, 0, linkId(99));
      expect(all).toStrictEqual([
        { comments: 2, files: 1 },
        { comments: 0, files: 0 },
      ]);
      expect(commentLinks.lengths(route, one.id, silent.id)).toStrictEqual(all.slice(1));
      expect(commentLinks.lengths(route, 0, one.id)).toStrictEqual(all.slice(0, 1));
    });

    test('what copies refer to is found by its name, is replaced as a whole, and goes with its comment link', () => {
      const { links, commentLinks, mentions } = subject.store;
      const { id } = links.add(halfLink(1));
      const [one, other] = [commentLinks.add(sampleCommentLink(id, 7)), commentLinks.add(sampleCommentLink(id, 8))];
      mentions.replace(one.id, ['bug 12', 'attachment 9', 'bug 12']);
      mentions.replace(other.id, ['bug 12']);
      expect(mentions.of('bug 12')).toStrictEqual([one.id, other.id]);
      expect(mentions.of('bug 1')).toStrictEqual([]);
      mentions.replace(one.id, ['attachment 9']);
      expect(mentions.of('bug 12')).toStrictEqual([other.id]);
      links.remove(id);
      expect(mentions.of('attachment 9')).toStrictEqual([]);
    });

    test('when two half links become one, the comment links of one move to the other', () => {
      const { links, commentLinks } = subject.store;
      const bug = links.add(halfLink(1));
      const issue = links.add(halfLinkOfIssue(5));
      const bystander = links.add(halfLink(2));
      commentLinks.add(sampleCommentLink(bug.id, 1));
      commentLinks.add(sampleCommentLink(issue.id, 1, { origin: 'github', createdAt: 9 }));
      commentLinks.add(sampleCommentLink(bystander.id, 1));
      commentLinks.move(issue.id, bug.id);
      links.remove(issue.id);
      expect(commentLinks.ofLink(bug.id).map(({ origin, link }) => [origin, link])).toStrictEqual([
        ['github', bug.id],
        ['tracker', bug.id],
      ]);
      expect(commentLinks.ofLink(bystander.id)).toHaveLength(1);
    });

    test('a removed comment link cannot be saved, and no comment link exists without its link', () => {
      const { links, commentLinks } = subject.store;
      const { id } = links.add(halfLink(1));
      const commentLink = commentLinks.add(sampleCommentLink(id, 1));
      links.remove(id);
      expect(() => commentLinks.save(commentLink)).toThrow();
      expect(() => commentLinks.add(sampleCommentLink(id, 2))).toThrow();
    });
  });
}

export function recordsContract(subject: StoreUnderTest): void {
  describe('cursors', () => {
    test('each route has a cursor for each side, and putting one replaces all of it', () => {
      const { cursors } = subject.store;
      const place = {
        side: 'github',
        id: 7,
        ref: 5,
        count: null,
        url: 'u',
        author: { login: 'mona', name: 'Mona' },
      } as const;
      const early = { ...place, text: 'Which lid?', isPrivate: false, minimize: null, createdAt: 1, changedAt: 2 };
      const first: CursorRow = {
        changes: null,
        listing: 'page 2',
        isComplete: false,
        polledAt: 1,
        readAt: 2,
        sweptAt: null,
        early: [],
      };
      const second: CursorRow = {
        changes: 'c',
        listing: null,
        isComplete: true,
        hasMore: true,
        polledAt: 3,
        readAt: 4,
        sweptAt: 5,
        early: [early],
        repository: 9,
        isPrivate: true,
      };
      expect(cursors.get('kettle', 'tracker')).toBeNull();
      cursors.put('kettle', 'tracker', second);
      cursors.put('kettle', 'github', second);
      cursors.put('pot', 'tracker', second);
      cursors.put('kettle', 'tracker', first);
      expect(cursors.get('kettle', 'tracker')).toStrictEqual(first);
      expect(cursors.get('kettle', 'github')).toStrictEqual(second);
      expect(cursors.get('pot', 'tracker')).toStrictEqual(second);
    });
  });

  describe('the ledger', () => {
    test('tells how much was written to which side in each slot of time', () => {
      const { links, ledger } = subject.store;
      const { id } = links.add(halfLink(1));
      const written = (at: number, on: 'tracker' | 'github' | null, outcome = 'applied') =>
        ledger.add(lineOf(id, at, { on, kind: 'comment', outcome }));
      written(990, 'github');
      for (const at of [1_000, 1_099, 1_100]) written(at, 'github');
      written(1_050, 'tracker');
      written(1_050, null);
      written(1_050, 'tracker', 'parked');
      expect(ledger.tally(1_000, 100)).toStrictEqual([
        { slotAt: 1_000, on: 'github', kind: 'comment', count: 2 },
        { slotAt: 1_000, on: 'tracker', kind: 'comment', count: 1 },
        { slotAt: 1_100, on: 'github', kind: 'comment', count: 1 },
      ]);
    });

    test('tells the story of a link in order, and the latest of a route first', () => {
      const { ledger, links } = subject.store;
      const one = links.add(halfLink(1)).id;
      const other = links.add(halfLink(2)).id;
      const lines = [
        lineOf(one, 30, { on: null, kind: 'freeze', bug: null, issue: issueNumber(5) }),
        lineOf(one, 20),
        lineOf(other, 10, { bug: bugId(13) }),
        lineOf(other, 40, { route: 'pot' }),
      ];
      for (const line of lines) ledger.add(line);
      expect(ledger.ofLink(one)).toStrictEqual(lines.slice(0, 2));
      expect(ledger.latest('kettle', 2)).toStrictEqual([lines[2], lines[1]]);
      expect(ledger.latest('kettle', 10)).toHaveLength(3);
    });
  });

  test('the ledger lists the repairs on the mirror of a route, the newest first', () => {
    const { ledger, links } = subject.store;
    const { id } = links.add(halfLink(1));
    const corrected = (at: number, corrects: readonly string[], route = 'kettle') =>
      lineOf(id, at, {
        kind: 'update',
        route,
        detail: { after: { title: 'A' }, ...(corrects.length === 0 ? {} : { corrects }) },
      });
    const lines = [
      corrected(10, ['title']),
      corrected(20, ['status']),
      corrected(30, []),
      corrected(40, ['title']),
      corrected(50, ['title'], 'pot'),
    ];
    for (const line of lines) ledger.add(line);
    expect(ledger.corrections('kettle', 10, 9)).toStrictEqual([lines[3], lines[1]]);
    expect(ledger.corrections('kettle', 0, 1)).toStrictEqual([lines[3]]);
  });

  describe('budgets', () => {
    test('expenses are summed by side, cost and time, the given time included', () => {
      const { budgets } = subject.store;
      budgets.spend('github', 'create', { at: 300, points: 5 });
      budgets.spend('github', 'edit', { at: 200, points: 3 });
      budgets.spend('github', 'edit', { at: 200, points: 3 });
      budgets.spend('github', 'read', { at: 300, points: 1 });
      budgets.spend('tracker', 'edit', { at: 300, points: 9 });
      expect(budgets.since('github', ['create', 'edit'], 200)).toStrictEqual([
        { at: 200, points: 3 },
        { at: 200, points: 3 },
        { at: 300, points: 5 },
      ]);
      expect(budgets.since('github', ['create', 'edit'], 201)).toStrictEqual([{ at: 300, points: 5 }]);
      expect(budgets.since('github', [], 0)).toStrictEqual([]);
    });

    test('a window is below a limit exactly as its points are, though the clock goes back and a spending is undone', () => {
      const { budgets, moments, cursors, transaction } = subject.store;
      const isRight = (at: number) =>
        [8, 7, 6, 5, 4, 3, 2, 1].every((max) =>
          [60_000, hourMs].every(
            (windowMs) =>
              budgets.isBelow('github', 'create', at, windowMs, max) ===
              budgets.within('github', 'create', at, windowMs) < max,
          ),
        );
      const start = 9 * hourMs;
      // Forwards, back within the window, back beyond it, and forwards again.
      for (const at of [0, 1, 30_000, 60_000, 61_000, 20_000, -2 * hourMs, -hourMs, hourMs].map((ms) => start + ms)) {
        expect(isRight(at)).toBe(true);
        budgets.spend('github', 'create', { at, points: 1 });
        budgets.spend('github', 'edit', { at, points: 9 });
        budgets.spend('tracker', 'create', { at, points: 9 });
        expect(isRight(at)).toBe(true);
      }
      const undone = () => {
        budgets.spend('github', 'create', { at: start, points: 1 });
        throw new Error('undone');
      };
      expect(() => transaction(undone)).toThrow('undone');
      expect(isRight(start)).toBe(true);
      const read = { changes: null, listing: null, isComplete: true, readAt: 0, sweptAt: null, early: [] };
      cursors.put('kettle', 'tracker', { ...read, polledAt: start + hourMs });
      const back = start - 3 * hourMs;
      expect(isRight(back)).toBe(true);
      moments.followClock(back);
      expect(budgets.within('github', 'create', back, hourMs)).toBeGreaterThan(0);
      expect(isRight(back)).toBe(true);
    });

    test('the last hour is never forgotten', () => {
      const { budgets } = subject.store;
      budgets.spend('github', 'edit', { at: 1_000, points: 1 });
      budgets.spend('tracker', 'edit', { at: 999_000_000, points: 1 });
      budgets.spend('github', 'edit', { at: 1_000 + hourMs, points: 2 });
      expect(budgets.since('github', ['edit'], 1_000)).toHaveLength(2);
    });

    test('a pause that a clock has kept that was put back by a year holds nothing, and gives way to the next', () => {
      const { budgets } = subject.store;
      const yearMs = 365 * 86_400_000;
      budgets.backOff('github', yearMs, 'limit reached');
      expect(budgets.backoffOf('github', 1_000)).toBeNull();
      budgets.backOff('github', 5_000, 'slow down');
      expect(budgets.backoffOf('github', 1_000)).toStrictEqual({ until: 5_000, askedUntil: 5_000, why: 'slow down' });
    });

    test('a pause holds until its time, for its side, and a shorter one does not end it', () => {
      const { budgets } = subject.store;
      expect(budgets.backoffOf('github', 0)).toBeNull();
      budgets.backOff('github', 5_000, 'limit reached');
      budgets.backOff('github', 4_000, 'slow down');
      expect(budgets.backoffOf('github', 4_999)).toStrictEqual({
        until: 5_000,
        askedUntil: 5_000,
        why: 'limit reached',
      });
      expect(budgets.backoffOf('github', 5_000)).toBeNull();
      expect(budgets.backoffOf('tracker', 0)).toBeNull();
      budgets.backOff('github', 6_000, 'again');
      expect(budgets.backoffOf('github', 5_000)).toStrictEqual({ until: 6_000, askedUntil: 6_000, why: 'again' });
    });

    test('the last pause is known when it is over, and how often in a row it was asked for until the side is calm', () => {
      const { budgets } = subject.store;
      expect(budgets.lastBackoff('github')).toBeNull();
      budgets.backOff('github', 5_000, 'slow down', { times: 3 });
      budgets.backOff('tracker', 5_000, 'busy', { times: 2 });
      expect(budgets.lastBackoff('github')).toStrictEqual({
        until: 5_000,
        askedUntil: 5_000,
        why: 'slow down',
        times: 3,
      });
      budgets.calm('github');
      expect(budgets.lastBackoff('github')).toStrictEqual({
        until: 5_000,
        askedUntil: 5_000,
        why: 'slow down',
        times: 0,
      });
      expect(budgets.lastBackoff('tracker')).toMatchObject({ times: 2 });
    });

    test('what a side asked for is known apart from how long the pause is, and is all that is left of it when the side is calm', () => {
      const { budgets } = subject.store;
      budgets.backOff('github', 9_000, 'slow down', { askedUntil: 5_000, times: 2 });
      expect(budgets.backoffOf('github', 0)).toMatchObject({ until: 9_000, askedUntil: 5_000 });
      budgets.backOff('github', 6_000, 'again');
      expect(budgets.lastBackoff('github')).toStrictEqual({
        until: 9_000,
        askedUntil: 6_000,
        why: 'slow down',
        times: 2,
      });
      budgets.calm('github');
      expect(budgets.backoffOf('github', 6_000)).toBeNull();
    });
  });

  describe('findings', () => {
    test('are replaced link by link, and listed by link and by route', () => {
      const { findings, links } = subject.store;
      const one = links.add(halfLink(1)).id;
      const other = links.add(halfLink(2)).id;
      const pot = links.add(halfLink(3, { route: 'pot' })).id;
      const conflicts = [conflictOf(one, 'tracker', 'a'), conflictOf(one, null, 'b')];
      findings.replace(one, conflicts, [skipOf(one, 'first')], 1);
      findings.replace(one, conflicts, [skipOf(one, 'second'), skipOf(one, 'third')], 2);
      findings.replace(other, [], [skipOf(other, 'private', true)], 3);
      findings.replace(pot, [conflictOf(pot, null, 'c')], [skipOf(pot, 'private')], 4);
      expect(findings.ofLink(one)).toStrictEqual({ conflicts, skips: [skipOf(one, 'second'), skipOf(one, 'third')] });
      const ofRoute = findings.ofRoute('kettle', 10);
      expect(ofRoute.conflicts).toHaveLength(2);
      expect(ofRoute.skips).toHaveLength(3);
      expect(findings.ofRoute('kettle', 1).skips).toHaveLength(1);
      expect(findings.open('kettle')).toStrictEqual({ conflicts: 1, skips: 1 });
      links.save({ ...(links.byId(one) ?? halfLink(1)), id: one, ...frozen });
      expect(findings.open('kettle')).toStrictEqual({ conflicts: 0, skips: 1 });
      findings.replace(one, [], [], 5);
      expect(findings.ofLink(one)).toStrictEqual({ conflicts: [], skips: [] });
      expect(findings.ofRoute('kettle', 10)).toStrictEqual({ conflicts: [], skips: [skipOf(other, 'private', true)] });
    });
  });
}

export function transactionContract(subject: StoreUnderTest): void {
  describe('transactions', () => {
    test('give back what the work gives back', () => {
      expect(subject.store.transaction(() => 7)).toBe(7);
    });

    test('that throw leave nothing, and pass the error on', () => {
      const { store } = subject;
      const error = new Error('no');
      const work = () =>
        store.transaction(() => {
          store.links.add(halfLink(1));
          store.transaction(() => store.budgets.spend('github', 'edit', { at: 1, points: 1 }));
          throw error;
        });
      expect(work).toThrow(error);
      expect(store.links.byBug(bugId(1))).toBeNull();
      expect(store.budgets.since('github', ['edit'], 0)).toStrictEqual([]);
    });

    test('within one another fail alone, when the outer one catches the error', () => {
      const { store } = subject;
      store.transaction(() => {
        store.links.add(halfLink(1));
        expect(() =>
          store.transaction(() => {
            store.links.add(halfLink(2));
            throw new Error('inner');
          }),
        ).toThrow('inner');
        store.links.add(halfLink(3));
      });
      expect([1, 2, 3].map((bug) => store.links.byBug(bugId(bug)) !== null)).toStrictEqual([true, false, true]);
    });

    test('a method that fails half-way changes nothing', () => {
      const { store } = subject;
      const { id } = store.links.add(halfLink(1));
      store.findings.replace(id, [], [skipOf(id, 'before')], 1);
      expect(() => store.findings.replace(id, [], [skipOf(id, 'after'), unwritable(id)], 2)).toThrow('unwritable');
      expect(store.findings.ofLink(id).skips).toStrictEqual([skipOf(id, 'before')]);
    });
  });
}

/** Something that no store can write down. */
const unwritable = (link: LinkId): Skip => ({
  link,
  about: 'bug 12',
  needsPerson: false,
  get reason(): string {
    throw new Error('unwritable');
  },
});
